//! The guarantees of every store: `promises!(subject)` makes a test of each guarantee, for the
//! store that the function `subject` returns. Each test has its own namespaces, so they can run
//! concurrently on one server.
//!
//! Time is the store's: the suite waits until the store's time passes the end of a lease.

#[path = "../answered/mod.rs"]
mod answered;

pub use answered::answered;
use saiban::{ErrorKind, Layout, Scheme};
use saiban_coordination::Error;
use saiban_coordination::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use saiban_coordination::lease::{Namespace, Slot, SlotKey, Terms};
use saiban_coordination::store::{Listing, Store};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// This is enough for two calls on a slow machine, and short enough to wait for.
const SHORT_US: i64 = 1_500_000;
const LONG_US: i64 = 600_000_000;

/// A store, and a way to advance its time.
pub struct Subject {
    pub store: Arc<dyn Store>,
    /// Opens the store once more, as another process would.
    pub another: Box<dyn Fn() -> Arc<dyn Store>>,
    /// Waits until the store's time has advanced by this much; a real server's time advances by
    /// itself.
    pub pass: Box<dyn Fn(Duration)>,
}

/// Returns the terms of a namespace of eight nodes that no other test uses.
pub fn terms(name: &str) -> Terms {
    with_nodes(name, 3)
}

fn with_nodes(name: &str, node_bits: u32) -> Terms {
    let text = format!("timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:12");
    let layout = Layout::from_text(&text).expect("a layout");
    Terms::new(name, Scheme::Flake, &layout, None, 3_600).expect("terms")
}

fn token() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Subject {
    async fn create(&self, name: &str) -> Terms {
        let terms = terms(name);
        self.store.create(&terms).await.expect("a new namespace");
        terms
    }

    async fn request(&self, terms: &Terms, nodes: i64, ttl_us: i64) -> Acquire {
        let now_us = self.store.list(terms.name()).await.expect("a listing").now_us;
        let holder = "conformance".to_owned();
        Acquire { nodes, ttl_us, holder, token: token(), clock_us: now_us, max_clock_skew_us: 10_000_000, seen: None }
    }

    async fn acquire(&self, terms: &Terms, nodes: i64, ttl_us: i64) -> Result<Grant, Error> {
        let request = self.request(terms, nodes, ttl_us).await;
        self.store.acquire(terms.name(), terms.fingerprint(), &request).await
    }

    async fn list(&self, terms: &Terms) -> Listing {
        self.store.list(terms.name()).await.expect("a listing")
    }

    async fn until(&self, terms: &Terms, time_us: i64) {
        loop {
            let left_us = time_us - self.list(terms).await.now_us;
            let Some(left_us) = u64::try_from(left_us).ok().filter(|left| *left > 0) else { return };
            (self.pass)(Duration::from_micros(left_us.max(1_000)));
            tokio::time::sleep(Duration::from_millis(if left_us > 1_000_000 { 200 } else { 20 })).await;
        }
    }
}

fn seen(grant: &Grant) -> LastSeen {
    LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us }
}

fn renewal(grant: &Grant, ttl_us: i64) -> Renew {
    Renew { seen: seen(grant), ttl_us }
}

fn kind<T: std::fmt::Debug>(answer: Result<T, Error>) -> ErrorKind {
    answer.expect_err("a refusal").kind()
}

fn slot_of(listing: &Listing, node: i64) -> &Slot {
    listing.slots.iter().find(|slot| slot.nodes.contains(&node)).expect("every node has a slot")
}

/// Makes a test of each guarantee, for the store that this function returns.
macro_rules! promises {
    ($subject:path) => {
        conformance::promises! { $subject:
            an_unknown_namespace_is_refused,
            a_namespace_is_created_once_and_keeps_its_terms,
            a_namespace_created_by_many_at_the_same_time_is_created_once,
            slots_divide_all_nodes,
            simultaneous_leases_have_different_nodes,
            a_full_namespace_refuses_and_grants_again_when_a_lease_is_released,
            the_next_lease_begins_after_the_reserved_time,
            a_slot_cools_down_no_longer_than_the_longest_lease,
            the_nodes_of_an_ended_lease_are_granted_again_from_its_end,
            an_ended_lease_is_not_renewed,
            a_renewal_extends_the_lease_and_a_repeated_one_changes_nothing,
            a_released_lease_is_not_renewed,
            another_token_is_another_lease,
            wide_leases_join_free_neighbours,
            a_clock_with_too_much_skew_is_refused_and_takes_no_nodes,
            a_ttl_beyond_the_terms_is_refused,
            a_store_that_lost_a_lease_grants_nothing,
            a_namespace_created_again_with_shorter_leases_waits_for_the_lost_ones,
            a_quarantine_by_hand_lets_holders_renew,
            numbers_are_exact_to_the_last_bit,
            concurrent_callers_get_different_nodes,
        }
    };
    ($subject:path: $($name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                conformance::$name(&$subject().await).await;
            }
        )+
    };
}
pub(crate) use promises;

