//! Where randomness comes from.
//!
//! [`OsEntropy`] is the one door to the operating system's. It keeps nothing back between calls, so that a copy of the process made by fork
//! never repeats what its parent drew. [`PooledEntropy`] keeps some back for each thread, and forgets it in a copy.

mod os;
#[cfg(feature = "std")]
mod pool;

pub use os::OsEntropy;
#[cfg(feature = "std")]
pub use pool::PooledEntropy;

use crate::error::Error;

/// What generators draw from unless they are told otherwise: the pool of their thread; without `std` there is none, and [`OsEntropy`] is what it
/// is called.
#[cfg(feature = "std")]
pub type DefaultEntropy = PooledEntropy;
/// What generators draw from unless they are told otherwise: without `std` they must be.
#[cfg(not(feature = "std"))]
pub type DefaultEntropy = OsEntropy;

/// A source of random bytes, good enough that nobody can guess them.
///
/// ```
/// use saiban::{Entropy, Error, Generator, Options, SystemClock, Ulid};
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
/// let broken = Ulid::build(&Options::default(), SystemClock, Board { read_register: || None })?;
/// assert_eq!(broken.generate(), Err(Error::EntropyUnavailable)); // an error, and never an ID that can be guessed
/// # Ok::<(), saiban::Error>(())
/// ```
pub trait Entropy {
    /// Fills the buffer.
    ///
    /// # Errors
    /// `EntropyUnavailable` when there is no randomness to be had.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error>;

    /// Draws 16 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u16(&self) -> Result<u16, Error> {
        let mut bytes = [0; 2];
        self.fill(&mut bytes)?;
        Ok(u16::from_le_bytes(bytes))
    }

    /// Draws 32 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u32(&self) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Draws 64 random bits.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn next_u64(&self) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Draws 128 random bits.
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

/// Makes each number of so many random bytes of its own, which are drawn together for some at a time.
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
