//! Snowflake.

use crate::clock::{self, ManualClock};
use crate::error::OrThrow;
use crate::generator::{Compose, GeneratorFunctions, GeneratorOptions, functions};
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
    functions(env, generator, waits)
}

impl Compose for Snowflake<AnyClock> {
    fn compose(
        &self,
        timestamp_ms: i64,
        node: i64,
        sequence: Option<i64>,
        rollback: Option<i64>,
    ) -> Result<i64, Error> {
        self.compose_rollback(timestamp_ms, node, sequence.unwrap_or(0), rollback.unwrap_or(0))
    }
}
