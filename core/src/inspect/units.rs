//! Durations in milliseconds.

pub(super) const MS_PER_DAY: i64 = 86_400_000;
pub(super) const MS_PER_YEAR: i64 = 31_557_600_000;
