//! From a clock's time to its tick, for each ID: what a layout can say of any time, as quickly as it can be said of today's.

use crate::bits::low_64;
use crate::error::Error;
use crate::layout::Layout;

const MS_NS: u64 = 1_000_000;

/// The longest time that is divided.
const LONGEST_NS: u64 = 1 << 63;

/// Division by a tick's length, as a multiplication: `time · ⌈2^(64+shift) / length⌉ / 2^(64+shift)`.
///
/// With `2^shift <= length < 2^(shift+1)` that is exact for all times below 2^63. Source: Granlund and Montgomery, "Division by Invariant Integers using
/// Multiplication", PLDI 1994, theorem 4.2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    epoch_ns: u64,
    length_ns: u64,
    /// How long the quick answer is right, counted from the epoch, at most 2^63; 0 where there is none.
    quick_ns: u64,
    factor: u64,
    shift: u32,
}

impl Ticks {
    pub(super) fn of(layout: &Layout) -> Self {
        let length = layout.tick_ns();
        let epoch_ns = u64::try_from(layout.epoch_ms()).ok().and_then(|ms| ms.checked_mul(MS_NS));
        let shift = length.ilog2();
        // Of a power of two the factor has a bit too many, and no layout has one.
        let factor = u64::try_from((1_u128 << (64 + shift)).div_ceil(u128::from(length)));
        let (Some(epoch_ns @ ..=LONGEST_NS), Ok(factor)) = (epoch_ns, factor) else {
            return Ticks { epoch_ns: 0, length_ns: length, quick_ns: 0, factor: 0, shift: 0 };
        };
        let quick_ns = layout.ticks().saturating_mul(length).min(LONGEST_NS);
        Ticks { epoch_ns, length_ns: length, quick_ns, factor, shift }
    }

    /// The tick in which a time lies, if that is a time of the format which clocks show.
    #[inline]
    pub(super) fn quick(&self, now_ns: u64) -> Option<u64> {
        // Before the epoch it is a number past all of them, since that is no later than LONGEST_NS.
        let since_ns = now_ns.wrapping_sub(self.epoch_ns);
        let high = low_64((u128::from(since_ns) * u128::from(self.factor)) >> 64);
        (since_ns < self.quick_ns).then_some(high >> self.shift)
    }

    /// How long the tick of a time lasts still, of a tick that `quick` told.
    #[inline]
    #[cfg_attr(not(target_has_atomic = "64"), allow(dead_code, reason = "nothing is noted"))]
    pub(super) fn left_ns(&self, now_ns: u64, tick: u64) -> u64 {
        let into_ns = now_ns.wrapping_sub(self.epoch_ns).wrapping_sub(tick.wrapping_mul(self.length_ns));
        self.length_ns.saturating_sub(into_ns)
    }

    /// The tick in which a time lies.
    #[inline]
    pub(super) fn at(&self, now_ns: u64, layout: &Layout) -> Result<u64, Error> {
        match self.quick(now_ns) {
            Some(tick) => Ok(tick),
            None => layout.tick_at_ns(now_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_the_layout_says() {
        let read = |text| Layout::from_text(text).expect("a layout");
        let layouts = [
            Layout::TWITTER,
            Layout::DISCORD,
            Layout::SONYFLAKE,
            Layout::RANDFLAKE,
            read("timestamp:48 node:16 sequence:16 random:48"),
            read("timestamp:60@us node:10 sequence:12"),
            read("unused:1 timestamp:20@7min,epoch=1950-02-02 node:10 sequence:12"),
        ];
        for layout in layouts {
            let ticks = Ticks::of(&layout);
            let epoch_ns = layout.tick_start_ns(0);
            let end_ns = layout.tick_start_ns(layout.ticks());
            for around_ns in [0, epoch_ns, end_ns, 1_763_700_000_123_456_789, u64::MAX] {
                for step_ns in [0, 1, layout.tick_ns() - 1, layout.tick_ns(), layout.tick_ns() + 1] {
                    for now_ns in [around_ns.saturating_sub(step_ns), around_ns.saturating_add(step_ns)] {
                        assert_eq!(ticks.at(now_ns, &layout), layout.tick_at_ns(now_ns), "{layout} at {now_ns}");
                        let quick = ticks.quick(now_ns);
                        assert!(quick.is_none_or(|tick| layout.tick_at_ns(now_ns) == Ok(tick)), "{layout} at {now_ns}");
                        let end_ns = |tick| layout.tick_start_ns(tick + 1);
                        assert!(
                            quick.is_none_or(|tick| ticks.left_ns(now_ns, tick) == end_ns(tick) - now_ns),
                            "{layout} at {now_ns}"
                        );
                    }
                }
            }
        }
    }
}
