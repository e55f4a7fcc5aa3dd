//! Optional numbers.

use saiban::Error;

/// `SAIBAN_NOT_GIVEN` of the header. It is out of range for every optional number, and a program
/// hardly passes it by mistake, unlike the smallest number.
pub(crate) const NOT_GIVEN: i64 = -6_494_000_000_000_000_000;

/// Returns an optional number, or `None` if it was left out.
pub(crate) fn given(number: i64) -> Option<i64> {
    (number != NOT_GIVEN).then_some(number)
}

/// Returns an optional flag, 0 or 1; `what` is the message for another number.
pub(crate) fn flag(number: i64, what: &'static str) -> Result<Option<bool>, Error> {
    match given(number) {
        None => Ok(None),
        Some(0) => Ok(Some(false)),
        Some(1) => Ok(Some(true)),
        Some(_) => Err(Error::InvalidArgument { what }),
    }
}
