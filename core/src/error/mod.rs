//! Every way in which saiban says no.
//!
//! One kind has one number, one name and one meaning in all languages; the message that people read is
//! made here, once, by [`Error`]'s `Display`. Numbers are never used again for something else.

#[cfg(feature = "std")]
mod defect;
mod excerpt;
mod kind;
mod layout;
mod message;
mod text;
mod wide;
mod written;

#[cfg(feature = "std")]
pub use defect::{Defect, guard};
pub use excerpt::Excerpt;
pub use kind::ErrorKind;
pub use layout::{FieldKey, JsonFound, JsonKey, JsonPlace, LayoutFault, LayoutProblem};
pub use text::{TextFault, TextForm};
pub use wide::Wide;
pub use written::Message;

/// What went wrong, with the value, the limits and what to do about it.
///
/// Small and `Copy`, so that it costs nothing where there is no allocator. `Display` is the message that every
/// language shows; it never holds a secret.
///
/// ```
/// use saiban::{Error, ErrorKind, Snowflake};
/// let error = Snowflake::new(1024).unwrap_err();
/// assert_eq!(error, Error::NodeOutOfRange { node: 1024, max: 1023 });
/// assert_eq!(error.kind(), ErrorKind::NodeOutOfRange); // the same in every language
/// assert!(error.to_string().contains("1023"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named for what they are, with their units")]
pub enum Error {
    ClockBackward {
        behind_ns: u64,
        max_wait_ns: u64,
    },
    ClockUnavailable,
    ClockOutOfRange {
        timestamp_ms: i64,
    },
    TimestampBeforeEpoch {
        timestamp_ms: i64,
        epoch_ms: i64,
    },
    TimestampOverflow {
        timestamp_ms: i64,
        last_ms: i64,
    },
    WouldWait {
        wait_ns: u64,
        max_wait_ns: u64,
    },
    WouldWaitAtFirst {
        wait_ns: u64,
        max_wait_ns: u64,
    },
    LeaseNotBegun {
        start_ms: i64,
        wait_ns: u64,
        max_wait_ns: u64,
    },
    LeaseExpired {
        end_ms: i64,
    },
    LeaseNotRenewed {
        end_ms: i64,
    },
    LeaseClosed,
    LeaseOfOther {
        scheme: &'static str,
        wanted: &'static str,
    },
    InvalidWindow {
        start: i64,
        end: i64,
        first: i64,
        last: i64,
    },
    RangeEmpty {
        start_ms: i64,
        end_ms: i64,
    },
    RangeTurnsNegative {
        start_ms: i64,
        end_ms: i64,
        turn_ms: i64,
    },
    NotTimeOrdered {
        scheme: &'static str,
    },
    NodeRequired {
        max: u64,
    },
    NodeTwice,
    NodePartOutOfRange {
        part: Excerpt,
        value: i64,
        bits: u32,
    },
    NodePartMissing {
        part: Excerpt,
    },
    NodePartTwice {
        part: Excerpt,
    },
    NodeOutOfRange {
        node: i64,
        max: u64,
    },
    NodeRangeInvalid {
        first: i64,
        end: i64,
        max: u64,
        most: u64,
    },
    ShardsOutOfRange {
        shards: i64,
        max: u64,
    },
    NodeInUse {
        first: u64,
        end: u64,
    },
    NodeInUseByProcess {
        first: u64,
        end: u64,
        process: u32,
        path: &'static str,
    },
    NodeOfParent {
        first: u64,
        end: u64,
    },
    Forked,
    SequenceOutOfRange {
        sequence: i64,
        max: u64,
    },
    RandomOutOfRange {
        random: i64,
        max: u64,
    },
    SequenceOutOfRangeWide {
        sequence: Wide,
        max: Wide,
    },
    RandomOutOfRangeWide {
        random: Wide,
        max: Wide,
    },
    RollbackOutOfRange {
        rollback: i64,
        max: u64,
    },
    IdOutOfRange {
        scheme: &'static str,
    },
    IdBytes {
        length: usize,
    },
    UuidOfVersion {
        version: u8,
        wanted: u8,
    },
    InvalidSecret {
        length: usize,
    },
    InvalidSecretHex {
        length: usize,
    },
    InvalidLayout {
        reason: LayoutProblem,
    },
    InvalidEntropySize {
        entropy_size: i64,
        max: u32,
    },
    EntropyUnavailable,
    TextLength {
        encoding: &'static str,
        length: usize,
        min: usize,
        max: usize,
    },
    TextWithoutDigits {
        encoding: &'static str,
    },
    TextCharacter {
        encoding: &'static str,
        position: usize,
        character: char,
    },
    TextOverflow {
        encoding: &'static str,
    },
    TextNotCanonical {
        encoding: &'static str,
        position: usize,
    },
    TextNearly {
        form: TextForm,
        fault: TextFault,
    },
    TextOfNoForm {
        length: usize,
        odd: Option<(usize, char)>,
    },
    WidthOutOfRange {
        encoding: &'static str,
        width: i64,
        min: usize,
        max: usize,
    },
    WidthTooSmall {
        encoding: &'static str,
        width: usize,
        needed: usize,
    },
    WidthNegative {
        encoding: &'static str,
    },
    UnknownEncoding {
        name: Excerpt,
    },
    UnknownScheme {
        name: Excerpt,
    },
    UnknownLayout {
        name: Excerpt,
    },
    UnknownField {
        name: Excerpt,
    },
    UnknownNodePart {
        name: Excerpt,
    },
    UnknownRollback {
        name: Excerpt,
    },
    UnknownScope {
        name: Excerpt,
    },
    BufferTooSmall {
        length: usize,
        needed: usize,
    },
    ClockJumped {
        ahead_ns: u64,
        max_jump_ns: u64,
    },
    StateInUse {
        path: Excerpt,
    },
    StateMismatch {
        path: Excerpt,
        problem: StateProblem,
    },
    StateUnavailable {
        path: Excerpt,
        os_error: i32,
    },
    CursorFileUnavailable {
        path: &'static str,
        os_error: i32,
    },
    CursorFolderNotPrivate {
        path: &'static str,
    },
    CursorFileMismatch {
        path: &'static str,
        problem: CursorFileProblem,
    },
    CursorFileAhead {
        ahead_ns: u64,
        max_jump_ns: u64,
        path: &'static str,
    },
    ClockBehindMachine {
        behind_ns: u64,
        max_wait_ns: u64,
        path: &'static str,
    },
    NoMachineScope,
    InvalidArgument {
        what: &'static str,
    },
    BitsOutOfRange {
        bits: u32,
        min: u32,
        max: u32,
    },
    IdTooWide {
        needed: u32,
        bits: u32,
    },
    IdUnsigned {
        bits: u32,
    },
    WideTextOverflow {
        encoding: &'static str,
        bits: u32,
    },
    UuidLength {
        length: usize,
    },
    UnknownUuidForm {
        name: Excerpt,
    },
    UnknownTickOrder {
        name: Excerpt,
    },
    CounterStart {
        start: i64,
    },
    CounterStep {
        step: i64,
    },
    CounterExhausted {
        step: i64,
    },
    /// Of a generator whose IDs others make. It knows what they said, which has no room here.
    OfMaker {
        kind: ErrorKind,
    },
}

