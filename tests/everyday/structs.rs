everyday! {
    n
    n_body {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Body {
            pub position: [f64; 3],
            pub velocity: [f64; 3],
            pub mass: f64,
        }
        pub fn kernel(bodies: &[Body], force: &mut [[f64; 3]]) {
            for i in 0..bodies.len() {
                let mut a = [0.0; 3];
                for j in 0..bodies.len() {
                    let mut d = [0.0; 3];
                    let mut r2 = 1e-9;
                    for c in 0..3 {
                        d[c] = bodies[j].position[c] - bodies[i].position[c];
                        r2 += d[c] * d[c];
                    }
                    let s = bodies[j].mass / (r2 * r2.sqrt());
                    for c in 0..3 {
                        a[c] += s * d[c];
                    }
                }
                force[i] = a;
            }
        }
    } with {
        let n = order(n);
        let p: Vec<[f64; 7]> = numbers(n, 1);
        let bodies: Vec<Body> = p.iter().map(|p| Body { position: [p[0], p[1], p[2]], velocity: [p[3], p[4], p[5]], mass: p[6] }).collect();
        let mut force: Vec<[f64; 3]> = numbers(n, 2);
    } (&bodies, &mut force) => (force)
    drift {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Particle {
            pub x: f64,
            pub y: f64,
            pub vx: f64,
            pub vy: f64,
        }
        pub fn kernel(dt: f64, particles: &mut [Particle]) {
            for p in particles.iter_mut() {
                p.x += dt * p.vx;
                p.y += dt * p.vy;
            }
        }
    } with {
        let p: Vec<[f64; 4]> = numbers(n, 1);
        let mut particles: Vec<Particle> = p.iter().map(|p| Particle { x: p[0], y: p[1], vx: p[2], vy: p[3] }).collect();
        let dt = 0.1;
    } (dt, &mut particles) => (particles)
    kinetic_energy {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Body {
            pub v: [f64; 3],
            pub mass: f64,
        }
        impl Body {
            fn energy(&self) -> f64 {
                0.5 * self.mass * self.v.iter().map(|v| v * v).sum::<f64>()
            }
        }
        pub fn kernel(bodies: &[Body]) -> f64 {
            bodies.iter().map(|b| b.energy()).sum()
        }
    } with {
        let p: Vec<[f64; 4]> = numbers(n, 1);
        let bodies: Vec<Body> = p.iter().map(|p| Body { v: [p[0], p[1], p[2]], mass: p[3] }).collect();
    } (&bodies) => ()
    lengths {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Point {
            pub x: f64,
            pub y: f64,
        }
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Segment {
            pub from: Point,
            pub to: Point,
        }
        pub fn kernel(segments: &[Segment], out: &mut [f64]) {
            for (out, s) in out.iter_mut().zip(segments) {
                let (dx, dy) = (s.to.x - s.from.x, s.to.y - s.from.y);
                *out = (dx * dx + dy * dy).sqrt();
            }
        }
    } with {
        let p: Vec<[f64; 4]> = numbers(n, 1);
        let segments: Vec<Segment> = p.iter().map(|p| Segment { from: Point { x: p[0], y: p[1] }, to: Point { x: p[2], y: p[3] } }).collect();
        let mut out = numbers(n, 2);
    } (&segments, &mut out) => (out)
    complex_axpy {
        use num_complex::Complex;
        pub fn kernel(a: Complex<f64>, x: &[Complex<f64>], y: &mut [Complex<f64>]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        }
    } with {
        let x: Vec<Complex<f64>> = numbers(n, 1);
        let mut y: Vec<Complex<f64>> = numbers(n, 2);
    } (Complex::new(0.3, -0.7), &x, &mut y) => (y)
    butterfly {
        use num_complex::Complex;
        pub fn kernel(w: &[Complex<f64>], a: &mut [Complex<f64>], b: &mut [Complex<f64>]) {
            for i in 0..a.len() {
                let t = w[i] * b[i];
                b[i] = a[i] - t;
                a[i] = a[i] + t;
            }
        }
    } with {
        let w: Vec<Complex<f64>> = numbers(n, 1);
        let mut a: Vec<Complex<f64>> = numbers(n, 2);
        let mut b: Vec<Complex<f64>> = numbers(n, 3);
    } (&w, &mut a, &mut b) => (a, b)
    power_spectrum {
        use num_complex::Complex;
        pub fn kernel(x: &[Complex<f32>], p: &mut [f32]) {
            for (p, x) in p.iter_mut().zip(x) {
                *p = x.norm_sqr();
            }
        }
    } with {
        let x: Vec<Complex<f32>> = numbers(n, 1);
        let mut p = numbers(n, 2);
    } (&x, &mut p) => (p)
    vectors_with_operators {
        use std::ops::{Add, Mul, Neg, Sub};

        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Vec3 {
            pub x: f64,
            pub y: f64,
            pub z: f64,
        }
        impl Vec3 {
            pub fn new(x: f64, y: f64, z: f64) -> Self {
                Self { x, y, z }
            }
            pub fn dot(self, other: Self) -> f64 {
                self.x * other.x + self.y * other.y + self.z * other.z
            }
            pub fn length(&self) -> f64 {
                self.dot(*self).sqrt()
            }
        }
        impl Add for Vec3 {
            type Output = Vec3;
            fn add(self, other: Vec3) -> Vec3 {
                Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
            }
        }
        impl Sub for Vec3 {
            type Output = Vec3;
            fn sub(self, other: Vec3) -> Vec3 {
                Vec3::new(self.x - other.x, self.y - other.y, self.z - other.z)
            }
        }
        impl Mul<f64> for Vec3 {
            type Output = Vec3;
            fn mul(self, by: f64) -> Vec3 {
                Vec3::new(self.x * by, self.y * by, self.z * by)
            }
        }
        impl Neg for Vec3 {
            type Output = Vec3;
            fn neg(self) -> Vec3 {
                Vec3 { x: -self.x, y: -self.y, z: -self.z }
            }
        }
        pub fn kernel(centre: Vec3, dt: f64, p: &mut [Vec3], v: &mut [Vec3], r: &mut [f64]) {
            for i in 0..r.len() {
                let d = p[i] - centre;
                let pull = -d * (1.0 / (1.0 + d.length()));
                v[i] = v[i] + pull * dt;
                p[i] = p[i] + v[i] * dt;
                r[i] = d.dot(d);
            }
        }
    } with {
        let v3 = |p: &[f64; 3]| Vec3 { x: p[0], y: p[1], z: p[2] };
        let mut p: Vec<Vec3> = numbers(n, 1).iter().map(v3).collect();
        let mut v: Vec<Vec3> = numbers(n, 2).iter().map(v3).collect();
        let mut r = numbers(n, 3);
        let centre = v3(&[0.1, 0.2, 0.3]);
    } (centre, 0.1, &mut p, &mut v, &mut r) => (p, v, r)
    nested_arrays {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Point(pub f64, pub f64);
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Quad {
            pub corners: [Point; 4],
            pub stiffness: [[f64; 2]; 2],
            pub load: f64,
        }
        pub fn kernel(quads: &mut [Quad], areas: &mut [f64]) -> f64 {
            let mut total = 0.0;
            for (q, area) in quads.iter_mut().zip(areas) {
                let mut twice = 0.0;
                for k in 0..4 {
                    let (a, b) = (q.corners[k], q.corners[(k + 1) % 4]);
                    twice += a.0 * b.1 - a.1 * b.0;
                }
                *area = 0.5 * twice.abs();
                for i in 0..2 {
                    for j in 0..2 {
                        q.stiffness[i][j] *= *area;
                    }
                }
                q.corners[1] = Point(q.load, *area);
                let Quad { load, .. } = *q;
                total += load * *area;
            }
            total
        }
    } with {
        let point = |at: usize| Point((at * 7 % 5) as f64 + 0.1, (at * at % 11) as f64);
        let mut quads: Vec<Quad> = (0..n).map(|i| Quad { corners: [point(i), point(i + 1), point(i + 2), point(i + 3)], stiffness: [[1.0, 2.0], [3.0, i as f64]], load: 0.5 }).collect();
        let mut areas = numbers(n, 1);
    } (&mut quads, &mut areas) => (quads, areas)
    pixels {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Pixel {
            pub r: u8,
            pub g: u8,
            pub b: u8,
        }
        pub fn kernel(pixels: &[Pixel], grey: &mut [f32]) {
            for (grey, p) in grey.iter_mut().zip(pixels) {
                *grey = 0.299 * f32::from(p.r) + 0.587 * f32::from(p.g) + 0.114 * f32::from(p.b);
            }
        }
    } with {
        let pixels: Vec<Pixel> = (0..n).map(|i| Pixel { r: (i * 37 % 256) as u8, g: (i * 91 % 256) as u8, b: (i % 256) as u8 }).collect();
        let mut grey = numbers(n, 1);
    } (&pixels, &mut grey) => (grey)
    moved {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Particle {
            pub position: [f64; 2],
            pub velocity: [f64; 2],
        }
        impl Particle {
            fn kick(&mut self, dt: f64, by: &[f64; 2]) {
                for c in 0..2 {
                    self.velocity[c] += dt * by[c];
                }
            }
            fn drift(&mut self, dt: f64) {
                for (x, v) in self.position.iter_mut().zip(self.velocity) {
                    *x += dt * v;
                }
            }
        }
        pub fn kernel(dt: f64, forces: &[[f64; 2]], particles: &mut [Particle]) {
            for (p, f) in particles.iter_mut().zip(forces) {
                p.kick(dt, f);
                p.drift(dt);
            }
        }
    } with {
        let forces: Vec<[f64; 2]> = numbers(n, 1);
        let p: Vec<[f64; 4]> = numbers(n, 2);
        let mut particles: Vec<Particle> = p.iter().map(|p| Particle { position: [p[0], p[1]], velocity: [p[2], p[3]] }).collect();
    } (0.1, &forces, &mut particles) => (particles)
    complex_dot {
        use num_complex::Complex64;
        pub fn kernel(x: &[Complex64], y: &[Complex64], out: &mut Complex64) {
            let mut sum = Complex64::new(0.0, 0.0);
            for (x, y) in x.iter().zip(y) {
                sum += x.conj() * y;
            }
            *out = sum;
        }
    } with {
        let x: Vec<Complex<f64>> = numbers(n, 1);
        let y: Vec<Complex<f64>> = numbers(n, 2);
        let mut out = Complex::new(0.0, 0.0);
    } (&x, &y, &mut out) => (out)
    complex_functions {
        use num_complex::Complex;
        pub fn kernel(shift: f32, x: &[Complex<f32>], y: &mut [Complex<f32>]) {
            for i in 0..y.len() {
                let w = Complex::from_polar(1.0, shift * i as f32);
                let z = 2.0 * x[i] / (w + 1.5) - w.inv() * Complex::<f32>::I;
                y[i] = z.scale(0.5) + Complex { re: z.norm(), im: z.arg() };
                y[i] *= w;
                y[i] -= 0.25;
            }
        }
    } with {
        let x: Vec<Complex<f32>> = numbers(n, 1);
        let mut y: Vec<Complex<f32>> = numbers(n, 2);
    } (0.1, &x, &mut y) => (y)
}
