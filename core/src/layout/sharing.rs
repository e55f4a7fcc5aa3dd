//! Which layouts can make equal IDs, so that their generators must share a cursor.
//!
//! The registry of cursors compares the IDs of generators with `TimeForm` and `IdSet`.

use super::{FieldKind, FieldList, Layout, Name};
#[cfg(feature = "std")]
use {
    super::Slot,
    crate::bits::{low_32, low_64},
    core::ops::Range,
};

/// The position and unit of the time in IDs. IDs of generators with different time forms are equal
/// by coincidence only, so their generators share no cursor.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeForm {
    pub(crate) is_wide: bool,
    pub(crate) shift: u32,
    pub(crate) epoch_ms: i64,
    pub(crate) tick_ns: u64,
}

/// The IDs of one tick that a range of nodes can make with one value of the rollback bits.
///
/// Only IDs with the same [`TimeForm`] are comparable.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdSet {
    node: Slot,
    rollback: Slot,
    counter: Slot,
    fixed_mask: u128,
    fixed: u128,
    first_node: u64,
    end_node: u64,
    rollback_value: u64,
}

#[cfg(feature = "std")]
#[allow(dead_code, reason = "on systems whose processes share no memory nobody asks for numbers")]
impl IdSet {
    /// The length of the array that [`to_numbers`](Self::to_numbers) returns.
    pub(crate) const NUMBERS: usize = 8;

    pub(crate) const fn nodes(&self) -> Range<u64> {
        self.first_node..self.end_node
    }

    pub(crate) const fn rollback(&self) -> u64 {
        self.rollback_value
    }

    /// Encodes the set as numbers, for shared memory that other processes read.
    pub(crate) fn to_numbers(self) -> [u64; Self::NUMBERS] {
        let pack = |number: u64, slot: Slot| number << 16 | u64::from(slot.shift) << 8 | u64::from(slot.bits);
        [
            [self.node, self.rollback, self.counter].into_iter().fold(0, pack),
            low_64(self.fixed_mask >> 64),
            low_64(self.fixed_mask),
            low_64(self.fixed >> 64),
            low_64(self.fixed),
            self.first_node,
            self.end_node,
            self.rollback_value,
        ]
    }

    pub(crate) fn from_numbers(numbers: [u64; Self::NUMBERS]) -> Self {
        let [slots, mask_high, mask_low, fixed_high, fixed_low, first_node, end_node, rollback_value] = numbers;
        // Another process may have written any number, so limit shift and width to those of a
        // field.
        let slot = |at: u32| Slot::new(low_32(slots >> (at + 8) & 0x7f), low_32((slots >> at & 0xff).min(128)));
        let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        IdSet {
            node: slot(32),
            rollback: slot(16),
            counter: slot(0),
            fixed_mask: wide(mask_high, mask_low),
            fixed: wide(fixed_high, fixed_low),
            first_node,
            end_node,
            rollback_value,
        }
    }

    /// Returns whether an ID may be in both sets.
    ///
    /// The layouts may have different descriptions of equal IDs. For example, unused bits may be in
    /// several pieces, or one layout has rollback bits or a constant where the other has nodes.
    /// Bits that are equal in every ID of a set distinguish the sets if they differ. Random bits
    /// distinguish nothing, because they may have any value.
    pub(crate) fn overlaps(&self, other: &IdSet) -> bool {
        if !self.counts_as(other) {
            return false;
        }
        let meet = |ours: Range<u64>, theirs: Range<u64>| ours.start < theirs.end && theirs.start < ours.end;
        let owner_mask = |set: &IdSet| set.node.mask() | set.rollback.mask();
        if self.node == other.node && self.rollback == other.rollback {
            self.rollback_value == other.rollback_value && meet(self.nodes(), other.nodes())
        } else if owner_mask(self) == owner_mask(other) {
            meet(self.nodes_with_rollbacks(), other.nodes_with_rollbacks())
        } else {
            // For example, one layout has a constant where the other has nodes.
            let ((our_mask, our_bits), (their_mask, their_bits)) = (self.known_bits(), other.known_bits());
            (our_bits ^ their_bits) & our_mask & their_mask == 0
        }
    }

    /// Returns whether nodes exist with which both layouts make equal IDs.
    fn counts_as(&self, other: &IdSet) -> bool {
        let both_fixed = self.fixed_mask & other.fixed_mask;
        // One layout may have rollback bits of its own where the other took them from its counter.
        let counters = |set: &IdSet| [set.counter, set.counter_with_rollback()];
        let counts_alike = counters(self).iter().any(|counter| counters(other).contains(counter));
        counts_alike && (self.fixed ^ other.fixed) & both_fixed == 0
    }

    /// Returns the counter, including the rollback bits directly above it, which may be taken from
    /// it.
    fn counter_with_rollback(&self) -> Slot {
        let IdSet { counter, rollback, .. } = *self;
        if counter.bits > 0 && rollback.bits > 0 && rollback.shift == counter.shift + counter.bits {
            Slot::new(counter.shift, counter.bits + rollback.bits)
        } else {
            counter
        }
    }

