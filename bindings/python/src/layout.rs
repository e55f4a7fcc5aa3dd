//! How the bits of an ID are divided.

use crate::arguments::{Maybe, bits, epoch_ms, float, int, maybe_int, text, wrong_type};
use crate::error::{Result, guard};
use crate::field::{field, node, placed, shown};
use crate::value::named_tuple;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple};
use saiban::LayoutSpec;
use saiban::layout::{Capacity, MAX_FIELDS, Rate};

/// How the 16 to 128 bits of an ID are divided, and the unit of its time.
///
/// A value: equal, hashable, and it pickles. from_text reads one from text, the same in all
/// languages.
///
/// fields: (kind, bits) from the highest bit to the lowest, 16 to 128 bits in all; kinds are
/// unused, timestamp, node, sequence, random, rollback (1 to 4 bits: see with_rollback_bits) and
/// constant. An optional third item is a dictionary with the field's options: {"value": 3} is the
/// value of a constant; {"name": "worker"} is the name of a part of the node, which may have
/// several parts side by side; {"start": "random"} is for a sequence that begins each tick with a
/// random number in the lower half of its range; {"step": 255} is for a random part that is random
/// at each new tick and grows by 1 to this number within the tick. Without a step, a random part is
/// random for each ID.
/// epoch_ms: the time of tick 0, Unix milliseconds; by default the Unix epoch.
/// tick_us: the length of a tick in microseconds; by default a millisecond.
///
/// Raises InvalidLayoutError with the field at fault, UnknownNameError for a kind.
///
/// >>> import saiban
/// >>> fields = [("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16)]
/// >>> saiban.Layout(fields, epoch_ms=1_577_836_800_000).max_node
/// 63
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout(saiban::Layout);

/// Converts a layout: a `saiban.Layout`, its text, or a preset's name.
pub fn layout(name: &str, value: &Bound<'_, PyAny>) -> Result<saiban::Layout> {
    match value.cast::<Layout>() {
        Ok(layout) => Ok(*layout.get().core()),
        Err(_) if value.is_instance_of::<PyString>() => Ok(saiban::Layout::from_text(&text(name, value)?)?),
        Err(_) => Err(wrong_type(name, "a saiban.Layout, a layout's text or a preset's name", value)),
    }
}

/// Converts a layout, or `None`.
pub fn maybe_layout(value: Maybe<'_, '_>) -> Result<Option<saiban::Layout>> {
    value.map(|value| layout("layout", value)).transpose()
}

/// Returns the named parts of a node; empty for a node without names.
pub fn named_parts(layout: &saiban::Layout, node: i64) -> Result<Vec<(String, i128)>> {
    let parts = layout.node_parts(node)?;
    if !layout.has_node_parts() {
        return Ok(Vec::new());
    }
    Ok(parts.map(|(name, value)| (name.to_owned(), value.into())).collect())
}

/// Makes the presets of Snowflakes constants of the class: `Layout.TWITTER`.
pub fn set_presets(py: Python<'_>) -> PyResult<()> {
    let bwmarrin = ("bwmarrin", saiban::Layout::BWMARRIN);
    let mut presets = saiban::Layout::PRESETS.into_iter().chain([bwmarrin]);
    presets.try_for_each(|(name, layout)| py.get_type::<Layout>().setattr(name.to_uppercase(), Layout(layout)))
}

impl From<saiban::Layout> for Layout {
    fn from(layout: saiban::Layout) -> Self {
        Layout(layout)
    }
}

impl Layout {
    pub fn core(&self) -> &saiban::Layout {
        &self.0
    }

    /// Returns the layout as Python source.
    pub fn repr(&self) -> String {
        match self.0.name() {
            Some(name) => format!("saiban.Layout.{}", name.to_uppercase()),
            None => format!("saiban.Layout.from_text('{}')", self.0),
        }
    }
}

