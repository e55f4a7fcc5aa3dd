//! The integers that hold positions.

use crate::bits::low_64;
use core::fmt::Debug;
use core::ops::{Add, BitAnd, Shl, Shr, Sub};

/// An integer that holds positions: `u64` for formats whose time and counter have up to 63 bits together, `u128` for wider ones.
///
/// There are these two, and no others can be made.
pub trait Position:
    Copy
    + Ord
    + Debug
    + Send
    + Sync
    + From<u64>
    + Into<u128>
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
    + 'static
{
    /// How many bits of it a position may have. Of 128 the last tick is not used: one past it there is no number.
    const BITS: u32;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Adds, up to the largest number.
    #[must_use]
    fn saturating_add(self, other: Self) -> Self;

    /// The low 64 bits.
    #[must_use]
    fn low_u64(self) -> u64;

    /// The number, if it is no larger than this type can hold, else the largest.
    #[must_use]
    fn from_u128(number: u128) -> Self;
}

impl Position for u64 {
    const BITS: u32 = 63;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn saturating_add(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline]
    fn low_u64(self) -> u64 {
        self
    }

    fn from_u128(number: u128) -> Self {
        u64::try_from(number).unwrap_or(u64::MAX)
    }
}

impl Position for u128 {
    const BITS: u32 = 128;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn saturating_add(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline]
    fn low_u64(self) -> u64 {
        low_64(self)
    }

    fn from_u128(number: u128) -> Self {
        number
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}
