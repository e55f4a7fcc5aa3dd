//! How the 64 bits of a Snowflake are divided.

use crate::arguments::{epoch_ms, int, maybe_int, pair, text, wrong_type};
use crate::error::{Result, guard};
use crate::parts::rebuilding;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use saiban::LayoutSpec;
use saiban::layout::{Field, FieldKind};

/// How the 64 bits of an ID are divided, and what its time is counted in.
///
/// A value: equal, hashable, and it pickles.
///
/// fields: pairs (name, bits) from the highest bit to the lowest, 64 bits in all; names are unused,
/// timestamp, node, sequence, random, rollback (1 to 4 bits: see with_rollback_bits).
/// epoch_ms: the time of tick 0, Unix milliseconds; by default the Unix epoch.
/// tick_us: the length of a tick in microseconds; by default a millisecond.
///
/// Raises InvalidLayoutError with the reason, and UnknownNameError for a field.
///
/// >>> import saiban
/// >>> fields = [("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16)]
/// >>> saiban.Layout(fields, epoch_ms=1_577_836_800_000).max_node
/// 63
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout(saiban::Layout);

impl From<saiban::Layout> for Layout {
    fn from(layout: saiban::Layout) -> Self {
        Layout(layout)
    }
}

impl Layout {
    pub fn core(&self) -> &saiban::Layout {
        &self.0
    }

    /// As Python source.
    pub fn repr(&self) -> String {
        if let Some(name) = self.0.name() {
            return format!("saiban.Layout.{}", name.to_uppercase());
        }
        let fields: Vec<String> = self.pairs().iter().map(|(name, bits)| format!("(\"{name}\", {bits})")).collect();
        let (epoch_ms, tick_us) = (self.epoch_ms(), self.tick_us());
        format!("saiban.Layout([{}], epoch_ms={epoch_ms}, tick_us={tick_us})", fields.join(", "))
    }

    fn pairs(&self) -> Vec<(&'static str, u32)> {
        self.0.spec().fields().iter().map(|field| (field.kind.name(), field.bits)).collect()
    }
}

/// So many bits. No width below 0 or beyond 32 bits is possible either: the nearest gives the same error.
fn width(name: &str, value: &Bound<'_, PyAny>) -> Result<u32> {
    Ok(int(name, value)?.clamp(0, i64::from(u32::MAX)) as u32)
}

/// A pair (name, bits).
fn field(value: &Bound<'_, PyAny>) -> Result<Field> {
    let (name, bits) = pair(value).ok_or_else(|| wrong_type("a field", "a pair (name, bits)", value))?;
    let kind = FieldKind::from_name(&text("a field's name", &name)?)?;
    Ok(Field::new(kind, width("a field's bits", &bits)?))
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(
        signature = (fields, *, epoch_ms=None, tick_us=None),
        text_signature = "(fields, *, epoch_ms=0, tick_us=1000)"
    )]
    fn new(
        fields: &Bound<'_, PyAny>,
        epoch_ms: Option<&Bound<'_, PyAny>>,
        tick_us: Option<&Bound<'_, PyAny>>,
    ) -> Result<Self> {
        guard(|| {
            let mut spec = LayoutSpec::new();
            let pairs = fields.try_iter().map_err(|_| wrong_type("fields", "pairs (name, bits)", fields))?;
            // One more than the most there can be is enough to say so: they need not end.
            for pair in pairs.take(saiban::layout::MOST_FIELDS + 1) {
                spec = spec.field(field(&pair?)?);
            }
            if let Some(epoch_ms) = epoch_ms.map(self::epoch_ms).transpose()? {
                spec = spec.epoch_ms(epoch_ms);
            }
            if let Some(tick_us) = maybe_int("tick_us", tick_us)? {
                // A negative tick is as impossible as none.
                spec = spec.tick_us(u64::try_from(tick_us).unwrap_or(0));
            }
            Ok(Layout(spec.check()?))
        })
    }

    /// Twitter's Snowflake: 1 unused, 41 ms since 2010-11-04, 10 machine, 12 sequence.
    #[classattr]
    const TWITTER: Layout = Layout(saiban::Layout::TWITTER);
    /// Discord's snowflake: 42 ms since 2015-01-01, 10 node, 12 sequence. Negative from 2084 on.
    #[classattr]
    const DISCORD: Layout = Layout(saiban::Layout::DISCORD);
    /// Instagram's ID: 41 ms since 2011-08-24, 13 shard, 10 sequence. Negative from 2046 on.
    #[classattr]
    const INSTAGRAM: Layout = Layout(saiban::Layout::INSTAGRAM);
    /// Sonyflake, version 1: 1 unused, 39 times 10 ms since 2014-09-01, 8 sequence, 16 machine.
    #[classattr]
    const SONYFLAKE: Layout = Layout(saiban::Layout::SONYFLAKE);
    /// Sonyflake, version 2: as version 1, since 2025-01-01.
    #[classattr]
    const SONYFLAKE_V2: Layout = Layout(saiban::Layout::SONYFLAKE_V2);

    /// The preset of this name: twitter, discord, instagram, sonyflake or sonyflake_v2.
    ///
    /// Raises UnknownNameError for any other text.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn preset(name: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(saiban::Layout::preset(&text("name", name)?)?)))
    }

    /// The preset's name when this is one, else None.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// Pairs (name, bits) from the highest bit to the lowest.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.pairs())
    }

    /// The time of tick 0, Unix milliseconds.
    #[getter]
    fn epoch_ms(&self) -> i64 {
        self.0.epoch_ms()
    }

    /// The last time that the layout can hold, Unix milliseconds.
    #[getter]
    fn last_ms(&self) -> i64 {
        self.0.last_ms()
    }

    /// The length of a tick in microseconds.
    #[getter]
    fn tick_us(&self) -> u64 {
        self.0.tick_us()
    }

    /// The largest node id, 0 when there is no node field.
    #[getter]
    fn max_node(&self) -> u64 {
        self.0.max_node()
    }

    /// The largest number of the clock's steps back that an ID can tell, 0 when there is no rollback field.
    #[getter]
    fn max_rollback(&self) -> u64 {
        self.0.max_rollback()
    }

    /// The same layout with bits for the times that the clock has stepped back, 1 to 4, taken from the low
    /// end of the node field.
    ///
    /// Each value of them is a node of its own, so that a generator goes on when the clock steps back.
    ///
    /// Raises InvalidLayoutError for other than 1 to 4 bits, for a node field that is not wider, and where
    /// there is a rollback field.
    ///
    /// >>> import saiban
    /// >>> layout = saiban.Layout.TWITTER.with_rollback_bits(2)
    /// >>> layout.max_node, layout.max_rollback
    /// (255, 3)
    #[pyo3(signature = (bits, /))]
    fn with_rollback_bits(&self, bits: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(self.0.with_rollback_bits(width("bits", bits)?)?)))
    }

    fn __repr__(&self) -> String {
        self.repr()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, layout) = (slf.py(), slf.get());
        let arguments = PyDict::new(py);
        arguments.set_item("fields", layout.fields(py)?)?;
        arguments.set_item("epoch_ms", layout.epoch_ms())?;
        arguments.set_item("tick_us", layout.tick_us())?;
        rebuilding(&slf.get_type(), &arguments)
    }
}
