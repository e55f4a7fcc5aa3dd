//! What is soaked: every scheme, every policy, one generator for all threads and others for each.

use crate::clock::JumpingClock;
use crate::{Failure, Fleet, Ids, Outcome, Own, Plan, soak, wide};
use saiban::layout::LayoutSpec;
use saiban::{
    AnyId, Error, Flake, IdValue, Layout, ManualClock, Options, PooledEntropy, Randflake, Rollback, Secret, Snowflake,
    UlidFlake, UlidFlakeFormat,
};
use saiban_cli::duplicates::Record;
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
    fleet: MakeFleet,
}

/// How its generators are made: of IDs of up to 64 bits, or of wider ones.
#[derive(Clone, Copy, Debug)]
enum MakeFleet {
    Narrow(fn(&Setting<'_>) -> Result<Fleet, Error>),
    Wide(fn(&Setting<'_>) -> Result<Fleet<u128>, Error>),
}

/// The generators of a subject.
pub enum AnyFleet {
    /// Of IDs of up to 64 bits.
    Narrow(Fleet),
    /// Of wider ones.
    Wide(Fleet<u128>),
}

impl AnyFleet {
    /// Makes IDs as planned and compares them all.
    ///
    /// # Errors
    /// As [`soak`].
    pub fn soak(&self, clock: &JumpingClock, plan: &Plan) -> Result<Outcome<AnyId>, Failure> {
        match self {
            AnyFleet::Narrow(fleet) => soak_any(fleet, clock, plan),
            AnyFleet::Wide(fleet) => soak_any(fleet, clock, plan),
        }
    }
}

fn soak_any<I: Record>(fleet: &Fleet<I>, clock: &JumpingClock, plan: &Plan) -> Result<Outcome<AnyId>, Failure> {
    let Outcome { report, jumps, tally, comparing } = soak(fleet, clock, plan)?;
    let bits = 8 * I::BYTES as u32;
    Ok(Outcome { report: report.map(|id| id.any(bits)), jumps, tally, comparing })
}

/// What generators are made with.
pub(crate) struct Setting<'a> {
    pub(crate) clock: &'a Arc<ManualClock>,
    pub(crate) threads: usize,
    /// Where state files lie.
    files: &'a Path,
}

impl Subject {
    /// Its clock, and its generators for so many threads, with their state files in this folder, which must be empty.
    ///
    /// # Errors
    /// Those of the generators.
    pub fn prepare(&self, threads: usize, files: &Path) -> Result<(JumpingClock, AnyFleet), Error> {
        let clock = JumpingClock::new(NOW_MS, self.step_ms)?;
        let setting = Setting { clock: &clock.clock, threads, files };
        let fleet = match self.fleet {
            MakeFleet::Narrow(fleet) => AnyFleet::Narrow(fleet(&setting)?),
            MakeFleet::Wide(fleet) => AnyFleet::Wide(fleet(&setting)?),
        };
        Ok((clock, fleet))
    }
}

/// A kind whose IDs have up to 64 bits.
const fn narrow(name: &'static str, step_ms: i64, fleet: fn(&Setting<'_>) -> Result<Fleet, Error>) -> Subject {
    Subject { name, step_ms, fleet: MakeFleet::Narrow(fleet) }
}

/// One whose IDs have more.
const fn wider(name: &'static str, step_ms: i64, fleet: fn(&Setting<'_>) -> Result<Fleet<u128>, Error>) -> Subject {
    Subject { name, step_ms, fleet: MakeFleet::Wide(fleet) }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    narrow("snowflake twitter", 1, |setting| snowflakes(Layout::TWITTER, setting)),
    narrow("snowflake discord", 1, |setting| snowflakes(Layout::DISCORD, setting)),
    narrow("snowflake instagram", 1, |setting| snowflakes(Layout::INSTAGRAM, setting)),
    narrow("sonyflake", 10, |setting| snowflakes(Layout::SONYFLAKE, setting)),
    narrow("sonyflake v2", 10, |setting| snowflakes(Layout::SONYFLAKE_V2, setting)),
    narrow("own layout", 2, |setting| snowflakes(own_layout()?, setting)),
    narrow("rollback error", 1, forward_only),
    narrow("rollback bits", 1, rollback_bits),
    narrow("shards", 1, shards),
    narrow("randflake", 1_000, randflakes),
    narrow("ulid-flake", 1, ulid_flake),
    narrow("ulid-flake scalable", 1, scalable_ulid_flakes),
    narrow("flake", 1, flakes),
    wider("flake 128", 1, wide::flakes),
    wider("ulid", 1, wide::ulids),
    wider("uuid-v7", 1, wide::uuids_v7),
    wider("uuid-v1", 1, wide::uuids_v1),
    wider("uuid-v4", 1, wide::uuids_v4),
    wider("objectid", 1_000, wide::object_ids),
    wider("tick-id", 1, wide::tick_ids),
    wider("tick-id descending", 1, wide::tick_ids_descending),
    // With state files. They come last: the disk keeps them from their share of IDs, so that they use the time which others leave.
    narrow("state twitter", 1, |setting| {
        with_state(setting, |index, state, clock| snowflake(Layout::TWITTER, &nodes(index).state(state), clock))
    }),
    narrow("state rollback bits", 1, |setting| {
        with_state(setting, |index, state, clock| {
            snowflake(Layout::TWITTER.with_rollback_bits(2)?, &nodes(index).state(state), clock)
        })
    }),
    // A file is written for each second: it takes several steps, so that the soak does not become one of the disk.
    narrow("state randflake", 50, |setting| {
        with_state(setting, |index, state, clock| randflake(&nodes(index).state(state), clock))
    }),
    narrow("state ulid-flake", 1, |setting| {
        with_state(setting, |index, state, clock| {
            ulid_flake_of(scalable(index), Options::default().state(state), clock)
        })
    }),
    wider("state flake 128", 1, |setting| {
        with_state(setting, |index, state, clock| wide::flake(&nodes(index).state(state), clock))
    }),
];

/// The order is unusual, and the sequence so short that ticks are used up all the time.
fn own_layout() -> Result<Layout, Error> {
    LayoutSpec::new().unused(1).timestamp(40).sequence(7).node(16).epoch_ms(1_600_000_000_000).tick_us(2_000).check()
}

/// Nodes 0 to 3 for all threads together, and a node for each.
pub(crate) const SHARED_NODES: i64 = 4;

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

fn ulid_flake_of(format: UlidFlakeFormat, options: Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(UlidFlake::<_>::build(format, &options, Arc::clone(clock), PooledEntropy)?))
}

