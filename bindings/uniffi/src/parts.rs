//! The parts of an ID.

use crate::error::Failure;
use crate::number::Natural;
use saiban::IdValue;
use saiban_coordination::Issuer;
use std::collections::HashMap;

/// The parts of an ID. What a scheme does not have is absent. `time` is the timestamp in the
/// language's own type.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Parts {
    /// The name of the scheme, such as `snowflake` or `uuid-v7`; `uuid` for a UUID of a version
    /// that saiban does not make.
    pub scheme: String,
    /// The layout's name, if it is a known one: `twitter`, `discord`, …; for a tick ID the order;
    /// for a `uuid` the version: `v6`, `nil`, ….
    pub layout: Option<String>,
    /// The ID itself if it has up to 64 bits; absent for wider IDs.
    pub id: Option<i64>,
    /// The ID's canonical text.
    pub text: String,
    /// The ID as a number without a sign.
    pub number: Natural,
    /// The number of bits of the ID: 16 to 128.
    pub bits: i32,
    /// When its tick began, Unix milliseconds, rounded down; absent if the scheme has no time (UUID
    /// v4).
    pub timestamp_ms: Option<i64>,
    /// The nanoseconds from `timestamp_ms` to the beginning of the tick: 0 to 999,999, a multiple
    /// of 100 for a UUID v1 or v6 and for a tick ID. Absent if ticks are whole milliseconds, or if
    /// the scheme has no time.
    #[uniffi(default = None)]
    pub submillisecond_ns: Option<i64>,
    /// The node: for a scalable Ulid-Flake the scalability id, for an ObjectId its 40 random bits,
    /// for a UUID v1 its 48 bits.
    pub node: Option<i64>,
    /// The sequence number within the tick: for an ObjectId the counter, for a UUID v1 the clock
    /// sequence. One of 64 bits is reported as at most 2^63 − 1: `number` has the exact number.
    pub sequence: Option<i64>,
    /// The random part.
    pub random: Option<Natural>,
    /// The number of times that the clock had stepped back, if the layout has rollback bits.
    #[uniffi(default = None)]
    pub rollback: Option<i64>,
    /// The index of the secret with which the ID was read, if several were given: 0 for the secret,
    /// 1 and up for the old ones; see `inspect`.
    #[uniffi(default = None)]
    pub secret_index: Option<i64>,
    /// The parts of the node by their names; empty if they have no names.
    pub node_parts: HashMap<String, i64>,
}

impl Parts {
    /// Returns the parts of an ID of this generator.
    pub(crate) fn of<I: IdValue>(ids: &Issuer<I>, id: I) -> Result<Self, Failure> {
        let parts = ids.inspect(id)?;
        Ok(Parts::with_text(&parts, ids.to_text(id)?.into(), ids.layout()))
    }

    /// Converts the parts of an ID with this canonical text. The layout may name parts of the node.
    pub(crate) fn with_text(parts: &saiban::Parts, text: String, layout: Option<&saiban::Layout>) -> Self {
        let mut node_parts = HashMap::new();
        if let (Some(layout), Some(node)) = (layout, parts.node)
            && layout.has_node_parts()
            && let Ok(named) = layout.node_parts(signed(node))
        {
            node_parts = named.map(|(name, value)| (name.into(), signed(value))).collect();
        }
        Parts {
            scheme: parts.scheme.name().into(),
            layout: parts.layout.map(Into::into),
            id: parts.id.as_i64(),
            text,
            number: parts.id.value().into(),
            bits: parts.id.bits() as i32,
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns.map(i64::from),
            node: parts.node.map(signed),
            sequence: parts.sequence.map(signed),
            random: parts.random.map(Into::into),
            rollback: parts.rollback.map(signed),
            secret_index: parts.secret_index.map(signed),
            node_parts,
        }
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
