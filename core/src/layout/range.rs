//! Ranges of IDs: the ticks and IDs that belong to an interval of time.
//!
//! Public methods of [`Layout`], for queries by creation time; windows of generators use the ticks.

use super::{Layout, NS_PER_MS, Slot, WideFields};
use crate::bits::low_64;
use crate::error::{Error, LayoutProblem};
use core::ops::RangeInclusive;

impl Layout {
    /// Returns whether IDs sort by time: no node, counter, rollback or random field is above the
    /// timestamp.
    #[must_use]
    pub const fn is_time_ordered(&self) -> bool {
        const fn is_below(slot: Slot, time: Slot) -> bool {
            slot.bits == 0 || slot.shift < time.shift
        }
        let Layout { timestamp, node, counter, rollback, random, .. } = *self;
        is_below(node, timestamp)
            && is_below(counter, timestamp)
            && is_below(rollback, timestamp)
            && is_below(random, timestamp)
    }

    /// Returns the first and the last tick of a half-open interval in Unix milliseconds.
    ///
    /// Ticks that are partly in the interval are included. The part of the interval outside the
    /// layout's time is ignored.
    ///
    /// # Errors
    /// `InvalidWindow` for an empty interval; `TimestampBeforeEpoch` or `TimestampOverflow` for an
    /// interval outside the layout's time.
    pub(crate) fn ticks_of_interval(&self, start_ms: i64, end_ms: i64) -> Result<(u64, u64), Error> {
        if start_ms >= end_ms {
            return Err(Error::RangeEmpty { start_ms, end_ms });
        }
        // The interval ends one nanosecond before `end_ms`: ticks may be shorter than a
        // millisecond.
        let end_tick = match self.tick_at_ms(end_ms) {
            Ok(tick) if tick == 0 && self.tick_start_ms(0) == end_ms => {
                return Err(Error::TimestampBeforeEpoch { timestamp_ms: end_ms - 1, epoch_ms: self.epoch_ms() });
            }
            Ok(tick) if self.begins_at_ms(tick, end_ms) => tick - 1,
            Ok(tick) => tick,
            Err(Error::TimestampOverflow { .. }) => self.ticks() - 1,
            Err(error) => return Err(error),
        };
        let start_tick = match self.tick_at_ms(start_ms) {
            Ok(tick) => tick,
            Err(Error::TimestampBeforeEpoch { .. }) => 0,
            Err(error) => return Err(error),
        };
        Ok((start_tick, end_tick))
    }

    /// Returns whether a tick starts exactly at a time in Unix milliseconds.
    fn begins_at_ms(&self, tick: u64, timestamp_ms: i64) -> bool {
        let since_ns = i128::from(tick) * i128::from(self.tick_ns());
        since_ns == (i128::from(timestamp_ms) - i128::from(self.epoch_ms())) * NS_PER_MS
    }

    /// Returns the smallest and the largest ID of a half-open interval in Unix milliseconds.
    ///
    /// For layouts of up to 64 bits.
    ///
    /// ```
    /// use saiban::Layout;
    /// // Discord's documentation uses the first ID of a time to query for older messages.
    /// let ids = Layout::DISCORD.range_ms(1_462_015_105_796, 1_462_015_105_797)?;
    /// assert!(ids.contains(&175_928_847_299_117_063));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// - `NotTimeOrdered` if a node, counter, rollback or random field is above the timestamp.
    /// - `InvalidWindow` for an empty interval, and for one in which IDs become negative.
    /// - `TimestampBeforeEpoch` or `TimestampOverflow` for an interval outside the layout's time.
    /// - `InvalidLayout` for IDs of more than 64 bits: use [`Layout::range_wide_ms`].
    pub fn range_ms(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        if self.is_wide() {
            return Err(Error::InvalidLayout { reason: LayoutProblem::TooWideFor64 { bits: self.size_bits() } });
        }
        let (smallest, largest) = self.range_wide_ms(start_ms, end_ms)?.into_inner();
        let (smallest, largest) = (low_64(smallest) as i64, low_64(largest) as i64);
        if smallest > largest {
            // IDs grow with the ticks until they overflow to negative numbers.
            let turn_ms = self.tick_start_ms(1 << (63 - self.timestamp.shift));
            return Err(Error::RangeTurnsNegative { start_ms, end_ms, turn_ms });
        }
        Ok(smallest..=largest)
    }

    /// Returns the smallest and the largest ID of a half-open interval in Unix milliseconds, as
    /// unsigned numbers. For layouts of any width.
    ///
    /// # Errors
    /// The errors of [`Layout::range_ms`], except those of negative and wide IDs.
    pub fn range_wide_ms(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        if !self.is_time_ordered() {
            return Err(Error::NotTimeOrdered { scheme: "this layout" });
        }
        let (first, last) = self.ticks_of_interval(start_ms, end_ms)?;
        let begin = |tick| self.join_wide(&WideFields { tick, ..WideFields::default() });
        let below = (1 << self.timestamp.shift) - 1;
        Ok(begin(first)..=begin(last) | below & !self.fixed_mask)
    }
}