pub async fn an_unknown_namespace_is_refused(subject: &Subject) {
    let request = Acquire {
        nodes: 1,
        ttl_us: LONG_US,
        holder: String::new(),
        token: 1,
        clock_us: 0,
        max_clock_skew_us: i64::MAX,
        seen: None,
    };
    let key = SlotKey { nodes: 0..1, fence: 1, token: 1 };
    let renew = Renew { seen: LastSeen { incarnation: 1, key: key.clone(), end_us: 1 }, ttl_us: LONG_US };
    let release = Release { key, high_water_us: 0 };
    let unknown = ErrorKind::NamespaceUnknown;
    assert_eq!(kind(subject.store.acquire("nobody", "x", &request).await), unknown);
    assert_eq!(kind(subject.store.renew("nobody", &renew).await), unknown);
    assert_eq!(kind(subject.store.release("nobody", &release).await), unknown);
    assert_eq!(kind(subject.store.list("nobody").await), unknown);
    assert_eq!(kind(subject.store.quarantine("nobody").await), unknown);
}

pub async fn a_namespace_is_created_once_and_keeps_its_terms(subject: &Subject) {
    let terms = subject.create("once").await;
    let first: Namespace = subject.list(&terms).await.namespace;
    assert_eq!((first.fingerprint.as_str(), first.nodes, first.max_ttl_us), (terms.fingerprint(), 8, 3_600_000_000));
    assert_eq!(subject.store.create(&terms).await.expect("the same again"), first);
    let other = with_nodes("once", 4);
    assert_eq!(kind(subject.store.create(&other).await), ErrorKind::NamespaceMismatch);
    assert_eq!(kind(subject.acquire(&other, 1, LONG_US).await), ErrorKind::NamespaceMismatch);
    assert_eq!(subject.list(&terms).await.namespace, first, "refusals change nothing");
}

pub async fn a_namespace_created_by_many_at_the_same_time_is_created_once(subject: &Subject) {
    for round in 0..4 {
        let terms = terms(&format!("at-once-{round}"));
        let make = |store: Arc<dyn Store>| {
            let terms = terms.clone();
            tokio::spawn(async move { answered(|| store.create(&terms)).await.expect("a namespace").incarnation })
        };
        let made: Vec<_> = (0..8).map(|_| make((subject.another)())).collect();
        let mut incarnations = BTreeSet::new();
        for one in made {
            incarnations.insert(one.await.expect("an answer"));
        }
        assert_eq!(incarnations.len(), 1);
    }
}

pub async fn slots_divide_all_nodes(subject: &Subject) {
    let terms = subject.create("divide").await;
    for nodes in [1, 3, 2] {
        let _ = subject.acquire(&terms, nodes, LONG_US).await;
        let slots = subject.list(&terms).await.slots;
        let mut next = 0;
        for slot in slots {
            assert_eq!(slot.nodes.start, next, "no gap and no overlap");
            assert!(!slot.nodes.is_empty());
            next = slot.nodes.end;
        }
        assert_eq!(next, 8);
    }
}

pub async fn simultaneous_leases_have_different_nodes(subject: &Subject) {
    let terms = subject.create("own").await;
    let mut taken = BTreeSet::new();
    for nodes in [1, 2, 1] {
        let grant = subject.acquire(&terms, nodes, LONG_US).await.expect("room");
        assert_eq!(grant.key.nodes.end - grant.key.nodes.start, nodes);
        assert_eq!(grant.end_us - grant.now_us, LONG_US);
        assert!(grant.start_us >= grant.now_us);
        for node in grant.key.nodes.clone() {
            assert!((0..8).contains(&node) && taken.insert(node), "node {node} was granted twice");
        }
        let listing = subject.list(&terms).await;
        let slot = slot_of(&listing, grant.key.nodes.start);
        assert_eq!((slot.key(), slot.start_us, slot.end_us), (grant.key, grant.start_us, grant.end_us));
        assert_eq!((slot.high_water_us, slot.holder.as_str()), (grant.end_us, "conformance"));
    }
}

