//! Cases of Flake: custom layouts, each in all operations.

use crate::document::Document;
use crate::family::{Writer, most, random};
use crate::rng::Rng;
use crate::rollback;
use crate::scheme::Plan;
use crate::uuid::NANOSECONDS;
use saiban::Layout;
use saiban::layout::FieldKind;
use serde_json::json;

/// The last time that a clock can show, in milliseconds: 2^64 - 1 nanoseconds.
const LAST_CLOCK_MS: i64 = (u64::MAX / 1_000_000) as i64;

/// Name, layout, and whether cases change every bit of an ID.
const LAYOUTS: [(&str, &str, bool); 22] = [
    ("readme", "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", false),
    ("twitter", "twitter", false),
    ("mastodon", "mastodon", false),
    ("named", "timestamp:42,epoch=2015-01-01 node.datacenter:5 node.worker:5 sequence:12", true),
    ("three_names", "timestamp:40@s node.a:1 node.b_2:30 node.sixteen_letters_:1 sequence:9", false),
    ("sixteen", "timestamp:10@d node:2 sequence:4", true),
    ("thirty_two", "timestamp:24@min,epoch=2024-01-01 sequence:8", false),
    ("fifty_three", "timestamp:41,epoch=2024-01-01 node:4 sequence:8", true),
    ("sixty_three", "timestamp:41,epoch=2020-01-01 node:10 sequence:12", false),
    ("fresh", "unused:1 timestamp:41,epoch=2024-01-01 random:22", false),
    ("fresh_wide", "timestamp:48 random:80", false),
    ("wide", "timestamp:48 node:16 sequence:16 random:48", true),
    ("growing", "timestamp:48 random:80,step=4294967296", false),
    ("by_one", "timestamp:40,epoch=2020-01-01 node:8 random:60,step=1", false),
    ("constant", "timestamp:48 constant:4,value=7 sequence:12 constant:2,value=2 random:62", true),
    ("start", "unused:1 timestamp:41 node:6 sequence:16,start=random", false),
    ("rollback", "unused:1 timestamp:41,epoch=2020-01-01 node:8 rollback:2 sequence:12", false),
    ("rollback_wide", "constant:3,value=5 timestamp:42,epoch=2001-09-09 sequence:2 node:40 rollback:3", true),
    ("lonely", "unused:1 timestamp:40 node:23", false),
    ("huge_counter", "timestamp:41,epoch=2020-01-01 node:24 sequence:60", false),
    ("above", "sequence:4 timestamp:60@us node:32 constant:4,value=15", false),
    ("half", "timestamp:40@1500us,epoch=2020-01-01 node:8 sequence:2 unused:50", false),
];

fn plan(config: &str, layout: &Layout) -> Plan {
    let tick_us = layout.tick_us() as i64;
    Plan {
        config: config.into(),
        epoch_ms: layout.epoch_ms(),
        last_ms: layout.last_ms(),
        end_ms: layout.tick_start_ms(layout.ticks()),
        tick_us,
        tick_ms: (1..).find(|ms| ms * 1_000 % tick_us == 0).expect("such a number of milliseconds"),
        max_node: layout.has_node().then(|| layout.max_node()),
        max_low: layout.max_counter(),
        max_rollback: Some(layout.max_rollback()),
        node_name: "node",
        low_name: "sequence",
        unit_ms: 1,
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "flake",
        &[
            "saiban, the text form of a layout: vectors/README.md",
            "saiban, vectors/README.md: clock, window and wait",
            "RFC 9562 section 5.7, as the layout `constant`",
        ],
    );
    for (index, (name, text, every_bit)) in LAYOUTS.into_iter().enumerate() {
        document.config(name, json!({ "layout": text }));
        let layout = Layout::from_text(text).expect("a layout");
        let mut rng = Rng::new(0x666c_616b + index as u64);
        let mut writer = Writer { document: &mut document, config: name.into(), bytes: false };
        compose(&mut writer, &layout, &mut rng);
        inspect(&mut writer, &layout, &mut rng, every_bit);
        texts(&mut writer, &layout);
        if layout.is_unique() && !layout.has_random() && !layout.is_random() && !layout.has_random_start() {
            if layout.epoch_ms() >= 0 && layout.tick_start_ms(layout.ticks()) < LAST_CLOCK_MS && name != "twitter" {
                exact(&mut document, &plan(name, &layout), &mut rng);
            }
        } else {
            with_random_parts(&mut writer, &layout);
        }
    }
    named(&mut document);
    same_tick(&mut document);
    refusals(&mut document);
    document
}

