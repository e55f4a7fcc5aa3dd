//! Cases of ObjectId, and the cases that any scheme with the bits of an ObjectId shares with it.

use crate::document::Document;
use crate::family::{Writer, bad_windows, random};
use crate::rng::Rng;
use crate::scheme::with_character;
use serde_json::json;

const LAST_MS: i128 = ((1 << 32) - 1) * 1_000;
const LAST_NODE: i128 = (1 << 40) - 1;
const LAST_COUNTER: i128 = (1 << 24) - 1;
const NOW: i64 = 1_763_700_000_000;

pub fn document() -> Document {
    let mut document = Document::new(
        "objectid",
        &[
            "MongoDB manual, ObjectId",
            "MongoDB specifications, source/bson-objectid/objectid.md",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    of_scheme(&mut document, 0x6f62_6a65, |id| format!("{id:024x}"), test_plan, texts);
    document
}

/// Adds the cases of a scheme with these bits. The arguments are how it writes an ID, further IDs
/// to compose, and texts to read.
pub fn of_scheme(
    document: &mut Document,
    seed: u64,
    text: fn(u128) -> String,
    compose_more: fn(&mut Writer),
    texts: fn(&mut Writer, &mut Rng),
) {
    let scheme = document.subject;
    document.config(scheme, json!({}));
    let mut rng = Rng::new(seed);
    let mut writer = Writer { document, config: scheme.into(), bytes: true };
    writer.published(scheme, None, 24);
    compose(&mut writer, &mut rng, compose_more);
    inspect(&mut writer, &mut rng, text);
    texts(&mut writer, &mut rng);
    generate(&mut writer);
    bad_windows(&mut writer, &json!({}), 0, 1 << 32, 1);
}

pub fn parts(time: i128, node: i128, counter: i128) -> [(&'static str, i128); 3] {
    [("timestamp_ms", time), ("node", node), ("sequence", counter)]
}

fn compose(writer: &mut Writer, rng: &mut Rng, compose_more: fn(&mut Writer)) {
    for (time, time_flag) in [(0, "first-timestamp"), (LAST_MS, "last-timestamp")] {
        for (node, node_flag) in [(0, "first-node"), (LAST_NODE, "last-node")] {
            for (counter, flag) in [(0, "first-sequence"), (LAST_COUNTER, "last-sequence")] {
                writer.compose(&parts(time, node, counter), &["edge", time_flag, node_flag, flag], "");
            }
        }
    }
    compose_more(writer);
    for _ in 0..12 {
        let time = random(rng, 32) as i128 * 1_000 + random(rng, 9) as i128;
        writer.compose(&parts(time, random(rng, 40) as i128, random(rng, 24) as i128), &["random"], "");
    }
    for (parts, comment) in [
        (parts(-1, 0, 0), "before the epoch"),
        (parts(i64::MIN.into(), 0, 0), "long before the epoch"),
        (parts(LAST_MS + 1_000, 0, 0), "past the last second"),
        (parts(LAST_MS + 999, 0, 0), "the last millisecond"),
        (parts(i64::MAX.into(), 0, 0), "long past the last second"),
        (parts(0, LAST_NODE + 1, 0), "a node one too large"),
        (parts(0, -1, 0), "a negative node"),
        (parts(0, 0, LAST_COUNTER + 1), "a counter one too large"),
        (parts(0, 0, -1), "a negative counter"),
    ] {
        writer.compose(&parts, &["edge"], comment);
    }
    let made = writer.made(&parts(NOW.into(), 0x12_3456_789a, 0xbc_def0));
    writer.encodings(
        &made,
        &["hex", "decimal", "crockford", "base32hex", "base36", "base58", "base62", "base64url", "binary"],
    );
}

/// Adds the cases of the specification's test plan: seconds beyond signed 32 bits.
fn test_plan(writer: &mut Writer) {
    for (seconds, moment) in [
        (0, "1970-01-01T00:00:00Z"),
        (0x7FFF_FFFF, "2038-01-19T03:14:07Z"),
        (0x8000_0000_i128, "2038-01-19T03:14:08Z"),
        (0xFFFF_FFFF, "2106-02-07T06:28:15Z"),
    ] {
        let source = format!("MongoDB specifications, bson-objectid/objectid.md, test plan: {moment}");
        writer.compose(&parts(seconds * 1_000, 5, 6), &["edge", "published"], &source);
    }
}

fn inspect(writer: &mut Writer, rng: &mut Rng, text: fn(u128) -> String) {
    let id = random(rng, 96);
    let mut inspect_one = |id: u128, flag: &'static str| writer.inspect(id, &text(id), flag, "");
    inspect_one(id, "one-bit");
    for bit in 0..96 {
        inspect_one(id ^ 1 << bit, "one-bit");
    }
    for id in [0, 1, (1 << 96) - 1, (1 << 96) - 2, 1 << 95, 1 << 64, (1 << 64) - 1] {
        inspect_one(id, "edge");
    }
}

fn texts(writer: &mut Writer, rng: &mut Rng) {
    let valid = format!("{:024x}", random(rng, 96) | 1 << 95);
    let bad = ['g', 'G', 'x', '-', ' ', 'é', '５', '\n', '😀', 'ı', '@', '`'];
    for position in 0..valid.len() {
        writer.read_as(&with_character(&valid, position, bad[position % bad.len()]), false, "a bad character");
    }
    for (text, comment) in [
        ("", "nothing"),
        ("000000000000000000000000", "the first"),
        ("ffffffffffffffffffffffff", "the last"),
        ("507f1f77bcf86cd799439011", "a valid one"),
        ("507F1F77BCF86CD799439011", "upper case"),
        ("507f1f77bcf86cd79943901", "23 digits"),
        ("507f1f77bcf86cd7994390110", "25 digits"),
        ("0507f1f77bcf86cd799439011", "a leading zero too many"),
        ("00000020f51bb4362eee2a4d", "leading zeros"),
        ("20f51bb4362eee2a4d", "without them"),
        ("ObjectId(\"507f1f77bcf86\"", "the shell's form, 24 characters of it"),
        ("0x507f1f77bcf86cd7994390", "a prefix"),
    ] {
        writer.read(text, comment);
    }
}

fn generate(writer: &mut Writer) {
    let readings: [(&[i64], &str); 6] = [
        (&[0, 999, 1_000], "the first seconds"),
        (&[NOW, NOW + 1_000, NOW + 5_000], "the clock goes on"),
        (&[NOW, NOW + 1, NOW + 999, NOW + 1_000, NOW + 1_001], "seconds of several IDs"),
        (
            &[NOW + 9_000, NOW, NOW + 8_000, NOW + 9_000, NOW + 10_000],
            "stepped back: goes on in the second it has reached",
        ),
        (&[NOW + 1_000, 0, NOW + 2_000], "stepped back to 1970"),
        (&[4_294_967_294_000, 4_294_967_295_999, 4_294_967_296_000, NOW], "the last second, and past it"),
    ];
    for (clock_ms, comment) in readings {
        writer.generate(json!({}), clock_ms, comment);
    }
    writer.generate(
        json!({ "rollback": "error" }),
        &[NOW + 9_000, NOW + 8_999, NOW + 9_001, NOW + 10_000],
        "stepped back: refused until the clock has returned",
    );
    let seconds = NOW / 1_000;
    let window = json!([(seconds + 5).to_string(), (seconds + 7).to_string()]);
    let times: Vec<i64> = (0..9).map(|second| NOW + second * 1_000 + 500).collect();
    writer.generate(json!({ "window": window }), &times, "a window begins and ends");
    writer.generate(json!({ "window": window, "max_wait_ms": "0" }), &times, "a window, no wait allowed");
    let known = json!({ "not_before": seconds.to_string() });
    writer.generate(known, &[NOW - 5_000, NOW + 999, NOW + 1_000, NOW], "a time known to be used");
}
