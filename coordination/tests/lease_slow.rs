//! Stores that reply late or never, and owners that do not wait for the reply.

mod until;

use async_trait::async_trait;
use saiban::{ErrorKind, GeneratorSpec, Options, Scheme, SystemClock};
use saiban_coordination::lease::holder::State;
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew};
use saiban_coordination::lease::{Namespace, Terms};
use saiban_coordination::store::{Listing, MemoryStore, Store};
use saiban_coordination::{AnyIssuer, Error, Issuer, Lease, LeaseOptions, NodesFrom, Status};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use until::until;

/// A store that does not reply while it is asleep.
struct Slow {
    store: MemoryStore<SystemClock>,
    is_asleep: AtomicBool,
    /// Returns this many requests for nodes with a lease that has no whole tick left.
    narrow: AtomicUsize,
    /// The number of renewal requests.
    renewals: AtomicUsize,
}

impl Slow {
    fn new() -> Arc<Self> {
        let store = MemoryStore::new(SystemClock);
        Arc::new(Slow {
            store,
            is_asleep: AtomicBool::new(false),
            narrow: AtomicUsize::new(0),
            renewals: AtomicUsize::new(0),
        })
    }

    async fn awake(&self) -> &MemoryStore<SystemClock> {
        while self.is_asleep.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        &self.store
    }

    fn is_free(&self) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let listing = runtime.block_on(self.store.list("default")).expect("a listing");
        listing.slots.iter().all(|slot| !slot.is_held(listing.now_us))
    }
}

#[async_trait]
impl Store for Slow {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        self.awake().await.create(terms).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        let mut grant = self.awake().await.acquire(name, fingerprint, request).await?;
        if self.narrow.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            grant.start_us = grant.end_us - 10;
        }
        Ok(grant)
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        self.renewals.fetch_add(1, Ordering::SeqCst);
        self.awake().await.renew(name, request).await
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        self.awake().await.release(name, request).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.awake().await.list(name).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.awake().await.quarantine(name).await
    }
}

fn options(ttl_s: i64) -> LeaseOptions {
    LeaseOptions { ttl_s, create: Some(true), wait_s: 1, ..LeaseOptions::default() }
}

fn snowflakes(lease: &Lease) -> Issuer<i64> {
    let spec = GeneratorSpec::new(Scheme::Snowflake);
    match AnyIssuer::open(&spec, Options::default(), NodesFrom::Lease(lease), SystemClock).expect("a generator") {
        AnyIssuer::Narrow(ids) => ids,
        AnyIssuer::Wide(_) => panic!("its IDs have more than 64 bits"),
    }
}

#[test]
fn a_store_that_never_answers_is_unavailable_and_keeps_no_lease_of_a_caller_that_left() {
    let store = Slow::new();
    drop(Lease::with_store(store.clone(), &options(600)).expect("a lease"));
    store.is_asleep.store(true, Ordering::SeqCst);
    let error = Lease::with_store(store.clone(), &options(600)).expect_err("no answer");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    store.is_asleep.store(false, Ordering::SeqCst);
    // A lease that is granted late is released.
    until("the release", || store.is_free());
}

#[test]
fn nothing_is_issued_after_a_release_although_the_store_does_not_answer() {
    let store = Slow::new();
    for is_renewing in [false, true] {
        let lease = Lease::with_store(store.clone(), &options(600)).expect("a lease");
        let ids = snowflakes(&lease);
        ids.generate().expect("an ID");
        store.is_asleep.store(true, Ordering::SeqCst);
        if is_renewing {
            lease.renew().expect("asked");
            until("the renewal's beginning", || lease.status().expect("a status").state == State::Renewing);
        }
        lease.abandon();
        assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost), "at once");
        let error = lease.release().expect_err("nobody was told");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        let refused = ids.generate().expect_err("released");
        assert_eq!(refused.kind(), ErrorKind::LeaseLost, "while it renews: {is_renewing}");
        let error = ids.explain(refused).expect("under a lease");
        assert!(error.kind() == ErrorKind::LeaseLost && error.to_string().contains("released"), "{error}");
        assert_eq!(lease.grant().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
        store.is_asleep.store(false, Ordering::SeqCst);
        until("the release", || store.is_free());
        assert!(ids.generate().is_err(), "nor when it answers at last");
    }
}

