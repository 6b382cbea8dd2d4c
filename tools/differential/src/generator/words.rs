//! Kernels on integers: slices of several types, and expressions that wrap, shift, convert, divide and compare.

use super::Generator;
use super::range::Linear;
use super::scope::{Parameter, Role};

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    name: &'static str,
    bits: u32,
    signed: bool,
}

const fn word(name: &'static str, bits: u32, signed: bool) -> Word {
    Word { name, bits, signed }
}

const WORDS: [Word; 8] = [
    word("u8", 8, false),
    word("i8", 8, true),
    word("u16", 16, false),
    word("i16", 16, true),
    word("u32", 32, false),
    word("i32", 32, true),
    word("u64", 64, false),
    word("i64", 64, true),
];

/// Places after its own that an element reads.
const REACH: i64 = 9;

/// What an expression may read.
struct Readable {
    slices: Vec<(String, Word)>,
    /// The subscript without an offset.
    at: &'static str,
    /// The largest offset.
    reach: usize,
}

impl Generator {
    /// Elements of integer slices from those of others.
    pub fn words(&mut self) {
        // More elements than a vector has bytes.
        let length = Linear::size('n', 3).times(9);
        let strided = self.random.chance(15);
        let read = match strided {
            true => length.times(2),
            false => length,
        };
        let read = read.plus(Linear::constant(REACH));
        let count = self.random.between(1, 3);
        let slices: Vec<(String, Word)> = (0..count)
            .map(|_| {
                let ty = self.random.pick(&WORDS);
                (self.integers_of(ty.name, "a", false, read), ty)
            })
            .collect();
        let from = Readable {
            slices,
            at: if strided { "2 * i" } else { "i" },
            reach: REACH as usize,
        };
        let outputs: Vec<(String, Word)> = (0..self.random.between(1, 2))
            .map(|_| {
                let ty = self.random.pick(&WORDS);
                (self.integers_of(ty.name, "y", true, length), ty)
            })
            .collect();
        let range = format!("0..{}.len()", outputs[0].0);
        let mark = self.enter("i".to_owned(), &range, 0, length);
        for (name, ty) in &outputs {
            let depth = self.random.between(1, 3);
            let mut value = self.word(&from, *ty, depth);
            if self.random.chance(30) {
                let sum = self.word_sum(&from);
                value = format!("({value}).wrapping_add({sum} as {})", ty.name);
            } else if self.random.chance(30) {
                let shared = self.fresh("v");
                self.line(&format!("let {shared}: {} = {value};", ty.name));
                value = format!("{shared}.wrapping_mul({shared})");
            }
            let written = match self.random.below(4) {
                0 => format!("{name}[i] = {name}[i].wrapping_add({value});"),
                _ => format!("{name}[i] = {value};"),
            };
            self.line(&written);
        }
        self.close_loop(mark);
    }

    /// A slice of integers.
    pub(super) fn integers_of(
        &mut self,
        ty: &'static str,
        base: &str,
        written: bool,
        length: Linear,
    ) -> String {
        let name = self.fresh(base);
        self.parameters.push(Parameter {
            name: name.clone(),
            role: Role::Integers { ty, written },
            slice: true,
            shape: Vec::new(),
            lengths: vec![length],
            fixed: true,
            single: false,
            view: Vec::new(),
        });
        name
    }

    /// A sum over a window, in `i64`, which no sum of narrow numbers leaves.
    fn word_sum(&mut self, from: &Readable) -> String {
        let (name, ty) = self.random.pick(&from.slices);
        let narrow = match ty.bits {
            64 => " as i32",
            _ => "",
        };
        let (sum, at) = (self.fresh("s"), from.at);
        let (length, weight) = (
            self.random.between(2, REACH as usize),
            self.random.between(1, 9),
        );
        let weight = match self.random.below(4) {
            0 => format!("(k as i64 + {weight})"),
            1 => format!("({length} - k) as i64"),
            2 => format!("({weight} << k)"),
            _ => weight.to_string(),
        };
        self.choose_differencing(20);
        self.line(&format!("let mut {sum} = 0i64;"));
        self.line(&format!(
            "for k in 0..{length} {{ {sum} += {name}[{at} + k]{narrow} as i64 * {weight}; }}"
        ));
        sum
    }

    /// An expression of a type.
    fn word(&mut self, from: &Readable, of: Word, depth: usize) -> String {
        if depth == 0 {
            return self.word_read(from, of);
        }
        let next = depth - 1;
        match self.random.weighted(&[3, 5, 2, 1, 2, 1, 2, 2, 2, 2, 1, 1]) {
            0 => self.word_read(from, of),
            1 => {
                let (a, b) = (self.word(from, of, next), self.word(from, of, next));
                let operation = self.random.pick(&["add", "sub", "mul"]);
                format!("{a}.wrapping_{operation}({b})")
            }
            2 => {
                let by = self.random.below(of.bits as usize);
                format!("({} >> {by})", self.word(from, of, next))
            }
            3 => {
                let by = self.random.below(of.bits as usize);
                format!("({} << {by})", self.word(from, of, next))
            }
            4 => {
                let (a, b) = (self.word(from, of, next), self.word(from, of, next));
                let operator = self.random.pick(&["&", "|", "^"]);
                format!("({a} {operator} {b})")
            }
            5 => format!("(!{})", self.word(from, of, next)),
            6 => {
                let (a, b) = (self.word(from, of, next), self.word(from, of, next));
                let method = self.random.pick(&["min", "max"]);
                format!("{a}.{method}({b})")
            }
            7 => {
                let other = self.random.pick(&WORDS);
                format!("({} as {})", self.word(from, other, next), of.name)
            }
            8 => {
                let by = self.random.pick(&[2, 3, 4, 5, 7, 8, 9, 10, 16, 100]);
                let operator = self.random.pick(&["/", "%"]);
                format!("({} {operator} {by})", self.word(from, of, next))
            }
            9 => self.wide(from, of, next),
            10 => {
                // What overflows for some inputs: the text panics then, and so does what it became.
                let (a, b) = (self.word(from, of, next), self.word(from, of, next));
                let operator = self.random.pick(&["+", "-", "*"]);
                format!("({a} {operator} {b})")
            }
            _ => {
                let by = 1 + self.random.below((1 << (of.bits - 1).min(31)) - 1);
                format!("{}.wrapping_mul({by})", self.word(from, of, next))
            }
        }
    }

    /// `(a as i32 * b as i32)`: arithmetic in a type that holds every result, where there is one.
    fn wide(&mut self, from: &Readable, of: Word, depth: usize) -> String {
        let narrow: Vec<Word> = WORDS
            .into_iter()
            .filter(|w| 2 * w.bits <= of.bits && (of.signed || !w.signed))
            .collect();
        if narrow.is_empty() {
            return self.word_read(from, of);
        }
        let other = self.random.pick(&narrow);
        let operators: &[&str] = if of.signed {
            &["+", "-", "*"]
        } else {
            &["+", "*"]
        };
        let operator = self.random.pick(operators);
        let (a, b) = (self.word(from, other, depth), self.word(from, other, depth));
        format!("({a} as {ty} {operator} {b} as {ty})", ty = of.name)
    }

    fn word_read(&mut self, from: &Readable, of: Word) -> String {
        let (name, ty) = self.random.pick(&from.slices);
        let (at, offset) = (from.at, self.random.below(from.reach + 1));
        let read = match offset.saturating_sub(4) {
            0 => format!("{name}[{at}]"),
            offset => format!("{name}[{at} + {offset}]"),
        };
        match ty == of {
            true => read,
            false => format!("({read} as {})", of.name),
        }
    }
}
