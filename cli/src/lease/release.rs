//! `saiban lease release`: takes nodes back by hand.

use super::args::Release as Arguments;
use super::place::Place;
use super::table::{nodes, plain, rounded_up_ms};
use crate::failure::Failure;
use crate::output;
use crate::time::utc_or_year;
use saiban_coordination::lease::Slot;
use saiban_coordination::lease::protocol::Release;
use serde_json::json;

/// What it used is not known, so that nobody else has the nodes before the lease would have ended: a holder that is alive after all
/// repeats nothing.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let name = &place.namespace;
    let (slot, now_us) = super::block_on(async {
        let listing = place.store.list(name).await?;
        let slot = listing.slots.into_iter().find(|slot| slot.nodes.contains(&arguments.node));
        Ok((slot.ok_or(listing.namespace.nodes), listing.now_us))
    })?
    .map_err(place.says())?;
    let slot = slot.map_err(|count| {
        Failure::Arguments(format!(
            "node {} is not in the name space {name:?}: give 0 to {}",
            arguments.node,
            count - 1
        ))
    })?;
    if !slot.is_held(now_us) {
        return Err(Failure::Arguments(format!(
            "node {} of the name space {name:?} is free: saiban lease ls says which are held",
            arguments.node
        )));
    }
    if slot.token == 0 {
        // A service hides them from who may not give away what is others': without it nothing would be taken back, and nobody would say so.
        return Err(Failure::Arguments(format!(
            "node {} of the name space {name:?} is held by {}, and whose token that is the service does not say: \
             it needs the scope admin to see whose it is; give the URL of the service a token that has it",
            arguments.node,
            plain(&slot.holder)
        )));
    }
    if !arguments.yes {
        return Err(Failure::Arguments(unsure(&slot)));
    }
    let wish = Release { key: slot.key(), high_water_us: slot.high_water_us.max(slot.end_us) };
    super::block_on(place.store.release(name, &wish))?.map_err(place.says())?;
    let free_ms = rounded_up_ms(wish.high_water_us);
    if arguments.json {
        let Slot { nodes, holder, .. } = &slot;
        let told = json!({ "namespace": name, "first": nodes.start, "end": nodes.end, "holder": holder, "free_from_ms": free_ms });
        return output::report(&told.to_string());
    }
    let (nodes, holder) = (nodes(&slot.nodes), plain(&slot.holder));
    output::report(&format!(
        "{name}: nodes {nodes} were taken back from {holder}; others have them from {} on",
        utc_or_year(free_ms)
    ))
}

fn unsure(slot: &Slot) -> String {
    let (nodes, holder, until) = (nodes(&slot.nodes), plain(&slot.holder), utc_or_year(rounded_up_ms(slot.end_us)));
    format!(
        "nodes {nodes} are held by {holder} until {until}. Taken back they cannot be renewed: if {holder} is not gone for good, it \
         makes no ID from then on until it has another lease, and a command of saiban lease acquire is ended. Give --yes to do it"
    )
}
