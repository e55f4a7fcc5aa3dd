//! A lease whose background thread is late. It has its own process, because that thread keeps all
//! leases of a process.

mod until;

use saiban::{ErrorKind, Generator, Layout, Options, SnowflakeGenerator, SystemClock};
use saiban_coordination::store::MemoryStore;
use saiban_coordination::{Lease, LeaseOptions, Leased};
use std::sync::{Arc, Barrier, Mutex};
use until::until;

#[test]
fn a_lease_is_over_at_its_end_although_its_thread_has_not_closed_it_yet() {
    let store = Arc::new(MemoryStore::new(SystemClock));
    let options = LeaseOptions { nodes: 4, ttl_s: 1, create: Some(true), ..LeaseOptions::default() };
    let lease = Lease::with_store(store, &options).expect("a lease");
    let ids = Leased::new(&lease, |grant| {
        SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
    })
    .expect("a generator");

    // The next notification blocks the thread, once.
    let gate = Arc::new(Barrier::new(2));
    let waits = Mutex::new(Some(Arc::clone(&gate)));
    lease.on_change(move |_| _ = waits.lock().expect("a lock").take().map(|gate| gate.wait())).expect("a listener");
    until("the end of its time", || {
        let ended = ids.generate().is_err_and(|error| error.kind() == ErrorKind::LeaseExpired);
        if ended {
            let status = lease.status().expect("a status");
            assert_eq!((status.nodes, status.end_ms), (None, 0));
            let error = lease.grant().expect_err("no lease");
            assert!(
                error.kind() == ErrorKind::LeaseLost && error.to_string().contains("the lease ended at"),
                "{error}"
            );
        }
        ended
    });
    gate.wait();
    until("a lease again", || {
        let status = lease.status().expect("a status");
        ids.generate().is_ok() && status.nodes.is_some_and(|nodes| nodes.end == nodes.start + 4) && status.end_ms > 0
    });
}
