//! Errors: one variant a kind, each with core's message.

use saiban::error::Defect;
pub(crate) use saiban::error::guard;
use saiban::{Error, ErrorKind};
use std::fmt;

macro_rules! errors {
    ($( #[doc = $doc:literal] $kind:ident; )+) => {
        /// The errors of saiban: one case for each kind, the same kinds in every language. The
        /// message says what was wrong, the limits, and what to do; it never holds a secret.
        #[derive(Clone, Debug, PartialEq, Eq, uniffi::Error)]
        #[uniffi(flat_error)]
        pub enum SaibanError {
            $(
                #[doc = $doc]
                $kind(String),
            )+
        }

        impl SaibanError {
            /// The error of a kind, with its message.
            fn new(kind: ErrorKind, message: String) -> Self {
                match kind {
                    $( ErrorKind::$kind => SaibanError::$kind(message), )+
                    // A kind that is missing from this list; a test checks that there is none.
                    _ => SaibanError::Internal(message),
                }
            }
        }

        impl fmt::Display for SaibanError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $( SaibanError::$kind(message) => f.write_str(message), )+ }
            }
        }

        /// Each variant's kind and documentation, for the test that none is missing.
        #[cfg(test)]
        const LISTED: &[(ErrorKind, &str)] = &[ $( (ErrorKind::$kind, $doc), )+ ];
    };
}

errors! {
    /// The clock is behind the last ID by more than the longest wait allowed.
    ClockBackward;
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    ClockUnavailable;
    /// The time is before the layout's epoch.
    TimestampBeforeEpoch;
    /// The time is past the last one that the layout can hold.
    TimestampOverflow;
    /// The next ID needs a wait that the caller did not allow.
    WouldWait;
    /// The window in which the generator may issue IDs has not begun.
    LeaseNotBegun;
    /// The window in which the generator may issue IDs is over.
    LeaseExpired;
    /// The window is empty, or reaches outside the time that the layout can hold.
    InvalidWindow;
    /// A generator was asked for without a node.
    NodeRequired;
    /// The node id, or the range of them, does not fit the layout.
    NodeOutOfRange;
    /// The sequence number does not fit the layout.
    SequenceOutOfRange;
    /// The random part does not fit the layout.
    RandomOutOfRange;
    /// The number is not an ID of this scheme.
    IdOutOfRange;
    /// The secret has the wrong length or form.
    InvalidSecret;
    /// The fields of a layout do not fit together.
    InvalidLayout;
    /// The number of random bytes by which IDs grow is not possible.
    InvalidEntropySize;
    /// The operating system gives no randomness.
    EntropyUnavailable;
    /// The text is too long or too short.
    TextLength;
    /// The text has a character outside the alphabet.
    TextCharacter;
    /// The text stands for a number that is too large.
    TextOverflow;
    /// The text stands for a number that has another, canonical text.
    TextNotCanonical;
    /// The number does not fit the width, or the encoding has no such width.
    WidthOutOfRange;
    /// No encoding, scheme or layout has this name.
    UnknownName;
    /// The buffer is too small for the text.
    BufferTooSmall;
    /// An argument is missing or makes no sense.
    InvalidArgument;
    /// An argument is of the wrong type; only languages without static types can say so.
    WrongType;
    /// A defect of saiban itself, caught before it could do harm.
    Internal;
    /// Another generator of this process, of its parent, or of another process of this machine
    /// issues IDs for some of these nodes.
    NodeInUse;
    /// The generator is a copy that fork made: its IDs would be the parent's.
    Forked;
    /// The clock has jumped ahead by more than `max_jump` allows.
    ClockJumped;
    /// Another process, or another generator of this one, has the state file.
    StateInUse;
    /// The state file, or the file of scope `Machine`, is damaged, or another's: of another scheme,
    /// layout, nodes or version.
    StateMismatch;
    /// The state file, or the file of scope `Machine`, cannot be used; or that scope cannot be had
    /// for the generator.
    StateUnavailable;
    /// The number of the clock's steps back does not fit the layout.
    RollbackOutOfRange;
    /// IDs of this scheme are not in the order of their times, so that no range of them belongs to
    /// an interval.
    NotTimeOrdered;
    /// The store of leases cannot be reached, or refuses what it is asked.
    StoreUnavailable;
    /// The store holds what saiban did not write, or cannot have written.
    StoreCorrupt;
    /// The store was made by a newer saiban, or is of a kind that leases cannot be kept in.
    StoreUnsupported;
    /// The store has no such namespace.
    NamespaceUnknown;
    /// The namespace is another scheme's, layout's or epoch's.
    NamespaceMismatch;
    /// All nodes of the namespace are leased.
    NamespaceFull;
    /// The namespace has lost leases, and grants none until all that it can have lost are over.
    NamespaceQuarantined;
    /// The clocks of the holder and of the store are too far apart.
    ClockSkew;
    /// The lease is another's by now, or was given back.
    LeaseLost;
    /// The store has no such counter.
    CounterUnknown;
    /// The counter counts otherwise: from another start, by another step, or days of another time
    /// zone.
    CounterMismatch;
    /// The store has lost numbers that the counter has handed out.
    CounterBehind;
    /// The counter has no numbers left.
    CounterExhausted;
}

