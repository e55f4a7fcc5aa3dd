//! What all generators have in common, once: their options, and the functions that JavaScript calls.

use crate::error::OrThrow;
use crate::integer::{exact, range, saturated, saturated_if_given};
use crate::parts::Parts;
use crate::raw;
use crate::stats::Stats;
use napi::Env;
use napi::bindgen_prelude::{
    BigInt, BigInt64Array, BigInt64ArraySlice, Either, Function, FunctionCallContext, JsValuesTupleIntoVec, i64n,
};
use napi_derive::napi;
use saiban::{Attempt, Encoding, Error, Generator, Leniency, Options, Rollback};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// How long `generate` blocks Node's event loop at the most, unless told otherwise or for a generator's first ID.
const BLOCKING_WAIT: Duration = Duration::from_millis(5);

/// How long `generateAsync` waits at the most, unless told otherwise: it blocks nothing.
const ASYNC_WAIT: Duration = Duration::from_secs(2);

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
            node: self.node.as_ref().map(saturated),
            nodes: self.nodes.as_deref().map(range).transpose()?,
            window: self.window.as_deref().map(range).transpose()?,
            not_before: self.not_before.as_ref().map(saturated),
            state: self.state.as_ref().map(PathBuf::from),
            rollback: self.rollback.as_deref().map(Rollback::from_name).transpose()?,
            shards: self.shards.as_ref().map(saturated),
            max_jump: self.max_jump_s.as_ref().map(|max_jump_s| Options::jump_s(saturated(max_jump_s))).transpose()?,
            max_wait: waits.given,
            usual_wait: Some(BLOCKING_WAIT),
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

/// A generator whose IDs can also be made of parts.
pub trait Compose: Generator {
    /// The ID of these parts: after the time, node, sequence and rollback, or random part and scalability id.
    fn compose(&self, timestamp_ms: i64, second: i64, third: Option<i64>, fourth: Option<i64>) -> Result<i64, Error>;
}

/// A generator, as functions over it (see the crate's documentation). They take arguments of the right type: node/src
/// checks them.
#[napi(object, object_from_js = false)]
pub struct GeneratorFunctions<'env> {
    /// Makes an ID; blocks while it waits.
    #[napi(ts_type = "() => bigint")]
    pub generate: Function<'env, (), i64n>,
    /// Makes an ID if that needs no wait.
    #[napi(ts_type = "() => bigint | null")]
    pub try_generate: Function<'env, (), Option<i64n>>,
    /// Makes an ID, or answers how many milliseconds to wait before the next try; it is told how many were waited.
    #[napi(ts_type = "(waitedMs: number) => bigint | number")]
    pub attempt: Function<'env, f64, Either<i64n, f64>>,
    /// Makes this many IDs.
    #[napi(ts_type = "(count: bigint) => BigInt64Array")]
    pub generate_many: Function<'env, BigInt, BigInt64Array>,
    /// Fills an array that no other thread sees; answers how many it wrote.
    #[napi(ts_type = "(ids: BigInt64Array) => number")]
    pub fill: Function<'env, BigInt64Array, f64>,
    /// Makes an ID, as text.
    #[napi(ts_type = "(encoding: string | undefined) => string")]
    pub generate_text: Function<'env, Option<String>, String>,
    /// Writes an ID as text.
    #[napi(ts_type = "(id: bigint, encoding: string | undefined) => string")]
    pub to_text: Function<'env, BigInt, String>,
    /// Reads an ID from its canonical text.
    #[napi(ts_type = "(text: string, lenient: boolean) => bigint")]
    pub from_text: Function<'env, String, i64n>,
    /// Makes the ID of these parts.
    #[napi(
        ts_type = "(timestampMs: bigint, second: bigint, third: bigint | undefined, fourth: bigint | undefined) => bigint"
    )]
    pub compose: Function<'env, BigInt, i64n>,
    /// Takes an ID, or its canonical text, apart.
    #[napi(ts_type = "(id: bigint | string) => Parts")]
    pub inspect: Function<'env, BigInt, Parts>,
    /// What the generator tells of itself.
    #[napi(ts_type = "() => Stats")]
    pub stats: Function<'env, (), Stats>,
}

