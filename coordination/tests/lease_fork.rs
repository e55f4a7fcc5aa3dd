//! Forked processes: what was acquired by URL acquires its own lease in the child, and nothing of
//! the parent's is used, renewed or released.

#![cfg(all(unix, feature = "sqlite"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::{ErrorKind, Generator, GeneratorSpec, Layout, Options, Scheme, SnowflakeGenerator, SystemClock};
use saiban_coordination::lease::holder::State;
use saiban_coordination::store::{self, MemoryStore, StoreUrl};
use saiban_coordination::{AnyIssuer, Issuer, Lease, LeaseOptions, Leased, NodesFrom};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

fn snowflakes(lease: &Lease) -> Leased<SnowflakeGenerator> {
    let build = |grant: &saiban::Grant| {
        SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
    };
    Leased::new(lease, build).expect("a generator")
}

/// A generator that explains its errors.
fn issued(spec: &GeneratorSpec, lease: &Lease) -> Issuer<i64> {
    match AnyIssuer::open(spec, Options::default(), NodesFrom::Lease(lease), SystemClock).expect("a generator") {
        AnyIssuer::Narrow(ids) => ids,
        AnyIssuer::Wide(_) => panic!("its IDs have more than 64 bits"),
    }
}

/// A forked child, and the pipe that it writes to; see [`Child::finish`].
struct Child {
    id: libc::pid_t,
    pipe: UnixStream,
}

fn fork(body: impl FnOnce(&mut UnixStream)) -> Child {
    let (pipe, mut childs) = UnixStream::pair().expect("a pipe");
    // SAFETY: the child runs only `body`, and leaves by `_exit`.
    let id = unsafe { libc::fork() };
    assert!(id >= 0, "fork");
    if id == 0 {
        let is_well = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(&mut childs))).is_ok();
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(if is_well { 0 } else { 1 }) };
    }
    Child { id, pipe }
}

impl Child {
    /// Returns the child's output, once it has ended without an error.
    fn finish(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.pipe.read_to_end(&mut bytes).expect("what the child says");
        let mut status = 0;
        // SAFETY: waits for the child just made, with a place for its status.
        assert_eq!(unsafe { libc::waitpid(self.id, &raw mut status, 0) }, self.id);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
        bytes
    }

    fn ids(self) -> Vec<i64> {
        self.finish().chunks_exact(8).map(|id| i64::from_le_bytes(id.try_into().expect("eight bytes"))).collect()
    }
}

fn send(pipe: &mut UnixStream, ids: &[i64]) {
    let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    pipe.write_all(&bytes).expect("a reader");
}

#[test]
fn children_and_grandchildren_of_a_busy_parent_acquire_different_leases() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let options = LeaseOptions { nodes: 2, ttl_s: 600, ..LeaseOptions::default() };
    let lease = Lease::acquire(&url, &options).expect("a lease");
    let ids = Arc::new(snowflakes(&lease));
    let node = |id: &i64| Layout::TWITTER.split(*id).expect("an ID").node as i64;
    let is_over = Arc::new(AtomicBool::new(false));
    let busy: Vec<_> = (0..2)
        .map(|_| {
            let (ids, is_over) = (Arc::clone(&ids), Arc::clone(&is_over));
            thread::spawn(move || {
                let mut made = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    made.push(ids.generate().expect("an ID"));
                }
                made
            })
        })
        .collect();
    let children: Vec<_> = (0..4)
        .map(|_| {
            fork(|pipe| {
                let mut made = vec![ids.generate().expect("an ID of the child's own lease")];
                let grandchild = fork(|pipe| send(pipe, &[ids.generate().expect("an ID of the grandchild's")]));
                made.extend(grandchild.ids());
                made.extend((0..1_000).map(|_| ids.generate().expect("an ID")));
                send(pipe, &made);
            })
        })
        .collect();
    let mut all: Vec<i64> = children.into_iter().flat_map(Child::ids).collect();
    assert_eq!(all.len(), 4 * 1_002);
    let parents = lease.grant().expect("a grant").nodes();
    assert!(all.iter().all(|id| !parents.contains(&node(id))), "no child has a node of its parent's");
    is_over.store(true, Ordering::Relaxed);
    all.extend(busy.into_iter().flat_map(|thread| thread.join().expect("a thread")));
    let count = all.len();
    assert_eq!(all.into_iter().collect::<HashSet<_>>().len(), count, "an ID came twice");
    assert!(ids.generate().is_ok(), "the parent goes on");
    assert_eq!(lease.status().expect("a status").grants, 1);
}

