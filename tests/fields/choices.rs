everyday! {
    n
    largest {
        pub fn kernel(x: &[f64]) -> Option<f64> {
            x.iter().copied().max_by(f64::total_cmp)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    nearest_index {
        pub fn kernel(target: f64, x: &[f64]) -> Option<usize> {
            x.iter()
                .enumerate()
                .min_by(|(_, a), (_, b)| (**a - target).abs().total_cmp(&(**b - target).abs()))
                .map(|(i, _)| i)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (0.3, &x) => ()
    first_negative {
        pub fn kernel(x: &[f64]) -> Option<usize> {
            x.iter().position(|&v| v < -0.995)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    last_space {
        pub fn kernel(text: &[u8]) -> Option<usize> {
            text.iter().rposition(|&b| b == b' ')
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| if i % 11 == 3 { b' ' } else { b'x' }).collect();
    } (&text) => ()
    smallest_integer {
        pub fn kernel(x: &[i32]) -> Option<i32> {
            x.iter().copied().min()
        }
    } with {
        let x: Vec<i32> = numbers(n, 1);
    } (&x) => ()
    checked_total {
        pub fn kernel(x: &[u32]) -> Option<u32> {
            x.iter().try_fold(0_u32, |sum, &v| sum.checked_add(v))
        }
    } with {
        let x: Vec<u32> = numbers::<u32>(n, 1).iter().map(|v| v >> 16).collect();
    } (&x) => ()
    checked_mean {
        pub fn kernel(x: &[f64]) -> Option<f64> {
            if x.is_empty() {
                return None;
            }
            Some(x.iter().sum::<f64>() / x.len() as f64)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    first_pair {
        pub fn kernel(x: &[f64]) -> f64 {
            let Some((first, rest)) = x.split_first() else {
                return 0.0;
            };
            rest.iter().map(|v| (v - first).abs()).sum()
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    relative_to_last {
        pub fn kernel(x: &mut [f64]) {
            if let Some(&last) = x.last() {
                for v in x.iter_mut() {
                    *v -= last;
                }
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
    crossing {
        pub fn kernel(level: f64, x: &[f64]) -> usize {
            let mut i = 0;
            let mut sum = 0.0;
            while i < x.len() {
                sum += x[i].abs();
                if sum > level {
                    break;
                }
                i += 1;
            }
            i
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (100.0, &x) => ()
    until_converged {
        pub fn kernel(targets: &[f64], roots: &mut [f64]) {
            for (root, &t) in roots.iter_mut().zip(targets) {
                let a = 1.0 + t.abs();
                let mut x = a;
                for _ in 0..50 {
                    let next = 0.5 * (x + a / x);
                    if (next - x).abs() < 1e-12 {
                        break;
                    }
                    x = next;
                }
                *root = x;
            }
        }
    } with {
        let targets: Vec<f64> = numbers(n, 1);
        let mut roots: Vec<f64> = numbers(n, 2);
    } (&targets, &mut roots) => (roots)
    binary_search_cell {
        pub fn kernel(grid: &[f64], x: &[f64], cells: &mut [usize]) {
            for (c, &v) in cells.iter_mut().zip(x) {
                let mut low = 0;
                let mut high = grid.len();
                while low < high {
                    let middle = low + (high - low) / 2;
                    if grid[middle] <= v {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                *c = low;
            }
        }
    } with {
        let grid: Vec<f64> = (0..33).map(|i| f64::from(i) / 16.0 - 1.0).collect();
        let x: Vec<f64> = numbers(n, 1);
        let mut cells: Vec<usize> = vec![0; n];
    } (&grid, &x, &mut cells) => (cells)
    partition_point {
        pub fn kernel(x: &[i32], v: i32) -> usize {
            x.partition_point(|&e| e < v)
        }
    } with {
        let x: Vec<i32> = (0..n as i32).map(|i| 3 * i).collect();
    } (&x, 301) => ()
    escape_times {
        pub fn kernel(points: &[[f64; 2]], times: &mut [u32]) {
            for (t, &[a, b]) in times.iter_mut().zip(points) {
                let (mut x, mut y) = (0.0_f64, 0.0_f64);
                let mut count = 0;
                while count < 100 && x * x + y * y <= 4.0 {
                    (x, y) = (x * x - y * y + a, 2.0 * x * y + b);
                    count += 1;
                }
                *t = count;
            }
        }
    } with {
        let points: Vec<[f64; 2]> = numbers(n, 1);
        let mut times: Vec<u32> = vec![0; n];
    } (&points, &mut times) => (times)
    bracket_balance {
        pub fn kernel(text: &[u8]) -> bool {
            let mut depth = 0_i32;
            for b in text {
                match b {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                if depth < 0 {
                    return false;
                }
            }
            depth == 0
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| match i % 4 { 0 => b'(', 2 => b')', _ => b'x' }).collect();
    } (&text) => ()
    parse_number {
        pub fn kernel(text: &[u8]) -> Option<u32> {
            let mut value = 0_u32;
            for &b in text {
                if !b.is_ascii_digit() {
                    return None;
                }
                value = value.checked_mul(10)?.checked_add(u32::from(b - b'0'))?;
            }
            Some(value)
        }
    } with {
        let text: Vec<u8> = (0..n.min(9)).map(|i| b'0' + (i % 10) as u8).collect();
    } (&text) => ()
    count_if_between {
        pub fn kernel(low: f32, high: f32, x: &[f32]) -> usize {
            x.iter().filter(|&&v| (low..=high).contains(&v)).count()
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (-0.5, 0.25, &x) => ()
}
