//! What the user of a generator chooses.

use crate::error::Error;
use crate::layout::Layout;
use core::ops::Range;
use core::time::Duration;

/// The user's choices, common to all generators. Nothing is checked before a generator is built with them.
///
/// ```
/// use saiban::Options;
/// use std::time::Duration;
/// let options = Options::node(7).max_wait(Duration::from_millis(5));
/// assert_eq!(options.node, Some(7));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The node that is ours alone.
    pub node: Option<i64>,
    /// A half-open range of nodes that are ours alone, instead of one. A generator counts for at most 2^(63 − timestamp bits −
    /// sequence bits) of them: 1024 of Twitter's, 512 of Discord's, 65,536 of Randflake's. Its IDs are ordered by tick,
    /// node, sequence, where the layout's bits are in that order too.
    pub nodes: Option<Range<i64>>,
    /// The half-open window in which IDs may be issued: Unix time, in the format's own unit (seconds for Randflake,
    /// milliseconds for Snowflake and Ulid-Flake). It holds for the time *in* the ID.
    pub window: Option<Range<i64>>,
    /// The first time that IDs may have, in the window's unit: whoever counted for these nodes before issued none from then on.
    pub not_before: Option<i64>,
    /// The longest wait for an ID. By default 2 ticks, at most 2 s; where other threads use up the ticks that were waited for,
    /// again for each, and 2 s in all. Threads that ask for more than the nodes can give wait for each other: a range of
    /// nodes helps.
    pub max_wait: Option<Duration>,
}

impl Options {
    /// One node.
    #[must_use]
    pub fn node(node: i64) -> Self {
        Options { node: Some(node), ..Options::default() }
    }

    /// A half-open range of nodes.
    #[must_use]
    pub fn nodes(nodes: Range<i64>) -> Self {
        Options { nodes: Some(nodes), ..Options::default() }
    }

    /// Sets the window.
    #[must_use]
    pub fn window(mut self, window: Range<i64>) -> Self {
        self.window = Some(window);
        self
    }

    /// Sets the first time that IDs may have.
    #[must_use]
    pub fn not_before(mut self, not_before: i64) -> Self {
        self.not_before = Some(not_before);
        self
    }

    /// Sets the longest wait.
    #[must_use]
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    /// A wait of so many milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for a negative number.
    pub const fn wait_ms(max_wait_ms: i64) -> Result<Duration, Error> {
        if max_wait_ms < 0 {
            return Err(Error::InvalidArgument { what: "max_wait_ms is negative: give 0 or more milliseconds" });
        }
        Ok(Duration::from_millis(max_wait_ms as u64))
    }

    /// The longest wait in nanoseconds: for one tick, and in all.
    pub(super) fn max_wait_ns(&self, layout: &Layout) -> (u64, u64) {
        const MOST_BY_DEFAULT_NS: u64 = 2_000_000_000;
        match self.max_wait {
            Some(wait) => {
                let wait_ns = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
                (wait_ns, wait_ns)
            }
            None => (layout.tick_ns().saturating_mul(2).min(MOST_BY_DEFAULT_NS), MOST_BY_DEFAULT_NS),
        }
    }

    /// The window in ticks, half-open, rounded inwards, and not before the first time allowed.
    pub(super) fn window_ticks(&self, layout: &Layout, unit_ms: i64) -> Result<Range<u64>, Error> {
        let tick_us = i128::from(layout.tick_us());
        let end_us = i128::from(layout.ticks()) * tick_us;
        let since_us = |time: i64| (i128::from(time) * i128::from(unit_ms) - i128::from(layout.epoch_ms())) * 1_000;
        let whole = || {
            let first = layout.epoch_ms().div_euclid(unit_ms);
            first..layout.tick_start_ms(layout.ticks()) / unit_ms
        };
        // Times outside the layout are refused here; in between, all that is below fits.
        let first_us = self.window.as_ref().map_or(0, |window| since_us(window.start));
        let after_us = self.window.as_ref().map_or(end_us, |window| since_us(window.end));
        let floor_us = self.not_before.map_or(first_us, |time| since_us(time).max(first_us));
        let first = floor_us.div_euclid(tick_us) + i128::from(floor_us.rem_euclid(tick_us) != 0);
        let after_last = after_us.div_euclid(tick_us);
        if first_us < 0 || after_us > end_us || first >= after_last {
            let Range { start: first, end: last } = whole();
            let Range { start, end } = self.window.clone().unwrap_or_else(whole);
            return Err(Error::InvalidWindow {
                start: self.not_before.map_or(start, |time| time.max(start)),
                end,
                first,
                last,
            });
        }
        Ok(first as u64..after_last as u64)
    }

    /// The nodes, half-open, which must be `most` at the most.
    pub(super) fn node_range(&self, layout: &Layout, most: u64) -> Result<Range<u64>, Error> {
        let max = layout.max_node();
        match (self.node, &self.nodes) {
            (None, None) => Err(Error::NodeRequired { max }),
            (Some(_), Some(_)) => Err(Error::NodeTwice),
            (Some(node), None) => match u64::try_from(node) {
                Ok(checked) if checked <= max => Ok(checked..checked + 1),
                _ => Err(Error::NodeOutOfRange { node, max }),
            },
            (None, Some(Range { start, end })) => match (u64::try_from(*start), u64::try_from(*end)) {
                (Ok(first), Ok(after)) if first < after && after - 1 <= max && after - first <= most => {
                    Ok(first..after)
                }
                _ => Err(Error::NodeRangeInvalid { first: *start, end: *end, max, most }),
            },
        }
    }
}
