//! Randflake.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Number;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use napi::Env;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use saiban::{AnyClock, Error, Randflake, Secret};

/// A generator under this secret, of which core keeps the key schedule only.
#[napi(catch_unwind)]
pub fn randflake<'env>(
    env: &'env Env,
    secret: Uint8Array,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let waits = options.waits().or_throw(env)?;
    let secret = Secret::from_slice(&secret).or_throw(env)?;
    let build = |options| Randflake::<AnyClock>::build(&secret, &options, clock::any(clock));
    let generator = options.to_core(&waits).and_then(build).or_throw(env)?;
    functions::<Number, _>(env, generator, waits)
}

impl Made<Number> for Randflake<AnyClock> {
    fn compose(&self, parts: &PartsGiven) -> Result<i64, Error> {
        self.compose(parts.timestamp_ms(), parts.node(), parts.sequence())
    }
}
