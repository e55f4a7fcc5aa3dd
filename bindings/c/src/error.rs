//! Error numbers, and the message of a thread's last error.

use saiban::error::Defect;
use saiban::{Error, ErrorKind};
use saiban_coordination::Error as LeaseError;
use std::cell::RefCell;
use std::fmt::{self, Write};

/// SAIBAN_OK, or one of SAIBAN_ERROR_…: numbers are never used again for something else.
pub type Code = i32;

/// It worked.
pub const SAIBAN_OK: i32 = 0;
/// The clock is further behind the last ID than the longest allowed wait.
pub const SAIBAN_ERROR_CLOCK_BACKWARD: i32 = 1;
/// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
pub const SAIBAN_ERROR_CLOCK_UNAVAILABLE: i32 = 2;
/// The time is before the layout's epoch.
pub const SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH: i32 = 3;
/// The time is after the last time that the layout can hold.
pub const SAIBAN_ERROR_TIMESTAMP_OVERFLOW: i32 = 4;
/// The next ID needs a wait that the caller did not allow.
pub const SAIBAN_ERROR_WOULD_WAIT: i32 = 5;
/// The generator's window or lease has not begun.
pub const SAIBAN_ERROR_LEASE_NOT_BEGUN: i32 = 6;
/// The generator's window or lease has ended.
pub const SAIBAN_ERROR_LEASE_EXPIRED: i32 = 7;
/// The window is empty, or extends beyond the time of the layout.
pub const SAIBAN_ERROR_INVALID_WINDOW: i32 = 8;
/// The generator needs a node, and none was given.
pub const SAIBAN_ERROR_NODE_REQUIRED: i32 = 9;
/// The node, or the range of nodes, does not fit the layout.
pub const SAIBAN_ERROR_NODE_OUT_OF_RANGE: i32 = 10;
/// The sequence number does not fit the layout.
pub const SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE: i32 = 11;
/// The random part does not fit the layout.
pub const SAIBAN_ERROR_RANDOM_OUT_OF_RANGE: i32 = 12;
/// The number is not an ID of this scheme.
pub const SAIBAN_ERROR_ID_OUT_OF_RANGE: i32 = 13;
/// The secret has the wrong length or form.
pub const SAIBAN_ERROR_INVALID_SECRET: i32 = 14;
/// The fields of a layout do not fit together.
pub const SAIBAN_ERROR_INVALID_LAYOUT: i32 = 15;
/// The entropy size of a Ulid-Flake generator is out of range.
pub const SAIBAN_ERROR_INVALID_ENTROPY_SIZE: i32 = 16;
/// The operating system returned no random bytes.
pub const SAIBAN_ERROR_ENTROPY_UNAVAILABLE: i32 = 17;
/// The text is too long or too short.
pub const SAIBAN_ERROR_TEXT_LENGTH: i32 = 18;
/// The text has a character outside the alphabet; see saiban_last_error_position.
pub const SAIBAN_ERROR_TEXT_CHARACTER: i32 = 19;
/// The number in the text is too large.
pub const SAIBAN_ERROR_TEXT_OVERFLOW: i32 = 20;
/// The text is not the canonical text of its number.
pub const SAIBAN_ERROR_TEXT_NOT_CANONICAL: i32 = 21;
/// The number does not fit the width, or the encoding has no such width.
pub const SAIBAN_ERROR_WIDTH_OUT_OF_RANGE: i32 = 22;
/// No encoding, scheme or layout has this name or number.
pub const SAIBAN_ERROR_UNKNOWN_NAME: i32 = 23;
/// The buffer is too small for the text.
pub const SAIBAN_ERROR_BUFFER_TOO_SMALL: i32 = 24;
/// An argument is missing (NULL) or invalid.
pub const SAIBAN_ERROR_INVALID_ARGUMENT: i32 = 25;
/// An argument has the wrong type; never returned in C.
pub const SAIBAN_ERROR_WRONG_TYPE: i32 = 26;
/// A defect of saiban, caught before it could do harm.
pub const SAIBAN_ERROR_INTERNAL: i32 = 27;
/// Another generator of this machine issues IDs of some of these nodes.
pub const SAIBAN_ERROR_NODE_IN_USE: i32 = 28;
/// The process was forked, and the generator belongs to the parent.
pub const SAIBAN_ERROR_FORKED: i32 = 29;
/// The clock jumped ahead by more than max_jump_s allows.
pub const SAIBAN_ERROR_CLOCK_JUMPED: i32 = 30;
/// Another process or generator uses the state file.
pub const SAIBAN_ERROR_STATE_IN_USE: i32 = 31;
/// The state file or the cursor file is damaged, or of another scheme, layout, node range or
/// version.
pub const SAIBAN_ERROR_STATE_MISMATCH: i32 = 32;
/// The state file or the cursor file cannot be used, or the scope is not available.
pub const SAIBAN_ERROR_STATE_UNAVAILABLE: i32 = 33;
/// The number of clock steps back does not fit the layout.
pub const SAIBAN_ERROR_ROLLBACK_OUT_OF_RANGE: i32 = 34;
/// IDs of this scheme or layout do not sort by time, so an interval has no range of IDs.
pub const SAIBAN_ERROR_NOT_TIME_ORDERED: i32 = 35;
/// The store cannot be reached, or refuses the request.
pub const SAIBAN_ERROR_STORE_UNAVAILABLE: i32 = 36;
/// The store contains data that saiban did not write.
pub const SAIBAN_ERROR_STORE_CORRUPT: i32 = 37;
/// A newer version of saiban made the store, or its kind is not supported.
pub const SAIBAN_ERROR_STORE_UNSUPPORTED: i32 = 38;
/// The store has no such namespace.
pub const SAIBAN_ERROR_NAMESPACE_UNKNOWN: i32 = 39;
/// The namespace is for another scheme, layout or secret.
pub const SAIBAN_ERROR_NAMESPACE_MISMATCH: i32 = 40;
/// All nodes of the namespace are leased.
pub const SAIBAN_ERROR_NAMESPACE_FULL: i32 = 41;
/// The namespace lost leases, and grants none until every lost lease has ended.
pub const SAIBAN_ERROR_NAMESPACE_QUARANTINED: i32 = 42;
/// The clocks of the holder and of the store are too far apart.
pub const SAIBAN_ERROR_CLOCK_SKEW: i32 = 43;
/// There is no lease: it was released, it ended, or another holder has it.
pub const SAIBAN_ERROR_LEASE_LOST: i32 = 44;
/// The store has no such counter.
pub const SAIBAN_ERROR_COUNTER_UNKNOWN: i32 = 45;
/// The counter has another start, step or time zone.
pub const SAIBAN_ERROR_COUNTER_MISMATCH: i32 = 46;
/// The store lost numbers that the counter has issued.
pub const SAIBAN_ERROR_COUNTER_BEHIND: i32 = 47;
/// The counter has no numbers left.
pub const SAIBAN_ERROR_COUNTER_EXHAUSTED: i32 = 48;

