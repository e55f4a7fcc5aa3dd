//! Reads text in every form, and adds the candidates.

#[cfg(not(target_has_atomic = "64"))]
use super::absent::SIZES;
use super::candidates::Candidates;
use super::outcome::Outcome;
use super::reason::Evidence;
use super::weigh;
#[cfg(target_has_atomic = "64")]
use super::wide::SIZES;
use super::{Inspector, Reading};
use crate::bits::low_64;
use crate::encoding::{Encoding, Leniency};
use crate::layout::Layout;
use crate::prefix::{Prefix, read_number};

/// The encodings in which a number may be written instead of the canonical text of its scheme.
///
/// The flag shows whether only text of the full width is read. This width depends on the size of
/// the IDs.
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

/// The encodings in which letters of either case are digits.
const OF_ANY_CASE: [Encoding; 4] = [Encoding::HEX, Encoding::BASE36, Encoding::CROCKFORD, Encoding::BASE32HEX];

impl Inspector {
    /// Reads a text as a decimal number and as the canonical text of each scheme.
    pub(super) fn read_forms(&self, found: &mut Candidates, text: &str) -> Outcome {
        let mut outcome = Outcome::default();
        let own = Reading::of_text(text, 0, Evidence::LENGTH_AND_ALPHABET);
        self.read_decimal(found, text, &mut outcome);
        let crockford = Encoding::CROCKFORD.decode_as(text, None, Leniency::AnyCase);
        outcome.of(crockford, |id| self.add_text(found, &own, id, Encoding::CROCKFORD));
        outcome.of(Encoding::BASE32HEX.decode(text), |id| self.add_randflake(found, &own, id));
        self.read_wide_forms(found, text, &mut outcome);
        self.read_prefixed(found, text, &mut outcome);
        outcome
    }

    /// Reads a text with a prefix. The number of digits determines the size of the ID.
    fn read_prefixed(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        let Some((_, number)) = Prefix::split(text) else { return };
        let reading = Reading { encoding: "prefixed text", ..Reading::of_text(text, 0, Evidence::OTHER_ENCODING) };
        for bits in SIZES {
            let value = read_number(number, bits, Leniency::Strict);
            outcome.of(value, |value| self.add_value_of(found, &reading, value, bits));
        }
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

    /// Reads a text as a number in other encodings.
    ///
    /// Almost any text is a number in some encoding, so only candidates with a plausible time are
    /// kept.
    pub(super) fn read_others(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let reading =
                Reading { encoding: Encoding::HEX.name(), ..Reading::of_text(text, 0, Evidence::OTHER_ENCODING) };
            let read = Encoding::HEX.decode_wide_as(digits, u128::BITS, Some(digits.len() as i64), Leniency::AnyCase);
            outcome.of(read, |value| self.add_value(found, &reading, value));
            return;
        }
        // For a layout of the user, another encoding costs no points. It does cost points if the
        // text is an ID of such a layout already, as a decimal number or a UUID. A time in the
        // first day after the epoch suffices for that.
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

    /// Adds the candidates for a number whose text determines the size of the ID.
    fn add_value_of(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128, bits: u32) {
        if bits == u64::BITS {
            self.add_number(found, reading, low_64(value) as i64);
        } else {
            self.add_wide(found, reading, value, Some(bits));
            self.add_layouts(found, reading, value, |layout| layout.size_bits() == bits);
        }
    }

    /// Adds the candidates for an unsigned number of up to 128 bits.
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
