//! Layouts: which bits an ID has.

use crate::error::OrThrow;
use crate::integer::saturated;
use crate::parts::number;
use napi::Env;
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::layout::{Field, FieldKind};
use saiban::{Error, LayoutSpec};

/// A field: what it holds, and how many bits wide it is.
#[napi(object)]
pub struct LayoutField {
    /// `unused`, `timestamp`, `node`, `sequence`, `random` or `rollback`.
    pub name: String,
    /// The width.
    pub bits: f64,
}

/// A layout that was checked.
#[napi]
pub struct Layout(pub(crate) saiban::Layout);

#[napi]
impl Layout {
    /// Checks this description: fields from the highest bit to the lowest, epoch (Unix milliseconds), tick (microseconds).
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, fields: Vec<LayoutField>, epoch_ms: BigInt, tick_us: BigInt) -> napi::Result<Self> {
        check(&fields, saturated(&epoch_ms), saturated(&tick_us)).or_throw(&env).map(Layout)
    }

    /// The preset of this name.
    #[napi(factory, catch_unwind)]
    pub fn preset(env: Env, name: String) -> napi::Result<Self> {
        saiban::Layout::preset(&name).or_throw(&env).map(Layout)
    }

    /// The preset's name, if it is one.
    #[napi(getter, catch_unwind)]
    pub fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// The fields, from the highest bit to the lowest.
    #[napi(getter, catch_unwind)]
    pub fn fields(&self) -> Vec<LayoutField> {
        let field = |field: &Field| LayoutField { name: field.kind.name().to_owned(), bits: f64::from(field.bits) };
        self.0.spec().fields().iter().map(field).collect()
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

    /// The largest node id.
    #[napi(getter, catch_unwind)]
    pub fn max_node(&self, env: Env) -> napi::Result<f64> {
        number(self.0.max_node().into()).or_throw(&env)
    }

    /// The largest number of the clock's steps back that an ID can tell.
    #[napi(getter, catch_unwind)]
    pub fn max_rollback(&self, env: Env) -> napi::Result<f64> {
        number(self.0.max_rollback().into()).or_throw(&env)
    }

    /// The same layout with so many bits of the node field for the clock's steps back.
    #[napi(catch_unwind)]
    pub fn with_rollback_bits(&self, env: Env, bits: f64) -> napi::Result<Layout> {
        self.0.with_rollback_bits(width(bits)).or_throw(&env).map(Layout)
    }
}

fn check(fields: &[LayoutField], epoch_ms: i64, tick_us: i64) -> Result<saiban::Layout, Error> {
    // A tick below 0 is no tick either: core refuses 0.
    let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(u64::try_from(tick_us).unwrap_or(0));
    for field in fields {
        spec = spec.field(Field::new(FieldKind::from_name(&field.name)?, width(field.bits)));
    }
    spec.check()
}

/// So many bits. `as` takes the nearest width there is, which core then refuses.
fn width(bits: f64) -> u32 {
    bits as u32
}
