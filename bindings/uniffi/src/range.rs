//! The range of IDs of an interval of time.

use crate::number::UuidValue;

/// The smallest and the largest ID that can have been made in an interval, both included: `BETWEEN
/// first AND last`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct IdRange {
    /// The smallest.
    pub first: i64,
    /// The largest.
    pub last: i64,
}

/// The first and the last ID, as text, that can have been made in an interval, both included.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct TextRange {
    /// The first; for descending tick IDs the newest.
    pub first: String,
    /// The last.
    pub last: String,
}

/// The smallest and the largest UUID that can have been made in an interval, both included, in the
/// order of their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct UuidRange {
    /// The smallest.
    pub first: UuidValue,
    /// The largest.
    pub last: UuidValue,
}

/// The smallest and the largest ID, as bytes, that can have been made in an interval, both
/// included.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct BytesRange {
    /// The smallest.
    pub first: Vec<u8>,
    /// The largest.
    pub last: Vec<u8>,
}

/// The type of the bounds of an interval's IDs.
pub(crate) trait RangeOf {
    type Id;

    fn of(first: Self::Id, last: Self::Id) -> Self;
}

macro_rules! range_of {
    ($range:ident, $id:ty) => {
        impl RangeOf for $range {
            type Id = $id;

            fn of(first: $id, last: $id) -> Self {
                $range { first, last }
            }
        }
    };
}

range_of!(IdRange, i64);
range_of!(TextRange, String);
range_of!(UuidRange, UuidValue);
range_of!(BytesRange, Vec<u8>);
