//! Snowflake for Kotlin and Swift.

use crate::convert::{clock, options};
use crate::error::{SaibanError, guard};
use crate::generator::generator;
use crate::{Interval, Layout, ManualClock};
use saiban::AnyClock;
use std::sync::Arc;

/// Makes Snowflake IDs: time, node, sequence. They sort by time, and tell it to anyone. Canonical text is decimal.
///
/// ```kotlin
/// val ids = Snowflake(node = 7)                // node 7, which must be ours alone
/// val id = ids.generate()                      // Long
/// ids.inspect(id).node                         // 7
/// ```
/// ```swift
/// let ids = try Snowflake(node: 7)             // node 7, which must be ours alone
/// let id = try ids.generate()                  // Int64
/// try ids.inspect(id).node                     // 7
/// ```
#[derive(uniffi::Object)]
pub struct Snowflake(saiban::Snowflake<AnyClock>);

generator!(Snowflake);

#[uniffi::export]
impl Snowflake {
    /// A generator for one node or a range of `nodes`, which must be ours alone, of this layout (Twitter's by default: nodes
    /// 0 to 1023). The window is Unix milliseconds. Waits at most `max_wait_ms`: 2 ticks by default.
    ///
    /// Errors: `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidLayout` for a layout without node or sequence;
    /// `InvalidWindow`; `InvalidArgument` for a negative wait.
    #[uniffi::constructor(default(
        node = None, nodes = None, layout = None, window = None, clock = None, max_wait_ms = None
    ))]
    pub fn new(
        node: Option<i64>,
        nodes: Option<Interval>,
        layout: Option<Arc<Layout>>,
        window: Option<Interval>,
        clock: Option<Arc<ManualClock>>,
        max_wait_ms: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let layout = layout.map_or(saiban::Layout::TWITTER, |layout| layout.to_core());
            let options = options(node, nodes, window, max_wait_ms)?;
            Ok(Snowflake(saiban::Snowflake::build(layout, &options, self::clock(clock))?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds,
    /// rounded down to the tick; the node need not be the generator's own.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.compose(timestamp_ms, node, sequence)?))
    }
}