#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
#[pymethods]
impl Layout {
    #[new]
    #[pyo3(
        signature = (fields, *, epoch_ms=None, tick_us=None),
        text_signature = "(fields, *, epoch_ms=0, tick_us=1000)"
    )]
    fn new(fields: &Bound<'_, PyAny>, epoch_ms: Maybe<'_, '_>, tick_us: Maybe<'_, '_>) -> Result<Self> {
        guard(|| {
            let mut spec = LayoutSpec::new();
            let given = fields.try_iter().map_err(|_| wrong_type("fields", "pairs (kind, bits)", fields))?;
            // Takes one more than the maximum, which is enough to refuse it: the iterator may be
            // infinite.
            for (index, each) in given.take(MAX_FIELDS + 1).enumerate() {
                spec = spec.field(field(&each?, index)?);
            }
            if let Some(epoch_ms) = epoch_ms.map(self::epoch_ms).transpose()? {
                spec = spec.epoch_ms(epoch_ms);
            }
            if let Some(tick_us) = maybe_int("tick_us", tick_us)? {
                // A negative tick becomes 0, which core refuses.
                spec = spec.tick_us(u64::try_from(tick_us).unwrap_or(0));
            }
            Ok(Layout(spec.check()?))
        })
    }

    /// The preset of this name, such as twitter, discord or ulid-flake. Presets of Snowflakes are
    /// also constants of this class, such as Layout.TWITTER. bwmarrin is Twitter's.
    ///
    /// Raises UnknownNameError for any other text.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn preset(name: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(saiban::Layout::preset(&text("name", name)?)?)))
    }

    /// The name of a Snowflake's preset, else None: other schemes' presets, such as ulid-flake,
    /// have none.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// Reads a layout from text, the same in all languages and in configuration files; a preset's
    /// name is read too.
    ///
    /// Fields are listed from the highest bit to the lowest, separated by spaces: unused:BITS,
    /// constant:BITS,value=NUMBER, timestamp:BITS@UNIT,epoch=TIME (UNIT is us, ms, s, min, h or d,
    /// with a number before it or none, by default ms; TIME a date, a time in UTC, or Unix
    /// milliseconds, by default 1970-01-01), node:BITS or several node.NAME:BITS, sequence:BITS
    /// (,start=random), random:BITS (,step=NUMBER), rollback:BITS.
    ///
    /// Raises InvalidLayoutError, which names the part, with its position.
    ///
    /// >>> import saiban
    /// >>> text = "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12"
    /// >>> saiban.Layout.from_text(text).to_text()
    /// 'unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12'
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn from_text(text: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(saiban::Layout::from_text(&self::text("text", text)?)?)))
    }

    /// The canonical text, without defaults. str(layout) returns this text too.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// Reads a layout from JSON, as to_json writes it; numbers may be JSON numbers or text.
    ///
    /// Raises InvalidLayoutError, which names the part, or line and column.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(json: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(saiban::Layout::from_json(&text("json", json)?)?)))
    }

    /// The layout as JSON, the same in all languages; numbers that may pass 2^53 are text.
    ///
    /// >>> import saiban
    /// >>> saiban.Layout.from_text("timestamp:44 random:20").to_json()
    /// '{"fields":[{"kind":"timestamp","bits":44},{"kind":"random","bits":20}],"epoch_ms":"0","tick_us":"1000"}'
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The fields as Layout takes them: (kind, bits) from the highest bit to the lowest, with a
    /// dictionary as a third item if a field has options. See places for their positions.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let fields = self.0.spec().fields().iter().map(|field| shown(py, field)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, fields)
    }

    /// The fields with their places, from the highest bit to the lowest: a tuple of saiban.Place.
    ///
    /// >>> import saiban
    /// >>> [(place.kind, place.shift, place.max) for place in saiban.Layout.TWITTER.places][2:]
    /// [('node', 12, 1023), ('sequence', 0, 4095)]
    #[getter]
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let places = self.0.places().map(|place| placed(py, &place)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, places)
    }

    /// The number of bits of an ID: 16 to 128.
    #[getter]
    fn size_bits(&self) -> u32 {
        self.0.size_bits()
    }

    /// The time of tick 0, Unix milliseconds.
    #[getter]
    fn epoch_ms(&self) -> i64 {
        self.0.epoch_ms()
    }

    /// When the first tick begins, Unix milliseconds: the epoch.
    #[getter]
    fn first_ms(&self) -> i64 {
        self.0.first_ms()
    }

    /// The last time that the layout can hold, Unix milliseconds: when its last tick begins.
    #[getter]
    fn last_ms(&self) -> i64 {
        self.0.last_ms()
    }

    /// How long the layout lasts, from the first tick to the end of the last, milliseconds.
    #[getter]
    fn lifetime_ms(&self) -> u64 {
        self.0.lifetime_ms()
    }

    /// The number of IDs that the layout holds: a saiban.Capacity.
    ///
    /// >>> import saiban
    /// >>> saiban.Layout.TWITTER.capacity
    /// Capacity(ids_per_tick=4096, nodes=1024, bits=63, ids=9223372036854775808)
    #[getter]
    fn capacity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Capacity { ids_per_tick, nodes, bits, ids } = self.0.capacity();
        named_tuple(py, "Capacity", (ids_per_tick, nodes, bits, ids))
    }

    /// The sustained number of IDs a second, of one node and of all: a saiban.Rate. It is the mean
    /// if the number of IDs in a tick is random.
    ///
    /// >>> import saiban
    /// >>> saiban.Layout.SONYFLAKE.ids_per_second
    /// Rate(per_node=25600.0, in_all=1677721600.0)
    #[getter]
    fn ids_per_second<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Rate { per_node, in_all } = self.0.ids_per_second();
        named_tuple(py, "Rate", (per_node, in_all))
    }

    /// Whether time, node, and sequence or growing random part distinguish all IDs. It is False if
    /// only a random part does: see collision_odds.
    #[getter]
    fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// The guarantee of generators of this layout: see Stats.guarantee.
    #[getter]
    fn guarantee(&self) -> &'static str {
        self.0.guarantee().name()
    }

    /// Whether IDs sort by time: no variable field is above the timestamp.
    #[getter]
    fn is_time_ordered(&self) -> bool {
        self.0.is_time_ordered()
    }

    /// The probability, 0.0 to 1.0, that at least two IDs of one node are equal, at this rate and
    /// after this time. Without a node field it is that of all generators together. It is 0.0 if
    /// IDs are unique, and 1.0 for infinitely many IDs.
    ///
    /// Raises InvalidArgumentError for a number that is negative or NaN.
    ///
    /// >>> import saiban
    /// >>> layout = saiban.Layout.from_text("timestamp:48 random:80")
    /// >>> f"{layout.collision_odds(1_000_000, 365 * 86_400):.3e}"
    /// '1.304e-08'
    fn collision_odds(&self, ids_per_second: &Bound<'_, PyAny>, seconds: &Bound<'_, PyAny>) -> Result<f64> {
        guard(|| {
            let (rate, seconds) = (float("ids_per_second", ids_per_second)?, float("seconds", seconds)?);
            Ok(self.0.collision_odds(rate, seconds)?)
        })
    }

    /// The node of these parts, a mapping of each one's name to its number.
    ///
    /// Raises UnknownNameError for a name that no part has, InvalidArgumentError for a part that is
    /// missing, NodeOutOfRangeError for a number that does not fit its part.
    ///
    /// >>> import saiban
    /// >>> layout = saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")
    /// >>> layout.node_of_parts({"worker": 3, "datacenter": 2})
    /// 67
    #[pyo3(signature = (parts, /))]
    fn node_of_parts(&self, parts: &Bound<'_, PyAny>) -> Result<i64> {
        guard(|| match parts.cast::<PyMapping>() {
            Ok(_) => node(&self.0, parts),
            Err(_) => Err(wrong_type("parts", "a mapping of names to integers", parts)),
        })
    }

    /// The parts of this node, by name; empty if they have no names.
    ///
    /// Raises NodeOutOfRangeError for a node that is not of this layout.
    ///
    /// >>> import saiban
    /// >>> saiban.Layout.from_text("timestamp:42 node.datacenter:5 node.worker:5 sequence:12").node_parts(67)
    /// {'datacenter': 2, 'worker': 3}
    #[pyo3(signature = (node, /))]
    fn node_parts<'py>(&self, py: Python<'py>, node: &Bound<'py, PyAny>) -> Result<Bound<'py, PyDict>> {
        guard(|| {
            let parts = PyDict::new(py);
            for (name, value) in named_parts(&self.0, int("node", node)?)? {
                parts.set_item(name, value)?;
            }
            Ok(parts)
        })
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

    /// The largest number of clock steps back that an ID can hold; 0 without a rollback field.
    #[getter]
    fn max_rollback(&self) -> u64 {
        self.0.max_rollback()
    }

    /// Returns this layout with a rollback field of 1 to 4 bits, which counts the clock's steps
    /// back. The bits are taken from the low end of the node field, or without one from the high
    /// end of the sequence or the growing random part.
    ///
    /// Each value of the field is like a node of its own, so a generator continues when the clock
    /// steps back.
    ///
    /// Raises InvalidLayoutError for other than 1 to 4 bits, for a field that is not wider, and
    /// where there is a rollback field.
    ///
    /// >>> import saiban
    /// >>> layout = saiban.Layout.TWITTER.with_rollback_bits(2)
    /// >>> layout.max_node, layout.max_rollback
    /// (255, 3)
    #[pyo3(signature = (bits, /))]
    fn with_rollback_bits(&self, bits: &Bound<'_, PyAny>) -> Result<Self> {
        guard(|| Ok(Layout(self.0.with_rollback_bits(self::bits("bits", bits)?)?)))
    }

    /// A script for Redis that makes IDs of this layout: for EVAL with any client, such as
    /// redis-py's register_script. KEYS[1] is a hash whose field node is the node of the IDs,
    /// ARGV[1] the number of IDs, at most 4096. The script returns a list of texts, or the error
    /// SAIBAN_WAIT with the microseconds to wait.
    ///
    /// Raises InvalidArgumentError for a layout that is not made of time, node and sequence, of at
    /// most 64 bits.
    ///
    /// >>> import saiban
    /// >>> "redis.call" in saiban.Layout.TWITTER.redis_script()
    /// True
    fn redis_script(&self) -> Result<String> {
        guard(|| Ok(self.0.redis_script()?))
    }

    /// Returns the script as a library of functions, for FUNCTION LOAD (Redis 7): FCALL name 1 key
    /// count.
    ///
    /// Raises what redis_script raises, and for a name that is not made of 1 to 48 small letters,
    /// digits and _.
    fn redis_library(&self, name: &Bound<'_, PyAny>) -> Result<String> {
        guard(|| Ok(self.0.redis_library(&text("name", name)?)?))
    }

    /// SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this
    /// layout and node: for DEFAULT name() of a column.
    ///
    /// Raises what redis_library raises; NodeOutOfRangeError.
    fn postgres_function(&self, name: &Bound<'_, PyAny>, node: &Bound<'_, PyAny>) -> Result<String> {
        guard(|| Ok(self.0.postgres_function(&text("name", name)?, int("node", node)?)?))
    }

    fn __repr__(&self) -> String {
        self.repr()
    }

    fn __str__(&self) -> String {
        self.to_text()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let text = PyTuple::new(slf.py(), [slf.get().to_text()])?;
        PyTuple::new(slf.py(), [slf.get_type().getattr("from_text")?, text.into_any()])
    }
}
