//! The subjects of the soak with IDs of more than 64 bits.
//!
//! Each generator of ULIDs, UUIDs and ObjectIds differs from others by its random bits, so two of
//! them almost never make equal IDs. The check finds a generator that repeats itself, as for other
//! schemes. For UUIDs of version 4 it only shows that no random value repeats.

use crate::subjects::{After, Setting, nodes, with_last_id};
use crate::{Fleet, Ids};
use saiban::{
    AnyGenerator, Clock, Error, GeneratorSpec, Layout, ManualClock, Options, PooledEntropy, Scheme, TickIdGenerator,
    TickOrder, WideFlakeGenerator,
};
use std::sync::Arc;

/// Time and sequence have 65 bits, more than a position of 63 bits can hold. The sequence is short,
/// so ticks are used up, and no random bits hide a repeated position.
const FLAKE: &str = "timestamp:56 unused:47 node:16 sequence:9";

pub(crate) fn flake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    Ok(Box::new(WideFlakeGenerator::build(Layout::from_text(FLAKE)?, options, Arc::clone(clock), PooledEntropy)?))
}

pub(crate) fn flakes(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |index, not_before, clock| flake(&nodes(index).after(not_before), clock))
}

/// Builds a generator that needs only its scheme.
fn ids(scheme: Scheme, options: &Options, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    match GeneratorSpec::new(scheme).build(options, Arc::clone(clock), PooledEntropy)? {
        AnyGenerator::Wide(ids) => Ok(ids),
        AnyGenerator::Narrow(_) => panic!("IDs of {scheme} have more than 64 bits"),
    }
}

/// Returns generators of a scheme that needs only its name. Their times have units of `unit_ms`
/// milliseconds.
pub(crate) fn of_scheme(scheme: Scheme, unit_ms: i64, setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, unit_ms, move |_, not_before, clock| {
        ids(scheme, &Options::default().after(not_before), clock)
    })
}

/// Returns generators that all threads use at random. UUIDs of version 4 have no time, so none of
/// the generators can restart after one.
pub(crate) fn uuids_v4(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    let ids = |_| ids(Scheme::UuidV4, &Options::default(), setting.clock);
    let shared = (0..=setting.threads).map(ids).collect::<Result<_, _>>()?;
    Ok(Fleet { shared, own: Vec::new() })
}

/// A manual clock that counts as the time of the process. Generators with it share a cursor, as
/// they do with the system's clock.
struct ProcessTime(Arc<ManualClock>);

impl Clock for ProcessTime {
    fn now_ns(&self) -> Result<u64, Error> {
        self.0.now_ns()
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

/// Builds a generator of tick IDs. They have few random digits, so only a shared cursor keeps
/// generators apart.
fn tick_id(order: TickOrder, not_before: Option<i64>, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    Ok(Box::new(TickIdGenerator::build(
        order,
        &Options::default().after(not_before),
        ProcessTime(Arc::clone(clock)),
        PooledEntropy,
    )?))
}

pub(crate) fn tick_ids(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| tick_id(TickOrder::Ascending, not_before, clock))
}

pub(crate) fn tick_ids_descending(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| tick_id(TickOrder::Descending, not_before, clock))
}
