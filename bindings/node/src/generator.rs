//! What all generators have in common, once: their options, and the functions that JavaScript calls.

use crate::compose::PartsGiven;
use crate::error::{OrThrow, Thrown};
use crate::form::{Form, byte_count};
use crate::integer::{given, maybe_given, range, saturated};
use crate::lease::Lease;
use crate::parts::Parts;
use crate::raw::{self, Ascii};
use crate::stats::Stats;
use crate::written;
use napi::Env;
use napi::bindgen_prelude::{
    BigInt, Either, Function, FunctionCallContext, JsValue, ToNapiValue, Uint8ArraySlice, Unknown,
};
use napi_derive::napi;
use saiban::{Attempt, Encoding, Error, Generator, IdValue, Layout, Leniency, Options, Rollback, Scope};
use saiban_coordination::Issuer;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// How long `generate` blocks Node's event loop at the most, unless told otherwise or for a generator's first ID.
const BLOCKING_WAIT: Duration = Duration::from_millis(5);

/// How long `generateAsync` waits at the most, unless told otherwise: it blocks nothing.
const ASYNC_WAIT: Duration = Duration::from_secs(2);

/// What core calls the ends of ranges.
const NODES: [&str; 2] = ["the first of nodes", "the end of nodes"];
const WINDOW: [&str; 2] = ["the window's start", "the window's end"];

/// What the user of any generator chooses.
#[napi(object, object_to_js = false)]
pub struct GeneratorOptions {
    /// The node.
    pub node: Option<BigInt>,
    /// A half-open range of nodes.
    pub nodes: Option<Vec<BigInt>>,
    /// The half-open window, in the format's own unit.
    pub window: Option<Vec<BigInt>>,
    /// The time of the last ID known to be used, in the window's unit.
    pub not_before: Option<BigInt>,
    /// The path of the state file.
    pub state: Option<String>,
    /// What happens when the clock steps back: `hold`, `error` or `bits`.
    pub rollback: Option<String>,
    /// How many parts the range of nodes is divided into.
    pub shards: Option<BigInt>,
    /// Which generators of the same nodes share a cursor: `machine` or `process`.
    pub scope: Option<String>,
    /// How far the clock may jump ahead, in seconds.
    pub max_jump_s: Option<BigInt>,
    /// The longest wait, in milliseconds.
    pub max_wait_ms: Option<f64>,
}

impl GeneratorOptions {
    /// How long a generator may wait.
    pub fn waits(&self) -> Result<Waits, Error> {
        let given = match self.max_wait_ms {
            None => None,
            // `as` takes the nearest wait there is.
            Some(ms) if ms >= 0.0 => Some(Duration::from_nanos((ms * 1e6).round() as u64)),
            Some(_) => {
                return Err(Error::InvalidArgument {
                    what: "maxWaitMs is no time to wait: give 0 or more milliseconds",
                });
            }
        };
        Ok(Waits { given, sleepless: given.unwrap_or(ASYNC_WAIT) })
    }

    /// These options as core has them.
    pub fn to_core(&self, waits: &Waits) -> Result<Options, Error> {
        Ok(Options {
            node: maybe_given("node", self.node.as_ref()),
            nodes: self.nodes.as_deref().map(|pair| range(NODES, pair)).transpose()?,
            window: self.window.as_deref().map(|pair| range(WINDOW, pair)).transpose()?,
            not_before: maybe_given("not_before", self.not_before.as_ref()),
            state: self.state.as_ref().map(PathBuf::from),
            rollback: self.rollback.as_deref().map(Rollback::from_name).transpose()?,
            shards: maybe_given("shards", self.shards.as_ref()),
            scope: self.scope.as_deref().map(Scope::from_name).transpose()?,
            max_jump: self.max_jump_s.as_ref().map(|max_jump_s| Options::jump_s(saturated(max_jump_s))).transpose()?,
            max_wait: waits.given,
            usual_wait: Some(BLOCKING_WAIT),
            ..Options::default()
        })
    }
}

