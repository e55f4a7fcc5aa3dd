//! Cases of TSID: its three layouts, and two custom ones for rollback bits and for ticks that are
//! soon used up.

use crate::document::{Case, Document};
use crate::rng::Rng;
use crate::snowflake::{self, own, plan};
use crate::ulid_flake;
use saiban::Layout;
use serde_json::json;

const EPOCH_MS: i64 = 1_577_836_800_000;
const README: &str = "github.com/f4b6a3/tsid-creator, README";
const TESTS: &str = "github.com/f4b6a3/tsid-creator 5.2, TsidTest.java and TsidFormatTest.java";

pub fn document() -> Document {
    let mut document = Document::new(
        "tsid",
        &[
            "github.com/f4b6a3/tsid-creator 5.2, README; TsidTest.java, TsidFormatTest.java",
            "Douglas Crockford, Base 32: crockford.com/base32.html",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    let presets = [("tsid-256", Layout::TSID_256), ("tsid-1024", Layout::TSID_1024), ("tsid-4096", Layout::TSID_4096)];
    let mut layouts: Vec<_> =
        presets.map(|(name, layout)| (name.to_owned(), json!(name), layout)).into_iter().collect();
    layouts.push(own(
        "rollback",
        &[("timestamp", 42), ("node", 8), ("rollback", 2), ("sequence", 12)],
        EPOCH_MS,
        1_000,
    ));
    layouts.push(own("narrow", &[("timestamp", 42), ("node", 20), ("sequence", 2)], EPOCH_MS, 1_000));
    for (name, described, _) in &layouts {
        document.config(name, json!({ "layout": described }));
    }
    published(&mut document);
    for (index, (name, _, layout)) in layouts.iter().enumerate() {
        let mut rng = Rng::new(0x7473_6964 + index as u64);
        let plan = plan(name, layout);
        snowflake::of_layout(&plan, &mut document, &mut rng, layout, name != "tsid-256" && name != "tsid-4096");
    }
    snowflake::used_up(&plan("narrow", &layouts[4].2), &mut document);
    ulid_flake::texts(&plan("tsid-1024", &Layout::TSID_1024), &mut document);
    snowflake::bad_layouts(&mut document, "tsid-1024");
    document
}

fn published(document: &mut Document) {
    let plan = plan("tsid-1024", &Layout::TSID_1024);
    for (id, text, source) in [
        (38_358_284_406_638_835, "01226N0640J7K", README),
        (38_358_284_406_638_839, "01226N0640J7Q", README),
        (38_358_284_411_979_178, "01226N0693HDA", README),
        (-1, "FZZZZZZZZZZZZ", TESTS),
        (10, "000000000000A", TESTS),
        (0x0088_6429_8e84_a96c, "0123456789ABC", TESTS),
    ] {
        let given = json!({ "id": i64::to_string(&id) });
        document.add(plan.case("to_text", given.clone()).source(source));
        document.add(plan.case("inspect", given).source(source));
        for text in [text.to_owned(), text.to_lowercase()] {
            document.add(plan.reading(&text, false).source(source));
        }
    }
    for id in [38_352_658_567_418_867_i64, 38_352_658_567_418_874, 38_352_658_573_940_759] {
        document.add(plan.case("inspect", json!({ "id": id.to_string() })).source(README));
    }
    // From the README's "TSID structure": the time 9153062458 since 2020, and 305516 below it. Then
    // the last ID.
    for (time, node, sequence) in [(EPOCH_MS + 9_153_062_458, 74, 2_412), (EPOCH_MS + (1 << 42) - 1, 1_023, 4_095)] {
        let parts = [("timestamp_ms", time), ("node", node), ("sequence", sequence)];
        let given = parts.map(|(name, value)| (name.to_owned(), json!(value.to_string())));
        document.add(Case::new("compose", given.into_iter().collect()).config("tsid-1024").source(README));
    }
    for (text, comment) in [
        ("0123456789AB", "12 characters"),
        ("0123456789ABCC", "14 characters"),
        ("0123456789ABi", "i for 1"),
        ("0123456789ABl", "l for 1"),
        ("0123456789ABo", "o for 0"),
        ("0123456789ABu", "u"),
        ("0123456789AB#", "#"),
        ("G000000000000", "more than 64 bits"),
    ] {
        for lenient in [false, true] {
            document.add(plan.reading(text, lenient).source(TESTS).comment(comment));
        }
    }
}
