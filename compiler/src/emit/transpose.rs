//! Transposing a square of registers: one description drives the printed code and its test.

/// A shuffle of two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// The lower halves of each 128-bit part, interleaved element by element.
    UnpackLow,
    /// The upper halves.
    UnpackHigh,
    /// Within each 128-bit part: the lower pair of singles of both (`_ps::<0x44>`).
    PairsLow,
    /// The upper pair (`_ps::<0xee>`).
    PairsHigh,
    /// 128-bit parts: `_mm256_permute2f128_*::<N>`.
    Permute128(i32),
    /// 128-bit parts: `_mm512_shuffle_f64x2::<N>` or `_mm512_shuffle_f32x4::<N>`.
    Shuffle128(i32),
}

use Shuffle::{PairsHigh, PairsLow, Permute128, Shuffle128, UnpackHigh, UnpackLow};

/// For each stage, for each register: the shuffle and its operands in the stage before.
pub type Network = Vec<Vec<(Shuffle, usize, usize)>>;

/// The network that transposes `width` registers of `width` elements of `bits` bits.
pub fn network(width: usize, bits: usize) -> Option<Network> {
    // Elements in a 128-bit part, and parts in a register.
    let (inside, parts) = (128 / bits, width * bits / 128);
    if !matches!(parts, 2 | 4) || !matches!(inside, 2 | 4) {
        return None;
    }
    // First squares within the parts. Registers `g * inside + c` then hold, in part k, column
    // `k * inside + c` of rows `g * inside ..`.
    let mut stages = squares(width, inside);
    // Then the square of parts.
    if parts == 2 {
        stages.push(stage(width, |k| {
            let column = k % inside;
            (
                Permute128([0x20, 0x31][k / inside]),
                column,
                column + inside,
            )
        }));
    } else {
        // Parts 0 and 2 (1 and 3) of the groups 0 and 1, then 2 and 3; then the same again.
        let select = |odd: usize| Shuffle128([0x88, 0xdd][odd]);
        stages.push(stage(width, |k| {
            let (group, column) = (k / inside, k % inside);
            let first = group / 2 * 2 * inside + column;
            (select(group % 2), first, first + inside)
        }));
        // Register (half, odd, column) holds parts odd and odd + 2 of the groups of a half.
        stages.push(stage(width, |k| {
            let (part, column) = (k / inside, k % inside);
            let first = part % 2 * inside + column;
            (select(part / 2), first, first + 2 * inside)
        }));
    }
    Some(stages)
}

/// The stages that transpose, in each 128-bit part, the squares of registers one after the other, with so many
/// elements in a part.
fn squares(registers: usize, inside: usize) -> Network {
    let mut stages = vec![stage(registers, |k| {
        let pair = k / 2 * 2;
        ([UnpackLow, UnpackHigh][k % 2], pair, pair + 1)
    })];
    if inside == 4 {
        stages.push(stage(registers, |k| {
            let first = k / 4 * 4 + k % 4 / 2;
            ([PairsLow, PairsHigh][k % 2], first, first + 2)
        }));
    }
    stages
}

/// The network that makes columns of rows of as many elements of `bits` bits as a 128-bit part has: part `p`
/// of register `j` has that row of lane `p * n + j`, if `n` elements are in a part.
pub fn parts(bits: usize) -> Network {
    squares(128 / bits, 128 / bits)
}

/// Which rows share a register in [`pairs`]: the lower half has the first.
pub const PAIRS: [(usize, usize); 4] = [(0, 2), (1, 3), (4, 6), (5, 7)];

/// The network that makes columns of eight of eight rows of four elements of 64 bits, in registers of
/// 512 bits with two rows each.
pub fn pairs() -> Network {
    let squares = stage(4, |k| {
        let pair = k / 2 * 2;
        ([UnpackLow, UnpackHigh][k % 2], pair, pair + 1)
    });
    let columns = stage(4, |k| (Shuffle128([0x88, 0xdd][k / 2]), k % 2, k % 2 + 2));
    vec![squares, columns]
}

fn stage(
    width: usize,
    register: impl Fn(usize) -> (Shuffle, usize, usize),
) -> Vec<(Shuffle, usize, usize)> {
    (0..width).map(register).collect()
}