/// How long a generator may wait.
#[derive(Clone, Copy)]
pub struct Waits {
    /// What the user says.
    given: Option<Duration>,
    /// In `generateAsync`, which leaves the waiting to a timer.
    sleepless: Duration,
}

impl Waits {
    /// How long whoever must not block Node's event loop does.
    pub const BLOCKING: Duration = BLOCKING_WAIT;

    /// Of a generator whose own longest wait is this.
    pub fn within(longest: Duration) -> Self {
        Waits { given: None, sleepless: longest }
    }
}

/// A generator whose IDs are of this form, as far as schemes differ.
pub trait Made<F: Form>: Generator<F::Id> {
    /// The ID of these parts.
    fn compose(&self, parts: &PartsGiven) -> Result<F::Id, Error>;

    /// The layout, if its node may have named parts.
    fn layout(&self) -> Option<&Layout> {
        None
    }

    /// What it means that no ID could be made.
    fn explain(&self, error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl<F: Form, G: Made<F>> Made<F> for Issuer<G> {
    fn compose(&self, parts: &PartsGiven) -> Result<F::Id, Error> {
        self.reader().compose(parts)
    }

    fn layout(&self) -> Option<&Layout> {
        self.reader().layout()
    }

    fn explain(&self, error: Error) -> Failure {
        Failure::Lease(Issuer::explain(self, error))
    }
}

/// The functions of a generator with these options, or of one for the lease, with those that a lease leaves open.
pub fn leasable<'env, F: Form, G: Made<F> + 'static>(
    env: &'env Env,
    lease: Option<&Lease>,
    options: Result<Options, Error>,
    waits: Waits,
    build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
) -> napi::Result<GeneratorFunctions<'env>> {
    match lease {
        // Not an `Issuer` too, so that nobody pays for leases who has none; and core's errors tell numbers as they were written.
        None => functions(env, options.and_then(|options| build(&options)).or_throw(env)?, waits),
        Some(Lease(lease)) => {
            let options = options.or_throw(env)?;
            functions(env, Issuer::new(Some(lease), options, build).or_throw(env)?, waits)
        }
    }
}

/// A generator, as functions over it (see the crate's documentation). They take arguments of the right type: node/src
/// checks them.
#[napi(object, object_from_js = false)]
pub struct GeneratorFunctions<'env> {
    /// The family of its IDs.
    pub scheme: &'static str,
    /// Makes an ID; blocks while it waits. Where there is a `slot`, the ID is in there.
    #[napi(ts_type = "(() => bigint | string | undefined) & { slot?: BigInt64Array }")]
    pub generate: Unknown<'env>,
    /// Makes an ID if that needs no wait.
    #[napi(ts_type = "() => bigint | string | null")]
    pub try_generate: Unknown<'env>,
    /// Makes an ID, or answers how many milliseconds to wait before the next try; it is told how many were waited.
    #[napi(ts_type = "(waitedMs: number) => bigint | string | number")]
    pub attempt: Unknown<'env>,
    /// Makes this many IDs.
    #[napi(ts_type = "(count: bigint) => BigInt64Array | Array<bigint | string>")]
    pub generate_many: Unknown<'env>,
    /// Fills an array that no other thread sees; answers how many IDs it wrote.
    #[napi(ts_type = "(ids: BigInt64Array | Uint8Array) => number")]
    pub fill: Unknown<'env>,
    /// Makes an ID, as canonical text.
    #[napi(ts_type = "() => string")]
    pub generate_text: Unknown<'env>,
    /// Makes an ID, as text in this encoding.
    #[napi(ts_type = "(encoding: string) => string")]
    pub generate_text_as: Unknown<'env>,
    /// Writes an ID as text.
    #[napi(ts_type = "(id: bigint | string, encoding: string | undefined) => string")]
    pub to_text: Unknown<'env>,
    /// Reads an ID from its canonical text.
    #[napi(ts_type = "(text: string, lenient: boolean) => bigint | string")]
    pub from_text: Unknown<'env>,
    /// Writes an ID into an array of as many bytes as it has, which no other thread sees; only where IDs are text.
    #[napi(ts_type = "(id: string, bytes: Uint8Array) => void")]
    pub to_bytes: Option<Unknown<'env>>,
    /// Reads an ID from an array of as many bytes as it has; only where IDs are text.
    #[napi(ts_type = "(bytes: Uint8Array) => string")]
    pub from_bytes: Option<Unknown<'env>>,
    /// Makes the ID of these parts.
    #[napi(ts_type = "(parts: PartsGiven) => bigint | string")]
    pub compose: Unknown<'env>,
    /// Takes an ID, or its canonical text, apart.
    #[napi(ts_type = "(id: bigint | string) => Parts")]
    pub inspect: Unknown<'env>,
    /// The smallest and the largest ID of a half-open interval, Unix milliseconds.
    #[napi(ts_type = "(startMs: bigint, endMs: bigint) => Array<bigint | string>")]
    pub range: Unknown<'env>,
    /// What the generator tells of itself.
    #[napi(ts_type = "() => Stats")]
    pub stats: Unknown<'env>,
}

