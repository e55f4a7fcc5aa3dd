//! Tick IDs.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Text;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, PooledEntropy, TickId, TickOrder};

/// A generator of this order: `ascending` or `descending`.
#[napi(catch_unwind)]
pub fn tick_id<'env>(
    env: &'env Env,
    order: String,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let order = TickOrder::from_name(&order).or_throw(env)?;
    let build = |options| TickId::<AnyClock, _>::build(order, &options, clock::any(clock), PooledEntropy);
    let generator = options.to_core(&waits).and_then(build).or_throw(env)?;
    functions::<Text, _>(env, generator, waits)
}

impl Made<Text> for TickId<AnyClock, PooledEntropy> {
    fn compose(&self, parts: &PartsGiven) -> Result<u128, Error> {
        self.compose_ns(parts.timestamp_ms(), parts.submillisecond_ns(), parts.random())
    }
}
