//! Randflake.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Number;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, leasable};
use crate::lease::Lease;
use napi::Env;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use saiban::{AnyClock, Error, Options, Randflake, Secret};

/// A generator under this secret. Core keeps the key schedule only; under a lease, which may be followed by another, the secret too.
#[napi(catch_unwind)]
pub fn randflake<'env>(
    env: &'env Env,
    secret: Uint8Array,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
    lease: Option<&Lease>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let secret = Secret::from_slice(&secret).or_throw(env)?;
    let clock = clock::any(clock);
    let build = move |options: &Options| Randflake::<AnyClock>::build(&secret, options, clock.clone());
    leasable::<Number, _>(env, lease, options.to_core(&waits), waits, build)
}

impl Made<Number> for Randflake<AnyClock> {
    fn compose(&self, parts: &PartsGiven) -> Result<i64, Error> {
        self.compose(parts.timestamp_ms(), parts.node(), parts.sequence())
    }
}