pub async fn a_full_namespace_refuses_and_grants_again_when_a_lease_is_released(subject: &Subject) {
    let terms = subject.create("full").await;
    let mut grants = Vec::new();
    for _ in 0..8 {
        grants.push(subject.acquire(&terms, 1, LONG_US).await.expect("room"));
    }
    assert_eq!(kind(subject.acquire(&terms, 1, LONG_US).await), ErrorKind::NamespaceFull);
    let back = &grants[3];
    let release = Release { key: back.key.clone(), high_water_us: 0 };
    subject.store.release(terms.name(), &release).await.expect("given back");
    let again = subject.acquire(&terms, 1, LONG_US).await.expect("room again");
    assert_eq!(again.key.nodes, back.key.nodes);
    assert!(again.key.fence > back.key.fence);
}

pub async fn the_next_lease_begins_after_the_reserved_time(subject: &Subject) {
    let terms = subject.create("reserved").await;
    let grants = subject.acquire(&terms, 8, LONG_US).await.expect("all nodes");
    // The reserved time is ahead of the store's, as with a holder whose clock is ahead.
    let high_water_us = grants.now_us + 60_000_000;
    let release = Release { key: grants.key.clone(), high_water_us };
    subject.store.release(terms.name(), &release).await.expect("given back");
    let next = subject.acquire(&terms, 8, LONG_US).await.expect("all nodes");
    assert_eq!(next.start_us, high_water_us);
    // The reserved time exceeds the end that the store knows, as after a restore that lost a
    // renewal.
    let release = Release { key: next.key.clone(), high_water_us: next.end_us + 1_000_000 };
    subject.store.release(terms.name(), &release).await.expect("given back");
    let listing = subject.list(&terms).await;
    assert_eq!(slot_of(&listing, 0).high_water_us, next.end_us + 1_000_000);
    // A repeated or late release changes nothing.
    subject.store.release(terms.name(), &Release { key: grants.key, high_water_us: 0 }).await.expect("no error");
    assert_eq!(subject.list(&terms).await.slots, listing.slots);
}

pub async fn a_slot_cools_down_no_longer_than_the_longest_lease(subject: &Subject) {
    let terms = subject.create("damaged").await;
    let grant = subject.acquire(&terms, 8, LONG_US).await.expect("all nodes");
    subject
        .store
        .release(terms.name(), &Release { key: grant.key, high_water_us: i64::MAX })
        .await
        .expect("given back");
    let listing = subject.list(&terms).await;
    let cooling_us = slot_of(&listing, 0).high_water_us - listing.now_us;
    assert!(
        cooling_us <= 30 * 86_400_000_000 && cooling_us > 30 * 86_400_000_000 - 60_000_000,
        "{cooling_us}: no longer than any lease"
    );
    let error = subject.acquire(&terms, 1, LONG_US).await.expect_err("all rest");
    assert_eq!(error.kind(), ErrorKind::NamespaceFull);
    assert!(error.to_string().contains("cooling down, the first for another 259"), "{error}");
}

pub async fn the_nodes_of_an_ended_lease_are_granted_again_from_its_end(subject: &Subject) {
    let terms = subject.create("over").await;
    let first = subject.acquire(&terms, 8, SHORT_US).await.expect("all nodes");
    assert_eq!(kind(subject.acquire(&terms, 1, LONG_US).await), ErrorKind::NamespaceFull);
    subject.until(&terms, first.end_us).await;
    let second = subject.acquire(&terms, 8, LONG_US).await.expect("all nodes again");
    assert!(second.start_us >= first.end_us, "half-open intervals that meet do not overlap");
    assert!(second.key.fence > first.key.fence);
    assert_eq!(kind(subject.store.renew(terms.name(), &renewal(&first, LONG_US)).await), ErrorKind::LeaseLost);
    let late = Release { key: first.key, high_water_us: 0 };
    subject.store.release(terms.name(), &late).await.expect("no error");
    let listing = subject.list(&terms).await;
    assert_eq!(slot_of(&listing, 0).key(), second.key, "who is late takes nothing from the next holder");
}

pub async fn an_ended_lease_is_not_renewed(subject: &Subject) {
    let terms = subject.create("late").await;
    let grant = subject.acquire(&terms, 1, SHORT_US).await.expect("room");
    subject.until(&terms, grant.end_us).await;
    assert_eq!(kind(subject.store.renew(terms.name(), &renewal(&grant, LONG_US)).await), ErrorKind::LeaseLost);
}

