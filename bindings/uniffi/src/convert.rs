//! Values that cross UniFFI's boundary in a special form.

use std::ops::Range;

/// Several numbers, in the language's own type for many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids(pub Vec<i64>);

uniffi::custom_type!(Ids, Vec<i64>, {
    lower: |ids| ids.0,
    try_lift: |ids| Ok(Ids(ids)),
});

impl From<Vec<i64>> for Ids {
    fn from(ids: Vec<i64>) -> Self {
        Ids(ids)
    }
}

/// A half-open range of integers, in the language's own type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval(pub Range<i64>);

uniffi::custom_type!(Interval, Vec<i64>, {
    lower: |interval| vec![interval.0.start, interval.0.end],
    try_lift: |bounds| match bounds[..] {
        [start, end] => Ok(Interval(start..end)),
        _ => Err(uniffi::deps::anyhow::anyhow!("an interval has two bounds")),
    },
});
