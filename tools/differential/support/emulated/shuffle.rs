//! Moving lanes within and between 128-bit parts.

/// The lower or upper halves of each 128-bit part, interleaved.
pub(super) fn unpack<T: Copy, const LANES: usize>(
    a: [T; LANES],
    b: [T; LANES],
    high: bool,
) -> [T; LANES] {
    let inside = 16 / size_of::<T>();
    std::array::from_fn(|lane| {
        let (part, at) = (lane / inside, lane % inside);
        let from = part * inside + usize::from(high) * inside / 2 + at / 2;
        if at % 2 == 0 { a[from] } else { b[from] }
    })
}

/// `shuffle_ps`: within each 128-bit part two lanes of `a` and two of `b`.
pub(super) fn within<const LANES: usize>(
    a: [f32; LANES],
    b: [f32; LANES],
    select: i32,
) -> [f32; LANES] {
    std::array::from_fn(|lane| {
        let at = lane % 4;
        let from = lane - at + (select >> (2 * at) & 3) as usize;
        if at < 2 { a[from] } else { b[from] }
    })
}

/// A vector of 128-bit parts of others.
pub(super) fn parts<T: Copy, const LANES: usize, const PARTS: usize>(
    from: [(&[T; LANES], usize); PARTS],
) -> [T; LANES] {
    let inside = LANES / PARTS;
    std::array::from_fn(|lane| {
        let (vector, part) = from[lane / inside];
        vector[part * inside + lane % inside]
    })
}
