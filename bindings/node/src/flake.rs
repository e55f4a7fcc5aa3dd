//! Flake: IDs of any layout.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::{Number, WideNumber};
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use crate::layout::Layout;
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, Flake, PooledEntropy, WideFlake};

/// A generator of this layout.
#[napi(catch_unwind)]
pub fn flake<'env>(
    env: &'env Env,
    layout: &Layout,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let (options, clock) = (options.to_core(&waits), clock::any(clock));
    if layout.0.is_wide() {
        let build = |options| WideFlake::<AnyClock, _>::build(layout.0, &options, clock, PooledEntropy);
        let generator = options.and_then(build).or_throw(env)?;
        functions::<WideNumber, _>(env, generator, waits)
    } else {
        let build = |options| Flake::<AnyClock, _>::build(layout.0, &options, clock, PooledEntropy);
        let generator = options.and_then(build).or_throw(env)?;
        functions::<Number, _>(env, generator, waits)
    }
}

impl Made<Number> for Flake<AnyClock, PooledEntropy> {
    fn compose(&self, parts: &PartsGiven) -> Result<i64, Error> {
        let (counter, random) = self.layout().counter_and_random(parts.sequence_wide(), parts.random_wide())?;
        let (timestamp_ms, ns) = (parts.timestamp_ms(), parts.submillisecond_ns());
        self.compose_ns(timestamp_ms, ns, parts.node_of(self.layout())?, counter, parts.rollback(), random)
    }

    fn layout(&self) -> Option<&saiban::Layout> {
        Some(self.layout())
    }
}

impl Made<WideNumber> for WideFlake<AnyClock, PooledEntropy> {
    fn compose(&self, parts: &PartsGiven) -> Result<u128, Error> {
        let (counter, random) = self.layout().counter_and_random(parts.sequence_wide(), parts.random_wide())?;
        let (timestamp_ms, ns) = (parts.timestamp_ms(), parts.submillisecond_ns());
        self.compose_ns(timestamp_ms, ns, parts.node_of(self.layout())?, counter, parts.rollback(), random)
    }

    fn layout(&self) -> Option<&saiban::Layout> {
        Some(self.layout())
    }
}
