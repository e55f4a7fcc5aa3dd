//! What is soaked of IDs that have more than 64 bits.
//!
//! ULIDs, UUIDs and ObjectIds are told apart by what each generator draws: two are as good as never equal, and one that repeats itself is
//! found as any other. All that UUIDs of version 4 show is that nothing drawn comes twice.

use crate::subjects::{Setting, nodes, with_last_id};
use crate::{Fleet, Ids};
use saiban::{
    Clock, Error, Layout, ManualClock, ObjectId, Options, PooledEntropy, TickId, TickOrder, Ulid, Uuid, WideFlake,
};
use std::sync::Arc;

/// Time and sequence have 65 bits: more than a position of 63. The sequence is so short that ticks are used up, and nothing random
/// hides what it repeats.
const FLAKE: &str = "timestamp:56 unused:47 node:16 sequence:9";

pub(crate) fn flake(options: &Options, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    Ok(Box::new(WideFlake::build(Layout::from_text(FLAKE)?, options, Arc::clone(clock), PooledEntropy)?))
}

pub(crate) fn flakes(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |index, not_before, clock| flake(&Options { not_before, ..nodes(index) }, clock))
}

fn after(not_before: Option<i64>) -> Options {
    Options { not_before, ..Options::default() }
}

pub(crate) fn ulids(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| {
        Ok(Box::new(Ulid::build(&after(not_before), Arc::clone(clock), PooledEntropy)?))
    })
}

fn uuid(version: i64, not_before: Option<i64>, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    Ok(Box::new(Uuid::build(version, &after(not_before), Arc::clone(clock), PooledEntropy)?))
}

pub(crate) fn uuids_v7(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| uuid(7, not_before, clock))
}

pub(crate) fn uuids_v1(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| uuid(1, not_before, clock))
}

/// Its unit is the second.
pub(crate) fn object_ids(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1_000, |_, not_before, clock| {
        Ok(Box::new(ObjectId::build(&after(not_before), Arc::clone(clock), PooledEntropy)?))
    })
}

/// They have no time to restart after: each thread has one of them, or another.
pub(crate) fn uuids_v4(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    let shared = (0..=setting.threads).map(|_| uuid(4, None, setting.clock)).collect::<Result<_, _>>()?;
    Ok(Fleet { shared, own: Vec::new() })
}

/// Passes for the time of the process: generators with this clock count together, where they would with the system's.
struct ProcessTime(Arc<ManualClock>);

impl Clock for ProcessTime {
    fn now_ns(&self) -> Result<u64, Error> {
        self.0.now_ns()
    }

    fn is_process_time(&self) -> bool {
        true
    }
}

/// Their random digits are few: only counting together keeps generators apart.
fn tick_id(order: TickOrder, not_before: Option<i64>, clock: &Arc<ManualClock>) -> Result<Ids<u128>, Error> {
    Ok(Box::new(TickId::build(order, &after(not_before), ProcessTime(Arc::clone(clock)), PooledEntropy)?))
}

pub(crate) fn tick_ids(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| tick_id(TickOrder::Ascending, not_before, clock))
}

pub(crate) fn tick_ids_descending(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    with_last_id(setting, 1, |_, not_before, clock| tick_id(TickOrder::Descending, not_before, clock))
}
