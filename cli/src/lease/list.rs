//! `saiban lease ls`: lists the nodes of a namespace with their holders, and until when each lease
//! lasts.

use super::args::List;
use super::block_on::block_on;
use super::place::Place;
use super::table::{self, rounded_up_ms};
use crate::failure::Failure;
use crate::output::Output;
use crate::time::utc;
use saiban_coordination::lease::Slot;
use saiban_coordination::store::{Listing, StoreUrl};
use serde_json::{Value, json};

pub(super) fn run(arguments: &List) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let listing = block_on(place.store.list(&place.namespace))?.map_err(place.says())?;
    let mut output = Output::stdout()?;
    if arguments.json {
        output.line(&to_json(&place.url, &place.namespace, &listing).to_string())?;
    } else {
        let lines = table::lines(&place.url, &place.namespace, &listing, arguments.all);
        lines.iter().try_for_each(|line| output.line(line))?;
    }
    output.finish()
}

fn to_json(url: &StoreUrl, name: &str, listing: &Listing) -> Value {
    let Listing { namespace, slots, now_us } = listing;
    let quarantine = (namespace.quarantine_until_us > *now_us).then(|| rounded_up_ms(namespace.quarantine_until_us));
    let held = table::width(slots.iter().filter(|slot| slot.is_held(*now_us)));
    let cooling = table::width(slots.iter().filter(|slot| table::is_cooling_down(slot, *now_us)));
    json!({
        "store": url.to_string(),
        "namespace": name,
        "fingerprint": namespace.fingerprint,
        "nodes": namespace.nodes,
        "nodes_held": held,
        "nodes_free": namespace.nodes - held,
        "nodes_cooling_down": cooling,
        "max_ttl_s": namespace.max_ttl_us / 1_000_000,
        "quarantine_until_ms": quarantine,
        "now_ms": now_us / 1_000,
        "slots": slots.iter().map(|slot| of_slot(slot, *now_us)).collect::<Vec<_>>(),
    })
}

fn of_slot(slot: &Slot, now_us: i64) -> Value {
    let is_held = slot.is_held(now_us);
    let end_ms = is_held.then_some(slot.end_us / 1_000);
    json!({
        "first": slot.nodes.start,
        "end": slot.nodes.end,
        "held": is_held,
        "holder": Some(&slot.holder).filter(|holder| !holder.is_empty()),
        "lease_start_ms": is_held.then_some(rounded_up_ms(slot.start_us)),
        "lease_end_ms": end_ms,
        "lease_end": end_ms.and_then(utc),
        "left_ms": end_ms.map(|end_ms| (end_ms - now_us / 1_000).max(0)),
        "high_water_ms": Some(rounded_up_ms(slot.high_water_us)).filter(|ms| *ms > 0),
        "fence": slot.fence,
    })
}
