//! The integers that hold positions. Cursors and generators are generic over them.

use crate::bits::low_64;
use core::fmt::Debug;
use core::ops::{Add, BitAnd, Shl, Shr, Sub};

/// An integer type for positions: `u64` for formats whose time and counter have up to 63 bits
/// together, `u128` for wider ones.
///
/// The trait is sealed: no other type can implement it.
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
    /// The maximum number of bits of a position. With 128 bits, the last tick is not used, because
    /// no state could follow it.
    const BITS: u32;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Adds, saturating at the largest number.
    #[must_use]
    fn saturating_add(self, other: Self) -> Self;

    /// Subtracts; a negative difference wraps to a large number.
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;

    /// Returns the low 64 bits.
    #[must_use]
    fn low_u64(self) -> u64;

    /// Converts a number, saturating at the largest number of this type.
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
    fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
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
    fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
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