/// The largest error number of this version, for loops over all of them.
pub const SAIBAN_ERROR_LAST: i32 = 48;

/// A buffer of this many bytes holds every error's message; what a server said may be cut to it.
pub const SAIBAN_MESSAGE_CAPACITY: usize = 512;

/// Why a function failed: an error of core or of a lease. The latter may contain a server's
/// message.
pub(crate) enum Failure {
    Core(Error),
    Lease(LeaseError),
}

impl Failure {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Failure::Core(error) => error.kind(),
            Failure::Lease(error) => error.kind(),
        }
    }

    fn position(&self) -> Option<usize> {
        match self {
            Failure::Core(error) => error.position(),
            Failure::Lease(_) => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) => error.fmt(f),
            Failure::Lease(error) => error.fmt(f),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<LeaseError> for Failure {
    fn from(error: LeaseError) -> Self {
        Failure::Lease(error)
    }
}

/// A thread's last error. It neither allocates nor needs dropping, so it exists until the thread's
/// end.
struct Last {
    message: [u8; SAIBAN_MESSAGE_CAPACITY - 1],
    len: usize,
    position: i64,
}

impl Last {
    const NONE: Last = Last { message: [0; SAIBAN_MESSAGE_CAPACITY - 1], len: 0, position: -1 };

    fn as_str(&self) -> &str {
        str::from_utf8(&self.message[..self.len]).unwrap_or_default()
    }
}

impl Write for Last {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Leave out the characters that do not fit.
        for character in text.chars() {
            let Some(place) = self.message.get_mut(self.len..self.len + character.len_utf8()) else { break };
            character.encode_utf8(place);
            self.len += place.len();
        }
        Ok(())
    }
}

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last::NONE) };
}

/// Keeps an error's message for this thread. If the thread-local storage no longer exists at the
/// thread's end, the message is lost.
pub(crate) fn remember(failure: &Failure) {
    keep(format_args!("{failure}"), failure.position());
}

/// Keeps the message of a panic that was caught.
pub(crate) fn remember_defect(defect: &Defect) {
    keep(format_args!("{defect}"), None);
}

fn keep(message: fmt::Arguments, position: Option<usize>) {
    let _ = LAST.try_with(|last| {
        let mut last = last.borrow_mut();
        *last =
            Last { position: position.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1), ..Last::NONE };
        last.write_fmt(message)
    });
}

/// Reads this thread's last message.
pub(crate) fn last_message<T>(read: impl FnOnce(&str) -> T) -> T {
    LAST.with(|last| read(last.borrow().as_str()))
}

/// Returns the position in a text of this thread's last error, or -1.
pub(crate) fn last_position() -> i64 {
    LAST.with(|last| last.borrow().position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_constant_of_its_name_and_number() {
        let source = include_str!("error.rs");
        for kind in ErrorKind::ALL {
            let line = format!("pub const SAIBAN_ERROR_{}: i32 = {};\n", kind.name(), kind.number());
            assert!(source.contains(&line), "{line}");
            assert!(kind.number() <= SAIBAN_ERROR_LAST);
        }
        assert_eq!(ErrorKind::ALL.last().map(|kind| kind.number()), Some(SAIBAN_ERROR_LAST));
        assert_eq!(source.matches("\npub const SAIBAN_ERROR_").count(), ErrorKind::ALL.len() + 1, "and LAST");
    }

    #[test]
    fn a_message_too_long_is_cut_between_characters() {
        keep(format_args!("{}", "é".repeat(SAIBAN_MESSAGE_CAPACITY)), None);
        let message = last_message(str::to_owned);
        assert!(message.ends_with('é') && message.len() < SAIBAN_MESSAGE_CAPACITY, "{message}");
    }
}
