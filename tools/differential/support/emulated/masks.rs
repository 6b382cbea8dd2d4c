//! Masks and comparisons.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

pub type __mmask8 = u8;
pub type __mmask16 = u16;
pub type __mmask32 = u32;
pub type __mmask64 = u64;

pub const _CMP_EQ_OQ: i32 = 0x00;
pub const _CMP_UNORD_Q: i32 = 0x03;
pub const _CMP_NEQ_UQ: i32 = 0x04;
pub const _CMP_LT_OQ: i32 = 0x11;
pub const _CMP_LE_OQ: i32 = 0x12;
pub const _CMP_GE_OQ: i32 = 0x1d;
pub const _CMP_GT_OQ: i32 = 0x1e;

/// A comparison of two lanes.
pub(super) fn holds<T: PartialOrd>(predicate: i32, a: T, b: T) -> bool {
    match predicate {
        _CMP_EQ_OQ => a == b,
        _CMP_UNORD_Q => a.partial_cmp(&b).is_none(),
        _CMP_NEQ_UQ => a != b,
        _CMP_LT_OQ => a < b,
        _CMP_LE_OQ => a <= b,
        _CMP_GE_OQ => a >= b,
        _CMP_GT_OQ => a > b,
        _ => panic!("no expansion compares by the predicate {predicate:#x}"),
    }
}
