//! The checks of a kernel in order, without those that another one implies: of all places that a stencil reads,
//! those at the ends of the array are checked.

use crate::collections::HashSet;

use super::linear::Value;

/// Checks as text.
#[derive(Default)]
pub struct Listing {
    done: HashSet<String>,
    pieces: Vec<Piece>,
    /// How many of them stay what they are.
    sealed: usize,
}

enum Piece {
    Text(String),
    Place(Place),
}

/// The check of a place against one end of an array.
pub struct Place {
    /// Which end.
    pub end: End,
    /// The check's text without the place: places are compared where these are the same.
    pub against: String,
    /// The place's subscripts. One place is beyond another if no subscript is before that one's.
    pub subscripts: Vec<Value>,
    /// The check.
    pub text: String,
}

/// An end of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its first element: places before it are out of bounds.
    First,
    /// Its last one.
    Last,
}

impl Listing {
    /// Adds a text once.
    pub fn once(&mut self, text: String) {
        if self.done.insert(text.clone()) {
            self.push(text);
        }
    }

    /// Adds a text.
    pub fn push(&mut self, text: String) {
        self.pieces.push(Piece::Text(text));
    }

    /// Has those that stand here stay what they are.
    pub fn seal(&mut self) {
        self.sealed = self.pieces.len();
    }

    /// Adds a check, or has it stand where one stood that it implies, unless one implies it.
    pub fn place(&mut self, place: Place) {
        let sealed = self.sealed;
        for (at, piece) in self.pieces.iter_mut().enumerate() {
            let Piece::Place(other) = piece else { continue };
            if other.implies(&place) {
                return;
            }
            if at >= sealed && place.implies(other) {
                *other = place;
                return;
            }
        }
        self.pieces.push(Piece::Place(place));
    }

    /// All of them.
    pub fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Place(Place { text, .. }) => text.clone(),
        };
        self.pieces.iter().map(text).collect()
    }
}

impl Place {
    /// Whether the other place is inside the array if this one is.
    fn implies(&self, other: &Place) -> bool {
        let mut subscripts = self.subscripts.iter().zip(&other.subscripts);
        self.end == other.end
            && self.against == other.against
            && subscripts.all(|(own, other)| match own.distance(other) {
                Some(distance) if self.end == End::First => distance <= 0,
                Some(distance) => distance >= 0,
                None => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::linear::Bounds;

    fn place(end: End, shift: i128, text: &str) -> Place {
        let mut subscript = Value::constant(shift);
        subscript.add(1, "n".to_owned(), Bounds::LENGTH);
        let row = Value::constant(3);
        Place {
            end,
            against: "if 0 < n { x }".to_owned(),
            subscripts: vec![row, subscript],
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_outermost_places_are_left() {
        let mut listing = Listing::default();
        for (shift, last, first) in [(0, "b", "f"), (2, "c", "g"), (-1, "a", "e")] {
            listing.place(place(End::Last, shift, last));
            listing.once("-".to_owned());
            listing.place(place(End::First, shift, first));
        }
        assert_eq!(listing.text(), "c-e");
    }

    #[test]
    fn what_is_sealed_stays() {
        let mut listing = Listing::default();
        listing.place(place(End::Last, 0, "a"));
        listing.seal();
        listing.once("-".to_owned());
        // Further out than the first one, and what the first one implies.
        listing.place(place(End::Last, 2, "c"));
        listing.place(place(End::Last, -1, "b"));
        assert_eq!(listing.text(), "a-c");
    }

    #[test]
    fn other_places_stay() {
        let mut listing = Listing::default();
        listing.place(place(End::Last, 0, "a"));
        // Of another length.
        let mut other = place(End::Last, 1, "b");
        other.subscripts[1].add(1, "m".to_owned(), Bounds::LENGTH);
        listing.place(other);
        // In an array or domain of its own.
        let mut other = place(End::Last, 1, "c");
        other.against = "if 0 < m { x }".to_owned();
        listing.place(other);
        // In the row before.
        let mut other = place(End::Last, 1, "d");
        other.subscripts[0] = Value::constant(2);
        listing.place(other);
        assert_eq!(listing.text(), "abcd");
    }
}
