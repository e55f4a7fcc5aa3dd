//! What a store decides. Pure functions over what it remembers: every store does what these say, in a transaction of its own or,
//! where the server itself computes (Redis), in its server's language.
//!
//! The rules, each of which keeps two rectangles apart:
//! - a lease begins at or after its slot's high water;
//! - a lease is renewed by whoever has its fence, and only before it ends;
//! - what is given back is remembered up to the last tick that was reserved, also where the store has forgotten a renewal;
//! - a store that is behind what a holder has seen grants nothing until all that it can have lost is over.

use super::free::{self, Free};
use super::refusal::{Seconds, check_ttl, clock_skew, full, lost, quarantined};
use super::terms::MOST_TTL_S;
use super::{MOST_NODES_AT_ONCE, Namespace, Slot, SlotKey};
use crate::Error;
use saiban::ErrorKind;

/// What a store remembers of a name space, as far as a decision needs it, and its time.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The name, for messages.
    pub name: &'a str,
    /// The name space.
    pub namespace: &'a Namespace,
    /// Slots in the order of their nodes: for a grant all that nobody has (or some, for a first try); and always the one that holds the first
    /// node of the lease in question, or seen.
    pub slots: &'a [Slot],
    /// The store's time, Unix µs.
    pub now_us: i64,
}

/// A wish for nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Acquire {
    /// How many, next to each other.
    pub nodes: i64,
    /// For how long, µs.
    pub ttl_us: i64,
    /// Who asks, for people.
    pub holder: String,
    /// A number that the holder draws anew for each wish.
    pub token: i64,
    /// The time by the holder's clock, Unix µs.
    pub clock_us: i64,
    /// How far that may be from the store's time, µs.
    pub max_clock_skew_us: i64,
    /// The newest lease that the holder knows of.
    pub seen: Option<Seen>,
}

/// A wish for more time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Renew {
    /// The grant, as the holder has seen it last.
    pub seen: Seen,
    /// For how long from now, µs.
    pub ttl_us: i64,
}

/// A lease as its holder has seen it last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// The name space's incarnation.
    pub incarnation: i64,
    /// The grant.
    pub key: SlotKey,
    /// Its end, Unix µs.
    pub end_us: i64,
}

/// A lease given back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    /// The grant.
    pub key: SlotKey,
    /// The end of the last tick that was reserved, Unix µs; 0 when none was.
    pub high_water_us: i64,
}

/// A rectangle: nodes × [start, end).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grant {
    /// The name space's incarnation.
    pub incarnation: i64,
    /// The grant.
    pub key: SlotKey,
    /// The first time of its IDs, Unix µs.
    pub start_us: i64,
    /// The time after the last of its IDs, Unix µs.
    pub end_us: i64,
    /// The store's time when it was granted, Unix µs.
    pub now_us: i64,
}

/// What a store writes, all or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Slots that are no more, by their first node.
    pub removed: Vec<i64>,
    /// Slots as they are from now on: one whose first node is there already takes its place.
    pub put: Vec<Slot>,
    /// Where the name space goes into quarantine: until when, Unix µs.
    pub quarantine_until_us: Option<i64>,
}

/// What was decided: the answer, and what to write before it is given, which may be something where the answer is no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<T> {
    /// What the holder is told.
    pub answer: Result<T, Error>,
    /// What is written first.
    pub changes: Changes,
}

impl<T> Decision<T> {
    fn no(error: Error) -> Self {
        Decision { answer: Err(error), changes: Changes::default() }
    }

    fn yes(answer: T, changes: Changes) -> Self {
        Decision { answer: Ok(answer), changes }
    }
}