#[test]
fn one_renewal_is_enough_for_all_requests_made_before_it() {
    for is_released in [false, true] {
        let store = Slow::new();
        let lease = Lease::with_store(store.clone(), &options(600)).expect("a lease");
        store.is_asleep.store(true, Ordering::SeqCst);
        lease.renew().expect("asked");
        until("the renewal's beginning", || store.renewals.load(Ordering::SeqCst) == 1);
        for _ in 0..1_000 {
            lease.renew().expect("asked");
        }
        if is_released {
            lease.abandon();
        } else {
            store.is_asleep.store(false, Ordering::SeqCst);
            until("both renewals", || lease.status().expect("a status").renewals == 2);
        }
        store.is_asleep.store(false, Ordering::SeqCst);
        lease.release().expect("released");
        let expected = if is_released { 1 } else { 2 };
        assert_eq!(store.renewals.load(Ordering::SeqCst), expected, "released at once: {is_released}");
    }
}

#[test]
fn a_listener_that_panics_or_adds_another_listener_does_not_harm_the_lease() {
    let store = Slow::new();
    let lease = Lease::with_store(store, &options(1)).expect("a lease");
    let heard = Arc::new(AtomicUsize::new(0));
    lease.on_change(|_| panic!("as the test wants it")).expect("a listener");
    let (again, counts) = (Arc::new(Mutex::new(Some(lease.clone()))), Arc::clone(&heard));
    lease
        .on_change(move |_: &Status| {
            let Some(lease) = again.lock().expect("a lock").take() else { return };
            let counts = Arc::clone(&counts);
            lease.on_change(move |_| _ = counts.fetch_add(1, Ordering::SeqCst)).expect("another listener");
        })
        .expect("a listener");
    until("renewals", || lease.status().expect("a status").renewals >= 3);
    assert!(heard.load(Ordering::SeqCst) > 0, "the other one was told");
    snowflakes(&lease).generate().expect("an ID");
}

#[test]
fn a_lease_without_a_whole_tick_is_used_as_soon_as_it_has_more_time() {
    let store = Slow::new();
    let lease = Lease::with_store(store.clone(), &options(1)).expect("a lease");
    let ids = snowflakes(&lease);
    store.narrow.store(1, Ordering::SeqCst);
    store.is_asleep.store(true, Ordering::SeqCst);
    until("the lease's end", || lease.status().expect("a status").state == State::Acquiring);
    store.is_asleep.store(false, Ordering::SeqCst);
    until("IDs", || ids.generate().is_ok());
    assert_eq!(store.narrow.load(Ordering::SeqCst), 0);
    lease.release().expect("given back");
    // If this process was paused, an earlier lease of it may not have ended yet in the store.
    until("the lease's end in the store", || store.is_free());
}

#[test]
fn the_error_of_an_ended_lease_has_the_reason_and_that_of_a_released_one_says_so() {
    let store = Slow::new();
    // Long enough that a renewal begins before its end, although this process is paused for a
    // second.
    let lease = Lease::with_store(store.clone(), &options(4)).expect("a lease");
    let ids = snowflakes(&lease);
    store.is_asleep.store(true, Ordering::SeqCst);
    // At the lease's end it is not yet known that the store will not reply in time.
    until("the lease's end, and why", || lease.status().expect("a status").why.is_some() && lease.grant().is_err());
    let error = lease.grant().expect_err("no lease");
    assert!(error.kind() == ErrorKind::StoreUnavailable && error.to_string().contains("did not answer"), "{error}");
    let refused = ids.explain(ids.generate().expect_err("no lease")).expect("under a lease");
    assert!(refused.to_string().contains("did not answer"), "{refused}");
    let _ = lease.release();
    let refused = ids.explain(ids.generate().expect_err("released")).expect("under a lease");
    assert!(refused.to_string().contains("released"), "{refused}");
    store.is_asleep.store(false, Ordering::SeqCst);
    until("the release", || store.is_free());
    assert!(lease.release().is_ok(), "there was nothing to give back");
}
