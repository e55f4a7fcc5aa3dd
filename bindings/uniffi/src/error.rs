//! Errors: one variant a kind, each with core's message.

use saiban::error::Defect;
pub(crate) use saiban::error::guard;
use saiban::{Error, ErrorKind};
use std::fmt;

macro_rules! errors {
    ($( $(#[doc = $doc:literal])+ $kind:ident; )+) => {
        /// The errors of saiban: one case for each kind, the same kinds in every language. The
        /// message says what was wrong, the limits, and what to do; it never holds a secret.
        #[derive(Clone, Debug, PartialEq, Eq, uniffi::Error)]
        #[uniffi(flat_error)]
        pub enum SaibanError {
            $(
                $(#[doc = $doc])+
                $kind(String),
            )+
        }

        impl SaibanError {
            /// Makes the error of a kind with this message.
            fn new(kind: ErrorKind, message: String) -> Self {
                match kind {
                    $( ErrorKind::$kind => SaibanError::$kind(message), )+
                    // The list lacks this kind; a test checks that it lacks none.
                    _ => SaibanError::Internal(message),
                }
            }

            /// Returns the variant's name, which is the exception's in Kotlin.
            pub(crate) fn variant(&self) -> &'static str {
                match self { $( SaibanError::$kind(_) => stringify!($kind), )+ }
            }
        }

        impl fmt::Display for SaibanError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $( SaibanError::$kind(message) => f.write_str(message), )+ }
            }
        }

        /// Each variant's kind and documentation, for the test that the list is complete.
        #[cfg(test)]
        const LISTED: &[(ErrorKind, &str)] = &[ $( (ErrorKind::$kind, concat!($($doc),+)), )+ ];
    };
}

errors! {
    /// The clock is further behind the last ID than the longest allowed wait.
    ClockBackward;
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    ClockUnavailable;
    /// The time is before the layout's epoch.
    TimestampBeforeEpoch;
    /// The time is after the last time that the layout can hold.
    TimestampOverflow;
    /// The next ID needs a wait that the caller did not allow.
    WouldWait;
    /// The generator's window or lease has not begun.
    LeaseNotBegun;
    /// The generator's window or lease has ended.
    LeaseExpired;
    /// The window is empty, or extends beyond the time of the layout.
    InvalidWindow;
    /// The generator needs a node, and none was given.
    NodeRequired;
    /// The node, or the range of nodes, does not fit the layout.
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
    /// The entropy size of a Ulid-Flake generator is out of range.
    InvalidEntropySize;
    /// The operating system returned no random bytes.
    EntropyUnavailable;
    /// The text is too long or too short.
    TextLength;
    /// The text has a character outside the alphabet.
    TextCharacter;
    /// The number in the text is too large.
    TextOverflow;
    /// The text is not the canonical text of its number.
    TextNotCanonical;
    /// The number does not fit the width, or the encoding has no such width.
    WidthOutOfRange;
    /// No encoding, scheme or layout has this name.
    UnknownName;
    /// The buffer is too small for the text.
    BufferTooSmall;
    /// An argument is missing or invalid.
    InvalidArgument;
    /// An argument has the wrong type; only languages without static types report this.
    WrongType;
    /// A defect of saiban, caught before it could do harm.
    Internal;
    /// Another generator of this machine issues IDs of some of these nodes.
    NodeInUse;
    /// The process was forked, and the generator belongs to the parent.
    Forked;
    /// The clock jumped ahead by more than `max_jump` allows.
    ClockJumped;
    /// Another process or generator uses the state file.
    StateInUse;
    /// The state file or the cursor file is damaged, or of another scheme, layout, node range or
    /// version.
    StateMismatch;
    /// The state file or the cursor file cannot be used, or the scope is not available.
    StateUnavailable;
    /// The number of clock steps back does not fit the layout.
    RollbackOutOfRange;
    /// IDs of this scheme do not sort by time, so an interval has no range of IDs.
    NotTimeOrdered;
    /// The store cannot be reached, or refuses the request.
    StoreUnavailable;
    /// The store contains data that saiban did not write.
    StoreCorrupt;
    /// A newer version of saiban made the store, or its kind is not supported.
    StoreUnsupported;
    /// The store has no such namespace.
    NamespaceUnknown;
    /// The namespace is for another scheme, layout or secret.
    NamespaceMismatch;
    /// All nodes of the namespace are leased.
    NamespaceFull;
    /// The namespace lost leases, and grants none until every lost lease has ended.
    NamespaceQuarantined;
    /// The clocks of the holder and of the store are too far apart.
    ClockSkew;
    /// There is no lease: it was released, it ended, or another holder has it.
    LeaseLost;
    /// The store has no such counter.
    CounterUnknown;
    /// The counter has another start, step or time zone.
    CounterMismatch;
    /// The store lost numbers that the counter has issued.
    CounterBehind;
    /// The counter has no numbers left.
    CounterExhausted;
}

impl std::error::Error for SaibanError {}

/// The error of this crate's functions.
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