/// Whether a wish makes sense at all, whatever the store has.
///
/// # Errors
/// `InvalidArgument` for nodes outside 1 to 65,536, or a time that is no longer than a millisecond.
pub fn check_wish(nodes: i64, ttl_us: i64) -> Result<(), Error> {
    if !(1..=MOST_NODES_AT_ONCE).contains(&nodes) {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("{nodes} nodes cannot be leased at once: ask for 1 to {MOST_NODES_AT_ONCE}"),
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

/// Grants nodes, for IDs of this fingerprint.
///
/// What makes no sense is refused as such, before anything that the store remembers is held against it. The answer is `NamespaceFull`
/// where no stretch of free nodes is wide enough, and also where some slots were left out of the view and one that is there does not do:
/// then all that are free must be looked at.
#[must_use]
pub fn acquire(view: &View<'_>, fingerprint: &str, wish: &Acquire) -> Decision<Grant> {
    let (namespace, now_us) = (view.namespace, view.now_us);
    if let Err(error) = check_wish(wish.nodes, wish.ttl_us) {
        return Decision::no(error);
    }
    if let Err(error) = namespace.check(view.name, fingerprint) {
        return Decision::no(error);
    }
    // Before the limits: a name space that was lost and made anew may allow less than the holder wants.
    if let Some(seen) = wish.seen.as_ref().filter(|seen| is_behind(view, seen)) {
        return quarantine(view, seen, wish.ttl_us);
    }
    if now_us < namespace.quarantine_until_us {
        return Decision::no(quarantined(view, namespace.quarantine_until_us));
    }
    if let Err(error) = check_ttl(view, wish.ttl_us) {
        return Decision::no(error);
    }
    let skew_us = wish.clock_us.abs_diff(now_us);
    if skew_us > wish.max_clock_skew_us.unsigned_abs() {
        return Decision::no(clock_skew(view, wish));
    }
    let end_us = now_us + wish.ttl_us;
    let Some(Free { slots, nodes }) = free::find(view.slots, wish.nodes, now_us, end_us) else {
        return Decision::no(full(view, wish.nodes, free::rests_until(view.slots, now_us, end_us)));
    };
    let taken = &view.slots[slots];
    let high_water_us = taken.iter().map(|slot| slot.high_water_us).max().unwrap_or(0);
    let fence = taken.iter().map(|slot| slot.fence).max().unwrap_or(0) + 1;
    let start_us = now_us.max(high_water_us);
    let (token, holder) = (wish.token, wish.holder.clone());
    let granted = Slot { nodes, fence, token, start_us, end_us, high_water_us: end_us, holder };
    let key = granted.key();
    let changes = free::take(taken, granted);
    Decision::yes(Grant { incarnation: namespace.incarnation, key, start_us, end_us, now_us }, changes)
}

/// Renews a lease: by compare-and-swap on fence and end. The same fence with a later end is a renewal whose answer was lost.
#[must_use]
pub fn renew(view: &View<'_>, wish: &Renew) -> Decision<Grant> {
    let Renew { seen, ttl_us } = wish;
    if let Err(error) = check_wish(1, *ttl_us) {
        return Decision::no(error);
    }
    if is_behind(view, seen) {
        return quarantine(view, seen, *ttl_us);
    }
    let now_us = view.now_us;
    let Some(slot) = view.slots.iter().find(|slot| slot.key() == seen.key) else {
        return Decision::no(lost(view, &seen.key));
    };
    // Past its end a slot may be anybody's, also where nobody has taken it yet: a copy of the store may know otherwise.
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

/// Takes a lease back. The next one may begin right after the last tick that was reserved.
///
/// What is no longer the giver's is no error: it was to be free, and it is, or is another's.
#[must_use]
pub fn release(view: &View<'_>, wish: &Release) -> Decision<()> {
    let Some(slot) = view.slots.iter().find(|slot| slot.key() == wish.key) else {
        return Decision::yes((), Changes::default());
    };
    // Past the end where the store was put back, and has forgotten a renewal; but not past any lease's: who gives it back may be damaged.
    let most_us = slot.high_water_us.max(latest_end(view));
    let high_water_us = wish.high_water_us.clamp(slot.start_us, most_us.max(slot.start_us));
    let freed = Slot { fence: slot.fence + 1, end_us: 0, high_water_us, ..slot.clone() };
    Decision::yes((), Changes { put: vec![freed], ..Changes::default() })
}

/// What an operator says after putting a store back from a backup: nothing is granted until all that it can have forgotten is over. The
/// answer is until when, Unix µs.
#[must_use]
pub fn quarantine_by_hand(view: &View<'_>) -> Decision<i64> {
    let until_us = quarantine_end(view);
    Decision::yes(until_us, Changes { quarantine_until_us: Some(until_us), ..Changes::default() })
}

/// The node with which a new name space begins, of a drawn number of 63 bits: one of its upper half, so that the slot which begins there is the
/// narrower one and is taken first.
#[must_use]
pub fn first_node(nodes: i64, drawn: i64) -> i64 {
    let first = drawn.rem_euclid(nodes);
    let first = first.max(nodes - first);
    // Of two halves the lower would be taken.
    if first == nodes - first { (first + 1) % nodes } else { first % nodes }
}

/// The slots of a new name space: all nodes, divided at this one, with which it begins.
#[must_use]
pub fn first_slots(nodes: i64, first: i64) -> Vec<Slot> {
    [0..first, first..nodes].into_iter().filter(|nodes| !nodes.is_empty()).map(Slot::unused).collect()
}

/// Whether the store has forgotten what a holder has seen, and nobody has told it yet: all leases that a quarantine is for end before it
/// does, or with it.
pub(crate) fn is_behind(view: &View<'_>, seen: &Seen) -> bool {
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

/// When the longest lease ends that any name space may have granted by now.
fn latest_end(view: &View<'_>) -> i64 {
    view.now_us.saturating_add(MOST_TTL_S * 1_000_000)
}

fn quarantine_end(view: &View<'_>) -> i64 {
    view.namespace.quarantine_until_us.max(view.now_us + view.namespace.max_ttl_us)
}

/// Until all is over that the store can have forgotten. It may have been made anew with a shorter longest lease: so at least until the
/// lease is over that was seen, and what others may have been granted for as long. No longer than any lease: who asks may be damaged.
fn quarantine<T>(view: &View<'_>, seen: &Seen, ttl_us: i64) -> Decision<T> {
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
    use crate::lease::Terms;
    use saiban::{Layout, Scheme};

    #[test]
    fn a_new_name_space_begins_with_the_node_that_was_drawn() {
        for bits in 1..=10 {
            let layout = Layout::from_text(&format!("timestamp:41 node:{bits} sequence:12")).expect("a layout");
            let terms = Terms::new("new", Scheme::Flake, &layout, None, 60).expect("terms");
            let namespace = Namespace::of(&terms, 1);
            let mut seen = std::collections::BTreeSet::new();
            for drawn in 0..terms.nodes() {
                let first = first_node(terms.nodes(), drawn);
                let slots = first_slots(terms.nodes(), first);
                let view = View { name: "new", namespace: &namespace, slots: &slots, now_us: 1_000_000 };
                let holder = String::new();
                let wish = Acquire {
                    nodes: 1,
                    ttl_us: 1_000_000,
                    holder,
                    token: 1,
                    clock_us: 1_000_000,
                    max_clock_skew_us: 0,
                    seen: None,
                };
                let grant = acquire(&view, &namespace.fingerprint, &wish).answer.expect("room");
                assert_eq!(grant.key.nodes, first..first + 1);
                seen.insert(first);
            }
            assert!(seen.len() as i64 >= terms.nodes() / 2 - 1, "about half of the nodes: {seen:?}");
        }
    }

    /// What is decided where nothing is known of a lease of a minute, which ends so much later.
    fn after_a_loss(max_ttl_s: i64, ends_in_us: i64) -> (Decision<Grant>, Decision<Grant>) {
        let layout = Layout::from_text("timestamp:41 node:3 sequence:12").expect("a layout");
        let terms = Terms::new("anew", Scheme::Flake, &layout, None, max_ttl_s).expect("terms");
        let (namespace, slots) = (Namespace::of(&terms, 2), first_slots(8, 0));
        let view = View { name: "anew", namespace: &namespace, slots: &slots, now_us: NOW_US };
        let key = SlotKey { nodes: 0..1, fence: 1, token: 1 };
        let seen = Seen { incarnation: 1, key, end_us: NOW_US.saturating_add(ends_in_us) };
        let renewal = renew(&view, &Renew { seen: seen.clone(), ttl_us: MINUTE_US });
        let wish = Acquire {
            nodes: 1,
            ttl_us: MINUTE_US,
            holder: String::new(),
            token: 2,
            clock_us: NOW_US,
            max_clock_skew_us: 0,
            seen: Some(seen),
        };
        (renewal, acquire(&view, terms.fingerprint(), &wish))
    }

    #[test]
    fn a_wish_that_makes_no_sense_is_refused_as_such_whatever_its_ids() {
        let layout = Layout::from_text("timestamp:41 node:3 sequence:12").expect("a layout");
        let terms = Terms::new("senses", Scheme::Flake, &layout, None, 60).expect("terms");
        let (namespace, slots) = (Namespace::of(&terms, 1), first_slots(8, 0));
        let view = View { name: "senses", namespace: &namespace, slots: &slots, now_us: NOW_US };
        let decided = |fingerprint: &str, nodes: i64, ttl_us: i64| {
            let holder = String::new();
            let wish = Acquire { nodes, ttl_us, holder, token: 1, clock_us: NOW_US, max_clock_skew_us: 0, seen: None };
            acquire(&view, fingerprint, &wish).answer.map_err(|error| error.kind())
        };
        for (nodes, ttl_us) in [(0, MINUTE_US), (1, -13_140_166), (MOST_NODES_AT_ONCE + 1, 0)] {
            for fingerprint in [terms.fingerprint(), "another"] {
                assert_eq!(decided(fingerprint, nodes, ttl_us), Err(ErrorKind::InvalidArgument), "{nodes} {ttl_us}");
            }
        }
        assert_eq!(decided("another", 1, MINUTE_US), Err(ErrorKind::NamespaceMismatch));
        decided(terms.fingerprint(), 1, MINUTE_US).expect("a grant");
    }

    const NOW_US: i64 = 1_800_000_000_000_000;
    const MINUTE_US: i64 = 60_000_000;

    #[test]
    fn a_quarantine_lasts_until_all_is_over_that_may_have_been_forgotten() {
        let month_us = MOST_TTL_S * 1_000_000;
        for (max_ttl_s, ends_in_us, lasts_us) in [
            (3_600, MINUTE_US, 3_600_000_000),
            // Made anew, with less: who tells may not be who was granted last.
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
