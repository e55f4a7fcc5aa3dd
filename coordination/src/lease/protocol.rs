//! The rules by which stores decide about leases, as pure functions over a store's state.
//!
//! Every store follows them, in a transaction of its own. Redis runs them on the server, as a
//! script.
//!
//! Each rule keeps two rectangles apart:
//! - A lease begins at or after its slot's high-water mark.
//! - Only the holder of the current fence renews a lease, and only before the lease ends.
//! - A release sets the high-water mark to the end of the last reserved tick, even if the store
//!   lost a renewal.
//! - A store that has lost changes which a holder saw grants nothing until every lease that it can
//!   have lost has ended.

use super::free::{self, Free};
pub use super::messages::{Acquire, Changes, Decision, Grant, LastSeen, Release, Renew, View};
use super::refusal::{Seconds, check_ttl, clock_skew, full, lost, quarantined};
use super::terms::MAX_TTL_S;
use super::{MAX_NODES_AT_ONCE, Slot, SlotKey};
use crate::Error;
use saiban::ErrorKind;

/// Checks the number of nodes and the ttl of a request, without the store's state.
///
/// # Errors
/// `InvalidArgument` for nodes outside 1 to 65,536, or a ttl of less than a millisecond.
pub fn check_request(nodes: i64, ttl_us: i64) -> Result<(), Error> {
    if !(1..=MAX_NODES_AT_ONCE).contains(&nodes) {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("{nodes} nodes cannot be leased at once: ask for 1 to {MAX_NODES_AT_ONCE}"),
        ));
    }
    if ttl_us < 1_000 {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("a lease of {} is over before it is used: give a ttl of a second or more", Seconds(ttl_us)),
        ));
    }
    Ok(())
}

/// Decides a request for nodes, for IDs of this fingerprint.
///
/// An invalid request is refused as such, before the namespace's state is considered.
///
/// The reply is `NamespaceFull` if no run of free nodes is wide enough. It can also be
/// `NamespaceFull` if the view lacks some of the free slots; the store then decides again with all
/// of them.
#[must_use]
pub fn acquire(view: &View<'_>, fingerprint: &str, request: &Acquire) -> Decision<Grant> {
    granted(view, fingerprint, request, |end_us| free::find(view.slots, request.nodes, view.now_us, end_us))
}

/// Decides like [`acquire`], but takes any free nodes that `random` chooses, so that concurrent
/// callers choose different ones. A slot may be divided in three, which leaves the others more
/// slots to choose from.
#[must_use]
pub fn acquire_anywhere(view: &View<'_>, fingerprint: &str, request: &Acquire, random: i64) -> Decision<Grant> {
    granted(view, fingerprint, request, |end_us| {
        free::anywhere(view.slots, request.nodes, view.now_us, random)
            .or_else(|| free::find(view.slots, request.nodes, view.now_us, end_us))
    })
}

/// Decides a request. `choose` returns free nodes for a lease that ends at this time.
fn granted(
    view: &View<'_>,
    fingerprint: &str,
    request: &Acquire,
    choose: impl FnOnce(i64) -> Option<Free>,
) -> Decision<Grant> {
    let (namespace, now_us) = (view.namespace, view.now_us);
    if let Err(error) = check_request(request.nodes, request.ttl_us) {
        return Decision::no(error);
    }
    if let Err(error) = namespace.check(view.name, fingerprint) {
        return Decision::no(error);
    }
    // Checked before the limits, because a namespace that was lost and created again may have lower
    // ones.
    if let Some(seen) = request.seen.as_ref().filter(|seen| is_behind(view, seen)) {
        return quarantine(view, seen, request.ttl_us);
    }
    if now_us < namespace.quarantine_until_us {
        return Decision::no(quarantined(view, namespace.quarantine_until_us));
    }
    if let Err(error) = check_ttl(view, request.ttl_us) {
        return Decision::no(error);
    }
    let skew_us = request.clock_us.abs_diff(now_us);
    if skew_us > request.max_clock_skew_us.unsigned_abs() {
        return Decision::no(clock_skew(view, request));
    }
    let end_us = now_us + request.ttl_us;
    let Some(Free { slots, nodes }) = choose(end_us) else {
        return Decision::no(full(view, request.nodes, free::cooling_until(view.slots, now_us, end_us)));
    };
    let taken = &view.slots[slots];
    let high_water_us = taken.iter().map(|slot| slot.high_water_us).max().unwrap_or(0);
    let fence = taken.iter().map(|slot| slot.fence).max().unwrap_or(0) + 1;
    let start_us = now_us.max(high_water_us);
    let (token, holder) = (request.token, request.holder.clone());
    let granted = Slot { nodes, fence, token, start_us, end_us, high_water_us: end_us, holder };
    let key = granted.key();
    let changes = free::take(taken, granted);
    Decision::yes(Grant { incarnation: namespace.incarnation, key, start_us, end_us, now_us }, changes)
}

