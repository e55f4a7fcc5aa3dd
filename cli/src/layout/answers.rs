//! Formats the properties of a layout, as a table and as JSON.

use super::figures::{SECONDS_PER_YEAR, grouped, largest, many, power, scientific, seconds, span, tick};
use crate::time::{utc, utc_or_year};
use saiban::layout::{Field, FieldKind, Place};
use saiban::{Clock, Guarantee, Layout, SystemClock};
use serde_json::{Value, json};

/// A rate of IDs for some time, and the probability that two of them are equal.
pub(super) struct Odds {
    pub(super) ids_per_second: f64,
    pub(super) seconds: f64,
    pub(super) probability: f64,
}

/// Returns the table of the fields.
pub(super) fn fields(layout: &Layout) -> Vec<String> {
    let row = |place: Place| {
        let Field { bits, .. } = place.field;
        let (high, low) = (place.shift + bits - 1, place.shift);
        let range = if bits == 1 { high.to_string() } else { format!("{high}-{low}") };
        (name(&place.field), bits, range, values(&place))
    };
    let rows: Vec<_> = layout.places().map(row).collect();
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0).max("field".len());
    let mut lines = vec![format!("{:<width$}  {:>4}  {:>7}  values", "field", "bits", "place")];
    lines.extend(
        rows.iter().map(|(name, bits, range, values)| format!("{name:<width$}  {bits:>4}  {range:>7}  {values}")),
    );
    lines
}

fn name(field: &Field) -> String {
    if field.name.is_empty() { field.kind.name().to_owned() } else { format!("{}.{}", field.kind.name(), field.name) }
}

/// Describes the values of a field.
fn values(place: &Place) -> String {
    let Field { kind, bits, value, step, random_start, .. } = place.field;
    let range = format!("0 to {}", largest(place.max, bits));
    match kind {
        FieldKind::Unused => "always 0".into(),
        FieldKind::Constant => format!("always {value}"),
        FieldKind::Random if step == 0 => format!("{range}, random for each ID"),
        FieldKind::Random => format!("{range}, random each tick, then grows"),
        FieldKind::Sequence if random_start => format!("{range}, random start each tick"),
        _ => range,
    }
}

/// Returns the properties, one a line.
pub(super) fn lines(layout: &Layout, odds: Option<&Odds>) -> Vec<String> {
    let line = |label: &str, answer: String| format!("{label:<12}{answer}");
    let mut lines = vec![
        line("size", format!("{} bits, {}", layout.size_bits(), sign(layout))),
        line("tick", tick(layout.tick_us())),
        line("first time", utc_or_year(layout.first_ms())),
        line("last time", format!("{}{}", utc_or_year(layout.last_ms()), over(layout))),
        line("lifetime", span(layout.lifetime_ms())),
    ];
    lines.extend(amounts(layout).into_iter().map(|(label, answer)| line(label, answer)));
    lines.push(line("guarantee", explained(layout.guarantee()).into()));
    lines.push(line("in order", order(layout).into()));
    match odds {
        Some(odds) => lines.push(line("collisions", collisions(layout, odds))),
        None if !layout.is_unique() => {
            lines.push(line("collisions", "ask with --rate N, IDs a second of one node".into()));
        }
        None => {}
    }
    lines
}

/// Returns how many IDs the layout has: in a tick, per second and in all.
fn amounts(layout: &Layout) -> Vec<(&'static str, String)> {
    let (capacity, rate) = (layout.capacity(), layout.ids_per_second());
    let each = if layout.has_node() { " a node" } else { "" };
    let random = if layout.is_unique() { "" } else { ", random: equal ones come long before" };
    let mut amounts = vec![("IDs a tick", format!("{}{each}{random}", power(capacity.ids_per_tick)))];
    if layout.is_random() {
        let step = layout.max_step();
        let most = if step == 1 { String::new() } else { format!(" to {}, random too", grouped(step.into())) };
        amounts.push(("growth", format!("within a tick each ID is larger by 1{most}")));
    }
    if layout.has_node() {
        amounts.push(("nodes", power(capacity.nodes.into())));
        amounts.push(("per second", format!("{} a node, {} in all", many(rate.per_node), many(rate.in_all))));
    } else {
        amounts.push(("nodes", "none that distinguish generators".into()));
        amounts.push(("per second", many(rate.per_node)));
    }
    let ids = if capacity.bits <= u64::BITS { format!(" = {}", grouped(capacity.ids)) } else { String::new() };
    amounts.push(("IDs in all", format!("2^{}{ids}", capacity.bits)));
    amounts
}