#[test]
fn a_child_that_ends_or_gives_back_leaves_its_parents_lease_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let lease = Lease::acquire(&url, &LeaseOptions::default()).expect("a lease");
    let ids = snowflakes(&lease);
    let (in_child, ids_in_child) = (lease.clone(), snowflakes(&lease));
    fork(move |_| {
        in_child.release().expect("nothing to do");
        drop((in_child, ids_in_child));
    })
    .finish();
    let other = Lease::acquire(&url, &LeaseOptions { holder: Some("another".into()), ..LeaseOptions::default() });
    assert_ne!(other.expect("a lease").grant().expect("a grant").nodes(), lease.grant().expect("a grant").nodes());
    assert!(ids.generate().is_ok());
}

#[test]
fn children_acquire_leases_whatever_request_of_their_parent_was_in_flight() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let lease = Lease::acquire(&url, &LeaseOptions::default()).expect("a lease");
    let ids = snowflakes(&lease);
    let is_over = Arc::new(AtomicBool::new(false));
    let asking = thread::spawn({
        let (lease, is_over) = (lease.clone(), Arc::clone(&is_over));
        move || {
            while !is_over.load(Ordering::Relaxed) {
                lease.renew().expect("a lease");
                thread::yield_now();
            }
        }
    });
    // On a slow disk a fork may give up waiting for the parent's statement. That child gets an
    // error that says to fork again.
    let has_lease = || {
        let child = fork(|pipe| match ids.generate() {
            Ok(id) => send(pipe, &[id]),
            Err(error) => assert_eq!(error, saiban::Error::Forked),
        });
        child.ids().len() == 1
    };
    assert_eq!((0..400).filter(|_| has_lease()).take(20).count(), 20);
    is_over.store(true, Ordering::Relaxed);
    asking.join().expect("a thread");
    assert!(lease.status().expect("a status").renewals > 0);
}

#[test]
fn a_child_whose_lease_is_late_gets_an_error_to_try_again_instead_of_forked() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let layout: Layout = "unused:1 timestamp:41 node:1 sequence:12".parse().expect("a layout");
    let options = LeaseOptions { scheme: Scheme::Flake, layout: Some(layout), ..LeaseOptions::default() };
    let lease = Lease::acquire(&url, &options).expect("a lease");
    let other = Lease::acquire(&url, &options).expect("the only other node");
    let ids = issued(&GeneratorSpec::new(Scheme::Flake).layout(layout), &lease);
    let why = |error| ids.explain(error).map(|error| error.kind());
    let mut child = fork(|pipe| {
        let error = ids.generate().expect_err("all nodes are taken");
        assert_eq!(why(error), Some(ErrorKind::NamespaceFull));
        send(pipe, &[0]);
        let mut word = [0];
        pipe.read_exact(&mut word).expect("the parent's word");
        // The child has a lease before it asks for the explanation.
        assert!(ids.generate().is_ok());
        assert_eq!(why(error), Some(ErrorKind::LeaseLost));
    });
    child.pipe.read_exact(&mut [0; 8]).expect("the child's word");
    other.release().expect("a store");
    child.pipe.write_all(&[1]).expect("a child");
    child.finish();
}

