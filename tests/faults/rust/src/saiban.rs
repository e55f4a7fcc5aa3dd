//! saiban: every scheme, every fault, exact counts.

use crate::cell::{Counted, Library, Made};
use crate::fork::{Child, fork, fork_and_go_on};
use crate::plan::{Plan, Trace};
use crate::restart::in_a_new_process;
use crate::scheme::{AnyGenerator, Scheme, VERSION};
use ::saiban::{AnyClock, ManualClock, Options, Rollback};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;

/// Random bits of a stand-alone Ulid-Flake.
const ULID_FLAKE_BITS: u32 = 20;

const FORK_NOTE: &str = "each child goes on with its parent's generator, and so does the parent; the system's clock";

pub fn run(plan: &Plan) {
    for scheme in Scheme::ALL {
        let (library, sizes) = (scheme.library(), scheme.sizes());
        let share = |size: u64| (size / plan.saiban_divisor).max(1);
        let traces = [
            ("step_1s", &plan.step_1s, sizes.step_1s),
            ("step_2ms", &plan.step_2ms, sizes.step_2ms),
            ("oscillating", &plan.oscillating, sizes.oscillating),
        ];
        for (fault, trace, size) in traces {
            let mut counted = Counted::default();
            for &policy in scheme.policies() {
                counted += follow(scheme, policy, trace, share(size)).count();
            }
            library.cell(fault, counted, scheme.trace_note());
        }
        let mut counted =
            burst_on_a_manual_clock(scheme, share(sizes.burst) * plan.burst.ids, plan.restart.start_ms).count();
        counted += burst_on_the_system_clock(scheme, plan.burst.ids / if scheme.has_nodes() { 4 } else { 10 }).count();
        library.cell("burst", counted, scheme.burst_note());
        let mut counted = threads(scheme, plan, share(sizes.threads), &scheme.lane(2)).count();
        if scheme.has_nodes() {
            counted += threads(scheme, plan, share(sizes.threads), &scheme.lane(1).shards(8)).count();
        }
        library.cell("threads", counted, scheme.threads_note());
        let note = "new processes, then new generators in one process, one after the other for the same node; the system's clock";
        library.cell("restart", restart(scheme, plan), note);
        library.cell("fork", forked(scheme, plan, share(sizes.fork)).count(), FORK_NOTE);
    }
    let (counted, expected) = forked_colliding(plan, Scheme::UlidFlake.sizes().fork);
    let library = Library { name: "saiban Ulid-Flake, allow_collisions", version: VERSION };
    let note = "each child continues with its copy of the generator, as allow_collisions permits; the expected number is \
        that of 20 random bits per millisecond, and up to a third more if a millisecond is used up; duplicates come in \
        groups, when the IDs of two children pass through the same numbers";
    library.probable("fork", counted, expected, note);
}

/// Makes up to `count` IDs, and returns 1 if the generator refuses some, or else 0.
fn take(generator: &AnyGenerator, count: u64, ids: &mut Vec<i64>) -> u64 {
    let (start, mut written) = (ids.len(), 0);
    ids.resize(start + count as usize, 0);
    let refused = loop {
        if written == count as usize {
            break 0;
        }
        match generator.fill(&mut ids[start + written..]) {
            Ok(more) => written += more,
            Err(_) => break 1,
        }
    };
    ids.truncate(start + written);
    refused
}

fn manual(now_ms: u64) -> (Arc<ManualClock>, AnyClock) {
    let clock = Arc::new(ManualClock::new(now_ms as i64).expect("a time that clocks show"));
    (Arc::clone(&clock), AnyClock::Manual(clock))
}

fn follow(scheme: Scheme, policy: Rollback, trace: &Trace, factor: u64) -> Made<i64> {
    let (clock, any) = manual(trace.before[0].0);
    let most = scheme.sizes().most_a_reading;
    let generator = scheme.build_with(any, &scheme.lane(1).rollback(policy), false).expect("the nodes are free");
    let mut made = Made::new();
    let mut refused = 0;
    for (readings, ids) in [(&trace.before, &mut made.before), (&trace.after, &mut made.after)] {
        for &(now_ms, count) in readings {
            clock.set(now_ms as i64).expect("a time that clocks show");
            refused += take(&generator, (count * factor).min(most), ids);
        }
    }
    made.refused = refused;
    made
}

/// Makes IDs on a manual clock so fast that every tick is used up.
fn burst_on_a_manual_clock(scheme: Scheme, count: u64, start_ms: u64) -> Made<i64> {
    let (clock, any) = manual(start_ms);
    let generator = scheme.build_lane(any, 1).expect("the nodes are free");
    let mut made = Made::new();
    while (made.after.len() as u64) < count {
        // A thousand IDs one by one, and then large blocks.
        made.after.extend((0..1_000).map_while(|_| generator.generate().ok()));
        while take(&generator, 65_536, &mut made.after) == 0 {}
        made.refused += 1;
        clock.advance(scheme.tick_ms()).expect("a time that clocks show");
    }
    made
}

