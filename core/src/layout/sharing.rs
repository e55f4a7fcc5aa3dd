//! Which layouts count with the same cursors, for the one place that gives them out.

#[cfg(feature = "std")]
use super::Slot;
use super::{FieldKind, FieldList, Layout, Name};
#[cfg(feature = "std")]
use core::ops::Range;

impl Layout {
    /// Whether both can make equal IDs at the same time: they may be described differently, unused bits in pieces say, or one has bits for
    /// rollbacks where the other has more nodes. Bits that are the same in every ID tell them apart where they differ; what one of them draws
    /// by chance may come out as anything.
    #[cfg(feature = "std")]
    pub(crate) fn makes_equal_ids(&self, other: &Layout) -> bool {
        let shape = |layout: &Layout| {
            let Layout { timestamp, counter, node, rollback, spec, .. } = layout;
            let owner_mask = node.mask() | rollback.mask();
            (layout.is_wide(), timestamp.shift, *counter, owner_mask, spec.epoch_ms, spec.tick_ns)
        };
        let both_fixed = self.fixed_mask & other.fixed_mask;
        shape(self) == shape(other) && (self.fixed ^ other.fixed) & both_fixed == 0
    }

    /// Whether both have the same bits for rollbacks.
    #[cfg(feature = "std")]
    pub(crate) fn has_rollback_of(&self, other: &Layout) -> bool {
        self.rollback == other.rollback
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

    /// The same layout without what a cursor does not know of: two that differ in the names of the node's parts, or in how fast a random
    /// part grows, count with the same one.
    pub(crate) fn for_cursor(&self) -> Layout {
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