#[test]
fn a_store_object_of_the_caller_is_not_used_in_a_child() {
    let store = Arc::new(MemoryStore::new(SystemClock));
    let lease = Lease::with_store(store, &LeaseOptions { create: Some(true), ..LeaseOptions::default() });
    let lease = lease.expect("a lease");
    let ids = snowflakes(&lease);
    let child = fork(|_| {
        assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::Forked));
        assert_eq!(lease.grant().map_err(|error| error.kind()), Err(ErrorKind::Forked));
    });
    child.finish();
    assert!(ids.generate().is_ok());
}

#[test]
fn a_released_lease_stays_released_in_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let lease = Lease::acquire(&url, &LeaseOptions::default()).expect("a lease");
    let ids = snowflakes(&lease);
    let in_child = |ids: &Leased<SnowflakeGenerator>, lease: &Lease| {
        assert!(ids.generate().is_err());
        assert_eq!(lease.grant().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
        let status = lease.status().expect("a status");
        assert_eq!((status.state, status.nodes), (State::Idle, None));
    };
    fork(|_| {
        lease.release().expect("the child's own");
        in_child(&ids, &lease);
    })
    .finish();
    ids.generate().expect("the parent goes on");
    lease.release().expect("given back");
    fork(|_| in_child(&ids, &lease)).finish();
    assert!(held(&url).is_empty(), "no child has taken another");
}

#[test]
fn a_childs_lease_names_the_child_as_holder_and_is_in_one_file_in_every_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("another folder");
    // The working directory is the process's, so the test changes it only in a child.
    fork(|_| {
        std::env::set_current_dir(folder.path()).expect("a folder");
        let lease = Lease::acquire("sqlite:ids.db", &LeaseOptions::default()).expect("a lease");
        let ids = snowflakes(&lease);
        fork(|_| {
            std::env::set_current_dir(elsewhere.path()).expect("a folder");
            ids.generate().expect("an ID");
            let url = format!("sqlite://{}", folder.path().join("ids.db").display());
            let (mine, held) = (format!("/{}", std::process::id()), held(&url));
            assert!(held.len() == 2 && held.iter().any(|holder| holder.ends_with(&mine)), "{mine}: {held:?}");
        })
        .finish();
    })
    .finish();
}

#[test]
fn a_child_without_a_store_fails_once_and_gets_its_lease_when_the_store_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, away) = (folder.path().join("here"), folder.path().join("away"));
    std::fs::create_dir(&place).expect("a folder");
    let url = format!("sqlite://{}", place.join("ids.db").display());
    let lease = Lease::acquire(&url, &LeaseOptions { wait_s: 3, ..LeaseOptions::default() }).expect("a lease");
    let ids = issued(&GeneratorSpec::new(Scheme::Snowflake), &lease);
    fork(|_| {
        std::fs::rename(&place, &away).expect("moved");
        assert!(ids.may_acquire());
        let refused = ids.generate().expect_err("no store");
        std::fs::rename(&away, &place).expect("moved back");
        let error = ids.explain(refused).expect("under a lease");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert_eq!(held(&url).len(), 1, "to say why is not to ask again");
        ids.generate().expect("an ID");
        assert!(!ids.may_acquire());
    })
    .finish();
}

#[test]
fn a_lease_without_a_time_limit_is_not_refused_in_a_child() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let lease = Lease::acquire(&url, &LeaseOptions { wait_s: i64::MAX, ..LeaseOptions::default() }).expect("a lease");
    let ids = snowflakes(&lease);
    fork(|pipe| send(pipe, &[ids.generate().expect("an ID")])).finish();
}

/// Returns the holders of nodes.
fn held(url: &str) -> Vec<String> {
    let store = store::open(&StoreUrl::new(url).expect("a URL")).expect("a store");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let listing = runtime.block_on(store.list("default")).expect("a listing");
    let held = listing.slots.into_iter().filter(|slot| slot.is_held(listing.now_us));
    held.map(|slot| slot.holder).collect()
}
