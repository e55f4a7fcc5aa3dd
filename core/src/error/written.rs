//! Messages with numbers as the caller wrote them.

use super::Error;
use core::fmt;

/// The longest number that a message tells whole: 128 bits and a sign.
const WHOLE: usize = 40;
/// Of a longer one as much as of any other text that the caller gave.
const BEGINNING: usize = 24;

/// An error's message, in which numbers stand as they were written. See [`Error::with_numbers`].
pub struct Message<'a> {
    pub(super) error: &'a Error,
    numbers: &'a [(&'a str, &'a str)],
}

impl Error {
    /// The message for who wrote these numbers, each with the name of its argument.
    ///
    /// In some languages integers have no limits. One that no integer of the core can hold is handed over as the nearest that can, which no
    /// limit allows; here the message tells the number itself, and of a long one the beginning.
    ///
    /// ```
    /// use saiban::{Layout, ManualClock, Options, Snowflake};
    /// let clock = ManualClock::new(1_704_067_200_000)?;
    /// let ids: Snowflake<_> = Snowflake::build(Layout::TWITTER, &Options::node(7), clock)?;
    /// let error = ids.compose(1_704_067_200_000, 7, i64::MAX).unwrap_err();
    /// let message = error.with_numbers(&[("sequence", "9223372036854775808")]).to_string();
    /// assert_eq!(message, "sequence 9223372036854775808 is out of range: this layout has 0 to 4095");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn with_numbers<'a>(&'a self, numbers: &'a [(&'a str, &'a str)]) -> Message<'a> {
        Message { error: self, numbers }
    }
}

impl<'a> Message<'a> {
    /// The number of the argument that has one of these names.
    pub(super) fn number(&self, names: &[&str], value: &'a dyn fmt::Display) -> Number<'a> {
        let written = names.iter().find_map(|name| self.numbers.iter().find(|(argument, _)| argument == name));
        written.map_or(Number::Held(value), |(_, digits)| Number::Written(digits))
    }
}

/// A number in a message.
pub(super) enum Number<'a> {
    /// One that the core holds.
    Held(&'a dyn fmt::Display),
    /// One that the caller wrote, and the core does not hold.
    Written(&'a str),
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Number::Held(value) => value.fmt(f),
            Number::Written(digits) if digits.len() <= WHOLE => f.write_str(digits),
            Number::Written(digits) => {
                let beginning = digits.get(..BEGINNING).unwrap_or_default();
                write!(f, "{beginning}… ({} characters)", digits.len())
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_numbers(&[]).fmt(f)
    }
}
