//! Which numbers a counter has.

use crate::error::Error;

/// Where a counter starts, and by how much it steps: the numbers start, start + step, start + 2 × step … up to 2^63 − 1.
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
    /// All numbers from 1 on.
    pub const ONE: Stride = Stride { start: 1, step: 1 };

    /// A start of 0 or more, a step of 1 or more. Counters that hand out numbers for one column have the same step, and starts that differ
    /// in their remainder by it.
    ///
    /// # Errors
    /// `InvalidArgument` for others.
    pub const fn new(start: i64, step: i64) -> Result<Self, Error> {
        if start < 0 {
            return Err(Error::CounterStart { start });
        }
        if step < 1 {
            return Err(Error::CounterStep { step });
        }
        Ok(Stride { start, step })
    }

    /// The first number.
    #[must_use]
    pub const fn start(self) -> i64 {
        self.start
    }

    /// What lies between two numbers.
    #[must_use]
    pub const fn step(self) -> i64 {
        self.step
    }

    /// How many numbers there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        (i64::MAX - self.start).unsigned_abs() / self.step.unsigned_abs() + 1
    }

    /// The number of this index, the first's being 0; none past the last.
    #[must_use]
    pub const fn number(self, index: u64) -> Option<i64> {
        // Neither wraps: the last number is below 2^63.
        if index < self.count() {
            Some((self.start.unsigned_abs() + index * self.step.unsigned_abs()) as i64)
        } else {
            None
        }
    }

    /// Which of the numbers this is; none where it is none of them.
    #[must_use]
    pub const fn index(self, number: i64) -> Option<u64> {
        if number < self.start || (number - self.start) % self.step != 0 {
            return None;
        }
        Some(((number - self.start) / self.step).unsigned_abs())
    }

    /// All numbers, in order.
    pub fn numbers(self) -> impl Iterator<Item = i64> {
        (0..self.count()).filter_map(move |index| self.number(index))
    }
}
