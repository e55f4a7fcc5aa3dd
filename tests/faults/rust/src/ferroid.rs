//! ferroid: `AtomicSnowflakeGenerator` with Twitter's layout, and its own `MonotonicClock` where
//! the clock is not the fault.

use crate::cell::{Counted, Library, Made};
use crate::fork::fork_and_go_on;
use crate::plan::Plan;
use crate::trace::{follow, restarted};
use ferroid::generator::{AtomicSnowflakeGenerator, Poll};
use ferroid::id::SnowflakeTwitterId;
use ferroid::time::{MonotonicClock, TWITTER_EPOCH, TimeSource};
use std::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};

const FERROID: Library = Library { name: "ferroid", version: "2.0.0" };
const OWN_CLOCK: &str = "its own MonotonicClock";
const SET_CLOCK: &str = "a TimeSource that the test sets; its own MonotonicClock never sees a step of the wall clock";

/// The number of fork rounds. Chance decides which children of one round fork in one millisecond;
/// in so many rounds, some always do.
const FORK_ROUNDS: u64 = 50;

type Generator<T> = AtomicSnowflakeGenerator<SnowflakeTwitterId, T>;

struct SetClock<'a>(&'a Cell<u64>);

impl TimeSource<u64> for SetClock<'_> {
    fn current_millis(&self) -> u64 {
        self.0.get() - TWITTER_EPOCH.as_millis() as u64
    }
}

fn own_clock() -> MonotonicClock {
    MonotonicClock::with_epoch(TWITTER_EPOCH)
}

fn poll<T: TimeSource<u64>>(generator: &Generator<T>) -> Option<u64> {
    match generator.poll_id() {
        Poll::Ready { id } => Some(id.to_raw()),
        Poll::Pending { .. } => None,
    }
}

pub fn run(plan: &Plan) {
    let now = Cell::new(0);
    for (fault, trace) in plan.traces() {
        let generator = Generator::new(1, SetClock(&now));
        let made = follow(trace, |now_ms| {
            now.set(now_ms);
            poll(&generator)
        });
        FERROID.cell(fault, made.count(), SET_CLOCK);
    }
    FERROID.cell(
        "restart",
        restart(plan, &now),
        "a new generator for the same machine id, on a clock that the test sets",
    );
    let start = || {
        let generator = Generator::new(1, SetClock(&now));
        let now = &now;
        move |now_ms| {
            now.set(now_ms);
            poll(&generator)
        }
    };
    FERROID.cell(
        "restart_2ms",
        restarted(&plan.restart_2ms, start).count(),
        "as restart in one tick, with the clock set back between the two generators",
    );
    FERROID.cell("burst", burst(plan.burst.ids), OWN_CLOCK);
    FERROID.cell("threads", threads(plan), "one generator, shared, with its own MonotonicClock");
    let (children, parents) = forked(plan);
    let (count, ids) = (plan.fork.children, plan.fork.ids);
    let note = format!(
        "the sum of {FORK_ROUNDS} rounds, each counted alone: a new generator, and {count} children forked one after the \
         other, which make {ids} IDs each; the thread that moves its MonotonicClock exists only in the parent, so a child's \
         time stops at the millisecond of its fork; children forked in one millisecond repeat each other's IDs, and how many \
         do so varies; the parent, which continues after the last fork, repeats its children's IDs too ({} of its {} IDs; the \
         table leaves them out)",
        parents.duplicates, parents.made,
    );
    FERROID.cell("fork", children, &note);
}

/// Returns the generator of one process, with machine id 1.
pub fn maker() -> impl FnMut() -> Option<i64> {
    let generator = Generator::new(1, own_clock());
    move || Some(generator.next_id(|_| thread::yield_now()).to_raw() as i64)
}

fn burst(ids: u64) -> Counted {
    let generator = Generator::new(1, own_clock());
    let mut made = Made::new();
    for _ in 0..ids {
        made.after.push(generator.next_id(|_| thread::yield_now()).to_raw());
    }
    made.count()
}

fn restart(plan: &Plan, now: &Cell<u64>) -> Counted {
    let mut made = Made::new();
    for tick in 0..plan.restart.ticks {
        now.set(plan.restart.start_ms + tick);
        for ids in [&mut made.before, &mut made.after] {
            let generator = Generator::new(1, SetClock(now));
            ids.extend((0..plan.restart.ids).filter_map(|_| poll(&generator)));
        }
    }
    made.count()
}

fn threads(plan: &Plan) -> Counted {
    let generator = Generator::new(1, own_clock());
    let mut made = Made::new();
    thread::scope(|scope| {
        let work = || -> Vec<u64> {
            (0..plan.threads.ids).map(|_| generator.next_id(|_| thread::yield_now()).to_raw()).collect()
        };
        let running: Vec<_> = (0..plan.threads.threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().for_each(|thread| made.after.extend(thread.join().expect("no panic")));
    });
    made.count()
}

/// Counts what the children repeat of each other and of their parent's earlier IDs, and what the
/// parent then repeats of theirs. It counts each round alone, because a new generator for one
/// machine id is another fault.
fn forked(plan: &Plan) -> (Counted, Counted) {
    let (mut children, mut parents) = (Counted::default(), Counted::default());
    for _ in 0..FORK_ROUNDS {
        let (children_made, parent_made) = forked_once(plan);
        children += children_made;
        parents += parent_made;
    }
    (children, parents)
}

fn forked_once(plan: &Plan) -> (Counted, Counted) {
    let generator = Generator::new(1, own_clock());
    let next = || u128::from(generator.next_id(|_| thread::yield_now()).to_raw());
    let mut made = Made::new();
    made.before.extend((0..10).map(|_| next()));
    let child = |_| {
        let (mut ids, mut refused) = (Vec::new(), 0);
        let patience = Instant::now() + Duration::from_secs(1);
        while (ids.len() as u64) < plan.fork.ids && Instant::now() < patience {
            match poll(&generator) {
                Some(id) => ids.push(u128::from(id)),
                None => refused += 1,
            }
        }
        (ids, refused)
    };
    let go_on = || (0..plan.fork.ids).map(|_| next()).collect();
    let (children, parents_ids) = fork_and_go_on(plan.fork.children, child, go_on);
    for child in children {
        made.after.extend(child.ids);
        made.refused += child.refused;
    }
    let parent = Made { before: made.after.clone(), after: parents_ids, refused: 0 };
    (made.count(), parent.count())
}
