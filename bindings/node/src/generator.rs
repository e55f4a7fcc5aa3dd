//! Generators of any scheme, as the functions that JavaScript calls.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::{Failure, OrThrow, Thrown};
use crate::form::{Form, Ids, Number, Text, WideNumber, encoding_of_ids, is_text};
use crate::integer::{given, saturated};
use crate::lease::Lease;
use crate::options::{GeneratorOptions, SpecGiven, Waits};
use crate::parts::Parts;
use crate::raw::{self, Ascii, Written};
use crate::stats::Stats;
use napi::Env;
use napi::bindgen_prelude::{Either, Function, FunctionCallContext, JsValue, ToNapiValue, Uint8ArraySlice, Unknown};
use napi_derive::napi;
use saiban::{Attempt, Encoding, Error, IdValue, Leniency};
use saiban_coordination::{AnyIssuer, Issuer, NodesFrom};
use std::marker::PhantomData;
use std::rc::Rc;
use std::time::Duration;

/// A generator, as functions over it (see the crate's documentation). node/src checks the types of
/// arguments.
#[napi(object, object_from_js = false)]
pub struct GeneratorFunctions<'env> {
    /// The scheme of its IDs.
    pub scheme: &'static str,
    /// Whether IDs are text.
    pub is_text: bool,
    /// The number of bytes of an ID in an array of bytes; 0 if arrays hold the IDs themselves.
    pub id_bytes: u32,
    /// Makes an ID; blocks while it waits. If there is a `slot`, the ID is in the slot.
    #[napi(ts_type = "(() => bigint | string | undefined) & { slot?: BigInt64Array }")]
    pub generate: Unknown<'env>,
    /// Makes an ID if that needs no wait.
    #[napi(ts_type = "() => bigint | string | null")]
    pub try_generate: Unknown<'env>,
    /// Makes an ID, or returns the milliseconds to wait before the next try; takes the milliseconds
    /// waited so far.
    #[napi(ts_type = "(waitedMs: number) => bigint | string | number")]
    pub attempt: Unknown<'env>,
    /// Makes this many IDs.
    #[napi(ts_type = "(count: bigint) => BigInt64Array | Array<bigint | string>")]
    pub generate_many: Unknown<'env>,
    /// Fills an array that no other thread can access; returns the number of IDs written.
    #[napi(ts_type = "(ids: BigInt64Array | Uint8Array) => number")]
    pub fill: Unknown<'env>,
    /// Makes an ID, as canonical text.
    #[napi(ts_type = "() => string")]
    pub generate_text: Unknown<'env>,
    /// Makes an ID, as text in this encoding.
    #[napi(ts_type = "(encoding: string) => string")]
    pub generate_text_as: Unknown<'env>,
    /// Only for text with `idBytes`, and where native code can write into arrays: makes an ID in
    /// the slot, as bytes.
    #[napi(ts_type = "(() => void) & { slot: Uint8Array }")]
    pub generate_bytes: Option<Unknown<'env>>,
    /// Writes an ID as text.
    #[napi(ts_type = "(id: bigint | string, encoding: string | undefined) => string")]
    pub to_text: Unknown<'env>,
    /// Reads an ID from its canonical text.
    #[napi(ts_type = "(text: string, lenient: boolean) => bigint | string")]
    pub from_text: Unknown<'env>,
    /// Only for text with `idBytes`: writes an ID into an array that no other thread can access.
    #[napi(ts_type = "(id: string, bytes: Uint8Array) => void")]
    pub to_bytes: Option<Unknown<'env>>,
    /// Only for text with `idBytes`: reads an ID from its bytes.
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
    /// Returns statistics of the generator.
    #[napi(ts_type = "() => Stats")]
    pub stats: Unknown<'env>,
}

