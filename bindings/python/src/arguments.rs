//! Converts Python's values to the core's arguments.
//!
//! An integer beyond 64 bits is passed as the nearest one that fits. The core refuses it, because
//! few of its limits are as high (see `maybe_exact`), and the message shows its limits and the
//! integer as it was written (`written.rs`). `True` and `False` are not integers here.

use crate::error::{Failure, Result};
use crate::written;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyList, PyMapping, PyRange, PyString, PyTuple};
use saiban::layout::MAX_NAMES;
use saiban::scheme::not_an_id;
use saiban::{Encoding, Error, LayoutProblem, Prefix, Scheme, Secret};
use std::borrow::Cow;
use std::ops::Range;
use zeroize::Zeroizing;

/// An optional argument.
pub type Maybe<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Returns the error for an argument of the wrong type. It does not show the value, which may be a
/// secret.
pub fn wrong_type(name: &str, wanted: &str, given: &Bound<'_, PyAny>) -> Failure {
    match given.get_type().name() {
        Ok(found) => Failure::WrongType(format!("{name} must be {wanted}, not {found}")),
        Err(error) => Failure::Python(error),
    }
}

/// A Python integer, or the side on which it leaves the range of 64 bits.
enum Int {
    Fits(i64),
    TooSmall,
    TooLarge,
}

fn read(name: &str, value: &Bound<'_, PyAny>) -> Result<Int> {
    let wrong = || wrong_type(name, "an integer", value);
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    match value.extract::<i64>() {
        Ok(number) => Ok(Int::Fits(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { Int::TooSmall } else { Int::TooLarge })
        }
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong()),
        Err(error) => Err(error.into()),
    }
}

/// Converts an integer. One beyond 64 bits becomes the nearest that fits.
pub fn int(name: &str, value: &Bound<'_, PyAny>) -> Result<i64> {
    let nearest = match read(name, value)? {
        Int::Fits(number) => return Ok(number),
        Int::TooSmall => i64::MIN,
        Int::TooLarge => i64::MAX,
    };
    written::keep(name, value)?;
    Ok(nearest)
}

/// Converts an integer or `None`.
pub fn maybe_int(name: &str, value: Option<&Bound<'_, PyAny>>) -> Result<Option<i64>> {
    value.map(|value| int(name, value)).transpose()
}

/// Converts an argument of 64 bits. A larger integer is refused with the error of the nearest one;
/// `shown_as` is the name of the argument in core's message.
pub fn maybe_exact(name: &str, value: Maybe<'_, '_>, shown_as: &str, refusal: fn(i64) -> Error) -> Result<Option<i64>> {
    let Some(value) = value else { return Ok(None) };
    let nearest = match read(name, value)? {
        Int::Fits(number) => return Ok(Some(number)),
        Int::TooSmall => i64::MIN,
        Int::TooLarge => i64::MAX,
    };
    written::keep(shown_as, value)?;
    Err(refusal(nearest).into())
}

/// Converts an epoch, Unix milliseconds. No layout has an epoch beyond 64 bits.
pub fn epoch_ms(value: &Bound<'_, PyAny>) -> Result<i64> {
    match read("epoch_ms", value)? {
        Int::Fits(epoch_ms) => Ok(epoch_ms),
        Int::TooSmall | Int::TooLarge => Err(Error::InvalidLayout { reason: LayoutProblem::TimeTooLong }.into()),
    }
}

