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
    /// A half-open range of nodes that are ours alone, instead of one.
    pub nodes: Option<Range<i64>>,
    /// The half-open window in which IDs may be issued: Unix time, in the format's own unit (seconds for Randflake,
    /// milliseconds for Snowflake and Ulid-Flake). It holds for the time *in* the ID.
    pub window: Option<Range<i64>>,
    /// The longest wait for an ID; by default 2 ticks, at most 2 s.
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

    /// Sets the longest wait.
    #[must_use]
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    /// The longest wait in nanoseconds.
    pub(super) fn max_wait_ns(&self, layout: &Layout) -> u64 {
        const MOST_BY_DEFAULT_NS: u64 = 2_000_000_000;
        match self.max_wait {
            Some(wait) => u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX),
            None => layout.tick_ns().saturating_mul(2).min(MOST_BY_DEFAULT_NS),
        }
    }

    /// The window in ticks, half-open, rounded inwards.
    pub(super) fn window_ticks(&self, layout: &Layout, unit_ms: i64) -> Result<Range<u64>, Error> {
        let Some(Range { start, end }) = self.window else { return Ok(0..layout.ticks()) };
        let since_us = |time: i64| (i128::from(time) * i128::from(unit_ms) - i128::from(layout.epoch_ms())) * 1_000;
        let tick_us = i128::from(layout.tick_us());
        let end_us = i128::from(layout.ticks()) * tick_us;
        let first = since_us(start).div_euclid(tick_us) + i128::from(since_us(start).rem_euclid(tick_us) != 0);
        let after_last = since_us(end).div_euclid(tick_us);
        let is_inside = since_us(start) >= 0 && since_us(end) <= end_us;
        match (u64::try_from(first), u64::try_from(after_last)) {
            (Ok(first), Ok(after_last)) if is_inside && first < after_last => Ok(first..after_last),
            _ => Err(Error::InvalidWindow {
                start,
                end,
                first: layout.epoch_ms().div_euclid(unit_ms),
                last: layout.tick_start_ms(layout.ticks()) / unit_ms,
            }),
        }
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
