//! Cases of Snowflake: the published layouts with a node, and custom ones for what the presets
//! lack.

use crate::document::{Case, Document};
use crate::flake::submillisecond_ns;
use crate::rng::Rng;
use crate::rollback;
use crate::scheme::{Generate, Plan};
use saiban::Layout;
use saiban::layout::{Field, FieldKind, LayoutSpec};
use serde_json::{Value, json};

/// Fields from the highest bit to the lowest, with their widths.
pub type Fields = &'static [(&'static str, u32)];

/// Custom layouts: name, fields, epoch in milliseconds, tick in microseconds.
const OWN: [(&str, Fields, i64, u64); 9] = [
    // 41 bits of time, 6 of node and 16 of sequence, since 2020.
    ("wide_sequence", &[("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16)], 1_577_836_800_000, 1_000),
    // Ticks of 10 ms, as Sonyflake has, with the sequence below the node.
    ("ten_ms", &[("unused", 1), ("timestamp", 40), ("node", 13), ("sequence", 10)], 1_420_070_400_000, 10_000),
    // Ticks finer than the clock's milliseconds.
    ("tenth_ms", &[("unused", 1), ("timestamp", 45), ("node", 10), ("sequence", 8)], 1_704_067_200_000, 100),
    // The sequence is on top, where it makes IDs negative, and unused bits are in the middle.
    ("mixed_order", &[("sequence", 4), ("timestamp", 36), ("unused", 6), ("node", 18)], 0, 250_000),
    // Four IDs a tick, so that a few steps use one up.
    ("narrow", &[("unused", 1), ("timestamp", 41), ("node", 20), ("sequence", 2)], 1_288_834_974_657, 1_000),
    // Twitter's layout with 2 rollback bits, taken from the node, which keeps 8.
    (
        "twitter_rollback",
        &[("unused", 1), ("timestamp", 41), ("node", 8), ("rollback", 2), ("sequence", 12)],
        1_288_834_974_657,
        1_000,
    ),
    // Four rollback bits above the node, and ticks of 1.5 ms.
    (
        "rollback_four",
        &[("timestamp", 40), ("rollback", 4), ("unused", 1), ("node", 9), ("sequence", 10)],
        1_577_836_800_000,
        1_500,
    ),
    // One rollback bit, the highest: IDs are negative after a step back. Two IDs a tick.
    (
        "rollback_one",
        &[("rollback", 1), ("unused", 3), ("timestamp", 41), ("sequence", 1), ("node", 18)],
        1_704_067_200_000,
        1_000,
    ),
    // Three rollback bits, the lowest, so the sequence counts by eight. Four IDs a tick of 10 ms.
    (
        "rollback_three",
        &[("unused", 1), ("timestamp", 39), ("node", 19), ("sequence", 2), ("rollback", 3)],
        1_735_689_600_000,
        10_000,
    ),
];

/// Layouts that behave like another one when clocks step back.
const ALIKE: [&str; 5] = ["discord", "instagram", "sonyflake_v2", "wide_sequence", "ten_ms"];

const DISCORD_REFERENCE: &str = "Discord API reference, \"Snowflakes\"";
const WIKIPEDIA: &str = "Wikipedia, \"Snowflake ID\": a tweet of 2022-06-28";
const INSTAGRAM_ARTICLE: &str =
    "Instagram Engineering, \"Sharding & IDs at Instagram\": 1387263000 ms, shard 1341, sequence 905";

fn layouts() -> Vec<(String, Value, Layout)> {
    // Mastodon's layout has no node, and no generator.
    let presets = Layout::PRESETS.into_iter().filter(|(_, layout)| layout.has_node());
    let presets = presets.map(|(name, layout)| (name.to_owned(), json!(name), layout));
    let own = OWN.into_iter().map(|(name, fields, epoch_ms, tick_us)| own(name, fields, epoch_ms, tick_us));
    let all: Vec<_> = presets.chain(own).collect();
    let remade = Layout::TWITTER.with_rollback_bits(2).expect("bits that the node can give up");
    assert!(all.iter().any(|(name, _, layout)| name == "twitter_rollback" && *layout == remade));
    all
}

/// Returns a custom layout: its name, its description in the config, and the layout.
pub fn own(name: &str, fields: Fields, epoch_ms: i64, tick_us: u64) -> (String, Value, Layout) {
    let mut spec = LayoutSpec::new().epoch_ms(epoch_ms).tick_us(tick_us);
    for &(kind, bits) in fields {
        spec = spec.field(Field::new(FieldKind::from_name(kind).expect("a kind of field"), bits));
    }
    let described = described(fields, &epoch_ms.to_string(), &tick_us.to_string());
    (name.to_owned(), described, spec.check().expect("a valid layout"))
}

fn described(fields: &[(&str, u32)], epoch_ms: &str, tick_us: &str) -> Value {
    let fields: Vec<Value> = fields.iter().map(|(name, bits)| json!([name, bits])).collect();
    json!({ "fields": fields, "epoch_ms": epoch_ms, "tick_us": tick_us })
}

pub fn plan(config: &str, layout: &Layout) -> Plan {
    Plan {
        config: config.into(),
        epoch_ms: layout.epoch_ms(),
        last_ms: layout.last_ms(),
        end_ms: layout.tick_start_ms(layout.ticks()),
        tick_us: layout.tick_us() as i64,
        tick_ms: (1..).find(|ms| ms * 1_000 % layout.tick_us() as i64 == 0).expect("such a number of milliseconds"),
        max_node: Some(layout.max_node()),
        max_low: layout.max_counter(),
        max_rollback: Some(layout.max_rollback()),
        node_name: "node",
        low_name: "sequence",
        unit_ms: 1,
    }
}

/// Adds ticks that begin within milliseconds, among them the last tick.
fn below_the_millisecond(plan: &Plan, document: &mut Document, layout: &Layout) {
    let mut rng = Rng::new(0x6e61_6e6f);
    let last = layout.ticks() - 1;
    let mut compose = |tick: u64, ns: i128, flag: &'static str, comment: &str| {
        let mut given = json!({
            "timestamp_ms": layout.tick_start_ms(tick).to_string(),
            "submillisecond_ns": ns.to_string(),
            "node": layout.max_node().to_string(),
            "sequence": "1",
        });
        if plan.has_rollback() {
            given["rollback"] = json!(layout.max_rollback().to_string());
        }
        let case = plan.case("compose", given).flag(flag);
        document.add(if comment.is_empty() { case } else { case.comment(comment) });
    };
    compose(last, submillisecond_ns(layout, last), "edge", "the last tick, to the nanosecond");
    for _ in 0..4 {
        let tick = rng.up_to(last);
        compose(tick, submillisecond_ns(layout, tick), "random", "");
    }
    for (ns, comment) in [(123_456, "rounded down"), (1_000_000, "a nanosecond too many"), (-1, "less than none")] {
        compose(last / 2, ns, "edge", comment);
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "snowflake",
        &[
            "Twitter, Announcing Snowflake (2010); github.com/twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala",
            "Discord API reference, Snowflakes",
            "Instagram Engineering, Sharding & IDs at Instagram (2012)",
            "github.com/sony/sonyflake, README; v2/sonyflake.go",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    let layouts = layouts();
    for (name, described, _) in &layouts {
        document.config(name, json!({ "layout": described }));
    }
    published(&mut document);
    for (index, (name, _, layout)) in layouts.iter().enumerate() {
        let mut rng = Rng::new(0x736e_6f77 + index as u64);
        let plan = plan(name, layout);
        of_layout(&plan, &mut document, &mut rng, layout, !ALIKE.contains(&name.as_str()));
    }
    let named = |wanted: &str| {
        let found = layouts.iter().find(|(name, ..)| name == wanted);
        found.map(|(name, _, layout)| plan(name, layout)).expect("a layout of this name")
    };
    used_up(&named("narrow"), &mut document);
    rollback::two_lines(&named("rollback_one"), &mut document);
    bad_text(&plan("twitter", &Layout::TWITTER), &mut document);
    bad_layouts(&mut document, "twitter");
    document.add(Case::new("new", json!({})).config("sonyflake").flag("edge").comment("neither node nor nodes"));
    document
}

/// Adds the cases of a layout. `steps_back` adds those of clocks that step back.
pub fn of_layout(plan: &Plan, document: &mut Document, rng: &mut Rng, layout: &Layout, steps_back: bool) {
    plan.compose(document, rng, 12);
    if layout.has_submilliseconds() {
        below_the_millisecond(plan, document, layout);
    }
    plan.inspect(document, rng, 6);
    plan.texts(document, rng, 4);
    plan.generate_edges(document, rng);
    same_tick(plan, document, rng);
    plan.wander(document, rng, |rng| rng.between(-3, 4), if plan.config == "narrow" { 60 } else { 8 });
    if plan.tick_ms > 1 {
        uneven_windows(plan, document, rng);
    }
    plan.refusals(document, json!({ "node": "0" }));
    if !steps_back {
        return;
    }
    rollback::steps_back(plan, document, rng);
    rollback::not_before(plan, document, rng);
    if layout.max_counter() < 4 {
        rollback::jumps_about(plan, document, rng, if plan.has_rollback() { 50 } else { 20 });
    }
}

fn published(document: &mut Document) {
    let inspect = |config: &str, id: i64| Case::new("inspect", json!({ "id": id.to_string() })).config(config);
    document.add(inspect("discord", 175_928_847_299_117_063).source(DISCORD_REFERENCE).comment("worker 1, process 0"));
    document.add(inspect("twitter", 1_541_815_603_606_036_480).source(WIKIPEDIA));
    let compose = |config: &str, time: i64, node: u64, sequence: u64| {
        let parts =
            json!({ "timestamp_ms": time.to_string(), "node": node.to_string(), "sequence": sequence.to_string() });
        Case::new("compose", parts).config(config)
    };
    document.add(compose("discord", 1_462_015_105_796, 32, 7).source(DISCORD_REFERENCE).comment("worker 1, process 0"));
    document.add(compose("twitter", 1_656_432_460_105, 378, 0).source(WIKIPEDIA));
    document.add(compose("instagram", 1_314_220_021_721 + 1_387_263_000, 1341, 905).source(INSTAGRAM_ARTICLE));
}

/// Adds clocks that stand still or step back within a tick that is not used up.
fn same_tick(plan: &Plan, document: &mut Document, rng: &mut Rng) {
    let (now, t) = (plan.some_tick(rng), plan.tick_ms);
    let node = rng.up_to(plan.max_node.unwrap_or(0));
    // `hold`, which is the default of a layout without rollback bits.
    let rollback = plan.has_rollback().then_some("hold");
    let on = |clock_ms: &[i64]| {
        let clock_ms = clock_ms.into();
        Generate { nodes: (node, node + 1), rollback, clock_ms, ..Generate::default() }
    };
    document.add(plan.generate(on(&[now, now, now, now + t - 1])).flag("edge").comment("one tick counts up"));
    document.add(
        plan.generate(on(&[now + 9 * t, now, now + 8 * t, now + 9 * t, now + 10 * t]))
            .flag("edge")
            .comment("stepped back: the generator stays in the tick it has reached"),
    );
    let window_ms = Some((now, now + 2 * t));
    document.add(
        plan.generate(Generate { window_ms, ..on(&[now + t, now + 2 * t, now + t, now - t]) })
            .flag("edge")
            .comment("past the window's end, and back into the tick that was reached"),
    );
}

/// Adds windows that begin and end within a tick. Only whole ticks belong to them.
fn uneven_windows(plan: &Plan, document: &mut Document, rng: &mut Rng) {
    let (now, t) = (plan.some_tick(rng), plan.tick_ms);
    for (start, end) in [(now + 1, now + 3 * t), (now, now + 3 * t - 1), (now + t - 1, now + 2 * t + 1)] {
        let clock_ms = vec![now, now + t - 1, now + t, now + 2 * t, now + 3 * t - 1, now + 3 * t];
        let given = Generate { nodes: (1, 2), window_ms: Some((start, end)), clock_ms, ..Generate::default() };
        document.add(plan.generate(given).flag("edge").comment("a window that ends within a tick"));
    }
    let end = if plan.tick_us == t * 1_000 { now + 2 * t - 1 } else { now + 2 };
    let none = json!({ "node": "1", "window": [(now + 1).to_string(), end.to_string()] });
    document.add(Case::new("new", none).config(&plan.config).flag("edge").comment("a window without a whole tick"));
}

/// Adds ticks of four IDs that are used up: with a wait, after a step back, at the end of the
/// window and of the layout's time, and over several nodes.
pub fn used_up(plan: &Plan, document: &mut Document) {
    let now = 1_700_000_000_000;
    let last = plan.last_ms;
    let five = |time: i64| vec![time; 5];
    let mut add =
        |nodes: (u64, u64), window_ms: Option<(i64, i64)>, max_wait_ms: Option<i64>, clock_ms: Vec<i64>, why: &str| {
            let as_range = nodes.1 - nodes.0 > 1;
            let given = Generate { nodes, as_range, window_ms, max_wait_ms, clock_ms, ..Generate::default() };
            document.add(plan.generate(given).flag("edge").comment(why));
        };
    let one = (7, 8);
    add(one, None, None, [five(now), vec![now + 1]].concat(), "used up, then the next tick");
    add(
        one,
        None,
        None,
        [vec![now; 4], vec![now - 1, now - 2, now - 1000, now, now + 1]].concat(),
        "used up and stepped back",
    );
    add(one, None, Some(0), [vec![now; 4], vec![now, now - 1, now + 1]].concat(), "used up, no wait allowed");
    add(
        one,
        None,
        Some(1001),
        [vec![now; 4], vec![now - 1000, now - 1001]].concat(),
        "stepped back by the longest wait, and by more",
    );
    add(one, Some((now, now + 1)), None, [five(now), vec![now - 5]].concat(), "used up in the window's last tick");
    add(
        one,
        Some((now, now + 2)),
        None,
        [vec![now; 4], vec![now - 5, now + 1, now + 2]].concat(),
        "used up in the window's last but one",
    );
    add(one, None, None, five(last), "used up in the last tick of all");
    add((7, 9), None, None, [vec![now; 9], vec![now + 1]].concat(), "two nodes, one after the other");
    add((7, 10), None, None, [vec![now; 13], vec![now + 1; 5]].concat(), "three nodes: no power of two");
    add((1_048_573, 1_048_576), None, None, [vec![now; 13], vec![now - 3, now + 1]].concat(), "the last three nodes");
    add((0, 1), None, None, [vec![now; 3], vec![now + 1; 3]].concat(), "a tick left before it is used up");
}

fn bad_text(plan: &Plan, document: &mut Document) {
    let mut rng = Rng::new(0x7465_7874);
    plan.bad_characters(document, &mut rng, &[' ', 'x', '+', '-', '_', '.', 'é', '５', '\n', '😀']);
    let valid = "1741616531703234561";
    for (text, comment) in [
        ("", "nothing"),
        ("-", "a sign alone"),
        ("-1", "a negative number"),
        ("-0", "minus zero"),
        ("+5", "a plus sign"),
        ("0005", "leading zeros"),
        (" 5", "a space in front"),
        ("5 ", "a space behind"),
        ("5\n", "a line end behind"),
        ("0x5", "hexadecimal"),
        ("9223372036854775808", "2^63"),
        ("-9223372036854775809", "-2^63 - 1"),
        ("18446744073709551615", "2^64 - 1"),
        ("99999999999999999999", "20 nines"),
        ("100000000000000000000", "too long"),
        ("1741616531703234561.0", "a fraction"),
    ] {
        document.add(plan.reading(text, false).flag("edge").comment(comment));
        document.add(plan.reading(text, true).flag("edge").comment(comment));
    }
    document.add(plan.reading(&format!("000{valid}"), true).flag("edge").comment("leading zeros, leniently"));
    document.add(plan.reading(&format!("000{valid}"), false).flag("edge").comment("leading zeros, too long with them"));
}

/// Adds layouts that Snowflake generators reject, and a generator without a node.
pub fn bad_layouts(document: &mut Document, config: &str) {
    let twitter: [(&str, u32); 4] = [("unused", 1), ("timestamp", 41), ("node", 10), ("sequence", 12)];
    let mut refuse = |fields: &[(&str, u32)], tick_us: &str, comment: &str| {
        let layout = described(fields, "0", tick_us);
        let case = Case::new("new", json!({ "node": "0", "layout": layout })).config(config);
        document.add(case.flag("edge").comment(comment));
    };
    refuse(&twitter, "0", "a tick of nothing");
    refuse(&[], "1000", "no fields");
    refuse(&[("timestamp", 4), ("node", 5), ("sequence", 6)], "1000", "15 bits");
    refuse(&[("unused", 2), ("timestamp", 41), ("node", 10), ("sequence", 12)], "1000", "65 bits");
    refuse(&[("unused", 42), ("node", 10), ("sequence", 12)], "1000", "no timestamp");
    refuse(&[("unused", 1), ("timestamp", 51), ("sequence", 12)], "1000", "no node");
    refuse(&[("unused", 1), ("timestamp", 53), ("node", 10)], "1000", "no sequence");
    refuse(
        &[("unused", 1), ("timestamp", 41), ("node", 10), ("random", 12)],
        "1000",
        "a random part in a sequence's place",
    );
    refuse(&[("timestamp", 41), ("node", 5), ("node", 6), ("sequence", 12)], "1000", "two nodes");
    refuse(&[("timestamp", 42), ("node", 0), ("sequence", 22)], "1000", "a field of no bits");
    refuse(&[("timestamp", 32), ("node", 0), ("sequence", 32)], "1000", "a field of no bits, again");
    let (unused, timestamp, sequence) = (("unused", 1), ("timestamp", 41), ("sequence", 12));
    let mut refuse = |fields: &[(&str, u32)], comment: &str| refuse(fields, "1000", comment);
    refuse(&[unused, timestamp, ("node", 10), ("rollback", 0), sequence], "a rollback field of no bits");
    refuse(&[unused, timestamp, ("node", 5), ("rollback", 5), sequence], "a rollback field of 5 bits");
    refuse(&[unused, timestamp, ("rollback", 9), ("node", 1), sequence], "a rollback field of 9 bits");
    refuse(&[unused, timestamp, ("rollback", 2), ("node", 6), ("rollback", 2), sequence], "two rollback fields");
    refuse(&[unused, timestamp, ("node", 10), ("rollback", 2), sequence], "no room for the rollback field");
    refuse(&[unused, ("timestamp", 49), ("rollback", 2), sequence], "a rollback field in the node's place");
    refuse(&[unused, ("timestamp", 49), ("node", 10), ("rollback", 4)], "a rollback field in the sequence's place");
    document.add(Case::new("new", json!({})).config(config).flag("edge").comment("neither node nor nodes"));
}