    /// Returns the bits that are equal in every ID of the set: a mask, and their values.
    fn known_bits(&self) -> (u128, u128) {
        let (first, last) = (self.first_node, self.end_node.saturating_sub(1));
        // For several nodes, only the highest bits that all of them share are known.
        let varying = u64::MAX.checked_shr((first ^ last).leading_zeros()).unwrap_or(0);
        let mask = self.node.put_wide((!varying).into()) | self.rollback.mask();
        let value = self.node.put_wide(first.into()) | self.rollback.put_wide(self.rollback_value.into());
        (self.fixed_mask | mask, self.fixed | value & mask)
    }

    /// Returns the node range in the equivalent layout without rollback bits, where each of these
    /// nodes is 2^bits nodes.
    fn nodes_with_rollbacks(&self) -> Range<u64> {
        let Slot { shift, bits, .. } = self.rollback;
        if bits == 0 {
            self.nodes()
        } else if shift + bits == self.node.shift {
            // Nodes have up to 63 bits, and the end of the range is one past the last node.
            let shifted = |node: u64| u64::try_from(u128::from(node) << bits).unwrap_or(u64::MAX);
            shifted(self.first_node)..shifted(self.end_node)
        } else {
            // If the rollback bits are not directly below the node, the nodes are not one range:
            // assume all.
            0..u64::MAX
        }
    }
}

impl Layout {
    /// Returns the position and unit of the time in IDs of this layout.
    #[cfg(feature = "std")]
    pub(crate) fn time_form(&self) -> TimeForm {
        let Layout { timestamp, spec, .. } = self;
        TimeForm { is_wide: self.is_wide(), shift: timestamp.shift, epoch_ms: spec.epoch_ms, tick_ns: spec.tick_ns }
    }

    /// Returns the IDs that `nodes` can make in a tick with this value of the rollback bits.
    #[cfg(feature = "std")]
    pub(crate) fn ids_of(&self, nodes: Range<u64>, rollback_value: u64) -> IdSet {
        let Layout { node, rollback, counter, fixed_mask, fixed, .. } = *self;
        let Range { start: first_node, end: end_node } = nodes;
        IdSet { node, rollback, counter, fixed_mask, fixed, first_node, end_node, rollback_value }
    }

    /// Returns whether IDs of both layouts have the same meaning. The layouts may differ in the
    /// names of the node's parts and in the step of a random part.
    pub(crate) fn reads_as(&self, other: &Layout) -> bool {
        self.spec.epoch_ms == other.spec.epoch_ms && self.bare() == other.bare()
    }

