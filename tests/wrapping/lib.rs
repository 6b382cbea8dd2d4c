//! Where the tests of integers run once more as a release build of the text computes: overflow wraps around.

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    #[test]
    fn overflow_wraps_around() {
        assert_eq!(black_box(u8::MAX) + black_box(1), 0);
    }
}
