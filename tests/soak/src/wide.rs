//! What is soaked of IDs that have more than 64 bits.
//!
//! All but Flakes are told apart by what each generator draws: two are as good as never equal, and one that repeats itself is found
//! as any other.

use crate::subjects::{Setting, nodes, with_last_id};
use crate::{Fleet, Ids};
use saiban::{Error, Layout, ManualClock, ObjectId, Options, PooledEntropy, TickId, TickOrder, Ulid, Uuid, WideFlake};
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

/// Only a generator keeps its own apart: there can be one.
pub(crate) fn tick_id(setting: &Setting<'_>) -> Result<Fleet<u128>, Error> {
    let ids = TickId::build(TickOrder::Ascending, &Options::default(), Arc::clone(setting.clock), PooledEntropy)?;
    Ok(Fleet { shared: vec![Box::new(ids)], own: Vec::new() })
}
