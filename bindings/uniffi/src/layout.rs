//! Layouts: how the bits of an ID are divided.

use crate::error::{Failure, SaibanError, guard};
use crate::number::Natural;
use saiban::LayoutSpec;
use saiban::layout::{Field as CoreField, FieldKind};
use std::collections::HashMap;
use std::fmt;

/// One field of a layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Field {
    /// `unused`, `constant`, `timestamp`, `node`, `sequence`, `random` or `rollback` (1 to 4 bits:
    /// see `with_rollback_bits`).
    pub kind: String,
    /// The width, 1 to 127 bits; of a timestamp or a node at most 63.
    pub bits: i32,
    /// The name of a part of the node: nodes of several parts are neighbours, each with a name.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The number that a constant always is.
    #[uniffi(default = None)]
    pub value: Option<Natural>,
    /// `random` for a sequence that begins each tick with a random number in the lower half of its
    /// range, and not with 0.
    #[uniffi(default = None)]
    pub start: Option<String>,
    /// The largest step by which a random part grows within a tick. Without a step, the part is
    /// random for each ID.
    #[uniffi(default = None)]
    pub step: Option<u64>,
}

/// A field with its place in an ID.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Place {
    /// The meaning of the bits.
    pub kind: String,
    /// The name of a part of the node.
    pub name: Option<String>,
    /// The width.
    pub bits: i32,
    /// The number of bits below the field.
    pub shift: i32,
    /// The largest number that the field holds.
    pub max: Natural,
}

/// The number of IDs that a layout holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Capacity {
    /// The most IDs that one node makes in one tick: the size of the sequence, or of the growing
    /// random part. Without both it is the size of the random part, although equal IDs are likely
    /// long before. With no such field it is 1.
    pub ids_per_tick: Natural,
    /// The nodes; 1 without a node field. 2^63 is reported as 2^63 − 1.
    pub nodes: i64,
    /// The number of bits of an ID that are neither unused nor constant: `ids` is 2 to this power.
    pub bits: i32,
    /// The number of different IDs, from the first tick to the last; 2^128 − 1 for 2^128.
    pub ids: Natural,
}

/// The sustained number of IDs a second.
#[derive(Clone, Debug, PartialEq, uniffi::Record)]
pub struct Rate {
    /// The IDs a second of one node.
    pub per_node: f64,
    /// The IDs a second of all nodes together.
    pub in_all: f64,
}

/// How the 16 to 128 bits of an ID are divided, and the unit of its time. A layout is checked once,
/// when it is made.
///
/// Known ones are `Layout.TWITTER`, `BWMARRIN` (the same), `DISCORD`, `INSTAGRAM`, `SONYFLAKE`,
/// `SONYFLAKE_V2`, `MASTODON` and `BAIDU` (Swift: `Layout.twitter` and so on). As text a layout is
/// its fields, the same text in every language.
///
/// ```kotlin
/// val layout = Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
/// layout.lifetimeMs()                                         // 2199023255552: 69 years
/// layout.idsPerSecond().perNode                               // 4096000.0
/// Layout("unused" to 1, "timestamp" to 41, "node" to 10, "sequence" to 12, epochMs = 1_580_601_600_000) == layout
/// ```
/// ```swift
/// let layout = try Layout.fromText("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")
/// layout.lifetimeMs()                                         // 2199023255552: 69 years
/// layout.idsPerSecond().perNode                               // 4096000.0
/// try Layout(("unused", 1), ("timestamp", 41), ("node", 10), ("sequence", 12), epochMs: 1_580_601_600_000) == layout
/// ```
#[derive(Clone, PartialEq, Eq, Hash, uniffi::Object)]
#[uniffi::export(Debug, Display, Eq, Hash)]
pub struct Layout(saiban::Layout);

