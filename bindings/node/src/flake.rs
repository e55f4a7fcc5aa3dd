//! Flake: IDs of any layout.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::{Number, WideNumber};
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, leasable};
use crate::layout::Layout;
use crate::lease::Lease;
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, Flake, Options, PooledEntropy, WideFlake};

/// A generator of this layout.
#[napi(catch_unwind)]
pub fn flake<'env>(
    env: &'env Env,
    layout: &Layout,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
    lease: Option<&Lease>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let (layout, options, clock) = (layout.0, options.to_core(&waits), clock::any(clock));
    if layout.is_wide() {
        let build =
            move |options: &Options| WideFlake::<AnyClock, _>::build(layout, options, clock.clone(), PooledEntropy);
        leasable::<WideNumber, _>(env, lease, options, waits, build)
    } else {
        let build = move |options: &Options| Flake::<AnyClock, _>::build(layout, options, clock.clone(), PooledEntropy);
        leasable::<Number, _>(env, lease, options, waits, build)
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