/// Returns the parts of a layout with the maximum of each. The maximum of the time is in ticks.
fn limits(layout: &Layout) -> Vec<(&'static str, u128)> {
    let mut parts = vec![("timestamp_ms", u128::from(layout.ticks() - 1))];
    if layout.has_node() {
        parts.push(("node", layout.max_node().into()));
    }
    if layout.has_sequence() {
        parts.push(("sequence", layout.max_counter_wide()));
    }
    if layout.is_random() {
        parts.push(("random", layout.max_counter_wide()));
    } else if layout.has_random() {
        parts.push(("random", layout.max_random()));
    }
    if layout.has_rollback() {
        parts.push(("rollback", layout.max_rollback().into()));
    }
    parts
}

fn bits(max: u128) -> u32 {
    128 - max.leading_zeros()
}

fn compose(writer: &mut Writer, layout: &Layout, rng: &mut Rng) {
    let limits = limits(layout);
    let part = |name: &'static str, value: u128| -> (&'static str, i128) {
        let value = if name == "timestamp_ms" { layout.tick_start_ms(value as u64).into() } else { value as i128 };
        (name, value)
    };
    let all = |of: &mut dyn FnMut(u128) -> u128| -> Vec<_> {
        limits.iter().map(|(name, max)| part(name, of(*max))).collect()
    };
    // Sets the time of parts to the tick with this number.
    let at = |mut parts: Vec<(&'static str, i128)>, tick: u64| {
        parts[0] = part("timestamp_ms", tick.into());
        parts.insert(1, ("submillisecond_ns", submillisecond_ns(layout, tick)));
        parts
    };
    let of = |name: &str| match name {
        "timestamp_ms" => ("first-timestamp", "last-timestamp"),
        "node" => ("first-node", "last-node"),
        "sequence" => ("first-sequence", "last-sequence"),
        "random" => ("first-random", "last-random"),
        _ => ("first-rollback", "last-rollback"),
    };
    let flags = |is_last: bool| -> Vec<&'static str> {
        let ends = limits.iter().map(|(name, _)| of(name)).map(|(first, last)| if is_last { last } else { first });
        ["edge"].into_iter().chain(ends).collect()
    };
    writer.compose(&all(&mut |_| 0), &flags(false), "all parts at their least");
    writer.compose(&all(&mut |max| max), &flags(true), "all parts at their most");
    for (index, (name, max)) in limits.iter().enumerate() {
        let (first, last) = of(name);
        for (value, flag) in [(0, first), (*max, last)] {
            let mut parts = all(&mut |max| random(rng, bits(max)));
            parts[index] = part(name, value);
            writer.compose(&parts, &["edge", flag], "");
        }
    }
    for _ in 0..4 {
        writer.compose(&all(&mut |max| random(rng, bits(max))), &["random"], "");
    }
    let made = writer.made(&all(&mut |max| random(rng, bits(max))));
    writer.encodings(&made, &["hex", "crockford", "base32hex", "base58", "base64url", "hyphenated"]);
    let mut parts = all(&mut |max| random(rng, bits(max)));
    parts[0].1 += i128::from(layout.tick_us() / 1_000 / 2);
    writer.compose(&parts, &["edge"], "a time within a tick");
    if layout.has_submilliseconds() {
        let last = layout.ticks() - 1;
        writer.compose(&at(all(&mut |max| max), last), &flags(true), "the last tick, to the nanosecond");
        let mut parts = at(all(&mut |max| random(rng, bits(max))), last);
        parts[1].1 += i128::from(layout.tick_ns() - 1).min(999_999 - parts[1].1);
        writer.compose(
            &parts,
            &["edge"],
            "the last nanosecond of the last tick, or of the millisecond in which it begins",
        );
        for _ in 0..4 {
            let tick = random(rng, bits(last.into())) as u64;
            writer.compose(&at(all(&mut |max| random(rng, bits(max))), tick), &["random"], "");
        }
        for (ns, comment) in NANOSECONDS {
            let mut parts = at(all(&mut |max| random(rng, bits(max))), last / 2);
            parts[1].1 = ns;
            writer.compose(&parts, &["edge"], comment);
        }
    }
    let parts = all(&mut |max| random(rng, bits(max)));
    let mut refuse = |name: &'static str, value: i128, comment: &str| {
        let mut parts = parts.clone();
        match parts.iter_mut().find(|part| part.0 == name) {
            Some(part) => part.1 = value,
            None => parts.push((name, value)),
        }
        writer.compose(&parts, &["edge"], comment);
    };
    refuse("timestamp_ms", i128::from(layout.epoch_ms()) - 1, "before the epoch");
    refuse("timestamp_ms", i64::MIN.into(), "long before the epoch");
    refuse("timestamp_ms", i64::MAX.into(), "past the last tick");
    refuse("timestamp_ms", layout.tick_start_ms(layout.ticks()).into(), "when time is over, or in its last tick");
    refuse("node", i128::from(layout.max_node()) + 1, "a node one too large");
    refuse("node", -1, "a negative node");
    refuse("rollback", i128::from(layout.max_rollback()) + 1, "a step back too many");
    refuse("rollback", -1, "a negative number of steps back");
    if !layout.is_random() {
        refuse("sequence", layout.max_counter_wide() as i128 + 1, "a sequence number one too large");
    }
    let most = if layout.is_random() { layout.max_counter_wide() } else { layout.max_random() };
    refuse("random", most as i128 + 1, "a random part one too large");
}

