//! Where in the loops an instance is evaluated.

/// The values of indices, whole and without the loops' part.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Values.
    pub at: Vec<i64>,
    /// Values of the loops.
    pub loops: Vec<i64>,
    /// Offsets of the instance.
    pub offsets: Vec<u32>,
    /// It is that of a lane beyond the end, which stands at the last element: what is found there is used by no other
    /// lane.
    pub idle: bool,
}

impl Point {
    /// All of `count` indices at zero.
    pub fn origin(count: usize) -> Point {
        Point {
            at: vec![0; count],
            loops: vec![0; count],
            offsets: vec![0; count],
            idle: false,
        }
    }
}
