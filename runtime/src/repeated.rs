//! Arrays that are repeated before a kernel runs, for what is subscripted by a remainder.

/// The first `period` entries, over and over.
///
/// ```
/// use loopwright_runtime::repeated::repeated;
/// assert_eq!(repeated::<_, 3, 7>(&[1, 2, 3], 2), [1, 2, 1, 2, 1, 2, 1]);
/// ```
///
/// # Panics
/// If the period is nothing, or longer than the array.
#[inline(always)]
#[must_use]
pub fn repeated<T: Copy, const N: usize, const LENGTH: usize>(
    of: &[T; N],
    period: usize,
) -> [T; LENGTH] {
    let first = &of[..period];
    let mut all = [first[0]; LENGTH];
    let mut parts = all.chunks_exact_mut(period);
    for part in &mut parts {
        part.copy_from_slice(first);
    }
    let rest = parts.into_remainder();
    rest.copy_from_slice(&first[..rest.len()]);
    all
}
