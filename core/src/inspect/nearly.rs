//! Finds the form that a text resembles, if the text is not an ID, and the fault of the text.

use super::formats::is_of_text;
use crate::encoding::{Encoding, Leniency, UuidForm, read_tick_id};
use crate::error::{Error, TextFault, TextForm};
use crate::scheme::Scheme;

/// The number of digits of each group of a UUID.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
const URN: &str = "urn:uuid:";

/// Returns the fault of a text that resembles an ID by its length and alphabet, but is not one.
///
/// Faults are, for example, a digit too many, or a character that is not a digit. Returns `None` if
/// the text resembles no ID, or has no fault.
///
/// Almost any text is a number in some encoding, and a text with a fault may be one too. Use this
/// function if [`Inspector`](super::Inspector) finds nothing likely.
///
/// ```
/// use saiban::{ErrorKind, inspect::near_miss};
/// let miss = near_miss("507f191e810c19729de860e").expect("an ObjectId, almost");
/// assert_eq!(miss.kind(), ErrorKind::TextLength);
/// assert_eq!(miss.to_string(), "this looks like an ObjectId, but has 23 characters: give 24 hexadecimal digits");
/// assert!(near_miss("507f191e810c19729de860ea").is_none() && near_miss("hello").is_none());
/// ```
#[must_use]
pub fn near_miss(text: &str) -> Option<Error> {
    if is_of_a_form(text) {
        return None;
    }
    let form = Shape::at(text).form()?;
    if let Some((position, character)) = text.chars().enumerate().find(|(_, character)| character.is_whitespace()) {
        return Some(Error::TextNearly { form, fault: TextFault::Character { position, character } });
    }
    fault(form, text).map(|fault| Error::TextNearly { form, fault })
}

/// Returns the error of a text that cannot be read in any form.
pub(super) fn unread(text: &str) -> Error {
    let is_odd = |character: char| !character.is_ascii_alphanumeric() && !matches!(character, '-' | '_');
    near_miss(text).unwrap_or_else(|| Error::TextOfNoForm {
        length: text.chars().count(),
        odd: text.chars().enumerate().find(|(_, character)| is_odd(*character)),
    })
}

/// Returns whether a text is the text of a scheme, even if it resembles another form. Example: 24
/// digits that begin with 0 are an ObjectId, though they resemble a decimal number.
fn is_of_a_form(text: &str) -> bool {
    Encoding::BASE32HEX.decode(text).is_ok()
        || Encoding::CROCKFORD.decode_as(text, None, Leniency::AnyCase).is_ok_and(is_of_text)
        || is_of_a_wide_form(text)
}

/// Returns whether a text is the text of a scheme of more than 64 bits.
fn is_of_a_wide_form(text: &str) -> bool {
    let writes = |scheme: Scheme| {
        let (encoding, bits) = (scheme.encoding(), scheme.info().bits.unwrap_or(0));
        // Decimal digits can be an ID of any scheme.
        bits > u64::BITS
            && encoding != Encoding::DECIMAL
            && encoding.decode_wide_as(text, bits, scheme.text_width(), Leniency::AnyCase).is_ok()
    };
    Scheme::ALL.into_iter().any(writes) || UuidForm::read_any(text).is_ok() || read_tick_id(text).is_ok()
}

/// Returns a decimal number without its sign.
fn digits_of(text: &str) -> &str {
    text.strip_prefix('-').unwrap_or(text)
}

const fn is_crockford(character: char) -> bool {
    character.is_ascii_alphanumeric() && !matches!(character.to_ascii_uppercase(), 'I' | 'L' | 'O' | 'U')
}

/// The numbers of characters of each class in a text, without white space.
struct Shape<'t> {
    trimmed: &'t str,
    length: usize,
    digits: usize,
    hexadecimal: usize,
    crockford: usize,
    base32hex: usize,
    hyphens: usize,
    underscores: usize,
}

