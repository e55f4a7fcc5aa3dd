//! Random requests: the store must return and store exactly what the protocol decides from its
//! state before.

use saiban_coordination::lease::protocol::{self, Acquire, Decision, Grant, LastSeen, Release, Renew, View};
use saiban_coordination::lease::{Slot, Terms};
use saiban_coordination::store::{Listing, Store};
use saiban_coordination::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// This exceeds the test's duration, so that no lease ends between a listing and a request.
const LONG_US: i64 = 600_000_000;

/// Makes random requests in this many namespaces, one after another.
pub async fn check(store: &Arc<dyn Store>, spaces: u64) {
    let mut granted = 0;
    for space in 0..spaces {
        granted += check_one(store, space).await;
    }
    assert!(granted > 5 * spaces, "{granted} grants in {spaces} namespaces show little");
}

async fn check_one(store: &Arc<dyn Store>, space: u64) -> u64 {
    let terms = crate::conformance::terms(&format!("agreement-{space}"));
    store.create(&terms).await.expect("a namespace");
    let mut random = Random(space);
    let mut grants: Vec<Grant> = Vec::new();
    let mut granted = 0;
    for _ in 0..40 {
        let before = store.list(terms.name()).await.expect("a listing");
        // The grant is one of the newest, which may have ended.
        let back = random.below(5);
        let known = grants.iter().rev().nth(usize::try_from(back).expect("small")).cloned();
        match (random.below(5), known) {
            (0 | 1, _) | (_, None) => {
                let request = random.acquire(&before, grants.last());
                let fingerprint = if random.below(12) == 0 { "another" } else { terms.fingerprint() };
                let answer = store.acquire(terms.name(), fingerprint, &request).await;
                let now_us = answer.as_ref().map_or(before.now_us, |grant| grant.now_us);
                let decide = |view: &View<'_>| protocol::acquire(view, fingerprint, &request);
                compare(store, &terms, before, now_us, &answer, decide).await;
                granted += u64::from(answer.is_ok());
                grants.extend(answer);
            }
            (2 | 3, Some(grant)) => {
                let end_us = grant.end_us - random.one([0, 0, 0, 5]);
                let key = key_of(&grant, &mut random);
                let seen = LastSeen { incarnation: grant.incarnation, key, end_us };
                let request = Renew { seen, ttl_us: LONG_US + random.below(LONG_US) };
                let answer = store.renew(terms.name(), &request).await;
                let now_us = answer.as_ref().map_or(before.now_us, |grant| grant.now_us);
                compare(store, &terms, before, now_us, &answer, |view| protocol::renew(view, &request)).await;
                if let Ok(renewed) = answer {
                    grants
                        .iter_mut()
                        .filter(|grant| grant.key == renewed.key)
                        .for_each(|grant| *grant = renewed.clone());
                }
            }
            (_, Some(grant)) => {
                let reserved_us = random.one([-LONG_US, 0, 1, 1, 1_000_000, 2 * LONG_US]);
                let high_water_us = grant.start_us + reserved_us;
                let request = Release { key: key_of(&grant, &mut random), high_water_us };
                let answer = store.release(terms.name(), &request).await;
                let now_us = before.now_us;
                compare(store, &terms, before, now_us, &answer, |view| protocol::release(view, &request)).await;
            }
        }
    }
    granted
}

/// Returns the grant's key, or sometimes that of an older lease.
fn key_of(grant: &Grant, random: &mut Random) -> saiban_coordination::lease::SlotKey {
    let mut key = grant.key.clone();
    if random.below(8) == 0 {
        // A newer fence would mean that the store has lost leases, and would start a quarantine.
        key.fence -= 1;
    }
    key
}

async fn compare<T: PartialEq + std::fmt::Debug>(
    store: &Arc<dyn Store>,
    terms: &Terms,
    before: Listing,
    now_us: i64,
    answer: &Result<T, Error>,
    decide: impl FnOnce(&View<'_>) -> Decision<T>,
) {
    let Listing { namespace, slots, .. } = before;
    let decision = decide(&View { name: terms.name(), namespace: &namespace, slots: &slots, now_us });
    match (answer, &decision.answer) {
        (Ok(answer), Ok(decided)) => assert_eq!(answer, decided),
        _ => assert_eq!(kind(answer), kind(&decision.answer)),
    }
    assert_eq!(decision.changes.quarantine_until_us, None, "no request here is news of what was lost");
    let mut expected: BTreeMap<i64, Slot> = slots.into_iter().map(|slot| (slot.nodes.start, slot)).collect();
    for node in decision.changes.removed {
        expected.remove(&node);
    }
    expected.extend(decision.changes.put.into_iter().map(|slot| (slot.nodes.start, slot)));
    let after = store.list(terms.name()).await.expect("a listing");
    assert_eq!(after.slots, expected.into_values().collect::<Vec<_>>());
    assert_eq!(after.namespace, namespace);
}

fn kind<T>(answer: &Result<T, Error>) -> Option<ErrorKind> {
    answer.as_ref().err().map(Error::kind)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    fn one<const N: usize>(&mut self, of: [i64; N]) -> i64 {
        let index = self.below(i64::try_from(N).expect("few"));
        of[usize::try_from(index).expect("an index")]
    }

    fn acquire(&mut self, listing: &Listing, newest: Option<&Grant>) -> Acquire {
        let skew_us = self.one([0, 0, 0, 20_000_000, -20_000_000]);
        let seen = newest.filter(|_| self.below(3) == 0);
        Acquire {
            nodes: self.one([1, 1, 1, 2, 3, 0]),
            ttl_us: self.one([LONG_US, LONG_US, LONG_US / 2, 4 * 3_600_000_000]),
            holder: "it's \\ é \u{1f600} ? $1".into(),
            token: self.below(1 << 30),
            clock_us: listing.now_us + skew_us,
            max_clock_skew_us: 10_000_000,
            seen: seen.map(|grant| LastSeen {
                incarnation: grant.incarnation,
                key: grant.key.clone(),
                end_us: grant.end_us - LONG_US / 4,
            }),
        }
    }
}
