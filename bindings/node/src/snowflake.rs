//! Snowflake.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Number;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, leasable};
use crate::layout::Layout;
use crate::lease::Lease;
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, Options, Snowflake};

/// A generator of this layout.
#[napi(catch_unwind)]
pub fn snowflake<'env>(
    env: &'env Env,
    layout: &Layout,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
    lease: Option<&Lease>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let (layout, clock) = (layout.0, clock::any(clock));
    let build = move |options: &Options| Snowflake::<AnyClock>::build(layout, options, clock.clone());
    leasable::<Number, _>(env, lease, options.to_core(&waits), waits, build)
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
