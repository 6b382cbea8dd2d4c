use loopwright::kernel;

kernel! {
    #[derive(Clone, Copy)]
    pub struct Point {
        x: f64,
        y: f64,
    }

    #[opt(require_lanes)]
    pub fn heights(p: &[Point], z: &mut [f64]) {
        for i in 0..z.len() {
            z[i] = p[i].z;
        }
    }

    #[opt(require_lanes)]
    pub fn lengths(p: &[Point], z: &mut [f64]) {
        for i in 0..z.len() {
            z[i] = p[i].length();
        }
    }

    #[opt(require_lanes)]
    pub fn sums(p: &[Point], q: &mut [Point]) {
        for i in 0..q.len() {
            q[i] = q[i] + p[i];
        }
    }
}

fn main() {
    heights(&[Point { x: 1.0, y: 3.0 }], &mut [0.0]);
}
