//! Explicit truncation of integers.
//!
//! Elsewhere in the core, a cast that can lose bits is a lint error
//! (`clippy::cast_possible_truncation`), and each exception states its reason.

/// Returns the low 64 bits of a number.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the high half is dropped on purpose")]
pub(crate) const fn low_64(number: u128) -> u64 {
    number as u64
}

/// Returns the low 32 bits of a number.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the high half is dropped on purpose")]
pub(crate) const fn low_32(number: u64) -> u32 {
    number as u32
}

/// Returns the low 8 bits of a number.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the high bits are dropped on purpose")]
pub(crate) const fn low_8(number: usize) -> u8 {
    number as u8
}
