//! JavaScript's BigInts, which have no limits, as core's integers.

use napi::bindgen_prelude::BigInt;
use saiban::Error;
use std::ops::Range;

/// The integer, or the nearest of 64 bits: core then says what was wrong with it.
pub fn saturated(integer: &BigInt) -> i64 {
    match integer.get_i64() {
        (value, true) => value,
        _ if integer.sign_bit => i64::MIN,
        _ => i64::MAX,
    }
}

/// As [`saturated`], where there is one.
pub fn saturated_if_given(integer: Option<BigInt>) -> Option<i64> {
    integer.as_ref().map(saturated)
}

/// The integer, or the largest of 128 bits for a larger one and for a negative one, which none of core's unsigned parts may be:
/// core then says what was wrong with it.
pub fn saturated_wide(integer: &BigInt) -> u128 {
    match integer.get_u128() {
        (false, value, true) => value,
        (true, 0, true) => 0,
        _ => u128::MAX,
    }
}

/// The integer, or the largest of 128 bits for a larger one; `Err` holds a negative one, or the nearest of 64 bits.
pub fn wide_or_negative(integer: &BigInt) -> Result<u128, i64> {
    match saturated(integer) {
        negative if negative < 0 => Err(negative),
        _ => Ok(saturated_wide(integer)),
    }
}

/// An ID: a signed integer of 64 bits, or the error that it is none of this scheme.
pub fn exact(integer: &BigInt, scheme: &'static str) -> Result<i64, Error> {
    match integer.get_i64() {
        (value, true) => Ok(value),
        _ => Err(Error::IdOutOfRange { scheme }),
    }
}

/// An ID of more than 64 bits: an unsigned integer of 128 bits, or the error that it is none of this scheme.
pub fn exact_wide(integer: &BigInt, scheme: &'static str) -> Result<u128, Error> {
    match integer.get_u128() {
        (false, value, true) | (true, value @ 0, true) => Ok(value),
        _ => Err(Error::IdOutOfRange { scheme }),
    }
}

/// A half-open range, `[start, end]`.
pub fn range(pair: &[BigInt]) -> Result<Range<i64>, Error> {
    match pair {
        [start, end] => Ok(saturated(start)..saturated(end)),
        _ => Err(Error::InvalidArgument { what: "a range has two ends: give [start, end]" }),
    }
}
