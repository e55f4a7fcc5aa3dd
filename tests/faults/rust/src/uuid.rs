//! The crate `uuid` with `fast-rng`: versions 4 and 7.

use crate::cell::{Counted, Library, Made};
use crate::fork::fork;
use crate::plan::{Plan, Trace};
use crate::trace::{follow, restarted};
use std::cell::Cell;
use std::thread;
use uuid::{ContextV7, Timestamp, Uuid};

const V4: Library = Library { name: "uuid, fast-rng, v4", version: "1.29.1" };
const V7: Library = Library { name: "uuid, fast-rng, v7", version: "1.29.1" };

/// Random bits of a version 4, and the counter's and the random bits of a version 7 together.
const V4_BITS: i32 = 122;
const V7_BITS: i32 = 74;

const FORKED: &str =
    "each child goes on with its copy of the random generator, until that is seeded again, every 64 KiB";

pub fn run(plan: &Plan) {
    // These forks come first, as in a program that forks at its start: the random generator will
    // not be seeded again for long.
    V4.cell("fork", forked(plan, || Uuid::new_v4().as_u128()), FORKED);
    // A settable clock, because all children must see equal milliseconds, even on a busy machine.
    let (context, tenths) = (ContextV7::new(), Cell::new(10 * plan.restart.start_ms));
    let note = "as v4, with one ContextV7 and a clock that the test sets, so that all children see the same milliseconds, 10 IDs in each; \
                Uuid::now_v7 repeats as many as the children make in the same milliseconds";
    let make = || {
        tenths.set(tenths.get() + 1);
        at(&context, tenths.get() / 10)
    };
    V7.cell("fork", forked(plan, make), note);

    for (fault, trace) in plan.traces() {
        V4.not_applicable(fault, "it reads no clock");
        V7.cell(fault, follow_trace(trace), "one ContextV7, and Timestamps of a clock that the test sets");
    }
    V4.not_applicable("restart", "it reads no clock; a new process draws again");
    V4.not_applicable("restart_2ms", "it reads no clock; a new process draws again");
    let ids_a_tick = 2 * plan.restart.ids;
    let expected = odds((0..plan.restart.ticks).map(|_| ids_a_tick), V7_BITS);
    let note = "a new ContextV7 in the same millisecond, on a clock that the test sets; the random generator stays the process's";
    V7.probable("restart", restarted_in_one_tick(plan), expected, note);
    let start = || {
        let context = ContextV7::new();
        move |now_ms| Some(at(&context, now_ms))
    };
    let readings = plan.restart_2ms.iter().flat_map(|trace| &trace.after);
    let expected = odds(readings.map(|reading| 2 * reading.1), V7_BITS);
    V7.probable(
        "restart_2ms",
        restarted(&plan.restart_2ms, start).count(),
        expected,
        "as restart in one tick, with the clock set back between the two generators",
    );

    for library in [V4, V7] {
        library.not_applicable("processes", "it has no nodes: its random bits alone keep processes apart");
    }

    // UUIDs of version 7 from one context grow; those of version 4 can repeat by chance.
    let ids = plan.burst.ids;
    V4.probable("burst", burst(ids, Uuid::new_v4), odds([ids], V4_BITS), "Uuid::new_v4");
    V7.cell("burst", burst(ids, Uuid::now_v7), "Uuid::now_v7, the system's clock");
    let ids = plan.threads.threads * plan.threads.ids;
    V4.probable("threads", threads(plan, Uuid::new_v4), odds([ids], V4_BITS), "Uuid::new_v4");
    V7.cell("threads", threads(plan, Uuid::now_v7), "Uuid::now_v7, the system's clock");
}

/// Returns the expected duplicates if the IDs of each group differ only by this many random bits.
fn odds(groups: impl IntoIterator<Item = u64>, bits: i32) -> f64 {
    groups.into_iter().map(|ids| (ids as f64).powi(2) / 2.0 / 2f64.powi(bits)).sum()
}

fn at(context: &ContextV7, now_ms: u64) -> u128 {
    let nanos = (now_ms % 1000) as u32 * 1_000_000;
    Uuid::new_v7(Timestamp::from_unix(context, now_ms / 1000, nanos)).as_u128()
}

fn follow_trace(trace: &Trace) -> Counted {
    let context = ContextV7::new();
    follow(trace, |now_ms| Some(at(&context, now_ms))).count()
}

fn restarted_in_one_tick(plan: &Plan) -> Counted {
    let mut made = Made::new();
    for tick in 0..plan.restart.ticks {
        let now_ms = plan.restart.start_ms + tick;
        for ids in [&mut made.before, &mut made.after] {
            let context = ContextV7::new();
            ids.extend((0..plan.restart.ids).map(|_| at(&context, now_ms)));
        }
    }
    made.count()
}

fn burst(ids: u64, make: fn() -> Uuid) -> Counted {
    let mut made = Made::new();
    made.after.extend((0..ids).map(|_| make().as_u128()));
    made.count()
}

fn threads(plan: &Plan, make: fn() -> Uuid) -> Counted {
    let mut made = Made::new();
    let work = || -> Vec<u128> { (0..plan.threads.ids).map(|_| make().as_u128()).collect() };
    thread::scope(|scope| {
        let running: Vec<_> = (0..plan.threads.threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().for_each(|thread| made.after.extend(thread.join().expect("no panic")));
    });
    made.count()
}

fn forked(plan: &Plan, make: impl Fn() -> u128) -> Counted {
    let mut made = Made::new();
    made.before.extend((0..10).map(|_| make()));
    let children = fork(plan.fork.children, |_| ((0..plan.fork.ids).map(|_| make()).collect::<Vec<_>>(), 0));
    children.into_iter().for_each(|child| made.after.extend(child.ids));
    made.count()
}
