//! The subjects of the soak: every scheme and policy, with generators for all threads and for one
//! thread each.

use crate::clock::JumpingClock;
use crate::{Failure, Fleet, Ids, Outcome, Own, Plan, soak, wide};
use saiban::layout::LayoutSpec;
use saiban::{
    AnyId, Error, FlakeGenerator, IdValue, Layout, ManualClock, Options, PooledEntropy, RandflakeGenerator, Rollback,
    Scheme, Secret, SnowflakeGenerator, TsidGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use saiban_cli::duplicates::Record;
use std::path::Path;
use std::sync::Arc;

/// A time after every scheme's epoch.
const NOW_MS: i64 = 1_763_700_000_000;

/// A scheme, and how its generators are built.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The name in the printed table.
    pub name: &'static str,
    /// The length of a step of the clock: about a tick.
    step_ms: i64,
    fleet: MakeFleet,
}

/// Builds the generators: of IDs of up to 64 bits, or of wider ones.
#[derive(Clone, Copy, Debug)]
enum MakeFleet {
    Narrow(fn(&Setting<'_>) -> Result<Fleet, Error>),
    Wide(fn(&Setting<'_>) -> Result<Fleet<u128>, Error>),
}

/// The generators of a subject.
pub enum AnyFleet {
    /// Generators of IDs of up to 64 bits.
    Narrow(Fleet),
    /// Generators of wider IDs.
    Wide(Fleet<u128>),
}

impl AnyFleet {
    /// Makes IDs as planned, and compares them all.
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

/// The clock, the threads and the files for building generators.
pub(crate) struct Setting<'a> {
    pub(crate) clock: &'a Arc<ManualClock>,
    pub(crate) threads: usize,
    /// The folder of the state files.
    files: &'a Path,
}

impl Subject {
    /// Returns the subject's clock, and its generators for `threads` threads. Their state files are
    /// in `files`, an empty folder.
    ///
    /// # Errors
    /// The errors of the generators.
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

/// Returns a subject with IDs of up to 64 bits.
const fn narrow(name: &'static str, step_ms: i64, fleet: fn(&Setting<'_>) -> Result<Fleet, Error>) -> Subject {
    Subject { name, step_ms, fleet: MakeFleet::Narrow(fleet) }
}

/// Returns a subject with IDs of more than 64 bits.
const fn wider(name: &'static str, step_ms: i64, fleet: fn(&Setting<'_>) -> Result<Fleet<u128>, Error>) -> Subject {
    Subject { name, step_ms, fleet: MakeFleet::Wide(fleet) }
}

/// All subjects.
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
    narrow("tsid-4096", 1, |setting| {
        with_last_id(setting, 1, |index, not_before, clock| tsid(&nodes(index).after(not_before), clock))
    }),
    narrow("flake", 1, flakes),
    wider("flake 128", 1, wide::flakes),
    wider("ulid", 1, |setting| wide::of_scheme(Scheme::Ulid, 1, setting)),
    wider("uuid-v7", 1, |setting| wide::of_scheme(Scheme::UuidV7, 1, setting)),
    wider("uuid-v1", 1, |setting| wide::of_scheme(Scheme::UuidV1, 1, setting)),
    wider("uuid-v4", 1, wide::uuids_v4),
    wider("objectid", 1_000, |setting| wide::of_scheme(Scheme::ObjectId, 1_000, setting)),
    wider("xid", 1_000, |setting| wide::of_scheme(Scheme::Xid, 1_000, setting)),
    wider("tick-id", 1, wide::tick_ids),
    wider("tick-id descending", 1, wide::tick_ids_descending),
    // Subjects with state files come last. Writing to the disk keeps them from their share of IDs,
    // so they use the time that the other subjects leave.
    narrow("state twitter", 1, |setting| {
        with_state(setting, |index, state, clock| snowflake(Layout::TWITTER, &nodes(index).state(state), clock))
    }),
    narrow("state rollback bits", 1, |setting| {
        with_state(setting, |index, state, clock| {
            snowflake(Layout::TWITTER.with_rollback_bits(2)?, &nodes(index).state(state), clock)
        })
    }),
    // The state file is written for each second of the clock. Steps of 50 ms keep the soak from
    // measuring only the disk.
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

/// Returns a layout with an unusual order of fields. Its sequence is short, so ticks are often used
/// up.
fn own_layout() -> Result<Layout, Error> {
    LayoutSpec::new().unused(1).timestamp(40).sequence(7).node(16).epoch_ms(1_600_000_000_000).tick_us(2_000).check()
}

pub(crate) trait After {
    /// Sets the last time that is known to be used, if there is one.
    fn after(self, not_before: Option<i64>) -> Self;
}

impl After for Options {
    fn after(mut self, not_before: Option<i64>) -> Self {
        self.not_before = not_before;
        self
    }
}

/// The nodes of the shared generator are 0 to 3. Each thread's own generator has one of the next
/// nodes.
pub(crate) const SHARED_NODES: u64 = 4;

fn snowflake(layout: Layout, options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(SnowflakeGenerator::build(layout, options, Arc::clone(clock))?))
}

fn snowflakes_with(layout: Layout, policy: Option<Rollback>, setting: &Setting<'_>) -> Result<Fleet, Error> {
    let with_policy = move |mut options: Options| {
        options.rollback = policy;
        options
    };
    let shared = snowflake(layout, &with_policy(Options::nodes(0..SHARED_NODES)), setting.clock)?;
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1, move |not_before| {
            let options = Options::node(SHARED_NODES + thread as u64).after(not_before);
            snowflake(layout, &with_policy(options), &clock)
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
    // The last ID need not have the latest time. A successor of such a generator needs its state
    // file.
    fleet.own.iter_mut().for_each(Own::never_restart);
    Ok(fleet)
}

/// Returns generators with a cursor for each thread, and with more threads than cursors. All have
/// rollback bits.
fn shards(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let bits = Layout::TWITTER.with_rollback_bits(2)?;
    let ranges = [(0..setting.threads as u64, setting.threads as i64), (40..43, 3), (43..50, 2)];
    let shared = ranges.map(|(nodes, shards)| snowflake(bits, &Options::nodes(nodes).shards(shards), setting.clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: Vec::new() })
}

fn randflake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(RandflakeGenerator::build(&Secret::new([0x5a; 16]), options, Arc::clone(clock))?))
}

fn randflakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1_000, move |not_before| {
            randflake(&Options::node(SHARED_NODES + thread as u64).after(not_before), &clock)
        })
    };
    // A second holds 131,072 IDs of a node. One node is enough to use up some seconds, and three
    // shards use them up unevenly.
    let shared = [Options::node(0), Options::nodes(1..4).shards(3)].map(|options| randflake(&options, setting.clock));
    Ok(Fleet { shared: shared.into_iter().collect::<Result<_, _>>()?, own: (0..setting.threads).map(own).collect() })
}

