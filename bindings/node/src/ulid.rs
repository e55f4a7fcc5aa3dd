//! ULID.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Text;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use napi::Env;
use napi_derive::napi;
use saiban::{AnyClock, Error, PooledEntropy, Ulid};

/// A generator.
#[napi(catch_unwind)]
pub fn ulid<'env>(
    env: &'env Env,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let build = |options| Ulid::<AnyClock, _>::build(&options, clock::any(clock), PooledEntropy);
    let generator = options.to_core(&waits).and_then(build).or_throw(env)?;
    functions::<Text, _>(env, generator, waits)
}

impl Made<Text> for Ulid<AnyClock, PooledEntropy> {
    fn compose(&self, parts: &PartsGiven) -> Result<u128, Error> {
        self.compose(parts.timestamp_ms(), parts.random_wide())
    }
}
