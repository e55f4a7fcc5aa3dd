//! An ID taken apart, as requests are told it.

use super::Found;
use jiff::Timestamp;
use saiban::inspect::Candidate;
use saiban::{Error, Inspector, Parts};
use serde::Serialize;
use serde_json::{Map, Value};

/// The parts of an ID. What its scheme does not have is none.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PartsTold {
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

impl PartsTold {
    /// The parts of an ID, and its canonical text.
    pub(crate) fn of(parts: &Parts) -> Result<Self, Error> {
        Ok(PartsTold::with_text(parts, &parts.text()?))
    }

    fn with_text(parts: &Parts, text: &str) -> Self {
        PartsTold {
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

/// A time for people; none where it is past all that calendars know.
fn utc(timestamp_ms: i64) -> Option<String> {
    Timestamp::from_millisecond(timestamp_ms).ok().map(|time| time.to_string())
}

/// A number that every reader of JSON has exactly, or its digits.
fn exact<N: Copy + Into<u128>, S: serde::Serializer>(part: &Option<N>, serializer: S) -> Result<S::Ok, S::Error> {
    const MOST: u128 = 1 << 53;
    match part.map(Into::into) {
        None => serializer.serialize_none(),
        Some(part) if part <= MOST => serializer.serialize_u64(part as u64),
        Some(part) => serializer.collect_str(&part),
    }
}

/// What an ID can be.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CandidateTold {
    #[serde(flatten)]
    pub(crate) parts: PartsTold,
    pub(crate) node_parts: Option<Map<String, Value>>,
    pub(crate) plausible: bool,
    pub(crate) score: i32,
    pub(crate) reasons: Vec<&'static str>,
    pub(crate) why: Vec<String>,
}

impl CandidateTold {
    fn of(inspector: &Inspector, candidate: &Candidate) -> Self {
        let named: Map<_, _> =
            inspector.node_parts(candidate).map(|(part, value)| (part.to_owned(), value.into())).collect();
        CandidateTold {
            parts: PartsTold::with_text(candidate.parts(), &candidate.text()),
            node_parts: Some(named).filter(|named| !named.is_empty()),
            plausible: candidate.is_plausible(),
            score: candidate.score(),
            reasons: candidate.reasons().map(|reason| reason.name()).collect(),
            why: candidate.reasons().map(|reason| reason.to_string()).collect(),
        }
    }

    /// All of them, the most plausible first.
    pub(crate) fn all(inspector: &Inspector, found: &Found) -> Vec<Self> {
        found.candidates.ranked().map(|candidate| Self::of(inspector, candidate)).collect()
    }
}

/// Why a text is no ID.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorTold {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) position: Option<usize>,
}

impl From<&Error> for ErrorTold {
    fn from(error: &Error) -> Self {
        ErrorTold { code: error.kind().name(), message: error.to_string(), position: error.position() }
    }
}