impl<'t> Shape<'t> {
    fn at(text: &'t str) -> Self {
        let count = |is: fn(char) -> bool| text.chars().filter(|character| is(*character)).count();
        Shape {
            trimmed: text.trim(),
            length: count(|character| !character.is_whitespace()),
            digits: count(|character| character.is_ascii_digit()),
            hexadecimal: count(|character| character.is_ascii_hexdigit()),
            crockford: count(is_crockford),
            base32hex: count(|character| matches!(character, '0'..='9' | 'a'..='v')),
            hyphens: count(|character| character == '-'),
            underscores: count(|character| character == '_'),
        }
    }

    /// Returns the form that the text resembles by length and alphabet.
    ///
    /// A few characters may be wrong, or one digit too many or missing.
    fn form(&self) -> Option<TextForm> {
        let Shape { trimmed, length, digits, crockford, base32hex, hyphens, .. } = *self;
        if trimmed.starts_with("0x") || trimmed.starts_with("0X") {
            return Some(TextForm::Hexadecimal);
        }
        if digits > 0 && digits + usize::from(trimmed.starts_with('-')) == length {
            return Some(TextForm::Decimal);
        }
        let wide = if cfg!(target_has_atomic = "64") { self.wide_form() } else { None };
        if wide.is_some() {
            return wide;
        }
        match length {
            // A Randflake's text can have this length too, with another alphabet.
            13 if crockford >= 11 && crockford >= base32hex => Some(TextForm::UlidFlake),
            // Two characters need not be digits: a trailing comma, a sign, underscores between
            // thousands.
            5..=80 if digits + 2 >= length && hyphens <= 1 => Some(TextForm::Decimal),
            _ => None,
        }
    }

    fn wide_form(&self) -> Option<TextForm> {
        let Shape { trimmed, length, digits, hexadecimal, crockford, hyphens, underscores, .. } = *self;
        if underscores == 1 && (20..=27).contains(&length) && digits + 2 >= length {
            return Some(TextForm::TickId);
        }
        let begins = trimmed.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case(&URN[..4]));
        if begins {
            return Some(TextForm::UrnUuid);
        }
        if trimmed.starts_with('{') || trimmed.ends_with('}') {
            return Some(TextForm::BracedUuid);
        }
        // `is_begun`: the end of the UUID may be missing.
        let is_begun = length >= 19 && trimmed.as_bytes().get(8) == Some(&b'-') && hexadecimal + hyphens == length;
        let is_long = length >= 30 && hexadecimal + hyphens + 3 >= length;
        if hyphens >= 2 && length <= 42 && (is_begun || is_long) {
            return Some(TextForm::HyphenatedUuid);
        }
        let is_hexadecimal = hexadecimal == length;
        match length {
            23 | 25 if is_hexadecimal => Some(TextForm::ObjectId),
            24 if hexadecimal >= 22 => Some(TextForm::ObjectId),
            31 | 33 if is_hexadecimal => Some(TextForm::SimpleUuid),
            32 if hexadecimal >= 30 => Some(TextForm::SimpleUuid),
            25 | 27 if crockford == length => Some(TextForm::Ulid),
            26 if crockford >= 23 => Some(TextForm::Ulid),
            _ => None,
        }
    }
}

