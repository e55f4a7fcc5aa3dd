//! IDs put together from parts, their times to the nanosecond: ticks may be shorter than a millisecond, or no whole number of them.

use super::wide::{random_error, sequence_error};
use super::{Fields, Layout, NS_PER_MS, WideFields};
use crate::error::{Error, LayoutProblem};

/// The last nanosecond of a millisecond.
#[expect(clippy::cast_possible_truncation, reason = "it is 999,999")]
const MAX_SUBMILLISECOND_NS: i64 = NS_PER_MS as i64 - 1;

impl Layout {
    /// Whether ticks begin within milliseconds, so that it takes `submillisecond_ns` to tell one.
    ///
    /// ```
    /// use saiban::Layout;
    /// assert!(Layout::from_text("timestamp:56@10us node:8")?.has_submilliseconds());
    /// assert!(!Layout::SONYFLAKE.has_submilliseconds());
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn has_submilliseconds(&self) -> bool {
        self.tick_ns() as i128 % NS_PER_MS != 0
    }

    /// What lies between the millisecond in which a tick begins and the tick, in nanoseconds; `None` where that is always 0.
    pub(crate) const fn tick_start_submillisecond_ns(&self, tick: u64) -> Option<u32> {
        if !self.has_submilliseconds() {
            return None;
        }
        // The epoch is a whole number of milliseconds.
        Some((tick as i128 * self.tick_ns() as i128 % NS_PER_MS) as u32)
    }

    /// The tick in which a time lies: Unix milliseconds, and nanoseconds after that.
    pub(crate) const fn tick_at(&self, timestamp_ms: i64, submillisecond_ns: i64) -> Result<u64, Error> {
        if submillisecond_ns < 0 || submillisecond_ns > MAX_SUBMILLISECOND_NS {
            return Err(Error::InvalidArgument {
                what: "submillisecond_ns are the nanoseconds that a time is past its millisecond: give 0 to 999999",
            });
        }
        let since_ms = timestamp_ms as i128 - self.epoch_ms() as i128;
        self.tick_since_ns(since_ms * NS_PER_MS + submillisecond_ns as i128, timestamp_ms)
    }

    /// Checks the parts that layouts of every width have, and answers the tick.
    const fn tick_of_parts(
        &self,
        timestamp_ms: i64,
        submillisecond_ns: i64,
        node: i64,
        rollback: i64,
    ) -> Result<u64, Error> {
        let tick = match self.tick_at(timestamp_ms, submillisecond_ns) {
            Ok(tick) => tick,
            Err(error) => return Err(error),
        };
        if node < 0 || node as u64 > self.max_node() {
            return Err(Error::NodeOutOfRange { node, max: self.max_node() });
        }
        if rollback < 0 || rollback as u64 > self.max_rollback() {
            return Err(Error::RollbackOutOfRange { rollback, max: self.max_rollback() });
        }
        Ok(tick)
    }

    /// As [`Layout::compose_rollback_ms`], for layouts whose ticks begin within milliseconds: the time is Unix milliseconds, and 0 to 999,999
    /// nanoseconds after that, rounded down to the tick.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("unused:1 timestamp:51@us node:12")?;
    /// let id = layout.compose_ns(1_700_000_000_000, 123_999, 7, 0, 0)?;
    /// assert_eq!(layout.split(id)?.tick, 1_700_000_000_000_123);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same, and `InvalidArgument` for nanoseconds that are none of a millisecond.
    pub const fn compose_ns(
        &self,
        timestamp_ms: i64,
        submillisecond_ns: i64,
        node: i64,
        counter: i64,
        rollback: i64,
    ) -> Result<i64, Error> {
        if self.is_wide() {
            return Err(Error::InvalidLayout { reason: LayoutProblem::TooWideFor64 { bits: self.size_bits() } });
        }
        let tick = match self.tick_of_parts(timestamp_ms, submillisecond_ns, node, rollback) {
            Ok(tick) => tick,
            Err(error) => return Err(error),
        };
        if counter < 0 || counter as u64 > self.max_counter() {
            return Err(if self.is_random() {
                Error::RandomOutOfRange { random: counter, max: self.max_counter() }
            } else {
                Error::SequenceOutOfRange { sequence: counter, max: self.max_counter() }
            });
        }
        Ok(self.join(Fields { tick, node: node as u64, counter: counter as u64, rollback: rollback as u64 }))
    }

    /// As [`Layout::compose_wide_ms`], for layouts whose ticks begin within milliseconds: the time is Unix milliseconds, and 0 to 999,999
    /// nanoseconds after that, rounded down to the tick. It makes IDs of every width: one of up to 64 bits is `… as i64` as a signed number.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("unused:1 timestamp:51@us node:12")?;
    /// let id = layout.compose_wide_ns(1_700_000_000_000, 123_999, 7, 0, 0, 0)?;
    /// assert_eq!(layout.split_wide(id)?.tick, 1_700_000_000_000_123);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same, and `InvalidArgument` for nanoseconds that are none of a millisecond.
    pub const fn compose_wide_ns(
        &self,
        timestamp_ms: i64,
        submillisecond_ns: i64,
        node: i64,
        counter: u128,
        rollback: i64,
        random: u128,
    ) -> Result<u128, Error> {
        let tick = match self.tick_of_parts(timestamp_ms, submillisecond_ns, node, rollback) {
            Ok(tick) => tick,
            Err(error) => return Err(error),
        };
        if counter > self.max_counter_wide() {
            let max = self.max_counter_wide();
            return Err(if self.is_random() { random_error(counter, max) } else { sequence_error(counter, max) });
        }
        if random > self.max_random() {
            return Err(random_error(random, self.max_random()));
        }
        let fields = WideFields { tick, node: node as u64, counter, rollback: rollback as u64, random };
        Ok(self.join_wide(&fields))
    }
}
