//! The parts of IDs.

use crate::form::is_text;
use crate::integer::{Whole, number, whole};
use crate::raw::Ascii;
use napi::bindgen_prelude::{Either3, Uint8Array, i64n};
use napi_derive::napi;
use saiban::{AnyId, Error, Layout, Text};

/// An ID as its generator shows it.
type AnyShown = Either3<i64n, u128, Ascii>;

/// A named part of the node.
#[napi(object, object_from_js = false)]
pub struct NodePart {
    /// Its name.
    pub name: String,
    /// Its number.
    #[napi(ts_type = "number | bigint")]
    pub value: Whole,
}

/// The parts of an ID; node/src/parts.ts freezes them and adds the date.
#[napi(object, object_from_js = false)]
pub struct Parts {
    /// The family.
    pub scheme: &'static str,
    /// The preset's name, a UUID's version, or the order of a tick ID.
    pub layout: Option<&'static str>,
    /// The ID itself.
    #[napi(ts_type = "bigint | string")]
    pub id: AnyShown,
    /// The ID's canonical text.
    #[napi(ts_type = "string")]
    pub text: Ascii,
    /// The ID's bytes, as many as its bits need.
    pub id_bytes: Uint8Array,
    /// The number of bits of the ID.
    pub bits: u32,
    /// When its tick began, Unix milliseconds.
    pub timestamp_ms: Option<f64>,
    /// The nanoseconds from `timestampMs` to the beginning of the tick.
    pub submillisecond_ns: Option<u32>,
    /// The node.
    #[napi(ts_type = "number | bigint")]
    pub node: Option<Whole>,
    /// The named parts of the node.
    pub node_parts: Vec<NodePart>,
    /// The sequence number.
    #[napi(ts_type = "number | bigint")]
    pub sequence: Option<Whole>,
    /// The random part.
    #[napi(ts_type = "bigint")]
    pub random: Option<u128>,
    /// The number of times that the clock had stepped back.
    pub rollback: Option<f64>,
    /// The index of the secret with which the ID was read, if several were given.
    pub secret_index: Option<f64>,
}

impl Parts {
    /// Converts core's parts of an ID. The first text is the ID itself if IDs are text, the second
    /// its canonical text. The node of the layout may have named parts.
    pub fn of(parts: saiban::Parts, [id, text]: [Text; 2], layout: Option<&Layout>) -> Result<Parts, Error> {
        let part = |part: Option<u64>| part.map(|part| number(part.into())).transpose();
        Ok(Parts {
            scheme: parts.scheme.name(),
            layout: parts.layout,
            id: if is_text(parts.scheme) { Either3::C(Ascii(id)) } else { number_of(parts.id) },
            text: Ascii(text),
            id_bytes: bytes(parts.id),
            bits: parts.id.bits(),
            timestamp_ms: parts.timestamp_ms.map(|time| number(time.into())).transpose()?,
            submillisecond_ns: parts.submillisecond_ns,
            node: parts.node.map(|node| whole(node.into())),
            node_parts: layout
                .zip(parts.node)
                .map_or_else(|| Ok(Vec::new()), |(layout, node)| node_parts(layout, node as i64))?,
            sequence: parts.sequence.map(|sequence| whole(sequence.into())),
            random: parts.random,
            rollback: part(parts.rollback)?,
            secret_index: part(parts.secret_index)?,
        })
    }
}

/// Converts an ID that is a number.
fn number_of(id: AnyId) -> AnyShown {
    id.as_i64().map_or(Either3::B(id.value()), |id| Either3::A(i64n(id)))
}

/// Returns the bytes of an ID, the highest first.
fn bytes(id: AnyId) -> Uint8Array {
    let all = id.value().to_be_bytes();
    Uint8Array::with_data_copied(&all[all.len() - id.bits().div_ceil(8) as usize..])
}

/// Returns the named parts of a node.
pub fn node_parts(layout: &Layout, node: i64) -> Result<Vec<NodePart>, Error> {
    let parts = layout.node_parts(node)?;
    // For core, a node without named parts is one part.
    if !layout.has_node_parts() {
        return Ok(Vec::new());
    }
    let part = |(name, value): (&str, u64)| NodePart { name: name.to_owned(), value: whole(value.into()) };
    Ok(parts.map(part).collect())
}
