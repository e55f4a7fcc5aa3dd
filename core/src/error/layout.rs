//! Reasons why a layout is invalid, for [`Error::InvalidLayout`](super::Error::InvalidLayout).

use super::{Excerpt, Wide};
use crate::layout::FieldKind;
use core::fmt;

messages! {
    |f|
    /// The reason why a layout is invalid, or why a generator cannot use it.
    ///
    /// `part` is the field at fault: its kind, and its name if it has one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[allow(missing_docs, reason = "the variants are named for what they are")]
    pub enum LayoutProblem {
        TooManyFields => "it has more than 16 fields";
        FieldWidth { part: Excerpt, bits: i64, max: u32 } => "its field {part} has {bits} bits: give 1 to {max}";
        WidthSum { bits: u32 } => "its fields have {bits} bits together: they must have 16 to 128";
        NoTimestamp => "it has no timestamp field: give one";
        FieldTwice { part: Excerpt } => "its field {part} is given twice: give it once";
        NodeTwice { part: Excerpt } =>
            "its field {part} is given twice: give the node once, or each part of it a different name";
        NodeApart { part: Excerpt } =>
            "its field {part} is not adjacent to the other parts of the node: put them side by side";
        NameInvalid { name: Excerpt } =>
            "{name} is not a valid name for a part of the node: give a lower-case letter, then up to 15 lower-case \
             letters, digits and underscores";
        TooManyNames => "its node has more than 8 parts with names";
        NotOfThisField { part: Excerpt, key: FieldKey } => "its field {part} cannot have a {key}";
        ConstantTooLarge { bits: u32, value: Wide } =>
            "its constant of {bits} bits cannot be {value}: give 0 to {}", most(bits);
        StepOutOfRange { bits: u32, step: Wide } =>
            "its random part of {bits} bits cannot grow by a step of {step}: give 1 to {}, or none",
            most(bits).min(u64::MAX.into());
        Negative { part: Excerpt, key: FieldKey, number: i64 } => {
            let (key, least) = if key == FieldKey::Step { ("step", 1) } else { ("value", 0) };
            write!(f, "its field {part} cannot have the {key} {number}: give {least} or more")
        };
        StartInvalid { start: Excerpt } => "a sequence cannot start with {start}: give 0 or random";
        SequenceAndRandom =>
            "it has both a sequence and a random part that grows: give one of them, or a random part without step";
        PositionTooWide { bits: u32 } =>
            "timestamp and sequence (or random) have {bits} bits together: give at most 63";
        TooWideFor64 { bits: u32 } =>
            "its IDs have {bits} bits, and a number of 64 cannot hold them: give at most 64";
        ZeroTick => "its tick is 0: give at least 1 µs";
        TimeTooLong =>
            "its last time does not fit 64 bits of milliseconds: take an earlier epoch, fewer timestamp bits or a \
             shorter tick";
        NotASnowflake =>
            "the layout is not a Snowflake's, which has up to 64 bits, with a timestamp, a node, a sequence that \
             begins with 0, and no random part: Flake makes IDs of any layout";
        OtherWidth { bits: u32 } =>
            "its IDs have {bits} bits: those of up to 64 are made by Flake, wider ones by WideFlake";
        RollbackTooWide { bits: u32, max: u32 } => "its rollback field has {bits} bits: give 1 to {max}";
        TooNarrowForRollback { part: Excerpt, bits: u32 } =>
            "its field {part} has {bits} bits, too few to give up any for the rollback field";
        NothingForRollback =>
            "it has no node, sequence or growing random part that could give up bits for the rollback field";
        NoRollback =>
            "it has no rollback field, which the policy `bits` needs: give it one (with_rollback_bits)";
        Text { position: u32, item: Excerpt, fault: LayoutFault } =>
            "{item} (position {position}, counted from 0) {fault}";
        Json { place: JsonPlace, key: JsonKey, found: JsonFound } => {
            match key {
                JsonKey::Layout => write!(f, "its JSON {found}")?,
                JsonKey::Field => write!(f, "in its JSON {place} {found}")?,
                _ if place.field.is_none() => write!(f, "in its JSON \"{}\" {found}", key.name())?,
                _ => write!(f, "in its JSON {place}: \"{}\" {found}", key.name())?,
            }
            f.write_str(": give ")?;
            key.write_wanted(f, place.kind)
        };
        JsonKey { place: JsonPlace, key: Excerpt, fault: LayoutFault } => {
            match place.field {
                None => write!(f, "in its JSON {key} {fault}")?,
                Some(_) => write!(f, "in its JSON {place}: {key} {fault}")?,
            }
            f.write_str(match (fault, place.field) {
                (LayoutFault::KeyTwice, _) => "",
                (_, None) => ": give fields, epoch_ms and tick_us",
                (_, Some(_)) => ": give kind, bits, and what else the kind has: name, value, step or start",
            })
        };
        JsonEnd { line: u32, column: u32 } =>
            "its JSON ends in line {line}, column {column}, before it is complete: give a whole object with \
             \"fields\"";
        JsonSyntax { line: u32, column: u32, item: Excerpt } =>
            "it is not valid JSON: {item} in line {line}, column {column}; give an object with \"fields\"";
    }
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

messages! {
    |f|
    /// The value found in a layout's JSON where another value is expected.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[allow(missing_docs, reason = "the variants are named for what they are")]
    pub enum JsonFound {
        Nothing => "is missing";
        Null => "is null";
        True => "is true";
        False => "is false";
        List => "is a list";
        Object => "is an object";
        Number(number: Excerpt) => "is {}", number.unquoted();
        Text(text: Excerpt) => "is {text}";
    }
}

messages! {
    |f|
    /// A property that only some kinds of fields have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[allow(missing_docs, reason = "the variants are named for what they are")]
    pub enum FieldKey {
        Name => "name, which only parts of the node have";
        Value => "value, which only constants have";
        Step => "step, which only random parts have";
        Start => "random start, which only sequences have";
    }
}

messages! {
    |f|
    /// The fault of one item of a layout's text or JSON.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[allow(missing_docs, reason = "the variants are named for what they are")]
    pub enum LayoutFault {
        EmptyItem => "is not a field: write fields as kind:bits, with a space between two and none at the ends";
        UnknownKind => "is not a kind of field: give unused, timestamp, node, sequence, random, rollback or constant";
        NoWidth => "has no width: write it as kind:bits";
        NotANumber => "is not a whole number without sign or exponent";
        NumberTooLarge => "is too large a number";
        NotAName =>
            "is not a valid name: give a lower-case letter, then up to 15 lower-case letters, digits and underscores";
        NotAUnit => "is not a unit: give us, ms, s, min, h or d, with a whole number before it or none";
        NotATime =>
            "is not an epoch: give a date (2020-02-02), a time in UTC (2020-02-02T20:20:02.000Z), or Unix milliseconds";
        NotAStart => "is not a start: give 0 or random";
        NotAStep => "is not a step: give at least 1";
        NoValue => "lacks its value: write it as constant:bits,value=number";
        UnknownKey => "is not known here";
        KeyTwice => "is given twice: give it once";
        NotOfThisKind => "does not belong to this kind of field";
    }
}
