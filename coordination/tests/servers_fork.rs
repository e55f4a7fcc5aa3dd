//! Children of a process that has used a server: each connects with its own client.

#![cfg(all(unix, any(feature = "etcd", feature = "zookeeper", feature = "coordinator")))]
#![allow(unsafe_code, reason = "fork has no safe form")]

mod servers;

use saiban::{Generator, Layout, Options, SnowflakeGenerator, SystemClock};
use saiban_coordination::{Lease, LeaseOptions, Leased};
use servers::Server;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

/// Runs `body` in a forked child, which writes 8 bytes to the pipe.
fn fork(body: impl FnOnce() -> i64) -> (libc::pid_t, UnixStream) {
    let (pipe, mut childs) = UnixStream::pair().expect("a pipe");
    // SAFETY: the child runs only `body`, and leaves by `_exit`.
    let id = unsafe { libc::fork() };
    assert!(id >= 0, "fork");
    if id == 0 {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        let is_well = result.is_ok_and(|id| childs.write_all(&id.to_le_bytes()).is_ok());
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(i32::from(!is_well)) };
    }
    (id, pipe)
}

fn children_acquire_different_leases(kind: &str) {
    let server = Server::start(kind);
    let options = LeaseOptions { create: Some(true), ttl_s: 600, ..LeaseOptions::default() };
    let lease = Lease::acquire(server.url(), &options).expect("a lease");
    let build = |grant: &saiban::Grant| {
        SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
    };
    let ids: Leased<SnowflakeGenerator> = Leased::new(&lease, build).expect("a generator");
    let mut made = vec![ids.generate().expect("an ID")];
    let children: Vec<_> = (0..4).map(|_| fork(|| ids.generate().expect("an ID of the child's own lease"))).collect();
    for (id, mut pipe) in children {
        let mut status = 0;
        // SAFETY: waits for the child just made, with a place for its status.
        assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
        let mut bytes = [0; 8];
        pipe.read_exact(&mut bytes).expect("an ID");
        made.push(i64::from_le_bytes(bytes));
    }
    let node = |id: &i64| Layout::TWITTER.split(*id).expect("an ID").node;
    assert_eq!(made.iter().map(node).collect::<HashSet<_>>().len(), 5, "each has a node of its own");
    lease.release().expect("the parent's client goes on");
}

#[cfg(feature = "etcd")]
#[test]
fn children_of_a_process_connected_to_etcd_acquire_different_leases() {
    children_acquire_different_leases("etcd");
}

#[cfg(feature = "zookeeper")]
#[test]
fn children_of_a_process_connected_to_zookeeper_acquire_different_leases() {
    children_acquire_different_leases("zookeeper");
}

#[cfg(feature = "coordinator")]
#[test]
fn children_of_a_process_connected_to_a_service_acquire_different_leases() {
    children_acquire_different_leases("saiban");
}
