//! `saiban inspect`: any ID in any form, as a table for people and JSON for programs.

mod common;

use common::{refused, stdout};
use serde_json::Value;

fn candidates(arguments: &[&str]) -> Vec<Value> {
    let line = stdout(&[&["inspect"], arguments, &["--json"]].concat());
    let object: Value = serde_json::from_str(&line).expect("a JSON object");
    assert_eq!(object["input"], arguments[0]);
    object["candidates"].as_array().expect("candidates").clone()
}

#[test]
fn the_best_candidate_comes_first_with_why() {
    let text = stdout(&["inspect", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
    assert!(lines[1].starts_with("  uuid-v7                  2022-02-22T19:22:22.000Z  random "), "{text}");
    assert!(lines[1].ends_with("  text 017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "{text}");
    assert!(lines[2].contains("version bits say 7; time is plausible: ") && lines[2].ends_with(" ago"), "{text}");
    assert!(lines[3].starts_with("  ulid "), "{text}");
}

#[test]
fn what_is_not_likely_is_told_when_all_is_asked_for() {
    let short = stdout(&["inspect", "175928847299117063"]);
    assert!(short.contains("snowflake (discord)") && short.contains("less likely: --all tells them"), "{short}");
    let all = stdout(&["inspect", "175928847299117063", "--all"]);
    assert!(all.contains("time is before the format existed") || all.contains("time is in the future"), "{all}");
    let told = all.lines().filter(|line| line.starts_with("  ") && !line.starts_with("    ")).count();
    assert_eq!(told, candidates(&["175928847299117063"]).len());
}

#[test]
fn json_has_every_candidate_with_its_parts_and_reasons() {
    let found = candidates(&["507f191e810c19729de860ea"]);
    let first = &found[0];
    for (name, value) in [
        ("scheme", Value::from("objectid")),
        ("id", "24912452986661892666266509546".into()),
        ("bits", 96.into()),
        ("text", "507f191e810c19729de860ea".into()),
        ("timestamp_ms", 1_350_506_782_000_i64.into()),
        ("time", "2012-10-17T20:46:22.000Z".into()),
        ("node", 0x81_0c19_729d_u64.into()),
        ("sequence", 0xe8_60ea.into()),
        ("random", Value::Null),
        ("plausible", true.into()),
    ] {
        assert_eq!(first[name], value, "{name}");
    }
    assert_eq!(first["reasons"], serde_json::json!(["length_and_alphabet", "canonical_text", "time_plausible"]));
    assert_eq!(first["why"].as_array().map(Vec::len), Some(3));
    // 80 bits are more than JSON's readers keep of a number.
    let ulid = &candidates(&["01arz3ndektsv4rrffq69g5fav"])[0];
    assert_eq!((&ulid["scheme"], &ulid["random"]), (&"ulid".into(), &"1012768647078601740696923".into()));
    let scores: Vec<i64> =
        candidates(&["1541815603606036480"]).iter().map(|one| one["score"].as_i64().expect("a number")).collect();
    assert!(scores.len() > 7 && scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
}

#[test]
fn a_layout_and_an_epoch_narrow_it() {
    let own = "timestamp:42,epoch=2024-01-01 node:10 sequence:12";
    let first = &candidates(&["151819733950271234", "--layout", own])[0];
    assert_eq!((&first["scheme"], &first["layout"]), (&"flake".into(), &own.into()));
    assert_eq!(first["timestamp_ms"], 1_740_263_845_248_i64);
    let only = candidates(&["151819733950271234", "--layout", own, "--layout", "discord", "--scheme", "flake"]);
    assert_eq!(only.iter().map(|one| &one["layout"]).collect::<Vec<_>>(), [own, "discord"]);
    let json = r#"{"fields":[{"kind":"timestamp","bits":42},{"kind":"node","bits":22}],"epoch_ms":"1704067200000"}"#;
    assert_eq!(candidates(&["151819733950271234", "--layout", json])[0]["node"], 3842);
    for epoch in ["0", "1970-01-01", "1970-01-01T00:00:00Z"] {
        let first = &candidates(&["1J1SMJD9CE74J", "--epoch", epoch])[0];
        assert_eq!((&first["scheme"], &first["timestamp_ms"]), (&"ulid-flake".into(), &1_719_921_095_980_i64.into()));
    }
    let any_version = candidates(&["919108f7-52d1-4320-9bac-f847db4148a8", "--scheme", "uuid"]);
    assert_eq!(any_version.iter().map(|one| &one["scheme"]).collect::<Vec<_>>(), ["uuid-v4"]);
}

#[test]
fn what_no_calendar_reaches_is_told_by_its_year() {
    let text = stdout(&["inspect", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]);
    assert!(text.contains("about the year 10889") && text.contains("time is in the future"), "{text}");
    assert!(!text.contains("secret"), "its form is a ULID's: {text}");
    assert_eq!(candidates(&["7ZZZZZZZZZZZZZZZZZZZZZZZZZ"])[0]["time"], Value::Null);
}

#[test]
fn wrong_narrowing_is_refused_in_one_line() {
    refused(&["inspect", "1", "--layout", "timestamp:4"], &["--layout", "bits"]);
    refused(&["inspect", "1", "--scheme", "uuid-v9"], &["uuid-v9"]);
    refused(&["inspect", "1", "--epoch", "yesterday"], &["yesterday"]);
    refused(&["inspect", "1", "--epoch", "9223372036854775807"], &["--epoch"]);
    refused(&[&["inspect", "1"], &["--layout", "twitter"].repeat(5)[..]].concat(), &["at most 4"]);
    refused(&["inspect", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g"], &["'g'", "35"]);
}

#[test]
fn the_pages_command_lines_run() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/inspect.md")).expect("the page");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    $ saiban ")).collect();
    assert!(lines.len() >= 3, "the page shows the command");
    for line in lines {
        // Between quotes spaces are part of an argument.
        let arguments: Vec<String> = line
            .split('"')
            .enumerate()
            .flat_map(|(place, text)| match place % 2 {
                0 => text.split_whitespace().map(str::to_owned).collect(),
                _ => vec![text.to_owned()],
            })
            .collect();
        let text = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(text.contains("time is plausible: ") && !text.contains("nothing likely"), "{line}: {text}");
    }
}
