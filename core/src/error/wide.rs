//! A number of 128 bits, small enough to travel in an error.

use crate::bits::low_64;
use core::fmt;

/// A number of up to 128 bits. In an error it takes no more room than two of 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wide {
    high: u64,
    low: u64,
}

impl Wide {
    /// This number.
    #[must_use]
    pub const fn new(number: u128) -> Self {
        Wide { high: low_64(number >> 64), low: low_64(number) }
    }

    /// The number.
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
