//! What can go wrong between a holder and its store.

use saiban::ErrorKind;
use std::fmt;

/// What went wrong, with the value, the limits and what to do about it. Its kinds are the core's, the same in all languages.
///
/// A message may hold what a server answered; it never holds the password of a store's URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    is_permanent: bool,
}

impl Error {
    /// An error of this kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), is_permanent: false }
    }

    /// The kind: what a program tells errors apart by.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The same, of what asking again does not mend.
    #[must_use]
    pub fn permanent(self) -> Self {
        Error { is_permanent: true, ..self }
    }

    /// Whether a `StoreUnavailable` is one that asking again does not mend, and may make worse: a wrong password, a right that is missing, a
    /// database that is read-only. `false` says nothing.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.is_permanent
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<saiban::Error> for Error {
    fn from(error: saiban::Error) -> Self {
        Error::new(error.kind(), error.to_string())
    }
}
