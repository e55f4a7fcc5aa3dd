//! Reasons why a layout is invalid, for [`Error::InvalidLayout`](super::Error::InvalidLayout).

use super::{Excerpt, Wide};
use crate::layout::FieldKind;
use core::fmt;

/// The reason why a layout is invalid, or why a generator cannot use it.
///
/// `part` is the field at fault: its kind, and its name if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum LayoutProblem {
    TooManyFields,
    FieldWidth { part: Excerpt, bits: i64, max: u32 },
    WidthSum { bits: u32 },
    NoTimestamp,
    FieldTwice { part: Excerpt },
    NodeTwice { part: Excerpt },
    NodeApart { part: Excerpt },
    NameInvalid { name: Excerpt },
    TooManyNames,
    NotOfThisField { part: Excerpt, key: FieldKey },
    ConstantTooLarge { bits: u32, value: Wide },
    StepOutOfRange { bits: u32, step: Wide },
    Negative { part: Excerpt, key: FieldKey, number: i64 },
    StartInvalid { start: Excerpt },
    SequenceAndRandom,
    PositionTooWide { bits: u32 },
    TooWideFor64 { bits: u32 },
    ZeroTick,
    TimeTooLong,
    NotASnowflake,
    OtherWidth { bits: u32 },
    RollbackTooWide { bits: u32, max: u32 },
    TooNarrowForRollback { part: Excerpt, bits: u32 },
    NothingForRollback,
    NoRollback,
    Text { position: u32, item: Excerpt, fault: LayoutFault },
    Json { place: JsonPlace, key: JsonKey, found: JsonFound },
    JsonKey { place: JsonPlace, key: Excerpt, fault: LayoutFault },
    JsonEnd { line: u32, column: u32 },
    JsonSyntax { line: u32, column: u32, item: Excerpt },
}

/// A place in a layout's JSON: the index of a field, counted from 0, and its kind if it is known.
///
/// Without an index, the place is the layout itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are named for what they are")]
pub struct JsonPlace {
    pub field: Option<u16>,
    pub kind: Option<FieldKind>,
}

/// An element of a layout's JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum JsonKey {
    Layout,
    Fields,
    EpochMs,
    TickUs,
    Field,
    Kind,
    Bits,
    Name,
    Value,
    Step,
    Start,
}

/// The value found in a layout's JSON where another value is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum JsonFound {
    Nothing,
    Null,
    True,
    False,
    List,
    Object,
    Number(Excerpt),
    Text(Excerpt),
}

/// A property that only some kinds of fields have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum FieldKey {
    Name,
    Value,
    Step,
    Start,
}

/// The fault of one item of a layout's text or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum LayoutFault {
    EmptyItem,
    UnknownKind,
    NoWidth,
    NotANumber,
    NumberTooLarge,
    NotAName,
    NotAUnit,
    NotATime,
    NotAStart,
    NotAStep,
    NoValue,
    UnknownKey,
    KeyTwice,
    NotOfThisKind,
}

