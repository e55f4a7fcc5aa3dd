//! Defines [`Counter`]: a counter in the memory of one process.

use super::{Block, Stride};
use crate::error::Error;

/// A counter in the memory of this process: 1, 2, 3 …, or with any start and step.
///
/// The counter starts again in every process, so numbers of different processes repeat. For lasting
/// numbers, use a counter in a store.
///
/// Any number of threads may share a counter; each number is handed out once. A forked process
/// hands out nothing.
///
/// ```
/// use saiban::{Counter, Stride};
/// let counter = Counter::new(Stride::new(2, 5)?);
/// assert_eq!((counter.generate()?, counter.generate()?), (2, 7));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Counter {
    stride: Stride,
    numbers: Block,
    #[cfg(feature = "std")]
    generation: u32,
}

impl Counter {
    /// Creates a counter whose first number is the start of `stride`.
    #[must_use]
    pub fn new(stride: Stride) -> Self {
        Counter {
            stride,
            numbers: Block::new(stride.start(), stride.step(), stride.count()),
            #[cfg(feature = "std")]
            generation: crate::process::watched_generation(),
        }
    }

    /// Returns the start and the step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.stride
    }

    /// Returns the next number.
    ///
    /// # Errors
    /// - `CounterExhausted`: the next number would be past 2^63 − 1.
    /// - `Forked`: this process is a fork of the one that created the counter.
    #[inline]
    pub fn generate(&self) -> Result<i64, Error> {
        self.check()?;
        self.numbers.take().ok_or(Error::CounterExhausted { step: self.stride.step() })
    }

    /// Fills `numbers` with the next numbers, and returns how many there were.
    ///
    /// The result is less than the length of `numbers` only if the counter is exhausted.
    ///
    /// # Errors
    /// As [`Counter::generate`], if there is no number at all.
    pub fn fill(&self, numbers: &mut [i64]) -> Result<usize, Error> {
        self.check()?;
        match self.numbers.fill(numbers) {
            0 if !numbers.is_empty() => Err(Error::CounterExhausted { step: self.stride.step() }),
            filled => Ok(filled),
        }
    }

    #[inline]
    fn check(&self) -> Result<(), Error> {
        #[cfg(feature = "std")]
        if self.generation != crate::process::generation() {
            return Err(Error::Forked);
        }
        Ok(())
    }
}
