//! Converts the parts of which an ID is composed.

use crate::integer::{given, maybe_given, maybe_given_wide};
use napi::bindgen_prelude::BigInt;
use napi_derive::napi;
use saiban::{ComposeParts, Error, Layout};

/// A named part of the node.
#[napi(object, object_to_js = false)]
pub struct NodePartGiven {
    /// Its name.
    pub name: String,
    /// Its number.
    pub value: BigInt,
}

/// Returns the node of these parts.
pub fn node_of_parts(layout: &Layout, parts: &[NodePartGiven]) -> Result<i64, Error> {
    let given = |part: &'_ NodePartGiven| given("a part of the node", &part.value);
    let parts: Vec<_> = parts.iter().map(|part| (part.name.as_str(), given(part))).collect();
    layout.node_of_parts(&parts)
}

/// The parts that JavaScript passes.
#[napi(object, object_to_js = false)]
pub struct PartsGiven {
    /// Unix milliseconds.
    pub timestamp_ms: Option<BigInt>,
    /// The nanoseconds after that.
    pub submillisecond_ns: Option<BigInt>,
    /// The node; for a Ulid-Flake the scalability id.
    pub node: Option<BigInt>,
    /// The node as its named parts.
    pub node_parts: Option<Vec<NodePartGiven>>,
    /// The sequence; for a UUID v1 the clock sequence.
    pub sequence: Option<BigInt>,
    /// The random part.
    pub random: Option<BigInt>,
    /// The number of times that the clock had stepped back.
    pub rollback: Option<BigInt>,
}

impl PartsGiven {
    /// Converts the parts for core. The node of the layout may have named parts.
    pub fn to_core(&self, layout: Option<&Layout>) -> Result<ComposeParts, Error> {
        let named = self.node_parts.as_deref().zip(layout);
        let node = named.map(|(parts, layout)| node_of_parts(layout, parts)).transpose()?;
        let mut parts = ComposeParts::default();
        parts.timestamp_ms = maybe_given("timestamp_ms", self.timestamp_ms.as_ref());
        parts.submillisecond_ns = maybe_given("submillisecond_ns", self.submillisecond_ns.as_ref());
        parts.node = node.or_else(|| maybe_given("node", self.node.as_ref()));
        parts.sequence = maybe_given_wide("sequence", self.sequence.as_ref());
        parts.random = maybe_given_wide("random", self.random.as_ref());
        parts.rollback = maybe_given("rollback", self.rollback.as_ref());
        Ok(parts)
    }
}
