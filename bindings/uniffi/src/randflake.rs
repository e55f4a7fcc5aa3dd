//! Randflake for Kotlin and Swift.

use crate::convert::{clock, options};
use crate::error::{SaibanError, guard};
use crate::generator::generator;
use crate::{Interval, ManualClock};
use saiban::{AnyClock, Secret};
use std::sync::Arc;

/// Makes Randflake IDs: time, node and sequence, encrypted under a secret, so that they tell nothing to who does not have it. Half of all
/// IDs are negative. Canonical text is base32hex. An ID is neither a token nor access control: always authorise.
///
/// ```kotlin
/// val ids = Randflake(secret = secret, node = 42)      // 16 bytes, the same on every machine
/// val text = ids.generateText()                        // 3vgoe12ccb8gh
/// ids.inspect(text).time                               // only with the secret
/// ```
/// ```swift
/// let ids = try Randflake(secret: secret, node: 42)    // 16 bytes, the same on every machine
/// let text = try ids.generateText()                    // 3vgoe12ccb8gh
/// try ids.inspect(text).time                           // only with the secret
/// ```
#[derive(uniffi::Object)]
pub struct Randflake(saiban::Randflake<AnyClock>);

generator!(Randflake);

#[uniffi::export]
impl Randflake {
    /// A generator under this secret (16 bytes) for one node, 0 to 131071, or a range of `nodes`, which must be ours alone.
    /// The window is Unix **seconds**. Waits at most `max_wait_ms`: 2 s by default.
    ///
    /// Errors: `InvalidSecret`; `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidWindow`; `InvalidArgument` for a
    /// negative wait.
    #[uniffi::constructor(default(node = None, nodes = None, window = None, clock = None, max_wait_ms = None))]
    pub fn new(
        secret: Vec<u8>,
        node: Option<i64>,
        nodes: Option<Interval>,
        window: Option<Interval>,
        clock: Option<Arc<ManualClock>>,
        max_wait_ms: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let secret = Secret::from_slice(&secret)?;
            let options = options(node, nodes, window, max_wait_ms)?;
            Ok(Randflake(saiban::Randflake::build(&secret, &options, self::clock(clock))?))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs. The time is Unix milliseconds,
    /// rounded down to the second; the node need not be the generator's own.
    ///
    /// Errors: `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.compose(timestamp_ms, node, sequence)?))
    }
}
