//! Times of a kernel's instruction sets and of its text: a program of their own, built in release.

mod signature;
mod work;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cargo;
use crate::cli::Source;
use crate::kernels::Kernel;
use signature::{Kind, Parameter};

/// The part of the program that is the same for all kernels.
const COMMON: &str = include_str!("program.rs.txt");
/// What integers are, and how long slices are, unless they are set.
const INTEGER: usize = 100;
const LENGTH: usize = 1024;

/// Builds and runs the program; returns what it prints.
///
/// # Errors
/// Where the kernel's inputs cannot be made up, its text does not stand alone, or no inputs were found that it
/// runs with.
pub fn run(
    kernel: &Kernel,
    sizes: &[(String, usize)],
    native: bool,
    source: &Source,
) -> Result<String, String> {
    let text = kernel.data["text"].as_str().unwrap_or_default();
    let parameters = signature::parameters(text, &kernel.name)?;
    if let Some((name, _)) = sizes
        .iter()
        .find(|(name, _)| !parameters.iter().any(|p| p.is_sized(name)))
    {
        let names = parameters.iter().filter(|p| p.is_sized(&p.name));
        let names: Vec<&str> = names.map(|p| p.name.as_str()).collect();
        return Err(format!(
            "`{name}` is no integer or slice of `{}`, but {}",
            kernel.name,
            names.join(", ")
        ));
    }
    let metadata = cargo::metadata(true)?;
    let folder = cargo::path(&metadata, "target_directory").join("loopwright-bench");
    let package = folder.join(format!("{}-{}", kernel.krate, kernel.name));
    let write = |name: &str, text: &str| {
        let path = package.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(package.join("src"))
        .map_err(|error| format!("{} cannot be made: {error}", package.display()))?;
    write("Cargo.toml", &manifest(&metadata)?)?;
    let work = work::work(&kernel.report(), &parameters);
    // With the options, helpers and constants that stand beside it.
    let block = kernel.data["block"].as_str().unwrap_or(text);
    let program = program((block, &kernel.name), &parameters, sizes, work.as_deref());
    write("src/main.rs", &program)?;
    // The versions that the crate is built with.
    let lock = cargo::path(&metadata, "workspace_root").join("Cargo.lock");
    let _ = fs::copy(lock, package.join("Cargo.lock"));
    let flags = native.then_some("-Ctarget-cpu=native");
    let printed = cargo::run(&package.join("Cargo.toml"), &folder.join("target"), flags).map_err(|error| {
        format!(
            "{error}\nit is built by itself, of its own block: constants, structs and functions from outside of that \
             are not there, nor what it needs of {}",
            source.package.as_deref().unwrap_or("its crate")
        )
    })?;
    let compiled = if native {
        "this processor"
    } else {
        "any processor of its kind (`--native`: for this one)"
    };
    Ok(format!(
        "{}\n{printed}the text is compiled for {compiled}\n",
        kernel.place()
    ))
}

/// A package that depends on the same loopwright.
fn manifest(metadata: &Value) -> Result<String, String> {
    let packages = metadata["packages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let package = packages
        .iter()
        .find(|package| package["name"] == "loopwright");
    let package = package.ok_or("the crate does not depend on loopwright")?;
    let version = package["version"].as_str().unwrap_or_default();
    let dependency = match package["source"].as_str() {
        None => {
            let manifest = package["manifest_path"].as_str().unwrap_or_default();
            let folder = Path::new(manifest).parent().unwrap_or(Path::new("."));
            format!("{{ path = {:?} }}", folder.display().to_string())
        }
        Some(source) => match source
            .strip_prefix("git+")
            .and_then(|source| source.split_once('#'))
        {
            Some((address, commit)) => {
                let address = address.split('?').next().unwrap_or_default();
                format!("{{ git = {address:?}, rev = {commit:?} }}")
            }
            None => format!("\"={version}\""),
        },
    };
    Ok(format!(
        "[package]\nname = \"loopwright-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nloopwright = {dependency}\n"
    ))
}

/// The program that times a kernel of a block; `work` is an expression of its operations and bytes.
fn program(
    (block, name): (&str, &str),
    parameters: &[Parameter],
    sizes: &[(String, usize)],
    work: Option<&str>,
) -> String {
    let set = |name: &str| {
        sizes
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, size)| *size)
    };
    let (mut slices, mut made, mut passed) = (String::new(), String::new(), Vec::new());
    let mut number = 0;
    for parameter in parameters {
        let Parameter {
            name,
            kind,
            ty,
            mutable,
        } = parameter;
        let reference = if *mutable { "&mut " } else { "&" };
        match kind {
            Kind::Integer => {
                let value = set(name).unwrap_or(INTEGER);
                let _ = writeln!(made, "    let {name} = {value} as {ty};");
                passed.push(name.clone());
            }
            Kind::Value | Kind::Reference => {
                let _ = writeln!(
                    made,
                    "    let {}{name} = <{ty}>::fill(random);",
                    if *mutable { "mut " } else { "" }
                );
                let reference = if matches!(kind, Kind::Value) {
                    ""
                } else {
                    reference
                };
                passed.push(format!("{reference}{name}"));
            }
            Kind::Slice => {
                let length = set(name).unwrap_or(LENGTH);
                let is_set = set(name).is_some();
                let _ = writeln!(
                    slices,
                    "    Slice {{ name: {name:?}, length: {length}, is_set: {is_set} }},"
                );
                let _ = writeln!(
                    made,
                    "    let {}{name} = many::<{ty}>(sizes[{number}].length, random);",
                    if *mutable { "mut " } else { "" }
                );
                passed.push(format!("{reference}{name}"));
                number += 1;
            }
        }
    }
    let passed = passed.join(", ");
    let work = work.unwrap_or("None");
    // What the block declares may have the names of what times it, in a module of its own.
    format!(
        "loopwright::kernel! {{\n{block}\n}}\n\nfn main() -> std::process::ExitCode {{\n    \
         loopwright_bench::main()\n}}\n\nmod loopwright_bench {{\n{COMMON}\n\
         #[allow(unused)]\nuse super::*;\n\n\
         const SLICES: [Slice; {number}] = [\n{slices}];\n\n\
         #[allow(unused)]\n\
         fn timed(sizes: &[Slice], which: Option<Isa>, calls: u32, random: &mut Random) -> Duration {{\n{made}    \
         let began = Instant::now();\n    for _ in 0..calls {{\n        match which {{\n            \
         Some(isa) => {{ black_box(super::{name}::with(isa, {passed}).expect(\"variants() has it\")); }}\n            \
         None => {{ black_box(super::{name}::reference({passed})); }}\n        }}\n    }}\n    began.elapsed()\n}}\n\n\
         #[allow(unused)]\n\
         fn work(sizes: &[Slice], random: &mut Random) -> Option<(f64, f64)> {{\n{made}    {work}\n}}\n\n\
         pub fn main() -> ExitCode {{\n    compare(super::{name}::variants())\n}}\n}}\n"
    )
}
