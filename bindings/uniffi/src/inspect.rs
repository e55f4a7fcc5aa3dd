//! What can this ID be?

use crate::error::{Failure, SaibanError, guard};
use crate::layout::Layout;
use crate::number::number_from_bytes;
use crate::parts::Parts;
use saiban::inspect::{Candidate as CoreCandidate, Candidates};
use saiban::{Encoding, Error, Inspector, Scheme, Secret};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Why a candidate stands where it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct Reason {
    /// For programs, the same in every language: `canonical_text`, `time_plausible`, …
    pub name: String,
    /// For people: `time is plausible: 9 years ago`.
    pub text: String,
}

/// One thing that an ID can be, with why. It is evidence, no proof.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Candidate {
    /// What the ID holds, if it is this.
    pub parts: Parts,
    /// How much speaks for it: a point more makes it twice as likely. It compares the candidates of
    /// one ID, nothing else, and may change with every version.
    pub score: i32,
    /// Whether its time is in the past and not before the format existed, or it has none.
    pub is_plausible: bool,
    /// Why it stands where it does.
    pub reasons: Vec<Reason>,
    /// Which of the layouts that were given it is, counted from 0.
    pub layout_index: Option<i32>,
}

/// What a number of 64 bits can be, and why, the most plausible first. `inspect` answers with the
/// parts alone.
///
/// With the secret (16 bytes) it looks for Randflake too. Old secrets, at most 7, were in use
/// before. There is a reading under each; the most plausible time comes first, and `secret_index`
/// of the parts tells which secret that was: 0 for the secret, 1 and up for the old ones. That is
/// no proof. With a scheme it looks for that one only; `uuid` means every version. With layouts, at
/// most 4, it looks for theirs too, and takes presets among them for likelier. With an epoch, Unix
/// milliseconds, presets and Ulid-Flake are counted from it instead of from their own.
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

/// What a text can be, and why, the most plausible first: what a scheme writes, a decimal number of
/// up to 128 bits, a UUID in any of its forms, letters in either case, a hexadecimal number after
/// `0x`, and, less likely, text with a prefix (a TypeID, say) and a number in any other encoding.
/// As `candidates_of_id` else.
///
/// Errors: when no scheme reads the text, that of the form that the text is most like; else as of
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

/// What an ID of so many bits, given as bytes, the highest first, can be, and why: 128 bits (ULID,
/// UUID), 96 (ObjectId), or as many as a layout has that is given; 8 for each byte when none are
/// told. As `candidates_of_id` else.
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
        // Whether there are IDs of so many bits, and the number has no more, is for core to say.
        Encoding::HEX.encode_wide(number, bits)?;
        let inspector = inspector(secret, old_secrets, scheme, &layouts, epoch_ms)?;
        Ok(ranked(&inspector.inspect_wide(number, bits), &layouts))
    })
}

/// An inspector with these secrets, which are wiped.
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
        // They would be counted from 0, which is the new one's place.
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
