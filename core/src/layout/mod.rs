//! How the 16 to 128 bits of an ID are divided, and what its time is counted in.
//!
//! A [`LayoutSpec`] describes; [`LayoutSpec::check`] looks at it once and makes a [`Layout`], which cannot be wrong.
//! The known formats are constants of that type, made by the same check at compile time. [`Layout::from_text`] reads one from text.
//!
//! IDs of up to 64 bits are `i64`, and those of fewer are never negative; wider ones are `u128`.

mod answers;
mod check;
mod date;
mod field;
mod fine;
mod guarantee;
#[cfg(feature = "json")]
mod json;
mod name;
mod node;
mod presets;
mod range;
mod read;
mod sharing;
mod spec;
mod wide;
mod write;

pub use answers::{Capacity, Place, Rate};
pub use check::{FEWEST_BITS, MOST_BITS};
pub(crate) use field::Slot;
pub use field::{Field, FieldKind, FieldList, MOST_FIELDS};
pub use guarantee::Guarantee;
pub use name::{LONGEST_NAME, Name};
#[cfg(feature = "std")]
pub(crate) use sharing::{IdSet, TimeForm};
pub use spec::{LayoutSpec, MOST_NAMES};
pub use wide::WideFields;

use crate::bits::low_64;
use crate::error::Error;

const NS_PER_MS: i128 = 1_000_000;
const NS_PER_US: u64 = 1_000;

/// What an ID of up to 64 bits holds: the fields that a layout has, 0 for those it has not. A random part that is drawn afresh for each ID is
/// not among them: [`WideFields`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    /// Ticks since the layout's epoch.
    pub tick: u64,
    /// The node.
    pub node: u64,
    /// The sequence, or the random part that grows.
    pub counter: u64,
    /// How often the clock had stepped back, counted in the bits that the layout has for it.
    pub rollback: u64,
}

/// A division of 16 to 128 bits that has been checked.
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
    /// The sequence, or the random part that grows.
    counter: Slot,
    rollback: Slot,
    /// The random part that is drawn afresh for each ID.
    random: Slot,
    /// The bits that are the same in every ID: unused ones, constants, and those above the ID's.
    fixed_mask: u128,
    /// What they are.
    fixed: u128,
    random_start: bool,
    last_ms: i64,
}

impl Layout {
    /// The description this layout was made from.
    #[must_use]
    pub const fn spec(&self) -> &LayoutSpec {
        &self.spec
    }

    /// The same layout with bits for the times that the clock has stepped back, taken from the low end of the node field: 10
    /// node bits become 8 and 2. A node n of it is the nodes from n·2^bits on of the layout without: generators of both must not run at
    /// the same time.
    ///
    /// Where there is no node field they are taken from the high end of the sequence, or of the random part that grows: Mastodon's 16
    /// bits become 2 and 14. Here too generators of both layouts must not run at the same time.
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
    /// `InvalidLayout` for other than 1 to 4 bits, for a node field (of several parts the lowest), or a sequence in its place, that is not
    /// wider, where there is neither, and where there is a rollback field.
    pub const fn with_rollback_bits(&self, bits: u32) -> Result<Layout, Error> {
        match self.spec.give_up_bits(bits) {
            Ok(spec) => spec.check(),
            Err(reason) => Err(Error::InvalidLayout { reason }),
        }
    }

    /// The epoch, Unix milliseconds.
    #[must_use]
    pub const fn epoch_ms(&self) -> i64 {
        self.spec.epoch_ms
    }

    /// The length of a tick in microseconds. Where it is no whole number of milliseconds, times in milliseconds do not tell
    /// every tick: see [`Layout::has_submilliseconds`].
    #[must_use]
    pub const fn tick_us(&self) -> u64 {
        self.spec.tick_ns / NS_PER_US
    }

    /// The length of a tick in nanoseconds.
    #[must_use]
    pub const fn tick_ns(&self) -> u64 {
        self.spec.tick_ns
    }

