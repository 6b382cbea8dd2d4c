//! Totals that are read in the loops that sum them up, and totals of another type.

use super::{Generator, Real};

impl Generator {
    /// `for k in … { t += s; s += value; }`: each iteration reads another total, before it is added to
    /// or afterwards.
    pub fn running_total(&mut self) {
        let first = match self.random.chance(60) {
            true => self.constant(0.0),
            false => self.value(),
        };
        let (total, sum, ty) = (self.fresh("s"), self.fresh("t"), self.type_name());
        let zero = self.constant(0.0);
        self.line(&format!("let mut {total}: {ty} = {};", first.text));
        self.line(&format!("let mut {sum}: {ty} = {};", zero.text));
        let around = self.scope.trips();
        let mark = match self.random.chance(60) {
            true => self.constant_loop(7),
            false => self.open_loop(),
        };
        let value = self.value();
        let trips = self.scope.trips() / around;
        let bound = first.bound + trips * value.bound;
        let error = first.error + trips * (value.error + value.bound) + 2.0 * bound;
        let operator = self.random.pick(&["+=", "-="]);
        let added = format!("{total} {operator} {};", value.text);
        let early = self.random.chance(60);
        if !early {
            self.line(&added);
        }
        self.declare(total.clone(), bound, error);
        let written = self.random.chance(30);
        if written {
            self.output();
        }
        let reads = !written || self.random.chance(30);
        if reads {
            self.line(&format!("{sum} += {total};"));
        }
        if early {
            self.line(&added);
        }
        self.close_loop(mark);
        self.declare(total, bound, error);
        if reads {
            self.declare(sum, trips * bound, trips * (error + trips * bound));
        }
    }

    /// A sum in `f32` of values of `f64`, converted each way.
    pub fn single_total(&mut self) {
        // Roundings of `f64` in one of `f32`.
        const SINGLE: f64 = (1_u64 << 29) as f64;
        if !self.mixed || self.real != Real::F64 {
            return self.running_total();
        }
        let total = self.fresh("s");
        let first = self.random.pick(&["0.0", "0.5", "1.0"]);
        self.line(&format!("let mut {total}: f32 = {first};"));
        let around = self.scope.trips();
        let mark = self.constant_loop(7);
        let value = self.value();
        let value = self.typed(value);
        let trips = self.scope.trips() / around;
        let (added, bound) = match self.random.below(3) {
            0 => (
                format!("(({}) as f32 + 0.7) * 3.0", value.text),
                3.0 * value.bound + 2.1,
            ),
            _ => (format!("({}) as f32", value.text), value.bound),
        };
        self.line(&format!("{total} += {added};"));
        self.close_loop(mark);
        let bound = 1.0 + trips * bound;
        let error = trips * (3.0 * value.error + 4.0 * SINGLE * bound);
        let name = self.fresh("a");
        self.line(&format!("let {name} = {total} as f64;"));
        self.declare(name, bound, error);
    }
}