#[uniffi::export]
#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
impl Layout {
    /// A layout of these fields, from the highest bit to the lowest; their widths add up to 16 to
    /// 128. The epoch is the time of tick 0, Unix milliseconds; the tick's length is in
    /// microseconds.
    ///
    /// Errors: `InvalidLayout` with the field at fault; `UnknownName` for a field of another kind;
    /// `InvalidArgument` for a negative constant.
    #[uniffi::constructor(default(epoch_ms = 0, tick_us = 1000))]
    pub fn new(fields: Vec<Field>, epoch_ms: i64, tick_us: i64) -> Result<Self, SaibanError> {
        guard(|| {
            // A tick that does not fit becomes 0, which core refuses.
            let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(u64::try_from(tick_us).unwrap_or(0));
            for field in &fields {
                spec = field.put_into(spec)?;
            }
            Ok(Layout(spec.check()?))
        })
    }

    /// The known layout of this name: `twitter`, `bwmarrin`, `discord`, `instagram`, `sonyflake`,
    /// `sonyflake_v2`, `mastodon`, `baidu`, `ulid-flake` or `ulid-flake-scalable`.
    ///
    /// Errors: `UnknownName`.
    #[uniffi::constructor]
    pub fn preset(name: String) -> Result<Self, SaibanError> {
        guard(|| Ok(Layout(saiban::Layout::preset(&name)?)))
    }

    /// Reads a layout from its text, or from the name of a known one. Fields from the highest bit
    /// to the lowest, with spaces between them, 16 to 128 bits together:
    ///
    /// - `unused:BITS` is always 0, and `constant:BITS,value=NUMBER` always this number.
    /// - `timestamp:BITS@UNIT,epoch=TIME`, once. The unit of a tick is `us`, `ms`, `s`, `min`, `h`
    ///   or `d`, with a whole number before it or none (`10ms`), by default `ms`. The epoch is a
    ///   date (`2020-02-02`), a time in UTC (`2010-11-04T01:42:54.657Z`), or Unix milliseconds, by
    ///   default 1970-01-01.
    /// - `node:BITS`, or up to 8 neighbours `node.NAME:BITS` which are one number together.
    /// - `sequence:BITS` counts from 0 in each tick; with `,start=random` from a random number in
    ///   the lower half of its range.
    /// - `random:BITS` is random for each ID; `random:BITS,step=NUMBER` is random at each new tick,
    ///   grows by 1 to this number within the tick, and replaces the sequence.
    /// - `rollback:BITS`, 1 to 4, counts the clock's steps back.
    ///
    /// Errors: `InvalidLayout`, with the part at fault, its limit and what to do; `UnknownName` for
    /// a name that no layout has.
    #[uniffi::constructor]
    pub fn from_text(text: String) -> Result<Self, SaibanError> {
        guard(|| Ok(Layout(saiban::Layout::from_text(&text)?)))
    }

    /// Reads a layout from JSON: an object with `fields`, a list of objects with `kind`, `bits` and
    /// what else the kind has, `epoch_ms` (0 where it is missing) and `tick_us` (1000).
    ///
    /// Errors: `InvalidLayout`, with the item at fault.
    #[uniffi::constructor]
    pub fn from_json(json: String) -> Result<Self, SaibanError> {
        guard(|| Ok(Layout(saiban::Layout::from_json(&json)?)))
    }

    /// The layout as text, which `from_text` reads.
    pub fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The layout as JSON, which `from_json` reads. Numbers that may pass 2^53 are text.
    pub fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The name, when this is a known layout.
    pub fn name(&self) -> Option<String> {
        self.0.name().map(Into::into)
    }

    /// The fields, from the highest bit to the lowest.
    pub fn fields(&self) -> Vec<Field> {
        self.0.spec().fields().iter().map(Into::into).collect()
    }

    /// The fields with their places, from the highest bit to the lowest.
    pub fn places(&self) -> Vec<Place> {
        let place = |place: saiban::layout::Place| {
            let Field { kind, bits, name, .. } = (&place.field).into();
            Place { kind, name, bits, shift: place.shift as i32, max: place.max.into() }
        };
        self.0.places().map(place).collect()
    }

    /// The number of bits of an ID: 16 to 128. `FlakeGenerator` makes IDs of up to 64,
    /// `WideFlakeGenerator` of more.
    pub fn size_bits(&self) -> i32 {
        self.0.size_bits() as i32
    }

