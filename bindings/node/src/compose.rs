//! The parts of which an ID is composed.

use crate::integer::{given, given_wide, maybe_given};
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

/// The node of these parts.
pub fn node_of_parts(layout: &Layout, parts: &[NodePartGiven]) -> Result<i64, Error> {
    let given = |part: &'_ NodePartGiven| given("a part of the node", &part.value);
    let parts: Vec<_> = parts.iter().map(|part| (part.name.as_str(), given(part))).collect();
    layout.node_of_parts(&parts)
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
        maybe_given("timestamp_ms", self.timestamp_ms.as_ref()).unwrap_or(0)
    }

    /// The nanoseconds after that.
    pub fn submillisecond_ns(&self) -> i64 {
        maybe_given("submillisecond_ns", self.submillisecond_ns.as_ref()).unwrap_or(0)
    }

    /// The node.
    pub fn node(&self) -> i64 {
        maybe_given("node", self.node.as_ref()).unwrap_or(0)
    }

    /// The node of this layout, given as a number or as its named parts.
    pub fn node_of(&self, layout: &Layout) -> Result<i64, Error> {
        match &self.node_parts {
            None => Ok(self.node()),
            Some(parts) => node_of_parts(layout, parts),
        }
    }

    /// The sequence.
    pub fn sequence(&self) -> i64 {
        maybe_given("sequence", self.sequence.as_ref()).unwrap_or(0)
    }

    /// The sequence, of any width.
    pub fn sequence_wide(&self) -> u128 {
        self.sequence.as_ref().map_or(0, |sequence| given_wide("sequence", sequence))
    }

    /// The random part.
    pub fn random(&self) -> i64 {
        maybe_given("random", self.random.as_ref()).unwrap_or(0)
    }

    /// The random part, of any width.
    pub fn random_wide(&self) -> u128 {
        self.random.as_ref().map_or(0, |random| given_wide("random", random))
    }

    /// How often the clock had stepped back.
    pub fn rollback(&self) -> i64 {
        maybe_given("rollback", self.rollback.as_ref()).unwrap_or(0)
    }
}
