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