/// Returns the fault of a text that resembles this form, or `None` if it has no fault.
fn fault(form: TextForm, text: &str) -> Option<TextFault> {
    let length = text.chars().count();
    let first_not = |is: fn(char) -> bool| {
        let odd = text.chars().enumerate().find(|(_, character)| !is(*character));
        odd.map(|(position, character)| TextFault::Character { position, character })
    };
    let unless = |wanted: usize| (length != wanted).then_some(TextFault::Length { length });
    let is_hexadecimal: fn(char) -> bool = |character| character.is_ascii_hexdigit();
    // In both Crockford forms, the upper two of the first digit's five bits are 0.
    let too_large = || text.starts_with(|first: char| first > '7').then_some(TextFault::OutOfRange);
    match form {
        TextForm::Decimal => decimal_fault(text),
        TextForm::Hexadecimal => {
            let odd = text.chars().enumerate().skip(2).find(|(_, character)| !character.is_ascii_hexdigit());
            odd.map(|(position, character)| TextFault::Character { position, character })
                .or((!(3..=34).contains(&length)).then_some(TextFault::Length { length }))
        }
        TextForm::HyphenatedUuid => uuid_fault(text, 0, length),
        TextForm::BracedUuid => wrapped_fault(text, "{", "}", length),
        TextForm::UrnUuid => wrapped_fault(text, URN, "", length),
        TextForm::SimpleUuid => first_not(is_hexadecimal).or(unless(32)),
        TextForm::ObjectId => first_not(is_hexadecimal).or(unless(24)),
        TextForm::Ulid => first_not(is_crockford).or(unless(26)).or_else(too_large),
        TextForm::UlidFlake => first_not(is_crockford).or(unless(13)).or_else(too_large),
        TextForm::TickId => tick_fault(text, length),
    }
}

fn decimal_fault(text: &str) -> Option<TextFault> {
    let odd = digits_of(text).chars().enumerate().find(|(_, character)| !character.is_ascii_digit());
    let sign = text.len() - digits_of(text).len();
    if let Some((place, character)) = odd {
        return Some(TextFault::Character { position: sign + place, character });
    }
    let fits = Encoding::DECIMAL.decode(text).is_ok() || Encoding::DECIMAL.decode_wide(text, u128::BITS).is_ok();
    let is_padded = text.len() > sign + 1 && digits_of(text).starts_with('0') || text == "-0";
    match fits {
        true => None,
        false if is_padded => Some(TextFault::Zeros { position: sign }),
        false => Some(TextFault::OutOfRange),
    }
}

/// Returns the fault of a UUID between the texts `before` and `behind`.
fn wrapped_fault(text: &str, before: &str, behind: &str, length: usize) -> Option<TextFault> {
    let wrong = text.chars().zip(before.chars()).enumerate().find(|(_, (is, wanted))| !is.eq_ignore_ascii_case(wanted));
    if let Some((position, (character, _))) = wrong {
        return Some(TextFault::Character { position, character });
    }
    // The text equals `before`, which is ASCII, as far as the text goes.
    let inner = text.get(before.len()..).and_then(|rest| rest.strip_suffix(behind));
    inner.map_or(Some(TextFault::Length { length }), |inner| uuid_fault(inner, before.len(), length))
}

/// Returns the fault of a UUID that begins at position `begin` of a text of `length` characters.
fn uuid_fault(text: &str, begin: usize, length: usize) -> Option<TextFault> {
    let is_odd = |character: char| !character.is_ascii_hexdigit() && character != '-';
    if let Some((place, character)) = text.chars().enumerate().find(|(_, character)| is_odd(*character)) {
        return Some(TextFault::Character { position: begin + place, character });
    }
    let mut position = begin;
    for (group, (digits, wanted)) in (1..).zip(text.split('-').zip(GROUPS)) {
        if digits.len() != wanted {
            return Some(TextFault::Group { group, position, length: digits.len(), wanted });
        }
        position += wanted + 1;
    }
    (text.split('-').count() != GROUPS.len()).then_some(TextFault::Length { length })
}

#[cfg(target_has_atomic = "64")]
fn tick_fault(text: &str, length: usize) -> Option<TextFault> {
    let is_wrong = |(position, character): &(usize, char)| match position {
        19 => *character != '_',
        _ => !character.is_ascii_digit(),
    };
    if let Some((position, character)) = text.chars().enumerate().find(is_wrong) {
        return Some(TextFault::Character { position, character });
    }
    match length {
        23 | 24 => read_tick_id(text).is_err().then_some(TextFault::OutOfRange),
        _ => Some(TextFault::Length { length }),
    }
}

#[cfg(not(target_has_atomic = "64"))]
fn tick_fault(_: &str, _: usize) -> Option<TextFault> {
    None
}
