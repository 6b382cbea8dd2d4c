//! Affine functions as text, without zeros and factors of one: less for `rustc` to read.

/// A sum of a constant and of multiples of integers.
#[derive(Clone, Debug)]
pub struct Value {
    constant: i128,
    /// Factors and texts.
    terms: Vec<(i128, String)>,
    /// No text's value times its factor is negative.
    natural: bool,
}

impl Value {
    /// A constant.
    pub fn constant(constant: i128) -> Value {
        Value {
            constant,
            terms: Vec::new(),
            natural: true,
        }
    }

    /// Adds a multiple of an integer; `natural` if that is not negative.
    pub fn add(&mut self, factor: i64, text: String, natural: bool) {
        self.natural &= natural && factor >= 0;
        self.terms.push((factor.into(), text));
    }

    /// Adds a multiple of a loop's last index. What the extent holds is multiplied by the factor
    /// where the code runs, so that nothing overflows here.
    pub fn add_last(&mut self, factor: i64, extent: &Value) {
        let factor = i128::from(factor);
        self.constant += factor * (extent.constant - 1);
        self.natural &= extent.natural && factor >= 0;
        let terms = extent.terms.iter();
        let multiplied = terms.map(|(c, text)| (factor * c, text.clone()));
        self.terms.extend(multiplied);
    }

    /// Whether it is known that the value is not negative.
    pub fn is_natural(&self) -> bool {
        self.natural && self.constant >= 0
    }

    /// The text, of an integer type.
    pub fn print(&self, ty: &str) -> String {
        let mut parts = Vec::new();
        if self.constant != 0 || self.terms.is_empty() {
            parts.push(format!("{}{ty}", self.constant));
        }
        let terms = self.terms.iter();
        parts.extend(terms.map(|(factor, text)| match factor {
            1 => format!("{text} as {ty}"),
            factor => format!("{factor}{ty} * {text} as {ty}"),
        }));
        format!("({})", parts.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_ones_are_not_written() {
        let mut value = Value::constant(0);
        assert_eq!(value.print("i128"), "(0i128)");
        value.add(1, "n".to_owned(), true);
        assert_eq!(value.print("i128"), "(n as i128)");
        let mut last = Value::constant(2);
        last.add_last(3, &value);
        assert_eq!(last.print("i128"), "(-1i128 + 3i128 * n as i128)");
        assert!(value.is_natural() && !last.is_natural());
        let mut difference = Value::constant(5);
        difference.add(-1, "m".to_owned(), true);
        assert!(!difference.is_natural());
    }
}
