//! Why a candidate stands where it does, in words.

use crate::id::{Parts, Scheme};
use core::fmt;

/// One piece of evidence for or against a candidate. `Display` says it in words, [`Reason::name`] to programs.
///
/// ```
/// use saiban::inspect::Reason;
/// let reason = Reason::TimePlausible(3 * 3_600_000);
/// assert_eq!((reason.name(), reason.to_string().as_str()), ("time_plausible", "time is plausible: 3 hours ago"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The text is exactly what the scheme writes.
    CanonicalText,
    /// The text has the length and the alphabet of this scheme's.
    LengthAndAlphabet(Scheme),
    /// The text is a decimal number, which is not how this scheme writes its IDs.
    DecimalNumber,
    /// The number has as many bits as the format.
    Width(u32),
    /// The text has the form of a UUID, which holds any 128 bits.
    UuidForm,
    /// The text can be read as a number in this encoding, as almost any text can in some.
    OtherEncoding(&'static str),
    /// The bits that tell a UUID's version say this one.
    VersionBits(u8),
    /// Every bit is this one.
    EqualBits(u8),
    /// It fits a layout that was given.
    GivenLayout,
    /// The time is counted from the epoch that was given.
    GivenEpoch,
    /// It was decrypted with this one of the secrets, counted from 0; `None` where there is but one.
    Decrypted(Option<u64>),
    /// The time lies this many milliseconds in the past, when such IDs were made.
    TimePlausible(i64),
    /// The time lies in the format's first year, in which few IDs were made.
    TimeEarly,
    /// The time lies in the first day after the epoch, as it does with any small number.
    TimeNearEpoch,
    /// The time is before the format existed.
    TimeBeforeFormat,
    /// The time lies this many milliseconds in the future.
    TimeFuture(i64),
    /// Node and sequence are as small as they mostly are.
    SmallParts,
    /// The sequence is larger than such IDs have but for the busiest moments.
    LargeSequence,
}

impl Reason {
    /// The name for programs, the same in every language: `canonical_text`, `time_plausible`, …
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Reason::CanonicalText => "canonical_text",
            Reason::LengthAndAlphabet(_) => "length_and_alphabet",
            Reason::DecimalNumber => "decimal_number",
            Reason::Width(_) => "width",
            Reason::UuidForm => "uuid_form",
            Reason::OtherEncoding(_) => "other_encoding",
            Reason::VersionBits(_) => "version_bits",
            Reason::EqualBits(_) => "equal_bits",
            Reason::GivenLayout => "given_layout",
            Reason::GivenEpoch => "given_epoch",
            Reason::Decrypted(_) => "decrypted",
            Reason::TimePlausible(_) => "time_plausible",
            Reason::TimeEarly => "time_early",
            Reason::TimeNearEpoch => "time_near_epoch",
            Reason::TimeBeforeFormat => "time_before_format",
            Reason::TimeFuture(_) => "time_future",
            Reason::SmallParts => "small_parts",
            Reason::LargeSequence => "large_sequence",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::CanonicalText => f.write_str("canonical text"),
            Reason::LengthAndAlphabet(scheme) => write!(f, "length and alphabet are {}", owner(*scheme)),
            Reason::DecimalNumber => f.write_str("a decimal number"),
            Reason::Width(bits) => write!(f, "a number of {bits} bits"),
            Reason::UuidForm => f.write_str("in the form of a UUID"),
            Reason::OtherEncoding(encoding) => write!(f, "if it is a number in {encoding}"),
            Reason::VersionBits(version) => write!(f, "version bits say {version}"),
            Reason::EqualBits(bit) => write!(f, "all bits are {bit}"),
            Reason::GivenLayout => f.write_str("fits the layout given"),
            Reason::GivenEpoch => f.write_str("counted from the epoch given"),
            Reason::Decrypted(None) => f.write_str("decrypted with the secret"),
            Reason::Decrypted(Some(index)) => write!(f, "decrypted with the secret of secret_index {index}"),
            Reason::TimePlausible(age_ms) => {
                f.write_str("time is plausible: ")?;
                if *age_ms < 0 { write!(f, "{} ahead", Span(*age_ms)) } else { write!(f, "{} ago", Span(*age_ms)) }
            }
            Reason::TimeEarly => f.write_str("few are from the format's first year"),
            Reason::TimeNearEpoch => f.write_str("time is in the format's first day, as any small number's"),
            Reason::TimeBeforeFormat => f.write_str("time is before the format existed"),
            Reason::TimeFuture(ahead_ms) => write!(f, "time is in the future: {} ahead", Span(*ahead_ms)),
            Reason::SmallParts => f.write_str("node and sequence are small"),
            Reason::LargeSequence => f.write_str("sequence is unusually large"),
        }
    }
}

