//! Parameters that are views of several dimensions.
//!
//! Those of one dimension need nothing of their own: any slice of numbers can be one.

use super::Generator;
use super::range::Linear;
use super::scope::{Dimension, Parameter, Role};

/// Dimensions of a view at most.
pub const MOST: usize = 3;

impl Generator {
    /// Whether the next parameter is a view.
    pub fn wants_view(&mut self) -> bool {
        self.views && self.random.chance(50)
    }

    /// A new view whose extents are what its subscripts need.
    pub fn new_view(&mut self, base: &str, role: Role) -> usize {
        let rank = self.random.weighted(&[0, 1, 5, 2]);
        self.view_of(base, role, vec![Dimension::default(); rank])
    }

    /// A new view.
    pub fn view_of(&mut self, base: &str, role: Role, view: Vec<Dimension>) -> usize {
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name,
            role,
            slice: true,
            shape: Vec::new(),
            lengths: Vec::new(),
            fixed: false,
            single: false,
            view,
        });
        self.parameters.len() - 1
    }

    /// `u.nrows()` of a view that has a size's extent in some dimension.
    pub fn extent_of_view(&mut self, size: char) -> String {
        let length = Linear::size(size, 0);
        let fits = |d: &Dimension| d.fixed && d.lengths == [length];
        let parameters = self.parameters.iter().enumerate();
        let existing = parameters.flat_map(|(at, p)| {
            let axes = p.view.iter().enumerate();
            axes.filter(|(_, d)| fits(d))
                .map(move |(axis, _)| (at, axis))
        });
        let existing: Vec<(usize, usize)> = existing.collect();
        let (at, axis) = if !existing.is_empty() && self.random.chance(70) {
            self.random.pick(&existing)
        } else {
            let at = self.new_view("u", Role::Input);
            let axis = self.random.below(self.parameters[at].view.len());
            self.parameters[at].view[axis] = Dimension::fixed(length);
            (at, axis)
        };
        self.asked_extent(at, axis)
    }

    /// One of the ways to ask for an extent.
    fn asked_extent(&mut self, at: usize, axis: usize) -> String {
        let (name, rank) = (
            self.parameters[at].name.clone(),
            self.parameters[at].view.len(),
        );
        match self.random.below(4) {
            0 => format!("{name}.shape()[{axis}]"),
            1 => format!("{name}.len_of(ndarray::Axis({axis}))"),
            2 if rank > 1 => {
                let names: Vec<String> = (0..rank).map(|_| self.fresh("extent")).collect();
                self.line(&format!("let ({}) = {name}.dim();", names.join(", ")));
                names[axis].clone()
            }
            _ if rank == 1 => format!("{name}.len()"),
            _ if rank == 2 => format!("{name}.{}()", ["nrows", "ncols"][axis]),
            _ => format!("{name}.shape()[{axis}]"),
        }
    }

    /// `u[[i, j + 1]]`; extents grow to what that needs.
    pub fn view_element(&mut self, parameter: usize, maps: bool) -> String {
        let mut subscripts = Vec::new();
        for axis in 0..self.parameters[parameter].view.len() {
            let view = &mut self.parameters[parameter].view;
            let mut dimension = std::mem::take(&mut view[axis]);
            let subscript = self.of_dimension(&mut dimension, maps);
            self.parameters[parameter].view[axis] = dimension;
            subscripts.push(subscript.text);
        }
        let name = self.parameters[parameter].name.clone();
        self.at_subscripts(&name, &subscripts)
    }

    /// The element of a view.
    pub fn at_subscripts(&mut self, name: &str, subscripts: &[String]) -> String {
        let all = subscripts.join(", ");
        match subscripts.len() {
            1 if self.random.chance(60) => format!("{name}[{all}]"),
            2.. if self.random.chance(20) => format!("{name}[({all})]"),
            _ => format!("{name}[[{all}]]"),
        }
    }

    /// Makes views of some slices of numbers.
    pub fn slices_as_views(&mut self) {
        if !self.views {
            return;
        }
        for at in 0..self.parameters.len() {
            let Parameter {
                role,
                slice,
                shape,
                view,
                lengths,
                fixed,
                ..
            } = &mut self.parameters[at];
            let sized = matches!(role, Role::Divisor | Role::Dividend | Role::Divided { .. });
            if sized {
                continue;
            }
            if *slice && shape.is_empty() && view.is_empty() && self.random.chance(60) {
                view.push(Dimension {
                    lengths: lengths.clone(),
                    fixed: *fixed,
                });
            }
        }
    }
}
