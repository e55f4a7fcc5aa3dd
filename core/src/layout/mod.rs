//! Layouts: how the 16 to 128 bits of an ID are divided into fields, and what a tick is.
//!
//! A [`LayoutSpec`] describes a layout. [`LayoutSpec::check`] validates the description once and
//! returns a [`Layout`], which is always valid. The known formats are constants of `Layout`,
//! checked at compile time. [`Layout::from_text`] parses a layout.
//!
//! A random part either grows within a tick, if it has a step, or is new for each ID. The *counter*
//! of a layout is its sequence or its growing random part.
//!
//! IDs of up to 64 bits are `i64`; if they have fewer than 64 bits, they are never negative. Wider
//! IDs are `u128`.
//!
//! Most types and methods here are public; the crate's cursors and generators use the rest.

mod check;
mod date;
mod field;
mod fine;
mod guarantee;
#[cfg(feature = "json")]
mod json;
mod kind;
mod name;
mod node;
mod presets;
mod properties;
mod range;
mod read;
mod sharing;
mod spec;
mod wide;
mod write;

pub use check::{FEWEST_BITS, MAX_BITS};
pub(crate) use field::Slot;
pub use field::{Field, FieldList, MAX_FIELDS};
pub use guarantee::Guarantee;
pub use kind::FieldKind;
pub use name::{LONGEST_NAME, Name};
pub use properties::{Capacity, Place, Rate};
#[cfg(feature = "std")]
pub(crate) use sharing::{IdSet, TimeForm};
pub use spec::{LayoutSpec, MAX_NAMES};
pub use wide::WideFields;

use crate::bits::low_64;
use crate::error::Error;

/// The error for a number that is not an ID of a layout.
const NOT_AN_ID: Error = Error::IdOutOfRange {
    scheme: "this layout",
    wanted: "one of as many bits as the layout has, whose unused bits are 0 and whose constants are the layout's",
};

const NS_PER_MS: i128 = 1_000_000;
const NS_PER_US: u64 = 1_000;

/// The fields of an ID of up to 64 bits. A field that the layout does not have is 0.
///
/// A random part that is new for each ID is not included: [`WideFields`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    /// Ticks since the layout's epoch.
    pub tick: u64,
    /// The node.
    pub node: u64,
    /// The counter: the sequence, or the growing random part.
    pub counter: u64,
    /// The number of times that the clock had stepped back, as the rollback bits count it.
    pub rollback: u64,
}

/// A valid division of 16 to 128 bits into fields, with an epoch and a tick.
///
/// ```
/// use saiban::Layout;
/// let id = Layout::TWITTER.compose_ms(1_704_067_200_000, 7, 1)?;
/// assert_eq!(id, 1_741_610_183_685_074_945);
/// assert_eq!(Layout::TWITTER.split(id)?.node, 7);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    spec: LayoutSpec,
    bits: u32,
    timestamp: Slot,
    node: Slot,
    /// The sequence, or the growing random part.
    counter: Slot,
    rollback: Slot,
    /// The random part that is new for each ID.
    random: Slot,
    /// The bits that are equal in every ID: unused bits, constants, and bits above the ID's width.
    fixed_mask: u128,
    /// The values of the bits in `fixed_mask`.
    fixed: u128,
    random_start: bool,
    last_ms: i64,
}

impl Layout {
    /// Returns the description from which this layout was made.
    #[must_use]
    pub const fn spec(&self) -> &LayoutSpec {
        &self.spec
    }

    /// Returns this layout with a rollback field of `bits` bits, taken from the low end of the node
    /// field.
    ///
    /// For example, 10 node bits become 8 node bits and 2 rollback bits. Node n of the new layout
    /// uses the IDs of the nodes n·2^bits to (n + 1)·2^bits - 1 of this layout. Do not run
    /// generators of both layouts on the same nodes at the same time.
    ///
    /// If there is no node field, the bits come from the high end of the counter: Mastodon's
    /// 16 bits become 2 and 14. In this case, never run generators of both layouts at the same
    /// time.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::TWITTER.with_rollback_bits(2)?;
    /// assert_eq!((layout.max_node(), layout.max_rollback()), (255, 3));
    /// assert_eq!(Layout::MASTODON.with_rollback_bits(2)?.to_string(), "timestamp:48 rollback:2 sequence:14");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout` in these cases:
    ///
    /// - `bits` is not 1 to 4.
    /// - The field that gives the bits is not wider than `bits`. For a node in several parts, it is
    ///   the lowest part.
    /// - The layout has neither node, sequence nor growing random part.
    /// - The layout has a rollback field already.
    pub const fn with_rollback_bits(&self, bits: u32) -> Result<Layout, Error> {
        match self.spec.give_up_bits(bits) {
            Ok(spec) => spec.check(),
            Err(reason) => Err(Error::InvalidLayout { reason }),
        }
    }