pub async fn a_renewal_extends_the_lease_and_a_repeated_one_changes_nothing(subject: &Subject) {
    let terms = subject.create("renew").await;
    let grant = subject.acquire(&terms, 2, LONG_US / 2).await.expect("room");
    let renewed = subject.store.renew(terms.name(), &renewal(&grant, LONG_US)).await.expect("renewed");
    assert_eq!((&renewed.key, renewed.start_us), (&grant.key, grant.start_us));
    assert_eq!(renewed.end_us, renewed.now_us + LONG_US);
    // The response was lost: a repeated request returns the same end.
    let again = subject.store.renew(terms.name(), &renewal(&grant, LONG_US)).await.expect("the same");
    assert_eq!(again.end_us, renewed.end_us);
    // A shorter ttl takes back nothing that was granted.
    let shorter = subject.store.renew(terms.name(), &renewal(&renewed, SHORT_US)).await.expect("renewed");
    assert_eq!(shorter.end_us, renewed.end_us);
    let listing = subject.list(&terms).await;
    let slot = slot_of(&listing, grant.key.nodes.start);
    assert_eq!((slot.end_us, slot.high_water_us), (renewed.end_us, renewed.end_us));
}

pub async fn a_released_lease_is_not_renewed(subject: &Subject) {
    let terms = subject.create("back").await;
    let grant = subject.acquire(&terms, 1, LONG_US).await.expect("room");
    let release = Release { key: grant.key.clone(), high_water_us: 0 };
    subject.store.release(terms.name(), &release).await.expect("given back");
    assert_eq!(kind(subject.store.renew(terms.name(), &renewal(&grant, LONG_US)).await), ErrorKind::LeaseLost);
}

pub async fn another_token_is_another_lease(subject: &Subject) {
    let terms = subject.create("token").await;
    let grant = subject.acquire(&terms, 1, LONG_US).await.expect("room");
    let key = SlotKey { token: grant.key.token + 1, ..grant.key.clone() };
    // The store has granted these nodes to another holder under this holder's fence: it has lost
    // the first grant.
    let request = Renew { seen: LastSeen { key: key.clone(), ..seen(&grant) }, ttl_us: LONG_US };
    assert_eq!(kind(subject.store.renew(terms.name(), &request).await), ErrorKind::NamespaceQuarantined);
    subject.store.release(terms.name(), &Release { key, high_water_us: 0 }).await.expect("no error");
    let listing = subject.list(&terms).await;
    assert_eq!(slot_of(&listing, grant.key.nodes.start).key(), grant.key);
}

pub async fn wide_leases_join_free_neighbours(subject: &Subject) {
    let terms = subject.create("wide").await;
    let mut grants = Vec::new();
    for _ in 0..8 {
        grants.push(subject.acquire(&terms, 1, LONG_US).await.expect("room"));
    }
    for grant in grants.iter().filter(|grant| (2..5).contains(&grant.key.nodes.start)) {
        let release = Release { key: grant.key.clone(), high_water_us: 0 };
        subject.store.release(terms.name(), &release).await.expect("given back");
    }
    assert_eq!(kind(subject.acquire(&terms, 4, LONG_US).await), ErrorKind::NamespaceFull);
    let wide = subject.acquire(&terms, 3, LONG_US).await.expect("three neighbours");
    assert_eq!(wide.key.nodes, 2..5);
    let newest = grants.iter().map(|grant| grant.key.fence).max().expect("some");
    assert!(wide.key.fence > newest, "newer than any of the slots that it was joined of");
    assert!(grants.iter().all(|grant| wide.start_us >= grant.start_us));
    let listing = subject.list(&terms).await;
    assert_eq!(listing.slots.len(), 6);
}

pub async fn a_clock_with_too_much_skew_is_refused_and_takes_no_nodes(subject: &Subject) {
    let terms = subject.create("skew").await;
    let slots = subject.list(&terms).await.slots;
    for by_us in [-3_600_000_000, 3_600_000_000] {
        let request = subject.request(&terms, 1, LONG_US).await;
        let request = Acquire { clock_us: request.clock_us + by_us, ..request };
        let answer = subject.store.acquire(terms.name(), terms.fingerprint(), &request).await;
        assert_eq!(kind(answer), ErrorKind::ClockSkew);
    }
    assert_eq!(subject.list(&terms).await.slots, slots);
}

