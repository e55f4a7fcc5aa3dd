//! Converts JavaScript's BigInts, which have no limits, to core's integers, and core's integers to
//! numbers.

use crate::written;
use napi::bindgen_prelude::{BigInt, Either};
use saiban::Error;
use saiban::scheme::not_an_id;
use std::ops::Range;

/// The largest safe integer of JavaScript's numbers: 2^53 − 1.
const MAX_SAFE: i128 = (1 << 53) - 1;

/// A number, or a bigint if a number would lose digits.
pub type Whole = Either<f64, i128>;

/// Converts an integer to a JavaScript number, if that keeps all digits.
pub fn number(integer: i128) -> Result<f64, Error> {
    if integer.abs() > MAX_SAFE {
        return Err(Error::InvalidArgument {
            what: "a time of this ID or layout needs more than the 53 bits of a JavaScript number: use narrower fields",
        });
    }
    Ok(integer as f64)
}

/// Converts an integer to a JavaScript number, or to a bigint if a number would lose digits.
pub fn whole(integer: i128) -> Whole {
    if integer.abs() > MAX_SAFE { Either::B(integer) } else { Either::A(integer as f64) }
}

/// Converts an integer to a JavaScript number. A larger one becomes the largest safe integer.
pub fn at_most_safe(integer: impl Into<i128>) -> f64 {
    integer.into().min(MAX_SAFE) as f64
}

/// Returns the integer, or the nearest of 64 bits, which core then refuses.
pub fn saturated(integer: &BigInt) -> i64 {
    match integer.get_i64() {
        (value, true) => value,
        _ if integer.sign_bit => i64::MIN,
        _ => i64::MAX,
    }
}

/// Like [`saturated`], but messages show the integer itself, with this argument's name.
pub fn given(name: &'static str, integer: &BigInt) -> i64 {
    if !integer.get_i64().1 {
        written::keep(name, integer);
    }
    saturated(integer)
}

/// Converts an optional integer.
pub fn maybe_given(name: &'static str, integer: Option<&BigInt>) -> Option<i64> {
    integer.map(|integer| given(name, integer))
}

/// Converts an integer of 64 bits. A larger one is refused with the error of the nearest one; the
/// message has this name for it.
pub fn maybe_exact(
    name: &'static str,
    integer: Option<&BigInt>,
    refusal: fn(i64) -> Error,
) -> Result<Option<i64>, Error> {
    let Some(integer) = integer else { return Ok(None) };
    match integer.get_i64() {
        (value, true) => Ok(Some(value)),
        _ => Err(refusal(given(name, integer))),
    }
}

/// Like [`maybe_given`], for integers of 128 bits.
pub fn maybe_given_wide(name: &'static str, integer: Option<&BigInt>) -> Option<i128> {
    let integer = integer?;
    if !integer.get_i64().1 {
        written::keep(name, integer);
    }
    Some(match integer.get_i128() {
        (value, true) => value,
        _ if integer.sign_bit => i128::MIN,
        _ => i128::MAX,
    })
}

/// Returns the integer. One of more than 128 bits becomes the largest. `Err` has a negative one, or
/// the nearest of 64 bits.
pub fn wide_or_negative(integer: &BigInt) -> Result<u128, i64> {
    match saturated(integer) {
        negative if negative < 0 => Err(negative),
        _ => match integer.get_u128() {
            (_, value, true) => Ok(value),
            _ => Ok(u128::MAX),
        },
    }
}

/// Converts a signed 64-bit ID, or returns the error for this scheme.
pub fn exact(integer: &BigInt, scheme: &'static str) -> Result<i64, Error> {
    match integer.get_i64() {
        (value, true) => Ok(value),
        _ => Err(not_an_id(scheme)),
    }
}

/// Converts an unsigned 128-bit ID, or returns the error for this scheme.
pub fn exact_wide(integer: &BigInt, scheme: &'static str) -> Result<u128, Error> {
    match integer.get_u128() {
        (false, value, true) | (true, value @ 0, true) => Ok(value),
        _ => Err(not_an_id(scheme)),
    }
}

/// Converts an unsigned number of a width other than 64 bits. Core checks that it fits.
pub fn exact_unsigned(integer: &BigInt, bits: u32) -> Result<u128, Error> {
    exact_wide(integer, "any scheme").map_err(|_| Error::IdUnsigned { bits })
}

/// Converts a half-open range `[start, end]`, whose bounds have these names in messages.
pub fn range(names: [&'static str; 2], pair: &[BigInt]) -> Result<Range<i64>, Error> {
    match pair {
        [start, end] => Ok(given(names[0], start)..given(names[1], end)),
        _ => Err(Error::InvalidArgument { what: "a range has two bounds: give [start, end]" }),
    }
}
