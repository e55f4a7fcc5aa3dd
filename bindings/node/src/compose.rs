//! The parts of which an ID is composed.

use crate::integer::{saturated, saturated_wide};
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::{Error, Layout};

/// A named part of the node.
#[napi(object, object_to_js = false)]
pub struct NodePartGiven {
    /// Its name.
    pub name: String,
    /// Its number.
    pub value: BigInt,
}

/// The parts that JavaScript gives; node/src sees to it that those which a scheme needs are there.
#[napi(object, object_to_js = false)]
pub struct PartsGiven {
    /// Unix milliseconds.
    pub timestamp_ms: Option<BigInt>,
    /// The nanoseconds after that.
    pub submillisecond_ns: Option<BigInt>,
    /// The node, of a Ulid-Flake the scalability id.
    pub node: Option<BigInt>,
    /// The node as its named parts.
    pub node_parts: Option<Vec<NodePartGiven>>,
    /// The sequence, of a UUID v1 the clock sequence.
    pub sequence: Option<BigInt>,
    /// The random part.
    pub random: Option<BigInt>,
    /// How often the clock had stepped back.
    pub rollback: Option<BigInt>,
}

impl PartsGiven {
    /// Unix milliseconds.
    pub fn timestamp_ms(&self) -> i64 {
        or_0(self.timestamp_ms.as_ref())
    }

    /// The nanoseconds after that.
    pub fn submillisecond_ns(&self) -> i64 {
        or_0(self.submillisecond_ns.as_ref())
    }

    /// The node.
    pub fn node(&self) -> i64 {
        or_0(self.node.as_ref())
    }

    /// The node of this layout, given as a number or as its named parts.
    pub fn node_of(&self, layout: &Layout) -> Result<i64, Error> {
        match &self.node_parts {
            None => Ok(self.node()),
            Some(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| (part.name.as_str(), saturated(&part.value))).collect();
                layout.node_of_parts(&parts)
            }
        }
    }

    /// The sequence.
    pub fn sequence(&self) -> i64 {
        or_0(self.sequence.as_ref())
    }

    /// The sequence, of any width.
    pub fn sequence_wide(&self) -> u128 {
        self.sequence.as_ref().map_or(0, saturated_wide)
    }

    /// The random part.
    pub fn random(&self) -> i64 {
        or_0(self.random.as_ref())
    }

    /// The random part, of any width.
    pub fn random_wide(&self) -> u128 {
        self.random.as_ref().map_or(0, saturated_wide)
    }

    /// How often the clock had stepped back.
    pub fn rollback(&self) -> i64 {
        or_0(self.rollback.as_ref())
    }
}

fn or_0(part: Option<&BigInt>) -> i64 {
    part.map_or(0, saturated)
}