    /// Returns the epoch, in Unix milliseconds.
    #[must_use]
    pub const fn epoch_ms(&self) -> i64 {
        self.spec.epoch_ms
    }

    /// Returns the length of a tick in microseconds.
    ///
    /// If a tick is not a whole number of milliseconds, times in milliseconds cannot address every
    /// tick: see [`Layout::has_submilliseconds`].
    #[must_use]
    pub const fn tick_us(&self) -> u64 {
        self.spec.tick_ns / NS_PER_US
    }

    /// Returns the length of a tick in nanoseconds.
    #[must_use]
    pub const fn tick_ns(&self) -> u64 {
        self.spec.tick_ns
    }

    /// Returns the number of ticks that the layout can count. Its ticks are `0..ticks()`.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.timestamp.max() + 1
    }

    /// Returns the largest node, or 0 without a node field.
    #[must_use]
    pub const fn max_node(&self) -> u64 {
        self.node.max()
    }

    /// Returns the largest sequence number or growing random part, or 0 without both. It is
    /// `u64::MAX` for a growing random part of more than 64 bits.
    #[must_use]
    pub const fn max_counter(&self) -> u64 {
        self.counter.max()
    }

    /// Returns the largest sequence number or growing random part, or 0 without both.
    #[must_use]
    pub const fn max_counter_wide(&self) -> u128 {
        self.counter.max_wide()
    }

    /// Returns the largest random part that is new for each ID, or 0 if there is none.
    #[must_use]
    pub const fn max_random(&self) -> u128 {
        self.random.max_wide()
    }

    /// Returns the largest number of steps back that an ID can hold, or 0 without a rollback field.
    #[must_use]
    pub const fn max_rollback(&self) -> u64 {
        self.rollback.max()
    }

    /// Returns whether the layout has a rollback field.
    #[must_use]
    pub const fn has_rollback(&self) -> bool {
        self.rollback.bits > 0
    }

    /// Returns whether the layout has a node field.
    #[must_use]
    pub const fn has_node(&self) -> bool {
        self.node.bits > 0
    }

    /// Returns whether the layout has a sequence.
    #[must_use]
    pub const fn has_sequence(&self) -> bool {
        self.counter.bits > 0 && self.spec.step == 0
    }

    /// Returns whether the sequence starts each tick at a random number in the lower half of its
    /// range.
    #[must_use]
    pub const fn has_random_start(&self) -> bool {
        self.random_start
    }

    /// Returns whether the counter alone shows how many IDs of a tick were issued. This is true for
    /// a sequence that starts each tick at 0.
    pub(crate) const fn counts_from_0(&self) -> bool {
        !self.is_random() && !self.random_start
    }

    /// Returns whether the layout has a random part that is new for each ID.
    #[must_use]
    pub const fn has_random(&self) -> bool {
        self.random.bits > 0
    }

    /// Returns whether the counter is a random part that grows by random steps, and not a sequence.
    #[must_use]
    pub const fn is_random(&self) -> bool {
        self.spec.step > 0
    }

    /// Returns the largest step of the growing random part, or 0 if there is none.
    #[must_use]
    pub const fn max_step(&self) -> u64 {
        self.spec.step
    }

    /// Returns whether IDs are unique as long as no combination of time, node and counter is used
    /// twice.
    ///
    /// It is false if the layout has a random part that is new for each ID, but no counter. Then
    /// IDs are unique by chance only (see [`Layout::collision_odds`]).
    #[must_use]
    pub const fn is_unique(&self) -> bool {
        self.counter.bits > 0 || self.random.bits == 0
    }

    /// Returns the width of an ID in bits: 16 to 128.
    #[must_use]
    pub const fn size_bits(&self) -> u32 {
        self.bits
    }

    /// Returns whether an ID has more than 64 bits, so that it is a `u128`.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        self.bits > 64
    }

    /// Returns the width of timestamp and counter together, in bits. A cursor of one 64-bit word
    /// suffices for up to 63.
    #[must_use]
    pub const fn position_bits(&self) -> u32 {
        self.timestamp.bits + self.counter.bits
    }

    /// Returns the width of the sequence or growing random part, in bits.
    #[must_use]
    pub(crate) const fn counter_bits(&self) -> u32 {
        self.counter.bits
    }

    /// Returns the bit positions of timestamp, node and counter.
    #[cfg(feature = "alloc")]
    pub(crate) const fn slots(&self) -> [Slot; 3] {
        [self.timestamp, self.node, self.counter]
    }

    pub(crate) const fn timestamp_bits(&self) -> u32 {
        self.timestamp.bits
    }

    /// Returns the start of the first tick, in Unix milliseconds: the epoch.
    #[must_use]
    pub const fn first_ms(&self) -> i64 {
        self.spec.epoch_ms
    }

    /// Returns the start of the last tick, in Unix milliseconds, rounded down.
    #[must_use]
    pub const fn last_ms(&self) -> i64 {
        self.last_ms
    }

    /// Returns the tick that contains a time in nanoseconds since the Unix epoch.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch` or `TimestampOverflow` for a time outside the layout's range.
    #[expect(clippy::cast_possible_truncation, reason = "the constant is a million")]
    pub const fn tick_at_ns(&self, now_ns: u64) -> Result<u64, Error> {
        let since_ns = now_ns as i128 - self.spec.epoch_ms as i128 * NS_PER_MS;
        self.tick_since_ns(since_ns, (now_ns / NS_PER_MS as u64) as i64)
    }

    /// Returns the tick that contains a time in Unix milliseconds.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch` or `TimestampOverflow` for a time outside the layout's range.
    pub const fn tick_at_ms(&self, timestamp_ms: i64) -> Result<u64, Error> {
        let since_ns = (timestamp_ms as i128 - self.spec.epoch_ms as i128) * NS_PER_MS;
        self.tick_since_ns(since_ns, timestamp_ms)
    }

    #[expect(clippy::cast_possible_truncation, reason = "both casts follow a comparison")]
    const fn tick_since_ns(&self, since_ns: i128, timestamp_ms: i64) -> Result<u64, Error> {
        if since_ns < 0 {
            return Err(Error::TimestampBeforeEpoch { timestamp_ms, epoch_ms: self.spec.epoch_ms });
        }
        // Every present clock reading fits 64 bits, where division is several times as fast.
        let tick = if since_ns <= u64::MAX as i128 {
            (since_ns as u64 / self.tick_ns()) as u128
        } else {
            since_ns as u128 / self.tick_ns() as u128
        };
        if tick > self.timestamp.max() as u128 {
            return Err(Error::TimestampOverflow { timestamp_ms, last_ms: self.last_ms });
        }
        Ok(tick as u64)
    }

    /// Returns the start of a tick, in Unix milliseconds, rounded down. Ticks after the last are
    /// accepted too.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a larger time is cut to the largest, and none is less than the epoch"
    )]
    pub const fn tick_start_ms(&self, tick: u64) -> i64 {
        let since_ns = (tick as i128).saturating_mul(self.spec.tick_ns as i128);
        let ms = self.spec.epoch_ms as i128 + since_ns / NS_PER_MS;
        if ms > i64::MAX as i128 { i64::MAX } else { ms as i64 }
    }

    /// Returns the start of a tick, in nanoseconds since the Unix epoch, clamped to the range of
    /// `u64`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the cast follows two comparisons")]
    pub(crate) const fn tick_start_ns(&self, tick: u64) -> u64 {
        let since_ns = (tick as i128).saturating_mul(self.spec.tick_ns as i128);
        let ns = since_ns.saturating_add(self.spec.epoch_ms as i128 * NS_PER_MS);
        if ns < 0 {
            0
        } else if ns > u64::MAX as i128 {
            u64::MAX
        } else {
            ns as u64
        }
    }

    /// Returns the first tick that starts at or after a time in Unix microseconds: 0 to
    /// [`Layout::ticks`].
    #[cfg(feature = "std")]
    pub(crate) const fn tick_from_us(&self, time_us: i64) -> u64 {
        self.tick_through_us(time_us.saturating_add((self.tick_ns() / NS_PER_US - 1) as i64))
    }

    /// Returns the first tick that has not ended at a time in Unix microseconds: 0 to
    /// [`Layout::ticks`].
    #[cfg(feature = "std")]
    #[expect(clippy::cast_possible_truncation, reason = "the cast follows two comparisons")]
    pub(crate) const fn tick_through_us(&self, time_us: i64) -> u64 {
        let since_us = time_us as i128 - self.spec.epoch_ms as i128 * 1_000;
        if since_us < 0 {
            return 0;
        }
        let tick = since_us / (self.tick_ns() / NS_PER_US) as i128;
        if tick > self.ticks() as i128 { self.ticks() } else { tick as u64 }
    }

    /// Assembles an ID from fields that fit their widths. Only for layouts of up to 64 bits.
    pub(crate) const fn join(&self, fields: Fields) -> i64 {
        let Fields { tick, node, counter, rollback } = fields;
        let parts =
            self.timestamp.put(tick) | self.node.put(node) | self.counter.put(counter) | self.rollback.put(rollback);
        (parts | low_64(self.fixed)) as i64
    }

    /// Returns the bit position of the timestamp for layouts with the order timestamp, node,
    /// counter.
    ///
    /// The counter must be lowest and have `counter_bits` bits, and the node must be directly above
    /// it. Returns `None` for other layouts, and for IDs of more than 64 bits.
    pub(crate) const fn line_shift(&self, counter_bits: u32) -> Option<u32> {
        let counter_is_lowest = self.counter.shift == 0 && self.counter.bits == counter_bits;
        let node_follows = self.node.bits == 0 || self.node.shift == counter_bits;
        let time_is_above = self.timestamp.shift >= counter_bits + self.node.bits;
        if !self.is_wide() && counter_is_lowest && node_follows && time_is_above {
            return Some(self.timestamp.shift);
        }
        None
    }

    /// Assembles an ID from a time in Unix milliseconds, a node and a counter, and checks each of
    /// them.
    ///
    /// The time is rounded down to the tick. A rollback field and a random part that is new for
    /// each ID are 0.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, and `SequenceOutOfRange` or
    /// `RandomOutOfRange`. `InvalidLayout` for IDs of more than 64 bits: use
    /// [`Layout::compose_wide_ms`].
    pub const fn compose_ms(&self, timestamp_ms: i64, node: i64, counter: i64) -> Result<i64, Error> {
        self.compose_rollback_ms(timestamp_ms, node, counter, 0)
    }

    /// Assembles an ID as [`Layout::compose_ms`] does, with a rollback field of `rollback`.
    ///
    /// # Errors
    /// The errors of [`Layout::compose_ms`], and `RollbackOutOfRange`.
    pub const fn compose_rollback_ms(
        &self,
        timestamp_ms: i64,
        node: i64,
        counter: i64,
        rollback: i64,
    ) -> Result<i64, Error> {
        self.compose_ns(timestamp_ms, 0, node, counter, rollback)
    }

    /// Splits an ID into its fields.
    ///
    /// # Errors
    /// `IdOutOfRange` if an unused bit is 1, if a constant differs, or if IDs have more than
    /// 64 bits: use [`Layout::split_wide`].
    pub const fn split(&self, id: i64) -> Result<Fields, Error> {
        let raw = id as u64;
        if raw & low_64(self.fixed_mask) != low_64(self.fixed) || self.is_wide() {
            return Err(NOT_AN_ID);
        }
        Ok(Fields {
            tick: self.timestamp.get(raw),
            node: self.node.get(raw),
            counter: self.counter.get(raw),
            rollback: self.rollback.get(raw),
        })
    }
}
