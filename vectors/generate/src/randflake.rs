//! Cases of Randflake under four secrets.

use crate::document::{Case, Document};
use crate::rng::Rng;
use crate::scheme::{Generate, Plan};
use crate::{rollback, secrets};
use serde_json::json;

const EPOCH_MS: i64 = 1_730_000_000_000;
const LAST_MS: i64 = EPOCH_MS + ((1 << 30) - 1) * 1_000;
const MAX_NODE: u64 = (1 << 17) - 1;
const MAX_SEQUENCE: u64 = (1 << 17) - 1;
const SPECIFICATION: &str = "github.com/gosuda/randflake, specification and test vectors";

const SECRETS: [(&str, &str); 4] = [
    ("published", "dffd6021bb2bd5b0af676290809ec3a5"),
    ("zeros", "00000000000000000000000000000000"),
    ("counting", "000102030405060708090a0b0c0d0e0f"),
    ("ones", "ffffffffffffffffffffffffffffffff"),
];

/// Secret, seconds, node, sequence, ID, text.
const PUBLISHED: [(&str, i64, u64, u64, i64, &str); 3] = [
    ("published", 1_733_706_297, 42, 1, 4_594_531_474_933_654_033, "3vgoe12ccb8gh"),
    ("zeros", 1_730_000_001, 0, 0, 2_111_581_968_557_607_991, "1qjeojjevu31n"),
    ("counting", 1_730_000_123, 1, 1, -232_447_010_193_727_000, "fphhelk04q8f8"),
];

fn plan(config: &str) -> Plan {
    Plan {
        config: config.into(),
        epoch_ms: EPOCH_MS,
        last_ms: LAST_MS,
        end_ms: LAST_MS + 1_000,
        tick_us: 1_000_000,
        tick_ms: 1_000,
        max_node: Some(MAX_NODE),
        max_low: MAX_SEQUENCE,
        max_rollback: None,
        node_name: "node",
        low_name: "sequence",
        unit_ms: 1_000,
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "randflake",
        &[
            "github.com/gosuda/randflake, README, specification and test vectors (2024)",
            "SPARX and LAX (ASIACRYPT 2016); see sparx.json",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    for (name, secret) in SECRETS {
        document.config(name, json!({ "secret": secret }));
    }
    for (config, seconds, node, sequence, id, text) in PUBLISHED {
        let parts = json!({
            "timestamp_ms": (seconds * 1_000).to_string(), "node": node.to_string(), "sequence": sequence.to_string(),
        });
        document.add(Case::new("compose", parts).config(config).source(SPECIFICATION));
        document.add(Case::new("inspect", json!({ "id": id.to_string() })).config(config).source(SPECIFICATION));
        document.add(plan(config).reading(text, false).source(SPECIFICATION));
    }
    for (index, (config, _)) in SECRETS.into_iter().enumerate() {
        let mut rng = Rng::new(0x7261_6e64 + index as u64);
        let plan = plan(config);
        plan.compose(&mut document, &mut rng, 20);
        plan.inspect(&mut document, &mut rng, 8);
        plan.texts(&mut document, &mut rng, 10);
        plan.generate_edges(&mut document, &mut rng);
        clocks(&plan, &mut document, &mut rng);
        plan.wander(&mut document, &mut rng, |rng| rng.between(-3, 4), 8);
        rollback::steps_back(&plan, &mut document, &mut rng);
        rollback::not_before(&plan, &mut document, &mut rng);
    }
    let (newest, secret) = SECRETS[0];
    secrets::inspect(&mut document, newest, secret);
    let mut rng = Rng::new(0x7465_7874);
    let plan = plan("published");
    plan.bad_characters(
        &mut document,
        &mut rng,
        &['w', 'z', ' ', '-', '_', '.', 'é', '５', '\n', '😀', '=', 'ı', '\u{212a}'],
    );
    texts(&plan, &mut document);
    plan.refusals(&mut document, json!({ "node": "0" }));
    document.add(Case::new("new", json!({})).config("published").flag("edge").comment("neither node nor nodes"));
    for length in [0, 1, 8, 15, 17, 32] {
        let case = Case::new("new", json!({ "node": "0", "secret": "5a".repeat(length) })).config("published");
        document.add(case.flag("edge").comment(format!("a secret of {length} bytes")));
    }
    document
}

/// Adds clocks within a second, which is the tick, before it and after it, and ranges of nodes.
fn clocks(plan: &Plan, document: &mut Document, rng: &mut Rng) {
    let now = plan.some_tick(rng);
    let node = rng.up_to(MAX_NODE);
    let one = |clock_ms: &[i64]| Generate { nodes: (node, node + 1), clock_ms: clock_ms.into(), ..Generate::default() };
    document.add(
        plan.generate(one(&[now, now, now + 1, now + 999, now + 1_000])).flag("edge").comment("one second counts up"),
    );
    document.add(
        plan.generate(one(&[now + 9_000, now, now + 8_999, now + 9_000, now + 10_000]))
            .flag("edge")
            .comment("stepped back: the generator stays in the second it has reached"),
    );
    for nodes in [(0, 2), (MAX_NODE - 1, MAX_NODE + 1), (100, 164)] {
        let given = Generate { nodes, as_range: true, clock_ms: vec![now, now, now + 1_500], ..Generate::default() };
        document.add(plan.generate(given).flag("edge").comment("a range begins with its first node"));
    }
}

fn texts(plan: &Plan, document: &mut Document) {
    for (text, comment) in [
        ("", "nothing"),
        ("00", "zero twice"),
        ("03vgoe12ccb8gh", "a leading zero, too long with it"),
        ("0a", "a leading zero"),
        ("3VGOE12CCB8GH", "upper case"),
        ("3vgoe12ccb8gH", "one letter in upper case"),
        ("3vgoe12ccb8gh===", "padding"),
        ("a=", "padding, short"),
        ("===", "padding alone"),
        ("fvvvvvvvvvvvv", "2^64 - 1"),
        ("g000000000000", "2^64"),
        ("vvvvvvvvvvvvv", "the largest of 13"),
        ("10000000000000", "too long"),
        (" 3vgoe12ccb8gh", "a space in front"),
        ("3vgoe12ccb8gh ", "a space behind"),
        ("3vgoe-12ccb8gh", "a hyphen"),
        ("-232447010193727000", "a decimal number"),
        ("-1", "a sign"),
    ] {
        document.add(plan.reading(text, false).flag("edge").comment(comment));
        document.add(plan.reading(text, true).flag("edge").comment(comment));
    }
}