    /// How many ticks the layout lasts: its ticks are `0..ticks()`.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.timestamp.max() + 1
    }

    /// The largest node id, 0 when there is no node field.
    #[must_use]
    pub const fn max_node(&self) -> u64 {
        self.node.max()
    }

    /// The largest sequence number, or growing random part; 0 when there is neither, and `u64::MAX` for one of more than 64 bits.
    #[must_use]
    pub const fn max_counter(&self) -> u64 {
        self.counter.max()
    }

    /// The largest sequence number, or growing random part; 0 when there is neither.
    #[must_use]
    pub const fn max_counter_wide(&self) -> u128 {
        self.counter.max_wide()
    }

    /// The largest random part that is drawn afresh for each ID, 0 when there is none.
    #[must_use]
    pub const fn max_random(&self) -> u128 {
        self.random.max_wide()
    }

    /// The largest number of steps back that an ID can tell, 0 when the layout has no rollback field.
    #[must_use]
    pub const fn max_rollback(&self) -> u64 {
        self.rollback.max()
    }

    /// Whether the layout has a rollback field.
    #[must_use]
    pub const fn has_rollback(&self) -> bool {
        self.rollback.bits > 0
    }

    /// Whether the layout has a node field.
    #[must_use]
    pub const fn has_node(&self) -> bool {
        self.node.bits > 0
    }

    /// Whether the layout has a sequence.
    #[must_use]
    pub const fn has_sequence(&self) -> bool {
        self.counter.bits > 0 && self.spec.step == 0
    }

    /// Whether the sequence begins each tick with a number drawn in the lower half of its range.
    #[must_use]
    pub const fn has_random_start(&self) -> bool {
        self.random_start
    }

    /// Whether what a tick has issued can be told by its counter alone: a sequence that begins with 0.
    pub(crate) const fn counts_from_0(&self) -> bool {
        !self.is_random() && !self.random_start
    }

    /// Whether the layout has a random part that is drawn afresh for each ID.
    #[must_use]
    pub const fn has_random(&self) -> bool {
        self.random.bits > 0
    }

    /// Whether the counter is a random part, which grows by random steps, and not a sequence.
    #[must_use]
    pub const fn is_random(&self) -> bool {
        self.spec.step > 0
    }

    /// By how much the growing random part grows at the most; 0 when there is none.
    #[must_use]
    pub const fn max_step(&self) -> u64 {
        self.spec.step
    }

    /// Whether time, node and counter tell every ID from all others, if no two of them are given to two: false where a random part, drawn
    /// afresh for each ID, stands in the counter's place, so that IDs are unique by chance only (see [`Layout::collision_odds`]).
    #[must_use]
    pub const fn is_unique(&self) -> bool {
        self.counter.bits > 0 || self.random.bits == 0
    }

    /// How many bits an ID has: 16 to 128.
    #[must_use]
    pub const fn size_bits(&self) -> u32 {
        self.bits
    }

    /// Whether an ID has more than 64 bits, so that it is a `u128`.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        self.bits > 64
    }

    /// How many bits timestamp and counter have together: of up to 63, a cursor of one word counts them.
    #[must_use]
    pub const fn position_bits(&self) -> u32 {
        self.timestamp.bits + self.counter.bits
    }

    /// The width of the sequence or growing random part in bits.
    #[must_use]
    pub(crate) const fn counter_bits(&self) -> u32 {
        self.counter.bits
    }

    /// Where time, node and counter stand.
    #[cfg(feature = "alloc")]
    pub(crate) const fn slots(&self) -> [Slot; 3] {
        [self.timestamp, self.node, self.counter]
    }

    pub(crate) const fn timestamp_bits(&self) -> u32 {
        self.timestamp.bits
    }

    /// When the first tick begins, Unix milliseconds: the epoch.
    #[must_use]
    pub const fn first_ms(&self) -> i64 {
        self.spec.epoch_ms
    }

    /// When the last tick begins, Unix milliseconds, rounded down.
    #[must_use]
    pub const fn last_ms(&self) -> i64 {
        self.last_ms
    }

    /// The tick in which a clock's time lies; nanoseconds since the Unix epoch.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch` and `TimestampOverflow`.
    #[expect(clippy::cast_possible_truncation, reason = "the constant is a million")]
    pub const fn tick_at_ns(&self, now_ns: u64) -> Result<u64, Error> {
        let since_ns = now_ns as i128 - self.spec.epoch_ms as i128 * NS_PER_MS;
        self.tick_since_ns(since_ns, (now_ns / NS_PER_MS as u64) as i64)
    }

    /// The tick in which a time lies; Unix milliseconds.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch` and `TimestampOverflow`.
    pub const fn tick_at_ms(&self, timestamp_ms: i64) -> Result<u64, Error> {
        let since_ns = (timestamp_ms as i128 - self.spec.epoch_ms as i128) * NS_PER_MS;
        self.tick_since_ns(since_ns, timestamp_ms)
    }

    #[expect(clippy::cast_possible_truncation, reason = "both casts follow a comparison")]
    const fn tick_since_ns(&self, since_ns: i128, timestamp_ms: i64) -> Result<u64, Error> {
        if since_ns < 0 {
            return Err(Error::TimestampBeforeEpoch { timestamp_ms, epoch_ms: self.spec.epoch_ms });
        }
        // Every clock reading of today fits 64 bits, where division is several times as fast.
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

    /// When a tick begins, Unix milliseconds, rounded down. Ticks past the last are answered too.
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

    /// When a tick begins, nanoseconds since the Unix epoch, as far as a clock can show it.
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

    /// The first tick that begins at this time or later, Unix µs: 0 to [`Layout::ticks`].
    #[cfg(feature = "std")]
    pub(crate) const fn tick_from_us(&self, time_us: i64) -> u64 {
        self.tick_through_us(time_us.saturating_add((self.tick_ns() / NS_PER_US - 1) as i64))
    }

    /// The first tick that is not over at this time, Unix µs: 0 to [`Layout::ticks`].
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

    /// Puts fields together that are known to fit; only for layouts of up to 64 bits.
    pub(crate) const fn join(&self, fields: Fields) -> i64 {
        let Fields { tick, node, counter, rollback } = fields;
        let parts =
            self.timestamp.put(tick) | self.node.put(node) | self.counter.put(counter) | self.rollback.put(rollback);
        (parts | low_64(self.fixed)) as i64
    }

    /// Where the time stands above a counter of so many bits, which are the lowest, and the node, which comes next; `None` where they stand elsewhere.
    pub(crate) const fn line_shift(&self, counter_bits: u32) -> Option<u32> {
        let counter_is_lowest = self.counter.shift == 0 && self.counter.bits == counter_bits;
        let node_follows = self.node.bits == 0 || self.node.shift == counter_bits;
        let time_is_above = self.timestamp.shift >= counter_bits + self.node.bits;
        if !self.is_wide() && counter_is_lowest && node_follows && time_is_above {
            return Some(self.timestamp.shift);
        }
        None
    }

    /// Puts an ID together from its parts, each checked. The time is Unix milliseconds and is rounded down to the tick; a
    /// rollback field, and a random part that is drawn afresh for each ID, are 0.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, and `SequenceOutOfRange` or `RandomOutOfRange`; `InvalidLayout` for IDs of
    /// more than 64 bits, which [`Layout::compose_wide_ms`] makes.
    pub const fn compose_ms(&self, timestamp_ms: i64, node: i64, counter: i64) -> Result<i64, Error> {
        self.compose_rollback_ms(timestamp_ms, node, counter, 0)
    }

    /// As [`Layout::compose_ms`], with the number of times that the clock had stepped back.
    ///
    /// # Errors
    /// The same, and `RollbackOutOfRange`.
    pub const fn compose_rollback_ms(
        &self,
        timestamp_ms: i64,
        node: i64,
        counter: i64,
        rollback: i64,
    ) -> Result<i64, Error> {
        self.compose_ns(timestamp_ms, 0, node, counter, rollback)
    }

    /// Takes an ID apart.
    ///
    /// # Errors
    /// `IdOutOfRange` when an unused bit is 1, or a constant is another number; and for IDs of more than 64 bits, which
    /// [`Layout::split_wide`] takes apart.
    pub const fn split(&self, id: i64) -> Result<Fields, Error> {
        let raw = id as u64;
        if raw & low_64(self.fixed_mask) != low_64(self.fixed) || self.is_wide() {
            return Err(Error::IdOutOfRange { scheme: "this layout" });
        }
        Ok(Fields {
            tick: self.timestamp.get(raw),
            node: self.node.get(raw),
            counter: self.counter.get(raw),
            rollback: self.rollback.get(raw),
        })
    }
}
