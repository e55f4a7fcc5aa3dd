//! Inspection of IDs of unknown origin.

use crate::error::{Failure, SaibanError, guard};
use crate::layout::Layout;
use crate::number::number_from_bytes;
use crate::parts::Parts;
use saiban::inspect::{Candidate as CoreCandidate, Candidates};
use saiban::{Encoding, Error, Inspector, Scheme, Secret};
use std::sync::Arc;
use zeroize::Zeroizing;

/// One reason for a candidate's rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Reason {
    /// For programs, the same in every language: `canonical_text`, `time_plausible`, …
    pub name: String,
    /// For people: `time is plausible: 9 years ago`.
    pub text: String,
}

/// One candidate: what an ID can be, with reasons. It is evidence, not proof.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Candidate {
    /// The parts of the ID, if this candidate is right.
    pub parts: Parts,
    /// The score: one more point means twice as likely. Scores compare the candidates of one ID
    /// only, and may change with every version.
    pub score: i32,
    /// Whether its time is in the past and not before the format existed, or it has none.
    pub is_plausible: bool,
    /// The reasons for its rank.
    pub reasons: Vec<Reason>,
    /// The index of the candidate's layout among the given layouts, counted from 0.
    pub layout_index: Option<i32>,
}

/// Returns what a number of 64 bits can be, with reasons, the most plausible first. `inspect`
/// returns the parts only.
///
/// With the secret (16 bytes) Randflake is considered too. Old secrets, at most 7, are secrets that
/// were in use before. There is one candidate for each secret, the most plausible time first, and
/// `secret_index` of the parts is the secret's position: 0 for the secret, 1 and up for the old
/// ones. With a scheme only that scheme is considered; `uuid` means every version. With layouts, at
/// most 4, these are considered too, and presets among them rank higher. With an epoch, Unix
/// milliseconds, presets and Ulid-Flake count from it instead of from their own epochs.
///
/// Errors: `InvalidSecret`, `UnknownName`; `InvalidLayout` for an epoch too far away;
/// `InvalidArgument` for too many secrets or layouts, or old secrets without the one in use.
#[uniffi::export(default(secret = None, old_secrets = [], scheme = None, layouts = [], epoch_ms = None))]
pub fn candidates_of_id(
    id: i64,
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
    layouts: Vec<Arc<Layout>>,
    epoch_ms: Option<i64>,
) -> Result<Vec<Candidate>, SaibanError> {
    guard(|| {
        let inspector = inspector(secret, old_secrets, scheme, &layouts, epoch_ms)?;
        Ok(ranked(&inspector.inspect(id), &layouts))
    })
}

/// Returns what a text can be, with reasons, the most plausible first: the text of a scheme, a
/// decimal number of up to 128 bits, a UUID in any form, in either case, a hexadecimal number after
/// `0x`, and, less likely, prefixed text such as a TypeID, and a number in any other encoding. For
/// the rest see `candidates_of_id`.
///
/// Errors: if no scheme reads the text, the error of the most similar form; otherwise those of
/// `candidates_of_id`.
#[uniffi::export(default(secret = None, old_secrets = [], scheme = None, layouts = [], epoch_ms = None))]
pub fn candidates_of_text(
    text: String,
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
    layouts: Vec<Arc<Layout>>,
    epoch_ms: Option<i64>,
) -> Result<Vec<Candidate>, SaibanError> {
    guard(|| {
        let inspector = inspector(secret, old_secrets, scheme, &layouts, epoch_ms)?;
        Ok(ranked(&inspector.inspect_text(&text)?, &layouts))
    })
}

/// Returns what an ID of this many bits, given as bytes, the highest first, can be, with reasons:
/// 128 bits (ULID, UUID), 96 (ObjectId), or the bits of a given layout; by default 8 bits a byte.
/// For the rest see `candidates_of_id`.
///
/// Errors: `IdOutOfRange` when the number has more bits; `InvalidArgument` for other than 16 to 128
/// bits, or more than 16 bytes; else as of `candidates_of_id`.
#[uniffi::export(default(bits = None, secret = None, old_secrets = [], scheme = None, layouts = [], epoch_ms = None))]
pub fn candidates_of_bytes(
    id: Vec<u8>,
    bits: Option<i32>,
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
    layouts: Vec<Arc<Layout>>,
    epoch_ms: Option<i64>,
) -> Result<Vec<Candidate>, SaibanError> {
    guard(|| {
        let number = number_from_bytes(&id)?;
        let bits = bits.map_or(id.len() as u32 * 8, |bits| u32::try_from(bits).unwrap_or(0));
        // Core checks the width, and that the number fits it.
        Encoding::HEX.encode_wide(number, bits)?;
        let inspector = inspector(secret, old_secrets, scheme, &layouts, epoch_ms)?;
        Ok(ranked(&inspector.inspect_wide(number, bits), &layouts))
    })
}

/// Returns an inspector with these secrets, and wipes the secrets.
fn inspector(
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
    layouts: &[Arc<Layout>],
    epoch_ms: Option<i64>,
) -> Result<Inspector, Failure> {
    let (secret, old_secrets) = (Zeroizing::new(secret), Zeroizing::new(old_secrets));
    let mut inspector = Inspector::now()?;
    if let Some(secret) = &*secret {
        inspector = inspector.secret(&Secret::from_slice(secret)?)?;
    } else if !old_secrets.is_empty() {
        // Without the new secret, the old ones would be counted from 0, which is its index.
        let what = "old secrets are given without secret: give the newest of them as secret";
        return Err(Error::InvalidArgument { what }.into());
    }
    for old in &*old_secrets {
        inspector = inspector.secret(&Secret::from_slice(old)?)?;
    }
    for layout in layouts {
        inspector = inspector.layout(&layout.to_core())?;
    }
    if let Some(epoch_ms) = epoch_ms {
        inspector = inspector.epoch_ms(epoch_ms)?;
    }
    if let Some(scheme) = scheme {
        inspector = inspector.scheme(Scheme::from_name(&scheme)?);
    }
    Ok(inspector)
}

fn ranked(found: &Candidates, layouts: &[Arc<Layout>]) -> Vec<Candidate> {
    found.ranked().map(|candidate| described(candidate, layouts)).collect()
}

fn described(candidate: &CoreCandidate, layouts: &[Arc<Layout>]) -> Candidate {
    let index = candidate.layout_index();
    let layout = index.and_then(|index| layouts.get(index)).map(|layout| layout.to_core());
    Candidate {
        parts: Parts::with_text(candidate.parts(), candidate.text().into(), layout.as_ref()),
        score: candidate.score(),
        is_plausible: candidate.is_plausible(),
        reasons: candidate
            .reasons()
            .map(|reason| Reason { name: reason.name().into(), text: reason.to_string() })
            .collect(),
        layout_index: index.map(|index| index as i32),
    }
}
