//! Cases of ULID.

use crate::document::Document;
use crate::family::{Writer, bad_windows, random};
use crate::rng::Rng;
use crate::scheme::with_character;
use saiban::Encoding;
use serde_json::json;

const LAST_MS: i128 = (1 << 48) - 1;
const MAX: i128 = (1 << 80) - 1;
const NOW: i64 = 1_763_700_000_000;

fn text(id: u128) -> String {
    Encoding::CROCKFORD.encode_wide(id, 128).expect("128 bits").as_str().to_owned()
}

pub fn document() -> Document {
    let mut document =
        Document::new("ulid", &["github.com/ulid/spec, README", "saiban, vectors/README.md: clock, window and wait"]);
    document.config("ulid", json!({}));
    let mut rng = Rng::new(0x756c_6964);
    let mut writer = Writer { document: &mut document, config: "ulid".into(), bytes: true };
    writer.published("ulid", None, 24);
    compose(&mut writer, &mut rng);
    inspect(&mut writer, &mut rng);
    texts(&mut writer, &mut rng);
    generate(&mut writer);
    bad_windows(&mut writer, &json!({}), 0, 1 << 48, 1);
    document
}

fn compose(writer: &mut Writer, rng: &mut Rng) {
    let some = random(rng, 80) as i128;
    for (time, time_flag) in [(0, "first-timestamp"), (LAST_MS, "last-timestamp")] {
        for (part, part_flag) in [(0, "first-random"), (MAX, "last-random")] {
            writer.compose(&[("timestamp_ms", time), ("random", part)], &["edge", time_flag, part_flag], "");
        }
        writer.compose(&[("timestamp_ms", time), ("random", some)], &["edge", time_flag], "");
    }
    for _ in 0..12 {
        let parts = [("timestamp_ms", random(rng, 48) as i128), ("random", random(rng, 80) as i128)];
        writer.compose(&parts, &["random"], "");
    }
    for (time, part, comment) in [
        (-1, some, "before the epoch"),
        (i64::MIN.into(), some, "long before the epoch"),
        (LAST_MS + 1, some, "past the last millisecond"),
        (i64::MAX.into(), some, "long past the last millisecond"),
        (5, MAX + 1, "a random part one too large"),
        (5, i128::MAX, "a random part far too large"),
    ] {
        writer.compose(&[("timestamp_ms", time), ("random", part)], &["edge"], comment);
    }
    let made = writer.made(&[("timestamp_ms", 1_469_918_176_385), ("random", some)]);
    let encodings =
        ["hyphenated", "simple", "braced", "urn", "hex", "decimal", "base32hex", "base58", "base64url", "binary"];
    writer.encodings(&made, &encodings);
}

fn inspect(writer: &mut Writer, rng: &mut Rng) {
    let id = random(rng, 128);
    writer.inspect(id, &text(id), "one-bit", "");
    for bit in 0..128 {
        writer.inspect(id ^ 1 << bit, &text(id ^ 1 << bit), "one-bit", "");
    }
    for id in [0, 1, u128::MAX, u128::MAX - 1, 1 << 127, 1 << 80, (1 << 80) - 1] {
        writer.inspect(id, &text(id), "edge", "");
    }
}

fn texts(writer: &mut Writer, rng: &mut Rng) {
    let valid = text(random(rng, 128));
    let bad = ['U', 'u', 'I', 'l', 'O', '-', ' ', '=', 'é', '５', '\n', '😀', 'ı'];
    for position in 0..valid.len() {
        writer.read_as(&with_character(&valid, position, bad[position % bad.len()]), false, "a bad character");
    }
    for (text, comment) in [
        ("", "nothing"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "the specification's own"),
        ("01arz3ndektsv4rrffq69g5fav", "lower case"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FA", "25 characters"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAVV", "27 characters"),
        ("001ARZ3NDEKTSV4RRFFQ69G5FAV", "a leading zero too many"),
        ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "the largest"),
        ("80000000000000000000000000", "one past the largest"),
        ("ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "the largest of 26 characters"),
        ("OlARZ3NDEKTSV4RRFFQ69G5FAV", "O for 0 and l for 1"),
        ("01ARZ3NDEK-TSV4RRFFQ69G5FAV", "a hyphen"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FA-", "a hyphen at the end"),
        (" 1ARZ3NDEKTSV4RRFFQ69G5FAV", "a space in front"),
        ("--------------------------", "hyphens alone"),
        ("01563df3-6481-4676-4c61-efb99302bd5b", "a UUID"),
    ] {
        writer.read(text, comment);
    }
}

fn generate(writer: &mut Writer) {
    let readings: [(&[i64], &str); 6] = [
        (&[0, 1, 2], "the first milliseconds"),
        (&[NOW, NOW + 1, NOW + 5], "the clock goes on"),
        (&[NOW, NOW, NOW, NOW, NOW + 1, NOW + 1], "milliseconds of several IDs"),
        (&[NOW + 9, NOW, NOW + 8, NOW + 9, NOW + 10], "stepped back: goes on in the millisecond it has reached"),
        (&[NOW + 1_000, 0, NOW + 1_001], "stepped back to 1970"),
        (&[18_446_744_073_709, 18_446_744_073_709], "the last millisecond that a clock can show"),
    ];
    for (clock_ms, comment) in readings {
        writer.generate(json!({}), clock_ms, comment);
    }
    writer.generate(
        json!({ "rollback": "error" }),
        &[NOW + 9, NOW, NOW + 8, NOW + 9, NOW + 9, NOW + 10],
        "stepped back: refused until the clock has returned",
    );
    let window = json!([(NOW + 5).to_string(), (NOW + 7).to_string()]);
    let times: Vec<i64> = (0..9).map(|ms| NOW + ms).collect();
    writer.generate(json!({ "window": window }), &times, "a window begins and ends");
    writer.generate(json!({ "window": window, "max_wait_ms": "0" }), &times, "a window, no wait allowed");
    writer.generate(
        json!({ "window": window, "max_wait_ms": "4" }),
        &times,
        "a window, a wait allowed that a manual clock has not",
    );
    let known = json!({ "not_before": NOW.to_string() });
    writer.generate(known, &[NOW - 5, NOW, NOW + 1, NOW], "a time known to be used");
}