/// Decides a renewal, by compare-and-swap on fence and end.
///
/// An equal fence with a later end means that the reply to an earlier renewal was lost.
#[must_use]
pub fn renew(view: &View<'_>, request: &Renew) -> Decision<Grant> {
    let Renew { seen, ttl_us } = request;
    if let Err(error) = check_request(1, *ttl_us) {
        return Decision::no(error);
    }
    if is_behind(view, seen) {
        return quarantine(view, seen, *ttl_us);
    }
    let now_us = view.now_us;
    let Some(slot) = view.slots.iter().find(|slot| slot.key() == seen.key) else {
        return Decision::no(lost(view, &seen.key));
    };
    // An ended lease is never renewed, even if its slot is free in this view: another replica of
    // the store may have granted it again.
    if !slot.is_held(now_us) {
        return Decision::no(lost(view, &seen.key));
    }
    if let Err(error) = check_ttl(view, *ttl_us) {
        return Decision::no(error);
    }
    let grant = |slot: &Slot| Grant {
        incarnation: view.namespace.incarnation,
        key: slot.key(),
        start_us: slot.start_us,
        end_us: slot.end_us,
        now_us,
    };
    if slot.end_us > seen.end_us {
        return Decision::yes(grant(slot), Changes::default());
    }
    let end_us = slot.end_us.max(now_us + ttl_us);
    let renewed = Slot { end_us, high_water_us: end_us, ..slot.clone() };
    Decision::yes(grant(&renewed), Changes { put: vec![renewed], ..Changes::default() })
}

/// Decides a release. The next lease may begin right after the last reserved tick.
///
/// Releasing a lease that the caller no longer holds is not an error: its nodes are free already,
/// or another holder's.
#[must_use]
pub fn release(view: &View<'_>, request: &Release) -> Decision<()> {
    let Some(slot) = view.slots.iter().find(|slot| slot.key() == request.key) else {
        return Decision::yes((), Changes::default());
    };
    // The mark may lie after the slot's end, if the store was restored from a backup and lost a
    // renewal. It cannot lie after the end of the longest possible lease: the holder's data may be
    // corrupt.
    let most_us = slot.high_water_us.max(latest_end(view));
    let high_water_us = request.high_water_us.clamp(slot.start_us, most_us.max(slot.start_us));
    let freed = Slot { fence: slot.fence + 1, end_us: 0, high_water_us, ..slot.clone() };
    Decision::yes((), Changes { put: vec![freed], ..Changes::default() })
}

/// Puts a namespace in quarantine, for an operator who restored the store from a backup.
///
/// Nothing is granted until every lease that the store can have lost has ended. The reply is that
/// time, Unix µs.
#[must_use]
pub fn quarantine_by_hand(view: &View<'_>) -> Decision<i64> {
    let until_us = quarantine_end(view);
    Decision::yes(until_us, Changes { quarantine_until_us: Some(until_us), ..Changes::default() })
}

/// Returns the first node that a new namespace grants, from a random number of 63 bits.
///
/// The node lies in the upper half, so the slot that begins there is the narrower one, and is
/// granted first.
#[must_use]
pub fn first_node(nodes: i64, random: i64) -> i64 {
    let first = random.rem_euclid(nodes);
    let first = first.max(nodes - first);
    // Of two slots of equal width, the lower one would be granted first.
    if first == nodes - first { (first + 1) % nodes } else { first % nodes }
}

/// Returns the slots of a new namespace: all nodes, split at `first`.
#[must_use]
pub fn first_slots(nodes: i64, first: i64) -> Vec<Slot> {
    [0..first, first..nodes].into_iter().filter(|nodes| !nodes.is_empty()).map(Slot::unused).collect()
}

/// Returns whether the store lost changes that a holder saw, and is not in quarantine for them yet.
///
/// A quarantine is for all leases that end no later than it does.
pub(crate) fn is_behind(view: &View<'_>, seen: &LastSeen) -> bool {
    if seen.end_us <= view.namespace.quarantine_until_us {
        return false;
    }
    if view.namespace.incarnation != seen.incarnation {
        return true;
    }
    let SlotKey { nodes, fence, token } = &seen.key;
    let of_node = view.slots.iter().find(|slot| slot.nodes.contains(&nodes.start));
    of_node.is_some_and(|slot| {
        slot.fence < *fence
            || slot.fence == *fence && (slot.token != *token || slot.key() == seen.key && slot.end_us < seen.end_us)
    })
}

