//! Randflake: time, node, sequence, encrypted.

use crate::arguments::{self, int, options};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use pyo3::prelude::*;
use saiban::AnyClock;
use std::sync::Arc;

/// Makes Randflake IDs: time, node and sequence, encrypted. Half of all IDs are negative.
///
/// node: the node that is yours alone, 0 to 131071, or nodes: a range of them.
/// secret: 16 random bytes (the command: saiban secret), the same on every machine. Who has it can read
/// an ID's time and node.
/// window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
/// clock: a ManualClock, for tests. On the system's clock, generators of one process with the same node
/// share a cursor.
/// max_wait_ms: the longest wait for an ID; by default 2000.
///
/// An ID is no token: always authorise. Lasts until 2058-11-05.
///
/// Raises InvalidSecretError, NodeRequiredError, NodeOutOfRangeError, NodeInUseError,
/// InvalidWindowError, InvalidArgumentError.
///
/// Source: github.com/gosuda/randflake (2024).
///
/// >>> import saiban
/// >>> ids = saiban.Randflake(node=42, secret=bytes.fromhex("dffd6021bb2bd5b0af676290809ec3a5"))
/// >>> ids.compose(timestamp_ms=1_733_706_297_000, node=42, sequence=1)
/// 4594531474933654033
/// >>> ids.to_text(4594531474933654033)
/// '3vgoe12ccb8gh'
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Randflake(Arc<saiban::Randflake<AnyClock>>);

#[pymethods]
impl Randflake {
    #[new]
    #[pyo3(signature = (*, secret, node=None, nodes=None, window=None, clock=None, max_wait_ms=None))]
    fn new(
        secret: &Bound<'_, PyAny>,
        node: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        window: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        max_wait_ms: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let options = options(node, nodes, window, max_wait_ms)?;
            let clock = self::clock(clock)?;
            let repr = repr("Randflake", &options, &clock, &["secret=<hidden>".into()]);
            let ids = Arc::new(saiban::Randflake::build(&arguments::secret(secret)?, &options, clock)?);
            Ok(PyClassInitializer::from(Generator::new(Arc::clone(&ids) as _, repr)).add_subclass(Randflake(ids)))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// The time is rounded down to the second.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
    /// SequenceOutOfRangeError.
    #[pyo3(signature = (*, timestamp_ms, node, sequence))]
    fn compose(
        &self,
        timestamp_ms: &Bound<'_, PyAny>,
        node: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
    ) -> Result<i64> {
        guard(|| {
            let timestamp_ms = int("timestamp_ms", timestamp_ms)?;
            Ok(self.0.compose(timestamp_ms, int("node", node)?, int("sequence", sequence)?)?)
        })
    }
}