/// The functions of a generator. They own it together: it goes when JavaScript has forgotten them.
pub fn functions<F: Form, G: Made<F> + 'static>(
    env: &Env,
    generator: G,
    waits: Waits,
) -> napi::Result<GeneratorFunctions<'_>> {
    let scheme = generator.scheme().name();
    let maker = Maker { env, generator: Rc::new(generator), form: PhantomData::<F> };
    Ok(GeneratorFunctions {
        scheme,
        generate: F::function(env, "generate", maker.bare(F::made))?,
        try_generate: raw::function(
            env,
            "tryGenerate",
            maker.bare(|ids| match ids.try_generate()? {
                Attempt::Ready(id) => Ok(Some(F::shown(ids, id)?)),
                Attempt::Wait(_) => Ok(None),
            }),
        )?,
        attempt: maker.making("attempt", move |ids, call| {
            let waited = Duration::from_nanos((call.get::<f64>(0)? * 1e6) as u64);
            Ok(match ids.try_generate_within(waits.sleepless.saturating_sub(waited))? {
                Attempt::Ready(id) => Either::A(F::shown(ids, id)?),
                Attempt::Wait(wait) => Either::B(wait.as_nanos() as f64 / 1e6),
            })
        })?,
        generate_many: maker.making("generateMany", |ids, call| {
            // What is no number of IDs at all is too many for core.
            let count = usize::try_from(saturated(&call.get(0)?)).unwrap_or(usize::MAX);
            Ok(F::many(ids, count)?)
        })?,
        fill: maker.making("fill", |ids, call| Ok(F::fill(ids, call)? as f64))?,
        generate_text: raw::function(env, "generateText", maker.bare(|ids| ids.generate_text(None).map(Ascii)))?,
        generate_text_as: maker
            .making("generateTextAs", |ids, call| Ok(Ascii(ids.generate_text(encoding(call, 0)?)?)))?,
        to_text: maker.function("toText", |ids, call| {
            let id = F::read(ids, call, 0)?;
            Ok(Ascii(ids.to_text_as(id, encoding(call, 1)?)?))
        })?,
        from_text: maker.function("fromText", |ids, call| {
            let leniency = Leniency::lenient_if(call.get(1)?);
            let id = ids.from_text_as(&call.get::<String>(0)?, leniency)?;
            Ok(F::shown(ids, id)?)
        })?,
        to_bytes: match F::HAS_BYTES {
            false => None,
            true => Some(maker.function("toBytes", |ids, call| {
                let id = F::read(ids, call, 0)?;
                let mut array: Uint8ArraySlice<'_> = call.get(1)?;
                let all = id.any(ids.bits()).value().to_be_bytes();
                // The lowest bytes, as many as there is room for.
                for (place, byte) in raw::bytes(&mut array).iter_mut().rev().zip(all.iter().rev()) {
                    *place = *byte;
                }
                Ok(())
            })?),
        },
        from_bytes: match F::HAS_BYTES {
            false => None,
            true => Some(maker.function("fromBytes", |ids, call| {
                let bytes: Uint8ArraySlice<'_> = call.get(0)?;
                if bytes.len() != byte_count(ids) {
                    return Err(Failure::Core(Error::InvalidArgument {
                        what: "the bytes are no ID of this scheme: give 12 for an ObjectId, 16 for a ULID or UUID",
                    }));
                }
                let id = F::of(bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)));
                ids.inspect(id)?;
                Ok(F::shown(ids, id)?)
            })?),
        },
        compose: maker.function("compose", |ids, call| {
            let id = ids.compose(&call.get::<PartsGiven>(0)?)?;
            Ok(F::shown(ids, id)?)
        })?,
        inspect: maker.function("inspect", |ids, call| {
            let id = F::read(ids, call, 0)?;
            let parts = ids.inspect(id)?;
            let shown = F::any(F::shown(ids, id)?);
            Ok(Parts::of(parts, shown, ids.to_text(id)?, ids.layout())?)
        })?,
        range: maker.function("range", |ids, call| {
            let (first, last) = ids.range(given("start", &call.get(0)?), given("end", &call.get(1)?))?.into_inner();
            Ok(vec![F::shown(ids, first)?, F::shown(ids, last)?])
        })?,
        stats: maker.function("stats", |ids, _| Ok(Stats::from(ids.stats()?)))?,
    })
}

