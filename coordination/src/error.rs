//! The error type of leases, counters, remote generators and their stores.

use saiban::ErrorKind;
use std::fmt;

/// An error of this crate: a kind, and a message with the value, the limits and what to do.
///
/// The kinds are those of the core, and are equal in all languages.
///
/// A message may quote a server's reply. It never contains the password of a store's URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    cause: Cause,
    is_permanent: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Core(saiban::Error),
    Own(ErrorKind, String),
}

impl Error {
    /// Creates an error of this kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { cause: Cause::Own(kind, message.into()), is_permanent: false }
    }

    /// Returns the kind, by which programs distinguish errors.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &self.cause {
            Cause::Core(error) => error.kind(),
            Cause::Own(kind, _) => *kind,
        }
    }

    /// Returns the core's error, if this error wraps one.
    #[must_use]
    pub fn core(&self) -> Option<saiban::Error> {
        match self.cause {
            Cause::Core(error) => Some(error),
            Cause::Own(..) => None,
        }
    }

    /// Returns the error with integers as the caller wrote them.
    ///
    /// The bindings pass the nearest 64-bit integer for a larger one. Its first occurrence in the
    /// message is replaced by `digits`, the digits of the larger one, shortened to 40 characters.
    #[doc(hidden)]
    #[must_use]
    pub fn with_numbers<'n>(self, digits: impl IntoIterator<Item = &'n str>) -> Self {
        const LONGEST: usize = 40;
        const BEGINNING: usize = 24;
        let mut digits = digits.into_iter().peekable();
        if digits.peek().is_none() {
            return self;
        }
        let message = digits.fold(self.to_string(), |message, digits| {
            let nearest = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
            let shown = match digits.get(..BEGINNING) {
                Some(beginning) if digits.len() > LONGEST => format!("{beginning}… ({} characters)", digits.len()),
                _ => digits.to_owned(),
            };
            message.replacen(&nearest.to_string(), &shown, 1)
        });
        Error::new(self.kind(), message)
    }

    /// Marks the error as permanent: see [`Error::is_permanent`].
    #[must_use]
    pub fn permanent(self) -> Self {
        Error { is_permanent: true, ..self }
    }

    /// Returns whether a `StoreUnavailable` error is permanent: a retry does not help, and may do
    /// harm.
    ///
    /// Examples are a wrong password, a missing privilege and a read-only database. `false` does
    /// not mean that a retry will succeed.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.is_permanent
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Core(error) => error.fmt(f),
            Cause::Own(_, message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<saiban::Error> for Error {
    fn from(error: saiban::Error) -> Self {
        Error { cause: Cause::Core(error), is_permanent: false }
    }
}
