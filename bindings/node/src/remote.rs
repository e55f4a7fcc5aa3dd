//! IDs that a service makes, which remote generators fetch in blocks in advance. `waiting.rs` waits
//! for the service.

use crate::error::OrThrow;
use crate::form::{is_text, texts};
use crate::generator::{GeneratorFunctions, functions};
use crate::integer::{at_most_safe, maybe_given, saturated};
use crate::options::{BLOCKING_WAIT, Waits};
use crate::waiting::promise;
use crate::written;
use napi::Env;
use napi::bindgen_prelude::{BigInt, BigInt64Array, Either3, Object};
use napi_derive::napi;
use saiban::Generator;
use saiban_coordination::remote::RemoteStatus as Status;
use saiban_coordination::{AnyIssuer, AnyRemote, RemoteGenerator};
use std::sync::Arc;

/// The options of a remote generator. Core has the defaults of absent options.
#[napi(object, object_to_js = false)]
pub struct RemoteOptions {
    /// The number of IDs in a block.
    pub block: Option<BigInt>,
    /// The maximum age of an ID, milliseconds.
    pub max_age_ms: Option<BigInt>,
    /// The longest wait for the service, seconds.
    pub wait_s: Option<BigInt>,
}

impl RemoteOptions {
    /// Converts the options for core.
    fn to_core(&self) -> saiban_coordination::RemoteOptions {
        let defaults = saiban_coordination::RemoteOptions::default();
        let number =
            |name: &'static str, given: &Option<BigInt>, usual: i64| maybe_given(name, given.as_ref()).unwrap_or(usual);
        saiban_coordination::RemoteOptions {
            block: number("block", &self.block, defaults.block),
            max_age_ms: number("max_age_ms", &self.max_age_ms, defaults.max_age_ms),
            wait_s: number("wait_s", &self.wait_s, defaults.wait_s),
        }
    }
}

/// The status of a remote generator; node/src/remote.ts freezes the object.
#[napi(object, object_from_js = false)]
pub struct RemoteStatus {
    /// The number of prefetched IDs.
    pub prefetched: f64,
    /// The number of IDs that were dropped because they became too old.
    pub dropped: f64,
    /// The number of requests to the service.
    pub calls: f64,
    /// The error of the last request.
    pub why: Option<String>,
}

impl From<Status> for RemoteStatus {
    fn from(Status { prefetched, dropped, calls, why }: Status) -> Self {
        let why = why.map(|why| why.to_string());
        let [prefetched, dropped, calls] = [prefetched, dropped, calls].map(at_most_safe);
        RemoteStatus { prefetched, dropped, calls, why }
    }
}

/// A remote generator, with the functions of any generator.
#[napi]
pub struct Remote(Ids);

enum Ids {
    Narrow(Arc<RemoteGenerator<i64>>),
    Wide(Arc<RemoteGenerator<u128>>),
}

/// Evaluates an expression with a remote generator of either width.
macro_rules! with {
    ($remote:expr, $ids:ident => $what:expr) => {
        match &$remote.0 {
            Ids::Narrow($ids) => $what,
            Ids::Wide($ids) => $what,
        }
    };
}

/// Many IDs of any form.
type Many = Either3<BigInt64Array, Vec<u128>, Vec<String>>;

#[napi]
impl Remote {
    /// Returns the generator's functions.
    #[napi(catch_unwind)]
    pub fn functions<'env>(&self, env: &'env Env) -> napi::Result<GeneratorFunctions<'env>> {
        let waits = Waits { given: None, sleepless: with!(self, ids => ids.longest_wait()) };
        let ids = match &self.0 {
            Ids::Narrow(ids) => AnyIssuer::Narrow(Arc::clone(ids).issuer()),
            Ids::Wide(ids) => AnyIssuer::Wide(Arc::clone(ids).issuer()),
        };
        functions(env, ids, waits)
    }

    /// The layout's text, if the scheme has more than one layout.
    #[napi(getter, catch_unwind)]
    pub fn layout(&self) -> Option<String> {
        with!(self, ids => ids.layout().map(|layout| layout.to_string()))
    }

    /// Returns the generator's status.
    #[napi(catch_unwind)]
    pub fn status(&self, env: Env) -> napi::Result<RemoteStatus> {
        with!(self, ids => ids.status()).map(RemoteStatus::from).or_throw(&env)
    }

    /// Returns this many IDs, and waits for them.
    #[napi(catch_unwind, ts_return_type = "Promise<BigInt64Array | Array<bigint | string>>")]
    pub fn generate_many<'env>(&self, env: &'env Env, count: BigInt) -> napi::Result<Object<'env>> {
        // A negative number becomes the largest one, which core refuses.
        let count = usize::try_from(saturated(&count)).unwrap_or(usize::MAX);
        match &self.0 {
            Ids::Narrow(ids) => {
                let ids = Arc::clone(ids);
                promise(env, move || ids.take_many(count), |ids| Many::A(BigInt64Array::new(ids)))
            }
            Ids::Wide(ids) if is_text(ids.scheme()) => {
                let ids = Arc::clone(ids);
                promise(env, move || Ok(texts(&*ids, ids.take_many(count)?)?), Many::C)
            }
            Ids::Wide(ids) => {
                let ids = Arc::clone(ids);
                promise(env, move || ids.take_many(count), Many::B)
            }
        }
    }
}

/// Opens a remote generator of the service at this URL.
#[napi(catch_unwind, ts_return_type = "Promise<Remote>")]
pub fn open_remote<'env>(
    env: &'env Env,
    url: String,
    scheme: String,
    options: RemoteOptions,
) -> napi::Result<Object<'env>> {
    let options = options.to_core();
    // The other thread needs the integers for its message. This call has ended by then.
    let written = written::take();
    let open = move || AnyRemote::open(&url, &scheme, &options).map_err(|error| written::as_written(error, &written));
    promise(env, open, |ids| {
        Remote(match ids {
            AnyRemote::Narrow(ids) => Ids::Narrow(Arc::new(ids.default_max_wait(BLOCKING_WAIT))),
            AnyRemote::Wide(ids) => Ids::Wide(Arc::new(ids.default_max_wait(BLOCKING_WAIT))),
        })
    })
}