/// Describes whether IDs are negative as signed 64-bit numbers, and from when on. Databases and
/// most languages read IDs as such numbers.
fn sign(layout: &Layout) -> String {
    let bits = layout.size_bits();
    if layout.is_wide() {
        return "wider than an integer of 64: text, bytes or UUID".into();
    }
    let highest = layout.places().next().map(|place| place.field);
    match highest {
        Some(Field { kind, .. }) if bits < u64::BITS || kind == FieldKind::Unused => "never negative".into(),
        Some(Field { kind: FieldKind::Timestamp, bits, .. }) => {
            format!("negative from {} on", utc_or_year(layout.tick_start_ms(1 << (bits - 1))))
        }
        Some(Field { kind: FieldKind::Constant, bits, value, .. }) if value >> (bits - 1) == 0 => {
            "never negative".into()
        }
        Some(Field { kind: FieldKind::Constant, .. }) => "always negative".into(),
        _ => "half of them negative".into(),
    }
}

/// Returns a remark if the layout can make no IDs today, or else an empty text.
fn over(layout: &Layout) -> &'static str {
    let now_ms = SystemClock.now_ns().map_or(0, |ns| (ns / 1_000_000) as i64);
    match layout.tick_at_ms(now_ms) {
        Ok(_) => "",
        Err(_) if now_ms < layout.first_ms() => " (not begun: give it an earlier epoch)",
        Err(_) => " (over: give it a later epoch)",
    }
}

fn explained(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Unique => "unique, if no two generators use one node at the same time",
        Guarantee::UniqueInProcess => "unique in a process; another process can make the same IDs",
        _ => "probable: random bits distinguish IDs",
    }
}

fn order(layout: &Layout) -> &'static str {
    if layout.is_time_ordered() { "of their times" } else { "no: a field is above the timestamp" }
}

fn collisions(layout: &Layout, odds: &Odds) -> String {
    let asked = format!("at {} IDs a second in {}", many(odds.ids_per_second), seconds(odds.seconds));
    match odds.probability {
        0.0 if layout.is_unique() && !layout.has_node() => format!("none {asked} of one process"),
        0.0 => format!("none {asked}"),
        1.0 => format!("certain {asked}"),
        odds if odds >= 0.999_995 => format!("almost certain {asked}"),
        odds if odds > 0.001 => format!("{:.3} % {asked}", odds * 100.0),
        odds => format!("{} {asked}", scientific(odds)),
    }
}

/// Returns all properties as JSON. Whole numbers that may exceed 2^53 are text. `layout` is the
/// form that every language reads.
pub(super) fn to_json(layout: &Layout, odds: Option<&Odds>) -> Value {
    let capacity = layout.capacity();
    let rate = layout.ids_per_second();
    let fields: Vec<Value> = layout
        .places()
        .map(|Place { field, shift, max }| {
            let name = (!field.name.is_empty()).then(|| field.name.to_string());
            json!({ "kind": field.kind.name(), "name": name, "bits": field.bits, "shift": shift, "max": max.to_string() })
        })
        .collect();
    json!({
        "name": layout.name(),
        "text": layout.to_string(),
        // `Layout::to_json` always returns valid JSON.
        "layout": serde_json::from_str::<Value>(&layout.to_json()).unwrap_or_default(),
        "size_bits": layout.size_bits(),
        "fields": fields,
        "first_ms": layout.first_ms().to_string(),
        "first": utc(layout.first_ms()),
        "last_ms": layout.last_ms().to_string(),
        "last": utc(layout.last_ms()),
        "lifetime_ms": layout.lifetime_ms().to_string(),
        "lifetime_years": layout.lifetime_ms() as f64 / 1e3 / SECONDS_PER_YEAR,
        "capacity": {
            "ids_per_tick": capacity.ids_per_tick.to_string(),
            "nodes": capacity.nodes.to_string(),
            "bits": capacity.bits,
            "ids": capacity.ids.to_string(),
        },
        "ids_per_second": { "per_node": rate.per_node, "in_all": rate.in_all },
        "guarantee": layout.guarantee().name(),
        "time_ordered": layout.is_time_ordered(),
        "collision_odds": odds.map(|odds| json!({
            "ids_per_second": odds.ids_per_second, "seconds": odds.seconds, "probability": odds.probability,
        })),
    })
}
