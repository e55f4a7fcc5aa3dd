//! A model small enough for exhaustive tests: ticks of 3 bits, low parts of 2.

use saiban::cursor::internal::Limits;

pub const BITS: u32 = 2;
pub const TICKS: u64 = 8;
pub const MAX_BORROWED: u64 = 2;

/// Returns the limits of every window, for a tick of this many positions, with every number of
/// borrowed ticks, forward-only or not.
pub fn all_limits(slots: u64) -> impl Iterator<Item = Limits> {
    (0..TICKS).flat_map(move |first_tick| {
        (first_tick + 1..=TICKS).flat_map(move |end_tick| {
            (0..=MAX_BORROWED).flat_map(move |borrow| {
                [false, true].map(|forward_only| Limits {
                    bits: BITS,
                    slots,
                    first_tick,
                    end_tick,
                    borrow,
                    forward_only,
                })
            })
        })
    })
}
