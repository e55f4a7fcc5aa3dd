//! A counter of one process.

use super::{Block, Stride};
use crate::error::Error;

/// Counts in this process's memory: 1, 2, 3 …, or with any start and step. It begins anew with every process, so that its numbers are told
/// apart by nothing but their place: use one in a store for numbers that last.
///
/// Any number of threads may use it; each number is handed out once. A copy made by fork hands out nothing.
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
    /// A counter at its start.
    #[must_use]
    pub fn new(stride: Stride) -> Self {
        Counter {
            stride,
            numbers: Block::new(stride.start(), stride.step(), stride.count()),
            #[cfg(feature = "std")]
            generation: crate::process::watched_generation(),
        }
    }

    /// Its start and step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.stride
    }

    /// The next number.
    ///
    /// # Errors
    /// `CounterExhausted` past 2^63 − 1; `Forked` in a copy of the process.
    #[inline]
    pub fn generate(&self) -> Result<i64, Error> {
        self.check()?;
        self.numbers.take().ok_or(Error::CounterExhausted { step: self.stride.step() })
    }

    /// The next numbers, as many as there is room for; answers how many there were, which is less only at the very end.
    ///
    /// # Errors
    /// As [`Counter::generate`], where there was none.
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