/// Whose the text or the number is.
const fn owner(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Snowflake => "a Snowflake ID's",
        Scheme::Randflake => "a Randflake ID's",
        Scheme::UlidFlake => "a Ulid-Flake's",
        Scheme::Flake => "the layout's",
        Scheme::Ulid => "a ULID's",
        Scheme::Uuid | Scheme::UuidV1 | Scheme::UuidV4 | Scheme::UuidV7 => "a UUID's",
        Scheme::ObjectId => "an ObjectId's",
        Scheme::TickId => "a tick ID's",
    }
}

/// A length of time in its largest unit, rounded down.
struct Span(i64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (super::MS_PER_YEAR as u64, "year"),
            (super::MS_PER_DAY as u64, "day"),
            (3_600_000, "hour"),
            (60_000, "minute"),
            (1_000, "second"),
        ];
        let ms = self.0.unsigned_abs();
        let (unit, name) = UNITS.into_iter().find(|(unit, _)| ms >= *unit).unwrap_or((1_000, "second"));
        let count = ms / unit;
        write!(f, "{count} {name}{}", if count == 1 { "" } else { "s" })
    }
}

/// Which evidence a candidate has, as bits; what it says comes from the candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence(u32);

macro_rules! evidence {
    ($($name:ident $bit:literal;)+) => {
        impl Evidence {
            $( pub(super) const $name: Evidence = Evidence(1 << $bit); )+
        }
    };
}

evidence! {
    DECIMAL 0;
    WIDTH 1;
    UUID_FORM 2;
    OTHER_ENCODING 3;
    LENGTH_AND_ALPHABET 4;
    CANONICAL_TEXT 5;
    VERSION_BITS 6;
    GIVEN_LAYOUT 7;
    GIVEN_EPOCH 8;
    DECRYPTED 9;
    TIME_PLAUSIBLE 10;
    TIME_EARLY 11;
    TIME_NEAR_EPOCH 12;
    TIME_BEFORE_FORMAT 13;
    TIME_FUTURE 14;
    SMALL_PARTS 15;
    LARGE_SEQUENCE 16;
}

impl Evidence {
    pub(super) const NONE: Evidence = Evidence(0);

    pub(super) const fn and(self, other: Evidence) -> Self {
        Evidence(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Evidence) -> Self {
        Evidence(self.0 & !other.0)
    }

    pub(super) const fn has(self, other: Evidence) -> bool {
        self.0 & other.0 != 0
    }

    /// The evidence in words: of the ID with these parts, this long ago, read in this encoding.
    pub(super) fn reasons(self, parts: &Parts, age_ms: i64, encoding: &'static str) -> impl Iterator<Item = Reason> {
        let parts = *parts;
        (0..u32::BITS).map(|bit| Evidence(1 << bit)).filter(move |one| self.has(*one)).filter_map(move |one| {
            Some(match one {
                Evidence::DECIMAL => Reason::DecimalNumber,
                Evidence::WIDTH => Reason::Width(parts.id.bits()),
                Evidence::UUID_FORM => Reason::UuidForm,
                Evidence::OTHER_ENCODING => Reason::OtherEncoding(encoding),
                Evidence::LENGTH_AND_ALPHABET => Reason::LengthAndAlphabet(parts.scheme),
                Evidence::CANONICAL_TEXT => Reason::CanonicalText,
                Evidence::VERSION_BITS => version(&parts)?,
                Evidence::GIVEN_LAYOUT => Reason::GivenLayout,
                Evidence::GIVEN_EPOCH => Reason::GivenEpoch,
                Evidence::DECRYPTED => Reason::Decrypted(parts.secret_index),
                Evidence::TIME_PLAUSIBLE => Reason::TimePlausible(age_ms),
                Evidence::TIME_EARLY => Reason::TimeEarly,
                Evidence::TIME_NEAR_EPOCH => Reason::TimeNearEpoch,
                Evidence::TIME_BEFORE_FORMAT => Reason::TimeBeforeFormat,
                Evidence::TIME_FUTURE => Reason::TimeFuture(age_ms.saturating_neg()),
                Evidence::SMALL_PARTS => Reason::SmallParts,
                Evidence::LARGE_SEQUENCE => Reason::LargeSequence,
                _ => return None,
            })
        })
    }
}

/// What the version bits of a UUID say.
fn version(parts: &Parts) -> Option<Reason> {
    let version = match (parts.scheme, parts.layout) {
        (Scheme::UuidV1, _) => 1,
        (Scheme::UuidV4, _) => 4,
        (Scheme::UuidV7, _) => 7,
        (_, Some("nil")) => return Some(Reason::EqualBits(0)),
        (_, Some("max")) => return Some(Reason::EqualBits(1)),
        (_, Some(layout)) => layout.strip_prefix('v')?.parse().ok()?,
        _ => return None,
    };
    Some(Reason::VersionBits(version))
}
