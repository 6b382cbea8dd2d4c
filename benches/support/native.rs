//! The library of plain texts that Cargo builds for the processor at hand.

use std::path::Path;
use std::process::Command;

use libloading::Library;

type Allocate = extern "C" fn(usize, usize) -> *mut u8;
type Deallocate = extern "C" fn(*mut u8, usize, usize);
type Time = unsafe extern "C" fn(*const u8, usize, usize, usize) -> f64;

/// The texts.
pub struct Native {
    library: Library,
}

impl Native {
    /// Builds the library, which takes its memory from these functions.
    pub fn built(allocate: Allocate, deallocate: Deallocate) -> Native {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let target = root.join("target/native");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args([
                "build",
                "--quiet",
                "--release",
                "--package",
                "loopwright-texts",
            ])
            .arg("--target-dir")
            .arg(&target)
            .env("RUSTFLAGS", "-C target-cpu=native")
            .current_dir(root)
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the texts do not build"
        );
        let name = libloading::library_filename("loopwright_texts");
        // SAFETY: it has no initialisers but those of the standard library.
        let library = unsafe { Library::new(target.join("release").join(name)) };
        let library = library.expect("the library of texts");
        // SAFETY: the function has this type.
        let use_memory =
            unsafe { library.get::<unsafe extern "C" fn(Allocate, Deallocate)>(b"use_memory\0") };
        // SAFETY: nothing else in the library was called before.
        unsafe { use_memory.expect("a function of the library")(allocate, deallocate) };
        Native { library }
    }

    /// The nanoseconds of a call of a text on inputs of a size.
    pub fn time(&self, name: &str, n: usize, calls: usize) -> f64 {
        // SAFETY: the function has this type, and the name is what it says.
        let nanoseconds = unsafe {
            let time = self.library.get::<Time>(b"time\0");
            time.expect("a function of the library")(name.as_ptr(), name.len(), n, calls)
        };
        assert!(nanoseconds >= 0.0, "the library has no text {name}");
        nanoseconds
    }
}
