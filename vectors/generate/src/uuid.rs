//! Cases of UUID versions 1, 4 and 7.

use crate::document::Document;
use crate::family::{Writer, bad_windows, most, random};
use crate::rng::Rng;
use crate::scheme::with_character;
use saiban::UuidForm;
use serde_json::json;

const LAST_MS_V7: i128 = (1 << 48) - 1;
/// The first day of the Gregorian calendar, and the last millisecond that 60 bits of ticks of 100
/// ns can express.
const FIRST_MS_V1: i128 = -12_219_292_800_000;
const LAST_MS_V1: i128 = FIRST_MS_V1 + ((1 << 60) - 1) / 10_000;
const NOW: i64 = 1_763_700_000_000;
/// Valid and invalid numbers of nanoseconds below a millisecond.
pub const NANOSECONDS: [(i128, &str); 11] = [
    (0, "no nanoseconds"),
    (99, "less than a tick"),
    (100, "a tick"),
    (123_456, "rounded down"),
    (999_899, "just before the last tick of a millisecond"),
    (999_900, "the last tick of a millisecond"),
    (999_999, "the last nanosecond"),
    (1_000_000, "a nanosecond too many"),
    (-1, "a negative number of nanoseconds"),
    (i64::MAX as i128, "far too many nanoseconds"),
    (-1_000_000, "a negative millisecond"),
];
const RFC: &str = "RFC 9562, appendix A";

fn text(id: u128) -> String {
    UuidForm::Hyphenated.encode(id).as_str().to_owned()
}

