//! A list that grows, and of which copies share all but what each has added.

use std::rc::Rc;

/// Elements of a chunk.
const CHUNK: usize = 64;

/// A list in chunks, which copies of it have in common: a copy takes as much as there are chunks, and one that grows
/// copies its last chunk.
#[derive(Debug)]
pub struct Chunked<T> {
    /// All but the last one are full.
    chunks: Vec<Rc<Vec<Rc<T>>>>,
}

impl<T> Clone for Chunked<T> {
    fn clone(&self) -> Chunked<T> {
        Chunked {
            chunks: self.chunks.clone(),
        }
    }
}

impl<T> Default for Chunked<T> {
    fn default() -> Chunked<T> {
        Chunked { chunks: Vec::new() }
    }
}

impl<T> Chunked<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        let last = self.chunks.last().map_or(CHUNK, |last| last.len());
        (self.chunks.len() * CHUNK + last) - CHUNK
    }

    /// An element.
    pub fn get(&self, at: usize) -> &Rc<T> {
        &self.chunks[at / CHUNK][at % CHUNK]
    }

    /// Adds an element.
    pub fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Rc::make_mut(last).push(Rc::new(element)),
            _ => self.chunks.push(Rc::new(vec![Rc::new(element)])),
        }
    }

    /// Puts an element in the place of another one.
    pub fn set(&mut self, at: usize, element: T) {
        Rc::make_mut(&mut self.chunks[at / CHUNK])[at % CHUNK] = Rc::new(element);
    }

    /// Whether all elements are equal, those that both have known to be.
    pub fn is_same(&self, other: &Chunked<T>, equal: impl Fn(&T, &T) -> bool) -> bool {
        let equal = |(one, other): (&Rc<T>, &Rc<T>)| Rc::ptr_eq(one, other) || equal(one, other);
        let mut pairs = self.chunks.iter().zip(&other.chunks);
        self.len() == other.len()
            && pairs
                .all(|(one, other)| Rc::ptr_eq(one, other) || one.iter().zip(&**other).all(equal))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Chunked};

    #[test]
    fn copies_grow_by_themselves() {
        let mut one = Chunked::default();
        assert_eq!(one.len(), 0);
        for at in 0..3 * CHUNK {
            assert_eq!(one.len(), at);
            one.push(at);
        }
        let mut other = one.clone();
        assert!(one.is_same(&other, |_, _| false));
        one.push(1);
        assert!(!one.is_same(&other, |_, _| true));
        other.push(2);
        other.set(5, 50);
        assert_eq!((one.len(), other.len()), (3 * CHUNK + 1, 3 * CHUNK + 1));
        assert_eq!((**one.get(3 * CHUNK), **other.get(3 * CHUNK)), (1, 2));
        assert_eq!((**one.get(5), **other.get(5), **other.get(6)), (5, 50, 6));
        assert!(!one.is_same(&other, |one, other| one == other));
    }
}
