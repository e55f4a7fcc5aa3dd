//! Conversion of a clock's time to its tick, for each ID: exact for every time, and fast for those
//! of the present.

use crate::bits::low_64;
use crate::error::Error;
use crate::layout::Layout;

const MS_NS: u64 = 1_000_000;

/// The limit of the times that are divided.
const LONGEST_NS: u64 = 1 << 63;

/// Division by a tick's length, as a multiplication:
///
/// `time · ⌈2^(64+shift) / length⌉ / 2^(64+shift)`
///
/// With `2^shift <= length < 2^(shift+1)`, the result is exact for all times below 2^63. Source:
/// Granlund and Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994,
/// theorem 4.2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    epoch_ns: u64,
    length_ns: u64,
    /// The time since the epoch up to which the fast division is exact, at most 2^63; 0 if it is
    /// not used.
    quick_ns: u64,
    factor: u64,
    shift: u32,
}

impl Ticks {
    pub(super) fn of(layout: &Layout) -> Self {
        let length = layout.tick_ns();
        let epoch_ns = u64::try_from(layout.epoch_ms()).ok().and_then(|ms| ms.checked_mul(MS_NS));
        let shift = length.ilog2();
        // For a power of two, the factor has 65 bits, and the fast division is not used. No layout
        // has such a tick.
        let factor = u64::try_from((1_u128 << (64 + shift)).div_ceil(u128::from(length)));
        let (Some(epoch_ns @ ..=LONGEST_NS), Ok(factor)) = (epoch_ns, factor) else {
            return Ticks { epoch_ns: 0, length_ns: length, quick_ns: 0, factor: 0, shift: 0 };
        };
        let quick_ns = layout.ticks().saturating_mul(length).min(LONGEST_NS);
        Ticks { epoch_ns, length_ns: length, quick_ns, factor, shift }
    }

    /// Returns the tick of a time, if the fast division covers this time.
    #[inline]
    pub(super) fn quick(&self, now_ns: u64) -> Option<u64> {
        // A time before the epoch wraps to a number above all others, because the epoch is at most
        // LONGEST_NS.
        let since_ns = now_ns.wrapping_sub(self.epoch_ns);
        let high = low_64((u128::from(since_ns) * u128::from(self.factor)) >> 64);
        (since_ns < self.quick_ns).then_some(high >> self.shift)
    }

    /// Returns how long the tick of a time still lasts, for a tick that `quick` returned.
    #[inline]
    #[cfg_attr(not(target_has_atomic = "64"), allow(dead_code, reason = "nothing is noted"))]
    pub(super) fn left_ns(&self, now_ns: u64, tick: u64) -> u64 {
        let into_ns = now_ns.wrapping_sub(self.epoch_ns).wrapping_sub(tick.wrapping_mul(self.length_ns));
        self.length_ns.saturating_sub(into_ns)
    }

    /// Returns the tick of a time.
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
    fn ticks_have_the_properties_of_the_layout() {
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
