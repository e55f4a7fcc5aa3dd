//! Snowflake: time, node, sequence.

use crate::arguments::{int, options, wrong_type};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use crate::layout::Layout;
use pyo3::prelude::*;
use saiban::AnyClock;
use std::sync::Arc;

/// Makes Snowflake IDs: time, node, sequence.
///
/// IDs sort by time and tell it to anyone.
///
/// node: the node that is yours alone (0 to 1023 in Twitter's layout), or nodes: a range of them.
/// layout: Layout.TWITTER unless another preset or one of your own is given.
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// clock: a ManualClock, for tests. On the system's clock, generators of one process with the same
/// layout and node share a cursor.
/// max_wait_ms: the longest wait for an ID; by default 2 ticks.
///
/// Raises NodeRequiredError, NodeOutOfRangeError, NodeInUseError, InvalidWindowError,
/// InvalidLayoutError, InvalidArgumentError.
///
/// Source: Twitter, "Announcing Snowflake" (2010).
///
/// >>> import saiban
/// >>> ids = saiban.Snowflake(node=7)
/// >>> ids.inspect(ids.generate()).node
/// 7
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Snowflake(Arc<saiban::Snowflake<AnyClock>>);

#[pymethods]
impl Snowflake {
    #[new]
    #[pyo3(signature = (*, node=None, nodes=None, layout=None, window=None, clock=None, max_wait_ms=None))]
    fn new(
        node: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        layout: Option<&Bound<'_, PyAny>>,
        window: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        max_wait_ms: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let options = options(node, nodes, window, max_wait_ms)?;
            let layout = match layout.map(|value| (value, value.cast::<Layout>())) {
                None => saiban::Layout::TWITTER,
                Some((_, Ok(layout))) => *layout.get().core(),
                Some((value, Err(_))) => return Err(wrong_type("layout", "a saiban.Layout", value)),
            };
            let clock = self::clock(clock)?;
            let repr = repr("Snowflake", &options, &clock, &[format!("layout={}", Layout::from(layout).repr())]);
            let ids = Arc::new(saiban::Snowflake::build(layout, &options, clock)?);
            Ok(PyClassInitializer::from(Generator::new(Arc::clone(&ids) as _, repr)).add_subclass(Snowflake(ids)))
        })
    }

    /// The layout of its IDs.
    #[getter]
    fn layout(&self) -> Layout {
        Layout::from(*self.0.layout())
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// The time is rounded down to the tick.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError,
    /// SequenceOutOfRangeError.
    ///
    /// >>> import saiban
    /// >>> saiban.Snowflake(node=0).compose(timestamp_ms=1_704_067_200_000, node=7, sequence=1)
    /// 1741610183685074945
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
