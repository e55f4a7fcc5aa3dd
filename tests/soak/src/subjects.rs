//! What is soaked: every scheme, every policy, one generator for all threads and others for each.

use crate::clock::JumpingClock;
use crate::{Fleet, Ids, Own};
use saiban::layout::LayoutSpec;
use saiban::{
    Error, Layout, ManualClock, Options, OsEntropy, Randflake, Rollback, Secret, Snowflake, UlidFlake, UlidFlakeFormat,
};
use std::sync::Arc;

/// After every scheme's epoch.
const NOW_MS: i64 = 1_763_700_000_000;

/// A scheme and how its generators are made.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: &'static str,
    tick_ms: i64,
    fleet: fn(&Arc<ManualClock>, usize) -> Result<Fleet, Error>,
}

impl Subject {
    /// Its clock, and its generators for so many threads.
    ///
    /// # Errors
    /// Those of the generators.
    pub fn prepare(&self, threads: usize) -> Result<(JumpingClock, Fleet), Error> {
        let clock = JumpingClock::new(NOW_MS, self.tick_ms)?;
        let fleet = (self.fleet)(&clock.clock, threads)?;
        Ok((clock, fleet))
    }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    Subject {
        name: "snowflake twitter",
        tick_ms: 1,
        fleet: |clock, threads| snowflakes(Layout::TWITTER, clock, threads),
    },
    Subject {
        name: "snowflake discord",
        tick_ms: 1,
        fleet: |clock, threads| snowflakes(Layout::DISCORD, clock, threads),
    },
    Subject {
        name: "snowflake instagram",
        tick_ms: 1,
        fleet: |clock, threads| snowflakes(Layout::INSTAGRAM, clock, threads),
    },
    Subject { name: "sonyflake", tick_ms: 10, fleet: |clock, threads| snowflakes(Layout::SONYFLAKE, clock, threads) },
    Subject {
        name: "sonyflake v2",
        tick_ms: 10,
        fleet: |clock, threads| snowflakes(Layout::SONYFLAKE_V2, clock, threads),
    },
    Subject { name: "own layout", tick_ms: 2, fleet: |clock, threads| snowflakes(own_layout()?, clock, threads) },
    Subject { name: "rollback error", tick_ms: 1, fleet: forward_only },
    Subject { name: "rollback bits", tick_ms: 1, fleet: rollback_bits },
    Subject { name: "shards", tick_ms: 1, fleet: shards },
    Subject { name: "randflake", tick_ms: 1_000, fleet: randflakes },
    Subject { name: "ulid-flake", tick_ms: 1, fleet: ulid_flake },
    Subject { name: "ulid-flake scalable", tick_ms: 1, fleet: scalable_ulid_flakes },
];

/// The order is unusual, and the sequence so short that ticks are used up all the time.
fn own_layout() -> Result<Layout, Error> {
    LayoutSpec::new().unused(1).timestamp(40).sequence(7).node(16).epoch_ms(1_600_000_000_000).tick_us(2_000).check()
}

/// Nodes 0 to 3 for all threads together, and a node for each.
const SHARED_NODES: i64 = 4;

fn snowflake(layout: Layout, options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(Snowflake::<_>::build(layout, options, Arc::clone(clock))?))
}

fn snowflakes_with(
    layout: Layout,
    policy: Option<Rollback>,
    clock: &Arc<ManualClock>,
    threads: usize,
) -> Result<Fleet, Error> {
    let shared = snowflake(layout, &Options { rollback: policy, ..Options::nodes(0..SHARED_NODES) }, clock)?;
    let own = |thread: usize| {
        let clock = Arc::clone(clock);
        Own::new(1, move |not_before| {
            let options = Options { rollback: policy, not_before, ..Options::node(SHARED_NODES + thread as i64) };
            snowflake(layout, &options, &clock)
        })
    };
    Ok(Fleet { shared: vec![shared], own: (0..threads).map(own).collect() })
}

fn snowflakes(layout: Layout, clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    snowflakes_with(layout, None, clock, threads)
}

fn forward_only(clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    snowflakes_with(Layout::TWITTER, Some(Rollback::Error), clock, threads)
}

fn rollback_bits(clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    let mut fleet = snowflakes(Layout::TWITTER.with_rollback_bits(2)?, clock, threads)?;
    // The last ID has not the latest time: who comes after such a generator needs its state file.
    fleet.own.iter_mut().for_each(Own::never_restart);
    Ok(fleet)
}

/// A cursor for each thread, more threads than cursors, and both with rollback bits.
fn shards(clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    let ranges = [(0..threads as i64, threads as i64), (40..43, 3), (43..50, 2)];
    let shared = ranges.map(|(nodes, shards)| snowflake(bits, &Options::nodes(nodes).shards(shards), clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: Vec::new() })
}

fn randflakes(clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    fn randflake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
        Ok(Box::new(Randflake::<_>::build(&Secret::new([0x5a; 16]), options, Arc::clone(clock))?))
    }
    let own = |thread: usize| {
        let clock = Arc::clone(clock);
        Own::new(1_000, move |not_before| {
            randflake(&Options { not_before, ..Options::node(SHARED_NODES + thread as i64) }, &clock)
        })
    };
    // A second holds 131,072 IDs of a node: one node is enough to use some up, and three shards to use them unevenly.
    let shared = [Options::node(0), Options::nodes(1..4).shards(3)].map(|options| randflake(&options, clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: (0..threads).map(own).collect() })
}

fn ulid(format: UlidFlakeFormat, not_before: Option<i64>, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    let options = Options { not_before, ..Options::default() };
    Ok(Box::new(UlidFlake::<_>::build(format, &options, Arc::clone(clock), OsEntropy)?))
}

/// Without a node there can be one only.
fn ulid_flake(clock: &Arc<ManualClock>, _threads: usize) -> Result<Fleet, Error> {
    Ok(Fleet { shared: vec![ulid(UlidFlakeFormat::default(), None, clock)?], own: Vec::new() })
}

fn scalable_ulid_flakes(clock: &Arc<ManualClock>, threads: usize) -> Result<Fleet, Error> {
    let format = |id: usize| UlidFlakeFormat { scalability: Some(id as i64), ..UlidFlakeFormat::default() };
    let own = |thread: usize| {
        let clock = Arc::clone(clock);
        Own::new(1, move |not_before| ulid(format(thread + 1), not_before, &clock))
    };
    Ok(Fleet { shared: vec![ulid(format(0), None, clock)?], own: (0..threads).map(own).collect() })
}
