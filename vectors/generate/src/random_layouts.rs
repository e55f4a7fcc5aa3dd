//! Cases of a thousand random layouts of 16 to 128 bits.

use crate::document::{Case, Document};
use crate::family::random;
use crate::flake::submillisecond_ns;
use crate::rng::Rng;
use saiban::Layout;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const LAYOUTS: usize = 1_000;

pub fn documents() -> [Document; 2] {
    let mut rng = Rng::new(0x6c61_796f);
    let mut seen = BTreeSet::new();
    [1, 2].map(|part| {
        let mut document = Document::new("flake", &["saiban, the text form of a layout: vectors/README.md"]).part(part);
        let mut count = 0;
        while count < LAYOUTS / 2 {
            let text = layout_text(&mut rng);
            let Ok(layout) = Layout::from_text(&text) else {
                continue;
            };
            if !seen.insert(text.clone()) {
                continue;
            }
            count += 1;
            let name = format!("r{count:03}");
            document.config(&name, json!({ "layout": text }));
            document.add(Case::new("limits", json!({})).config(&name).flag("random"));
            round_trips(&mut document, &name, &layout, &mut rng);
            edges(&mut document, &name, &layout, &mut rng);
        }
        document
    })
}

/// Returns the text of a layout with random fields in random order. The caller discards an invalid
/// layout and tries another.
fn layout_text(rng: &mut Rng) -> String {
    let size = match rng.below(8) {
        0 => [16, 17, 32, 53, 63, 64, 65, 96, 127, 128][rng.below(10) as usize],
        1 => 64,
        2 => 128,
        _ => 16 + rng.below(113) as i64,
    };
    let mut fields: Vec<String> = Vec::new();
    let timestamp = rng.between(8, 56.min(size));
    let unit = ["", "", "", "@us", "@10ms", "@100us", "@s", "@min", "@h", "@d", "@1500us"][rng.below(11) as usize];
    let epoch = [
        "",
        ",epoch=2020-02-02",
        ",epoch=2010-11-04T01:42:54.657Z",
        ",epoch=1900-01-01",
        ",epoch=2024-02-29T23:59:59.001Z",
    ][rng.below(5) as usize];
    fields.push(format!("timestamp:{timestamp}{unit}{epoch}"));
    let mut left = size - timestamp;
    let mut take = |most: i64, rng: &mut Rng| {
        let bits = if left == 0 { 0 } else { rng.between(1, most.min(left)) };
        left -= bits;
        bits
    };
    match rng.below(4) {
        0 => {}
        1 => {
            let (first, second) = (take(30, rng), take(30, rng));
            if first > 0 && second > 0 {
                fields.push(format!("node.region:{first} node.host_{}:{second}", rng.below(100)));
            }
        }
        _ => fields.extend(Some(take(40, rng)).filter(|bits| *bits > 0).map(|bits| format!("node:{bits}"))),
    }
    match rng.below(6) {
        0 => {}
        1 => {
            let step = [1, 2, 255, 65_535, 1 << 32, u64::MAX][rng.below(6) as usize];
            // A part cannot grow by more than it can hold.
            let step_of = |bits: i64| step.min(u64::MAX >> (64 - bits.min(64)));
            fields.extend(
                Some(take(80, rng))
                    .filter(|bits| *bits > 0)
                    .map(|bits| format!("random:{bits},step={}", step_of(bits))),
            );
        }
        2 => fields
            .extend(Some(take(40, rng)).filter(|bits| *bits > 0).map(|bits| format!("sequence:{bits},start=random"))),
        _ => fields.extend(Some(take(64, rng)).filter(|bits| *bits > 0).map(|bits| format!("sequence:{bits}"))),
    }
    if rng.below(4) == 0 {
        fields.extend(Some(take(4, rng)).filter(|bits| *bits > 0).map(|bits| format!("rollback:{bits}")));
    }
    if rng.below(3) == 0 && !fields.iter().any(|field| field.contains("step")) {
        fields.extend(Some(take(100, rng)).filter(|bits| *bits > 0).map(|bits| format!("random:{bits}")));
    }
    // The remaining bits are constant or unused, in one or more fields.
    while left > 0 {
        let bits = if rng.below(2) == 0 { left } else { rng.between(1, left) };
        left -= bits;
        fields.push(match rng.below(2) {
            0 => format!("unused:{bits}"),
            _ => format!("constant:{bits},value={}", random(rng, bits as u32)),
        });
    }
    // Most layouts have the time on top, as those in practice do.
    let first = usize::from(rng.below(3) > 0);
    for index in (first + 1..fields.len()).rev() {
        fields.swap(index, first + rng.below((index - first + 1) as u64) as usize);
    }
    fields.join(" ")
}

