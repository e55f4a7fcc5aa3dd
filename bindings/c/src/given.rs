//! Numbers that may be left out.

use saiban::Error;

/// `SAIBAN_NOT_GIVEN` of the header: out of range for whatever may be left out, and no number that
/// a program arrives at by mistake, as the smallest of all would be.
pub(crate) const NOT_GIVEN: i64 = -6_494_000_000_000_000_000;

/// A number that may have been left out.
pub(crate) fn given(number: i64) -> Option<i64> {
    (number != NOT_GIVEN).then_some(number)
}

/// 0 or 1, which may have been left out; `what` is the message for another number.
pub(crate) fn flag(number: i64, what: &'static str) -> Result<Option<bool>, Error> {
    match given(number) {
        None => Ok(None),
        Some(0) => Ok(Some(false)),
        Some(1) => Ok(Some(true)),
        Some(_) => Err(Error::InvalidArgument { what }),
    }
}
