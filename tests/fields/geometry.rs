everyday! {
    n
    polygon_area {
        pub fn kernel(p: &[[f64; 2]]) -> f64 {
            let n = p.len();
            let mut twice = 0.0;
            for i in 0..n {
                let j = if i + 1 == n { 0 } else { i + 1 };
                twice += p[i][0] * p[j][1] - p[j][0] * p[i][1];
            }
            0.5 * twice.abs()
        }
    } with {
        let p: Vec<[f64; 2]> = numbers(n, 1);
    } (&p) => ()
    bounding_box {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Aabb {
            pub min: [f32; 3],
            pub max: [f32; 3],
        }
        pub fn kernel(points: &[[f32; 3]]) -> Aabb {
            let mut bounds = Aabb { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };
            for p in points {
                for c in 0..3 {
                    bounds.min[c] = bounds.min[c].min(p[c]);
                    bounds.max[c] = bounds.max[c].max(p[c]);
                }
            }
            bounds
        }
    } with {
        let points: Vec<[f32; 3]> = numbers(n, 1);
    } (&points) => ()
    centroid {
        pub fn kernel(points: &[[f64; 3]]) -> [f64; 3] {
            let mut sum = [0.0; 3];
            for p in points {
                for (s, v) in sum.iter_mut().zip(p) {
                    *s += v;
                }
            }
            sum.map(|s| s / points.len() as f64)
        }
    } with {
        let points: Vec<[f64; 3]> = numbers(n, 1);
    } (&points) => ()
    rotate_points {
        pub fn kernel(angle: f64, points: &mut [(f64, f64)]) {
            let (s, c) = angle.sin_cos();
            for (x, y) in points.iter_mut() {
                (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
            }
        }
    } with {
        let mut points: Vec<(f64, f64)> = numbers::<[f64; 2]>(n, 1).iter().map(|p| (p[0], p[1])).collect();
    } (0.3, &mut points) => (points)
    quaternion_rotate {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Quaternion {
            pub w: f64,
            pub v: [f64; 3],
        }
        fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        }
        impl Quaternion {
            pub fn rotate(&self, p: [f64; 3]) -> [f64; 3] {
                let t = cross(self.v, p).map(|c| 2.0 * c);
                let u = cross(self.v, t);
                std::array::from_fn(|i| p[i] + self.w * t[i] + u[i])
            }
        }
        pub fn kernel(q: &Quaternion, points: &mut [[f64; 3]]) {
            for p in points.iter_mut() {
                *p = q.rotate(*p);
            }
        }
    } with {
        let q = Quaternion { w: 0.8, v: [0.36, -0.48, 0.0] };
        let mut points: Vec<[f64; 3]> = numbers(n, 1);
    } (&q, &mut points) => (points)
    point_in_polygon {
        pub fn kernel(x: f64, y: f64, polygon: &[[f64; 2]]) -> bool {
            let mut inside = false;
            let mut j = polygon.len().wrapping_sub(1);
            for i in 0..polygon.len() {
                let (a, b) = (polygon[i], polygon[j]);
                if (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0] {
                    inside = !inside;
                }
                j = i;
            }
            inside
        }
    } with {
        let polygon: Vec<[f64; 2]> = numbers(n, 1);
    } (0.1, 0.2, &polygon) => ()
    haversine {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Place {
            pub latitude: f64,
            pub longitude: f64,
        }
        const EARTH: f64 = 6_371.0;
        pub fn kernel(from: Place, places: &[Place], km: &mut [f64]) {
            for (km, p) in km.iter_mut().zip(places) {
                let d_lat = (p.latitude - from.latitude).to_radians();
                let d_lon = (p.longitude - from.longitude).to_radians();
                let a = (d_lat / 2.0).sin().powi(2)
                    + from.latitude.to_radians().cos() * p.latitude.to_radians().cos() * (d_lon / 2.0).sin().powi(2);
                *km = 2.0 * EARTH * a.sqrt().asin();
            }
        }
    } with {
        let c: Vec<[f64; 2]> = numbers(n, 1);
        let places: Vec<Place> = c.iter().map(|c| Place { latitude: 80.0 * c[0], longitude: 170.0 * c[1] }).collect();
        let mut km: Vec<f64> = numbers(n, 2);
    } (Place { latitude: 48.0, longitude: 11.0 }, &places, &mut km) => (km)
    lennard_jones {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Atom {
            pub position: [f64; 3],
            pub kind: u32,
        }
        pub fn kernel(epsilon: &[f64; 2], atoms: &[Atom]) -> f64 {
            let mut energy = 0.0;
            for (i, a) in atoms.iter().enumerate() {
                for b in &atoms[i + 1..] {
                    let r2: f64 = a.position.iter().zip(&b.position).map(|(p, q)| (p - q).powi(2)).sum();
                    let s6 = (1.0 / (r2 + 0.1)).powi(3);
                    energy += 4.0 * epsilon[a.kind as usize] * (s6 * s6 - s6);
                }
            }
            energy
        }
    } with {
        let p: Vec<[f64; 3]> = numbers(order(n), 1);
        let atoms: Vec<Atom> = p.iter().enumerate().map(|(i, &position)| Atom { position, kind: (i % 2) as u32 }).collect();
    } (&[1.0, 0.5], &atoms) => ()
    particles_in_box {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Particle {
            pub position: [f64; 2],
            pub velocity: [f64; 2],
            pub bounces: u32,
        }
        pub fn kernel(dt: f64, particles: &mut [Particle]) {
            for p in particles.iter_mut() {
                for c in 0..2 {
                    p.position[c] += dt * p.velocity[c];
                    if p.position[c] < -1.0 || p.position[c] > 1.0 {
                        p.velocity[c] = -p.velocity[c];
                        p.bounces += 1;
                    }
                }
            }
        }
    } with {
        let c: Vec<[f64; 4]> = numbers(n, 1);
        let mut particles: Vec<Particle> = c.iter().map(|c| Particle { position: [c[0], c[1]], velocity: [c[2], c[3]], bounces: 0 }).collect();
    } (0.5, &mut particles) => (particles)
    spring_forces {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Spring {
            pub a: usize,
            pub b: usize,
            pub stiffness: f64,
            pub length: f64,
        }
        pub fn kernel(springs: &[Spring], x: &[[f64; 2]], force: &mut [[f64; 2]]) {
            for s in springs {
                let d = [x[s.b][0] - x[s.a][0], x[s.b][1] - x[s.a][1]];
                let r = (d[0] * d[0] + d[1] * d[1]).sqrt() + 1e-12;
                let f = s.stiffness * (r - s.length) / r;
                for c in 0..2 {
                    force[s.a][c] += f * d[c];
                    force[s.b][c] -= f * d[c];
                }
            }
        }
    } with {
        let x: Vec<[f64; 2]> = numbers(n + 1, 1);
        let springs: Vec<Spring> = (0..n).map(|i| Spring { a: i, b: i + 1, stiffness: 2.0, length: 0.5 }).collect();
        let mut force: Vec<[f64; 2]> = numbers(n + 1, 2);
    } (&springs, &x, &mut force) => (force)
    triangle_normals {
        pub fn kernel(vertices: &[[f32; 3]], triangles: &[[u32; 3]], normals: &mut [[f32; 3]]) {
            for (n, t) in normals.iter_mut().zip(triangles) {
                let [a, b, c] = t.map(|i| vertices[i as usize]);
                let u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
                let v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
                *n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            }
        }
    } with {
        let vertices: Vec<[f32; 3]> = numbers(n + 3, 1);
        let triangles: Vec<[u32; 3]> = (0..n as u32).map(|i| [i, i + 1, i + 2]).collect();
        let mut normals: Vec<[f32; 3]> = numbers(n, 2);
    } (&vertices, &triangles, &mut normals) => (normals)
    transform_points {
        pub fn kernel(m: &[[f32; 4]; 4], points: &[[f32; 3]], out: &mut [[f32; 3]]) {
            for (o, p) in out.iter_mut().zip(points) {
                let h = [p[0], p[1], p[2], 1.0];
                let mut r = [0.0; 4];
                for (r, row) in r.iter_mut().zip(m) {
                    *r = row.iter().zip(&h).map(|(a, b)| a * b).sum();
                }
                *o = [r[0] / r[3], r[1] / r[3], r[2] / r[3]];
            }
        }
    } with {
        let m = [[1.0, 0.1, 0.2, 0.3], [0.1, 1.0, 0.0, 0.1], [0.0, 0.2, 1.0, 0.4], [0.01, 0.0, 0.02, 2.0]];
        let points: Vec<[f32; 3]> = numbers(n, 1);
        let mut out: Vec<[f32; 3]> = numbers(n, 2);
    } (&m, &points, &mut out) => (out)
}
