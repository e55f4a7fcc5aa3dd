//! Sources of randomness.
//!
//! [`OsEntropy`] is the one interface to the operating system's randomness. It buffers nothing
//! between calls, so a forked child never repeats its parent's bytes. [`PooledEntropy`]
//! buffers some bytes for each thread, and discards them in a child.

mod default;
mod os;
#[cfg(feature = "pooled-entropy")]
mod pool;

pub use default::DefaultEntropy;
pub use os::OsEntropy;
#[cfg(feature = "pooled-entropy")]
pub use pool::PooledEntropy;

use crate::error::Error;

/// A source of random bytes that nobody can predict.
///
/// ```
/// use saiban::{Entropy, Error, Generator, Options, SystemClock, UlidGenerator};
/// /// The random number generator of a board.
/// struct Board { read_register: fn() -> Option<u8> }
/// impl Entropy for Board {
///     fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
///         for byte in bytes {
///             *byte = (self.read_register)().ok_or(Error::EntropyUnavailable)?;
///         }
///         Ok(())
///     }
/// }
/// let broken = UlidGenerator::build(&Options::default(), SystemClock, Board { read_register: || None })?;
/// assert_eq!(broken.generate(), Err(Error::EntropyUnavailable)); // no predictable ID
/// # Ok::<(), saiban::Error>(())
/// ```
pub trait Entropy {
    /// Fills the buffer with random bytes.
    ///
    /// # Errors
    /// `EntropyUnavailable` if no randomness is available.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error>;

    /// Returns 16 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u16(&self) -> Result<u16, Error> {
        let mut bytes = [0; 2];
        self.fill(&mut bytes)?;
        Ok(u16::from_le_bytes(bytes))
    }

    /// Returns 32 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u32(&self) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Returns 64 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u64(&self) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Returns 128 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u128(&self) -> Result<u128, Error> {
        let mut bytes = [0; 16];
        self.fill(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }
}

impl<E: Entropy + ?Sized> Entropy for &E {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        (**self).fill(bytes)
    }

    fn next_u16(&self) -> Result<u16, Error> {
        (**self).next_u16()
    }

    fn next_u32(&self) -> Result<u32, Error> {
        (**self).next_u32()
    }

    fn next_u64(&self) -> Result<u64, Error> {
        (**self).next_u64()
    }

    fn next_u128(&self) -> Result<u128, Error> {
        (**self).next_u128()
    }
}

/// Fills `numbers`: `of` makes each number from `BYTES` random bytes of its own. The bytes for up
/// to 64 numbers are read at once.
pub(crate) fn draw_all<T, const BYTES: usize>(
    entropy: &impl Entropy,
    numbers: &mut [T],
    of: impl Fn([u8; BYTES]) -> T,
) -> Result<(), Error> {
    const AT_ONCE: usize = 64;
    for numbers in numbers.chunks_mut(AT_ONCE) {
        let mut drawn = [[0; BYTES]; AT_ONCE];
        let drawn = &mut drawn[..numbers.len()];
        entropy.fill(drawn.as_flattened_mut())?;
        for (number, bytes) in numbers.iter_mut().zip(drawn) {
            *number = of(*bytes);
        }
    }
    Ok(())
}