fn burst_on_the_system_clock(scheme: Scheme, count: u64) -> Made<i64> {
    let generator = scheme.build(AnyClock::System, 9, false).expect("node 9 is free");
    let mut made = Made::new();
    made.after.extend((0..count).map(|_| generator.generate().expect("waits for the next tick")));
    made
}

fn threads(scheme: Scheme, plan: &Plan, factor: u64, options: &Options) -> Made<i64> {
    let build = || scheme.build_with(AnyClock::System, options, false).expect("all threads have the same nodes");
    let shared = &build();
    let count = plan.threads.ids * factor;
    let work = |thread: u64| {
        let own = (thread % 2 == 1).then(build);
        let generator = own.as_ref().unwrap_or(shared);
        let (mut ids, mut refused) = (Vec::new(), 0);
        while (ids.len() as u64) < count && refused < 1_000 {
            match generator.generate() {
                Ok(id) => ids.push(id),
                Err(_) => refused += 1,
            }
            let rest = count - ids.len() as u64;
            refused += take(generator, rest.min(100), &mut ids);
        }
        (ids, refused)
    };
    let mut made = Made::new();
    thread::scope(|scope| {
        let running: Vec<_> = (0..plan.threads.threads).map(|thread| scope.spawn(move || work(thread))).collect();
        for thread in running {
            let (ids, refused) = thread.join().expect("no panic");
            made.after.extend(ids);
            made.refused += refused;
        }
    });
    made
}

fn restart(scheme: Scheme, plan: &Plan) -> Counted {
    let sizes = scheme.sizes();
    let mut made = Made::new();
    made.before = in_a_new_process(scheme, sizes.ids_a_process);
    for _ in 0..(sizes.processes / plan.saiban_divisor).max(3) {
        made.after.extend(in_a_new_process(scheme, sizes.ids_a_process));
    }
    let mut counted = made.count();
    let mut made = Made::new();
    for _ in 0..plan.restart.ticks {
        let generator = scheme.build(AnyClock::System, 8, false).expect("node 8 is free");
        made.after.extend(generator.generate_many(sizes.ids_a_process as usize / 10).expect("waits for the next tick"));
    }
    counted += made.count();
    counted
}

fn forked(scheme: Scheme, plan: &Plan, factor: u64) -> Made<u128> {
    let parent = scheme.build_lane(AnyClock::System, 3).expect("the nodes are free");
    let unsigned = |ids: Vec<i64>| ids.into_iter().map(|id| u128::from(id as u64)).collect::<Vec<_>>();
    let mut made = Made::new();
    made.before = unsigned(parent.generate_many(1_000).expect("the parent makes IDs"));
    let child = |_| {
        let mut ids = Vec::new();
        let refused = take(&parent, plan.fork.ids * factor, &mut ids);
        (unsigned(ids), refused)
    };
    let go_on = || parent.generate_many(1_000).expect("the parent makes IDs");
    let (children, parents_ids) = fork_and_go_on(plan.fork.children, child, go_on);
    made.before.extend(unsigned(parents_ids));
    for Child { ids, refused } in children {
        made.after.extend(ids);
        made.refused += refused;
    }
    made
}

/// Forks stand-alone Ulid-Flakes that allow collisions; returns the counts and the expected number.
fn forked_colliding(plan: &Plan, factor: u64) -> (Counted, f64) {
    let parent = Scheme::UlidFlake.build(AnyClock::System, 0, true).expect("the process has no other");
    let mut made = Made::new();
    made.before.push(u128::from(parent.generate().expect("the parent makes IDs") as u64));
    let children = fork(plan.fork.children, |_| {
        let mut ids = Vec::new();
        let refused = take(&parent, plan.fork.ids * factor, &mut ids);
        (ids.into_iter().map(|id| u128::from(id as u64)).collect(), refused)
    });
    let mut expected = 0.0;
    let mut seen: BTreeMap<u128, f64> = BTreeMap::new();
    for Child { ids, refused } in children {
        let mut own: BTreeMap<u128, f64> = BTreeMap::new();
        ids.iter().for_each(|id| *own.entry(id >> ULID_FLAKE_BITS).or_default() += 1.0);
        // Each ID equals each ID of another child in its millisecond with a probability of 2^-20.
        for (tick, count) in own {
            let others = seen.entry(tick).or_default();
            expected += *others * count / 2f64.powi(ULID_FLAKE_BITS as i32);
            *others += count;
        }
        made.after.extend(ids);
        made.refused += refused;
    }
    (made.count(), expected)
}