    /// The time of tick 0, Unix milliseconds.
    pub fn epoch_ms(&self) -> i64 {
        self.0.epoch_ms()
    }

    /// The length of a tick, microseconds.
    pub fn tick_us(&self) -> i64 {
        signed(self.0.tick_us())
    }

    /// The first time that it can hold, Unix milliseconds: the epoch.
    pub fn first_ms(&self) -> i64 {
        self.0.first_ms()
    }

    /// The last time that it can hold, Unix milliseconds.
    pub fn last_ms(&self) -> i64 {
        self.0.last_ms()
    }

    /// The lifetime, from the first tick to the end of the last, milliseconds. 2^63 and more are
    /// reported as 2^63 − 1.
    pub fn lifetime_ms(&self) -> i64 {
        signed(self.0.lifetime_ms())
    }

    /// The largest node id, 0 without a node field.
    pub fn max_node(&self) -> i64 {
        signed(self.0.max_node())
    }

    /// The largest sequence number, or random part that grows; 0 without them. A number of more
    /// than 63 bits is reported as 2^63 − 1: `places` has the exact number.
    pub fn max_sequence(&self) -> i64 {
        signed(self.0.max_counter())
    }

    /// The largest number of clock steps back that an ID can hold; 0 without a rollback field.
    pub fn max_rollback(&self) -> i64 {
        signed(self.0.max_rollback())
    }

    /// The number of IDs that the layout holds.
    pub fn capacity(&self) -> Capacity {
        let saiban::layout::Capacity { ids_per_tick, nodes, bits, ids } = self.0.capacity();
        Capacity { ids_per_tick: ids_per_tick.into(), nodes: signed(nodes), bits: bits as i32, ids: ids.into() }
    }

    /// The sustained number of IDs a second, of one node and of all. It is the mean if the number
    /// of IDs in a tick is random.
    pub fn ids_per_second(&self) -> Rate {
        let saiban::layout::Rate { per_node, in_all } = self.0.ids_per_second();
        Rate { per_node, in_all }
    }

    /// The probability, 0 to 1, that at least two IDs of one node are equal, at this rate and after
    /// this time. Without a node field it is that of all generators together. It is 0 if IDs are
    /// unique, and 1 for infinitely many IDs.
    ///
    /// Errors: `InvalidArgument` for a number that is negative or NaN.
    pub fn collision_odds(&self, ids_per_second: f64, seconds: f64) -> Result<f64, SaibanError> {
        guard(|| Ok(self.0.collision_odds(ids_per_second, seconds)?))
    }

    /// Whether time, node and counter distinguish all IDs. Otherwise only a random part does, and
    /// IDs are probably unique: see `collision_odds`.
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Whether IDs sort by time: no variable field is above the timestamp.
    pub fn is_time_ordered(&self) -> bool {
        self.0.is_time_ordered()
    }

    /// The values of a node's parts, by their names. For a node without named parts it is one value
    /// called `node`; for a layout without a node it is empty.
    ///
    /// Errors: `NodeOutOfRange` for a node that is not of this layout.
    pub fn node_parts(&self, node: i64) -> Result<HashMap<String, i64>, SaibanError> {
        guard(|| Ok(self.0.node_parts(node)?.map(|(name, value)| (name.into(), signed(value))).collect()))
    }

    /// The node of these parts, each given once by its name.
    ///
    /// Errors: `UnknownName` for a name that no part has; `InvalidArgument` for a part that is
    /// missing; `NodeOutOfRange` for a value that does not fit its part.
    pub fn node_of_parts(&self, parts: HashMap<String, i64>) -> Result<i64, SaibanError> {
        guard(|| {
            let parts: Vec<_> = parts.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            Ok(self.0.node_of_parts(&parts)?)
        })
    }

