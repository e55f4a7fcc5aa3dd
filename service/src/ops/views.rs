//! Parts and candidates of IDs, as responses contain them. `http` serializes them, and `grpc`
//! converts them.

use jiff::Timestamp;
use saiban::inspect::{Candidate, Candidates};
use saiban::{Error, Inspector, Parts};
use serde::Serialize;
use serde_json::{Map, Value};

/// The parts of an ID. A part that its scheme does not have is `None`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PartsView {
    pub(crate) scheme: &'static str,
    pub(crate) layout: Option<&'static str>,
    pub(crate) id: String,
    pub(crate) bits: u32,
    pub(crate) text: String,
    pub(crate) timestamp_ms: Option<i64>,
    pub(crate) submillisecond_ns: Option<u32>,
    pub(crate) time: Option<String>,
    #[serde(serialize_with = "exact")]
    pub(crate) node: Option<u64>,
    #[serde(serialize_with = "exact")]
    pub(crate) sequence: Option<u64>,
    #[serde(serialize_with = "exact")]
    pub(crate) random: Option<u128>,
    #[serde(serialize_with = "exact")]
    pub(crate) rollback: Option<u64>,
}

impl PartsView {
    /// Converts the parts of an ID. `text` is its canonical text.
    pub(crate) fn of(parts: &Parts, text: &str) -> Self {
        PartsView {
            scheme: parts.scheme.name(),
            layout: parts.layout,
            id: parts.id.to_string(),
            bits: parts.id.bits(),
            text: text.to_owned(),
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns,
            time: parts.timestamp_ms.and_then(utc),
            node: parts.node,
            sequence: parts.sequence,
            random: parts.random,
            rollback: parts.rollback,
        }
    }
}

/// Returns the time in UTC, or `None` if it is outside the range of dates.
fn utc(timestamp_ms: i64) -> Option<String> {
    Timestamp::from_millisecond(timestamp_ms).ok().map(|time| time.to_string())
}

/// Serializes a number as a JSON number up to 2^53, which all readers parse exactly, or else as
/// decimal digits.
fn exact<N: Copy + Into<u128>, S: serde::Serializer>(part: &Option<N>, serializer: S) -> Result<S::Ok, S::Error> {
    const MAX: u128 = 1 << 53;
    match part.map(Into::into) {
        None => serializer.serialize_none(),
        Some(part) if part <= MAX => serializer.serialize_u64(part as u64),
        Some(part) => serializer.collect_str(&part),
    }
}

/// One format that an ID can have.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CandidateView {
    #[serde(flatten)]
    pub(crate) parts: PartsView,
    pub(crate) node_parts: Option<Map<String, Value>>,
    pub(crate) plausible: bool,
    pub(crate) score: i32,
    pub(crate) reasons: Vec<&'static str>,
    pub(crate) why: Vec<String>,
}

impl CandidateView {
    fn of(inspector: &Inspector, candidate: &Candidate) -> Self {
        let named: Map<_, _> =
            inspector.node_parts(candidate).map(|(part, value)| (part.to_owned(), value.into())).collect();
        CandidateView {
            parts: PartsView::of(candidate.parts(), &candidate.text()),
            node_parts: Some(named).filter(|named| !named.is_empty()),
            plausible: candidate.is_plausible(),
            score: candidate.score(),
            reasons: candidate.reasons().map(|reason| reason.name()).collect(),
            why: candidate.reasons().map(|reason| reason.to_string()).collect(),
        }
    }

    /// Returns all candidates, the most plausible first.
    pub(crate) fn all(inspector: &Inspector, found: &Candidates) -> Vec<Self> {
        found.ranked().map(|candidate| Self::of(inspector, candidate)).collect()
    }
}

/// Why a text is not an ID.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorView {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) position: Option<usize>,
}

impl From<&Error> for ErrorView {
    fn from(error: &Error) -> Self {
        ErrorView { code: error.kind().name(), message: error.to_string(), position: error.position() }
    }
}
