//! Numbers that are there to be taken.

use crate::sync::{AtomicU64, Ordering};

/// Some numbers of a counter, in equal steps, of which any number of threads takes each once.
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
    /// How many were asked for, which may be more than there were.
    asked: AtomicU64,
}

impl Block {
    /// So many numbers from this one on: all of them up to 2^63 − 1, others are left out.
    #[must_use]
    pub fn new(first: i64, step: i64, count: u64) -> Self {
        let step = step.max(1);
        let there = i64::MAX.abs_diff(first) / step.unsigned_abs();
        Block { first, step, count: count.min(there.saturating_add(1)), asked: AtomicU64::new(0) }
    }

    /// How many numbers it began with.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.count.saturating_sub(self.asked.load(Ordering::Relaxed))
    }

    /// The next number; none when all are taken.
    #[inline]
    pub fn take(&self) -> Option<i64> {
        self.ask(1).map(|index| self.at(index))
    }

    /// Takes as many as there are, and room for; answers how many.
    pub fn fill(&self, numbers: &mut [i64]) -> usize {
        let Some(index) = self.ask(numbers.len() as u64) else { return 0 };
        let mut filled = 0;
        for (number, index) in numbers.iter_mut().zip(index..self.count) {
            *number = self.at(index);
            filled += 1;
        }
        filled
    }

    /// The index of the first of so many.
    #[inline]
    fn ask(&self, many: u64) -> Option<u64> {
        // Who finds it empty asks for nothing, so that no number of asking wraps.
        if self.asked.load(Ordering::Relaxed) >= self.count {
            return None;
        }
        Some(self.asked.fetch_add(many, Ordering::Relaxed)).filter(|index| *index < self.count)
    }

    /// The number of an index below the count: `new` has seen to it that there is one.
    #[inline]
    fn at(&self, index: u64) -> i64 {
        let past = index.wrapping_mul(self.step.unsigned_abs()) as i64;
        self.first.wrapping_add(past)
    }
}