/// Without a node there can be one only.
fn ulid_flake(setting: &Setting<'_>) -> Result<Fleet, Error> {
    Ok(Fleet {
        shared: vec![ulid_flake_of(UlidFlakeFormat::default(), Options::default(), setting.clock)?],
        own: Vec::new(),
    })
}

fn scalable_ulid_flakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1, move |not_before| {
            ulid_flake_of(scalable(thread + 1), Options { not_before, ..Options::default() }, &clock)
        })
    };
    Ok(Fleet {
        shared: vec![ulid_flake_of(scalable(0), Options::default(), setting.clock)?],
        own: (0..setting.threads).map(own).collect(),
    })
}

/// A node of two parts, and a random part that grows by steps and is soon used up.
const FLAKE: &str = "unused:1 timestamp:41@ms,epoch=2020-02-02 random:12,step=64 node.region:4 node.machine:6";

fn flake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(Flake::build(Layout::from_text(FLAKE)?, options, Arc::clone(clock), PooledEntropy)?))
}

fn flakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    // One node each: what grows by steps is not counted for several.
    with_last_id(setting, 1, |index, not_before, clock| {
        flake(&Options { not_before, ..Options::node(index as i64) }, clock)
    })
}

/// Nodes for all threads together, index 0, and one for each.
pub(crate) fn nodes(index: usize) -> Options {
    match index as i64 {
        0 => Options::nodes(0..SHARED_NODES),
        index => Options::node(SHARED_NODES + index - 1),
    }
}

/// Makes the generator of an index, given the time of its last ID.
type AfterLastId<I> = fn(usize, Option<i64>, &Arc<ManualClock>) -> Result<Ids<I>, Error>;

/// Makes the generator of an index, given its state file.
type WithState<I> = fn(usize, &Path, &Arc<ManualClock>) -> Result<Ids<I>, Error>;

/// A generator for all threads together, index 0, and one for each, which restart after the time of their last ID, in units of so
/// many milliseconds.
pub(crate) fn with_last_id<I: IdValue>(
    setting: &Setting<'_>,
    unit_ms: i64,
    build: AfterLastId<I>,
) -> Result<Fleet<I>, Error> {
    let own = |index: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(unit_ms, move |not_before| build(index, not_before, &clock))
    };
    let shared = build(0, None, setting.clock)?;
    Ok(Fleet { shared: vec![shared], own: (1..=setting.threads).map(own).collect() })
}

/// A generator for all threads together, index 0, and one for each, all of which have a state file.
fn with_state<I: IdValue>(setting: &Setting<'_>, build: WithState<I>) -> Result<Fleet<I>, Error> {
    let path = |index: usize| setting.files.join(format!("{index}.state"));
    let own = |index: usize| {
        let clock = Arc::clone(setting.clock);
        Own::with_state(path(index), move |path| build(index, path, &clock))
    };
    let shared = build(0, &path(0), setting.clock)?;
    Ok(Fleet { shared: vec![shared], own: (1..=setting.threads).map(own).collect() })
}