/// The intrinsic of a shuffle.
pub fn print(shuffle: Shuffle, width: usize, bits: usize, a: &str, b: &str) -> String {
    let prefix = if width * bits == 512 {
        "_mm512"
    } else {
        "_mm256"
    };
    let suffix = if bits == 32 { "ps" } else { "pd" };
    match shuffle {
        UnpackLow => format!("{prefix}_unpacklo_{suffix}({a}, {b})"),
        UnpackHigh => format!("{prefix}_unpackhi_{suffix}({a}, {b})"),
        PairsLow => format!("{prefix}_shuffle_ps::<0x44>({a}, {b})"),
        PairsHigh => format!("{prefix}_shuffle_ps::<0xee>({a}, {b})"),
        Permute128(n) => format!("_mm256_permute2f128_{suffix}::<{n:#x}>({a}, {b})"),
        Shuffle128(n) => {
            let parts = if bits == 32 { "f32x4" } else { "f64x2" };
            format!("_mm512_shuffle_{parts}::<{n:#x}>({a}, {b})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pick<'a> = dyn Fn(&[usize], &[usize]) -> Vec<usize> + 'a;

    /// What the processor does, on labels; `n` elements in a 128-bit part.
    fn apply(shuffle: Shuffle, n: usize, a: &[usize], b: &[usize]) -> Vec<usize> {
        let part = |from: &[usize], k: i32| from[n * k as usize..n * (k as usize + 1)].to_vec();
        let within = |pick: &Pick| -> Vec<usize> {
            a.chunks(n)
                .zip(b.chunks(n))
                .flat_map(|(a, b)| pick(a, b))
                .collect()
        };
        let interleave = |a: &[usize], b: &[usize]| -> Vec<usize> {
            a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect()
        };
        match shuffle {
            UnpackLow => within(&|a, b| interleave(&a[..n / 2], &b[..n / 2])),
            UnpackHigh => within(&|a, b| interleave(&a[n / 2..], &b[n / 2..])),
            PairsLow => within(&|a, b| [&a[..2], &b[..2]].concat()),
            PairsHigh => within(&|a, b| [&a[2..], &b[2..]].concat()),
            Permute128(i) => {
                let pick = |k: i32| if k < 2 { part(a, k) } else { part(b, k - 2) };
                [pick(i & 3), pick(i >> 4 & 3)].concat()
            }
            Shuffle128(i) => [
                part(a, i & 3),
                part(a, i >> 2 & 3),
                part(b, i >> 4 & 3),
                part(b, i >> 6 & 3),
            ]
            .concat(),
        }
    }

    #[test]
    fn rows_of_four_become_columns_of_eight() {
        let row = |r: usize| (0..4).map(|c| 4 * r + c).collect::<Vec<_>>();
        let loaded = PAIRS
            .iter()
            .map(|(low, high)| [row(*low), row(*high)].concat());
        let mut registers: Vec<Vec<usize>> = loaded.collect();
        for stage in pairs() {
            registers = (stage.iter())
                .map(|(shuffle, a, b)| apply(*shuffle, 2, &registers[*a], &registers[*b]))
                .collect();
        }
        for (c, column) in registers.iter().enumerate() {
            let expected: Vec<usize> = (0..8).map(|r| 4 * r + c).collect();
            assert_eq!(column, &expected, "column {c}");
        }
    }

    #[test]
    fn rows_of_parts_become_columns() {
        for (width, bits) in [(4, 64), (8, 64), (8, 32), (16, 32)] {
            let n = 128 / bits;
            let row = |lane: usize| (0..n).map(move |c| n * lane + c);
            let register = |j: usize| (0..width / n).flat_map(|p| row(p * n + j)).collect();
            let mut registers: Vec<Vec<usize>> = (0..n).map(register).collect();
            for stage in parts(bits) {
                registers = stage
                    .iter()
                    .map(|(shuffle, a, b)| apply(*shuffle, n, &registers[*a], &registers[*b]))
                    .collect();
            }
            for (c, column) in registers.iter().enumerate() {
                let expected: Vec<usize> = (0..width).map(|lane| n * lane + c).collect();
                assert_eq!(column, &expected, "column {c} of {width} times {bits} bits");
            }
        }
    }

    #[test]
    fn networks_transpose() {
        for (width, bits) in [(4, 64), (8, 64), (8, 32), (16, 32)] {
            let mut rows: Vec<Vec<usize>> = (0..width)
                .map(|r| (0..width).map(|c| r * width + c).collect())
                .collect();
            for stage in network(width, bits).expect("these widths have a network") {
                rows = stage
                    .iter()
                    .map(|(shuffle, a, b)| apply(*shuffle, 128 / bits, &rows[*a], &rows[*b]))
                    .collect();
            }
            for (r, row) in rows.iter().enumerate() {
                let expected: Vec<usize> = (0..width).map(|c| c * width + r).collect();
                assert_eq!(row, &expected, "row {r} of {width} times {bits} bits");
            }
        }
    }
}
