//! Parses a layout from its text, the format that [`Layout::from_text`] documents.
//!
//! The JSON parser of layouts uses the functions for numbers too.

use super::write::UNITS;
use super::{Field, FieldKind, Layout, LayoutSpec, MAX_FIELDS, Name, date};
use crate::error::{Error, Excerpt, LayoutFault, LayoutProblem};
use core::str::FromStr;

/// A piece of the text, and the problem with it.
type Fault<'a> = (&'a str, LayoutFault);

impl Layout {
    /// Parses a layout from its text, which is the same in every language and in configuration
    /// files:
    ///
    /// ```text
    /// unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12
    /// ```
    ///
    /// Fields are separated by spaces and go from the highest bit to the lowest. Together they have
    /// 16 to 128 bits.
    ///
    /// - `unused:BITS` is always 0.
    /// - `constant:BITS,value=NUMBER` always has this value, decimal or hexadecimal (`0x…`).
    /// - `timestamp:BITS@UNIT,epoch=TIME` occurs once. The unit of a tick is `us`, `ms`, `s`,
    ///   `min`, `h` or `d`, optionally after a whole number (`10ms`). The default is `ms`. The
    ///   epoch is a date (`2020-02-02`), a time in UTC (`2010-11-04T01:42:54.657Z`), or Unix
    ///   milliseconds. The default is 1970-01-01.
    /// - `node:BITS` is the node. It may also be up to 8 adjacent parts `node.NAME:BITS`, which
    ///   form one number. A name has up to 16 characters (see [`Name`]).
    /// - `sequence:BITS` counts from 0 in each tick. With `,start=random`, it counts from a random
    ///   number in the lower half of its range.
    /// - `random:BITS` is a new random number for each ID.
    /// - `random:BITS,step=NUMBER` starts each tick at a random number, and grows by 1 to NUMBER
    ///   for each ID. It replaces the sequence. NUMBER must fit the width of the field and 64 bits.
    /// - `rollback:BITS`, 1 to 4, counts the clock's steps back.
    ///
    /// The name of a preset is accepted too. Decimal numbers have no sign and no leading zeros,
    /// except that Unix milliseconds may be negative. Only `unused`, `constant` and `node.NAME` may
    /// occur more than once; `random` may occur once with a step and once without.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")?;
    /// assert_eq!((layout.epoch_ms(), layout.max_node()), (1_580_601_600_000, 1023));
    /// assert_eq!(Layout::from_text("discord")?, Layout::DISCORD);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout` with the item at fault and, for an error in the text itself, its position.
    /// `UnknownName` for a single word that is not the name of a preset.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        if !text.is_empty() && !text.contains([':', ' ']) {
            return Self::preset(text);
        }
        let mut spec = LayoutSpec::new();
        let mut rest = text;
        loop {
            let (item, after) = rest.split_once(' ').map_or((rest, None), |(item, after)| (item, Some(after)));
            spec = add_item(spec, item).map_err(|(piece, fault)| at_fault(text, piece, fault))?;
            let Some(after) = after else {
                return spec.check();
            };
            rest = after.trim_start_matches(' ');
            if spec.len > MAX_FIELDS {
                return spec.check();
            }
        }
    }
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_text(text)
    }
}

/// Returns the error for a piece of the text.
fn at_fault(text: &str, piece: &str, fault: LayoutFault) -> Error {
    // `piece` is a slice of `text`, so the difference of their addresses is an offset.
    let before = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let position = text.get(..before).map_or(0, |before| before.chars().count());
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    Error::InvalidLayout { reason: LayoutProblem::Text { position, item: Excerpt::new(piece), fault } }
}

