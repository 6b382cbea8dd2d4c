//! Nestings: sequences of sets of loops, the outermost set first. Loops of one set may stand in any order
//! (Lam 1999, section 3.2).

/// A set of loops, a bit each.
pub type Loops = u64;

/// Which loops are around which, as far as fusion has decided it. No set is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nesting(pub Vec<Loops>);

impl Nesting {
    /// Loops in any order.
    pub fn of(loops: Loops) -> Nesting {
        Nesting((loops != 0).then_some(loops).into_iter().collect())
    }

    /// All loops of it.
    pub fn all(&self) -> Loops {
        self.0.iter().fold(0, |all, set| all | set)
    }

    /// The nesting at a reader with these loops, where this one is fused with it: the fused loops, then the
    /// others.
    pub fn extended(&self, loops: Loops) -> Nesting {
        let rest = Nesting::of(loops & !self.all());
        Nesting([self.0.as_slice(), &rest.0].concat())
    }

    /// The nesting that two nestings of the same loops lead to; `None` if there is none. That is not the same as
    /// a nesting without loops, for which figure 3 of the paper takes it.
    pub fn merged(&self, other: &Nesting) -> Option<Nesting> {
        let (mut own, mut others) = (self.0.iter(), other.0.iter());
        let (mut a, mut b): (Loops, Loops) = (0, 0);
        let mut result = Vec::new();
        loop {
            if a == 0 {
                a = own.next().copied().unwrap_or(0);
            }
            if b == 0 {
                b = others.next().copied().unwrap_or(0);
            }
            match (a, b) {
                (0, 0) => return Some(Nesting(result)),
                _ if a & b == 0 => return None,
                _ => {
                    result.push(a & b);
                    (a, b) = (a & !b, b & !a);
                }
            }
        }
    }

    /// The longest prefix whose loops are among some.
    pub fn within(&self, loops: Loops) -> Nesting {
        let mut result = Vec::new();
        for set in &self.0 {
            let inside = set & loops;
            result.extend((inside != 0).then_some(inside));
            if inside != *set {
                break;
            }
        }
        Nesting(result)
    }

    /// All prefixes, the longest first: whole sets, then a part of the next one.
    pub fn prefixes(&self) -> Vec<Nesting> {
        let mut result = Vec::new();
        for (at, set) in self.0.iter().enumerate().rev() {
            let mut part = *set;
            while part != 0 {
                let mut prefix = self.0[..at].to_vec();
                prefix.push(part);
                result.push(Nesting(prefix));
                part = (part - 1) & set;
            }
        }
        result.push(Nesting::default());
        result
    }

    /// Whether whatever can be fused around this nesting can be fused around the other one too: the procedure of
    /// figure 3. (The condition that the text of section 3.2 states instead does not imply it.)
    pub fn constrains_more(&self, other: &Nesting) -> bool {
        let mut others = other.0.iter();
        let mut left: Loops = 0;
        for set in &self.0 {
            if left == 0 {
                left = others.next().copied().unwrap_or(0);
            }
            if set & !left != 0 {
                return false;
            }
            left &= !set;
        }
        true
    }
}
