//! What is soaked: every scheme, every policy, one generator for all threads and others for each.

use crate::clock::JumpingClock;
use crate::{Fleet, Ids, Own};
use saiban::layout::LayoutSpec;
use saiban::{
    Error, Layout, ManualClock, Options, OsEntropy, Randflake, Rollback, Secret, Snowflake, UlidFlake, UlidFlakeFormat,
};
use std::path::Path;
use std::sync::Arc;

/// After every scheme's epoch.
const NOW_MS: i64 = 1_763_700_000_000;

/// A scheme and how its generators are made.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in the table.
    pub name: &'static str,
    /// How far its clock goes on at once: about a tick.
    step_ms: i64,
    fleet: fn(&Setting<'_>) -> Result<Fleet, Error>,
}

/// What generators are made with.
struct Setting<'a> {
    clock: &'a Arc<ManualClock>,
    threads: usize,
    /// Where state files lie.
    files: &'a Path,
}

impl Subject {
    /// Its clock, and its generators for so many threads, with their state files in this folder, which must be empty.
    ///
    /// # Errors
    /// Those of the generators.
    pub fn prepare(&self, threads: usize, files: &Path) -> Result<(JumpingClock, Fleet), Error> {
        let clock = JumpingClock::new(NOW_MS, self.step_ms)?;
        let fleet = (self.fleet)(&Setting { clock: &clock.clock, threads, files })?;
        Ok((clock, fleet))
    }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    Subject { name: "snowflake twitter", step_ms: 1, fleet: |setting| snowflakes(Layout::TWITTER, setting) },
    Subject { name: "snowflake discord", step_ms: 1, fleet: |setting| snowflakes(Layout::DISCORD, setting) },
    Subject { name: "snowflake instagram", step_ms: 1, fleet: |setting| snowflakes(Layout::INSTAGRAM, setting) },
    Subject { name: "sonyflake", step_ms: 10, fleet: |setting| snowflakes(Layout::SONYFLAKE, setting) },
    Subject { name: "sonyflake v2", step_ms: 10, fleet: |setting| snowflakes(Layout::SONYFLAKE_V2, setting) },
    Subject { name: "own layout", step_ms: 2, fleet: |setting| snowflakes(own_layout()?, setting) },
    Subject { name: "rollback error", step_ms: 1, fleet: forward_only },
    Subject { name: "rollback bits", step_ms: 1, fleet: rollback_bits },
    Subject { name: "shards", step_ms: 1, fleet: shards },
    Subject { name: "randflake", step_ms: 1_000, fleet: randflakes },
    Subject { name: "ulid-flake", step_ms: 1, fleet: ulid_flake },
    Subject { name: "ulid-flake scalable", step_ms: 1, fleet: scalable_ulid_flakes },
    // With state files. They come last: the disk keeps them from their share of IDs, so that they use the time which others leave.
    Subject {
        name: "state twitter",
        step_ms: 1,
        fleet: |setting| {
            with_state(setting, |index, state, clock| snowflake(Layout::TWITTER, &nodes(index).state(state), clock))
        },
    },
    Subject {
        name: "state rollback bits",
        step_ms: 1,
        fleet: |setting| {
            with_state(setting, |index, state, clock| {
                snowflake(Layout::TWITTER.with_rollback_bits(2)?, &nodes(index).state(state), clock)
            })
        },
    },
    // A file is written for each second: it takes several steps, so that the soak does not become one of the disk.
    Subject {
        name: "state randflake",
        step_ms: 50,
        fleet: |setting| with_state(setting, |index, state, clock| randflake(&nodes(index).state(state), clock)),
    },
    Subject {
        name: "state ulid-flake",
        step_ms: 1,
        fleet: |setting| {
            with_state(setting, |index, state, clock| ulid(scalable(index), Options::default().state(state), clock))
        },
    },
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

fn snowflakes_with(layout: Layout, policy: Option<Rollback>, setting: &Setting<'_>) -> Result<Fleet, Error> {
    let shared = snowflake(layout, &Options { rollback: policy, ..Options::nodes(0..SHARED_NODES) }, setting.clock)?;
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1, move |not_before| {
            let options = Options { rollback: policy, not_before, ..Options::node(SHARED_NODES + thread as i64) };
            snowflake(layout, &options, &clock)
        })
    };
    Ok(Fleet { shared: vec![shared], own: (0..setting.threads).map(own).collect() })
}