/// Parses an item, `kind.name:bits@unit,key=value,…`, and adds it to the description.
fn add_item(mut spec: LayoutSpec, item: &str) -> Result<LayoutSpec, Fault<'_>> {
    if item.is_empty() {
        return Err((item, LayoutFault::EmptyItem));
    }
    let mut parts = item.split(',');
    let head = parts.next().unwrap_or_default();
    let Some((label, width)) = head.split_once(':') else {
        return Err((head, LayoutFault::NoWidth));
    };
    let (kind, name) = label.split_once('.').map_or((label, None), |(kind, name)| (kind, Some(name)));
    let kind = FieldKind::from_name(kind).map_err(|_| (kind, LayoutFault::UnknownKind))?;
    let (width, unit) = width.split_once('@').map_or((width, None), |(width, unit)| (width, Some(unit)));
    let mut field = Field::new(kind, u32::try_from(decimal(width)?).map_err(|_| (width, LayoutFault::NumberTooLarge))?);
    if let Some(name) = name {
        if kind != FieldKind::Node {
            return Err((label, LayoutFault::NotOfThisKind));
        }
        field.name = Name::read(name).ok_or((name, LayoutFault::NotAName))?;
    }
    if let Some(unit) = unit {
        if kind != FieldKind::Timestamp {
            return Err((unit, LayoutFault::NotOfThisKind));
        }
        spec = spec.tick_us(tick_us(unit)?);
    }
    // No kind has more than one key.
    let mut has_key = false;
    for part in parts {
        let Some((key, value)) = part.split_once('=') else {
            return Err((part, LayoutFault::UnknownKey));
        };
        check_key(kind, key).map_err(|fault| (part, fault))?;
        if core::mem::replace(&mut has_key, true) {
            return Err((part, LayoutFault::KeyTwice));
        }
        match key {
            "epoch" => spec = spec.epoch_ms(epoch_ms(value)?),
            "value" => field.value = number(value)?,
            "step" => field.step = step(value)?,
            _ => field.random_start = start(value)?,
        }
    }
    if kind == FieldKind::Constant && !has_key {
        return Err((item, LayoutFault::NoValue));
    }
    Ok(spec.field(field))
}

/// Checks that fields of this kind have this key.
pub(super) fn check_key(kind: FieldKind, key: &str) -> Result<(), LayoutFault> {
    let of = match key {
        "epoch" => FieldKind::Timestamp,
        "value" => FieldKind::Constant,
        "step" => FieldKind::Random,
        "start" => FieldKind::Sequence,
        _ => return Err(LayoutFault::UnknownKey),
    };
    if kind == of { Ok(()) } else { Err(LayoutFault::NotOfThisKind) }
}

/// Parses a decimal number: digits without sign and without leading zeros.
pub(super) fn decimal(text: &str) -> Result<u128, Fault<'_>> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain || (text.len() > 1 && text.starts_with('0')) {
        return Err((text, LayoutFault::NotANumber));
    }
    text.parse().map_err(|_| (text, LayoutFault::NumberTooLarge))
}

/// Parses a decimal number, or a hexadecimal one after `0x`.
pub(super) fn number(text: &str) -> Result<u128, Fault<'_>> {
    let Some(digits) = text.strip_prefix("0x") else {
        return decimal(text);
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err((text, LayoutFault::NotANumber));
    }
    u128::from_str_radix(digits, 16).map_err(|_| (text, LayoutFault::NumberTooLarge))
}

/// Parses the step of a random part, at least 1.
pub(super) fn step(text: &str) -> Result<u64, Fault<'_>> {
    match decimal(text)? {
        // A random part with step 0 does not grow: it is written without a step.
        0 => Err((text, LayoutFault::NotAStep)),
        step => u64::try_from(step).map_err(|_| (text, LayoutFault::NumberTooLarge)),
    }
}

/// Parses the start of a sequence. Returns whether it is random.
pub(super) fn start(text: &str) -> Result<bool, Fault<'_>> {
    match text {
        "0" => Ok(false),
        "random" => Ok(true),
        _ => Err((text, LayoutFault::NotAStart)),
    }
}

/// Parses Unix milliseconds: a decimal number, which may be negative.
pub(super) fn unix_ms(text: &str) -> Result<i64, Fault<'_>> {
    let magnitude =
        i128::try_from(decimal(text.strip_prefix('-').unwrap_or(text)).map_err(|(_, fault)| (text, fault))?);
    let magnitude = magnitude.map_err(|_| (text, LayoutFault::NumberTooLarge))?;
    let is_negative = text.starts_with('-');
    if is_negative && magnitude == 0 {
        return Err((text, LayoutFault::NotANumber));
    }
    i64::try_from(if is_negative { -magnitude } else { magnitude }).map_err(|_| (text, LayoutFault::NumberTooLarge))
}

fn epoch_ms(text: &str) -> Result<i64, Fault<'_>> {
    match unix_ms(text) {
        Err((_, LayoutFault::NotANumber)) => date::read(text).ok_or((text, LayoutFault::NotATime)),
        answer => answer,
    }
}

/// Parses the length of a tick, such as `10ms`, in microseconds.
fn tick_us(text: &str) -> Result<u64, Fault<'_>> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    let Some((_, us)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err((text, LayoutFault::NotAUnit));
    };
    let count = if count.is_empty() { 1 } else { decimal(count).map_err(|(_, fault)| (text, fault))? };
    let tick_us = u64::try_from(count).ok().and_then(|count| count.checked_mul(*us));
    tick_us.ok_or((text, LayoutFault::NumberTooLarge))
}
