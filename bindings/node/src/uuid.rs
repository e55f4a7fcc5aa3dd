//! UUID, versions 1, 4 and 7.

use crate::clock::{self, ManualClock};
use crate::compose::PartsGiven;
use crate::error::OrThrow;
use crate::form::Text;
use crate::generator::{GeneratorFunctions, GeneratorOptions, Made, functions};
use crate::integer::{given, given_wide, maybe_given};
use napi::Env;
use napi::bindgen_prelude::{BigInt, Uint8Array};
use napi_derive::napi;
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::generator::UuidParts;
use saiban::{AnyClock, Error, Leniency, PooledEntropy, Uuid, UuidForm};

/// A generator of this version: 1, 4 or 7.
#[napi(catch_unwind)]
pub fn uuid<'env>(
    env: &'env Env,
    version: BigInt,
    options: GeneratorOptions,
    clock: Option<&ManualClock>,
) -> napi::Result<GeneratorFunctions<'env>> {
    let version = given("version", &version);
    let waits = options.waits().or_throw(env)?;
    let build = |mut options: saiban::Options| {
        // Version 4 never waits, and takes no options.
        options.usual_wait = options.usual_wait.filter(|_| version != 4);
        Uuid::<AnyClock, _>::build(version, &options, clock::any(clock), PooledEntropy)
    };
    let generator = options.to_core(&waits).and_then(build).or_throw(env)?;
    functions::<Text, _>(env, generator, waits)
}

impl Made<Text> for Uuid<AnyClock, PooledEntropy> {
    fn compose(&self, parts: &PartsGiven) -> Result<u128, Error> {
        self.compose(&UuidParts {
            timestamp_ms: maybe_given("timestamp_ms", parts.timestamp_ms.as_ref()),
            submillisecond_ns: maybe_given("submillisecond_ns", parts.submillisecond_ns.as_ref()),
            random: parts.random.as_ref().map(|random| given_wide("random", random)),
            clock_sequence: maybe_given("clock_sequence", parts.sequence.as_ref()),
            node: maybe_given("node", parts.node.as_ref()),
        })
    }
}

/// The bytes of a UUID, given as hyphenated text, as a `GUID` has them in memory.
#[napi(catch_unwind)]
pub fn uuid_to_guid_bytes_of(env: Env, text: String) -> napi::Result<Uint8Array> {
    let uuid = UuidForm::Hyphenated.decode(&text, Leniency::Strict).or_throw(&env)?;
    Ok(Uint8Array::with_data_copied(uuid_to_guid_bytes(uuid)))
}

/// The UUID, as hyphenated text, of the bytes that a `GUID` has in memory.
#[napi(catch_unwind)]
pub fn uuid_of_guid_bytes(env: Env, bytes: Uint8Array) -> napi::Result<String> {
    let bytes = <[u8; 16]>::try_from(&*bytes);
    let bytes = bytes.map_err(|_| Error::InvalidArgument { what: "the bytes are no GUID: give 16" }).or_throw(&env)?;
    Ok(UuidForm::Hyphenated.encode(uuid_from_guid_bytes(bytes)).as_str().to_owned())
}
