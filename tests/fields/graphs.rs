everyday! {
    n
    spmv_csc {
        pub fn kernel(column_starts: &[usize], rows: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
            y.fill(0.0);
            for (j, &xj) in x.iter().enumerate() {
                for k in column_starts[j]..column_starts[j + 1] {
                    y[rows[k] as usize] += values[k] * xj;
                }
            }
        }
    } with {
        let column_starts: Vec<usize> = (0..=n).map(|j| 4 * j).collect();
        let rows: Vec<u32> = (0..4 * n).map(|k| (k * 13 % n.max(1)) as u32).collect();
        let values: Vec<f64> = numbers(4 * n, 1);
        let x: Vec<f64> = numbers(n, 2);
        let mut y: Vec<f64> = numbers(n, 3);
    } (&column_starts, &rows, &values, &x, &mut y) => (y)
    spmv_coo {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Entry {
            pub row: u32,
            pub column: u32,
            pub value: f32,
        }
        pub fn kernel(entries: &[Entry], x: &[f32], y: &mut [f32]) {
            for e in entries {
                y[e.row as usize] += e.value * x[e.column as usize];
            }
        }
    } with {
        let v: Vec<f32> = numbers(3 * n, 1);
        let entries: Vec<Entry> = v.iter().enumerate().map(|(k, v)| Entry { row: (k / 3) as u32, column: (k * 7 % n.max(1)) as u32, value: *v }).collect();
        let x: Vec<f32> = numbers(n, 2);
        let mut y: Vec<f32> = numbers(n, 3);
    } (&entries, &x, &mut y) => (y)
    spmv_ell {
        pub fn kernel(width: usize, columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
            let rows = y.len();
            for (i, yi) in y.iter_mut().enumerate() {
                let mut sum = 0.0;
                for k in 0..width {
                    sum += values[k * rows + i] * x[columns[k * rows + i] as usize];
                }
                *yi = sum;
            }
        }
    } with {
        let columns: Vec<u32> = (0..5 * n).map(|k| (k * 11 % n.max(1)) as u32).collect();
        let values: Vec<f64> = numbers(5 * n, 1);
        let x: Vec<f64> = numbers(n, 2);
        let mut y: Vec<f64> = numbers(n, 3);
    } (5, &columns, &values, &x, &mut y) => (y)
    spmv_bsr {
        pub fn kernel(row_starts: &[u32], block_columns: &[u32], blocks: &[[[f64; 3]; 3]], x: &[[f64; 3]], y: &mut [[f64; 3]]) {
            for (i, out) in y.iter_mut().enumerate() {
                let mut sum = [0.0; 3];
                for k in row_starts[i] as usize..row_starts[i + 1] as usize {
                    let v = &x[block_columns[k] as usize];
                    for (r, row) in blocks[k].iter().enumerate() {
                        sum[r] += row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
                    }
                }
                *out = sum;
            }
        }
    } with {
        let row_starts: Vec<u32> = (0..=n as u32).map(|j| 2 * j).collect();
        let block_columns: Vec<u32> = (0..2 * n).map(|k| (k * 5 % n.max(1)) as u32).collect();
        let blocks: Vec<[[f64; 3]; 3]> = numbers(2 * n, 1);
        let x: Vec<[f64; 3]> = numbers(n, 2);
        let mut y: Vec<[f64; 3]> = numbers(n, 3);
    } (&row_starts, &block_columns, &blocks, &x, &mut y) => (y)
    page_rank {
        pub fn kernel(damping: f64, starts: &[usize], sources: &[usize], out_degree: &[u32], rank: &[f64], next: &mut [f64]) -> f64 {
            let base = (1.0 - damping) / rank.len() as f64;
            let mut change = 0.0;
            for v in 0..rank.len() {
                let mut incoming = 0.0;
                for &u in &sources[starts[v]..starts[v + 1]] {
                    incoming += rank[u] / f64::from(out_degree[u]);
                }
                next[v] = base + damping * incoming;
                change += (next[v] - rank[v]).abs();
            }
            change
        }
    } with {
        let starts: Vec<usize> = (0..=n).map(|j| 3 * j).collect();
        let sources: Vec<usize> = (0..3 * n).map(|k| k * 17 % n.max(1)).collect();
        let out_degree: Vec<u32> = (0..n).map(|k| 1 + (k % 5) as u32).collect();
        let rank: Vec<f64> = numbers(n, 1);
        let mut next: Vec<f64> = numbers(n, 2);
    } (0.85, &starts, &sources, &out_degree, &rank, &mut next) => (next)
    bfs_layer {
        pub fn kernel(depth: i32, starts: &[u32], targets: &[u32], level: &mut [i32]) -> usize {
            let mut found = 0;
            for v in 0..level.len() {
                if level[v] != depth {
                    continue;
                }
                for e in starts[v]..starts[v + 1] {
                    let w = targets[e as usize] as usize;
                    if level[w] < 0 {
                        level[w] = depth + 1;
                        found += 1;
                    }
                }
            }
            found
        }
    } with {
        let starts: Vec<u32> = (0..=n as u32).map(|j| 3 * j).collect();
        let targets: Vec<u32> = (0..3 * n).map(|k| (k * 19 % n.max(1)) as u32).collect();
        let mut level: Vec<i32> = (0..n).map(|k| if k % 10 == 0 { 2 } else { -1 }).collect();
    } (2, &starts, &targets, &mut level) => (level)
    in_degrees {
        pub fn kernel(edges: &[[u32; 2]], degree: &mut [u32]) {
            degree.iter_mut().for_each(|d| *d = 0);
            for &[_, to] in edges {
                degree[to as usize] += 1;
            }
        }
    } with {
        let edges: Vec<[u32; 2]> = (0..2 * n).map(|k| [(k / 2) as u32, (k * 23 % n.max(1)) as u32]).collect();
        let mut degree: Vec<u32> = vec![7; n];
    } (&edges, &mut degree) => (degree)
    relax_edges {
        pub fn kernel(from: &[usize], to: &[usize], weight: &[f64], distance: &mut [f64]) -> bool {
            let mut changed = false;
            for i in 0..from.len() {
                let through = distance[from[i]] + weight[i];
                if through < distance[to[i]] {
                    distance[to[i]] = through;
                    changed = true;
                }
            }
            changed
        }
    } with {
        let from: Vec<usize> = (0..2 * n).map(|k| k / 2).collect();
        let to: Vec<usize> = (0..2 * n).map(|k| k * 29 % n.max(1)).collect();
        let weight: Vec<f64> = numbers(2 * n, 1).iter().map(|w: &f64| w + 1.1).collect();
        let mut distance: Vec<f64> = (0..n).map(|k| (k % 100) as f64).collect();
    } (&from, &to, &weight, &mut distance) => (distance)
    floyd_warshall {
        pub fn kernel(n: usize, d: &mut [f32]) {
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
                    }
                }
            }
        }
    } with {
        let m = order(n).min(60);
        let mut d: Vec<f32> = (0..m * m).map(|k| if k / m == k % m { 0.0 } else { 1.0 + (k * 37 % 101) as f32 }).collect();
    } (m, &mut d) => (d)
    edge_lengths {
        pub fn kernel(points: &[[f32; 3]], edges: &[(u32, u32)], lengths: &mut [f32]) {
            for (length, &(a, b)) in lengths.iter_mut().zip(edges) {
                let (p, q) = (points[a as usize], points[b as usize]);
                let d2: f32 = (0..3).map(|c| (p[c] - q[c]).powi(2)).sum();
                *length = d2.sqrt();
            }
        }
    } with {
        let points: Vec<[f32; 3]> = numbers(n, 1);
        let edges: Vec<(u32, u32)> = (0..2 * n).map(|k| ((k / 2) as u32, (k * 31 % n.max(1)) as u32)).collect();
        let mut lengths: Vec<f32> = numbers(2 * n, 2);
    } (&points, &edges, &mut lengths) => (lengths)
    laplacian_smooth {
        pub fn kernel(neighbours: &[[usize; 6]], x: &[f64], smoothed: &mut [f64]) {
            for ((s, around), &own) in smoothed.iter_mut().zip(neighbours).zip(x) {
                let mean = around.iter().map(|&j| x[j]).sum::<f64>() / around.len() as f64;
                *s = 0.5 * (own + mean);
            }
        }
    } with {
        let neighbours: Vec<[usize; 6]> = (0..n).map(|i| std::array::from_fn(|k| (i + 1 + k * k) % n.max(1))).collect();
        let x: Vec<f64> = numbers(n, 1);
        let mut smoothed: Vec<f64> = numbers(n, 2);
    } (&neighbours, &x, &mut smoothed) => (smoothed)
    lower_triangle_solve_csr {
        pub fn kernel(row_ptr: &[usize], col: &[usize], val: &[f64], diag: &[f64], b: &[f64], x: &mut [f64]) {
            for i in 0..b.len() {
                let mut s = b[i];
                for k in row_ptr[i]..row_ptr[i + 1] {
                    s -= val[k] * x[col[k]];
                }
                x[i] = s / diag[i];
            }
        }
    } with {
        let row_ptr: Vec<usize> = (0..=n).map(|i| 2 * i).collect();
        let col: Vec<usize> = (0..2 * n).map(|k| (k / 2) * (k % 3) / 3).collect();
        let val: Vec<f64> = numbers(2 * n, 1).iter().map(|v: &f64| 0.2 * v).collect();
        let diag: Vec<f64> = numbers(n, 2).iter().map(|v: &f64| 2.0 + v).collect();
        let b: Vec<f64> = numbers(n, 3);
        let mut x: Vec<f64> = vec![0.0; n];
    } (&row_ptr, &col, &val, &diag, &b, &mut x) => (x)
}
