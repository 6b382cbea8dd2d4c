//! How an integer follows the loops around it.

use std::collections::BTreeMap;

/// How an integer changes as one loop goes on, and all others stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// By the same amount each time.
    linear: bool,
    /// It never falls.
    rises: bool,
    /// It never rises.
    falls: bool,
}

impl Course {
    /// Not at all.
    const CONSTANT: Course = Course {
        linear: true,
        rises: true,
        falls: true,
    };
    /// Nothing is known.
    const UNKNOWN: Course = Course {
        linear: false,
        rises: false,
        falls: false,
    };

    /// Whether its smallest and its largest value are at the loop's ends.
    pub fn has_ends(self) -> bool {
        self.linear || self.rises || self.falls
    }

    fn add(self, other: Course) -> Course {
        Course {
            linear: self.linear && other.linear,
            rises: self.rises && other.rises,
            falls: self.falls && other.falls,
        }
    }

    fn negated(self) -> Course {
        Course {
            rises: self.falls,
            falls: self.rises,
            ..self
        }
    }

    fn curved(self) -> Course {
        match self {
            Course::CONSTANT => self,
            _ => Course {
                linear: false,
                ..self
            },
        }
    }
}

/// The loops that an integer follows, by their numbers, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<usize, Course>);

impl Facts {
    /// Those of a loop's own variable.
    pub fn variable(number: usize) -> Facts {
        let course = Course {
            falls: false,
            ..Course::CONSTANT
        };
        Facts(BTreeMap::from([(number, course)]))
    }

    /// Those of a value that follows loops in some way.
    pub fn unknown(loops: impl IntoIterator<Item = usize>) -> Facts {
        let all = loops.into_iter().map(|number| (number, Course::UNKNOWN));
        Facts(all.collect())
    }

    /// All loops that it follows.
    pub fn loops(&self) -> impl Iterator<Item = usize> {
        self.0.keys().copied()
    }

    /// Loops whose ends do not tell its smallest and its largest value.
    pub fn without_ends(&self) -> impl Iterator<Item = usize> {
        let without = self.0.iter().filter(|(_, course)| !course.has_ends());
        without.map(|(number, _)| *number)
    }

    /// Of something that depends on both in any way.
    pub fn mixed(&self, other: &Facts) -> Facts {
        Facts::unknown(self.loops().chain(other.loops()))
    }

    fn joined(&self, other: &Facts, join: impl Fn(Course, Course) -> Course) -> Facts {
        let loops = self.loops().chain(other.loops());
        let all = loops.map(|number| (number, join(self.course(number), other.course(number))));
        Facts(all.collect())
    }

    fn course(&self, number: usize) -> Course {
        self.0.get(&number).copied().unwrap_or(Course::CONSTANT)
    }

    /// Of a sum.
    pub fn sum(&self, other: &Facts) -> Facts {
        self.joined(other, Course::add)
    }

    /// Of a difference.
    pub fn difference(&self, other: &Facts) -> Facts {
        self.joined(other, |a, b| a.add(b.negated()))
    }

    /// Of a product; whether each factor is known not to be negative.
    pub fn product(&self, other: &Facts, natural: (bool, bool)) -> Facts {
        let by = |course: Course, natural: bool| Course {
            linear: course.linear,
            rises: natural && course.rises,
            falls: natural && course.falls,
        };
        self.joined(other, |a, b| match (a, b) {
            (Course::CONSTANT, Course::CONSTANT) => Course::CONSTANT,
            (Course::CONSTANT, b) => by(b, natural.0),
            (a, Course::CONSTANT) => by(a, natural.1),
            (a, b) if natural == (true, true) => a.add(b).curved(),
            _ => Course::UNKNOWN,
        })
    }

    /// Of a quotient that is rounded; whether the divisor is known to be positive.
    pub fn quotient(&self, other: &Facts, positive: bool) -> Facts {
        self.joined(other, |a, b| match (a, b) {
            (Course::CONSTANT, Course::CONSTANT) => Course::CONSTANT,
            (a, Course::CONSTANT) if positive => a.curved(),
            _ => Course::UNKNOWN,
        })
    }

    /// Of a function that rises with both, but not in a line: the smaller or the larger of two.
    pub fn rising(&self, other: &Facts) -> Facts {
        self.joined(other, |a, b| a.add(b).curved())
    }
}

#[cfg(test)]
mod tests {
    use super::Facts;

    /// What has no ends in loop 0.
    fn unknown(facts: &Facts) -> bool {
        facts.without_ends().next().is_some()
    }

    #[test]
    fn ends_are_those_of_lines_and_of_what_rises_or_falls() {
        let (i, c) = (Facts::variable(0), Facts::default());
        assert!(!unknown(&i.sum(&i)));
        assert!(!unknown(&c.difference(&i)));
        assert!(!unknown(&i.product(&c, (false, false))));
        assert!(!unknown(&i.quotient(&c, true)));
        // i * i of what may be negative; i / 2 - i / 3; i / n where n may be negative.
        assert!(unknown(&i.product(&i, (true, false))));
        assert!(!unknown(&i.product(&i, (true, true))));
        let half = i.quotient(&c, true);
        assert!(unknown(&half.difference(&half)));
        assert!(unknown(&i.quotient(&c, false)));
        assert!(!unknown(&half.rising(&i)));
        assert!(unknown(&i.mixed(&c)));
        // (i / 2) * n: rising only if n is not negative.
        assert!(unknown(&half.product(&c, (true, false))));
        assert!(!unknown(&half.product(&c, (true, true))));
    }
}
