//! Which layouts count with the same cursors, for the one place that gives them out.

#[cfg(feature = "std")]
use super::Slot;
use super::{FieldKind, FieldList, Layout, Name};
#[cfg(feature = "std")]
use core::ops::Range;

impl Layout {
    /// Whether both can make equal IDs at the same time, of some node: they may be described differently, unused bits in pieces say, or one
    /// has bits for rollbacks, or a constant, where the other has nodes. Bits that are the same in every ID tell them apart where they differ;
    /// what one of them draws by chance may come out as anything.
    #[cfg(feature = "std")]
    pub(crate) fn makes_equal_ids(&self, other: &Layout) -> bool {
        let shape = |layout: &Layout| {
            let Layout { timestamp, spec, .. } = layout;
            (layout.is_wide(), timestamp.shift, spec.epoch_ms, spec.tick_ns)
        };
        let both_fixed = self.fixed_mask & other.fixed_mask;
        // A layout may have rollback bits of its own where another has given up some of its counter for them.
        let counters = |layout: &Layout| [layout.counter, layout.counter_with_rollback()];
        let counts_alike = counters(self).iter().any(|counter| counters(other).contains(counter));
        shape(self) == shape(other) && counts_alike && (self.fixed ^ other.fixed) & both_fixed == 0
    }

    /// What counts, with the rollback bits that it gave up: those right above it.
    #[cfg(feature = "std")]
    fn counter_with_rollback(&self) -> Slot {
        let Layout { counter, rollback, .. } = *self;
        if counter.bits > 0 && rollback.bits > 0 && rollback.shift == counter.shift + counter.bits {
            Slot::new(counter.shift, counter.bits + rollback.bits)
        } else {
            counter
        }
    }

    /// Whether both have the same bits for nodes, and the same for rollbacks.
    #[cfg(feature = "std")]
    pub(crate) fn has_owner_of(&self, other: &Layout) -> bool {
        self.node == other.node && self.rollback == other.rollback
    }

    /// Whether nodes and rollbacks of both take the same bits together.
    #[cfg(feature = "std")]
    pub(crate) fn has_owner_bits_of(&self, other: &Layout) -> bool {
        let owner_mask = |layout: &Layout| layout.node.mask() | layout.rollback.mask();
        owner_mask(self) == owner_mask(other)
    }

    /// What is the same in every ID of these nodes and this value of the rollback bits: which bits, and what they are.
    #[cfg(feature = "std")]
    pub(crate) fn known_bits(&self, nodes: &Range<u64>, rollback: u64) -> (u128, u128) {
        let (first, last) = (nodes.start, nodes.end.saturating_sub(1));
        // Of several nodes the highest bits, as far as all have the same.
        let varying = u64::MAX.checked_shr((first ^ last).leading_zeros()).unwrap_or(0);
        let mask = self.node.put_wide((!varying).into()) | self.rollback.mask();
        let value = self.node.put_wide(first.into()) | self.rollback.put_wide(rollback.into());
        (self.fixed_mask | mask, self.fixed | value & mask)
    }

    /// These nodes as layouts that make equal IDs without bits for rollbacks would count them: each is as many as it can count steps back.
    #[cfg(feature = "std")]
    pub(crate) fn nodes_with_rollbacks(&self, nodes: Range<u64>) -> Range<u64> {
        let Slot { shift, bits, .. } = self.rollback;
        if bits == 0 {
            nodes
        } else if shift + bits == self.node.shift {
            // Nodes have up to 63 bits, and their range ends one past the last.
            let shifted = |node: u64| u64::try_from(u128::from(node) << bits).unwrap_or(u64::MAX);
            shifted(nodes.start)..shifted(nodes.end)
        } else {
            // In another order they are no range: any may be meant.
            0..u64::MAX
        }
    }

    /// Whether IDs of both hold the same: they differ at most in the names of the node's parts, and in how fast a random part grows.
    pub(crate) fn reads_as(&self, other: &Layout) -> bool {
        self.spec.epoch_ms == other.spec.epoch_ms && self.bare() == other.bare()
    }

    /// The same layout without what makes no other IDs: the names of the node's parts, and how fast a random part grows. Generators whose bare
    /// layouts are equal must not have a node at the same time.
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
    fn layouts_that_can_make_one_id_at_one_time_are_known_and_others_are_not() {
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
            assert_eq!(
                (one.makes_equal_ids(&other), other.makes_equal_ids(&one)),
                (is_equal, is_equal),
                "{one}, {other}"
            );
        }
    }

    #[test]
    fn names_and_steps_are_no_concern_of_a_cursor() {
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
    fn what_nodes_have_in_common_is_known() {
        let layout = read("constant:2,value=1 timestamp:41 node:8 rollback:2 sequence:8");
        let above = (u128::MAX << 59, 1 << 59);
        assert_eq!(layout.known_bits(&(5..6), 3), (above.0 | 0x3_ff00, above.1 | 5 << 10 | 3 << 8));
        assert_eq!(layout.known_bits(&(4..6), 0), (above.0 | 0x3_fb00, above.1 | 4 << 10));
        assert_eq!(layout.known_bits(&(0..256), 1), (above.0 | 0x0_0300, above.1 | 1 << 8));
        let layout = read("timestamp:41 sequence:12");
        assert_eq!(layout.known_bits(&(0..1), 0), (u128::MAX << 53, 0));
        let layout = read("timestamp:41 node:63 sequence:12");
        assert_eq!(layout.known_bits(&(0..1 << 63), 0), (u128::MAX << 116, 0));
    }

    #[test]
    fn nodes_with_rollbacks_are_as_many_as_they_count_steps() {
        let layout = read("timestamp:41 node:10 rollback:2 sequence:8");
        assert_eq!(layout.nodes_with_rollbacks(3..5), 12..20);
        assert_eq!(read("timestamp:41 node:10 sequence:8").nodes_with_rollbacks(3..5), 3..5);
        assert_eq!(read("timestamp:41 rollback:2 node:10 sequence:8").nodes_with_rollbacks(3..5), 0..u64::MAX);
        let most = read("timestamp:41 node:63 rollback:4").nodes_with_rollbacks(0..1 << 63);
        assert_eq!(most, 0..u64::MAX);
    }
}