pub async fn a_ttl_beyond_the_terms_is_refused(subject: &Subject) {
    let terms = subject.create("ttl").await;
    for ttl_us in [0, -1, terms.max_ttl_us() + 1, i64::MAX] {
        assert_eq!(kind(subject.acquire(&terms, 1, ttl_us).await), ErrorKind::InvalidArgument, "{ttl_us}");
    }
    for nodes in [0, -1, i64::MIN, 65_537] {
        assert_eq!(kind(subject.acquire(&terms, nodes, LONG_US).await), ErrorKind::InvalidArgument, "{nodes}");
    }
    let grant = subject.acquire(&terms, 1, terms.max_ttl_us()).await.expect("the longest");
    let longer = renewal(&grant, terms.max_ttl_us() + 1);
    assert_eq!(kind(subject.store.renew(terms.name(), &longer).await), ErrorKind::InvalidArgument);
}

pub async fn a_store_that_lost_a_lease_grants_nothing(subject: &Subject) {
    type Loss = fn(&mut LastSeen);
    let forgotten: [(&str, Loss); 3] = [
        ("forgot-fence", |seen| seen.key.fence += 1),
        ("forgot-end", |seen| seen.end_us += 1_000_000),
        ("forgot-all", |seen| seen.incarnation ^= 1),
    ];
    for (name, change) in forgotten {
        let terms = subject.create(name).await;
        let grant = subject.acquire(&terms, 1, LONG_US).await.expect("room");
        let bystander = subject.acquire(&terms, 1, LONG_US).await.expect("room");
        let mut newer = seen(&grant);
        change(&mut newer);
        let request = Renew { seen: newer.clone(), ttl_us: LONG_US };
        let quarantined = ErrorKind::NamespaceQuarantined;
        assert_eq!(kind(subject.store.renew(terms.name(), &request).await), quarantined, "{name}");
        let listing = subject.list(&terms).await;
        let until_us = listing.namespace.quarantine_until_us;
        assert!((until_us - listing.now_us - terms.max_ttl_us()).abs() < 60_000_000, "one longest lease from now");
        assert_eq!(kind(subject.acquire(&terms, 1, LONG_US).await), quarantined, "{name}");
        // Holders that the store knows keep their leases.
        subject.store.renew(terms.name(), &renewal(&bystander, LONG_US)).await.expect("renewed");
        // A repeated report does not lengthen the quarantine.
        let request = Acquire { seen: Some(newer), ..subject.request(&terms, 1, LONG_US).await };
        let answer = subject.store.acquire(terms.name(), terms.fingerprint(), &request).await;
        assert_eq!(kind(answer), quarantined, "{name}");
        assert_eq!(subject.list(&terms).await.namespace.quarantine_until_us, until_us, "{name}");
    }
    // A request for a new lease with this observation starts a quarantine too.
    let terms = subject.create("forgot-before").await;
    let grant = subject.acquire(&terms, 1, LONG_US).await.expect("room");
    let mut newer = seen(&grant);
    newer.key.fence += 1;
    let request = Acquire { seen: Some(newer), ..subject.request(&terms, 1, LONG_US).await };
    let answer = subject.store.acquire(terms.name(), terms.fingerprint(), &request).await;
    assert_eq!(kind(answer), ErrorKind::NamespaceQuarantined);
}

