//! Assembles IDs from times in nanoseconds, for layouts whose ticks are not whole milliseconds.
//!
//! Public methods of [`Layout`]; the methods for milliseconds call them too.

use super::wide::{random_error, sequence_error};
use super::{Fields, Layout, NS_PER_MS, WideFields};
use crate::error::{Error, LayoutProblem};

/// The largest `submillisecond_ns`: the last nanosecond of a millisecond.
#[expect(clippy::cast_possible_truncation, reason = "it is 999,999")]
const MAX_SUBMILLISECOND_NS: i64 = NS_PER_MS as i64 - 1;

impl Layout {
    /// Returns whether ticks can start within a millisecond, so that `submillisecond_ns` is needed
    /// to identify a tick.
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

    /// Returns the nanoseconds from the last whole millisecond to the start of a tick. Returns
    /// `None` if ticks are whole milliseconds.
    pub(crate) const fn tick_start_submillisecond_ns(&self, tick: u64) -> Option<u32> {
        if !self.has_submilliseconds() {
            return None;
        }
        // The epoch is a whole number of milliseconds.
        Some((tick as i128 * self.tick_ns() as i128 % NS_PER_MS) as u32)
    }

    /// Returns the tick that contains a time: Unix milliseconds, plus nanoseconds within the
    /// millisecond.
    pub(crate) const fn tick_at(&self, timestamp_ms: i64, submillisecond_ns: i64) -> Result<u64, Error> {
        if submillisecond_ns < 0 || submillisecond_ns > MAX_SUBMILLISECOND_NS {
            return Err(Error::InvalidArgument {
                what: "submillisecond_ns are the nanoseconds that a time is past its millisecond: give 0 to 999999",
            });
        }
        let since_ms = timestamp_ms as i128 - self.epoch_ms() as i128;
        self.tick_since_ns(since_ms * NS_PER_MS + submillisecond_ns as i128, timestamp_ms)
    }

    /// Checks the parts that IDs of every width have, and returns the tick.
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

    /// Assembles an ID as [`Layout::compose_rollback_ms`] does, from a time with nanoseconds.
    ///
    /// For layouts whose ticks can start within a millisecond. The time is Unix milliseconds plus 0
    /// to 999,999 nanoseconds, rounded down to the tick.
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
    /// The errors of [`Layout::compose_rollback_ms`], and `InvalidArgument` if `submillisecond_ns`
    /// is not 0 to 999,999.
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

    /// Assembles an ID as [`Layout::compose_wide_ms`] does, from a time with nanoseconds.
    ///
    /// For layouts whose ticks can start within a millisecond. The time is Unix milliseconds plus 0
    /// to 999,999 nanoseconds, rounded down to the tick. IDs of any width are returned; an ID of up
    /// to 64 bits is `… as i64` as a signed number.
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
    /// The errors of [`Layout::compose_wide_ms`], and `InvalidArgument` if `submillisecond_ns` is
    /// not 0 to 999,999.
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
