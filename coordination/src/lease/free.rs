//! Which nodes a new lease gets.

use super::Slot;
use super::protocol::Changes;
use std::ops::Range;

/// Free nodes that were found: in which of the slots, and which of their nodes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) slots: Range<usize>,
    pub(super) nodes: Range<i64>,
}

/// So many free nodes next to each other, of slots in the order of their nodes.
///
/// Best is a slot of just this width whose high water has passed, then the one that is least too wide; among equals the one that has been
/// free for longest, so that a node rests before it is used again. Neighbours are joined only where no slot is wide enough by itself.
pub(super) fn find(slots: &[Slot], nodes: i64, now_us: i64, end_us: i64) -> Option<Free> {
    // A lease must have some time: past the high water, before its end.
    let is_free = |slot: &Slot| !slot.is_held(now_us) && slot.high_water_us < end_us;
    let rank = |slot: &Slot| (slot.high_water_us > now_us, slot.width(), slot.high_water_us);
    let one = slots.iter().enumerate().filter(|(_, slot)| is_free(slot) && slot.width() >= nodes);
    let at = |index: usize, end: usize| {
        let first = slots[index].nodes.start;
        Free { slots: index..end, nodes: first..first + nodes }
    };
    if let Some((index, _)) = one.min_by_key(|(_, slot)| rank(slot)) {
        return Some(at(index, index + 1));
    }
    let mut first = 0;
    for (index, slot) in slots.iter().enumerate() {
        let continues = index > first && slots[index - 1].nodes.end == slot.nodes.start;
        if !is_free(slot) {
            first = index + 1;
            continue;
        }
        if !continues {
            first = index;
        }
        if slot.nodes.end - slots[first].nodes.start >= nodes {
            return Some(at(first, index + 1));
        }
    }
    None
}

/// When the first of those slots that nobody has, and that rest until after this end, has rested.
pub(super) fn rests_until(slots: &[Slot], now_us: i64, end_us: i64) -> Option<i64> {
    let rests = slots.iter().filter(|slot| !slot.is_held(now_us) && slot.high_water_us >= end_us);
    rests.map(|slot| slot.high_water_us).min()
}

/// What is written when a grant takes the place of these slots, or of the beginning of them: what it leaves of the last one stays free,
/// with all that the slot remembers.
pub(super) fn take(taken: &[Slot], granted: Slot) -> Changes {
    let rest = taken.last().filter(|last| last.nodes.end > granted.nodes.end);
    let rest = rest.map(|last| Slot { nodes: granted.nodes.end..last.nodes.end, ..last.clone() });
    let removed = taken.iter().map(|slot| slot.nodes.start).filter(|start| *start != granted.nodes.start).collect();
    Changes { removed, put: std::iter::once(granted).chain(rest).collect(), quarantine_until_us: None }
}