/// Opens a generator of the scheme with this name, with these options or with the lease.
#[napi(catch_unwind)]
pub fn generator<'env>(
    env: &'env Env,
    scheme: String,
    spec: SpecGiven<'_>,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
    lease: Option<&Lease>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let nodes = lease.map_or(NodesFrom::Options, |Lease(lease)| NodesFrom::Lease(lease));
    let open = || {
        let waits = options.waits()?;
        let (spec, options) = (spec.to_core(&scheme)?, options.to_core(&waits)?);
        Ok::<_, Failure>((AnyIssuer::open(&spec, options, nodes, clock::any(clock))?, waits))
    };
    let (ids, waits) = open().or_throw(env)?;
    functions(env, ids, waits)
}

/// Returns the functions of a generator. They own it together: it is dropped when JavaScript has
/// collected all of them.
pub fn functions(env: &Env, ids: AnyIssuer, waits: Waits) -> napi::Result<GeneratorFunctions<'_>> {
    match ids {
        AnyIssuer::Narrow(ids) => functions_of::<Number>(env, ids, waits),
        AnyIssuer::Wide(ids) if is_text(ids.scheme()) => functions_of::<Text>(env, ids, waits),
        AnyIssuer::Wide(ids) => functions_of::<WideNumber>(env, ids, waits),
    }
}

fn functions_of<F: Form>(env: &Env, ids: Issuer<F::Id>, waits: Waits) -> napi::Result<GeneratorFunctions<'_>> {
    let (scheme, id_bytes) = (ids.scheme().name(), F::id_bytes(ids.bits()));
    let of_ids = encoding_of_ids(ids.scheme());
    let has_bytes = F::IS_TEXT && id_bytes > 0;
    let maker = Maker { env, ids: Rc::new(ids), form: PhantomData::<F> };
    Ok(GeneratorFunctions {
        scheme,
        is_text: F::IS_TEXT,
        id_bytes,
        generate: match F::IS_TEXT {
            true => maker.writing("generate", of_ids)?,
            false => F::function(env, "generate", maker.bare(|ids| F::shown(ids, ids.generate()?)))?,
        },
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
            // A negative number becomes the largest one, which core refuses.
            let count = usize::try_from(saturated(&call.get(0)?)).unwrap_or(usize::MAX);
            Ok(F::many(ids, count)?)
        })?,
        fill: maker.making("fill", |ids, call| Ok(F::fill(ids, call)? as f64))?,
        generate_text: maker.writing("generateText", None)?,
        generate_text_as: maker
            .making("generateTextAs", |ids, call| Ok(Ascii(ids.generate_text(encoding(call, 0)?)?)))?,
        generate_bytes: match has_bytes {
            false => None,
            true => {
                let body = maker.bare(|ids| Ok(ids.generate()?.any(ids.bits()).value()));
                raw::function_with_bytes(env, "generateBytes", id_bytes, body)?
            }
        },
        to_text: maker.function("toText", |ids, call| {
            let id = F::read(ids, call, 0)?;
            Ok(Ascii(ids.to_text_as(id, encoding(call, 1)?)?))
        })?,
        from_text: maker.function("fromText", |ids, call| {
            let leniency = Leniency::lenient_if(call.get(1)?);
            let id = ids.from_text_as(&call.get::<String>(0)?, leniency)?;
            Ok(F::shown(ids, id)?)
        })?,
        to_bytes: match has_bytes {
            false => None,
            true => Some(maker.function("toBytes", |ids, call| {
                let id = F::read(ids, call, 0)?;
                let mut array: Uint8ArraySlice<'_> = call.get(1)?;
                let all = id.any(ids.bits()).value().to_be_bytes();
                // Write the lowest bytes, as many as fit.
                let write = |places: &mut [u8]| {
                    for (place, byte) in places.iter_mut().rev().zip(all.iter().rev()) {
                        *place = *byte;
                    }
                };
                Ok(raw::write_bytes(call.env, &mut array, write)?)
            })?),
        },
        from_bytes: match has_bytes {
            false => None,
            true => Some(maker.function("fromBytes", move |ids, call| {
                let bytes: Uint8ArraySlice<'_> = call.get(0)?;
                if bytes.len() != id_bytes as usize {
                    return Err(Failure::Core(Error::InvalidArgument {
                        what: "the bytes are not an ID of this scheme: give 16 bytes for 128 bits, 12 bytes for 96",
                    }));
                }
                let id = F::of(bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)));
                // Check that this is an ID of the generator. With a prefix, any UUID is.
                ids.to_text_as(id, None)?;
                Ok(F::shown(ids, id)?)
            })?),
        },
        compose: maker.function("compose", |ids, call| {
            let id = ids.compose(&call.get::<PartsGiven>(0)?.to_core(ids.layout())?)?;
            Ok(F::shown(ids, id)?)
        })?,
        inspect: maker.function("inspect", move |ids, call| {
            let id = F::read(ids, call, 0)?;
            let parts = ids.inspect(id)?;
            let texts = [ids.write(id, of_ids)?, ids.write(id, None)?];
            Ok(Parts::of(parts, texts, ids.layout())?)
        })?,
        range: maker.function("range", |ids, call| {
            let (first, last) = ids.range(given("start", &call.get(0)?), given("end", &call.get(1)?))?.into_inner();
            Ok(vec![F::shown(ids, first)?, F::shown(ids, last)?])
        })?,
        stats: maker.function("stats", |ids, _| Ok(Stats::from(ids.stats()?)))?,
    })
}

