//! A 128-bit number with the alignment of a 64-bit number, for the fields of errors.

use crate::bits::low_64;
use core::fmt;

/// A number of up to 128 bits, stored as two 64-bit words.
///
/// Its alignment is that of a `u64`. A `u128` would make the error type larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wide {
    high: u64,
    low: u64,
}

impl Wide {
    /// Creates a `Wide` from a number.
    #[must_use]
    pub const fn new(number: u128) -> Self {
        Wide { high: low_64(number >> 64), low: low_64(number) }
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}