/// The functions of a generator. They own it together: it goes when JavaScript has forgotten them.
pub fn functions<G: Compose + 'static>(env: &Env, generator: G, waits: Waits) -> napi::Result<GeneratorFunctions<'_>> {
    let maker = Maker { env, generator: Rc::new(generator) };
    Ok(GeneratorFunctions {
        generate: maker.function("generate", |ids, _| ids.generate().map(i64n).map_err(Into::into))?,
        try_generate: maker.function("tryGenerate", |ids, _| match ids.try_generate()? {
            Attempt::Ready(id) => Ok(Some(i64n(id))),
            Attempt::Wait(_) => Ok(None),
        })?,
        attempt: maker.function("attempt", move |ids, call| {
            let waited = Duration::from_nanos((call.get::<f64>(0)? * 1e6) as u64);
            Ok(match ids.try_generate_within(waits.sleepless.saturating_sub(waited))? {
                Attempt::Ready(id) => Either::A(i64n(id)),
                Attempt::Wait(wait) => Either::B(wait.as_nanos() as f64 / 1e6),
            })
        })?,
        generate_many: maker.function("generateMany", |ids, call| {
            // What is no number of IDs at all is too many for core.
            let count = usize::try_from(saturated(&call.get(0)?)).unwrap_or(usize::MAX);
            Ok(BigInt64Array::new(ids.generate_many(count)?))
        })?,
        fill: maker.function("fill", |ids, call| {
            let mut array: BigInt64ArraySlice<'_> = call.get(0)?;
            Ok(ids.fill(raw::elements(&mut array))? as f64)
        })?,
        generate_text: maker
            .function("generateText", |ids, call| Ok(ids.generate_text(encoding(call, 0)?)?.as_str().to_owned()))?,
        to_text: maker.function("toText", |ids, call| {
            let id = exact(&call.get(0)?, ids.scheme().name())?;
            Ok(ids.to_text_as(id, encoding(call, 1)?)?.as_str().to_owned())
        })?,
        from_text: maker.function("fromText", |ids, call| {
            let leniency = Leniency::lenient_if(call.get(1)?);
            Ok(i64n(ids.from_text_as(&call.get::<String>(0)?, leniency)?))
        })?,
        compose: maker.function("compose", |ids, call| {
            let (third, fourth) = (saturated_if_given(call.get(2)?), saturated_if_given(call.get(3)?));
            Ok(i64n(ids.compose(saturated(&call.get(0)?), saturated(&call.get(1)?), third, fourth)?))
        })?,
        inspect: maker.function("inspect", |ids, call| {
            let id = match call.get::<Either<BigInt, String>>(0)? {
                Either::A(id) => exact(&id, ids.scheme().name())?,
                Either::B(text) => ids.from_text(&text)?,
            };
            Ok(Parts::try_from(ids.inspect(id)?)?)
        })?,
        stats: maker.function("stats", |ids, _| Ok(Stats::from(ids.stats()?)))?,
    })
}

/// The encoding of this name, if an argument gives one.
fn encoding(call: &FunctionCallContext<'_>, index: usize) -> Result<Option<Encoding>, Failure> {
    let name: Option<String> = call.get(index)?;
    Ok(name.as_deref().map(Encoding::from_name).transpose()?)
}

/// What a function answers when it fails: core's error, or that of converting an argument.
enum Failure {
    Core(Error),
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

/// Makes functions over one generator.
struct Maker<'env, G> {
    env: &'env Env,
    generator: Rc<G>,
}

impl<'env, G: Compose + 'static> Maker<'env, G> {
    fn function<Arguments, Answer>(
        &self,
        name: &str,
        body: impl Fn(&G, &FunctionCallContext<'_>) -> Result<Answer, Failure> + 'static,
    ) -> napi::Result<Function<'env, Arguments, Answer>>
    where
        Arguments: JsValuesTupleIntoVec,
        Answer: napi::bindgen_prelude::ToNapiValue,
    {
        let generator = Rc::clone(&self.generator);
        self.env.create_function_from_closure(name, move |call| {
            body(&generator, &call).or_else(|failure| match failure {
                Failure::Core(error) => Err(error).or_throw(call.env),
                Failure::Conversion(error) => Err(error),
            })
        })
    }
}
