//! IDs as text, and UUIDs as the bytes of a `GUID`.

use crate::error::OrThrow;
use crate::integer::{exact, exact_unsigned, maybe_given, saturated};
use crate::written;
use napi::Env;
use napi::bindgen_prelude::{BigInt, Either, Uint8Array, i64n};
use napi_derive::napi;
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::{Encoding, Error, Leniency, UuidForm};

/// The width of signed numbers. Numbers of other widths are unsigned.
pub const SIGNED_BITS: u32 = 64;

/// Encodes a number of this many bits (64 if not given), with this width or the encoding's default
/// width.
#[napi(catch_unwind)]
pub fn encode(
    env: Env,
    value: BigInt,
    encoding: String,
    width: Option<BigInt>,
    bits: Option<BigInt>,
) -> napi::Result<String> {
    let width = maybe_given("width", width.as_ref());
    let text = Encoding::from_name(&encoding).and_then(|encoding| match bits_of(bits.as_ref()) {
        SIGNED_BITS => encoding.encode_as(exact(&value, "any scheme")?, width),
        bits => {
            // A number of more than 128 bits fits no width. Core checks the width first.
            encoding.full_width_of(bits)?;
            encoding.encode_wide_as(exact_unsigned(&value, bits)?, bits, width)
        }
    });
    text.map(|text| text.as_str().to_owned()).or_throw(&env)
}

/// Decodes a number of this many bits (64 if not given) from text.
#[napi(catch_unwind, ts_return_type = "bigint")]
pub fn decode(
    env: Env,
    text: String,
    encoding: String,
    width: Option<BigInt>,
    lenient: bool,
    bits: Option<BigInt>,
) -> napi::Result<Either<i64n, u128>> {
    let (width, leniency) = (maybe_given("width", width.as_ref()), Leniency::lenient_if(lenient));
    let read = |encoding: Encoding| -> Result<Either<i64n, u128>, Error> {
        Ok(match bits_of(bits.as_ref()) {
            SIGNED_BITS => Either::A(i64n(encoding.decode_as(&text, width, leniency)?)),
            bits => Either::B(encoding.decode_wide_as(&text, bits, width, leniency)?),
        })
    };
    Encoding::from_name(&encoding).and_then(read).or_throw(&env)
}

/// The names of all encodings of numbers.
#[napi(catch_unwind)]
pub fn encoding_names() -> Vec<&'static str> {
    Encoding::ALL.iter().map(Encoding::name).collect()
}

/// Returns the number of bits. An impossible one becomes 0 or the largest number, which core
/// refuses.
pub fn bits_of(bits: Option<&BigInt>) -> u32 {
    let Some(integer) = bits else { return SIGNED_BITS };
    let number = saturated(integer);
    u32::try_from(number).unwrap_or_else(|_| {
        written::keep("bits", integer);
        if number < 0 { 0 } else { u32::MAX }
    })
}

/// The bytes of a UUID, given as hyphenated text, in the order of a `GUID` in memory.
#[napi(catch_unwind)]
pub fn uuid_to_guid_bytes_of(env: Env, text: String) -> napi::Result<Uint8Array> {
    let uuid = UuidForm::Hyphenated.decode(&text, Leniency::Strict).or_throw(&env)?;
    Ok(Uint8Array::with_data_copied(uuid_to_guid_bytes(uuid)))
}

/// The UUID, as hyphenated text, of the bytes of a `GUID` in memory.
#[napi(catch_unwind)]
pub fn uuid_of_guid_bytes(env: Env, bytes: Uint8Array) -> napi::Result<String> {
    let bytes = <[u8; 16]>::try_from(&*bytes);
    let bytes =
        bytes.map_err(|_| Error::InvalidArgument { what: "the bytes are not a GUID: give 16 bytes" }).or_throw(&env)?;
    Ok(UuidForm::Hyphenated.encode(uuid_from_guid_bytes(bytes)).as_str().to_owned())
}
