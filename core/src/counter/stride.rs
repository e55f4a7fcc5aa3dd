//! Defines [`Stride`]: the start and the step of a counter.

use crate::error::Error;

/// The start and the step of a counter.
///
/// The numbers of the counter are start, start + step, start + 2 × step …, up to 2^63 − 1.
///
/// ```
/// use saiban::Stride;
/// let b = Stride::new(2, 5)?;
/// assert_eq!(b.numbers().take(3).collect::<Vec<_>>(), [2, 7, 12]);
/// assert_eq!((b.index(12), b.index(13)), (Some(2), None));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stride {
    start: i64,
    step: i64,
}

impl Stride {
    /// Start 1 and step 1: all numbers from 1 on.
    pub const ONE: Stride = Stride { start: 1, step: 1 };

    /// Creates a stride from a start of 0 or more and a step of 1 or more.
    ///
    /// Give counters for one column equal steps, and starts whose remainders modulo the step
    /// differ.
    ///
    /// # Errors
    /// `InvalidArgument` if the start is negative, or the step is less than 1.
    pub const fn new(start: i64, step: i64) -> Result<Self, Error> {
        if start < 0 {
            return Err(Error::CounterStart { start });
        }
        if step < 1 {
            return Err(Error::CounterStep { step });
        }
        Ok(Stride { start, step })
    }

    /// Returns the first number.
    #[must_use]
    pub const fn start(self) -> i64 {
        self.start
    }

    /// Returns the difference between two consecutive numbers.
    #[must_use]
    pub const fn step(self) -> i64 {
        self.step
    }

    /// Returns how many numbers there are, up to 2^63 − 1.
    #[must_use]
    pub const fn count(self) -> u64 {
        (i64::MAX - self.start).unsigned_abs() / self.step.unsigned_abs() + 1
    }

    /// Returns the number at an index, counted from 0, or `None` past the last number.
    #[must_use]
    pub const fn number(self, index: u64) -> Option<i64> {
        // No overflow: the last number is below 2^63.
        if index < self.count() {
            Some((self.start.unsigned_abs() + index * self.step.unsigned_abs()) as i64)
        } else {
            None
        }
    }

    /// Returns the index of a number, or `None` if it is not one of the numbers.
    #[must_use]
    pub const fn index(self, number: i64) -> Option<u64> {
        if number < self.start || (number - self.start) % self.step != 0 {
            return None;
        }
        Some(((number - self.start) / self.step).unsigned_abs())
    }

    /// Returns all numbers, in order.
    pub fn numbers(self) -> impl Iterator<Item = i64> {
        (0..self.count()).filter_map(move |index| self.number(index))
    }
}
