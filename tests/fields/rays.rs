everyday! {
    n
    ray_triangle {
        fn sub(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
            [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
        }
        fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        }
        fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }
        pub fn kernel(origin: &[f64; 3], direction: &[f64; 3], triangles: &[[[f64; 3]; 3]], distance: &mut [f64]) {
            for (t, tri) in distance.iter_mut().zip(triangles) {
                let e1 = sub(&tri[1], &tri[0]);
                let e2 = sub(&tri[2], &tri[0]);
                let p = cross(direction, &e2);
                let inv = 1.0 / dot(&e1, &p);
                let s = sub(origin, &tri[0]);
                let u = inv * dot(&s, &p);
                let q = cross(&s, &e1);
                let v = inv * dot(direction, &q);
                *t = if (0.0..=1.0).contains(&u) && v >= 0.0 && u + v <= 1.0 {
                    inv * dot(&e2, &q)
                } else {
                    f64::INFINITY
                };
            }
        }
    } with {
        let triangles: Vec<[[f64; 3]; 3]> = numbers(n, 1);
        let mut distance: Vec<f64> = numbers(n, 2);
    } (&[0.0, 0.0, -3.0], &[0.1, 0.05, 1.0], &triangles, &mut distance) => (distance)
    ray_sphere {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Sphere {
            pub centre: [f32; 3],
            pub radius: f32,
        }
        pub fn kernel(origin: [f32; 3], direction: [f32; 3], spheres: &[Sphere]) -> f32 {
            let mut nearest = f32::INFINITY;
            for s in spheres {
                let mut b = 0.0;
                let mut c = -s.radius * s.radius;
                for k in 0..3 {
                    let o = origin[k] - s.centre[k];
                    b += o * direction[k];
                    c += o * o;
                }
                let disc = b * b - c;
                if disc >= 0.0 {
                    let t = -b - disc.sqrt();
                    if t > 0.0 && t < nearest {
                        nearest = t;
                    }
                }
            }
            nearest
        }
    } with {
        let c: Vec<[f32; 4]> = numbers(n, 1);
        let spheres: Vec<Sphere> = c.iter().map(|c| Sphere { centre: [4.0 * c[0], 4.0 * c[1], 5.0 + c[2]], radius: 0.3 + 0.2 * c[3] }).collect();
    } ([0.0, 0.0, -3.0], [0.0, 0.0, 1.0], &spheres) => ()
    slab_test {
        pub fn kernel(origin: &[f32; 3], inverse: &[f32; 3], boxes: &[[[f32; 3]; 2]], hit: &mut [bool]) {
            for (hit, [low, high]) in hit.iter_mut().zip(boxes) {
                let mut near = 0.0_f32;
                let mut far = f32::INFINITY;
                for k in 0..3 {
                    let a = (low[k] - origin[k]) * inverse[k];
                    let b = (high[k] - origin[k]) * inverse[k];
                    near = near.max(a.min(b));
                    far = far.min(a.max(b));
                }
                *hit = near <= far;
            }
        }
    } with {
        let boxes: Vec<[[f32; 3]; 2]> = numbers(n, 1);
        let mut hit: Vec<bool> = vec![false; n];
    } (&[0.0, 0.0, -3.0], &[10.0, 20.0, 1.0], &boxes, &mut hit) => (hit)
    quaternion_multiply {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Quat {
            pub w: f64,
            pub x: f64,
            pub y: f64,
            pub z: f64,
        }
        impl std::ops::Mul for Quat {
            type Output = Quat;
            fn mul(self, o: Quat) -> Quat {
                Quat {
                    w: self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
                    x: self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
                    y: self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
                    z: self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
                }
            }
        }
        pub fn kernel(a: &[Quat], b: &[Quat], out: &mut [Quat]) {
            for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *out = a * b;
            }
        }
    } with {
        let make = |seed| numbers::<[f64; 4]>(n, seed).iter().map(|q| Quat { w: q[0], x: q[1], y: q[2], z: q[3] }).collect::<Vec<_>>();
        let a = make(1);
        let b = make(2);
        let mut out = vec![Quat::default(); n];
    } (&a, &b, &mut out) => (out)
    normalise_quaternions {
        pub fn kernel(q: &mut [[f32; 4]]) {
            for q in q.iter_mut() {
                let norm = q.iter().map(|c| c * c).sum::<f32>().sqrt();
                if norm > 1e-12 {
                    q.iter_mut().for_each(|c| *c /= norm);
                } else {
                    *q = [1.0, 0.0, 0.0, 0.0];
                }
            }
        }
    } with {
        let mut q: Vec<[f32; 4]> = numbers(n, 1);
    } (&mut q) => (q)
    project_points {
        pub fn kernel(m: &[[f32; 4]; 4], points: &[[f32; 3]], screen: &mut [[f32; 2]]) {
            for (s, p) in screen.iter_mut().zip(points) {
                let row = |r: usize| m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3];
                let w = row(3);
                *s = [row(0) / w, row(1) / w];
            }
        }
    } with {
        let m: [[f32; 4]; 4] = [[1.0, 0.1, 0.0, 0.2], [0.0, 1.1, 0.3, 0.0], [0.1, 0.0, 1.0, 0.0], [0.0, 0.1, 0.2, 3.0]];
        let points: Vec<[f32; 3]> = numbers(n, 1);
        let mut screen: Vec<[f32; 2]> = numbers(n, 2);
    } (&m, &points, &mut screen) => (screen)
    barycentric {
        pub fn kernel(a: [f64; 2], b: [f64; 2], c: [f64; 2], points: &[[f64; 2]], weights: &mut [[f64; 3]]) {
            let det = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1]);
            for (w, &[x, y]) in weights.iter_mut().zip(points) {
                let u = ((b[1] - c[1]) * (x - c[0]) + (c[0] - b[0]) * (y - c[1])) / det;
                let v = ((c[1] - a[1]) * (x - c[0]) + (a[0] - c[0]) * (y - c[1])) / det;
                *w = [u, v, 1.0 - u - v];
            }
        }
    } with {
        let points: Vec<[f64; 2]> = numbers(n, 1);
        let mut weights: Vec<[f64; 3]> = numbers(n, 2);
    } ([0.0, 0.0], [1.0, 0.1], [0.2, 1.3], &points, &mut weights) => (weights)
    bounds_of_indexed {
        pub fn kernel(vertices: &[[f32; 3]], indices: &[u32]) -> ([f32; 3], [f32; 3]) {
            let mut low = [f32::INFINITY; 3];
            let mut high = [f32::NEG_INFINITY; 3];
            for &i in indices {
                let v = vertices[i as usize];
                for k in 0..3 {
                    low[k] = low[k].min(v[k]);
                    high[k] = high[k].max(v[k]);
                }
            }
            (low, high)
        }
    } with {
        let vertices: Vec<[f32; 3]> = numbers(n, 1);
        let indices: Vec<u32> = (0..3 * n).map(|k| (k * 41 % n.max(1)) as u32).collect();
    } (&vertices, &indices) => ()
    signed_volume {
        pub fn kernel(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
            triangles
                .iter()
                .map(|t| {
                    let [a, b, c] = [vertices[t[0] as usize], vertices[t[1] as usize], vertices[t[2] as usize]];
                    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
                })
                .sum::<f64>()
                / 6.0
        }
    } with {
        let vertices: Vec<[f64; 3]> = numbers(n, 1);
        let triangles: Vec<[u32; 3]> = (0..2 * n).map(|k| [(k / 2) as u32, (k * 7 % n.max(1)) as u32, (k * 11 % n.max(1)) as u32]).collect();
    } (&vertices, &triangles) => ()
    bezier {
        pub fn kernel(p: &[[f32; 2]; 4], curve: &mut [[f32; 2]]) {
            let last = curve.len().saturating_sub(1).max(1) as f32;
            for (i, q) in curve.iter_mut().enumerate() {
                let t = i as f32 / last;
                let s = 1.0 - t;
                for c in 0..2 {
                    q[c] = s * s * s * p[0][c] + 3.0 * s * s * t * p[1][c] + 3.0 * s * t * t * p[2][c] + t * t * t * p[3][c];
                }
            }
        }
    } with {
        let mut curve: Vec<[f32; 2]> = numbers(n, 1);
    } (&[[0.0, 0.0], [0.3, 1.0], [0.7, -1.0], [1.0, 0.5]], &mut curve) => (curve)
    hsv_to_rgb {
        pub fn kernel(hsv: &[[f32; 3]], rgb: &mut [[f32; 3]]) {
            for (&[h, s, v], out) in hsv.iter().zip(rgb.iter_mut()) {
                let f = |n: f32| {
                    let k = (n + h / 60.0) % 6.0;
                    v - v * s * k.min(4.0 - k).clamp(0.0, 1.0)
                };
                *out = [f(5.0), f(3.0), f(1.0)];
            }
        }
    } with {
        let hsv: Vec<[f32; 3]> = numbers::<[f32; 3]>(n, 1).iter().map(|c| [180.0 + 180.0 * c[0], 0.5 + 0.5 * c[1], 0.5 + 0.5 * c[2]]).collect();
        let mut rgb: Vec<[f32; 3]> = numbers(n, 2);
    } (&hsv, &mut rgb) => (rgb)
    rgb_to_hsv {
        pub fn kernel(rgb: &[[f32; 3]], hsv: &mut [[f32; 3]]) {
            for (out, &[r, g, b]) in hsv.iter_mut().zip(rgb) {
                let max = r.max(g).max(b);
                let min = r.min(g).min(b);
                let delta = max - min;
                let hue = if delta == 0.0 {
                    0.0
                } else if max == r {
                    (g - b) / delta
                } else if max == g {
                    (b - r) / delta + 2.0
                } else {
                    (r - g) / delta + 4.0
                };
                out[0] = 60.0 * if hue < 0.0 { hue + 6.0 } else { hue };
                out[1] = if max == 0.0 { 0.0 } else { delta / max };
                out[2] = max;
            }
        }
    } with {
        let rgb: Vec<[f32; 3]> = numbers::<[f32; 3]>(n, 1).iter().map(|c| c.map(|c| 0.5 + 0.5 * c)).collect();
        let mut hsv: Vec<[f32; 3]> = numbers(n, 2);
    } (&rgb, &mut hsv) => (hsv)
    ycbcr_planes {
        pub fn kernel(rgb: &[u8], y: &mut [u8], cb: &mut [u8], cr: &mut [u8]) {
            for (i, p) in rgb.chunks_exact(3).enumerate() {
                let (r, g, b) = (p[0] as f32, p[1] as f32, p[2] as f32);
                y[i] = (0.299 * r + 0.587 * g + 0.114 * b) as u8;
                cb[i] = (128.0 - 0.168736 * r - 0.331264 * g + 0.5 * b) as u8;
                cr[i] = (128.0 + 0.5 * r - 0.418688 * g - 0.081312 * b) as u8;
            }
        }
    } with {
        let rgb: Vec<u8> = numbers(3 * n, 1);
        let (mut y, mut cb, mut cr) = (vec![0_u8; n], vec![0_u8; n], vec![0_u8; n]);
    } (&rgb, &mut y, &mut cb, &mut cr) => (y, cb, cr)
    box_downscale {
        pub fn kernel(width: usize, grey: &[u8], half: &mut [u8]) {
            for (y, row) in half.chunks_exact_mut(width / 2).enumerate() {
                for (x, out) in row.iter_mut().enumerate() {
                    let at = 2 * y * width + 2 * x;
                    let sum = u16::from(grey[at]) + u16::from(grey[at + 1]) + u16::from(grey[at + width]) + u16::from(grey[at + width + 1]);
                    *out = ((sum + 2) / 4) as u8;
                }
            }
        }
    } with {
        let m = 2 * (order(n) / 2).max(1);
        let grey: Vec<u8> = numbers(m * m, 1);
        let mut half = vec![0_u8; m * m / 4];
    } (m, &grey, &mut half) => (half)
    winding_number {
        pub fn kernel(x: f64, y: f64, polygon: &[[f64; 2]]) -> i32 {
            let mut winding = 0;
            for pair in polygon.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let side = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
                if a[1] <= y {
                    if b[1] > y && side > 0.0 {
                        winding += 1;
                    }
                } else if b[1] <= y && side < 0.0 {
                    winding -= 1;
                }
            }
            winding
        }
    } with {
        let polygon: Vec<[f64; 2]> = numbers(n, 1);
    } (0.1, 0.2, &polygon) => ()
}
