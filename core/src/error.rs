//! Every way in which saiban says no.
//!
//! One kind has one number, one name and one meaning in all languages; the message that people read is
//! made here, once, by [`Error`]'s `Display`. Numbers are never used again for something else.

use core::fmt;

macro_rules! error_kinds {
    ($( $(#[doc = $doc:literal])+ $number:literal $variant:ident $name:literal; )+) => {
        /// What went wrong, without the particulars: a number and a name that are the same in every language.
        ///
        /// ```
        /// use saiban::ErrorKind;
        /// assert_eq!(ErrorKind::ClockBackward.number(), 1);
        /// assert_eq!(ErrorKind::ClockBackward.name(), "CLOCK_BACKWARD");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorKind {
            $( $(#[doc = $doc])+ $variant = $number, )+
        }

        impl ErrorKind {
            /// Every kind, in the order of their numbers.
            pub const ALL: &'static [ErrorKind] = &[ $( ErrorKind::$variant, )+ ];

            /// The name in capitals, as Node's `err.code` has it and C's constants end: `CLOCK_BACKWARD`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( ErrorKind::$variant => $name, )+ }
            }

            /// What the kind means, in a line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $( ErrorKind::$variant => concat!($($doc),+).trim_ascii(), )+ }
            }
        }
    };
}

error_kinds! {
    /// The clock is behind the last ID by more than the longest wait allowed.
    1 ClockBackward "CLOCK_BACKWARD";
    /// The clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21.
    2 ClockUnavailable "CLOCK_UNAVAILABLE";
    /// The time is before the layout's epoch.
    3 TimestampBeforeEpoch "TIMESTAMP_BEFORE_EPOCH";
    /// The time is past the last one that the layout can hold.
    4 TimestampOverflow "TIMESTAMP_OVERFLOW";
    /// The next ID needs a wait that the caller did not allow.
    5 WouldWait "WOULD_WAIT";
    /// The window in which the generator may issue IDs has not begun.
    6 LeaseNotBegun "LEASE_NOT_BEGUN";
    /// The window in which the generator may issue IDs is over.
    7 LeaseExpired "LEASE_EXPIRED";
    /// The window is empty, or reaches outside the time that the layout can hold.
    8 InvalidWindow "INVALID_WINDOW";
    /// A generator was asked for without a node.
    9 NodeRequired "NODE_REQUIRED";
    /// The node id, or the range of them, does not fit the layout.
    10 NodeOutOfRange "NODE_OUT_OF_RANGE";
    /// The sequence number does not fit the layout.
    11 SequenceOutOfRange "SEQUENCE_OUT_OF_RANGE";
    /// The random part does not fit the layout.
    12 RandomOutOfRange "RANDOM_OUT_OF_RANGE";
    /// The number is not an ID of this scheme.
    13 IdOutOfRange "ID_OUT_OF_RANGE";
    /// The secret has the wrong length or form.
    14 InvalidSecret "INVALID_SECRET";
    /// The fields of a layout do not fit together.
    15 InvalidLayout "INVALID_LAYOUT";
    /// The number of random bytes by which IDs grow is not possible.
    16 InvalidEntropySize "INVALID_ENTROPY_SIZE";
    /// The operating system gives no randomness.
    17 EntropyUnavailable "ENTROPY_UNAVAILABLE";
    /// The text is too long or too short.
    18 TextLength "TEXT_LENGTH";
    /// The text has a character outside the alphabet.
    19 TextCharacter "TEXT_CHARACTER";
    /// The text stands for a number that is too large.
    20 TextOverflow "TEXT_OVERFLOW";
    /// The text stands for a number that has another, canonical text.
    21 TextNotCanonical "TEXT_NOT_CANONICAL";
    /// The number does not fit the width, or the encoding has no such width.
    22 WidthOutOfRange "WIDTH_OUT_OF_RANGE";
    /// No encoding, scheme or layout has this name.
    23 UnknownName "UNKNOWN_NAME";
    /// The buffer is too small for the text.
    24 BufferTooSmall "BUFFER_TOO_SMALL";
    /// An argument is missing or makes no sense.
    25 InvalidArgument "INVALID_ARGUMENT";
    /// An argument is of the wrong type; only languages without static types can say so.
    26 WrongType "WRONG_TYPE";
    /// A defect of saiban itself, caught before it could do harm.
    27 Internal "INTERNAL";
    /// Another generator of this process issues IDs for some of these nodes.
    28 NodeInUse "NODE_IN_USE";
}

impl ErrorKind {
    /// The number, as C's constants have it: 1 and up.
    #[must_use]
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The kind of this number.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.number() == number)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What went wrong, with the value, the limits and what to do about it.
///
/// Small and `Copy`, so that it costs nothing where there is no allocator. `Display` is the message that every
/// language shows; it never holds a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named for what they are, with their units")]
pub enum Error {
    ClockBackward { behind_ns: u64, max_wait_ns: u64 },
    ClockUnavailable,
    ClockOutOfRange { timestamp_ms: i64 },
    TimestampBeforeEpoch { timestamp_ms: i64, epoch_ms: i64 },
    TimestampOverflow { timestamp_ms: i64, last_ms: i64 },
    WouldWait { wait_ns: u64, max_wait_ns: u64 },
    LeaseNotBegun { start_ms: i64, wait_ns: u64 },
    LeaseExpired { end_ms: i64 },
    InvalidWindow { start: i64, end: i64, first: i64, last: i64 },
    NodeRequired { max: u64 },
    NodeTwice,
    NodeOutOfRange { node: i64, max: u64 },
    NodeRangeInvalid { first: i64, end: i64, max: u64, most: u64 },
    NodeInUse { first: u64, end: u64 },
    SequenceOutOfRange { sequence: i64, max: u64 },
    RandomOutOfRange { random: i64, max: u64 },
    IdOutOfRange { scheme: &'static str },
    InvalidSecret { length: usize },
    InvalidSecretHex { length: usize },
    InvalidLayout { reason: LayoutProblem },
    InvalidEntropySize { entropy_size: i64, max: u32 },
    EntropyUnavailable,
    TextLength { encoding: &'static str, length: usize, min: usize, max: usize },
    TextCharacter { encoding: &'static str, position: usize, character: char },
    TextOverflow { encoding: &'static str },
    TextNotCanonical { encoding: &'static str, position: usize },
    WidthOutOfRange { encoding: &'static str, width: i64, max: usize },
    WidthTooSmall { encoding: &'static str, width: usize, needed: usize },
    WidthNegative { encoding: &'static str },
    UnknownEncoding { name: Excerpt },
    UnknownScheme { name: Excerpt },
    UnknownLayout { name: Excerpt },
    UnknownField { name: Excerpt },
    BufferTooSmall { length: usize, needed: usize },
    InvalidArgument { what: &'static str },
}

/// The beginning of a text that the caller gave, for a message: small enough to travel in an error without an allocator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Excerpt::LONGEST],
    len: u8,
    is_whole: bool,
}

impl Excerpt {
    const LONGEST: usize = 24;

    /// The first characters of a text, at most 24 bytes of them.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut len = text.len().min(Self::LONGEST);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; Self::LONGEST];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Excerpt { bytes, len: len as u8, is_whole: len == text.len() }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default();
        write!(f, "{text:?}{}", if self.is_whole { "" } else { "…" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why the fields of a layout do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum LayoutProblem {
    TooManyFields,
    EmptyField,
    WidthSum { bits: u32 },
    NoTimestamp,
    FieldTwice,
    NoCounter,
    SequenceAndRandom,
    PositionTooWide { bits: u32 },
    ZeroTick,
    TimeTooLong,
    NotASnowflake,
}

impl Error {
    /// The kind of this error: what a program tells errors apart by.
    ///
    /// ```
    /// use saiban::{Error, ErrorKind};
    /// assert_eq!(Error::NodeRequired { max: 1023 }.kind(), ErrorKind::NodeRequired);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Error::ClockBackward { .. } => ErrorKind::ClockBackward,
            Error::ClockUnavailable | Error::ClockOutOfRange { .. } => ErrorKind::ClockUnavailable,
            Error::TimestampBeforeEpoch { .. } => ErrorKind::TimestampBeforeEpoch,
            Error::TimestampOverflow { .. } => ErrorKind::TimestampOverflow,
            Error::WouldWait { .. } => ErrorKind::WouldWait,
            Error::LeaseNotBegun { .. } => ErrorKind::LeaseNotBegun,
            Error::LeaseExpired { .. } => ErrorKind::LeaseExpired,
            Error::InvalidWindow { .. } => ErrorKind::InvalidWindow,
            Error::NodeRequired { .. } => ErrorKind::NodeRequired,
            Error::NodeOutOfRange { .. } | Error::NodeRangeInvalid { .. } => ErrorKind::NodeOutOfRange,
            Error::NodeInUse { .. } => ErrorKind::NodeInUse,
            Error::SequenceOutOfRange { .. } => ErrorKind::SequenceOutOfRange,
            Error::RandomOutOfRange { .. } => ErrorKind::RandomOutOfRange,
            Error::IdOutOfRange { .. } => ErrorKind::IdOutOfRange,
            Error::InvalidSecret { .. } | Error::InvalidSecretHex { .. } => ErrorKind::InvalidSecret,
            Error::InvalidLayout { .. } => ErrorKind::InvalidLayout,
            Error::InvalidEntropySize { .. } => ErrorKind::InvalidEntropySize,
            Error::EntropyUnavailable => ErrorKind::EntropyUnavailable,
            Error::TextLength { .. } => ErrorKind::TextLength,
            Error::TextCharacter { .. } => ErrorKind::TextCharacter,
            Error::TextOverflow { .. } => ErrorKind::TextOverflow,
            Error::TextNotCanonical { .. } => ErrorKind::TextNotCanonical,
            Error::WidthOutOfRange { .. } | Error::WidthTooSmall { .. } | Error::WidthNegative { .. } => {
                ErrorKind::WidthOutOfRange
            }
            Error::UnknownEncoding { .. }
            | Error::UnknownScheme { .. }
            | Error::UnknownLayout { .. }
            | Error::UnknownField { .. } => ErrorKind::UnknownName,
            Error::BufferTooSmall { .. } => ErrorKind::BufferTooSmall,
            Error::InvalidArgument { .. } | Error::NodeTwice => ErrorKind::InvalidArgument,
        }
    }

    /// Where in the text the first bad character stands, counted in characters from 0; `None` for other errors.
    #[must_use]
    pub const fn position(&self) -> Option<usize> {
        match self {
            Error::TextCharacter { position, .. } | Error::TextNotCanonical { position, .. } => Some(*position),
            _ => None,
        }
    }
}

impl core::error::Error for Error {}

/// Nanoseconds, shown in the unit that reads best.
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ns if ns >= 10_000_000_000 => write!(f, "{} s", ns / 1_000_000_000),
            ns if ns >= 1_000_000 => write!(f, "{} ms", ns / 1_000_000),
            ns if ns >= 1_000 => write!(f, "{} µs", ns / 1_000),
            ns => write!(f, "{ns} ns"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::ClockBackward { behind_ns, max_wait_ns } => write!(
                f,
                "the clock is {} behind the last ID and the longest wait allowed is {}: \
                 try again later, allow a longer wait, or see why the clock was set back",
                Span(behind_ns),
                Span(max_wait_ns)
            ),
            Error::ClockUnavailable => {
                f.write_str("the clock cannot be read, or shows a time outside 1970-01-01 to 2554-07-21: set the clock")
            }
            Error::ClockOutOfRange { timestamp_ms } => {
                write!(f, "a clock cannot show {timestamp_ms} ms: give a Unix time of 0 to {} ms", u64::MAX / 1_000_000)
            }
            Error::TimestampBeforeEpoch { timestamp_ms, epoch_ms } => write!(
                f,
                "the time {timestamp_ms} ms is before the epoch, {epoch_ms} ms (Unix): \
                 give a time from the epoch on, or choose an earlier epoch"
            ),
            Error::TimestampOverflow { timestamp_ms, last_ms } => write!(
                f,
                "the time {timestamp_ms} ms is past the layout's last, {last_ms} ms (Unix): \
                 give a time up to it, or choose a later epoch or more timestamp bits"
            ),
            Error::WouldWait { wait_ns, max_wait_ns } => write!(
                f,
                "every ID of this tick is used and the next can be had in {}; the longest wait allowed is {}: \
                 try again then, allow a longer wait, or use more nodes (a manual clock never waits: advance it)",
                Span(wait_ns),
                Span(max_wait_ns)
            ),
            Error::LeaseNotBegun { start_ms, wait_ns } => write!(
                f,
                "the window begins at {start_ms} ms (Unix), in {}: try again then, or give a window that has begun",
                Span(wait_ns)
            ),
            Error::LeaseExpired { end_ms } => {
                write!(f, "the window ended at {end_ms} ms (Unix): make a new generator with a later window")
            }
            Error::InvalidWindow { start, end, first, last } => write!(
                f,
                "the window [{start}, {end}) holds no time of this layout: \
                 give start < end, both from {first} to {last}"
            ),
            Error::NodeRequired { max } => {
                write!(f, "a generator needs a node that no other has: give node (0 to {max}) or a range of nodes")
            }
            Error::NodeTwice => f.write_str("both node and nodes are given: give one of them"),
            Error::NodeOutOfRange { node, max } => {
                write!(f, "node {node} is out of range: this layout has nodes 0 to {max}")
            }
            Error::NodeRangeInvalid { first, end, max, most } => write!(
                f,
                "nodes [{first}, {end}) are no range of this layout: \
                 give first < end, within 0 to {max}, and at most {most} nodes to one generator"
            ),
            Error::NodeInUse { first, end } => write!(
                f,
                "nodes [{first}, {end}) overlap those of another generator of this process: \
                 use that one, give the same range to both, or give nodes apart"
            ),
            Error::SequenceOutOfRange { sequence, max } => {
                write!(f, "sequence {sequence} is out of range: this layout has 0 to {max}")
            }
            Error::RandomOutOfRange { random, max } => {
                write!(f, "random part {random} is out of range: this layout has 0 to {max}")
            }
            Error::IdOutOfRange { scheme } => {
                write!(f, "the number is not an ID of {scheme}: give a signed 64-bit integer whose unused bits are 0")
            }
            Error::InvalidSecret { length } => {
                write!(f, "the secret has {length} bytes: give 16 random ones (the command: saiban secret)")
            }
            Error::InvalidSecretHex { length } => write!(
                f,
                "the secret of {length} characters is no 32 hexadecimal digits: make one with the command: saiban secret"
            ),
            Error::InvalidLayout { reason } => write!(f, "the layout is not possible: {reason}"),
            Error::InvalidEntropySize { entropy_size, max } => {
                write!(f, "entropy_size {entropy_size} is out of range: give 1 to {max} bytes")
            }
            Error::EntropyUnavailable => {
                f.write_str("the operating system gives no randomness: see why, and try again")
            }
            Error::TextLength { encoding, length, min, max } if min == max => {
                write!(f, "{encoding} text has {length} characters: give {min}")
            }
            Error::TextLength { encoding, length, min, max } => {
                write!(f, "{encoding} text has {length} characters: give {min} to {max}")
            }
            Error::TextCharacter { encoding, position, character } => {
                write!(f, "{encoding} text has no character {character:?} (position {position}, counted from 0)")
            }
            Error::TextOverflow { encoding } => {
                write!(f, "{encoding} text stands for a number that does not fit: an ID has 64 bits")
            }
            Error::TextNotCanonical { encoding, position } => write!(
                f,
                "{encoding} text is not canonical from position {position} (counted from 0) on: \
                 give the text as it was encoded, its width if it has leading zeros, or ask for lenient decoding"
            ),
            Error::WidthOutOfRange { encoding, width, max } => {
                write!(f, "{encoding} has no width {width}: give 1 to {max}")
            }
            Error::WidthTooSmall { encoding, width, needed } => {
                write!(f, "the number needs {needed} characters of {encoding}, not {width}: give a larger width")
            }
            Error::WidthNegative { encoding } => write!(
                f,
                "a negative number has no fixed-width {encoding} text, which must sort: \
                 leave the width out, or use another encoding"
            ),
            Error::UnknownEncoding { name } => write!(
                f,
                "no encoding is named {name}: \
                 give decimal, hex, binary, crockford, base32hex, base36, base58, base62 or base64url"
            ),
            Error::UnknownScheme { name } => {
                write!(f, "no scheme is named {name}: give snowflake, randflake or ulid-flake")
            }
            Error::UnknownLayout { name } => {
                write!(f, "no layout is named {name}: give twitter, discord, instagram, sonyflake or sonyflake_v2")
            }
            Error::UnknownField { name } => {
                write!(f, "no field is named {name}: give unused, timestamp, node, sequence or random")
            }
            Error::BufferTooSmall { length, needed } => {
                write!(f, "the buffer has {length} bytes: give {needed}")
            }
            Error::InvalidArgument { what } => f.write_str(what),
        }
    }
}

impl fmt::Display for LayoutProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutProblem::TooManyFields => f.write_str("it has more than 8 fields"),
            LayoutProblem::EmptyField => f.write_str("a field has 0 or more than 64 bits: give 1 to 64"),
            LayoutProblem::WidthSum { bits } => write!(f, "its fields have {bits} bits together: they must have 64"),
            LayoutProblem::NoTimestamp => f.write_str("it has no timestamp field: give one"),
            LayoutProblem::FieldTwice => f.write_str("a field other than unused stands twice: give each once"),
            LayoutProblem::NoCounter => f.write_str("it has neither sequence nor random field: give one of them"),
            LayoutProblem::SequenceAndRandom => {
                f.write_str("it has both a sequence and a random field: give one of them")
            }
            LayoutProblem::PositionTooWide { bits } => {
                write!(f, "timestamp and sequence (or random) have {bits} bits together: give at most 63")
            }
            LayoutProblem::ZeroTick => f.write_str("its tick is 0: give at least 1 µs"),
            LayoutProblem::TimeTooLong => f.write_str(
                "its last time does not fit 64 bits of milliseconds: take fewer timestamp bits or a shorter tick",
            ),
            LayoutProblem::NotASnowflake => f.write_str("a Snowflake needs a timestamp, a node and a sequence field"),
        }
    }
}