/// Why a state file is not a generator's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum StateProblem {
    Damaged,
    Empty,
    OtherFormat,
    OtherNodes { first: u64 },
}

/// Why a cursor file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum CursorFileProblem {
    Damaged,
    OtherVersion { version: u64 },
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
            Error::ClockBackward { .. } | Error::ClockBehindMachine { .. } | Error::CursorFileAhead { .. } => {
                ErrorKind::ClockBackward
            }
            Error::ClockUnavailable | Error::ClockOutOfRange { .. } => ErrorKind::ClockUnavailable,
            Error::TimestampBeforeEpoch { .. } => ErrorKind::TimestampBeforeEpoch,
            Error::TimestampOverflow { .. } => ErrorKind::TimestampOverflow,
            Error::WouldWait { .. } | Error::WouldWaitAtFirst { .. } => ErrorKind::WouldWait,
            Error::LeaseNotBegun { .. } => ErrorKind::LeaseNotBegun,
            Error::LeaseExpired { .. } | Error::LeaseNotRenewed { .. } => ErrorKind::LeaseExpired,
            Error::LeaseClosed => ErrorKind::LeaseLost,
            Error::LeaseOfOther { .. } => ErrorKind::NamespaceMismatch,
            Error::InvalidWindow { .. } | Error::RangeEmpty { .. } | Error::RangeTurnsNegative { .. } => {
                ErrorKind::InvalidWindow
            }
            Error::NotTimeOrdered { .. } => ErrorKind::NotTimeOrdered,
            Error::NodeRequired { .. } => ErrorKind::NodeRequired,
            Error::NodeOutOfRange { .. }
            | Error::NodePartOutOfRange { .. }
            | Error::NodeRangeInvalid { .. }
            | Error::ShardsOutOfRange { .. } => ErrorKind::NodeOutOfRange,
            Error::NodeInUse { .. } | Error::NodeInUseByProcess { .. } | Error::NodeOfParent { .. } => {
                ErrorKind::NodeInUse
            }
            Error::Forked => ErrorKind::Forked,
            Error::SequenceOutOfRange { .. } | Error::SequenceOutOfRangeWide { .. } => ErrorKind::SequenceOutOfRange,
            Error::RandomOutOfRange { .. } | Error::RandomOutOfRangeWide { .. } => ErrorKind::RandomOutOfRange,
            Error::RollbackOutOfRange { .. } => ErrorKind::RollbackOutOfRange,
            Error::IdOutOfRange { .. } => ErrorKind::IdOutOfRange,
            Error::InvalidSecret { .. } | Error::InvalidSecretHex { .. } => ErrorKind::InvalidSecret,
            Error::InvalidLayout { .. } => ErrorKind::InvalidLayout,
            Error::InvalidEntropySize { .. } => ErrorKind::InvalidEntropySize,
            Error::EntropyUnavailable => ErrorKind::EntropyUnavailable,
            Error::TextLength { .. }
            | Error::TextWithoutDigits { .. }
            | Error::TextNearly { fault: TextFault::Length { .. } | TextFault::Group { .. }, .. }
            | Error::TextOfNoForm { odd: None, .. } => ErrorKind::TextLength,
            Error::TextCharacter { .. }
            | Error::TextNearly { fault: TextFault::Character { .. }, .. }
            | Error::TextOfNoForm { odd: Some(_), .. } => ErrorKind::TextCharacter,
            Error::TextOverflow { .. } | Error::TextNearly { fault: TextFault::OutOfRange, .. } => {
                ErrorKind::TextOverflow
            }
            Error::TextNotCanonical { .. } | Error::TextNearly { fault: TextFault::Zeros { .. }, .. } => {
                ErrorKind::TextNotCanonical
            }
            Error::WidthOutOfRange { .. } | Error::WidthTooSmall { .. } | Error::WidthNegative { .. } => {
                ErrorKind::WidthOutOfRange
            }
            Error::UnknownEncoding { .. }
            | Error::UnknownScheme { .. }
            | Error::UnknownLayout { .. }
            | Error::UnknownField { .. }
            | Error::UnknownNodePart { .. }
            | Error::UnknownRollback { .. }
            | Error::UnknownScope { .. } => ErrorKind::UnknownName,
            Error::BufferTooSmall { .. } => ErrorKind::BufferTooSmall,
            Error::ClockJumped { .. } => ErrorKind::ClockJumped,
            Error::StateInUse { .. } => ErrorKind::StateInUse,
            Error::StateMismatch { .. } | Error::CursorFileMismatch { .. } => ErrorKind::StateMismatch,
            Error::StateUnavailable { .. }
            | Error::CursorFileUnavailable { .. }
            | Error::CursorFolderNotPrivate { .. }
            | Error::NoMachineScope => ErrorKind::StateUnavailable,
            Error::InvalidArgument { .. }
            | Error::CounterStart { .. }
            | Error::CounterStep { .. }
            | Error::NodeTwice
            | Error::NodePartMissing { .. }
            | Error::NodePartTwice { .. }
            | Error::IdBytes { .. }
            | Error::BitsOutOfRange { .. } => ErrorKind::InvalidArgument,
            Error::IdTooWide { .. } | Error::IdUnsigned { .. } | Error::UuidOfVersion { .. } => ErrorKind::IdOutOfRange,
            Error::CounterExhausted { .. } => ErrorKind::CounterExhausted,
            Error::OfMaker { kind } => *kind,
            Error::WideTextOverflow { .. } => ErrorKind::TextOverflow,
            Error::UuidLength { .. } => ErrorKind::TextLength,
            Error::UnknownUuidForm { .. } | Error::UnknownTickOrder { .. } => ErrorKind::UnknownName,
        }
    }

    /// Where in the text the first bad character stands, or what is wrong in a layout's text begins, counted in characters from 0; `None` for
    /// other errors.
    #[must_use]
    pub const fn position(&self) -> Option<usize> {
        match self {
            Error::TextCharacter { position, .. }
            | Error::TextNotCanonical { position, .. }
            | Error::TextNearly {
                fault: TextFault::Character { position, .. } | TextFault::Zeros { position }, ..
            }
            | Error::TextOfNoForm { odd: Some((position, _)), .. } => Some(*position),
            Error::InvalidLayout { reason: LayoutProblem::Text { position, .. } } => Some(*position as usize),
            _ => None,
        }
    }
}

impl core::error::Error for Error {}
