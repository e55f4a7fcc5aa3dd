//! An ID taken apart.

use super::Scheme;

/// The parts of an ID. What a scheme does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parts {
    /// The family.
    pub scheme: Scheme,
    /// The layout's name, where it is a preset: `twitter`, `discord`, …
    pub layout: Option<&'static str>,
    /// The ID itself.
    pub id: i64,
    /// When its tick began, Unix milliseconds, rounded down.
    pub timestamp_ms: i64,
    /// The node; of a scalable Ulid-Flake the scalability id.
    pub node: Option<u64>,
    /// The sequence number within the tick.
    pub sequence: Option<u64>,
    /// The random part.
    pub random: Option<u64>,
    /// How often the clock had stepped back, where the layout has bits for it.
    pub rollback: Option<u64>,
    /// Under which of an inspector's secrets this is what the ID holds, counted from 0 in the order in which they were given; `None` where
    /// there was none, or only one.
    pub secret_index: Option<u64>,
}
