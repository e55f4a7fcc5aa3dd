//! Why a layout is none.

use super::{Excerpt, Wide};
use core::fmt;

/// Why the fields of a layout do not fit together. `part` is the field at fault: its kind, and its name if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum LayoutProblem {
    TooManyFields,
    FieldWidth { part: Excerpt, bits: u32, max: u32 },
    WidthSum { bits: u32 },
    NoTimestamp,
    FieldTwice { part: Excerpt },
    NodeApart { part: Excerpt },
    NameInvalid { name: Excerpt },
    TooManyNames,
    NotOfThisField { part: Excerpt, key: FieldKey },
    ConstantTooLarge { bits: u32, value: Wide },
    ZeroStep,
    SequenceAndRandom,
    PositionTooWide { bits: u32 },
    TooWideFor64 { bits: u32 },
    ZeroTick,
    TimeTooLong,
    NotASnowflake,
    OtherWidth { bits: u32 },
    RollbackTooWide { bits: u32, max: u32 },
    NodeTooNarrow { bits: u32 },
    NoRollback,
    Text { position: u32, item: Excerpt, fault: LayoutFault },
    Json { item: Excerpt, fault: LayoutFault },
    JsonSyntax { line: u32, column: u32 },
}

/// What only some kinds of fields have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants are named for what they are")]
pub enum FieldKey {
    Name,
    Value,
    Step,
    Start,
}

/// What is wrong with a layout's text or JSON, at a place of it.
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
    WrongType,
    KeyMissing,
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
                write!(f, "its field {part} stands twice: give it once, or the parts of a node names of their own")
            }
            LayoutProblem::NodeApart { part } => {
                write!(f, "its field {part} stands apart from the other parts of the node: put them side by side")
            }
            LayoutProblem::NameInvalid { name } => write!(
                f,
                "{name} is no name of a part of the node: give a lower-case letter, then up to 15 lower-case letters, \
                 digits and underscores"
            ),
            LayoutProblem::TooManyNames => f.write_str("its node has more than 8 parts with names"),
            LayoutProblem::NotOfThisField { part, key } => write!(f, "its field {part} cannot have a {key}"),
            LayoutProblem::ConstantTooLarge { bits, value } => {
                write!(f, "its constant of {bits} bits cannot be {value}: give 0 to {}", most(*bits))
            }
            LayoutProblem::ZeroStep => f.write_str("its random part cannot grow by a step of 0: give at least 1, or none"),
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
                "its last time does not fit 64 bits of milliseconds: take fewer timestamp bits or a shorter tick",
            ),
            LayoutProblem::RollbackTooWide { bits, max } => {
                write!(f, "its rollback field has {bits} bits: give 1 to {max}")
            }
            LayoutProblem::NodeTooNarrow { bits } => {
                write!(f, "its node field has {bits} bits, too few to give some up for the rollback field")
            }
            LayoutProblem::NoRollback => {
                f.write_str("it has no rollback field, which the policy `bits` needs: give it one (with_rollback_bits)")
            }
            LayoutProblem::OtherWidth { bits } => write!(
                f,
                "its IDs have {bits} bits: those of up to 64 are made by Flake, wider ones by WideFlake"
            ),
            LayoutProblem::NotASnowflake => f.write_str(
                "a Snowflake has up to 64 bits, with a timestamp, a node, a sequence that begins with 0, and no random part",
            ),
            LayoutProblem::Text { position, item, fault } => {
                write!(f, "{item} (position {position}, counted from 0) {fault}")
            }
            LayoutProblem::Json { item, fault } => write!(f, "in its JSON {item} {fault}"),
            LayoutProblem::JsonSyntax { line, column } => {
                write!(f, "its JSON ends being JSON in line {line}, column {column}")
            }
        }
    }
}

/// The largest number of so many bits.
fn most(bits: u32) -> u128 {
    u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0)
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
                "is no name: give a lower-case letter, then up to 15 lower-case letters, digits and underscores"
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
            LayoutFault::WrongType => "has the wrong type of value",
            LayoutFault::KeyMissing => "is missing",
        })
    }
}
