//! Layouts: how the bits of an ID are divided.

use crate::compose::{NodePartGiven, node_of_parts};
use crate::error::OrThrow;
use crate::integer::{Whole, given, number, saturated, whole, wide_or_negative};
use crate::parts::{NodePart, node_parts};
use napi::Env;
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::layout::{Field, FieldKind, Place};
use saiban::{Error, LayoutSpec};

/// A field: its kind, its width, and the options of its kind.
#[napi(object, object_to_js = false)]
pub struct LayoutField {
    /// `unused`, `constant`, `timestamp`, `node`, `sequence`, `random` or `rollback`.
    pub kind: String,
    /// The width.
    pub bits: f64,
    /// The name of a part of the node.
    pub name: Option<String>,
    /// The number that a constant always is.
    pub value: Option<BigInt>,
    /// The largest step by which a random part grows.
    pub step: Option<BigInt>,
    /// The start of a sequence: `0` or `random`.
    pub start: Option<String>,
}

/// A field with its position in an ID.
#[napi(object, object_from_js = false)]
pub struct LayoutPlace {
    /// The field's kind.
    pub kind: &'static str,
    /// The name of a part of the node.
    pub name: Option<String>,
    /// The width.
    pub bits: u32,
    /// The number of bits below the field.
    pub shift: u32,
    /// The largest number that the field holds.
    #[napi(ts_type = "bigint")]
    pub max: u128,
    /// The number that a constant always is.
    #[napi(ts_type = "bigint")]
    pub value: Option<u128>,
    /// The largest step by which a random part grows.
    #[napi(ts_type = "bigint")]
    pub step: Option<u128>,
    /// `random` for a sequence that begins with a random number.
    pub start: Option<&'static str>,
}

/// The number of IDs that a layout holds.
#[napi(object, object_from_js = false)]
pub struct LayoutCapacity {
    /// The most IDs of a node in a tick.
    #[napi(ts_type = "bigint")]
    pub ids_per_tick: u128,
    /// The number of nodes.
    #[napi(ts_type = "bigint")]
    pub nodes: u128,
    /// The number of bits that are neither unused nor constant.
    pub bits: u32,
    /// The number of different IDs.
    #[napi(ts_type = "bigint")]
    pub ids: u128,
}

/// The sustained number of IDs a second.
#[napi(object, object_from_js = false)]
pub struct LayoutRate {
    /// The IDs a second of one node.
    pub per_node: f64,
    /// The IDs a second of all nodes together.
    pub in_all: f64,
}

/// A valid layout.
#[napi]
pub struct Layout(pub(crate) saiban::Layout);