fn snowflakes(layout: Layout, setting: &Setting<'_>) -> Result<Fleet, Error> {
    snowflakes_with(layout, None, setting)
}

fn forward_only(setting: &Setting<'_>) -> Result<Fleet, Error> {
    snowflakes_with(Layout::TWITTER, Some(Rollback::Error), setting)
}

fn rollback_bits(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let mut fleet = snowflakes(Layout::TWITTER.with_rollback_bits(2)?, setting)?;
    // The last ID has not the latest time: who comes after such a generator needs its state file.
    fleet.own.iter_mut().for_each(Own::never_restart);
    Ok(fleet)
}

/// A cursor for each thread, more threads than cursors, and both with rollback bits.
fn shards(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    let ranges = [(0..setting.threads as i64, setting.threads as i64), (40..43, 3), (43..50, 2)];
    let shared = ranges.map(|(nodes, shards)| snowflake(bits, &Options::nodes(nodes).shards(shards), setting.clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: Vec::new() })
}

fn randflake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(Randflake::<_>::build(&Secret::new([0x5a; 16]), options, Arc::clone(clock))?))
}

fn randflakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1_000, move |not_before| {
            randflake(&Options { not_before, ..Options::node(SHARED_NODES + thread as i64) }, &clock)
        })
    };
    // A second holds 131,072 IDs of a node: one node is enough to use some up, and three shards to use them unevenly.
    let shared = [Options::node(0), Options::nodes(1..4).shards(3)].map(|options| randflake(&options, setting.clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: (0..setting.threads).map(own).collect() })
}

fn scalable(id: usize) -> UlidFlakeFormat {
    UlidFlakeFormat { scalability: Some(id as i64), ..UlidFlakeFormat::default() }
}

fn ulid(format: UlidFlakeFormat, options: Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(UlidFlake::<_>::build(format, &options, Arc::clone(clock), OsEntropy)?))
}

/// Without a node there can be one only.
fn ulid_flake(setting: &Setting<'_>) -> Result<Fleet, Error> {
    Ok(Fleet { shared: vec![ulid(UlidFlakeFormat::default(), Options::default(), setting.clock)?], own: Vec::new() })
}

fn scalable_ulid_flakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1, move |not_before| ulid(scalable(thread + 1), Options { not_before, ..Options::default() }, &clock))
    };
    Ok(Fleet {
        shared: vec![ulid(scalable(0), Options::default(), setting.clock)?],
        own: (0..setting.threads).map(own).collect(),
    })
}

/// Nodes for all threads together, index 0, and one for each.
fn nodes(index: usize) -> Options {
    match index as i64 {
        0 => Options::nodes(0..SHARED_NODES),
        index => Options::node(SHARED_NODES + index - 1),
    }
}

/// A generator for all threads together, index 0, and one for each, all of which have a state file.
fn with_state(
    setting: &Setting<'_>,
    build: fn(usize, &Path, &Arc<ManualClock>) -> Result<Ids, Error>,
) -> Result<Fleet, Error> {
    let path = |index: usize| setting.files.join(format!("{index}.state"));
    let own = |index: usize| {
        let clock = Arc::clone(setting.clock);
        Own::with_state(path(index), move |path| build(index, path, &clock))
    };
    let shared = build(0, &path(0), setting.clock)?;
    Ok(Fleet { shared: vec![shared], own: (1..=setting.threads).map(own).collect() })
}
