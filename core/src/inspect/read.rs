//! Readings of text.

use super::candidates::Candidates;
use super::reason::Evidence;
use super::weigh;
use super::{Inspector, Reading};
use crate::encoding::{Encoding, Leniency};
use crate::error::Error;

/// How a number may be written beside the form of its scheme, and for how many bits where the encoding has full width only.
const OTHERS: [(Encoding, Option<u32>); 12] = [
    (Encoding::HEX, None),
    (Encoding::BASE62, None),
    (Encoding::BASE36, None),
    (Encoding::BASE64URL, Some(64)),
    (Encoding::BASE64URL, Some(96)),
    (Encoding::BASE64URL, Some(128)),
    (Encoding::CROCKFORD, Some(64)),
    (Encoding::CROCKFORD, Some(96)),
    (Encoding::CROCKFORD, Some(128)),
    (Encoding::BASE32HEX, None),
    (Encoding::BASE58, None),
    (Encoding::BINARY, None),
];

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
        for (encoding, bits) in OTHERS {
            let reading = Reading {
                encoding: encoding.name(),
                only_plausible: true,
                ..Reading::of_text(text, weigh::OTHER_ENCODING, Evidence::OTHER_ENCODING)
            };
            let width = bits.is_none().then_some(text.len() as i64);
            let read = encoding.decode_wide_as(text, bits.unwrap_or(u128::BITS), width, Leniency::AnyCase);
            outcome.of(read, |value| self.add_value(found, &reading, value));
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
