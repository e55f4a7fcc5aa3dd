//! Cases of Ulid-Flake, stand-alone and scalable.

use crate::document::{Case, Document};
use crate::rng::Rng;
use crate::rollback;
use crate::scheme::{Generate, Plan};
use serde_json::json;

const EPOCH_MS: i64 = 1_704_067_200_000;
const TICKS: i64 = 1 << 43;
const ARTICLE: &str = "an article on Ulid-Flake, with the Unix epoch";
const SPECIFICATION: &str = "github.com/ulid-flake/spec, README";

/// Name, scalable, entropy size, epoch in milliseconds.
const CONFIGS: [(&str, bool, u32, i64); 6] = [
    ("default", false, 1, EPOCH_MS),
    ("unix_epoch", false, 1, 0),
    ("three_bytes", false, 3, EPOCH_MS),
    ("scalable", true, 1, EPOCH_MS),
    ("scalable_two_bytes", true, 2, EPOCH_MS),
    ("scalable_2020", true, 1, 1_577_836_800_000),
];

fn plan(config: &str, scalable: bool, epoch_ms: i64) -> Plan {
    Plan {
        config: config.into(),
        epoch_ms,
        last_ms: epoch_ms + TICKS - 1,
        end_ms: epoch_ms + TICKS,
        tick_us: 1_000,
        tick_ms: 1,
        max_node: scalable.then_some(31),
        max_low: if scalable { (1 << 15) - 1 } else { (1 << 20) - 1 },
        max_rollback: None,
        node_name: "scalability",
        low_name: "random",
        unit_ms: 1,
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "ulid-flake",
        &[
            "github.com/ulid-flake/spec, stand-alone and scalable versions (2024)",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    for (name, scalable, entropy_size, epoch_ms) in CONFIGS {
        let config = json!({ "scalable": scalable, "entropy_size": entropy_size, "epoch_ms": epoch_ms.to_string() });
        document.config(name, config);
    }
    published(&mut document);
    for (index, (name, scalable, _, epoch_ms)) in CONFIGS.into_iter().enumerate() {
        let mut rng = Rng::new(0x756c_6964 + index as u64);
        let plan = plan(name, scalable, epoch_ms);
        plan.compose(&mut document, &mut rng, 12);
        plan.inspect(&mut document, &mut rng, 6);
        plan.texts(&mut document, &mut rng, 6);
        plan.generate_edges(&mut document, &mut rng);
        // The clock only goes forward. Within a tick the random part may reach its end; `same_tick`
        // has the few cases of that.
        plan.wander(&mut document, &mut rng, |rng| rng.between(2, 8), 8);
        plan.refusals(&mut document, if scalable { json!({ "scalability": "0" }) } else { json!({}) });
    }
    let plain = plan("default", false, EPOCH_MS);
    same_tick(&plain, &mut document);
    let mut rng = Rng::new(0x726f_6c6c);
    rollback::steps_back(&plain, &mut document, &mut rng);
    rollback::not_before(&plain, &mut document, &mut rng);
    texts(&plain, &mut document);
    let scalable = plan("scalable", true, EPOCH_MS);
    no_growth(&scalable, &mut document);
    texts(&scalable, &mut document);
    for (scalable, entropy_size) in
        [(false, 0), (false, 4), (false, -1), (false, 8), (true, 0), (true, 3), (true, -1), (true, 255)]
    {
        let mut given = json!({ "entropy_size": entropy_size });
        if scalable {
            given["scalability"] = json!("0");
        }
        let case = Case::new("new", given).config(if scalable { "scalable" } else { "default" });
        document.add(case.flag("edge").comment("a number of bytes that the random part can't grow by"));
    }
    document
}

fn published(document: &mut Document) {
    let examples = [
        ("default", 14_246_757_444_195_114_i64, "00CMXB6TAK4SA", 1_717_653_966_666_i64, 627_498, SPECIFICATION),
        ("unix_epoch", 1_803_467_983_138_790_546, "1J1SMJD9CE74J", 1_803_467_983_138_790_546 >> 20, 0, ARTICLE),
    ];
    for (config, id, text, timestamp_ms, random, source) in examples {
        let random = if random == 0 { id & 0xf_ffff } else { random };
        let parts = json!({ "timestamp_ms": timestamp_ms.to_string(), "random": random.to_string() });
        document.add(Case::new("compose", parts).config(config).source(source));
        document.add(Case::new("inspect", json!({ "id": id.to_string() })).config(config).source(source));
        document.add(Case::new("to_text", json!({ "id": id.to_string() })).config(config).source(source));
        let plan = plan(config, false, 0);
        document.add(plan.reading(text, false).source(source));
        document.add(plan.reading(&text.to_lowercase(), false).source(source).comment("reads any case"));
    }
    let last = plan("default", false, EPOCH_MS).reading("7ZZZZZZZZZZZZ", false);
    document.add(last.source(SPECIFICATION).comment("the last ID"));
}

/// Adds few cases with few IDs. vectors/README.md describes the end of the random part.
fn same_tick(plan: &Plan, document: &mut Document) {
    let now = 1_763_700_000_000;
    for (clock_ms, comment) in [
        (vec![now, now], "one millisecond grows"),
        (vec![now + 9, now, now + 10], "stepped back: the generator stays in the millisecond it has reached"),
    ] {
        document.add(plan.generate(Generate { clock_ms, ..Generate::default() }).flag("edge").comment(comment));
    }
}

/// Adds cases of scalable IDs, without two IDs in a millisecond: the shorter random part reaches
/// its end sooner.
fn no_growth(plan: &Plan, document: &mut Document) {
    let now = 1_763_700_000_000;
    let on = |ticks: &[i64]| {
        let clock_ms = ticks.iter().map(|tick| now + tick).collect();
        Generate { nodes: (7, 8), clock_ms, ..Generate::default() }
    };
    let error = Generate { rollback: Some("error"), ..on(&[9, 0, 8, 10, 7, 11]) };
    document.add(plan.generate(error).flag("edge").comment("stepped back: refused until the clock has returned"));
    let known = Generate { not_before_ms: Some(now), ..on(&[-5, -1, 0, 1, 2]) };
    document.add(plan.generate(known).flag("edge").comment("a time known to be used: nothing of its tick comes again"));
    let bits = json!({ "scalability": "0", "rollback": "bits" });
    document.add(plan.case("new", bits).flag("edge").comment("a step back counted, without bits for it"));
}

/// Adds valid and invalid texts of 13 characters in Crockford's base32, in both cases and with its
/// aliases.
pub fn texts(plan: &Plan, document: &mut Document) {
    let mut rng = Rng::new(0x7465_7874);
    plan.bad_characters(document, &mut rng, &['U', 'u', 'I', 'l', 'O', '-', ' ', '=', 'é', '５', '\n', '😀', 'ı']);
    for (text, comment) in [
        ("", "nothing"),
        ("0CMXB6TAK4SA", "12 characters"),
        ("000CMXB6TAK4SA", "14 characters"),
        ("00cmxb6tak4sa", "lower case"),
        ("00CMXb6TaK4sA", "both cases"),
        ("7ZZZZZZZZZZZZ", "the largest"),
        ("8000000000000", "one past the largest"),
        ("FZZZZZZZZZZZZ", "2^64 - 1"),
        ("G000000000000", "2^64"),
        ("ZZZZZZZZZZZZZ", "the largest of 13"),
        ("OOCMXB6TAK4SA", "O for 0"),
        ("o1iLCMXB6TAK4", "o for 0, i and L for 1"),
        ("00CMX-B6TAK4SA", "a hyphen, 14 characters"),
        ("00CM-XB6T-AK4SA", "hyphens"),
        ("00CMXB6TAK4S-", "a hyphen at the end"),
        (" 00CMXB6TAK4S", "a space in front"),
        ("00CMXB6TAK4SU", "U"),
    ] {
        document.add(plan.reading(text, false).flag("edge").comment(comment));
        document.add(plan.reading(text, true).flag("edge").comment(comment));
    }
}