impl fmt::Display for LayoutProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutProblem::TooManyFields => f.write_str("it has more than 16 fields"),
            LayoutProblem::FieldWidth { part, bits, max } => {
                write!(f, "its field {part} has {bits} bits: give 1 to {max}")
            }
            LayoutProblem::WidthSum { bits } => {
                write!(f, "its fields have {bits} bits together: they must have 16 to 128")
            }
            LayoutProblem::NoTimestamp => f.write_str("it has no timestamp field: give one"),
            LayoutProblem::FieldTwice { part } => {
                write!(f, "its field {part} is given twice: give it once")
            }
            LayoutProblem::NodeTwice { part } => {
                write!(f, "its field {part} is given twice: give the node once, or each part of it a different name")
            }
            LayoutProblem::NodeApart { part } => {
                write!(f, "its field {part} is not adjacent to the other parts of the node: put them side by side")
            }
            LayoutProblem::NameInvalid { name } => write!(
                f,
                "{name} is not a valid name for a part of the node: give a lower-case letter, then up to 15 \
                 lower-case letters, digits and underscores"
            ),
            LayoutProblem::TooManyNames => f.write_str("its node has more than 8 parts with names"),
            LayoutProblem::NotOfThisField { part, key } => write!(f, "its field {part} cannot have a {key}"),
            LayoutProblem::ConstantTooLarge { bits, value } => {
                write!(f, "its constant of {bits} bits cannot be {value}: give 0 to {}", most(*bits))
            }
            LayoutProblem::StepOutOfRange { bits, step } => write!(
                f,
                "its random part of {bits} bits cannot grow by a step of {step}: give 1 to {}, or none",
                most(*bits).min(u64::MAX.into())
            ),
            LayoutProblem::Negative { part, key, number } => {
                let (key, least) = if *key == FieldKey::Step { ("step", 1) } else { ("value", 0) };
                write!(f, "its field {part} cannot have the {key} {number}: give {least} or more")
            }
            LayoutProblem::StartInvalid { start } => {
                write!(f, "a sequence cannot start with {start}: give 0 or random")
            }
            LayoutProblem::SequenceAndRandom => f.write_str(
                "it has both a sequence and a random part that grows: give one of them, or a random part without step",
            ),
            LayoutProblem::PositionTooWide { bits } => {
                write!(f, "timestamp and sequence (or random) have {bits} bits together: give at most 63")
            }
            LayoutProblem::TooWideFor64 { bits } => {
                write!(f, "its IDs have {bits} bits, and a number of 64 cannot hold them: give at most 64")
            }
            LayoutProblem::ZeroTick => f.write_str("its tick is 0: give at least 1 µs"),
            LayoutProblem::TimeTooLong => f.write_str(
                "its last time does not fit 64 bits of milliseconds: take an earlier epoch, fewer timestamp bits or \
                 a shorter tick",
            ),
            LayoutProblem::RollbackTooWide { bits, max } => {
                write!(f, "its rollback field has {bits} bits: give 1 to {max}")
            }
            LayoutProblem::TooNarrowForRollback { part, bits } => {
                write!(f, "its field {part} has {bits} bits, too few to give up any for the rollback field")
            }
            LayoutProblem::NothingForRollback => f.write_str(
                "it has no node, sequence or growing random part that could give up bits for the rollback field",
            ),
            LayoutProblem::NoRollback => {
                f.write_str("it has no rollback field, which the policy `bits` needs: give it one (with_rollback_bits)")
            }
            LayoutProblem::OtherWidth { bits } => {
                write!(f, "its IDs have {bits} bits: those of up to 64 are made by Flake, wider ones by WideFlake")
            }
            LayoutProblem::NotASnowflake => f.write_str(
                "the layout is not a Snowflake's, which has up to 64 bits, with a timestamp, a node, a sequence that \
                 begins with 0, and no random part: Flake makes IDs of any layout",
            ),
            LayoutProblem::Text { position, item, fault } => {
                write!(f, "{item} (position {position}, counted from 0) {fault}")
            }
            LayoutProblem::Json { place, key, found } => {
                match key {
                    JsonKey::Layout => write!(f, "its JSON {found}")?,
                    JsonKey::Field => write!(f, "in its JSON {place} {found}")?,
                    _ if place.field.is_none() => write!(f, "in its JSON \"{}\" {found}", key.name())?,
                    _ => write!(f, "in its JSON {place}: \"{}\" {found}", key.name())?,
                }
                f.write_str(": give ")?;
                key.write_wanted(f, place.kind)
            }
            LayoutProblem::JsonKey { place, key, fault: fault @ LayoutFault::KeyTwice } => match place.field {
                None => write!(f, "in its JSON {key} {fault}"),
                Some(_) => write!(f, "in its JSON {place}: {key} {fault}"),
            },
            LayoutProblem::JsonKey { place, key, fault } => match place.field {
                None => write!(f, "in its JSON {key} {fault}: give fields, epoch_ms and tick_us"),
                Some(_) => write!(
                    f,
                    "in its JSON {place}: {key} {fault}: give kind, bits, and what else the kind has: name, value, \
                     step or start"
                ),
            },
            LayoutProblem::JsonEnd { line, column } => write!(
                f,
                "its JSON ends in line {line}, column {column}, before it is complete: give a whole object with \
                 \"fields\""
            ),
            LayoutProblem::JsonSyntax { line, column, item } => {
                write!(
                    f,
                    "its JSON is none in line {line}, column {column}, where {item} stands: give an object \
                           with \"fields\""
                )
            }
        }
    }
}

