//! Cases of tick IDs, ascending and descending.

use crate::document::Document;
use crate::family::{Writer, bad_windows, random};
use crate::rng::Rng;
use crate::scheme::with_character;
use crate::uuid::NANOSECONDS;
use serde_json::json;

/// 0001-01-01, and the last millisecond that 63 bits of ticks can express.
const FIRST_MS: i128 = -62_135_596_800_000;
const LAST_MS: i128 = FIRST_MS + i64::MAX as i128 / 10_000;
const NOW: i64 = 1_763_700_000_000;

pub fn document() -> Document {
    let mut document = Document::new(
        "tick-id",
        &[".NET, DateTime.Ticks: 100 ns since 0001-01-01", "saiban, vectors/README.md: clock, window and wait"],
    );
    let mut rng = Rng::new(0x7469_636b);
    for (order, randoms) in [("ascending", 10_000), ("descending", 1_000)] {
        document.config(order, json!({ "order": order }));
        let mut writer = Writer { document: &mut document, config: order.into(), bytes: false };
        writer.published("tick-id", Some(order), 16);
        compose(&mut writer, &mut rng, randoms);
        texts(&mut writer, &mut rng, randoms);
        generate(&mut writer);
        let end = LAST_MS as i64 + 1;
        bad_windows(&mut writer, &json!({}), FIRST_MS as i64, end + 1, 1);
    }
    document
}

fn compose(writer: &mut Writer, rng: &mut Rng, randoms: i128) {
    let parts = |time: i128, part: i128| [("timestamp_ms", time), ("random", part)];
    for (time, time_flag) in [(FIRST_MS, "first-timestamp"), (LAST_MS, "last-timestamp")] {
        for (part, flag) in [(0, "first-random"), (randoms - 1, "last-random")] {
            writer.compose(&parts(time, part), &["edge", time_flag, flag], "");
        }
    }
    for (time, comment) in [
        (0, "1970"),
        (253_402_300_799_999, "the last millisecond of year 9999"),
        (253_402_300_800_000, "year 10000, past what .NET can hold"),
        (-1, "before 1970"),
    ] {
        writer.compose(&parts(time, 7), &["edge"], comment);
    }
    for _ in 0..20 {
        let time = FIRST_MS + (random(rng, 63) / 10_000) as i128;
        writer.compose(&parts(time, random(rng, 24) as i128 % randoms), &["random"], "");
    }
    for (parts, comment) in [
        (parts(FIRST_MS - 1, 0), "before the first year"),
        (parts(i64::MIN.into(), 0), "long before the first year"),
        (parts(LAST_MS + 1, 0), "past the last tick"),
        (parts(i64::MAX.into(), 0), "long past the last tick"),
        (parts(0, randoms), "a random part one too large"),
        (parts(0, -1), "a negative random part"),
        (parts(0, i64::MAX.into()), "a random part far too large"),
    ] {
        writer.compose(&parts, &["edge"], comment);
    }
    let within =
        |time: i128, ns: i128, part: i128| [("timestamp_ms", time), ("submillisecond_ns", ns), ("random", part)];
    for (ns, comment) in NANOSECONDS {
        writer.compose(&within(NOW.into(), ns, 7), &["edge"], comment);
    }
    let last_ns = i64::MAX as i128 % 10_000 * 100;
    writer.compose(&within(LAST_MS, last_ns + 99, randoms - 1), &["edge", "last-timestamp"], "the last tick");
    writer.compose(&within(LAST_MS, last_ns + 100, 0), &["edge"], "the tick after the last");
    for _ in 0..20 {
        let ticks = random(rng, 63) as i128;
        let (time, ns) = (FIRST_MS + ticks / 10_000, ticks % 10_000 * 100);
        writer.compose(&within(time, ns, random(rng, 24) as i128 % randoms), &["random"], "");
    }
    let made = writer.made(&parts(NOW.into(), 42));
    writer.encodings(&made, &["decimal", "hex", "crockford", "base62"]);
}

fn texts(writer: &mut Writer, rng: &mut Rng, randoms: i128) {
    let made = writer.made(&[("timestamp_ms", NOW.into()), ("random", randoms - 1)]);
    let valid = made["text"].as_str().expect("text").to_owned();
    let bad = ['a', '_', ' ', '-', '+', '.', 'é', '５', '\n', '😀', ':', '/'];
    for position in 0..valid.len() {
        let mut character = bad[position % bad.len()];
        if valid.as_bytes()[position] == b'_' {
            character = '0';
        }
        writer.read(&with_character(&valid, position, character), "a bad character");
    }
    let digits = valid.len() - 20;
    for (text, comment) in [
        (String::new(), "nothing"),
        (format!("{valid}0"), "a digit too many"),
        (valid[..valid.len() - 1].to_owned(), "a digit too few"),
        (valid[1..].to_owned(), "18 digits of ticks"),
        (valid.replace('_', ""), "no underscore"),
        (format!("{:019}_{:0digits$}", 0, 0), "the first of all numbers"),
        (format!("9223372036854775807_{:0digits$}", randoms - 1), "the last of all numbers"),
        (format!("9223372036854775808_{:0digits$}", 0), "past 63 bits"),
        (format!("9999999999999999999_{:0digits$}", randoms - 1), "19 nines"),
        (format!("0638996712000000000_{:0digits$}", 42), "leading zeros belong to it"),
    ] {
        writer.read(&text, comment);
    }
    for _ in 0..12 {
        let ticks = random(rng, 63);
        let text = format!("{ticks:019}_{:0digits$}", random(rng, 24) as i128 % randoms);
        let case = writer.case("from_text", json!({ "text": text }));
        let made = writer.document.ask(&case)["out"].clone();
        writer.all_ways(&made, |case| case.flag("random"));
    }
}

/// Adds clocks for ticks of 100 ns. A generator may be up to ten thousand ticks past a clock of
/// milliseconds.
fn generate(writer: &mut Writer) {
    let readings: [(&[i64], &str); 6] = [
        (&[0, 1, 2], "1970"),
        (&[NOW, NOW, NOW, NOW + 1, NOW + 1, NOW + 2], "several IDs in a millisecond take the ticks that follow"),
        (&[NOW, NOW - 1, NOW, NOW + 1], "a millisecond back: as far as the generator may be ahead"),
        (&[NOW, NOW - 2, NOW - 1, NOW, NOW + 1], "two milliseconds back"),
        (&[NOW, NOW - 5_000, NOW + 1, NOW + 1], "five seconds back"),
        (&[18_446_744_073_709, 18_446_744_073_709], "the last millisecond that a clock can show"),
    ];
    for (clock_ms, comment) in readings {
        writer.generate(json!({}), clock_ms, comment);
    }
    let error = json!({ "rollback": "error" });
    writer.generate(error, &[NOW + 9, NOW + 8, NOW, NOW + 8, NOW + 9, NOW + 10], "stepped back: refused");
    let window = json!([(NOW + 5).to_string(), (NOW + 7).to_string()]);
    let times: Vec<i64> = (0..9).map(|ms| NOW + ms).collect();
    writer.generate(json!({ "window": window }), &times, "a window begins and ends");
    writer.generate(json!({ "window": window, "max_wait_ms": "10" }), &times, "a window, a wait allowed");
    let known = json!({ "not_before": NOW.to_string() });
    writer.generate(known, &[NOW - 5, NOW, NOW + 1, NOW], "a time known to be used");
}