/// Returns by how many nanoseconds a tick begins after its millisecond.
pub fn submillisecond_ns(layout: &Layout, tick: u64) -> i128 {
    i128::from(tick) * i128::from(layout.tick_ns()) % 1_000_000
}

/// Returns an ID as text: a signed number up to 64 bits, or else an unsigned one.
fn shown(layout: &Layout, id: u128) -> String {
    if layout.is_wide() { id.to_string() } else { (id as u64 as i64).to_string() }
}

fn inspect(writer: &mut Writer, layout: &Layout, rng: &mut Rng, every_bit: bool) {
    let size = layout.size_bits();
    let id = layout.join_wide(&saiban::layout::WideFields {
        tick: random(rng, bits((layout.ticks() - 1).into())) as u64,
        node: random(rng, bits(layout.max_node().into())) as u64,
        counter: random(rng, bits(layout.max_counter_wide())),
        rollback: random(rng, bits(layout.max_rollback().into())) as u64,
        random: random(rng, bits(layout.max_random())),
    });
    if every_bit {
        for bit in 0..size.max(64) {
            let text = shown(layout, id ^ 1 << bit);
            writer.inspect(&text, &text, "one-bit", "");
        }
        writer.inspect(shown(layout, id), &shown(layout, id), "one-bit", "");
    }
    for id in [0, 1, most(size), most(size) - 1, 1 << (size - 1), random(rng, size)] {
        let text = shown(layout, id);
        writer.inspect(&text, &text, "edge", "");
    }
    if size < 64 {
        for id in [1_i64 << size, -1, i64::MIN, i64::MAX] {
            writer.inspect(id, &id.to_string(), "edge", "no number of so many bits");
        }
    }
}

fn texts(writer: &mut Writer, layout: &Layout) {
    let size = layout.size_bits();
    writer.read("", "nothing");
    writer.read("-1", "a negative number");
    writer.read("+1", "a plus sign");
    writer.read("0x10", "hexadecimal");
    writer.read("12é", "a letter");
    let largest = shown(layout, most(size));
    writer.read(&largest, "all bits 1");
    writer.read(&format!("00{}", shown(layout, layout.join_wide(&Default::default()))), "leading zeros");
    if size < 128 {
        writer.read(&(1_u128 << size).to_string(), "a bit too many");
    }
    writer.read("340282366920938463463374607431768211456", "2^128");
    writer.read(&"9".repeat(40), "forty nines");
}

/// Adds sequences of clock times with IDs that can all be predicted.
fn exact(document: &mut Document, plan: &Plan, rng: &mut Rng) {
    plan.generate_edges(document, rng);
    plan.wander(document, rng, |rng| rng.between(-4, 6), 6);
    if plan.max_node.is_some() {
        plan.refusals(document, json!({ "node": "0" }));
    } else {
        plan.refusals(document, json!({}));
    }
    if plan.has_rollback() || plan.config == "readme" {
        rollback::steps_back(plan, document, rng);
        rollback::not_before(plan, document, rng);
    }
}

/// Adds sequences of clock times for layouts with random parts, whose IDs can be predicted only in
/// part.
fn with_random_parts(writer: &mut Writer, layout: &Layout) {
    let given = if layout.has_node() { json!({ "node": layout.max_node().to_string() }) } else { json!({}) };
    let now = 1_763_700_000_000;
    writer.generate(given.clone(), &[now, now + 1, now + 5], "the clock goes on");
    writer.generate(given.clone(), &[now, now, now, now + 1, now + 1], "ticks of several IDs");
    writer.generate(given.clone(), &[now + 5, now, now + 4, now + 5, now + 6], "stepped back, and held");
    let mut error = given.clone();
    error["rollback"] = json!("error");
    writer.generate(
        error,
        &[now + 5, now, now + 4, now + 5, now + 6],
        "stepped back: refused until the clock has returned",
    );
    let mut window = given.clone();
    window["window"] = json!([(now + 5).to_string(), (now + 7).to_string()]);
    let times: Vec<i64> = (3..9).map(|ms| now + ms).collect();
    writer.generate(window.clone(), &times, "a window begins and ends");
    window["max_wait_ms"] = json!("0");
    writer.generate(window, &times, "a window, no wait allowed");
    let mut known = given.clone();
    known["not_before"] = json!(now.to_string());
    writer.generate(known, &[now - 1, now, now + 1, now + 2], "a time known to be used");
    let first = layout.epoch_ms();
    writer.generate(given, &[first, first + 1], "the first ticks");
}

