everyday! {
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
    }
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
    }
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
    }
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
    }
    complex_axpy {
        use num_complex::Complex;
        pub fn kernel(a: Complex<f64>, x: &[Complex<f64>], y: &mut [Complex<f64>]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        }
    }
    butterfly {
        use num_complex::Complex;
        pub fn kernel(w: &[Complex<f64>], a: &mut [Complex<f64>], b: &mut [Complex<f64>]) {
            for i in 0..a.len() {
                let t = w[i] * b[i];
                b[i] = a[i] - t;
                a[i] = a[i] + t;
            }
        }
    }
    power_spectrum {
        use num_complex::Complex;
        pub fn kernel(x: &[Complex<f32>], p: &mut [f32]) {
            for (p, x) in p.iter_mut().zip(x) {
                *p = x.norm_sqr();
            }
        }
    }
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
    }
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
    }
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
    }
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
    }
    complex_dot {
        use num_complex::Complex64;
        pub fn kernel(x: &[Complex64], y: &[Complex64], out: &mut Complex64) {
            let mut sum = Complex64::new(0.0, 0.0);
            for (x, y) in x.iter().zip(y) {
                sum += x.conj() * y;
            }
            *out = sum;
        }
    }
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
    }
}