    /// Returns this layout with a rollback field of 1 to 4 bits for the clock's steps back, taken
    /// from the low end of the node field: 10 node bits become 8 and 2. Without a node field they
    /// are taken from the high end of the sequence, or of the random part that grows. Each value of
    /// the field is like a node of its own, so a generator continues when the clock steps back.
    ///
    /// Errors: `InvalidLayout` for other than 1 to 4 bits, for a field that is not wider, and where
    /// there is a rollback field.
    pub fn with_rollback_bits(&self, bits: i32) -> Result<Self, SaibanError> {
        // A number that does not fit becomes 0, which core refuses.
        guard(|| Ok(Layout(self.0.with_rollback_bits(u32::try_from(bits).unwrap_or(0))?)))
    }

    /// A script for Redis that makes IDs of this layout: for `EVAL` with any client. `KEYS[1]` is a
    /// hash whose field `node` is the node of the IDs, `ARGV[1]` the number of IDs, at most 4096.
    /// The script returns a list of texts, or the error `SAIBAN_WAIT` with the microseconds to
    /// wait.
    ///
    /// Errors: `InvalidArgument` for a layout that is not made of time, node and sequence, of at
    /// most 64 bits.
    pub fn redis_script(&self) -> Result<String, SaibanError> {
        guard(|| Ok(self.0.redis_script()?))
    }

    /// Returns the script as a library of functions, for `FUNCTION LOAD` (Redis 7): `FCALL name 1
    /// key count`.
    ///
    /// Errors: as `redis_script`, and for a name that is not made of 1 to 48 small letters, digits
    /// and `_`.
    pub fn redis_library(&self, name: String) -> Result<String, SaibanError> {
        guard(|| Ok(self.0.redis_library(&name)?))
    }

    /// SQL that makes a function of this name in PostgreSQL (12 and later), which makes IDs of this
    /// layout and node: for `DEFAULT name()` of a column.
    ///
    /// Errors: as `redis_library`; `NodeOutOfRange`.
    pub fn postgres_function(&self, name: String, node: i64) -> Result<String, SaibanError> {
        guard(|| Ok(self.0.postgres_function(&name, node)?))
    }
}

impl Layout {
    pub(crate) fn of(layout: saiban::Layout) -> Self {
        Layout(layout)
    }

    pub(crate) fn to_core(&self) -> saiban::Layout {
        self.0
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({})", self.0)
    }
}

impl Field {
    /// Adds the field below the fields of the description.
    fn put_into(&self, spec: LayoutSpec) -> Result<LayoutSpec, Failure> {
        let Field { kind, bits, name, value, start, step } = self;
        let mut field = CoreField::of_width(FieldKind::from_name(kind)?, (*bits).into())?;
        if let Some(name) = name {
            field = field.with_name(name)?;
        }
        if let Some(value) = value {
            field = field.with_value(Ok(value.get("a constant is negative: give 0 or more")?))?;
        }
        if let Some(start) = start {
            field = field.with_start(start)?;
        }
        if let Some(step) = *step {
            field = field.with_step(Ok(step.into()))?;
        }
        Ok(spec.field(field))
    }
}

impl From<&CoreField> for Field {
    fn from(field: &CoreField) -> Self {
        Field {
            kind: field.kind.name().into(),
            bits: field.bits as i32,
            name: (!field.name.is_empty()).then(|| field.name.as_str().into()),
            value: (field.kind == FieldKind::Constant).then(|| field.value.into()),
            start: field.random_start.then(|| "random".into()),
            step: (field.step > 0).then_some(field.step),
        }
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_is_made_again_from_its_fields() {
        for text in [
            "twitter",
            "timestamp:48 random:80,step=1",
            "constant:2,value=3 timestamp:41@10ms,epoch=2020-02-02 node.datacenter:5 node.worker:5 sequence:11,start=random",
            "unused:1 timestamp:40 node:4 rollback:2 sequence:9 random:8",
        ] {
            let layout = Layout::from_text(text.into()).unwrap();
            let same = Layout::new(layout.fields(), layout.epoch_ms(), layout.tick_us()).unwrap();
            assert_eq!(same, layout);
            assert_eq!(Layout::from_json(layout.to_json()), Ok(same));
        }
    }
}
