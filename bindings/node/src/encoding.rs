//! IDs as text.

use crate::error::OrThrow;
use crate::integer::{exact, saturated_if_given};
use napi::Env;
use napi::bindgen_prelude::{BigInt, i64n};
use napi_derive::napi;
use saiban::{Encoding, Leniency};

/// Writes a number of 64 bits in this encoding, of this width or in its customary form.
#[napi(catch_unwind)]
pub fn encode(env: Env, value: BigInt, encoding: String, width: Option<BigInt>) -> napi::Result<String> {
    let text = Encoding::from_name(&encoding)
        .and_then(|encoding| encoding.encode_as(exact(&value, "any scheme")?, saturated_if_given(width)));
    text.map(|text| text.as_str().to_owned()).or_throw(&env)
}

/// Reads a number of 64 bits from text in this encoding.
#[napi(catch_unwind, ts_return_type = "bigint")]
pub fn decode(env: Env, text: String, encoding: String, width: Option<BigInt>, lenient: bool) -> napi::Result<i64n> {
    Encoding::from_name(&encoding)
        .and_then(|encoding| encoding.decode_as(&text, saturated_if_given(width), Leniency::lenient_if(lenient)))
        .map(i64n)
        .or_throw(&env)
}

/// The names of all encodings.
#[napi(catch_unwind)]
pub fn encoding_names() -> Vec<&'static str> {
    Encoding::ALL.iter().map(Encoding::name).collect()
}
