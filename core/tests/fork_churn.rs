//! Threads make, use and drop generators of every kind while the process forks: no child or
//! grandchild hangs, and none repeats an ID.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::{
    ErrorKind, FlakeGenerator, Generator, Layout, ObjectIdGenerator, Options, SnowflakeGenerator, TickIdGenerator,
    TickOrder, UlidGenerator, UuidGenerator, WideFlakeGenerator,
};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};

const FORKS: u64 = 60;
const IDS: usize = 200;

/// The index of the scheme, and an ID.
type Made = (u8, u128);

fn narrow() -> Layout {
    Layout::from_text("unused:1 timestamp:41 node:12 sequence:10").expect("a layout")
}

/// Positions of this layout exceed 63 bits.
fn wide() -> Layout {
    Layout::from_text("timestamp:60 node:12 sequence:10").expect("a layout")
}

/// Generators without nodes, which also work in forked children.
struct RandomGenerators([Box<dyn Generator<Id = u128> + Send + Sync>; 5]);

impl RandomGenerators {
    fn new() -> Self {
        RandomGenerators([
            Box::new(UlidGenerator::new().expect("a generator")),
            Box::new(UuidGenerator::v1().expect("a generator")),
            Box::new(UuidGenerator::v4().expect("a generator")),
            Box::new(UuidGenerator::v7().expect("a generator")),
            Box::new(ObjectIdGenerator::new().expect("a generator")),
        ])
    }

    fn make(&self, made: &mut Vec<Made>) {
        for (kind, ids) in self.0.iter().enumerate() {
            let mut block = [0; IDS];
            let written = ids.fill(&mut block).expect("IDs");
            made.extend(block[..written].iter().map(|id| (kind as u8, *id)));
        }
    }
}

/// Makes, uses and drops generators for this node.
fn make_of_node(node: u64, made: &mut Vec<Made>) {
    let options = Options::node(node);
    let mut block = [0; IDS];
    let mut wide_block = [0; IDS];
    let written = FlakeGenerator::new(narrow(), &options).and_then(|ids| ids.fill(&mut block)).expect("IDs");
    made.extend(block[..written].iter().map(|id| (5, *id as u64 as u128)));
    // This generator shares the cursor of the one before.
    let other = SnowflakeGenerator::build(narrow(), &options, saiban::SystemClock);
    let written = other.and_then(|ids| ids.fill(&mut block)).expect("IDs");
    made.extend(block[..written].iter().map(|id| (5, *id as u64 as u128)));
    let written = WideFlakeGenerator::new(wide(), &options).and_then(|ids| ids.fill(&mut wide_block)).expect("IDs");
    made.extend(wide_block[..written].iter().map(|id| (6, *id)));
}

/// Makes IDs in a child, with the parent's generators and with the child's own node.
fn make_in_child(random: &RandomGenerators, node: u64) -> Vec<Made> {
    let mut made = Vec::new();
    random.make(&mut made);
    make_of_node(node, &mut made);
    // The parent's node is in use.
    let refused = WideFlakeGenerator::new(wide(), &Options::node(1)).map(|_| ()).map_err(|error| error.kind());
    assert!(matches!(refused, Err(ErrorKind::NodeInUse)), "{refused:?}");
    assert!(TickIdGenerator::new(TickOrder::Ascending).and_then(|ids| ids.generate()).is_ok());
    made
}

fn send(made: &[Made], to: &mut UnixStream) {
    let bytes: Vec<u8> = made.iter().flat_map(|(kind, id)| [&[*kind][..], &id.to_be_bytes()].concat()).collect();
    to.write_all(&bytes).expect("the parent reads");
}

/// Forks; the child runs only `act`.
fn fork(act: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child makes IDs, writes them and leaves; this tests that it waits for no lock of
    // a thread that it lacks.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    child
}

fn ended_well(child: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    ended == child && status == 0
}

#[test]
fn children_and_grandchildren_of_busy_threads_neither_hang_nor_repeat_an_id() {
    let random = RandomGenerators::new();
    let _tick_ids = TickIdGenerator::new(TickOrder::Ascending).expect("a generator");
    let mut all: Vec<Made> = Vec::new();
    make_of_node(1, &mut all);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let busy: Vec<_> = [1, 1, 2]
            .map(|node| {
                let (random, stop) = (&random, &stop);
                scope.spawn(move || {
                    let mut made = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        // The list is bounded; generators are still made after that.
                        if made.len() < 400_000 {
                            random.make(&mut made);
                            make_of_node(node, &mut made);
                        } else {
                            drop(RandomGenerators::new());
                        }
                    }
                    made
                })
            })
            .into();
        for number in 0..FORKS {
            let (mut ours, mut childs) = UnixStream::pair().expect("a pair of sockets");
            let child = fork(|| {
                let made = make_in_child(&random, 100 + number);
                let grandchild = fork(|| {
                    let made = make_in_child(&random, 1_000 + number);
                    send(&made, &mut childs);
                });
                assert!(ended_well(grandchild));
                send(&made, &mut childs);
            });
            drop(childs);
            let mut bytes = Vec::new();
            ours.read_to_end(&mut bytes).expect("what they made");
            assert!(ended_well(child), "fork {number}");
            let made = bytes
                .chunks_exact(17)
                .map(|made| (made[0], u128::from_be_bytes(made[1..].try_into().expect("16 bytes"))));
            let before = all.len();
            all.extend(made);
            assert!(all.len() > before + 10 * IDS, "fork {number} made {}", all.len() - before);
        }
        stop.store(true, Ordering::Relaxed);
        for thread in busy {
            all.extend(thread.join().expect("a thread that ends well"));
        }
    });
    let count = all.len();
    all.sort_unstable();
    let mut again: HashMap<u8, u64> = HashMap::new();
    all.windows(2).filter(|pair| pair[0] == pair[1]).for_each(|pair| *again.entry(pair[0].0).or_default() += 1);
    assert!(again.is_empty(), "of {count} IDs came twice, by scheme: {again:?}");
}