/// Returns the encoding that an argument names, if it is given.
fn encoding(call: &FunctionCallContext<'_>, index: usize) -> Result<Option<Encoding>, Failure> {
    let name: Option<String> = call.get(index)?;
    Ok(name.as_deref().map(Encoding::from_name).transpose()?)
}

/// Returns the reason why no ID could be made.
#[cold]
fn explained<I: IdValue>(ids: &Issuer<I>, failure: Failure) -> Failure {
    match failure {
        Failure::Core(error) => ids.explain(error).map_or(Failure::Core(error), Failure::Coordination),
        failure => failure,
    }
}

/// Makes functions over one generator.
struct Maker<'env, F: Form> {
    env: &'env Env,
    ids: Rc<Issuer<F::Id>>,
    form: PhantomData<F>,
}

impl<'env, F: Form> Maker<'env, F> {
    /// Returns a function that makes IDs.
    fn making<Answer: ToNapiValue>(
        &self,
        name: &str,
        body: impl Fn(&Ids<F::Id>, &FunctionCallContext<'_>) -> Result<Answer, Failure> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        let issuer = Rc::clone(&self.ids);
        self.function(name, move |ids, call| body(ids, call).map_err(|failure| explained(&issuer, failure)))
    }

    /// Returns the body of a function that makes IDs and takes no arguments. These functions are
    /// called for each ID, and are the fast path.
    fn bare<Answer>(
        &self,
        body: impl Fn(&Ids<F::Id>) -> Result<Answer, Error> + 'static,
    ) -> impl Fn(&Env) -> napi::Result<Answer> + 'static {
        let ids = Rc::clone(&self.ids);
        move |env| body(&**ids).map_err(|error| explained(&ids, error.into()).thrown(env))
    }

    /// Returns a function that makes IDs as text in this encoding, or as canonical text. It
    /// converts the text for JavaScript from a buffer, because a `Text` would be copied on its way
    /// through results.
    fn writing(&self, name: &str, encoding: Option<Encoding>) -> napi::Result<Unknown<'env>> {
        let ids = Rc::clone(&self.ids);
        raw::function(self.env, name, move |env| {
            let mut buffer = [0; saiban::Text::MAX_LEN];
            match ids.generate().and_then(|id| ids.write_into(id, encoding, &mut buffer)) {
                Ok(length) => Written::new(env, &buffer[..length]),
                Err(error) => Err(explained(&ids, error.into()).thrown(env)),
            }
        })
    }

    /// Returns a function of any type. node/src declares its arguments and result.
    fn function<Answer: ToNapiValue>(
        &self,
        name: &str,
        body: impl Fn(&Ids<F::Id>, &FunctionCallContext<'_>) -> Result<Answer, Failure> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        let ids = Rc::clone(&self.ids);
        let function: Function<'env, (), Answer> =
            self.env.create_function_from_closure(name, move |call| body(&**ids, &call).or_throw(call.env))?;
        Ok(function.to_unknown())
    }
}
