//! Readings of the formats of more than 64 bits.

use super::candidates::Candidates;
use super::formats::since;
use super::reason::Evidence;
use super::weigh::{self, Life, Weight};
use super::{Inspector, Reading};
use crate::encoding::Text;
use crate::error::Error;
use crate::generator::{
    OBJECT_ID_BITS, TICK_ID_BITS, TickOrder, inspect_object_id, inspect_tick_id, inspect_ulid, inspect_uuid,
    tick_id_text,
};
use crate::id::{Parts, Scheme};

/// A ULID as a number, or as text that is not its own, is rare against a UUID.
const ULID_AS_NUMBER: i32 = -8;
/// What the six bits of version and variant say that happen to be right in one of 64 numbers.
const VERSION_BITS: i32 = 6;

/// The text of a tick ID of this order.
pub(super) fn tick_text(order: &str, id: u128) -> Result<Text, Error> {
    tick_id_text(TickOrder::from_name(order)?, id)
}

impl Inspector {
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

    pub(super) fn add_ulid(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        if self.wants(Scheme::Ulid) {
            let parts = inspect_ulid(value);
            self.add(found, reading, parts, self.weigh_wide(&parts, since::ULID));
        }
    }

    pub(super) fn add_uuid(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        let Ok(parts) = inspect_uuid(value) else { return };
        if self.wants(parts.scheme) {
            let since_ms = if parts.scheme == Scheme::UuidV1 { since::UUID_V1 } else { since::UUID_V6_V7 };
            let version = Weight::of(VERSION_BITS, Evidence::VERSION_BITS);
            self.add(found, reading, parts, version.and(self.weigh_wide(&parts, since_ms)));
        }
    }

    pub(super) fn add_object_id(&self, found: &mut Candidates, reading: &Reading<'_>, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::ObjectId), inspect_object_id(value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, since::OBJECT_ID));
        }
    }

    pub(super) fn add_tick_id(&self, found: &mut Candidates, reading: &Reading<'_>, order: TickOrder, value: u128) {
        if let (true, Ok(parts)) = (self.wants(Scheme::TickId), inspect_tick_id(order, value)) {
            self.add(found, reading, parts, self.weigh_wide(&parts, since::TICK_ID));
        }
    }

    fn weigh_wide(&self, parts: &Parts, since_ms: i64) -> Weight {
        let Some(timestamp_ms) = parts.timestamp_ms else { return Weight::NONE };
        let time = self.weigh_time(timestamp_ms, Life::since(since_ms));
        if time.is_plausible() { time.and(Weight::of(weigh::WIDE_TIME, Evidence::NONE)) } else { time }
    }
}
