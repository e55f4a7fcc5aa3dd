//! The size of blocks: how many items a process fetches at a time.

use crate::Error;
use saiban::ErrorKind;
use std::time::Duration;

/// The maximum number of items that a process fetches with one round trip.
pub const MAX_BLOCK_SIZE: u64 = 1_000_000;

/// How long a block should last.
const AIM: Duration = Duration::from_secs(2);

/// The largest factors by which a block may be larger, or smaller, than the one before.
const GROWTH: u64 = 8;
const SHRINKAGE: u64 = 2;

/// The size of blocks: fixed, or as many items as last for two seconds, up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Fixed(u64),
    UpTo(u64),
}

impl Size {
    pub(crate) fn new(block_size: Option<i64>, max_block_size: i64) -> Result<Self, Error> {
        let check = |what: &str, size: i64| match u64::try_from(size) {
            Ok(size @ 1..=MAX_BLOCK_SIZE) => Ok(size),
            _ => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{what} is {size}: give 1 to {MAX_BLOCK_SIZE} numbers"),
            )),
        };
        let most = check("max_block_size", max_block_size)?;
        Ok(match block_size {
            Some(size) if size > max_block_size && check("block_size", size).is_ok() => {
                let text = format!("block_size is {size}, and max_block_size {max_block_size}: leave one of them out");
                return Err(Error::new(ErrorKind::InvalidArgument, text));
            }
            Some(size) => Size::Fixed(check("block_size", size)?),
            None => Size::UpTo(most),
        })
    }

    /// Returns the size of the first block.
    pub(crate) fn first(self) -> u64 {
        match self {
            Size::Fixed(size) => size,
            Size::UpTo(_) => 1,
        }
    }

    /// Returns the size of the next block, after a block of this size lasted for this long.
    pub(crate) fn next(self, size: u64, lasted: Duration) -> u64 {
        match self {
            Size::Fixed(size) => size,
            Size::UpTo(most) => {
                let ideal = u128::from(size) * AIM.as_micros() / lasted.as_micros().max(1);
                let ideal = u64::try_from(ideal).unwrap_or(u64::MAX);
                ideal.clamp(size.div_ceil(SHRINKAGE), size.saturating_mul(GROWTH)).clamp(1, most)
            }
        }
    }

    /// Returns the size to fetch for a caller that needs `wanted` items at once.
    pub(crate) fn of_request(self, size: u64, wanted: u64) -> u64 {
        match self {
            Size::Fixed(size) => size,
            Size::UpTo(most) => size.max(wanted).min(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BLOCK_SIZE, Size};
    use std::time::Duration;

    /// Returns the sizes of blocks when `per_s` numbers a second are used.
    fn sizes(size: Size, per_s: u64, blocks: usize) -> Vec<u64> {
        let mut all = vec![size.first()];
        while all.len() < blocks {
            let last = all[all.len() - 1];
            all.push(size.next(last, Duration::from_micros(last * 1_000_000 / per_s)));
        }
        all
    }

    #[test]
    fn block_sizes_grow_until_a_block_lasts_two_seconds() {
        assert_eq!(sizes(Size::UpTo(MAX_BLOCK_SIZE), 100_000, 8), [1, 8, 64, 512, 4_096, 32_768, 200_000, 200_000]);
        assert_eq!(sizes(Size::UpTo(MAX_BLOCK_SIZE), 10_000_000, 9)[7..], [MAX_BLOCK_SIZE; 2]);
        assert_eq!(sizes(Size::UpTo(50), 1_000, 5), [1, 8, 50, 50, 50]);
    }

    #[test]
    fn blocks_shrink_to_one_number_when_numbers_are_seldom_taken() {
        assert_eq!(Size::UpTo(MAX_BLOCK_SIZE).next(1, Duration::from_secs(3_600)), 1);
        let mut size = 1_000;
        for smaller in [500, 250, 125, 63, 32, 16, 8, 4, 2, 1, 1] {
            size = Size::UpTo(MAX_BLOCK_SIZE).next(size, Duration::from_secs(3_600));
            assert_eq!(size, smaller);
        }
    }

    #[test]
    fn a_fixed_size_stays() {
        assert_eq!(sizes(Size::Fixed(1_000), 10, 3), [1_000; 3]);
        assert_eq!((Size::Fixed(5).of_request(5, 100), Size::UpTo(70).of_request(5, 100)), (5, 70));
    }

    #[test]
    fn sizes_out_of_range_are_refused_with_the_number() {
        for (block, most) in [(Some(0), 10), (Some(-3), 10), (Some(1_000_001), 10), (None, 0), (None, i64::MAX)] {
            let error = Size::new(block, most).expect_err("no size");
            let number = block.unwrap_or(most);
            assert!(error.to_string().ends_with(&format!("is {number}: give 1 to 1000000 numbers")), "{error}");
        }
    }
}