/// Returns the latest end of a lease that any namespace can have granted by now, Unix µs.
fn latest_end(view: &View<'_>) -> i64 {
    view.now_us.saturating_add(MAX_TTL_S * 1_000_000)
}

fn quarantine_end(view: &View<'_>) -> i64 {
    view.namespace.quarantine_until_us.max(view.now_us + view.namespace.max_ttl_us)
}

/// Starts a quarantine until every lease that the store can have lost has ended, and refuses the
/// request.
///
/// The namespace may have been created again with a lower maximum ttl. So the quarantine lasts at
/// least until `seen` ends, and at least for `ttl_us`, which other holders may have been granted
/// too. It is never longer than the longest possible lease: the holder's data may be corrupt.
fn quarantine<T>(view: &View<'_>, seen: &LastSeen, ttl_us: i64) -> Decision<T> {
    let seen_us = seen.end_us.min(latest_end(view));
    let others_us = view.now_us.saturating_add(ttl_us).min(latest_end(view));
    let until_us = quarantine_end(view).max(seen_us).max(others_us);
    Decision {
        answer: Err(quarantined(view, until_us)),
        changes: Changes { quarantine_until_us: Some(until_us), ..Changes::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lease::{Namespace, Terms};
    use saiban::{Layout, Scheme};

    #[test]
    fn a_new_namespace_begins_with_the_random_node() {
        for bits in 1..=10 {
            let layout = Layout::from_text(&format!("timestamp:41 node:{bits} sequence:12")).expect("a layout");
            let terms = Terms::new("new", Scheme::Flake, &layout, None, 60).expect("terms");
            let namespace = Namespace::of(&terms, 1);
            let mut seen = std::collections::BTreeSet::new();
            for random in 0..terms.nodes() {
                let first = first_node(terms.nodes(), random);
                let slots = first_slots(terms.nodes(), first);
                let view = View { name: "new", namespace: &namespace, slots: &slots, now_us: 1_000_000 };
                let holder = String::new();
                let request = Acquire {
                    nodes: 1,
                    ttl_us: 1_000_000,
                    holder,
                    token: 1,
                    clock_us: 1_000_000,
                    max_clock_skew_us: 0,
                    seen: None,
                };
                let grant = acquire(&view, &namespace.fingerprint, &request).answer.expect("room");
                assert_eq!(grant.key.nodes, first..first + 1);
                seen.insert(first);
            }
            assert!(seen.len() as i64 >= terms.nodes() / 2 - 1, "about half of the nodes: {seen:?}");
        }
    }

    /// Returns the decisions about a renewal and a request from a holder whose lease of a minute
    /// the store lost. The lease ends in `ends_in_us`.
    fn after_a_loss(max_ttl_s: i64, ends_in_us: i64) -> (Decision<Grant>, Decision<Grant>) {
        let layout = Layout::from_text("timestamp:41 node:3 sequence:12").expect("a layout");
        let terms = Terms::new("again", Scheme::Flake, &layout, None, max_ttl_s).expect("terms");
        let (namespace, slots) = (Namespace::of(&terms, 2), first_slots(8, 0));
        let view = View { name: "again", namespace: &namespace, slots: &slots, now_us: NOW_US };
        let key = SlotKey { nodes: 0..1, fence: 1, token: 1 };
        let seen = LastSeen { incarnation: 1, key, end_us: NOW_US.saturating_add(ends_in_us) };
        let renewal = renew(&view, &Renew { seen: seen.clone(), ttl_us: MINUTE_US });
        let request = Acquire {
            nodes: 1,
            ttl_us: MINUTE_US,
            holder: String::new(),
            token: 2,
            clock_us: NOW_US,
            max_clock_skew_us: 0,
            seen: Some(seen),
        };
        (renewal, acquire(&view, terms.fingerprint(), &request))
    }

    #[test]
    fn an_invalid_request_is_refused_as_such_whatever_its_ids() {
        let layout = Layout::from_text("timestamp:41 node:3 sequence:12").expect("a layout");
        let terms = Terms::new("senses", Scheme::Flake, &layout, None, 60).expect("terms");
        let (namespace, slots) = (Namespace::of(&terms, 1), first_slots(8, 0));
        let view = View { name: "senses", namespace: &namespace, slots: &slots, now_us: NOW_US };
        let decided = |fingerprint: &str, nodes: i64, ttl_us: i64| {
            let holder = String::new();
            let request =
                Acquire { nodes, ttl_us, holder, token: 1, clock_us: NOW_US, max_clock_skew_us: 0, seen: None };
            acquire(&view, fingerprint, &request).answer.map_err(|error| error.kind())
        };
        for (nodes, ttl_us) in [(0, MINUTE_US), (1, -13_140_166), (MAX_NODES_AT_ONCE + 1, 0)] {
            for fingerprint in [terms.fingerprint(), "another"] {
                assert_eq!(decided(fingerprint, nodes, ttl_us), Err(ErrorKind::InvalidArgument), "{nodes} {ttl_us}");
            }
        }
        assert_eq!(decided("another", 1, MINUTE_US), Err(ErrorKind::NamespaceMismatch));
        decided(terms.fingerprint(), 1, MINUTE_US).expect("a grant");
    }

    #[test]
    fn nodes_anywhere_leave_the_rest_of_their_slot() {
        let layout = Layout::from_text("timestamp:41 node:3 sequence:12").expect("a layout");
        let terms = Terms::new("anywhere", Scheme::Flake, &layout, None, 60).expect("terms");
        let namespace = Namespace::of(&terms, 1);
        let used = |nodes| Slot { fence: 5, high_water_us: NOW_US - 1, ..Slot::unused(nodes) };
        let held = Slot { fence: 7, end_us: NOW_US + 1, high_water_us: NOW_US + 1, ..Slot::unused(3..4) };
        let slots = [used(0..3), held.clone(), used(4..8)];
        let view = View { name: "anywhere", namespace: &namespace, slots: &slots, now_us: NOW_US };
        let first_nodes_of = |nodes: i64| {
            let mut firsts = std::collections::BTreeSet::new();
            for random in 0..60 {
                let request = Acquire {
                    nodes,
                    ttl_us: MINUTE_US,
                    holder: String::new(),
                    token: 1,
                    clock_us: NOW_US,
                    max_clock_skew_us: 0,
                    seen: None,
                };
                let Decision { answer, changes } = acquire_anywhere(&view, terms.fingerprint(), &request, random);
                let Ok(grant) = answer else { continue };
                assert_eq!((grant.key.nodes.end - grant.key.nodes.start, grant.key.fence), (nodes, 6));
                let is_old = |slot: &&Slot| {
                    !changes.removed.contains(&slot.nodes.start)
                        && !changes.put.iter().any(|put| put.nodes.start == slot.nodes.start)
                };
                let mut after: Vec<Slot> = slots.iter().filter(is_old).chain(&changes.put).cloned().collect();
                after.sort_by_key(|slot| slot.nodes.start);
                let mut next = 0;
                for slot in &after {
                    assert_eq!(slot.nodes.start, next, "{after:?}");
                    next = slot.nodes.end;
                    assert!(*slot == held || slot.key() == grant.key || *slot == used(slot.nodes.clone()), "{slot:?}");
                }
                assert_eq!(next, 8);
                firsts.insert(grant.key.nodes.start);
            }
            firsts
        };
        assert_eq!(first_nodes_of(1), [0, 1, 2, 4, 5, 6, 7].into());
        assert_eq!(first_nodes_of(2), [0, 4, 6].into());
        assert_eq!(first_nodes_of(3), [0, 4].into());
        assert_eq!(first_nodes_of(5), [].into());
    }

    const NOW_US: i64 = 1_800_000_000_000_000;
    const MINUTE_US: i64 = 60_000_000;

    #[test]
    fn a_quarantine_lasts_until_every_lease_that_may_be_lost_is_over() {
        let month_us = MAX_TTL_S * 1_000_000;
        for (max_ttl_s, ends_in_us, lasts_us) in [
            (3_600, MINUTE_US, 3_600_000_000),
            // Created again with a lower maximum ttl: the holder that reports the loss may not hold
            // the newest lease.
            (2, MINUTE_US, MINUTE_US),
            (2, 1_000_000, MINUTE_US),
            (2, 10 * MINUTE_US, 10 * MINUTE_US),
            (2, i64::MAX, month_us),
        ] {
            let (renewal, acquired) = after_a_loss(max_ttl_s, ends_in_us);
            for decision in [renewal, acquired] {
                let kind = decision.answer.expect_err("a refusal").kind();
                assert_eq!(kind, ErrorKind::NamespaceQuarantined, "{max_ttl_s} {ends_in_us}");
                assert_eq!(decision.changes.quarantine_until_us, Some(NOW_US + lasts_us), "{max_ttl_s} {ends_in_us}");
            }
        }
    }
}