/// Returns the largest number of `bits` bits.
fn most(bits: u32) -> u128 {
    u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0)
}

impl fmt::Display for JsonPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field {
            write!(f, "fields[{field}]")?;
        }
        self.kind.map_or(Ok(()), |kind| write!(f, " ({})", kind.name()))
    }
}

impl JsonKey {
    const fn name(self) -> &'static str {
        match self {
            JsonKey::Layout | JsonKey::Field => "",
            JsonKey::Fields => "fields",
            JsonKey::EpochMs => "epoch_ms",
            JsonKey::TickUs => "tick_us",
            JsonKey::Kind => "kind",
            JsonKey::Bits => "bits",
            JsonKey::Name => "name",
            JsonKey::Value => "value",
            JsonKey::Step => "step",
            JsonKey::Start => "start",
        }
    }

    /// Writes the values that this element allows, in a field of `kind`.
    fn write_wanted(self, f: &mut fmt::Formatter<'_>, kind: Option<FieldKind>) -> fmt::Result {
        f.write_str(match self {
            JsonKey::Layout => "an object with \"fields\"",
            JsonKey::Fields => "a list of objects with \"kind\" and \"bits\"",
            JsonKey::Field => "an object with \"kind\" and \"bits\"",
            JsonKey::EpochMs => "Unix milliseconds, a plain whole number of 64 bits",
            JsonKey::TickUs => "microseconds, a plain whole number of 1 and more, 64 bits",
            JsonKey::Kind => "unused, timestamp, node, sequence, random, rollback or constant",
            JsonKey::Bits => {
                let most = kind.map_or(127, FieldKind::max_bits);
                return write!(f, "a plain whole number, 1 to {most}");
            }
            JsonKey::Name => "a lower-case letter, then up to 15 lower-case letters, digits and underscores",
            JsonKey::Value => "a plain whole number of 0 and more, up to 128 bits",
            JsonKey::Step => return write!(f, "a plain whole number, 1 to {}", u64::MAX),
            JsonKey::Start => "0 or \"random\"",
        })
    }
}

impl fmt::Display for JsonFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonFound::Nothing => f.write_str("is missing"),
            JsonFound::Null => f.write_str("is null"),
            JsonFound::True => f.write_str("is true"),
            JsonFound::False => f.write_str("is false"),
            JsonFound::List => f.write_str("is a list"),
            JsonFound::Object => f.write_str("is an object"),
            JsonFound::Number(number) => write!(f, "is {}", number.unquoted()),
            JsonFound::Text(text) => write!(f, "is {text}"),
        }
    }
}

impl fmt::Display for FieldKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FieldKey::Name => "name, which only parts of the node have",
            FieldKey::Value => "value, which only constants have",
            FieldKey::Step => "step, which only random parts have",
            FieldKey::Start => "random start, which only sequences have",
        })
    }
}

impl fmt::Display for LayoutFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LayoutFault::EmptyItem => {
                "is no field: write fields as kind:bits, with a space between two and none at the ends"
            }
            LayoutFault::UnknownKind => {
                "is no kind of field: give unused, timestamp, node, sequence, random, rollback or constant"
            }
            LayoutFault::NoWidth => "has no width: write it as kind:bits",
            LayoutFault::NotANumber => "is no plain whole number",
            LayoutFault::NumberTooLarge => "is too large a number",
            LayoutFault::NotAName => {
                "is not a valid name: give a lower-case letter, then up to 15 lower-case letters, digits and underscores"
            }
            LayoutFault::NotAUnit => "is no unit: give us, ms, s, min, h or d, with a whole number before it or none",
            LayoutFault::NotATime => {
                "is no epoch: give a date (2020-02-02), a time in UTC (2020-02-02T20:20:02.000Z), or Unix milliseconds"
            }
            LayoutFault::NotAStart => "is no start: give 0 or random",
            LayoutFault::NotAStep => "is no step: give at least 1",
            LayoutFault::NoValue => "lacks its value: write it as constant:bits,value=number",
            LayoutFault::UnknownKey => "is not known here",
            LayoutFault::KeyTwice => "is given twice: give it once",
            LayoutFault::NotOfThisKind => "does not belong to this kind of field",
        })
    }
}