#[napi]
impl Layout {
    /// Checks this description: fields from the highest bit to the lowest, epoch (Unix
    /// milliseconds), tick (microseconds).
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, fields: Vec<LayoutField>, epoch_ms: BigInt, tick_us: BigInt) -> napi::Result<Self> {
        check(&fields, saturated(&epoch_ms), saturated(&tick_us)).or_throw(&env).map(Layout)
    }

    /// The preset of this name.
    #[napi(factory, catch_unwind)]
    pub fn preset(env: Env, name: String) -> napi::Result<Self> {
        saiban::Layout::preset(&name).or_throw(&env).map(Layout)
    }

    /// The layout of this text.
    #[napi(factory, catch_unwind)]
    pub fn from_text(env: Env, text: String) -> napi::Result<Self> {
        saiban::Layout::from_text(&text).or_throw(&env).map(Layout)
    }

    /// The layout of this JSON.
    #[napi(factory, catch_unwind)]
    pub fn from_json(env: Env, json: String) -> napi::Result<Self> {
        saiban::Layout::from_json(&json).or_throw(&env).map(Layout)
    }

    /// The canonical text.
    #[napi(catch_unwind)]
    pub fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The layout as JSON.
    #[napi(catch_unwind)]
    pub fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The preset's name, if it is one.
    #[napi(getter, catch_unwind)]
    pub fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// The fields with their places, from the highest bit to the lowest.
    #[napi(getter, catch_unwind)]
    pub fn places(&self) -> Vec<LayoutPlace> {
        self.0.places().map(place).collect()
    }

    /// The number of bits of an ID.
    #[napi(getter, catch_unwind)]
    pub fn size_bits(&self) -> u32 {
        self.0.size_bits()
    }

    /// The time of tick 0, Unix milliseconds.
    #[napi(getter, catch_unwind)]
    pub fn epoch_ms(&self, env: Env) -> napi::Result<f64> {
        number(self.0.epoch_ms().into()).or_throw(&env)
    }

    /// The length of a tick, microseconds.
    #[napi(getter, catch_unwind)]
    pub fn tick_us(&self, env: Env) -> napi::Result<f64> {
        number(self.0.tick_us().into()).or_throw(&env)
    }

    /// When the first tick begins, Unix milliseconds.
    #[napi(getter, catch_unwind)]
    pub fn first_ms(&self, env: Env) -> napi::Result<f64> {
        number(self.0.first_ms().into()).or_throw(&env)
    }

    /// When the last tick begins, Unix milliseconds.
    #[napi(getter, catch_unwind, ts_return_type = "number | bigint")]
    pub fn last_ms(&self) -> Whole {
        whole(self.0.last_ms().into())
    }

    /// How long it lasts, milliseconds.
    #[napi(getter, catch_unwind, ts_return_type = "number | bigint")]
    pub fn lifetime_ms(&self) -> Whole {
        whole(self.0.lifetime_ms().into())
    }

    /// The largest node id.
    #[napi(getter, catch_unwind, ts_return_type = "number | bigint")]
    pub fn max_node(&self) -> Whole {
        whole(self.0.max_node().into())
    }

    /// The largest number of clock steps back that an ID can hold.
    #[napi(getter, catch_unwind)]
    pub fn max_rollback(&self, env: Env) -> napi::Result<f64> {
        number(self.0.max_rollback().into()).or_throw(&env)
    }

    /// Whether time, node and counter distinguish all IDs.
    #[napi(getter, catch_unwind)]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// What IDs promise: `unique`, `unique_in_process` or `probable`.
    #[napi(getter, catch_unwind)]
    pub fn guarantee(&self) -> &'static str {
        self.0.guarantee().name()
    }

    /// Whether IDs sort by time.
    #[napi(getter, catch_unwind)]
    pub fn is_time_ordered(&self) -> bool {
        self.0.is_time_ordered()
    }

    /// The number of IDs that the layout holds.
    #[napi(getter, catch_unwind)]
    pub fn capacity(&self) -> LayoutCapacity {
        let saiban::layout::Capacity { ids_per_tick, nodes, bits, ids } = self.0.capacity();
        LayoutCapacity { ids_per_tick, nodes: nodes.into(), bits, ids }
    }

    /// The sustained number of IDs a second.
    #[napi(getter, catch_unwind)]
    pub fn ids_per_second(&self) -> LayoutRate {
        let saiban::layout::Rate { per_node, in_all } = self.0.ids_per_second();
        LayoutRate { per_node, in_all }
    }

    /// The probability that two IDs are equal, at this rate and after this time.
    #[napi(catch_unwind)]
    pub fn collision_odds(&self, env: Env, ids_per_second: f64, seconds: f64) -> napi::Result<f64> {
        self.0.collision_odds(ids_per_second, seconds).or_throw(&env)
    }

    /// The node of these parts.
    #[napi(catch_unwind, ts_return_type = "number | bigint")]
    pub fn node_of_parts(&self, env: Env, parts: Vec<NodePartGiven>) -> napi::Result<Whole> {
        node_of_parts(&self.0, &parts).or_throw(&env).map(|node| whole(node.into()))
    }

    /// The parts of this node that have names.
    #[napi(catch_unwind)]
    pub fn node_parts(&self, env: Env, node: BigInt) -> napi::Result<Vec<NodePart>> {
        node_parts(&self.0, given("node", &node)).or_throw(&env)
    }

    /// Returns this layout with this many bits of the node field for the clock's steps back.
    #[napi(catch_unwind)]
    pub fn with_rollback_bits(&self, env: Env, bits: f64) -> napi::Result<Layout> {
        self.0.with_rollback_bits(width(bits)).or_throw(&env).map(Layout)
    }

    /// A script for Redis that makes IDs of this layout.
    #[napi(catch_unwind)]
    pub fn redis_script(&self, env: Env) -> napi::Result<String> {
        self.0.redis_script().or_throw(&env)
    }

    /// Returns the script as a library of functions.
    #[napi(catch_unwind)]
    pub fn redis_library(&self, env: Env, name: String) -> napi::Result<String> {
        self.0.redis_library(&name).or_throw(&env)
    }

    /// A function for PostgreSQL that makes IDs of this layout and node.
    #[napi(catch_unwind)]
    pub fn postgres_function(&self, env: Env, name: String, node: BigInt) -> napi::Result<String> {
        self.0.postgres_function(&name, given("node", &node)).or_throw(&env)
    }
}

fn check(fields: &[LayoutField], epoch_ms: i64, tick_us: i64) -> Result<saiban::Layout, Error> {
    // A negative tick becomes 0, which core refuses.
    let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(u64::try_from(tick_us).unwrap_or(0));
    for field in fields {
        spec = spec.field(to_core(field)?);
    }
    spec.check()
}

fn to_core(given: &LayoutField) -> Result<Field, Error> {
    // `as` takes the nearest number of 64 bits, which core then refuses.
    let mut field = Field::of_width(FieldKind::from_name(&given.kind)?, given.bits as i64)?;
    if let Some(name) = &given.name {
        field = field.with_name(name)?;
    }
    if let Some(value) = &given.value {
        field = field.with_value(wide_or_negative(value))?;
    }
    if let Some(step) = &given.step {
        field = field.with_step(wide_or_negative(step))?;
    }
    if let Some(start) = &given.start {
        field = field.with_start(start)?;
    }
    Ok(field)
}

fn place(Place { field, shift, max }: Place) -> LayoutPlace {
    LayoutPlace {
        kind: field.kind.name(),
        name: (!field.name.is_empty()).then(|| field.name.as_str().to_owned()),
        bits: field.bits,
        shift,
        max,
        value: (field.kind == FieldKind::Constant).then_some(field.value),
        step: (field.step > 0).then_some(field.step.into()),
        start: field.random_start.then_some("random"),
    }
}

/// Converts a number of bits. `as` takes the nearest `u32`, which core refuses.
fn width(bits: f64) -> u32 {
    bits as u32
}