pub fn document() -> Document {
    let mut document = Document::new(
        "uuid",
        &[
            "RFC 9562: sections 4 (text), 5.1, 5.4, 5.7, 5.9, 5.10, 6.2 and appendix A",
            "[MS-DTYP] section 2.3.4.2, GUID",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    let mut rng = Rng::new(0x7575_6964);
    for version in [1, 4, 7] {
        document.config(&format!("v{version}"), json!({ "version": version }));
        let mut writer = Writer { document: &mut document, config: format!("v{version}"), bytes: true };
        writer.published(&format!("uuid-v{version}"), None, 12);
        inspect(&mut writer, &mut rng, version);
        texts(&mut writer, &mut rng, version);
    }
    let mut writer = Writer { document: &mut document, config: "v7".into(), bytes: true };
    v7(&mut writer, &mut rng);
    guid(&mut writer, &mut rng);
    generate(&mut writer);
    bad_windows(&mut writer, &json!({}), 0, 1 << 48, 1);
    writer.config = "v4".into();
    v4(&mut writer, &mut rng);
    guid(&mut writer, &mut rng);
    writer.generate(json!({}), &[NOW, NOW, NOW - 5, 0], "the clock plays no part");
    writer.refuse(json!({ "window": ["0", "5000"] }), "a window of what has no time");
    writer.refuse(json!({ "not_before": "5" }), "a time known to be used, of what has none");
    for version in [-1, 0, 2, 3, 5, 6, 8, 9, 74] {
        writer.refuse(json!({ "version": version }), "a version of which there is no generator");
    }
    writer.config = "v1".into();
    v1(&mut writer, &mut rng);
    guid(&mut writer, &mut rng);
    generate_v1(&mut writer);
    let ticks_end = FIRST_MS_V1 as i64 + ((1_i64 << 60) / 10_000) + 1;
    bad_windows(&mut writer, &json!({}), FIRST_MS_V1 as i64, ticks_end, 1);
    document
}

fn v7(writer: &mut Writer, rng: &mut Rng) {
    let most = most(74) as i128;
    let some = random(rng, 74) as i128;
    for (time, time_flag) in [(0, "first-timestamp"), (LAST_MS_V7, "last-timestamp")] {
        for (part, part_flag) in [(0, "first-random"), (most, "last-random")] {
            writer.compose(&[("timestamp_ms", time), ("random", part)], &["edge", time_flag, part_flag], "");
        }
        writer.compose(&[("timestamp_ms", time), ("random", some)], &["edge", time_flag], "");
    }
    let rfc = [("timestamp_ms", 1_645_557_742_000), ("random", 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F)];
    writer.compose(&rfc, &["published"], RFC);
    for _ in 0..10 {
        let parts = [("timestamp_ms", random(rng, 48) as i128), ("random", random(rng, 74) as i128)];
        writer.compose(&parts, &["random"], "");
    }
    for (time, part, comment) in [
        (-1, some, "before the epoch"),
        (LAST_MS_V7 + 1, some, "past the last millisecond"),
        (i64::MAX.into(), some, "long past the last millisecond"),
        (i64::MIN.into(), some, "long before the epoch"),
        (5, most + 1, "a random part one too large"),
        (5, i128::MAX, "a random part far too large"),
    ] {
        writer.compose(&[("timestamp_ms", time), ("random", part)], &["edge"], comment);
    }
    for (ns, comment) in NANOSECONDS {
        let parts = [("timestamp_ms", NOW.into()), ("submillisecond_ns", ns), ("random", some)];
        writer.compose(&parts, &["edge"], comment);
    }
    forms(writer, &rfc);
}

fn v4(writer: &mut Writer, rng: &mut Rng) {
    let most = most(122) as i128;
    writer.compose(&[("random", 0)], &["edge", "first-random"], "");
    writer.compose(&[("random", most)], &["edge", "last-random"], "");
    let rfc: u128 = 0x9191_08f7_52d1 << 74 | 0x320 << 62 | 0x1bac_f847_db41_48a8;
    writer.compose(&[("random", rfc as i128)], &["published"], RFC);
    for bit in [0, 61, 62, 63, 73, 74, 75, 121] {
        writer.compose(&[("random", 1 << bit)], &["edge"], "one bit");
    }
    for _ in 0..10 {
        writer.compose(&[("random", random(rng, 122) as i128)], &["random"], "");
    }
    writer.compose(&[("random", most + 1)], &["edge"], "a random part one too large");
    writer.compose(&[("random", i128::MAX)], &["edge"], "a random part far too large");
    writer.compose(&[("submillisecond_ns", 0), ("random", 5)], &["edge"], "a part of a time that it has not");
    forms(writer, &[("random", rfc as i128)]);
}

fn v1(writer: &mut Writer, rng: &mut Rng) {
    let parts =
        |time: i128, sequence: i128, node: i128| [("timestamp_ms", time), ("clock_sequence", sequence), ("node", node)];
    let (last_sequence, last_node) = ((1 << 14) - 1, (1 << 48) - 1);
    for (time, flag) in [(FIRST_MS_V1, "first-timestamp"), (LAST_MS_V1, "last-timestamp")] {
        writer.compose(&parts(time, 0, 0), &["edge", flag, "first-sequence", "first-node"], "");
        writer.compose(&parts(time, last_sequence, last_node), &["edge", flag, "last-sequence", "last-node"], "");
        writer.compose(&parts(time, 5, last_node), &["edge", flag, "last-node"], "");
    }
    let rfc = parts(1_645_557_742_000, 0x33C8, 0x9F6B_DECE_D846);
    writer.compose(&rfc, &["published"], RFC);
    for _ in 0..10 {
        let time = FIRST_MS_V1 + (random(rng, 60) / 10_000) as i128;
        writer.compose(&parts(time, random(rng, 14) as i128, random(rng, 48) as i128), &["random"], "");
    }
    for (parts, comment) in [
        (parts(FIRST_MS_V1 - 1, 0, 0), "before the calendar"),
        (parts(LAST_MS_V1 + 1, 0, 0), "past the last tick"),
        (parts(i64::MAX.into(), 0, 0), "long past the last tick"),
        (parts(i64::MIN.into(), 0, 0), "long before the calendar"),
        (parts(0, last_sequence + 1, 0), "a clock sequence one too large"),
        (parts(0, -1, 0), "a negative clock sequence"),
        (parts(0, 0, last_node + 1), "a node one too large"),
        (parts(0, 0, -1), "a negative node"),
    ] {
        writer.compose(&parts, &["edge"], comment);
    }
    let within =
        |[time, sequence, node]: [(&'static str, i128); 3], ns: i128| [time, ("submillisecond_ns", ns), sequence, node];
    for (ns, comment) in NANOSECONDS {
        writer.compose(&within(parts(NOW.into(), 5, 6), ns), &["edge"], comment);
    }
    let last_ns = ((1 << 60) - 1) % 10_000 * 100;
    let last = parts(LAST_MS_V1, last_sequence, last_node);
    writer.compose(&within(last, last_ns + 99), &["edge", "last-timestamp"], "the last tick");
    writer.compose(&within(last, last_ns + 100), &["edge"], "the tick after the last");
    for _ in 0..10 {
        let ticks = random(rng, 60) as i128;
        let (time, ns) = (FIRST_MS_V1 + ticks / 10_000, ticks % 10_000 * 100);
        let parts = parts(time, random(rng, 14) as i128, random(rng, 48) as i128);
        writer.compose(&within(parts, ns), &["random"], "");
    }
    forms(writer, &rfc);
}

fn forms(writer: &mut Writer, parts: crate::family::Parts) {
    let made = writer.made(parts);
    writer.encodings(
        &made,
        &["hyphenated", "simple", "braced", "urn", "hex", "decimal", "crockford", "base58", "base64url"],
    );
}

fn guid(writer: &mut Writer, rng: &mut Rng) {
    let version = match writer.config.as_str() {
        "v1" => 1,
        "v4" => 4,
        _ => 7,
    };
    for _ in 0..6 {
        let id = of_version(random(rng, 128), version);
        let made = json!({ "id": id.to_string(), "text": text(id) });
        let case = writer.case("to_guid_bytes", made);
        let bytes = writer.document.ask(&case)["out"]["bytes"].clone();
        writer.document.add(case.flag("random"));
        let back = writer.case("from_guid_bytes", json!({ "bytes": bytes }));
        writer.document.add(back.flag("random"));
    }
}

/// Returns the ID with the bits of this version and of RFC 9562's variant.
fn of_version(id: u128, version: u128) -> u128 {
    id & !(0xf << 76 | 0b11 << 62) | version << 76 | 0b10 << 62
}

fn inspect(writer: &mut Writer, rng: &mut Rng, version: u128) {
    let id = of_version(random(rng, 128), version);
    writer.inspect(id, &text(id), "one-bit", "");
    for bit in 0..128 {
        writer.inspect(id ^ 1 << bit, &text(id ^ 1 << bit), "one-bit", "");
    }
    for id in [0, u128::MAX] {
        writer.inspect(id, &text(id), "edge", "nil and max");
    }
    for other in 0..16 {
        let id = of_version(random(rng, 128), other);
        writer.inspect(id, &text(id), "edge", "every version");
    }
    for variant in 0..4 {
        let id = of_version(random(rng, 128), version) & !(0b11 << 62) | variant << 62;
        writer.inspect(id, &text(id), "edge", "every variant");
    }
}

fn texts(writer: &mut Writer, rng: &mut Rng, version: u128) {
    let id = of_version(random(rng, 128), version);
    let valid = text(id);
    let bad = ['g', '-', ' ', 'G', 'x', '{', 'é', '５', '\n', '😀', 'ı', '_'];
    for position in 0..valid.len() {
        let mut character = bad[position % bad.len()];
        if valid.as_bytes()[position] == b'-' {
            character = 'a';
        }
        writer.read_as(&with_character(&valid, position, character), false, "a bad character");
    }
    let forms: Vec<String> = UuidForm::ALL.map(|form| form.encode(id).as_str().to_owned()).into();
    for form in forms {
        writer.read(&form, "a form");
        writer.read(&form.to_uppercase(), "upper case");
        writer.read(&form[..form.len() - 1], "a character short");
        writer.read(&format!("{form}0"), "a character long");
        writer.read(&with_character(&form, form.len() - 1, 'g'), "a bad last character");
    }
    for (text, comment) in [
        ("", "nothing"),
        ("00000000-0000-0000-0000-000000000000", "nil"),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", "max"),
        ("(017f22e2-79b0-7cc3-98c4-dc0c0c07398f)", "in parentheses"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f)", "braces that do not match"),
        ("urn:uuic:017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "not the URN's prefix"),
        ("017f22e279b0-7cc3-98c4-dc0c0c07398f0", "a hyphen is missing"),
        ("017f22e2-79b07-cc3-98c4-dc0c0c07398f", "a hyphen in another place"),
        ("017f22e2-79b0-6cc3-98c4-dc0c0c07398f", "version 6"),
        ("017f22e2-79b0-7cc3-18c4-dc0c0c07398f", "another variant"),
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
    let known = json!({ "not_before": NOW.to_string() });
    writer.generate(known, &[NOW - 5, NOW, NOW + 1, NOW], "a time known to be used");
}

/// Adds clocks for ticks of 100 ns. A generator may be up to ten thousand ticks past a clock of
/// milliseconds.
fn generate_v1(writer: &mut Writer) {
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
