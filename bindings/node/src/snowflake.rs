//! Snowflake.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Number;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use crate::layout::Layout;
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, Snowflake};

/// A generator of this layout.
#[napi(catch_unwind)]
pub fn snowflake<'env>(
    env: &'env Env,
    layout: &Layout,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let build = |options| Snowflake::<AnyClock>::build(layout.0, &options, clock::any(clock));
    let generator = options.to_core(&waits).and_then(build).or_throw(env)?;
    functions::<Number, _>(env, generator, waits)
}

impl Made<Number> for Snowflake<AnyClock> {
    fn compose(&self, parts: &PartsGiven) -> Result<i64, Error> {
        let node = parts.node_of(self.layout())?;
        let (timestamp_ms, ns) = (parts.timestamp_ms(), parts.submillisecond_ns());
        self.compose_ns(timestamp_ms, ns, node, parts.sequence(), parts.rollback())
    }

    fn layout(&self) -> Option<&saiban::Layout> {
        Some(self.layout())
    }
}