fn bits(max: u128) -> u32 {
    128 - max.leading_zeros()
}

/// Returns the parts of the layout besides the time, with their maxima.
fn parts_of(layout: &Layout) -> Vec<(&'static str, u128)> {
    let counter = if layout.is_random() { "random" } else { "sequence" };
    let all = [
        ("node", u128::from(layout.max_node())),
        (counter, layout.max_counter_wide()),
        ("random", layout.max_random()),
        ("rollback", u128::from(layout.max_rollback())),
    ];
    all.into_iter().filter(|(_, max)| *max > 0).collect()
}

/// Adds IDs in the order of tick and counter, with all other parts equal. Then adds IDs with all
/// parts at their minimum, at their maximum, and random.
fn round_trips(document: &mut Document, name: &str, layout: &Layout, rng: &mut Rng) {
    let parts = parts_of(layout);
    let counter = if layout.is_random() { "random" } else { "sequence" };
    let last = layout.ticks() - 1;
    let written = |tick: u64, values: &[(&'static str, u128)]| {
        let mut map = Map::new();
        map.insert("timestamp_ms".into(), layout.tick_start_ms(tick).to_string().into());
        if layout.has_submilliseconds() {
            map.insert("submillisecond_ns".into(), submillisecond_ns(layout, tick).to_string().into());
        }
        map.extend(values.iter().map(|(part, value)| ((*part).to_owned(), value.to_string().into())));
        Value::Object(map)
    };
    let middle = rng.up_to(last);
    let fixed: Vec<(&'static str, u128)> = parts.iter().map(|(part, max)| (*part, random(rng, bits(*max)))).collect();
    let at = |tick: u64, count: u128| {
        let values: Vec<_> = fixed
            .iter()
            .map(|(part, value)| {
                (*part, if *part == counter && layout.max_counter_wide() > 0 { count } else { *value })
            })
            .collect();
        written(tick, &values)
    };
    let most = layout.max_counter_wide();
    let mut all: Vec<Value> = Vec::new();
    for (tick, count) in [(0, 0), (0, most), (middle, most / 2), (middle, most), (last, 0), (last, most)] {
        all.push(at(tick, count));
    }
    all.push(written(0, &parts.iter().map(|(part, _)| (*part, 0)).collect::<Vec<_>>()));
    all.push(written(last, &parts));
    for _ in 0..2 {
        let values: Vec<_> = parts.iter().map(|(part, max)| (*part, random(rng, bits(*max)))).collect();
        all.push(written(rng.up_to(last), &values));
    }
    all.dedup();
    document.add(Case::new("round_trips", json!({ "parts": all })).config(name).flag("random"));
}

/// Adds times outside the layout, in a quarter of the cases, and a random ID, whose constant bits
/// may be wrong.
fn edges(document: &mut Document, name: &str, layout: &Layout, rng: &mut Rng) {
    let end = layout.tick_start_ms(layout.ticks());
    // The tick after the last one may begin within a millisecond.
    for (time, comment) in [(end + 1, "past the last tick"), (layout.epoch_ms() - 1, "before the epoch")] {
        if rng.below(4) == 0 {
            let given = json!({ "timestamp_ms": time.to_string() });
            document.add(Case::new("compose", given).config(name).flag("edge").comment(comment));
        }
    }
    let size = layout.size_bits();
    let id = random(rng, size);
    let shown = if layout.is_wide() { id.to_string() } else { (id as u64 as i64).to_string() };
    let given = json!({ "id": shown, "text": shown });
    document.add(Case::new("inspect", given).config(name).flag("random"));
}
