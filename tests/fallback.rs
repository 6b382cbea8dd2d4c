//! Whatever may be Rust runs as it is written, beside kernels that are optimised.

// Such loops are what is tested.
#![allow(clippy::while_let_on_iterator)]
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, Report, kernel};

kernel! {
    pub fn collatz(n: u64, steps: &mut [u64]) {
        let mut at = n;
        while at != 1 {
            at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
            steps[0] += 1;
        }
    }

    pub fn sum_of_squares<'a>(mut x: impl Iterator<Item = &'a f64>) -> f64 {
        let mut sum = 0.0;
        while let Some(x) = x.next() {
            sum += square(*x) * SCALE;
        }
        sum
    }

    /// Beside them, what has a program is optimised.
    pub fn scaled(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = SCALE * square(x[i]);
        }
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    const SCALE: f64 = 0.5;
}

kernel! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Particle {
        pub place: [f64; 2],
        pub speed: [f64; 2],
    }

    impl Particle {
        fn moved(self, time: f64) -> Particle {
            let mut result = self;
            for (place, speed) in result.place.iter_mut().zip(&self.speed) {
                *place += time * speed;
            }
            result
        }
    }

    pub fn step<const N: usize>(particles: &mut [Particle; N], time: f64) {
        particles.iter_mut().for_each(|p| *p = p.moved(time));
    }

    pub fn longest<'a>(words: &[&'a str], _other: &str) -> Option<&'a str> {
        let mut result: Option<&'a str> = None;
        for word in words {
            match result {
                Some(best) if best.len() >= word.len() => {}
                _ => result = Some(word),
            }
        }
        result
    }

    /// A sum of anything that can be added.
    #[opt(fallback)]
    pub fn total<T>(x: &[T]) -> T
    where
        T: Copy + Default + std::ops::Add<Output = T>,
    {
        x.iter().fold(T::default(), |sum, x| sum + *x)
    }

    #[opt(fallback)]
    pub fn weights() -> Vec<f64> {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        W.iter().copied().collect()
    }
}

fn assert_noted(report: &Report, reason: &str) {
    let noted = |note: &&str| note.contains("runs as written");
    let note = report.notes.iter().copied().find(|note| noted(note));
    assert!(note.is_some_and(|note| note.contains(reason)), "{report}");
}

#[test]
fn loops_and_iterators_of_any_kind() {
    let mut steps = [0];
    collatz(6, &mut steps);
    assert_eq!(steps, [8]);
    assert_eq!(collatz::variants(), [Isa::Avx512, Isa::Avx2, Isa::Scalar]);
    assert_eq!(collatz::with(Isa::Scalar, 6, &mut steps), Ok(()));
    assert_eq!(steps, [16]);
    let expected = steps[0] + if Isa::Avx2.is_available() { 8 } else { 0 };
    assert_eq!(
        collatz::with(Isa::Avx2, 6, &mut steps).is_ok(),
        Isa::Avx2.is_available()
    );
    assert_eq!(steps, [expected]);
    assert_noted(&collatz::REPORT, "a loop whose length is not known");
    assert_eq!(sum_of_squares([1.0, 2.0].iter()), 2.5);
    assert_eq!(sum_of_squares::reference([1.0, 2.0].iter()), 2.5);
    let noted = |note: &&&str| note.contains("no `with`");
    assert_eq!(sum_of_squares::REPORT.notes.iter().filter(noted).count(), 1);
}

#[test]
fn others_of_the_block_are_optimised() {
    let mut y = [0.0; 3];
    scaled(&[1.0, 2.0, 3.0], &mut y);
    assert_eq!(y, [0.5, 2.0, 4.5]);
    assert!(scaled::REPORT.expansion.operations() > 0);
}

#[test]
fn types_and_generics_of_any_kind() {
    let at = |x| Particle {
        place: [x, 0.0],
        speed: [1.0, 2.0],
    };
    let mut particles = [at(0.0), at(1.0)];
    step(&mut particles, 0.5);
    assert_eq!(particles[1].place, [1.5, 1.0]);
    assert_eq!(longest(&["a", "bcd", "ef"], ""), Some("bcd"));
    assert_eq!(total(&[1, 2, 3]), 6);
    assert_eq!(total::with(Isa::Scalar, &[0.5, 1.0]), Ok(1.5));
    let all: f64 = weights().iter().sum();
    assert!((all - 0.5).abs() < 1e-15);
}
