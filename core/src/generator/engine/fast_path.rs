//! The cases that the fast path covers, and the parameters of its numbers.

use super::gate::NO_PROCESS;
use super::tick_cache::TickCache;
use crate::cursor::{CursorWord, Position};
use crate::generator::shards::{Shard, Shards};

/// The cases that the fast path covers, decided when the generator is opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct FastPath {
    /// Whether it covers IDs that are a random step after the previous one.
    pub(super) has_increments: bool,
    /// Whether it covers IDs of a sequence.
    pub(super) has_sequence: bool,
    /// Whether it takes positions of 128 bits from the cached tick.
    pub(super) has_wide: bool,
    pub(super) number: FastNumber,
    /// What the tick cache stores beside a tick: see [`FastPath::base`].
    shift: u32,
    add: u64,
}

/// The parameters of fast numbers: IDs of the cached tick, from an engine with one cursor.
///
/// They are neither the first nor the last ID of their tick, which alone change the count of issued
/// IDs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FastNumber {
    /// The process that may make the numbers.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "nothing forks"))]
    process: u64,
    /// Whether forked copies of this process may make them too.
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "nothing forks"))]
    is_of_machine: bool,
    /// The number of positions in a tick that become fast numbers; 0 for none.
    pub(super) count: u64,
    /// The difference between the number and its position.
    pub(super) offset: u64,
}

impl FastNumber {
    /// Whether this process may make the numbers: it is not a forked copy, or copies may make them
    /// too.
    #[inline(always)]
    pub(super) fn is_of_this_process(&self) -> bool {
        #[cfg(feature = "std")]
        return self.process == crate::process::word() || self.is_of_machine;
        #[cfg(not(feature = "std"))]
        true
    }
}

impl FastPath {
    /// Creates a fast path without fast numbers. `is_plain` means that an ID needs only the clock
    /// and one cursor.
    pub(super) const fn new(is_plain: bool, counts_from_0: bool) -> Self {
        let number = FastNumber { process: NO_PROCESS, is_of_machine: false, count: 0, offset: 0 };
        let has_sequence = is_plain && counts_from_0;
        FastPath { has_increments: is_plain, has_sequence, has_wide: false, number, shift: 0, add: 0 }
    }

    /// Adds wide positions of the cached tick, if the shards and the tick cache allow them.
    pub(super) fn with_wide<W: CursorWord>(self, is_wanted: bool, shards: &Shards<W>, ticks: &TickCache) -> Self {
        let bits = shards.only().map_or(0, Shard::bits).checked_sub(u64::BITS);
        match bits.filter(|_| is_wanted && self.has_increments && ticks.is_worth_it()) {
            Some(shift) => FastPath { has_wide: true, shift, ..self },
            None => self,
        }
    }

    /// Adds fast numbers for this process, if the shards and the tick cache allow them.
    pub(super) fn with_numbers<W: CursorWord>(
        self,
        is_wanted: bool,
        process: u64,
        is_of_machine: bool,
        shards: &Shards<W>,
        ticks: &TickCache,
    ) -> Self {
        let number = || {
            let shard = shards.only().filter(|_| is_wanted && ticks.is_worth_it())?;
            let offset = shard.line()?.offset(shard.bits())?;
            let count = shard.limits().slots.low_u64().saturating_sub(2);
            Some((FastNumber { process, is_of_machine, count, offset }, shard.bits()))
        };
        match number() {
            Some((number, shift)) => FastPath { number, shift, add: 1, ..self },
            None => self,
        }
    }

    /// Returns what the tick cache stores beside a tick: the position of its second ID, or the high
    /// half of its first position if positions have 128 bits.
    pub(super) fn base(&self, tick: u64) -> u64 {
        (tick << self.shift) + self.add
    }
}