/// The encoding of this name, if an argument gives one.
fn encoding(call: &FunctionCallContext<'_>, index: usize) -> Result<Option<Encoding>, Failure> {
    let name: Option<String> = call.get(index)?;
    Ok(name.as_deref().map(Encoding::from_name).transpose()?)
}

/// What a function answers when it fails: core's error, why there is no lease, or that an argument could not be converted.
pub enum Failure {
    Core(Error),
    Lease(saiban_coordination::Error),
    Conversion(napi::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<napi::Error> for Failure {
    fn from(error: napi::Error) -> Self {
        Failure::Conversion(error)
    }
}

impl Failure {
    /// As napi-rs throws it.
    #[cold]
    fn thrown(self, env: &Env) -> napi::Error {
        match self {
            Failure::Core(error) => error.thrown(env),
            Failure::Lease(error) => error.thrown(env),
            Failure::Conversion(error) => error,
        }
    }
}

/// Makes functions over one generator.
struct Maker<'env, F, G> {
    env: &'env Env,
    generator: Rc<G>,
    form: PhantomData<F>,
}

impl<'env, F: Form, G: Made<F> + 'static> Maker<'env, F, G> {
    /// A function that makes IDs.
    fn making<Answer: ToNapiValue>(
        &self,
        name: &str,
        body: impl Fn(&G, &FunctionCallContext<'_>) -> Result<Answer, Failure> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        self.function(name, move |ids, call| {
            body(ids, call).map_err(|failure| match failure {
                Failure::Core(error) => ids.explain(error),
                failure => failure,
            })
        })
    }

    /// The body of a function that makes IDs and takes no arguments. Such are called for each ID, and have the shortest way.
    fn bare<Answer>(
        &self,
        body: impl Fn(&G) -> Result<Answer, Error> + 'static,
    ) -> impl Fn(&Env) -> napi::Result<Answer> + 'static {
        let generator = Rc::clone(&self.generator);
        move |env| body(&generator).map_err(|error| generator.explain(error).thrown(env))
    }

    /// A function of any type: what it takes and answers is node/src's to know.
    fn function<Answer: ToNapiValue>(
        &self,
        name: &str,
        body: impl Fn(&G, &FunctionCallContext<'_>) -> Result<Answer, Failure> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        let generator = Rc::clone(&self.generator);
        let function: Function<'env, (), Answer> = self.env.create_function_from_closure(name, move |call| {
            let answer = body(&generator, &call).map_err(|failure| failure.thrown(call.env));
            written::forget();
            answer
        })?;
        Ok(function.to_unknown())
    }
}
