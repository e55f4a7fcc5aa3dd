//! The section of the status page on namespaces: which holder has which nodes.
//!
//! With few leases, each has a row. With many, the page summarizes: nodes by machine, the leases
//! that end first, the leases of this instance, and the command that lists all. A lease that is
//! renewed is not among the first to end for long.

use super::view::{Listing, Namespace, Slot};
use super::words::{count, many, natural, nodes, span, when};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The maximum number of leases with a row each. With more, the page summarizes them by machine.
const MAX_ROWS: usize = 40;
/// The maximum number of machines in the summary.
const MAX_HOSTS: usize = 20;
/// The maximum number of leases in the list of those that end first.
const MAX_ENDING: usize = 8;
/// The maximum number of leases of this instance in the summary.
const MAX_OWN: usize = 8;
/// The maximum number of columns in a strip of nodes. Screens could not show narrower columns.
const COLUMNS: i64 = 512;

pub(super) fn sections(namespaces: &[Namespace]) -> Markup {
    html! {
        @if namespaces.is_empty() { p.empty { "None: no scheme here needs a node, and no client leases nodes here." } }
        @for namespace in namespaces {
            article {
                h3 { (namespace.name) }
                @match &namespace.listing {
                    Ok(listing) => (listed(namespace, listing)),
                    Err(problem) => p { "The store returned an error: " code.bad { (problem.code) } " " (problem.message) },
                }
            }
        }
    }
}

fn listed(namespace: &Namespace, listing: &Listing) -> Markup {
    let now_ms = listing.now_ms;
    let held: Vec<&Slot> = listing.slots.iter().filter(|slot| slot.is_held(now_ms)).collect();
    let cooling: Vec<&Slot> = listing.slots.iter().filter(|slot| slot.is_cooling_down(now_ms)).collect();
    let rows = held.len() + cooling.len();
    html! {
        p.layout { code { (listing.fingerprint) } span.dim { ", leases of at most " (span(listing.max_ttl_ms)) } }
        @if let Some(until_ms) = listing.quarantine_until_ms.filter(|until_ms| *until_ms > now_ms) {
            p.warn { "In quarantine: no lease is granted until " (when(until_ms, now_ms)) "." }
        }
        (strip(listing, &held, &cooling))
        (figures(listing, &held, &cooling))
        @if rows == 0 { p.empty { "Nobody has nodes." } }
        @else if rows <= MAX_ROWS { (each(listing, &namespace.name)) }
        @else { (many_leases(namespace, now_ms, &held, rows)) }
    }
}

fn width(slots: &[&Slot]) -> i64 {
    slots.iter().fold(0, |sum, slot| sum.saturating_add(slot.width()))
}

fn figures(listing: &Listing, held: &[&Slot], cooling: &[&Slot]) -> Markup {
    let (taken, cooling) = (width(held), width(cooling));
    let free = listing.nodes.saturating_sub(taken).saturating_sub(cooling).max(0);
    html! {
        p.nodes {
            (many(natural(listing.nodes), "node")) ": "
            span.key.held { (count(natural(taken))) " held" } ", "
            span.key.cooling { (count(natural(cooling))) " cooling down" } ", "
            span.key.free.warn[free == 0] { (count(natural(free))) " free" }
        }
    }
}

/// Draws all nodes as a strip: held, cooling down or free. Numbers and tables contain the same
/// facts.
fn strip(listing: &Listing, held: &[&Slot], cooling: &[&Slot]) -> Markup {
    let nodes = listing.nodes.max(1);
    let columns = nodes.min(COLUMNS);
    let place = |node: i64| (i128::from(node.clamp(0, nodes)) * i128::from(columns) / i128::from(nodes)) as i64;
    let path = |slots: &mut dyn Iterator<Item = &&Slot>| {
        let mut path = String::new();
        let mut painted = 0;
        for slot in slots {
            // A slot narrower than a column takes one column, so that each held node is visible.
            let (from, to) = (place(slot.nodes.start).max(painted), place(slot.nodes.end.saturating_sub(1)) + 1);
            if from < to {
                path += &format!("M{from} 0h{}v8h-{}z", to - from, to - from);
                painted = to;
            }
        }
        path
    };
    html! {
        svg.strip.nodes viewBox={ "0 0 " (columns) " 8" } preserveAspectRatio="none" aria-hidden="true" {
            rect.free x="0" y="0" width=(columns) height="8" {}
            path.cooling d=(path(&mut cooling.iter())) {}
            path.held d=(path(&mut held.iter())) {}
            path.own d=(path(&mut held.iter().filter(|slot| slot.is_own))) {}
        }
    }
}

