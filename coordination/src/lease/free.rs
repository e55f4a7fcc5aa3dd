//! Chooses the nodes of a new lease. [`super::protocol`] uses it.

use super::Slot;
use super::messages::Changes;
use std::ops::Range;

/// Adjacent free nodes, and the indices of the slots that contain them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) slots: Range<usize>,
    pub(super) nodes: Range<i64>,
}

/// Returns `nodes` adjacent free nodes, from slots in the order of their nodes.
///
/// Slots whose high-water mark has passed come first. Among these, the narrowest that is wide
/// enough is best. Among equals it is the one that has been free for longest, so that nodes cool
/// down before reuse. Neighbours are merged only if no single slot is wide enough.
pub(super) fn find(slots: &[Slot], nodes: i64, now_us: i64, end_us: i64) -> Option<Free> {
    // A lease needs some time between the high-water mark and its own end.
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

/// Returns when the first of these slots has cooled down, Unix µs, among free slots whose
/// high-water mark is not before `end_us`.
pub(super) fn cooling_until(slots: &[Slot], now_us: i64, end_us: i64) -> Option<i64> {
    let rests = slots.iter().filter(|slot| !slot.is_held(now_us) && slot.high_water_us >= end_us);
    rests.map(|slot| slot.high_water_us).min()
}

/// Returns the changes that replace these slots by a grant.
///
/// The part of the last slot that the grant leaves over stays free, with the slot's fence and
/// high-water mark.
pub(super) fn take(taken: &[Slot], granted: Slot) -> Changes {
    let rest = taken.last().filter(|last| last.nodes.end > granted.nodes.end);
    let rest = rest.map(|last| Slot { nodes: granted.nodes.end..last.nodes.end, ..last.clone() });
    let removed = taken.iter().map(|slot| slot.nodes.start).filter(|start| *start != granted.nodes.start).collect();
    Changes { removed, put: std::iter::once(granted).chain(rest).collect(), quarantine_until_us: None }
}
