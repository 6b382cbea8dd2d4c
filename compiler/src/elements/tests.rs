use super::*;

const CELLS: [Cell; 3] = [Cell::Interval, Cell::Triangle, Cell::Tetrahedron];

#[test]
fn bases_are_one_at_their_node_and_zero_at_the_others() {
    for cell in CELLS {
        for degree in 0..=5 {
            let basis = lagrange::Basis::new(cell, degree);
            for (i, node) in lagrange::nodes(cell, degree).iter().enumerate() {
                for (j, value) in basis.values(node).into_iter().enumerate() {
                    let value = value.snapped(SNAP);
                    assert_eq!(
                        value,
                        Number::from_i64((i == j).into()),
                        "{cell:?} {degree}"
                    );
                }
            }
        }
    }
}
