//! An ID taken apart.

use super::{AnyId, Scheme};

/// The parts of an ID. What a scheme does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parts {
    /// The family.
    pub scheme: Scheme,
    /// The layout's name, where it is a preset: `twitter`, `discord`, …; of a UUID that is of no scheme of ours the version: `v6`, `nil`, …;
    /// of a tick ID the order.
    pub layout: Option<&'static str>,
    /// The ID itself.
    pub id: AnyId,
    /// When its tick began, Unix milliseconds, rounded down; `None` where the scheme has no time (UUID v4).
    pub timestamp_ms: Option<i64>,
    /// The node; of a scalable Ulid-Flake the scalability id, of a UUID v1 its 48 bits.
    pub node: Option<u64>,
    /// The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock sequence.
    pub sequence: Option<u64>,
    /// The random part.
    pub random: Option<u128>,
    /// How often the clock had stepped back, where the layout has bits for it.
    pub rollback: Option<u64>,
    /// Under which of an inspector's secrets this is what the ID holds, counted from 0 in the order in which they were given; `None` where
    /// there was none, or only one.
    pub secret_index: Option<u64>,
}

impl Parts {
    /// An ID of which nothing is known but the scheme.
    pub(crate) const fn of(scheme: Scheme, id: AnyId) -> Self {
        Parts {
            scheme,
            layout: None,
            id,
            timestamp_ms: None,
            node: None,
            sequence: None,
            random: None,
            rollback: None,
            secret_index: None,
        }
    }
}
