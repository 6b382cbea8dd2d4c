//! FFCx's kernels, out of the shared library that `benches/peers/ffcx.sh` builds.

use std::path::Path;

use libloading::Library;

/// What FFCx calls `tabulate_tensor`: adds to `a`, given coefficients `w`, constants `c` and the
/// cell's vertices.
pub type Kernel =
    unsafe extern "C" fn(a: *mut f64, w: *const f64, c: *const f64, coordinate_dofs: *const f64);

/// The library.
pub struct Ffcx(Library);

impl Ffcx {
    /// Loads the library; `None` where it has not been built.
    pub fn load() -> Option<Self> {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/build/libffcx_forms.so");
        if !path.exists() {
            return None;
        }
        // SAFETY: the library has no initialisers; it is generated C without global state.
        match unsafe { Library::new(&path) } {
            Ok(library) => Some(Self(library)),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                None
            }
        }
    }

    /// The kernel of a form with some coefficient functions.
    pub fn kernel(&self, form: &str, degree: usize, coefficients: usize) -> Option<Kernel> {
        self.named(&format!("{form}_q{degree}_nf{coefficients}"))
    }

    /// The kernel of an instance of the suite, as `mass_q1_nf0`.
    pub fn named(&self, instance: &str) -> Option<Kernel> {
        let name = format!("ffcx_{instance}");
        // SAFETY: every function of that naming scheme in the library has this signature
        // (ffcx_forms.py), and `self` outlives the use of the pointer: see `main`.
        unsafe { self.0.get::<Kernel>(name.as_bytes()).ok().map(|f| *f) }
    }
}
