//! Readings of text.

#[cfg(not(target_has_atomic = "64"))]
use super::absent::SIZES;
use super::candidates::Candidates;
use super::reason::Evidence;
use super::weigh;
#[cfg(target_has_atomic = "64")]
use super::wide::SIZES;
use super::{Inspector, Reading};
use crate::bits::low_64;
use crate::encoding::{Encoding, Leniency};
use crate::error::Error;
use crate::layout::Layout;

/// How a number may be written beside the form of its scheme, and whether in full width only, which depends on how many bits it has.
const OTHERS: [(Encoding, bool); 8] = [
    (Encoding::HEX, false),
    (Encoding::BASE62, false),
    (Encoding::BASE36, false),
    (Encoding::BASE64URL, true),
    (Encoding::CROCKFORD, true),
    (Encoding::BASE32HEX, false),
    (Encoding::BASE58, false),
    (Encoding::BINARY, false),
];

/// Those whose letters are digits in either case.
const OF_ANY_CASE: [Encoding; 4] = [Encoding::HEX, Encoding::BASE36, Encoding::CROCKFORD, Encoding::BASE32HEX];

/// Whether a text could be read.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) was_read: bool,
}

impl Outcome {
    /// Hands on what could be read.
    pub(super) fn of<T>(&mut self, read: Result<T, Error>, then: impl FnOnce(T)) {
        if let Ok(value) = read {
            self.was_read = true;
            then(value);
        }
    }
}

impl Inspector {
    /// Reads a text as decimal number and as what each scheme writes.
    pub(super) fn read_forms(&self, found: &mut Candidates, text: &str) -> Outcome {
        let mut outcome = Outcome::default();
        let own = Reading::of_text(text, 0, Evidence::LENGTH_AND_ALPHABET);
        self.read_decimal(found, text, &mut outcome);
        let ulid_flake = Encoding::CROCKFORD.decode_as(text, None, Leniency::AnyCase);
        outcome.of(ulid_flake, |id| self.add_ulid_flake(found, &own, id, 0));
        outcome.of(Encoding::BASE32HEX.decode(text), |id| self.add_randflake(found, &own, id));
        self.read_wide_forms(found, text, &mut outcome);
        outcome
    }

    fn read_decimal(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        let reading = Reading::of_text(text, 0, Evidence::DECIMAL);
        if let Ok(id) = Encoding::DECIMAL.decode(text) {
            outcome.of(Ok(id), |id| self.add_number(found, &reading, id));
            if let Ok(value) = u128::try_from(id) {
                self.add_wide_layouts(found, &reading, value, None);
            }
            return;
        }
        outcome.of(Encoding::DECIMAL.decode_wide(text, u128::BITS), |value| self.add_value(found, &reading, value));
    }

    /// Reads a text as a number in other encodings. Almost any text is one in some: only what has a plausible time then is kept.
    pub(super) fn read_others(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let reading =
                Reading { encoding: Encoding::HEX.name(), ..Reading::of_text(text, 0, Evidence::OTHER_ENCODING) };
            let read = Encoding::HEX.decode_wide_as(digits, u128::BITS, Some(digits.len() as i64), Leniency::AnyCase);
            outcome.of(read, |value| self.add_value(found, &reading, value));
            return;
        }
        // Of a layout that was given this is the ID, unless the number or the UUID that the text is makes one, of the first day after the
        // epoch even.
        let is_told = found.ranked().any(|one| one.layout_index.is_some() && !one.evidence.has(Evidence::TIME_FUTURE));
        let has = |is_letter: fn(&u8) -> bool| text.as_bytes().iter().any(is_letter);
        let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        for (encoding, is_full) in OTHERS {
            let case = if is_mixed && OF_ANY_CASE.contains(&encoding) { weigh::MIXED_CASE } else { 0 };
            let reading = Reading {
                points_given: if is_told { weigh::OTHER_ENCODING } else { 0 },
                encoding: encoding.name(),
                only_plausible: true,
                ..Reading::of_text(text, weigh::OTHER_ENCODING, Evidence::OTHER_ENCODING)
            }
            .weighing(case);
            if is_full {
                let of_given = self.given().iter().map(Layout::size_bits);
                for bits in SIZES.into_iter().chain(of_given) {
                    let value = encoding.decode_wide_as(text, bits, None, Leniency::AnyCase);
                    outcome.of(value, |value| self.add_value_of(found, &reading, value, bits));
                }
            } else {
                let width = Some(text.len() as i64);
                let value = encoding.decode_wide_as(text, u128::BITS, width, Leniency::AnyCase);
                outcome.of(value, |value| self.add_value(found, &reading, value));
            }
        }
    }

    /// A number of a text that has as many digits as IDs of so many bits have, and others have not.
    fn add_value_of(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128, bits: u32) {
        if bits == u64::BITS {
            self.add_number(found, reading, low_64(value) as i64);
        } else {
            self.add_wide(found, reading, value, Some(bits));
            self.add_layouts(found, reading, value, |layout| layout.size_bits() == bits);
        }
    }

    /// A number without a sign, of any width.
    fn add_value(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        match u64::try_from(value) {
            Ok(id) => self.add_number(found, reading, id as i64),
            Err(_) => {
                let points = if reading.only_plausible { 0 } else { weigh::WIDE_DECIMAL };
                self.add_wide(found, &reading.weighing(points), value, None);
            }
        }
        self.add_wide_layouts(found, reading, value, None);
    }
}
