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

/// The number of places in a slot from which [`anywhere`] chooses. It is enough to divide slots for
/// as many callers, and leaves most of a wide slot in one piece.
const PLACES: i64 = 64;

/// Returns `nodes` adjacent free nodes of one slot whose high-water mark has passed. `random`
/// chooses the slot, and the place in it: after 0, 1, 2 … times as many nodes, so that no gap
/// before it is too narrow for a lease of this width.
pub(super) fn anywhere(slots: &[Slot], nodes: i64, now_us: i64, random: i64) -> Option<Free> {
    let fits = |slot: &Slot| !slot.is_held(now_us) && slot.high_water_us <= now_us && slot.width() >= nodes;
    let among: Vec<_> = slots.iter().enumerate().filter(|(_, slot)| fits(slot)).collect();
    let count = i64::try_from(among.len()).ok().filter(|count| *count > 0)?;
    let (index, slot) = among[usize::try_from(random.rem_euclid(count)).ok()?];
    let places = (slot.width() / nodes).min(PLACES);
    let first = slot.nodes.start + nodes * (random / count).rem_euclid(places);
    Some(Free { slots: index..index + 1, nodes: first..first + nodes })
}

/// Returns when the first of these slots has cooled down, Unix µs, among free slots whose
/// high-water mark is not before `end_us`.
pub(super) fn cooling_until(slots: &[Slot], now_us: i64, end_us: i64) -> Option<i64> {
    let rests = slots.iter().filter(|slot| !slot.is_held(now_us) && slot.high_water_us >= end_us);
    rests.map(|slot| slot.high_water_us).min()
}

/// Returns the changes that replace these slots by a grant.
///
/// What the grant leaves over of the first slot and of the last one stays free, with the slot's
/// fence and high-water mark.
pub(super) fn take(taken: &[Slot], granted: Slot) -> Changes {
    let rest = taken.last().filter(|last| last.nodes.end > granted.nodes.end);
    let rest = rest.map(|last| Slot { nodes: granted.nodes.end..last.nodes.end, ..last.clone() });
    let before = taken.first().filter(|first| first.nodes.start < granted.nodes.start);
    let before = before.map(|first| Slot { nodes: first.nodes.start..granted.nodes.start, ..first.clone() });
    let put: Vec<Slot> = std::iter::once(granted).chain(rest).chain(before).collect();
    let is_written = |start: &i64| put.iter().any(|slot| slot.nodes.start == *start);
    let removed = taken.iter().map(|slot| slot.nodes.start).filter(|start| !is_written(start)).collect();
    Changes { removed, put, quarantine_until_us: None }
}
