everyday! {
    n
    drag_particles {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Puff {
            pub position: [f32; 3],
            pub velocity: [f32; 3],
            pub age: f32,
        }

        impl Puff {
            fn speed(&self) -> f32 {
                self.velocity.iter().map(|v| v * v).sum::<f32>().sqrt()
            }
        }

        pub fn kernel(puffs: &mut [Puff], drag: f32, dt: f32) {
            for puff in puffs.iter_mut() {
                let slow = 1.0 - drag * puff.speed() * dt;
                for axis in 0..3 {
                    puff.velocity[axis] *= slow;
                    puff.position[axis] += puff.velocity[axis] * dt;
                }
                puff.velocity[1] -= 9.81 * dt;
                puff.age += dt;
            }
        }
    } with {
        let raw: Vec<[f32; 7]> = numbers(n, 1);
        let mut puffs: Vec<Puff> = raw.iter().map(|r| Puff { position: [r[0], r[1], r[2]], velocity: [r[3], r[4], r[5]], age: r[6] }).collect();
    } (&mut puffs, 0.1, 0.01) => (puffs)
    pendulums {
        pub struct Pendulum {
            pub angle: f64,
            pub omega: f64,
            pub length: f64,
        }

        pub fn kernel(pendulums: &mut [Pendulum], dt: f64) {
            const G: f64 = 9.81;
            for Pendulum { angle, omega, length } in pendulums {
                *omega -= G / *length * angle.sin() * dt;
                *angle += *omega * dt;
            }
        }
    } with {
        let raw: Vec<[f64; 3]> = numbers(n, 1);
        let mut pendulums: Vec<Pendulum> = raw.iter().map(|r| Pendulum { angle: r[0], omega: r[1], length: 2.0 + r[2] }).collect();
    } (&mut pendulums, 0.01) => (pendulums)
    wave_1d {
        pub fn kernel(c2: f64, now: &[f64], before: &[f64], after: &mut [f64]) {
            let n = now.len();
            if n < 3 {
                return;
            }
            after[0] = 0.0;
            after[n - 1] = 0.0;
            for i in 1..n - 1 {
                after[i] = 2.0 * now[i] - before[i] + c2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
        }
    } with {
        let now: Vec<f64> = numbers(n, 1);
        let before: Vec<f64> = numbers(n, 2);
        let mut after: Vec<f64> = numbers(n, 3);
    } (0.3, &now, &before, &mut after) => (after)
    ideal_gas_pressure {
        pub fn kernel(density: &[f64], temperature: &[f64], pressure: &mut [f64]) {
            const R: f64 = 287.05;
            pressure.iter_mut().zip(density.iter().zip(temperature)).for_each(|(p, (rho, t))| *p = rho * R * t);
        }
    } with {
        let density: Vec<f64> = numbers(n, 1);
        let temperature: Vec<f64> = numbers(n, 2);
        let mut pressure: Vec<f64> = numbers(n, 3);
    } (&density, &temperature, &mut pressure) => (pressure)
    points_in_circle {
        pub fn kernel(points: &[(f64, f64)], centre: (f64, f64), radius: f64) -> usize {
            points
                .iter()
                .filter(|(x, y)| (x - centre.0).powi(2) + (y - centre.1).powi(2) <= radius * radius)
                .count()
        }
    } with {
        let points: Vec<(f64, f64)> = numbers::<[f64; 2]>(n, 1).iter().map(|p| (p[0], p[1])).collect();
    } (&points, (0.1, 0.2), 0.7) => ()
    closest_point {
        pub fn kernel(points: &[[f32; 2]], to: [f32; 2]) -> usize {
            let mut best = f32::INFINITY;
            let mut at = 0;
            for (i, p) in points.iter().enumerate() {
                let d = (p[0] - to[0]).hypot(p[1] - to[1]);
                if d < best {
                    best = d;
                    at = i;
                }
            }
            at
        }
    } with {
        let points: Vec<[f32; 2]> = numbers(n, 1);
    } (&points, [0.1, 0.2]) => ()
    plane_side {
        pub fn kernel(points: &[[f32; 3]], normal: &[f32; 3], offset: f32, side: &mut [i8]) {
            for (s, p) in side.iter_mut().zip(points) {
                let d = p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2] - offset;
                *s = if d > 0.0 { 1 } else if d < 0.0 { -1 } else { 0 };
            }
        }
    } with {
        let points: Vec<[f32; 3]> = numbers(n, 1);
        let normal = [0.3, 0.4, 0.5];
        let mut side: Vec<i8> = vec![0; n];
    } (&points, &normal, 0.1, &mut side) => (side)
    ray_spheres {
        #[derive(Clone, Copy)]
        pub struct Sphere {
            pub centre: [f32; 3],
            pub radius: f32,
        }

        pub fn kernel(origin: [f32; 3], direction: [f32; 3], spheres: &[Sphere], t: &mut [f32]) {
            for (t, sphere) in t.iter_mut().zip(spheres) {
                let oc = [0, 1, 2].map(|c| origin[c] - sphere.centre[c]);
                let b = dot(oc, direction);
                let c = dot(oc, oc) - sphere.radius * sphere.radius;
                let discriminant = b * b - c;
                *t = if discriminant < 0.0 { f32::INFINITY } else { -b - discriminant.sqrt() };
            }
        }

        fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        }
    } with {
        let raw: Vec<[f32; 4]> = numbers(n, 1);
        let spheres: Vec<Sphere> = raw.iter().map(|r| Sphere { centre: [r[0], r[1], r[2]], radius: r[3] }).collect();
        let mut t: Vec<f32> = vec![0.0; n];
    } ([0.0, 0.0, -3.0], [0.0, 0.0, 1.0], &spheres, &mut t) => (t)
}