/// Converts an ID: an integer of 64 bits.
pub fn id(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<i64> {
    signed("id", scheme, value)
}

/// Converts the argument with this name, an integer of 64 bits.
pub fn signed(name: &str, scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<i64> {
    match read(name, value)? {
        Int::Fits(id) => Ok(id),
        Int::TooSmall | Int::TooLarge => Err(not_an_id(scheme).into()),
    }
}

/// Converts a number of a width other than 64 bits: an integer that is not negative. Core checks
/// that it fits.
pub fn unsigned(name: &str, value: &Bound<'_, PyAny>, bits: u32) -> Result<u128> {
    match natural(name, value)? {
        Natural::Fits(number) => Ok(number),
        Natural::Negative | Natural::TooLarge => Err(Error::IdUnsigned { bits }.into()),
    }
}

/// Converts a part of an ID for a value: 0 or more. No part has more than 127 bits.
pub fn maybe_part(name: &str, value: Maybe<'_, '_>) -> Result<Option<i128>> {
    let part = |value| match natural(name, value)? {
        Natural::Fits(number) if i128::try_from(number).is_ok() => Ok(number as i128),
        _ => {
            let what = "a part of an ID is out of range: node, sequence, random, rollback and secret_index are 0 or \
                        more, below 2^127";
            Err(Error::InvalidArgument { what }.into())
        }
    };
    value.map(part).transpose()
}

/// Converts Unix milliseconds for a value.
pub fn maybe_timestamp_ms(value: Maybe<'_, '_>) -> Result<Option<i64>> {
    let time = |value| match read("timestamp_ms", value)? {
        Int::Fits(timestamp_ms) => Ok(timestamp_ms),
        Int::TooSmall | Int::TooLarge => {
            let what = "timestamp_ms does not fit 64 bits: give Unix milliseconds";
            Err(Error::InvalidArgument { what }.into())
        }
    };
    value.map(time).transpose()
}

/// Converts an ID of more than 64 bits: an integer that is not negative.
pub fn wide_id(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<u128> {
    match natural("id", value)? {
        Natural::Fits(id) => Ok(id),
        Natural::Negative | Natural::TooLarge => Err(not_an_id(scheme).into()),
    }
}

/// An integer of up to 128 bits that is not negative, or the side on which it leaves that range.
enum Natural {
    Fits(u128),
    Negative,
    TooLarge,
}

fn natural(name: &str, value: &Bound<'_, PyAny>) -> Result<Natural> {
    let wrong = || wrong_type(name, "an integer", value);
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    match value.extract::<u128>() {
        Ok(number) => Ok(Natural::Fits(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { Natural::Negative } else { Natural::TooLarge })
        }
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong()),
        Err(error) => Err(error.into()),
    }
}

/// Converts a part of which an ID is composed, or `None`. A negative part, and one of more than 127
/// bits, becomes the largest number, which the core refuses.
pub fn maybe_composed(name: &str, value: Maybe<'_, '_>) -> Result<Option<i128>> {
    let Some(value) = value else { return Ok(None) };
    if let Natural::Fits(number) = natural(name, value)?
        && let Ok(number) = i128::try_from(number)
    {
        return Ok(Some(number));
    }
    written::keep(name, value)?;
    Ok(Some(i128::MAX))
}

/// Converts an integer of up to 128 bits. A larger one becomes the largest. `Err` has a negative
/// one, or the nearest of 64 bits.
pub fn wide_or_negative(name: &str, value: &Bound<'_, PyAny>) -> Result<std::result::Result<u128, i64>> {
    Ok(match natural(name, value)? {
        Natural::Fits(number) => Ok(number),
        Natural::TooLarge => Ok(u128::MAX),
        Natural::Negative => Err(int(name, value)?),
    })
}

/// Converts an integer. One beyond 128 bits becomes the nearest that fits.
fn whole(name: &str, value: &Bound<'_, PyAny>) -> Result<i128> {
    let nearest = match natural(name, value)? {
        Natural::Fits(number) => i128::try_from(number).unwrap_or(i128::MAX),
        Natural::TooLarge => i128::MAX,
        Natural::Negative => value.extract().unwrap_or(i128::MIN),
    };
    if i64::try_from(nearest).is_err() {
        written::keep(name, value)?;
    }
    Ok(nearest)
}

/// Converts a mapping of names to integers. It reads at most one more than a node can have parts.
pub fn pairs(name: &str, value: &Bound<'_, PyAny>) -> Result<Vec<(String, i128)>> {
    let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type(name, "a mapping of names to integers", value))?;
    let mut pairs = Vec::new();
    for item in mapping.items()?.iter().take(MAX_NAMES + 1) {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        pairs.push((text("a name", &key)?.into_owned(), whole("a part of the node", &value)?));
    }
    Ok(pairs)
}

/// Converts a number of bits. One below 0 or beyond 32 bits becomes the nearest that fits, which
/// has an equal error.
pub fn bits(name: &str, value: &Bound<'_, PyAny>) -> Result<u32> {
    let number = int(name, value)?;
    let nearest = number.clamp(0, i64::from(u32::MAX));
    if nearest != number {
        written::keep(name, value)?;
    }
    Ok(nearest as u32)
}

/// Converts a number, whole or not.
pub fn float(name: &str, value: &Bound<'_, PyAny>) -> Result<f64> {
    let wrong = || wrong_type(name, "a number", value);
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong()),
        // The int is larger than every float.
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        Err(error) => Err(error.into()),
    }
}

