//! Inspection of IDs of unknown origin.

use crate::encoding::{SIGNED_BITS, bits_of};
use crate::error::OrThrow;
use crate::integer::{exact, exact_unsigned, maybe_given};
use crate::parts::Parts;
use napi::Env;
use napi::bindgen_prelude::{BigInt, Either3, Uint8Array};
use napi_derive::napi;
use saiban::inspect::Candidates;
use saiban::{AnyId, Encoding, Error, Inspector, Layout, Scheme, Secret};

const OLD_ONLY: &str = "oldSecrets are given without secret: give the newest of them as secret";
const NO_NUMBER: &str = "bits is the width of a number: leave it out, as text and bytes have widths of their own";

/// The options of an inspection.
#[napi(object, object_to_js = false)]
pub struct InspectOptions {
    /// Randflake's secret.
    pub secret: Option<Uint8Array>,
    /// Earlier secrets.
    pub old_secrets: Vec<Uint8Array>,
    /// The only scheme to consider.
    pub scheme: Option<String>,
    /// Texts of layouts to consider.
    pub layouts: Vec<String>,
    /// The epoch of presets and of Ulid-Flake.
    pub epoch_ms: Option<BigInt>,
    /// The number of bits of a number.
    pub bits: Option<BigInt>,
}

/// A reason for a candidate's rank.
#[napi(object, object_from_js = false)]
pub struct Reason {
    /// The name, for programs.
    pub name: &'static str,
    /// The reason in words, for people.
    pub text: String,
}

/// One candidate: what an ID can be. node/src/inspect.ts freezes the object.
#[napi(object, object_from_js = false)]
pub struct Candidate {
    /// The parts of the ID, if this candidate is right.
    pub parts: Parts,
    /// The score.
    pub score: i32,
    /// Whether its time is in the past and not before the format existed, or it has none.
    pub is_plausible: bool,
    /// The reasons for its rank.
    pub reasons: Vec<Reason>,
    /// The index of the candidate's layout among the given layouts.
    pub layout_index: Option<u32>,
}

/// Returns what a number, text or bytes can be, the most plausible first.
#[napi(catch_unwind)]
pub fn inspect(
    env: Env,
    id: Either3<BigInt, String, Uint8Array>,
    options: InspectOptions,
) -> napi::Result<Vec<Candidate>> {
    candidates(&id, options).or_throw(&env)
}

fn candidates(id: &Either3<BigInt, String, Uint8Array>, options: InspectOptions) -> Result<Vec<Candidate>, Error> {
    let layouts = options.layouts.iter().map(|text| Layout::from_text(text)).collect::<Result<Vec<_>, Error>>()?;
    let inspector = inspector(&options, &layouts)?;
    let found = match (id, &options.bits) {
        (Either3::A(id), bits) => inspect_number(&inspector, id, bits_of(bits.as_ref()))?,
        (_, Some(_)) => return Err(Error::InvalidArgument { what: NO_NUMBER }),
        (Either3::B(text), None) => inspector.inspect_text(text)?,
        (Either3::C(bytes), None) => inspect_any(&inspector, AnyId::from_bytes(bytes)?),
    };
    // A candidate whose time does not fit a JavaScript number is unlikely: it is left out.
    Ok(found.ranked().filter_map(|candidate| described(candidate, &layouts).ok()).collect())
}

fn inspector(options: &InspectOptions, layouts: &[Layout]) -> Result<Inspector, Error> {
    let mut inspector = layouts.iter().try_fold(Inspector::now()?, Inspector::layout)?;
    if let Some(secret) = &options.secret {
        inspector = inspector.secret(&Secret::from_slice(secret)?)?;
    } else if !options.old_secrets.is_empty() {
        // Without the new secret, the old ones would be counted from 0, which is its index.
        return Err(Error::InvalidArgument { what: OLD_ONLY });
    }
    for old in &options.old_secrets {
        inspector = inspector.secret(&Secret::from_slice(old)?)?;
    }
    if let Some(scheme) = &options.scheme {
        inspector = inspector.scheme(Scheme::from_name(scheme)?);
    }
    match maybe_given("epoch_ms", options.epoch_ms.as_ref()) {
        Some(epoch_ms) => inspector.epoch_ms(epoch_ms),
        None => Ok(inspector),
    }
}

fn inspect_number(inspector: &Inspector, id: &BigInt, bits: u32) -> Result<Candidates, Error> {
    if bits == SIGNED_BITS {
        return Ok(inspector.inspect(exact(id, "any scheme")?));
    }
    // Core checks the width, and that the number fits it.
    Encoding::DECIMAL.full_width_of(bits)?;
    let id = exact_unsigned(id, bits)?;
    Encoding::HEX.encode_wide(id, bits)?;
    Ok(inspector.inspect_wide(id, bits))
}

fn inspect_any(inspector: &Inspector, id: AnyId) -> Candidates {
    match id.as_i64() {
        Some(id) => inspector.inspect(id),
        None => inspector.inspect_wide(id.value(), id.bits()),
    }
}

fn described(candidate: &saiban::inspect::Candidate, layouts: &[Layout]) -> Result<Candidate, Error> {
    let (index, text) = (candidate.layout_index(), candidate.parts().text()?);
    Ok(Candidate {
        parts: Parts::of(*candidate.parts(), [text; 2], index.and_then(|index| layouts.get(index)))?,
        score: candidate.score(),
        is_plausible: candidate.is_plausible(),
        reasons: candidate.reasons().map(|why| Reason { name: why.name(), text: why.to_string() }).collect(),
        layout_index: index.map(|index| index as u32),
    })
}
