//! Defines [`Block`]: a pre-allocated block of a counter's numbers.

use crate::sync::{AtomicU64, Ordering};

/// A block of numbers in equal steps. Any number of threads may take numbers; each number is taken
/// once.
///
/// ```
/// use saiban::counter::Block;
/// let block = Block::new(7, 5, 3);
/// let mut numbers = [0; 2];
/// assert_eq!((block.take(), block.fill(&mut numbers), block.take()), (Some(7), 2, None));
/// assert_eq!(numbers, [12, 17]);
/// ```
#[derive(Debug)]
pub struct Block {
    first: i64,
    step: i64,
    count: u64,
    /// How many numbers were requested, which may exceed `count`.
    asked: AtomicU64,
}

impl Block {
    /// Creates a block of `count` numbers from `first` on. Numbers past 2^63 − 1 are left out, and
    /// a step below 1 counts as 1.
    #[must_use]
    pub fn new(first: i64, step: i64, count: u64) -> Self {
        let step = step.max(1);
        let there = i64::MAX.abs_diff(first) / step.unsigned_abs();
        Block { first, step, count: count.min(there.saturating_add(1)), asked: AtomicU64::new(0) }
    }

    /// Returns the number of numbers that the block had at first.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns how many numbers are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.count.saturating_sub(self.asked.load(Ordering::Relaxed))
    }

    /// Takes the next number. Returns `None` if all numbers are taken.
    #[inline]
    pub fn take(&self) -> Option<i64> {
        self.ask(1).map(|index| self.at(index))
    }

    /// Fills `numbers` with the next numbers, and returns how many there were.
    pub fn fill(&self, numbers: &mut [i64]) -> usize {
        let Some(index) = self.ask(numbers.len() as u64) else { return 0 };
        let mut filled = 0;
        for (number, index) in numbers.iter_mut().zip(index..self.count) {
            *number = self.at(index);
            filled += 1;
        }
        filled
    }

    /// Requests `many` numbers. Returns the index of the first of them, or `None` if none is left.
    #[inline]
    fn ask(&self, many: u64) -> Option<u64> {
        // An empty block is not advanced further, so repeated requests cannot overflow `asked`.
        if self.asked.load(Ordering::Relaxed) >= self.count {
            return None;
        }
        Some(self.asked.fetch_add(many, Ordering::Relaxed)).filter(|index| *index < self.count)
    }

    /// Returns the number of an index below `count`. It fits an `i64`, because `new` limits
    /// `count`.
    #[inline]
    fn at(&self, index: u64) -> i64 {
        let past = index.wrapping_mul(self.step.unsigned_abs()) as i64;
        self.first.wrapping_add(past)
    }
}