/// Converts an object with bytes; `what` is the message for another number of bytes.
pub fn bytes<const LENGTH: usize>(name: &str, value: &Bound<'_, PyAny>, what: &'static str) -> Result<[u8; LENGTH]> {
    let found = maybe_bytes(value)?.ok_or_else(|| wrong_type(name, "bytes", value))?;
    found.try_into().map_err(|_| Error::InvalidArgument { what }.into())
}

/// Converts bytes, or another buffer, such as a bytearray. Returns `None` for any other object.
pub fn maybe_bytes(value: &Bound<'_, PyAny>) -> Result<Option<Vec<u8>>> {
    Ok(match value.cast::<PyBytes>() {
        Ok(bytes) => Some(bytes.as_bytes().to_vec()),
        Err(_) => PyBuffer::<u8>::get(value).ok().map(|buffer| buffer.to_vec(value.py())).transpose()?,
    })
}

/// Converts a count, which is not negative; `what` is the message for a negative one.
pub fn count(name: &str, value: &Bound<'_, PyAny>, what: &'static str) -> Result<u64> {
    u64::try_from(int(name, value)?).map_err(|_| Error::InvalidArgument { what }.into())
}

/// Converts text. Half of a surrogate pair, which no alphabet has, becomes U+FFFD.
pub fn text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> Result<Cow<'a, str>> {
    let text = value.cast::<PyString>().map_err(|_| wrong_type(name, "text (str)", value))?;
    Ok(text.to_str().map_or_else(|_| text.to_string_lossy(), Cow::Borrowed))
}

/// Converts text or `None`.
pub fn maybe_text(name: &str, value: Maybe<'_, '_>) -> Result<Option<String>> {
    value.map(|value| Ok(text(name, value)?.into_owned())).transpose()
}

/// Converts `True` or `False`. Absent is `False`.
pub fn flag(name: &str, value: Option<&Bound<'_, PyAny>>) -> Result<bool> {
    match value.map(|value| (value, value.cast::<PyBool>())) {
        None => Ok(false),
        Some((_, Ok(flag))) => Ok(flag.is_true()),
        Some((value, Err(_))) => Err(wrong_type(name, "True or False", value)),
    }
}

/// Converts the name of an encoding, or `None`.
pub fn encoding(value: Option<&Bound<'_, PyAny>>) -> Result<Option<Encoding>> {
    value.map(|value| Ok(Encoding::from_name(&text("encoding", value)?)?)).transpose()
}

/// Converts the name of a scheme, or `None`.
pub fn scheme(value: Option<&Bound<'_, PyAny>>) -> Result<Option<Scheme>> {
    value.map(|value| Ok(Scheme::from_name(&text("scheme", value)?)?)).transpose()
}

/// Converts the prefix of the text of IDs, or `None`.
pub fn maybe_prefix(value: Maybe<'_, '_>) -> Result<Option<Prefix>> {
    value.map(|value| Ok(Prefix::new(&text("prefix", value)?)?)).transpose()
}

/// Converts a secret: 16 bytes in bytes, a bytearray or a memoryview.
pub fn secret(name: &str, value: &Bound<'_, PyAny>) -> Result<Secret> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Secret::from_slice(bytes.as_bytes())?);
    }
    let buffer = PyBuffer::<u8>::get(value).map_err(|_| wrong_type(name, "16 bytes", value))?;
    let bytes = Zeroizing::new(buffer.to_vec(value.py())?);
    Ok(Secret::from_slice(&bytes)?)
}

/// Converts `range(first, end)`.
pub fn nodes(value: &Bound<'_, PyAny>) -> Result<Range<i64>> {
    let range = value.cast::<PyRange>().map_err(|_| wrong_type("nodes", "a range, such as range(0, 64)", value))?;
    if int("step", &range.getattr("step")?)? != 1 {
        return Err(Error::InvalidArgument { what: "nodes has gaps: give a range whose step is 1" }.into());
    }
    Ok(int("the first of nodes", &range.getattr("start")?)?..int("the end of nodes", &range.getattr("stop")?)?)
}

/// Returns the two items of a pair, which is a tuple, or a list as in JSON.
pub fn pair<'py>(value: &Bound<'py, PyAny>) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let is_pair = (value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>()) && value.len().ok()? == 2;
    if is_pair { Some((value.get_item(0).ok()?, value.get_item(1).ok()?)) } else { None }
}
