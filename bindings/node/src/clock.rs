//! The manual clock, for tests.

use crate::error::OrThrow;
use crate::integer::given;
use napi::Env;
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::AnyClock;
use std::sync::Arc;

/// A clock that stands still until it is set or advanced.
#[napi]
pub struct ManualClock(Arc<saiban::ManualClock>);

#[napi]
impl ManualClock {
    /// A clock that shows this time, Unix milliseconds.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, timestamp_ms: BigInt) -> napi::Result<Self> {
        saiban::ManualClock::new(given("timestamp_ms", &timestamp_ms))
            .or_throw(&env)
            .map(|clock| ManualClock(Arc::new(clock)))
    }

    /// The time it shows, Unix milliseconds.
    #[napi(getter, catch_unwind)]
    pub fn now_ms(&self) -> f64 {
        self.0.now_ms() as f64
    }

    /// Shows this time from now on, Unix milliseconds.
    #[napi(catch_unwind)]
    pub fn set(&self, env: Env, timestamp_ms: BigInt) -> napi::Result<()> {
        self.0.set(given("timestamp_ms", &timestamp_ms)).or_throw(&env)
    }

    /// Moves the time by this many milliseconds.
    #[napi(catch_unwind)]
    pub fn advance(&self, env: Env, delta_ms: BigInt) -> napi::Result<()> {
        self.0.advance(given("delta_ms", &delta_ms)).or_throw(&env)
    }
}

/// Returns the given clock, or the system's.
pub fn any(clock: Option<&ManualClock>) -> AnyClock {
    clock.map_or(AnyClock::System, |clock| AnyClock::Manual(Arc::clone(&clock.0)))
}