impl std::error::Error for SaibanError {}

/// What the functions of this crate fail with.
pub(crate) type Failure = SaibanError;

impl From<Error> for SaibanError {
    fn from(error: Error) -> Self {
        SaibanError::new(error.kind(), error.to_string())
    }
}

impl From<saiban_coordination::Error> for SaibanError {
    fn from(error: saiban_coordination::Error) -> Self {
        SaibanError::new(error.kind(), error.to_string())
    }
}

impl From<Defect> for SaibanError {
    fn from(defect: Defect) -> Self {
        SaibanError::new(defect.kind(), defect.to_string())
    }
}

/// A kind of error: its number and name are the same in every language.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Kind {
    /// 1 and up.
    pub number: i32,
    /// In capitals: `CLOCK_BACKWARD`.
    pub name: String,
    /// What the kind means, in a line.
    pub meaning: String,
}

/// Every kind of error, in the order of their numbers.
#[uniffi::export]
#[must_use]
pub fn error_kinds() -> Vec<Kind> {
    ErrorKind::ALL
        .iter()
        .map(|kind| Kind { number: kind.number(), name: kind.name().into(), meaning: kind.meaning().into() })
        .collect()
}

/// Throws the error of this kind (`CLOCK_BACKWARD`), with its meaning as the message: to test how a
/// program treats errors that are hard to bring about.
///
/// Errors: the error of this kind; `UnknownName` for an unknown kind.
#[uniffi::export]
pub fn throw_error(kind: String) -> Result<(), SaibanError> {
    match ErrorKind::ALL.iter().find(|known| known.name() == kind) {
        Some(known) => Err(SaibanError::new(*known, known.meaning().into())),
        None => Err(SaibanError::UnknownName("no kind of error has this name: give one of error_kinds()".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_core_is_a_case_with_its_meaning() {
        let listed: Vec<_> = LISTED.iter().map(|(kind, doc)| (*kind, doc.trim())).collect();
        let known: Vec<_> = ErrorKind::ALL.iter().map(|kind| (*kind, kind.meaning())).collect();
        assert_eq!(listed, known);
    }

    #[test]
    fn messages_are_those_of_core() {
        let error = Error::NodeOutOfRange { node: 1024, max: 1023 };
        assert_eq!(SaibanError::from(error), SaibanError::NodeOutOfRange(error.to_string()));
    }

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let result: Result<(), _> = guard(|| panic!("{}", "no harm"));
        assert_eq!(result, Err(SaibanError::Internal("a defect of saiban, please report it: no harm".into())));
    }
}
