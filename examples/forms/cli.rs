//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Element matrices and actions of forms on a mesh, with kernels of loopwright.
#[derive(Parser)]
#[command(name = "forms")]
pub struct Arguments {
    /// A Gmsh 4.1 mesh (ASCII) of tetrahedra with 4 nodes.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/meshes/bracket.msh"))]
    pub mesh: PathBuf,
    /// A form; may be repeated. All of them, unless some are named.
    #[arg(long, value_enum)]
    pub form: Vec<Form>,
    /// The degree of the elements. All of them, unless one is named.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub degree: Option<u8>,
}

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// ∫ f u v
    Mass,
    /// ∫ f (∇u·∇v + u v)
    Helmholtz,
    /// ∫ f ε(u) : ε(v)
    Elasticity,
    /// ∫ D²ψ(U)(u, v), of a St Venant-Kirchhoff material with the displacement U
    Hyperelasticity,
}

impl Arguments {
    /// Whether a form of some degree is asked for.
    pub fn wants(&self, form: Form, degree: u8) -> bool {
        (self.form.is_empty() || self.form.contains(&form))
            && self.degree.is_none_or(|wanted| wanted == degree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn forms_and_degrees_can_be_chosen() {
        let of = |arguments: &[&str]| Arguments::try_parse_from(arguments).expect("arguments");
        assert!(of(&["forms"]).wants(Form::Mass, 2));
        let some = of(&["forms", "--form", "mass", "--degree", "1"]);
        assert!(some.wants(Form::Mass, 1));
        assert!(!some.wants(Form::Mass, 2));
        assert!(!some.wants(Form::Helmholtz, 1));
    }
}
