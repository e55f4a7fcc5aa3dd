//! Formats the result for each ID as one JSON object, for programs.

use super::view::{View, why};
use crate::time::utc;
use saiban::inspect::{Candidate, Candidates};
use saiban::{Error, ErrorKind};
use serde_json::{Map, Value, json};

/// Returns the line for an ID with its candidates.
pub(super) fn found(view: &View, text: &str, found: &Candidates) -> String {
    let candidates: Vec<Value> = found.ranked().map(|one| candidate(view, one)).collect();
    let near_miss = found.near_miss(text).as_ref().map(problem);
    json!({ "input": text, "candidates": candidates, "near_miss": near_miss, "error": null }).to_string()
}

/// Returns the line for a text that is not an ID.
pub(super) fn refused(text: &str, error: &Error) -> String {
    json!({ "input": text, "candidates": [], "near_miss": null, "error": problem(error) }).to_string()
}

/// Returns the line for input that is too long or not UTF-8. `line` is the beginning of a long
/// line. Bytes that are not UTF-8 become the replacement character.
pub(super) fn no_text(line: &[u8], kind: ErrorKind, problem: &str) -> String {
    let input = String::from_utf8_lossy(line);
    let error = json!({ "code": kind.name(), "message": problem, "position": null });
    json!({ "input": input.trim(), "candidates": [], "near_miss": null, "error": error }).to_string()
}

fn problem(error: &Error) -> Value {
    json!({ "code": error.kind().name(), "message": error.to_string(), "position": error.position() })
}

/// Returns a number as JSON, or as its digits if it has more than 64 bits: not every reader of JSON
/// keeps such a number exactly.
fn number(part: impl Into<u128>) -> Value {
    let part = part.into();
    u64::try_from(part).map_or_else(|_| part.to_string().into(), Value::from)
}

fn candidate(view: &View, candidate: &Candidate) -> Value {
    let parts = candidate.parts();
    let named: Map<String, Value> =
        view.inspector.node_parts(candidate).map(|(part, value)| (part.to_owned(), value.into())).collect();
    json!({
        "scheme": parts.scheme.name(),
        "layout": view.layout(candidate),
        "id": parts.id.to_string(),
        "bits": parts.id.bits(),
        "text": candidate.text().as_str(),
        "timestamp_ms": parts.timestamp_ms,
        "submillisecond_ns": parts.submillisecond_ns,
        "time": parts.timestamp_ms.and_then(utc),
        "node": parts.node.map(number),
        "node_parts": if named.is_empty() { Value::Null } else { named.into() },
        "sequence": parts.sequence.map(number),
        "random": parts.random.map(number),
        "rollback": parts.rollback.map(number),
        "secret_index": parts.secret_index.map(number),
        "plausible": candidate.is_plausible(),
        "score": candidate.score(),
        "reasons": candidate.reasons().map(|reason| reason.name()).collect::<Vec<_>>(),
        "why": why(candidate),
    })
}
