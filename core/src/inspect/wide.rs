//! Readings of the formats of more than 64 bits.

use super::candidates::Candidates;
use super::formats::since;
use super::read::Outcome;
use super::reason::Evidence;
use super::weigh::{Life, Weight};
use super::{Inspector, Reading};
use crate::encoding::{Encoding, Leniency, UuidForm};
use crate::generator::{
    OBJECT_ID_BITS, TICK_ID_BITS, TickOrder, inspect_object_id, inspect_tick_id, inspect_ulid, inspect_uuid,
    read_tick_id,
};
use crate::id::{Parts, Scheme};

/// How many bits IDs have that are read in encodings of full width only.
pub(super) const SIZES: [u32; 4] = [u64::BITS, OBJECT_ID_BITS, u128::BITS, TICK_ID_BITS];

/// A ULID as a number, or as text that is not its own, is rare against a UUID.
const ULID_AS_NUMBER: i32 = -8;
/// For a ULID in the form of a UUID: less than a UUID with any time has.
const UUID_FORM: i32 = -60;
/// For a number of 64 bits in the form of a UUID, which hardly anybody writes.
const NUMBER_AS_UUID: i32 = -30;
/// For a time in the past, which such formats hardly ever have by chance.
const PLAUSIBLE: i32 = 10;
/// What the six bits of version and variant say that happen to be right in one of 64 numbers.
const VERSION_BITS: i32 = 6;

impl Inspector {
    /// Reads a text as what each wide scheme writes.
    pub(super) fn read_wide_forms(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        let own = Reading::of_text(text, 0, Evidence::LENGTH_AND_ALPHABET);
        let ulid = Encoding::CROCKFORD.decode_wide_as(text, u128::BITS, None, Leniency::AnyCase);
        outcome.of(ulid, |value| self.add_ulid(found, &own, value));
        let object_id = Encoding::HEX.decode_wide_as(text, OBJECT_ID_BITS, Some(24), Leniency::AnyCase);
        outcome.of(object_id, |value| self.add_object_id(found, &own, value));
        outcome.of(read_tick_id(text), |(order, value)| self.add_tick_id(found, &own, order, value));
        outcome.of(UuidForm::read_any(text), |value| {
            self.add_uuid(found, &own, value);
            let foreign = Reading::of_text(text, UUID_FORM, Evidence::UUID_FORM);
            self.add_ulid(found, &foreign, value);
            self.add_narrower(found, text, value);
            let uuid_form = Reading::of_text(text, 0, Evidence::UUID_FORM);
            self.add_wide_layouts(found, &uuid_form, value, None);
        });
    }

    /// An ID of fewer bits in the form of a UUID, as every encoding writes one: zeros in front.
    fn add_narrower(&self, found: &mut Candidates, text: &str, value: u128) {
        let zeros = value.leading_zeros();
        let form = |bits: u32| Reading {
            only_plausible: true,
            ..Reading::of_text(text, UUID_FORM + (u128::BITS - bits) as i32, Evidence::UUID_FORM)
        };
        let fits = |bits: u32| zeros >= u128::BITS - bits;
        if fits(OBJECT_ID_BITS) {
            self.add_object_id(found, &form(OBJECT_ID_BITS), value);
        }
        if fits(TICK_ID_BITS) {
            for order in TickOrder::ALL {
                self.add_tick_id(found, &form(TICK_ID_BITS), order, value);
            }
        }
        if let Ok(id) = u64::try_from(value) {
            self.add_number(found, &form(u64::BITS).weighing(NUMBER_AS_UUID), id as i64);
        }
    }

    /// A number of more than 64 bits, of so many where that is known.
    pub(super) fn add_wide(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128, bits: Option<u32>) {
        let has = |wanted| bits.is_none_or(|bits| bits == wanted);
        if has(TICK_ID_BITS) {
            for order in TickOrder::ALL {
                self.add_tick_id(found, reading, order, value);
            }
        }
        if has(OBJECT_ID_BITS) {
            self.add_object_id(found, reading, value);
        }
        if has(u128::BITS) {
            self.add_uuid(found, reading, value);
            self.add_ulid(found, &reading.weighing(ULID_AS_NUMBER), value);
        }
    }

    fn add_ulid(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        if self.wants(Scheme::Ulid) {
            let parts = inspect_ulid(value);
            self.add(found, reading, parts, self.weigh_wide(&parts, since::ULID));
        }
    }

    fn add_uuid(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        let Ok(parts) = inspect_uuid(value) else { return };
        if self.wants(parts.scheme) {
            let since_ms = if parts.scheme == Scheme::UuidV1 { since::UUID_V1 } else { since::UUID_V6_V7 };
            let version = Weight::of(VERSION_BITS, Evidence::VERSION_BITS);
            self.add(found, reading, parts, version.and(self.weigh_wide(&parts, since_ms)));
        }
    }

    fn add_object_id(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::ObjectId), inspect_object_id(value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, since::OBJECT_ID));
        }
    }

    fn add_tick_id(&self, found: &mut Candidates, reading: &Reading<'_>, order: TickOrder, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::TickId), inspect_tick_id(order, value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, since::TICK_ID));
        }
    }

    fn weigh_wide(&self, parts: &Parts, since_ms: i64) -> Weight {
        let Some(timestamp_ms) = parts.timestamp_ms else { return Weight::NONE };
        let time = self.weigh_time(timestamp_ms, Life::since(since_ms));
        if time.is_plausible() { time.and(Weight::of(PLAUSIBLE, Evidence::NONE)) } else { time }
    }
}