pub async fn a_namespace_created_again_with_shorter_leases_waits_for_the_lost_ones(subject: &Subject) {
    // The lost namespace allowed leases of ten minutes; the new one allows two seconds.
    let layout = Layout::from_text("timestamp:41@ms,epoch=2024-01-01 node:3 sequence:12").expect("a layout");
    let before = |now_us: i64, end_us: i64| {
        let key = SlotKey { nodes: 2..3, fence: 5, token: token() };
        LastSeen { incarnation: 1, key, end_us: now_us.saturating_add(end_us) }
    };
    let quarantined = ErrorKind::NamespaceQuarantined;
    for (name, end_us, is_renewal) in [
        ("again-renewed", LONG_US, true),
        ("again-acquired", LONG_US, false),
        // The reported lease ends soon, but another may have been granted after it.
        ("again-soon-over", 5_000_000, true),
        ("again-absurd", i64::MAX, true),
        ("again-absurd-too", i64::MAX, false),
    ] {
        let terms = Terms::new(name, Scheme::Flake, &layout, None, 2).expect("terms");
        subject.store.create(&terms).await.expect("a new namespace");
        let request = subject.request(&terms, 1, LONG_US).await;
        let seen = before(request.clock_us, end_us);
        if is_renewal {
            let request = Renew { seen, ttl_us: LONG_US };
            assert_eq!(kind(subject.store.renew(name, &request).await), quarantined, "{name}");
        } else {
            let request = Acquire { seen: Some(seen), ..request.clone() };
            assert_eq!(kind(subject.store.acquire(name, terms.fingerprint(), &request).await), quarantined, "{name}");
        }
        let Listing { namespace, now_us, .. } = subject.list(&terms).await;
        let until_us = namespace.quarantine_until_us;
        assert!(until_us >= request.clock_us + LONG_US, "{name}: until all that may have been granted is over");
        // A minute is allowed for a slow machine.
        assert!(until_us <= now_us + 30 * 86_400_000_000 + 60_000_000, "{name}: and no longer than any lease");
        assert_eq!(kind(subject.acquire(&terms, 1, SHORT_US).await), quarantined, "{name}");
    }
}

pub async fn a_quarantine_by_hand_lets_holders_renew(subject: &Subject) {
    let terms = subject.create("hand").await;
    let grant = subject.acquire(&terms, 1, LONG_US).await.expect("room");
    let until_us = subject.store.quarantine(terms.name()).await.expect("a quarantine");
    assert_eq!(subject.list(&terms).await.namespace.quarantine_until_us, until_us);
    assert_eq!(kind(subject.acquire(&terms, 1, LONG_US).await), ErrorKind::NamespaceQuarantined);
    subject.store.renew(terms.name(), &renewal(&grant, LONG_US)).await.expect("renewed");
    let release = Release { key: grant.key, high_water_us: 0 };
    subject.store.release(terms.name(), &release).await.expect("given back");
}

pub async fn numbers_are_exact_to_the_last_bit(subject: &Subject) {
    // The namespace has 62 bits of nodes and the token 63 bits: no code may convert them to
    // floating point.
    let layout = Layout::from_text("timestamp:41@ms,epoch=2024-01-01 node:62 sequence:8").expect("a layout");
    let terms = Terms::new("exact", Scheme::Flake, &layout, None, 3_600).expect("terms");
    subject.store.create(&terms).await.expect("a new namespace");
    let token = i64::MAX - 2;
    let request = Acquire { token, ..subject.request(&terms, 3, LONG_US + 1).await };
    let grant = subject.store.acquire(terms.name(), terms.fingerprint(), &request).await.expect("room");
    assert_eq!(grant.key.token, token);
    assert_eq!(grant.key.nodes.end - grant.key.nodes.start, 3);
    let listing = subject.list(&terms).await;
    assert_eq!(listing.namespace.nodes, 1 << 62);
    assert_eq!(slot_of(&listing, grant.key.nodes.start).key(), grant.key);
    assert_eq!(listing.slots.last().map(|slot| slot.nodes.end), Some(1 << 62));
    let high_water_us = grant.start_us + 7;
    subject.store.release(terms.name(), &Release { key: grant.key.clone(), high_water_us }).await.expect("given back");
    let listing = subject.list(&terms).await;
    assert_eq!(slot_of(&listing, grant.key.nodes.start).high_water_us, high_water_us);
}

pub async fn concurrent_callers_get_different_nodes(subject: &Subject) {
    let terms = with_nodes("many", 10);
    subject.store.create(&terms).await.expect("a new namespace");
    let request = subject.request(&terms, 1, LONG_US).await;
    let ask = |_| async {
        let acquire = || async {
            let request = Acquire { token: token(), ..request.clone() };
            subject.store.acquire(terms.name(), terms.fingerprint(), &request).await
        };
        answered(acquire).await.expect("room").key.nodes.start
    };
    let nodes: BTreeSet<i64> = join((0..32).map(ask)).await.into_iter().collect();
    assert_eq!(nodes.len(), 32, "everybody has a node of its own");
}

/// Runs all futures concurrently in one task, and returns their outputs.
async fn join<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        for (future, output) in waiting.iter_mut().filter(|(_, output)| output.is_none()) {
            if let std::task::Poll::Ready(ready) = future.as_mut().poll(context) {
                *output = Some(ready);
            }
        }
        let is_done = waiting.iter().all(|(_, output)| output.is_some());
        if is_done { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, output)| output).collect()
}
