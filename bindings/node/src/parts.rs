//! IDs taken apart.

use crate::form::AnyShown;
use crate::raw::Ascii;
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;
use saiban::{Error, Layout, Text};

/// The largest integer up to which JavaScript's numbers have them all: 2^53 − 1.
pub const MAX_SAFE: i128 = (1 << 53) - 1;

/// A number, or where that would lose digits a bigint.
pub type Whole = Either<f64, i128>;

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
    /// The preset's name, a UUID's version, the order of a tick ID.
    pub layout: Option<&'static str>,
    /// The ID itself.
    #[napi(ts_type = "bigint | string")]
    pub id: AnyShown,
    /// Its canonical text.
    #[napi(ts_type = "string")]
    pub text: Ascii,
    /// Its bytes, as many as its bits need.
    pub id_bytes: Uint8Array,
    /// How many bits it has.
    pub bits: u32,
    /// When its tick began, Unix milliseconds.
    pub timestamp_ms: Option<f64>,
    /// By how many nanoseconds it began later.
    pub submillisecond_ns: Option<u32>,
    /// The node.
    #[napi(ts_type = "number | bigint")]
    pub node: Option<Whole>,
    /// The parts of the node that have names.
    pub node_parts: Vec<NodePart>,
    /// The sequence number.
    #[napi(ts_type = "number | bigint")]
    pub sequence: Option<Whole>,
    /// The random part.
    #[napi(ts_type = "bigint")]
    pub random: Option<u128>,
    /// How often the clock had stepped back.
    pub rollback: Option<f64>,
    /// Which of several secrets it was read with.
    pub secret_index: Option<f64>,
}

/// An integer as a JavaScript number, if it keeps all its digits.
pub fn number(integer: i128) -> Result<f64, Error> {
    if integer.abs() > MAX_SAFE {
        return Err(Error::InvalidArgument {
            what: "a time of this ID or layout needs more than the 53 bits of a JavaScript number: take narrower fields",
        });
    }
    Ok(integer as f64)
}

/// An integer as a JavaScript number, or where that would lose digits as a bigint.
pub fn whole(integer: i128) -> Whole {
    if integer.abs() > MAX_SAFE { Either::B(integer) } else { Either::A(integer as f64) }
}

impl Parts {
    /// What core found in an ID, with the ID as JavaScript has it and as text.
    pub fn of(parts: saiban::Parts, id: AnyShown, text: Text, layout: Option<&Layout>) -> Result<Parts, Error> {
        let part = |part: Option<u64>| part.map(|part| number(part.into())).transpose();
        Ok(Parts {
            scheme: parts.scheme.name(),
            layout: parts.layout,
            id,
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

/// As many bytes as the ID has, the highest first.
fn bytes(id: saiban::AnyId) -> Uint8Array {
    let all = id.value().to_be_bytes();
    Uint8Array::with_data_copied(&all[all.len() - id.bits().div_ceil(8) as usize..])
}

/// The parts of a node that have names of their own.
pub fn node_parts(layout: &Layout, node: i64) -> Result<Vec<NodePart>, Error> {
    let parts = layout.node_parts(node)?;
    // A node without named parts is one part to core.
    if !layout.has_node_parts() {
        return Ok(Vec::new());
    }
    let part = |(name, value): (&str, u64)| NodePart { name: name.to_owned(), value: whole(value.into()) };
    Ok(parts.map(part).collect())
}
