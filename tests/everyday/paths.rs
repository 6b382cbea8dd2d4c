//! Methods and functions by their paths, where a closure may stand.

everyday! {
    n
    method_of_a_reference {
        #[derive(Clone, Copy)]
        pub struct Atom {
            pub velocity: [f64; 3],
            pub mass: f64,
        }
        impl Atom {
            fn kinetic(&self) -> f64 {
                let [x, y, z] = self.velocity;
                0.5 * self.mass * (x * x + y * y + z * z)
            }
        }
        pub fn kernel(atoms: &[Atom]) -> f64 {
            atoms.iter().map(Atom::kinetic).sum()
        }
    } with {
        let p: Vec<[f64; 4]> = numbers(n, 1);
        let atoms: Vec<Atom> = p.iter().map(|p| Atom { velocity: [p[0], p[1], p[2]], mass: p[3] }).collect();
    } (&atoms) => ()
    method_by_value {
        #[derive(Clone, Copy)]
        pub struct Meters(pub f64);
        impl Meters {
            fn feet(self) -> f64 {
                self.0 * 3.28084
            }
        }
        pub fn kernel(lengths: &[f64], feet: &mut [f64]) {
            for (f, v) in feet.iter_mut().zip(lengths.iter().copied().map(Meters).map(Meters::feet)) {
                *f = v;
            }
        }
    } with {
        let lengths: Vec<f64> = numbers(n, 1);
        let mut feet = vec![0.0; n];
    } (&lengths, &mut feet) => (feet)
    method_that_changes {
        #[derive(Clone, Copy)]
        pub struct Spring {
            pub x: f64,
            pub v: f64,
        }
        impl Spring {
            fn step(&mut self) {
                self.v -= 0.1 * self.x;
                self.x += 0.1 * self.v;
            }
        }
        pub fn kernel(springs: &mut [Spring], x: &mut [f64]) {
            springs.iter_mut().for_each(Spring::step);
            for (x, s) in x.iter_mut().zip(springs.iter()) {
                *x = s.x;
            }
        }
    } with {
        let p: Vec<[f64; 2]> = numbers(n, 1);
        let mut springs: Vec<Spring> = p.iter().map(|p| Spring { x: p[0], v: p[1] }).collect();
        let mut x = vec![0.0; n];
    } (&mut springs, &mut x) => (x)
    functions_of_self {
        #[derive(Clone, Copy)]
        pub struct Pair {
            pub x: f64,
            pub y: f64,
        }
        impl Pair {
            fn square(v: &f64) -> f64 {
                v * v
            }
            fn twice(v: f64) -> f64 {
                v + v
            }
            fn weight(&self) -> f64 {
                [self.x, self.y].iter().map(Self::square).map(Self::twice).sum()
            }
            fn is_heavy(&self) -> bool {
                Self::weight(self) > 1.0
            }
        }
        fn right(p: &&Pair) -> bool {
            p.x > 0.0
        }
        pub fn kernel(pairs: &[Pair]) -> (f64, usize, usize) {
            let heavy = pairs.iter().filter(|p| Pair::is_heavy(p)).count();
            (pairs.iter().map(Pair::weight).sum(), heavy, pairs.iter().filter(right).count())
        }
    } with {
        let p: Vec<[f64; 2]> = numbers(n, 1);
        let pairs: Vec<Pair> = p.iter().map(|p| Pair { x: p[0], y: p[1] }).collect();
    } (&pairs) => ()
    method_that_ends_early {
        #[derive(Clone, Copy)]
        pub struct Disc {
            pub x: f64,
            pub y: f64,
        }
        impl Disc {
            fn is_near(&self) -> bool {
                self.x * self.x + self.y * self.y < 1.9
            }
        }
        pub fn kernel(discs: &[Disc]) -> bool {
            discs.iter().all(Disc::is_near) || !discs.iter().any(Disc::is_near)
        }
    } with {
        let p: Vec<[f64; 2]> = numbers(n, 1);
        let discs: Vec<Disc> = p.iter().map(|p| Disc { x: p[0], y: p[1] }).collect();
    } (&discs) => ()
}
