//! Finds candidates in the formats of more than 64 bits.

use super::candidates::Candidates;
use super::formats::since;
use super::outcome::Outcome;
use super::reason::Evidence;
use super::weigh::{Life, Weight, weigh_time};
use super::{Inspector, Reading};
use crate::encoding::{Encoding, Leniency, TICK_ID_BITS, TickOrder, UuidForm, read_tick_id};
use crate::generator::{OBJECT_ID_BITS, inspect_object_id, inspect_tick_id, inspect_ulid, inspect_uuid, inspect_xid};
use crate::id::Parts;
use crate::scheme::Scheme;

/// The sizes, in bits, of IDs whose text is read in full width only.
pub(super) const SIZES: [u32; 4] = [u64::BITS, OBJECT_ID_BITS, u128::BITS, TICK_ID_BITS];

/// Points for a ULID as a number, or as text of another encoding: it is rare compared with a UUID.
const ULID_AS_NUMBER: i32 = -8;
/// Points for an XID as a number: it is rare compared with an ObjectId.
const XID_AS_NUMBER: i32 = -8;
/// 2015-11-01. The first commit of rs/xid is from this month.
const XID_SINCE_MS: i64 = 1_446_336_000_000;
/// Points for a ULID in the form of a UUID: the result is lower than for a UUID with any time.
const UUID_FORM: i32 = -60;
/// Points for a number of 64 bits in the form of a UUID, which is very rare.
const NUMBER_AS_UUID: i32 = -30;
/// Points for a plausible time, which random numbers hardly ever have in these formats.
const PLAUSIBLE: i32 = 10;
/// Points for valid version and variant bits. One in 64 random numbers has valid bits.
const VERSION_BITS: i32 = 6;

impl Inspector {
    /// Reads a text as the text of each wide scheme.
    pub(super) fn read_wide_forms(&self, found: &mut Candidates, text: &str, outcome: &mut Outcome) {
        let own = Reading::of_text(text, 0, Evidence::LENGTH_AND_ALPHABET);
        let ulid = Encoding::CROCKFORD.decode_wide_as(text, u128::BITS, None, Leniency::AnyCase);
        outcome.of(ulid, |value| self.add_ulid(found, &own, value));
        let object_id = Encoding::HEX.decode_wide_as(text, OBJECT_ID_BITS, Some(24), Leniency::AnyCase);
        outcome.of(object_id, |value| self.add_object_id(found, &own, value));
        let xid = Encoding::XID.decode_wide_as(text, OBJECT_ID_BITS, None, Leniency::AnyCase);
        outcome.of(xid, |value| self.add_xid(found, &own, value));
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

    /// Adds the candidates for an ID of fewer than 128 bits in the form of a UUID, with leading
    /// zeros.
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

    /// Adds the candidates for a number in the wide formats. If `bits` is given, only formats of
    /// this size count.
    pub(super) fn add_wide(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128, bits: Option<u32>) {
        let has = |wanted| bits.is_none_or(|bits| bits == wanted);
        if has(TICK_ID_BITS) {
            for order in TickOrder::ALL {
                self.add_tick_id(found, reading, order, value);
            }
        }
        if has(OBJECT_ID_BITS) {
            self.add_object_id(found, reading, value);
            self.add_xid(found, &reading.weighing(XID_AS_NUMBER), value);
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

    fn add_xid(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::Xid), inspect_xid(value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, XID_SINCE_MS));
        }
    }

    fn add_tick_id(&self, found: &mut Candidates, reading: &Reading<'_>, order: TickOrder, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::TickId), inspect_tick_id(order, value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, since::TICK_ID));
        }
    }

    fn weigh_wide(&self, parts: &Parts, since_ms: i64) -> Weight {
        let Some(timestamp_ms) = parts.timestamp_ms else { return Weight::NONE };
        let time = weigh_time(self.now_ms, timestamp_ms, Life::since(since_ms));
        if time.is_plausible() { time.and(Weight::of(PLAUSIBLE, Evidence::NONE)) } else { time }
    }
}