/// Adds cases of the named parts of a node.
fn named(document: &mut Document) {
    let mut compose = |config: &str, parts: serde_json::Value, comment: &str| {
        let given = json!({ "timestamp_ms": "1763700000000", "sequence": "5", "node_parts": parts });
        document.add(crate::document::Case::new("compose", given).config(config).flag("edge").comment(comment));
    };
    compose("named", json!({ "datacenter": "3", "worker": "4" }), "both parts");
    compose("named", json!({ "datacenter": "31", "worker": "0" }), "the ends");
    compose("named", json!({ "datacenter": "0", "worker": "31" }), "the other ends");
    compose("named", json!({ "datacenter": "32", "worker": "0" }), "a part one too large");
    compose("named", json!({ "datacenter": "0", "worker": "-1" }), "a negative part");
    compose("named", json!({ "datacenter": "0" }), "a part is missing");
    compose("named", json!({ "datacenter": "0", "worker": "0", "rack": "0" }), "a part that there is not");
    compose("named", json!({ "Datacenter": "0", "worker": "0" }), "a name in another case");
    compose("three_names", json!({ "a": "1", "b_2": "1073741823", "sixteen_letters_": "1" }), "three parts");
    compose("three_names", json!({ "a": "0", "b_2": "1073741824", "sixteen_letters_": "0" }), "a part one too large");
}

/// Adds cases of ticks that are used up.
fn same_tick(document: &mut Document) {
    let now = 1_763_700_000_000;
    let mut writer = Writer { document, config: "half".into(), bytes: false };
    let node = json!({ "node": "200" });
    let at = |time: i64, count: usize| vec![time; count];
    writer.generate(node.clone(), &[at(now, 5), vec![now + 3]].concat(), "four IDs a tick");
    writer.generate(
        json!({ "nodes": ["254", "256"] }),
        &[at(now, 9), vec![now + 1, now + 2]].concat(),
        "two nodes, one after the other",
    );
    writer.config = "rollback_wide".into();
    writer.generate(
        json!({ "node": "1099511627775" }),
        &[at(now, 5), at(now - 1, 5), at(now - 2, 2), vec![now + 1]].concat(),
        "used up, and stepped back, with bits for it",
    );
    writer.config = "lonely".into();
    writer.generate(json!({ "node": "7" }), &[at(now, 2), vec![now + 1, now - 1, now + 2]].concat(), "one ID a tick");
    writer.config = "huge_counter".into();
    writer.generate(
        json!({ "node": "16777215" }),
        &[at(now, 4), vec![now - 1, now + 1]].concat(),
        "more than 63 bits of time and sequence",
    );
    writer.config = "thirty_two".into();
    writer.generate(json!({}), &[at(now, 3), vec![now + 60_000]].concat(), "no node");
}

fn refusals(document: &mut Document) {
    let mut writer = Writer { document, config: "readme".into(), bytes: false };
    writer.refuse(json!({}), "neither node nor nodes");
    writer.refuse(json!({ "node": "1", "rollback": "bits" }), "a step back counted, without bits for it");
    writer.config = "thirty_two".into();
    writer.refuse(json!({ "node": "0" }), "a node of a layout without");
    writer.refuse(json!({ "nodes": ["0", "1"] }), "nodes of a layout without");
    writer.config = "by_one".into();
    writer.refuse(json!({ "nodes": ["0", "2"] }), "several nodes, where a random part grows");
    writer.config = "readme".into();
    for (layout, comment) in [
        ("timestamp:15", "15 bits"),
        ("timestamp:41 node:10", "one ID a tick is a layout"),
        ("node:10 sequence:12", "no time"),
        ("timestamp:41 timestamp:10 node:4", "two times"),
        ("timestamp:64", "a time of 64 bits"),
        ("timestamp:63 random:66", "129 bits"),
        ("timestamp:41 sequence:4 random:8,step=1", "a sequence and a growing part"),
        ("nowhere", "a preset that there is not"),
    ] {
        let given = json!({ "node": "1024", "layout": layout });
        writer.refuse(given, comment);
    }
    assert!(FieldKind::ALL.len() == 7, "the layouts here have every kind of field");
}
