//! Which IDs belong to an interval of time.

use super::{Layout, NS_PER_MS, Slot, WideFields};
use crate::bits::low_64;
use crate::error::{Error, LayoutProblem};
use core::ops::RangeInclusive;

impl Layout {
    /// Whether IDs are in the order of their times: nothing that differs stands above the timestamp.
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

    /// The ticks that lie in this half-open interval, Unix milliseconds, wholly or in part: the first and the last. What lies
    /// outside the format's time is left out.
    ///
    /// # Errors
    /// `InvalidWindow` for an empty interval; `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the format's time.
    pub(crate) fn ticks_of_interval(&self, start_ms: i64, end_ms: i64) -> Result<(u64, u64), Error> {
        if start_ms >= end_ms {
            return Err(Error::RangeEmpty { start_ms, end_ms });
        }
        // The last moment of the interval, to the nanosecond: ticks may be shorter than a millisecond.
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

    /// Whether a tick begins at exactly this time.
    fn begins_at_ms(&self, tick: u64, timestamp_ms: i64) -> bool {
        let since_ns = i128::from(tick) * i128::from(self.tick_ns());
        since_ns == (i128::from(timestamp_ms) - i128::from(self.epoch_ms())) * NS_PER_MS
    }

    /// The smallest and the largest ID of this half-open interval, Unix milliseconds; for layouts of up to 64 bits.
    ///
    /// ```
    /// use saiban::Layout;
    /// // The documented way to ask Discord for what is older than a time: its first ID.
    /// let ids = Layout::DISCORD.range_ms(1_462_015_105_796, 1_462_015_105_797)?;
    /// assert!(ids.contains(&175_928_847_299_117_063));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `NotTimeOrdered` where something that differs stands above the timestamp; `InvalidWindow` for an empty interval, and for one
    /// in which IDs turn negative; `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the layout's time; `InvalidLayout` for IDs of
    /// more than 64 bits, for which there is [`Layout::range_wide_ms`].
    pub fn range_ms(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        if self.is_wide() {
            return Err(Error::InvalidLayout { reason: LayoutProblem::TooWideFor64 { bits: self.size_bits() } });
        }
        let (smallest, largest) = self.range_wide_ms(start_ms, end_ms)?.into_inner();
        let (smallest, largest) = (low_64(smallest) as i64, low_64(largest) as i64);
        if smallest > largest {
            // Tick by tick the numbers grow, up to the first that is negative.
            let turn_ms = self.tick_start_ms(1 << (63 - self.timestamp.shift));
            return Err(Error::RangeTurnsNegative { start_ms, end_ms, turn_ms });
        }
        Ok(smallest..=largest)
    }

    /// The same for layouts of every width, as unsigned numbers.
    ///
    /// # Errors
    /// As [`Layout::range_ms`]; unsigned numbers do not turn negative.
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
