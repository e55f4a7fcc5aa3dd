//! Generators without nodes continue after a fork and repeat no ID, though other threads make IDs
//! meanwhile.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::generator::TickOrder;
use saiban::{
    ErrorKind, FlakeGenerator, Generator, Layout, ObjectIdGenerator, Options, Scope, TickIdGenerator, UlidGenerator,
    UuidGenerator, WideFlakeGenerator,
};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};

const IDS: usize = 2_000;

/// Forks a child that makes IDs with the parent's generator, and returns those IDs.
fn of_a_child(ids: &dyn Generator<Id = u128>) -> Vec<u128> {
    let (mut ours, mut childs) = UnixStream::pair().expect("a pair of sockets");
    // SAFETY: the child makes IDs, writes them and leaves; this tests that it waits for no lock of
    // a thread that it lacks.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let mut made = [0; IDS];
        let mut written = 0;
        while written < IDS {
            match ids.fill(&mut made[written..]) {
                Ok(more) => written += more,
                Err(_) => break,
            }
        }
        let sent = made[..written].iter().all(|id| childs.write_all(&id.to_be_bytes()).is_ok());
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(i32::from(!sent)) };
    }
    drop(childs);
    let mut bytes = Vec::new();
    ours.read_to_end(&mut bytes).expect("what the child made");
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child ended with {status}");
    bytes.chunks_exact(16).map(|id| u128::from_be_bytes(id.try_into().expect("16 bytes"))).collect()
}

#[test]
fn children_and_parent_never_make_equal_ids_though_other_threads_make_ids_during_the_fork() {
    let generators: [Box<dyn Generator<Id = u128> + Send + Sync>; 5] = [
        Box::new(UlidGenerator::new().expect("a generator")),
        Box::new(UuidGenerator::v1().expect("a generator")),
        Box::new(UuidGenerator::v4().expect("a generator")),
        Box::new(UuidGenerator::v7().expect("a generator")),
        Box::new(ObjectIdGenerator::new().expect("a generator")),
    ];
    for ids in &generators {
        let stop = AtomicBool::new(false);
        let mut all: Vec<u128> = std::thread::scope(|scope| {
            // These threads usually hold the lock of a wide cursor during the fork.
            let others: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut made = Vec::new();
                        while !stop.load(Ordering::Relaxed) && made.len() < 200_000 {
                            made.push(ids.generate().expect("an ID"));
                        }
                        made
                    })
                })
                .collect();
            let mut made: Vec<u128> = (0..8).flat_map(|_| of_a_child(ids.as_ref())).collect();
            assert_eq!(made.len(), 8 * IDS, "{}", ids.scheme());
            stop.store(true, Ordering::Relaxed);
            made.extend(others.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")));
            made
        });
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{}: an ID came twice", ids.scheme());
    }
}

#[test]
fn children_draw_different_node_and_process_parts() {
    // A child draws its own clock sequence and node for UUID v1, and its own process part for
    // ObjectId.
    let v1 = UuidGenerator::v1().expect("a generator");
    let object_id = ObjectIdGenerator::new().expect("a generator");
    let own = |ids: &dyn Generator<Id = u128>, id: u128| {
        let parts = ids.inspect(id).expect("an ID of the scheme");
        let clock_sequence = parts.sequence.filter(|_| ids.scheme().name() == "uuid-v1");
        (parts.node, clock_sequence)
    };
    for ids in [&v1 as &dyn Generator<Id = u128>, &object_id] {
        let mut seen = HashSet::from([own(ids, ids.generate().expect("an ID"))]);
        for _ in 0..4 {
            let made = of_a_child(ids);
            let childs: HashSet<_> = made.iter().map(|id| own(ids, *id)).collect();
            assert_eq!(childs.len(), 1, "a child draws once");
            assert!(seen.is_disjoint(&childs));
            seen.extend(childs);
        }
        assert!(seen.contains(&own(ids, ids.generate().expect("an ID"))), "the parent keeps its own");
    }
}

#[test]
fn tick_ids_of_children_have_different_random_digits() {
    let ids = TickIdGenerator::new(TickOrder::Ascending).expect("a generator");
    ids.generate().expect("an ID");
    let randoms = |made: &[u128]| made.iter().map(|id| id % 10_000).collect::<Vec<_>>();
    let mut seen: Vec<Vec<u128>> = Vec::new();
    for _ in 0..4 {
        let made = of_a_child(&ids);
        assert_eq!(made.len(), IDS, "a child goes on");
        assert!(made.windows(2).all(|pair| pair[0] / 10_000 < pair[1] / 10_000), "and uses no tick twice");
        seen.push(randoms(&made));
    }
    seen.push(randoms(&ids.generate_many(IDS).expect("the parent goes on")));
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "digits are drawn again: processes that have the same ticks differ by them");
}

#[test]
fn a_layout_with_nodes_is_the_parents_alone() {
    let layout = |text| Layout::from_text(text).expect("a layout");
    let options = Options::node(411).scope(Scope::Process);
    let narrow = FlakeGenerator::new(layout("unused:1 timestamp:41 node:10 sequence:12"), &options);
    let wide = WideFlakeGenerator::new(layout("timestamp:48 node:16 sequence:64"), &options);
    let (narrow, wide) = (narrow.expect("a generator"), wide.expect("a generator"));
    narrow.generate().expect("an ID");
    wide.generate().expect("an ID");
    // SAFETY: the child asks twice and leaves.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let kinds =
            [narrow.generate().map(|_| ()), wide.generate().map(|_| ())].map(|answer| answer.err().map(|e| e.kind()));
        let refused = kinds == [Some(ErrorKind::Forked); 2];
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(!refused)) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "a copy makes no IDs of the parent's node");
    narrow.generate().expect("the parent goes on");
    wide.generate().expect("the parent goes on");
}
