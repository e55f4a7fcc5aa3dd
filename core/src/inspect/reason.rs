//! The reasons for the rank of a candidate, as bits and in words.

use super::units::{MS_PER_DAY, MS_PER_YEAR};
use crate::id::Parts;
use crate::scheme::Scheme;
use core::fmt;

/// A reason for or against a candidate.
///
/// `Display` writes it in words; [`Reason::name`] is its name for programs.
///
/// ```
/// use saiban::inspect::Reason;
/// let reason = Reason::TimePlausible(3 * 3_600_000);
/// assert_eq!((reason.name(), reason.to_string().as_str()), ("time_plausible", "time is plausible: 3 hours ago"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The text is the canonical text of the scheme.
    CanonicalText,
    /// The text has the length and the alphabet of this scheme's text.
    LengthAndAlphabet(Scheme),
    /// The text is a decimal number, which is not the canonical text of the scheme.
    DecimalNumber,
    /// The number has the number of bits of the format.
    Width(u32),
    /// The text has the form of a UUID, which can hold any 128 bits.
    UuidForm,
    /// The text is a number in this encoding. Almost any text is a number in some encoding.
    OtherEncoding(&'static str),
    /// The version bits of the UUID have this value.
    VersionBits(u8),
    /// All bits have this value.
    EqualBits(u8),
    /// The ID fits a layout of the user.
    GivenLayout,
    /// The time is counted from the epoch that the user passed.
    GivenEpoch,
    /// The ID was decrypted with the secret of this index, counted from 0. `None` if there is only
    /// one secret.
    Decrypted(Option<u64>),
    /// The time is this many milliseconds in the past, when such IDs existed. Negative for a time
    /// up to a day in the future.
    TimePlausible(i64),
    /// The time is in the first year of the format, from which few IDs are.
    TimeEarly,
    /// The time is in the first day after the epoch, as it is for any small number.
    TimeNearEpoch,
    /// The time is before the format existed.
    TimeBeforeFormat,
    /// The time is this many milliseconds in the future.
    TimeFuture(i64),
    /// Node and sequence are small, as they mostly are.
    SmallParts,
    /// The sequence is larger than such IDs have, except at the busiest moments.
    LargeSequence,
}

impl Reason {
    /// Returns the name for programs, which is equal in every language: `canonical_text`,
    /// `time_plausible`, …
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
            Reason::LengthAndAlphabet(scheme) => write!(f, "length and alphabet are {}'s", scheme.info().noun),
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

/// A duration in milliseconds. `Display` writes it in its largest unit, rounded down.
struct Span(i64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (MS_PER_YEAR as u64, "year"),
            (MS_PER_DAY as u64, "day"),
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

/// The set of reasons that a candidate has, as bits. The values of the reasons come from the
/// candidate.
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

    /// Returns the reasons, with their values from the candidate's parts, age and encoding.
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

/// Returns the reason for the version bits of a UUID.
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