    /// Returns this layout without properties that do not change IDs: the names of the node's
    /// parts, and the size of a random part's step.
    ///
    /// Generators with equal bare layouts must not use the same node at the same time.
    ///
    /// ```
    /// use saiban::Layout;
    /// let named = Layout::from_text("timestamp:41 node.region:5 node.host:5 sequence:12")?;
    /// assert_eq!(named.bare(), Layout::from_text("timestamp:41 node:10 sequence:12")?);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn bare(&self) -> Layout {
        let mut spec = self.spec.emptied();
        let FieldList { fields, len } = self.spec.fields();
        let mut node_is_done = false;
        for mut field in fields.into_iter().take(len) {
            if field.kind == FieldKind::Node {
                if core::mem::replace(&mut node_is_done, true) {
                    continue;
                }
                (field.bits, field.name) = (self.node.bits, Name::NONE);
            }
            field.step = field.step.min(1);
            spec = spec.field(field);
        }
        spec.check().unwrap_or(*self)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    fn read(text: &str) -> Layout {
        Layout::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn layouts_that_can_make_equal_ids_are_recognised_and_others_are_not() {
        for (one, other, is_equal) in [
            ("unused:1 timestamp:41 node:10 sequence:12", "timestamp:41 node:10 sequence:12", true),
            ("unused:1 timestamp:41 node:10 sequence:12", "unused:1 timestamp:41 node.a:5 node.b:5 sequence:12", true),
            ("unused:1 timestamp:41 node:10 sequence:12", "unused:1 timestamp:41 node:8 rollback:2 sequence:12", true),
            ("unused:1 timestamp:41 node:10 sequence:12", "timestamp:42 node:10 sequence:12", true),
            (
                "unused:1 timestamp:41 node:10 sequence:12",
                "unused:1 timestamp:41 node:10 sequence:12,start=random",
                true,
            ),
            ("unused:1 timestamp:41 node:10 sequence:12", "unused:1 timestamp:41 node:10 random:12,step=3", true),
            ("timestamp:41 sequence:12 random:8", "timestamp:41 sequence:12 constant:8,value=7", true),
            ("timestamp:41 sequence:12 random:8", "timestamp:41 sequence:12 random:4 constant:4,value=7", true),
            ("timestamp:41 sequence:12 unused:8", "timestamp:41 sequence:12 constant:8,value=0", true),
            ("timestamp:41 sequence:12 unused:8", "timestamp:41 sequence:12 constant:8,value=1", false),
            ("constant:2,value=1 timestamp:41 sequence:12", "constant:2,value=2 timestamp:41 sequence:12", false),
            ("constant:2,value=1 timestamp:41 sequence:12", "timestamp:41 sequence:12", false),
            ("timestamp:41 sequence:12", "timestamp:41 sequence:13", false),
            ("timestamp:48 sequence:16", "timestamp:48 rollback:2 sequence:14", true),
            ("timestamp:48 rollback:1 sequence:15", "timestamp:48 rollback:2 sequence:14", true),
            ("timestamp:48 sequence:16", "timestamp:48 sequence:14 rollback:2", false),
            ("timestamp:41 node:6 rollback:1 sequence:4", "timestamp:41 node:4 rollback:2 sequence:5", true),
            ("timestamp:41 node:10 sequence:12", "timestamp:41 node:8 rollback:2 sequence:12", true),
            ("timestamp:41 sequence:12", "timestamp:41 node:12", false),
            ("timestamp:41 sequence:12", "timestamp:41,epoch=1 sequence:12", false),
            ("timestamp:41 sequence:12", "timestamp:41@s sequence:12", false),
            ("timestamp:41 sequence:12", "unused:75 timestamp:41 sequence:12", false),
            ("unused:1 timestamp:63@us node:32 sequence:32", "timestamp:63@us node:32 sequence:32", true),
            ("timestamp:41 random:20", "timestamp:41 random:20", true),
            ("timestamp:41 node:10 sequence:12", "timestamp:41 constant:10,value=5 sequence:12", true),
            ("timestamp:41 node.a:5 node.b:5 sequence:12", "timestamp:41 constant:5,value=3 node:5 sequence:12", true),
        ] {
            let (one, other) = (read(one), read(other));
            let are_equal = |one: &Layout, other: &Layout| {
                one.time_form() == other.time_form() && one.ids_of(0..1, 0).counts_as(&other.ids_of(0..1, 0))
            };
            assert_eq!((are_equal(&one, &other), are_equal(&other, &one)), (is_equal, is_equal), "{one}, {other}");
        }
    }

    #[test]
    fn names_and_steps_do_not_concern_a_cursor() {
        for (text, wanted) in [
            ("timestamp:41 node.a:5 node.b:5 sequence:12", "timestamp:41 node:10 sequence:12"),
            ("timestamp:41 random:20,step=255 node:3", "timestamp:41 random:20,step=1 node:3"),
            ("timestamp:41 sequence:12,start=random random:9", "timestamp:41 sequence:12,start=random random:9"),
            ("constant:3,value=6 timestamp:41,epoch=2020-02-02", "constant:3,value=6 timestamp:41,epoch=2020-02-02"),
        ] {
            assert_eq!(read(text).bare(), read(wanted));
        }
    }

    #[test]
    fn the_known_bits_are_those_that_all_nodes_share() {
        let layout = read("constant:2,value=1 timestamp:41 node:8 rollback:2 sequence:8");
        let above = (u128::MAX << 59, 1 << 59);
        assert_eq!(layout.ids_of(5..6, 3).known_bits(), (above.0 | 0x3_ff00, above.1 | 5 << 10 | 3 << 8));
        assert_eq!(layout.ids_of(4..6, 0).known_bits(), (above.0 | 0x3_fb00, above.1 | 4 << 10));
        assert_eq!(layout.ids_of(0..256, 1).known_bits(), (above.0 | 0x0_0300, above.1 | 1 << 8));
        let layout = read("timestamp:41 sequence:12");
        assert_eq!(layout.ids_of(0..1, 0).known_bits(), (u128::MAX << 53, 0));
        let layout = read("timestamp:41 node:63 sequence:12");
        assert_eq!(layout.ids_of(0..1 << 63, 0).known_bits(), (u128::MAX << 116, 0));
    }

    #[test]
    fn nodes_with_rollbacks_cover_every_rollback_value() {
        let layout = read("timestamp:41 node:10 rollback:2 sequence:8");
        assert_eq!(layout.ids_of(3..5, 0).nodes_with_rollbacks(), 12..20);
        assert_eq!(read("timestamp:41 node:10 sequence:8").ids_of(3..5, 0).nodes_with_rollbacks(), 3..5);
        assert_eq!(
            read("timestamp:41 rollback:2 node:10 sequence:8").ids_of(3..5, 0).nodes_with_rollbacks(),
            0..u64::MAX
        );
        let most = read("timestamp:41 node:63 rollback:4").ids_of(0..1 << 63, 0).nodes_with_rollbacks();
        assert_eq!(most, 0..u64::MAX);
    }

    #[test]
    fn a_set_of_ids_is_read_back_from_its_numbers() {
        for text in [
            "constant:2,value=1 timestamp:41 node:8 rollback:2 sequence:8",
            "timestamp:48 node:16 sequence:16 random:48",
            "timestamp:41 node:63 rollback:4",
            "timestamp:41 sequence:12",
        ] {
            let ids = read(text).ids_of(3..7, 1);
            assert_eq!(IdSet::from_numbers(ids.to_numbers()), ids, "{text}");
        }
    }
}
