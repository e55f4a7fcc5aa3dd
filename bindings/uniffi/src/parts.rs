//! An ID taken apart.

use crate::Natural;
use crate::error::Failure;
use saiban::{Generator, IdValue};
use std::collections::HashMap;

/// The parts of an ID. What a scheme does not have is absent. `time` is the timestamp in the language's own type.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Parts {
    /// `snowflake`, `randflake`, `ulid-flake`, `flake`, `ulid`, `uuid-v1`, `uuid-v4`, `uuid-v7`, `objectid` or `tick-id`.
    pub scheme: String,
    /// The layout's name, where it is a known one: `twitter`, `discord`, …; of a tick ID the order.
    pub layout: Option<String>,
    /// The ID itself, where it has up to 64 bits; absent of wider ones.
    pub id: Option<i64>,
    /// The ID's canonical text.
    pub text: String,
    /// The ID as a number without a sign.
    pub number: Natural,
    /// How many bits the ID has: 16 to 128.
    pub bits: i32,
    /// When its tick began, Unix milliseconds; absent where the scheme has no time (UUID v4).
    pub timestamp_ms: Option<i64>,
    /// The node; of a scalable Ulid-Flake the scalability id, of an ObjectId its 40 random bits, of a UUID v1 its 48 bits.
    pub node: Option<i64>,
    /// The sequence number within the tick; of an ObjectId the counter, of a UUID v1 the clock sequence.
    pub sequence: Option<i64>,
    /// The random part.
    pub random: Option<Natural>,
    /// How often the clock had stepped back, where the layout has bits for it.
    #[uniffi(default = None)]
    pub rollback: Option<i64>,
    /// Which of several secrets this was read with: 0 for the secret, 1 and up for the old ones; see `inspect`.
    #[uniffi(default = None)]
    pub secret_index: Option<i64>,
    /// The parts of the node by their names; empty where they have none.
    pub node_parts: HashMap<String, i64>,
}

impl Parts {
    /// Takes an ID of this generator apart; its layout is given where it may name parts of the node.
    pub(crate) fn of<I: IdValue>(
        ids: &impl Generator<I>,
        id: I,
        layout: Option<&saiban::Layout>,
    ) -> Result<Self, Failure> {
        let parts = ids.inspect(id)?;
        let mut all = Parts::with_text(&parts, ids.to_text(id)?.into());
        if let (Some(layout), Some(node)) = (layout, parts.node) {
            if layout.spec().fields().iter().any(|field| !field.name.is_empty()) {
                all.node_parts = layout.node_parts(node).map(|(name, value)| (name.into(), signed(value))).collect();
            }
        }
        Ok(all)
    }

    fn with_text(parts: &saiban::Parts, text: String) -> Self {
        Parts {
            scheme: parts.scheme.name().into(),
            layout: parts.layout.map(Into::into),
            id: parts.id.as_i64(),
            text,
            number: parts.id.value().into(),
            bits: parts.id.bits() as i32,
            timestamp_ms: parts.timestamp_ms,
            node: parts.node.map(signed),
            sequence: parts.sequence.map(signed),
            random: parts.random.map(Into::into),
            rollback: parts.rollback.map(signed),
            secret_index: parts.secret_index.map(signed),
            node_parts: HashMap::new(),
        }
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl TryFrom<saiban::Parts> for Parts {
    type Error = Failure;

    fn try_from(parts: saiban::Parts) -> Result<Self, Failure> {
        let text = parts.id.encode(parts.scheme.encoding())?;
        Ok(Parts::with_text(&parts, text.into()))
    }
}

/// A generator whose layout may name parts of the node.
pub(crate) trait HasLayout {
    fn core_layout(&self) -> Option<&saiban::Layout> {
        None
    }
}