/// Builds a TSID generator, with the layout that has the fewest IDs a millisecond.
fn tsid(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(TsidGenerator::build(Layout::TSID_4096, options, Arc::clone(clock))?))
}

fn scalable(id: usize) -> UlidFlakeFormat {
    UlidFlakeFormat { scalability: Some(id as i64), ..UlidFlakeFormat::default() }
}

fn ulid_flake_of(format: UlidFlakeFormat, options: Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(UlidFlakeGenerator::build(format, &options, Arc::clone(clock), PooledEntropy)?))
}

/// Returns one generator: without a node, a second one would make equal IDs.
fn ulid_flake(setting: &Setting<'_>) -> Result<Fleet, Error> {
    Ok(Fleet {
        shared: vec![ulid_flake_of(UlidFlakeFormat::default(), Options::default(), setting.clock)?],
        own: Vec::new(),
    })
}

fn scalable_ulid_flakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    let own = |thread: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(1, move |not_before| ulid_flake_of(scalable(thread + 1), Options::default().after(not_before), &clock))
    };
    Ok(Fleet {
        shared: vec![ulid_flake_of(scalable(0), Options::default(), setting.clock)?],
        own: (0..setting.threads).map(own).collect(),
    })
}

/// A node of two parts, and a random part that grows by steps and is soon used up.
const FLAKE: &str = "unused:1 timestamp:41@ms,epoch=2020-02-02 random:12,step=64 node.region:4 node.machine:6";

fn flake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids, Error> {
    Ok(Box::new(FlakeGenerator::build(Layout::from_text(FLAKE)?, options, Arc::clone(clock), PooledEntropy)?))
}

fn flakes(setting: &Setting<'_>) -> Result<Fleet, Error> {
    // One node each: a growing random part allows only one.
    with_last_id(setting, 1, |index, not_before, clock| flake(&Options::node(index as u64).after(not_before), clock))
}

/// Returns the nodes of a generator: the shared ones for index 0, or else one node.
pub(crate) fn nodes(index: usize) -> Options {
    match index as u64 {
        0 => Options::nodes(0..SHARED_NODES),
        index => Options::node(SHARED_NODES + index - 1),
    }
}

/// Builds the generator with this index and state file.
type WithState<I> = fn(usize, &Path, &Arc<ManualClock>) -> Result<Ids<I>, Error>;

/// Returns a shared generator with index 0, and one for each thread. These restart after the time
/// of their last ID, in units of `unit_ms` milliseconds. `build` gets the index and this time.
pub(crate) fn with_last_id<I: IdValue>(
    setting: &Setting<'_>,
    unit_ms: i64,
    build: impl Fn(usize, Option<i64>, &Arc<ManualClock>) -> Result<Ids<I>, Error> + Copy + Send + Sync + 'static,
) -> Result<Fleet<I>, Error> {
    let own = |index: usize| {
        let clock = Arc::clone(setting.clock);
        Own::new(unit_ms, move |not_before| build(index, not_before, &clock))
    };
    let shared = build(0, None, setting.clock)?;
    Ok(Fleet { shared: vec![shared], own: (1..=setting.threads).map(own).collect() })
}

/// Returns a shared generator with index 0, and one for each thread. All have state files.
fn with_state<I: IdValue>(setting: &Setting<'_>, build: WithState<I>) -> Result<Fleet<I>, Error> {
    let path = |index: usize| setting.files.join(format!("{index}.state"));
    let own = |index: usize| {
        let clock = Arc::clone(setting.clock);
        Own::with_state(path(index), move |path| build(index, path, &clock))
    };
    let shared = build(0, &path(0), setting.clock)?;
    Ok(Fleet { shared: vec![shared], own: (1..=setting.threads).map(own).collect() })
}
