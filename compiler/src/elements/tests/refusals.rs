//! What there is not.

use super::*;

/// Why there is no such table.
fn refusal(cell: Cell, rule: impl Into<Quadrature>, table: Table) -> (Part, String) {
    let refusal = tabulate(cell, rule.into(), table).unwrap_err();
    assert!(!refusal.help.is_empty());
    (refusal.part, refusal.message)
}

fn element(degree: usize, components: Option<usize>, derivative: Derivative) -> Table {
    Table::Basis(Element { degree, components }, derivative)
}

#[test]
fn rules_that_there_are_not_are_refused() {
    let (part, message) = refusal(Cell::Triangle, 101, Table::Weights);
    assert_eq!(part, Part::Quadrature);
    assert_eq!(
        message,
        "there is no quadrature(101): degrees go from 0 to 100"
    );
    for (cell, degree) in [
        (Cell::Interval, 1),
        (Cell::Triangle, 31),
        (Cell::Tetrahedron, 16),
        (Cell::Quadrilateral, 2),
        (Cell::Hexahedron, 2),
    ] {
        let family = Family::Symmetric;
        let (part, message) = refusal(cell, Quadrature { degree, family }, Table::Points);
        assert_eq!(part, Part::Quadrature);
        let name = cell.name();
        let expected = format!("there is no quadrature({degree}, symmetric) on the {name}");
        assert_eq!(message, expected);
    }
}

#[test]
fn elements_that_there_are_not_are_refused() {
    for cell in Cell::ALL {
        let (part, message) = refusal(cell, 2, element(9, None, Derivative::Values));
        assert_eq!(part, Part::Element(0));
        assert_eq!(message, "there is no lagrange(9): degrees go from 0 to 8");
        for components in [0, 10] {
            let table = element(1, Some(components), Derivative::Gradient);
            let (part, message) = refusal(cell, 2, table);
            assert_eq!(part, Part::Element(0));
            let expected = format!("a vector of {components} components; there are 1 to 9");
            assert_eq!(message, expected);
        }
    }
}

#[test]
fn a_mixed_element_says_which_of_its_elements_there_is_not() {
    let [linear, quadratic] = [1, 2].map(|degree| Element {
        degree,
        components: None,
    });
    let missing = Element {
        degree: 9,
        components: Some(2),
    };
    let table = Table::Mixed(vec![linear, quadratic, missing], Derivative::Gradient);
    let (part, message) = refusal(Cell::Hexahedron, 2, table);
    assert_eq!(part, Part::Element(2));
    assert_eq!(message, "there is no lagrange(9): degrees go from 0 to 8");
}

#[test]
fn tables_that_are_too_large_are_refused_before_they_are_computed() {
    let table = element(8, Some(9), Derivative::Hessian);
    let (part, message) = refusal(Cell::Hexahedron, 100, table);
    assert_eq!(part, Part::Whole);
    let entries = 9 * 9 * 51_usize.pow(3) * 9 * 729;
    assert_eq!(
        message,
        format!("this table has {entries} entries; the most is 3145728")
    );
}
