//! Writes error messages, with numbers as the caller wrote them.

use super::Error;
use super::message::Numbers;
use core::fmt;

/// An error's message that shows numbers as the caller wrote them. See [`Error::with_numbers`].
pub struct Message<'a> {
    error: &'a Error,
    numbers: Numbers<'a>,
}

impl Error {
    /// Returns the message with numbers as the caller wrote them: pairs of an argument's name and
    /// its number.
    ///
    /// Integers of some languages have no limits. If a number does not fit the core's integer, a
    /// binding passes the nearest integer, which is out of range as well. The message then shows
    /// the original number, or the first 24 digits of a number of more than 40 characters.
    ///
    /// ```
    /// use saiban::{ComposeParts, Generator, Layout, ManualClock, Options, SnowflakeGenerator};
    /// let clock = ManualClock::new(1_704_067_200_000)?;
    /// let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(7), clock)?;
    /// let parts = ComposeParts::at_ms(1_704_067_200_000).node(7).sequence(i64::MAX);
    /// let error = ids.compose(&parts).unwrap_err();
    /// let message = error.with_numbers(&[("sequence", "9223372036854775808")]).to_string();
    /// assert_eq!(message, "sequence 9223372036854775808 is out of range: this layout has 0 to 4095");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn with_numbers<'a>(&'a self, numbers: &'a [(&'a str, &'a str)]) -> Message<'a> {
        Message { error: self, numbers: Numbers(numbers) }
    }
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.write_message(f, self.numbers)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_message(f, Numbers(&[]))
    }
}
