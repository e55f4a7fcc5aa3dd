//! Ulid-Flake, stand-alone and scalable.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Number;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, leasable};
use crate::integer::maybe_given;
use crate::lease::Lease;
use napi::Env;
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::{AnyClock, Error, Options, PooledEntropy, UlidFlake, UlidFlakeFormat};

/// A generator, scalable where it is given an id or a lease.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "each is one that JavaScript gives")]
pub fn ulid_flake<'env>(
    env: &'env Env,
    scalability: Option<BigInt>,
    entropy_size: Option<BigInt>,
    epoch_ms: Option<BigInt>,
    allow_collisions: bool,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
    lease: Option<&Lease>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let default = UlidFlakeFormat::default();
    let format = UlidFlakeFormat {
        scalability: maybe_given("scalability", scalability.as_ref()),
        entropy_size: maybe_given("entropy_size", entropy_size.as_ref()).unwrap_or(default.entropy_size),
        epoch_ms: maybe_given("epoch_ms", epoch_ms.as_ref()).unwrap_or(default.epoch_ms),
        allow_collisions,
    };
    let clock = clock::any(clock);
    let build = move |options: &Options| UlidFlake::<AnyClock>::build(format, options, clock.clone(), PooledEntropy);
    leasable::<Number, _>(env, lease, options.to_core(&waits), waits, build)
}

impl Made<Number> for UlidFlake<AnyClock> {
    fn compose(&self, parts: &PartsGiven) -> Result<i64, Error> {
        self.compose(parts.timestamp_ms(), parts.random(), maybe_given("scalability", parts.node.as_ref()))
    }
}
