//! Transposing a square of registers: one description drives the printed code and its test.

/// A two-operand shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// Even elements of both operands, interleaved within 128 bits.
    UnpackLow,
    /// Odd elements.
    UnpackHigh,
    /// 128-bit parts: `_mm256_permute2f128_pd::<N>`.
    Permute128(i32),
    /// 128-bit parts: `_mm512_shuffle_f64x2::<N>`.
    Shuffle128(i32),
}

/// For each stage, for each register: the shuffle and its operands in the stage before.
pub type Network = Vec<Vec<(Shuffle, usize, usize)>>;

/// The network that transposes `width` registers of `width` doubles.
pub fn network(width: usize) -> Option<Network> {
    use Shuffle::{Permute128, Shuffle128, UnpackHigh, UnpackLow};
    match width {
        4 => Some(vec![
            vec![
                (UnpackLow, 0, 1),
                (UnpackHigh, 0, 1),
                (UnpackLow, 2, 3),
                (UnpackHigh, 2, 3),
            ],
            vec![
                (Permute128(0x20), 0, 2),
                (Permute128(0x20), 1, 3),
                (Permute128(0x31), 0, 2),
                (Permute128(0x31), 1, 3),
            ],
        ]),
        8 => {
            let pairs: Vec<_> = (0..8)
                .map(|k| {
                    (
                        if k % 2 == 0 { UnpackLow } else { UnpackHigh },
                        k / 2 * 2,
                        k / 2 * 2 + 1,
                    )
                })
                .collect();
            // Now register 2 m + p holds, in part k, rows 2 m and 2 m + 1 of column 2 k + p.
            // Parts 0 and 2 (1 and 3) of two registers, then again.
            let middle = vec![
                (Shuffle128(0x88), 0, 2),
                (Shuffle128(0x88), 1, 3),
                (Shuffle128(0xdd), 0, 2),
                (Shuffle128(0xdd), 1, 3),
                (Shuffle128(0x88), 4, 6),
                (Shuffle128(0x88), 5, 7),
                (Shuffle128(0xdd), 4, 6),
                (Shuffle128(0xdd), 5, 7),
            ];
            let last = vec![
                (Shuffle128(0x88), 0, 4),
                (Shuffle128(0x88), 1, 5),
                (Shuffle128(0x88), 2, 6),
                (Shuffle128(0x88), 3, 7),
                (Shuffle128(0xdd), 0, 4),
                (Shuffle128(0xdd), 1, 5),
                (Shuffle128(0xdd), 2, 6),
                (Shuffle128(0xdd), 3, 7),
            ];
            Some(vec![pairs, middle, last])
        }
        _ => None,
    }
}

/// The intrinsic of a shuffle.
pub fn print(shuffle: Shuffle, width: usize, a: &str, b: &str) -> String {
    let prefix = if width == 8 { "_mm512" } else { "_mm256" };
    match shuffle {
        Shuffle::UnpackLow => format!("{prefix}_unpacklo_pd({a}, {b})"),
        Shuffle::UnpackHigh => format!("{prefix}_unpackhi_pd({a}, {b})"),
        Shuffle::Permute128(n) => format!("_mm256_permute2f128_pd::<{n}>({a}, {b})"),
        Shuffle::Shuffle128(n) => format!("_mm512_shuffle_f64x2::<{n}>({a}, {b})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the processor does, on labels.
    fn apply(shuffle: Shuffle, a: &[usize], b: &[usize]) -> Vec<usize> {
        let part = |from: &[usize], k: i32| from[2 * k as usize..2 * k as usize + 2].to_vec();
        match shuffle {
            Shuffle::UnpackLow => (0..a.len() / 2)
                .flat_map(|k| [a[2 * k], b[2 * k]])
                .collect(),
            Shuffle::UnpackHigh => (0..a.len() / 2)
                .flat_map(|k| [a[2 * k + 1], b[2 * k + 1]])
                .collect(),
            Shuffle::Permute128(n) => {
                let pick = |k: i32| if k < 2 { part(a, k) } else { part(b, k - 2) };
                [pick(n & 3), pick(n >> 4 & 3)].concat()
            }
            Shuffle::Shuffle128(n) => [
                part(a, n & 3),
                part(a, n >> 2 & 3),
                part(b, n >> 4 & 3),
                part(b, n >> 6 & 3),
            ]
            .concat(),
        }
    }

    #[test]
    fn networks_transpose() {
        for width in [4, 8] {
            let mut rows: Vec<Vec<usize>> = (0..width)
                .map(|r| (0..width).map(|c| r * width + c).collect())
                .collect();
            for stage in network(width).expect("these widths have a network") {
                rows = stage
                    .iter()
                    .map(|(shuffle, a, b)| apply(*shuffle, &rows[*a], &rows[*b]))
                    .collect();
            }
            for (r, row) in rows.iter().enumerate() {
                let expected: Vec<usize> = (0..width).map(|c| c * width + r).collect();
                assert_eq!(row, &expected, "row {r} at width {width}");
            }
        }
    }
}