/// Returns a row for each lease, in the order of the nodes.
fn each(listing: &Listing, name: &str) -> Markup {
    let now_ms = listing.now_ms;
    let slots = listing.slots.iter().filter(|slot| slot.is_held(now_ms) || slot.is_cooling_down(now_ms));
    rows(slots, now_ms, &html! { caption.aside { "Nodes of " (name) " that are held or cooling down" } })
}

fn rows<'s>(slots: impl Iterator<Item = &'s Slot>, now_ms: i64, caption: &Markup) -> Markup {
    html! {
        table.stack.slots {
            (caption)
            thead {
                tr {
                    th scope="col" { "Nodes" }
                    th scope="col" { "Holder" }
                    th scope="col" { "Since" }
                    th scope="col" { "Until" }
                }
            }
            tbody {
                @for slot in slots { (row(slot, now_ms)) }
            }
        }
    }
}

fn row(slot: &Slot, now_ms: i64) -> Markup {
    html! {
        tr {
            th scope="row" data-label="Nodes" { code { (nodes(&slot.nodes)) } }
            @if slot.is_held(now_ms) {
                td data-label="Holder" { (slot.holder) @if slot.is_own { " " span.flag { "this instance" } } }
                td data-label="Since" { (when(slot.start_ms, now_ms)) }
                td data-label="Until" { (when(slot.end_ms, now_ms)) }
            } @else {
                td data-label="Holder" { span.dim { "nobody, last " (slot.holder) } }
                td data-label="Since" { span.dim { "cooling down" } }
                td data-label="Until" { (when(slot.high_water_ms, now_ms)) }
            }
        }
    }
}

/// The leases of one machine.
#[derive(Default)]
struct Host {
    leases: u64,
    nodes: i64,
    first_end_ms: Option<i64>,
    is_own: bool,
}

/// Summarizes many leases: those of this instance, those that end first, and the number by machine.
fn many_leases(namespace: &Namespace, now_ms: i64, held: &[&Slot], rows_in_all: usize) -> Markup {
    let mut hosts: BTreeMap<&str, Host> = BTreeMap::new();
    for slot in held {
        // By default, a holder is `host/process`.
        let host = hosts.entry(slot.holder.split('/').next().unwrap_or_default()).or_default();
        host.leases += 1;
        host.nodes = host.nodes.saturating_add(slot.width());
        host.first_end_ms = Some(host.first_end_ms.map_or(slot.end_ms, |first| first.min(slot.end_ms)));
        host.is_own |= slot.is_own;
    }
    let mut by_nodes: Vec<(&str, Host)> = hosts.into_iter().collect();
    by_nodes.sort_by_key(|(_, host)| std::cmp::Reverse((host.is_own, host.nodes)));
    let left = by_nodes.len().saturating_sub(MAX_HOSTS);
    let mut ending: Vec<&Slot> = held.to_vec();
    ending.sort_by_key(|slot| slot.end_ms);
    let own: Vec<&Slot> = held.iter().filter(|slot| slot.is_own).copied().collect();
    let own_left = own.len().saturating_sub(MAX_OWN);
    html! {
        p.dim {
            (count(rows_in_all as u64)) " leases and ranges that cool down are too many to list here. For all of them: "
            code { "saiban lease ls --namespace " (namespace.name) }
        }
        @if !own.is_empty() {
            (rows(own.into_iter().take(MAX_OWN), now_ms, &html! { caption { "What this instance has" } }))
            @if own_left > 0 { p.dim { "And " (many(own_left as u64, "lease")) " more." } }
        }
        (rows(ending.into_iter().take(MAX_ENDING), now_ms, &html! { caption { "Leases that end first" } }))
        table.stack.hosts {
            caption { "Nodes by machine" @if left > 0 { ": the " (MAX_HOSTS) " with most of " (by_nodes.len()) } }
            thead {
                tr {
                    th scope="col" { "Machine" }
                    th scope="col" .number { "Leases" }
                    th scope="col" .number { "Nodes" }
                    th scope="col" { "First ends" }
                }
            }
            tbody {
                @for (name, host) in by_nodes.iter().take(MAX_HOSTS) {
                    tr {
                        th scope="row" data-label="Machine" { (name) @if host.is_own { " " span.flag { "this \
                            machine" } } }
                        td.number data-label="Leases" { (count(host.leases)) }
                        td.number data-label="Nodes" { (count(natural(host.nodes))) }
                        td data-label="First ends" { @if let Some(end_ms) = host.first_end_ms { (when(end_ms, now_ms)) } }
                    }
                }
            }
        }
        @if left > 0 { p.dim { "And " (many(left as u64, "machine")) " with fewer." } }
    }
}
