//! `saiban lease release`: takes nodes back from a holder that is gone.

use super::args::Release as Arguments;
use super::block_on::block_on;
use super::place::Place;
use super::table::{nodes, plain, rounded_up_ms};
use crate::failure::Failure;
use crate::output;
use crate::time::utc_or_year;
use saiban_coordination::lease::Slot;
use saiban_coordination::lease::protocol::Release;
use serde_json::json;

/// Releases the nodes. Which times the holder used is not known, so the nodes cool down until its
/// lease would have ended. A holder that is alive after all makes no duplicates.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let name = &place.namespace;
    let (slot, now_us) = block_on(async {
        let listing = place.store.list(name).await?;
        let slot = listing.slots.into_iter().find(|slot| slot.nodes.contains(&arguments.node));
        Ok((slot.ok_or(listing.namespace.nodes), listing.now_us))
    })?
    .map_err(place.says())?;
    let slot = slot.map_err(|count| {
        Failure::Arguments(format!("node {} is not in the namespace {name:?}: give 0 to {}", arguments.node, count - 1))
    })?;
    if !slot.is_held(now_us) {
        return Err(Failure::Arguments(format!(
            "node {} of the namespace {name:?} is free: saiban lease ls shows which nodes are held",
            arguments.node
        )));
    }
    if slot.token == 0 {
        // A service hides the token from callers that may not release other holders' leases.
        // Without the token the release would have no effect, and report no error.
        return Err(Failure::Arguments(format!(
            "node {} of the namespace {name:?} is held by {}, and the service shows the lease's token only to the \
             scope admin: give the service's URL a token with that scope",
            arguments.node,
            plain(&slot.holder)
        )));
    }
    if !arguments.yes {
        return Err(Failure::Arguments(unsure(&slot)));
    }
    let request = Release { key: slot.key(), high_water_us: slot.high_water_us.max(slot.end_us) };
    block_on(place.store.release(name, &request))?.map_err(place.says())?;
    let free_ms = rounded_up_ms(request.high_water_us);
    if arguments.json {
        let Slot { nodes, holder, .. } = &slot;
        let report = json!({ "namespace": name, "first": nodes.start, "end": nodes.end, "holder": holder, "free_from_ms": free_ms });
        return output::report(&report.to_string());
    }
    let (nodes, holder) = (nodes(&slot.nodes), plain(&slot.holder));
    output::report(&format!(
        "{name}: nodes {nodes} were taken back from {holder}; they are free from {} on",
        utc_or_year(free_ms)
    ))
}

fn unsure(slot: &Slot) -> String {
    let (nodes, holder, until) = (nodes(&slot.nodes), plain(&slot.holder), utc_or_year(rounded_up_ms(slot.end_us)));
    format!(
        "nodes {nodes} are held by {holder} until {until}. Once taken back, the lease cannot be renewed: if {holder} \
         still runs, it makes no more IDs from then on until it has another lease, and a command of saiban lease \
         acquire is ended. Give --yes to take them back"
    )
}
