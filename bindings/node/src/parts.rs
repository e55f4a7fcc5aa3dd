//! IDs taken apart.

use napi::bindgen_prelude::i64n;
use napi_derive::napi;
use saiban::Error;

/// The largest integer up to which JavaScript's numbers have them all: 2^53 − 1.
pub const MAX_SAFE: i128 = (1 << 53) - 1;

/// The parts of an ID; node/src/parts.ts freezes them and adds the date.
#[napi(object, object_from_js = false)]
pub struct Parts {
    /// The family.
    pub scheme: &'static str,
    /// The preset's name.
    pub layout: Option<&'static str>,
    /// The ID itself.
    #[napi(ts_type = "bigint")]
    pub id: i64n,
    /// When its tick began, Unix milliseconds.
    pub timestamp_ms: f64,
    /// The node.
    pub node: Option<f64>,
    /// The sequence number.
    pub sequence: Option<f64>,
    /// The random part.
    pub random: Option<f64>,
    /// How often the clock had stepped back.
    pub rollback: Option<f64>,
    /// Which of several secrets it was read with.
    pub secret_index: Option<f64>,
}

/// An integer as a JavaScript number, if it keeps all its digits.
pub fn number(integer: i128) -> Result<f64, Error> {
    if integer.abs() > MAX_SAFE {
        return Err(Error::InvalidArgument {
            what: "a part of this ID or layout needs more than the 53 bits of a JavaScript number: take narrower fields",
        });
    }
    Ok(integer as f64)
}

impl TryFrom<saiban::Parts> for Parts {
    type Error = Error;

    fn try_from(parts: saiban::Parts) -> Result<Self, Error> {
        // The schemes here have IDs of 64 bits, all with a time.
        let wide = |part: u128| number(i128::try_from(part).unwrap_or(i128::MAX));
        let part = |part: Option<u64>| part.map(|part| wide(part.into())).transpose();
        Ok(Parts {
            scheme: parts.scheme.name(),
            layout: parts.layout,
            id: i64n(parts.id.as_i64().unwrap_or(0)),
            timestamp_ms: number(parts.timestamp_ms.unwrap_or(0).into())?,
            node: part(parts.node)?,
            sequence: part(parts.sequence)?,
            random: parts.random.map(wide).transpose()?,
            rollback: part(parts.rollback)?,
            secret_index: part(parts.secret_index)?,
        })
    }
}
