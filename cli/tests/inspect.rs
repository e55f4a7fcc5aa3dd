//! `saiban inspect`: any ID in any form, as a table and as JSON.

mod common;

use common::{refused, saiban, stdout};
use serde_json::{Value, json};

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
fn unlikely_candidates_are_shown_with_all() {
    let short = stdout(&["inspect", "175928847299117063"]);
    assert!(short.contains("snowflake (discord)") && short.contains("less likely: --all shows them"), "{short}");
    let all = stdout(&["inspect", "175928847299117063", "--all"]);
    assert!(all.contains("time is before the format existed") || all.contains("time is in the future"), "{all}");
    let shown = all.lines().filter(|line| line.starts_with("  ") && !line.starts_with("    ")).count();
    assert_eq!(shown, candidates(&["175928847299117063"]).len());
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
    // 80 bits exceed the numbers of JSON readers.
    let ulid = &candidates(&["01arz3ndektsv4rrffq69g5fav"])[0];
    assert_eq!((&ulid["scheme"], &ulid["random"]), (&"ulid".into(), &"1012768647078601740696923".into()));
    let scores: Vec<i64> =
        candidates(&["1541815603606036480"]).iter().map(|one| one["score"].as_i64().expect("a number")).collect();
    assert!(scores.len() > 7 && scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
}

#[test]
fn a_layout_and_an_epoch_narrow_the_candidates() {
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
fn the_layout_of_a_ulid_flake_selects_its_form() {
    for (layout, form) in [("ulid-flake-scalable", "scalable"), ("ulid-flake", "stand-alone")] {
        for scheme in [&[][..], &["--scheme", "ulid-flake"]] {
            let found = candidates(&[&["00CMXB6TAK4SA", "--layout", layout], scheme].concat());
            assert_eq!((&found[0]["scheme"], &found[0]["layout"]), (&"ulid-flake".into(), &form.into()), "{layout}");
            let is_it = |one: &&Value| one["layout"] == form && one["id"] == found[0]["id"];
            assert_eq!(found.iter().filter(is_it).count(), 1, "{found:?}");
        }
    }
    let flake = candidates(&["00CMXB6TAK4SA", "--layout", "ulid-flake-scalable", "--scheme", "flake"]);
    assert_eq!(flake[0]["scheme"], "flake");
    let own = "timestamp:42,epoch=2024-01-01 node:10 sequence:12";
    for other in ["twitter", own] {
        refused(
            &["inspect", "1", "--scheme", "ulid-flake", "--layout", other],
            &[other, "ulid-flake-scalable", "--scheme flake"],
        );
    }
}

#[test]
fn an_id_in_another_encoding_is_found_in_the_given_layout() {
    let text = stdout(&["inspect", "06H00326MN9XQ3F6", "--layout", "timestamp:48 random:32"]);
    assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("  flake (timestamp:48 random:32) ")), "{text}");
    assert!(!text.contains("looks like"), "{text}");
}

#[test]
fn a_time_past_the_calendar_is_shown_by_its_year() {
    let text = stdout(&["inspect", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]);
    assert!(text.contains("about the year 10889") && text.contains("time is in the future"), "{text}");
    assert!(!text.contains("secret"), "its form is a ULID's: {text}");
    assert_eq!(candidates(&["7ZZZZZZZZZZZZZZZZZZZZZZZZZ"])[0]["time"], Value::Null);
}

#[test]
fn invalid_narrowing_options_are_refused_in_one_line() {
    refused(&["inspect", "1", "--layout", "timestamp:4"], &["--layout", "bits"]);
    refused(&["inspect", "1", "--scheme", "uuid-v9"], &["uuid-v9"]);
    refused(&["inspect", "1", "--epoch", "yesterday"], &["yesterday"]);
    refused(&["inspect", "1", "--epoch", "9223372036854775807"], &["--epoch"]);
    refused(&[&["inspect", "1"], &["--layout", "twitter"].repeat(5)[..]].concat(), &["at most 4"]);
    refused(&["inspect", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g"], &["'g'", "35"]);
}

#[test]
fn named_parts_of_a_node_are_shown_in_text_and_json() {
    let own = "timestamp:42,epoch=2024-01-01 node.datacenter:5 node.worker:5 sequence:12";
    let text = stdout(&["inspect", "151819733950545666", "--layout", own]);
    assert!(
        text.lines().nth(1).is_some_and(|line| line.contains("  node 67 (datacenter 2, worker 3)  sequence ")),
        "{text}"
    );
    let found = candidates(&["151819733950545666", "--layout", own]);
    assert_eq!((&found[0]["node"], &found[0]["node_parts"]), (&67.into(), &json!({ "datacenter": 2, "worker": 3 })));
    let text = stdout(&["inspect", "175928847299117063"]);
    assert!(text.contains("  node 32 (worker 1, process 0)  sequence 7"), "{text}");
    let found = candidates(&["175928847299117063"]);
    assert_eq!(
        (&found[0]["layout"], &found[0]["node_parts"]),
        (&"discord".into(), &json!({ "worker": 1, "process": 0 }))
    );
    let twitter = found.iter().find(|one| one["layout"] == "twitter").expect("a candidate");
    assert_eq!((&twitter["node"], &twitter["node_parts"]), (&32.into(), &Value::Null));
}

#[test]
fn both_forms_of_a_ulid_flake_are_shown() {
    let text = stdout(&["inspect", "00CMXB6TAK4SA"]);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).map(str::to_owned).unwrap_or_default();
    assert!(line("  ulid-flake (stand-alone) ").ends_with("random 627498"), "{text}");
    assert!(line("  ulid-flake (scalable) ").ends_with("node 10  random 19609"), "{text}");
    let found = candidates(&["00CMXB6TAK4SA", "--scheme", "ulid-flake"]);
    let layouts: Vec<&Value> = found.iter().take(2).map(|one| &one["layout"]).collect();
    assert_eq!(layouts, ["stand-alone", "scalable"]);
}

#[test]
fn a_secret_is_suggested_only_for_ids_that_may_be_randflakes() {
    const HINT: &str = "(a Randflake ID shows its parts with its secret only)";
    for text in ["fphhelk04q8f8", "-4594531474933654033"] {
        let output = stdout(&["inspect", "--", text]);
        assert_eq!(output.contains(HINT), output.contains("no likely match"), "{output}");
    }
    assert!(stdout(&["inspect", "fphhelk04q8f8"]).contains(HINT));
    for arguments in [
        &["inspect", "5"][..],
        &["inspect", "hello"],
        &["inspect", "507f191e810c19729de860e"],
        &["inspect", "ffffffff-ffff-0fff-0fff-ffffffffffff"],
        &["inspect", "fphhelk04q8f8", "--scheme", "uuid"],
    ] {
        let output = stdout(arguments);
        assert!(output.contains("no likely match") && !output.contains(HINT), "{output}");
    }
}

#[test]
fn the_error_of_text_that_is_nearly_an_id_names_the_fault() {
    for (text, words) in [
        ("8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "looks like a ULID, but is out of range"),
        ("017f22e2-79b0-7cc-98c4-dc0c0c07398f", "looks like a UUID, but its group 3"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAVX", "looks like a ULID, but has 27 characters: give 26"),
        (
            "-9223372036854775809",
            "looks like a decimal number, but is out of range: give one from -9223372036854775808",
        ),
        ("1759288472 99117063", "looks like a decimal number, but has ' ' at position 10"),
    ] {
        refused(&["inspect", "--", text], &[words]);
    }
    // A number in some encoding is not an error, but may be a mistyped ID.
    for (text, words) in [
        ("507f191e810c19729de860e", "this looks like an ObjectId, but has 23 characters"),
        ("507f191e810c19729de860eg", "this looks like an ObjectId, but has 'g' at position 23"),
    ] {
        let output = stdout(&["inspect", text]);
        assert!(output.lines().nth(1).is_some_and(|line| line.trim_start().starts_with(words)), "{output}");
        let object: Value = serde_json::from_str(&stdout(&["inspect", text, "--json"])).expect("a JSON object");
        assert!(object["near_miss"]["message"].as_str().is_some_and(|message| message.starts_with(words)), "{object}");
        assert_eq!(object["error"], Value::Null);
    }
}

#[test]
fn an_object_id_in_the_form_of_a_uuid_is_found() {
    let uuid = stdout(&[
        "convert",
        "--from",
        "hex",
        "--to",
        "hyphenated",
        "--bits",
        "96",
        "--from-width",
        "24",
        "507f191e810c19729de860ea",
    ]);
    let first = &candidates(&[uuid.trim()])[0];
    assert_eq!((&first["scheme"], &first["text"]), (&"objectid".into(), &"507f191e810c19729de860ea".into()));
    assert_eq!(first["why"][0], "in the form of a UUID");
}

#[test]
fn white_space_around_an_id_is_ignored() {
    let object: Value =
        serde_json::from_str(&stdout(&["inspect", " \t175928847299117063\r\n", "--json"])).expect("a JSON object");
    assert_eq!(
        (&object["input"], &object["candidates"][0]["layout"]),
        (&"175928847299117063".into(), &"discord".into())
    );
    assert_eq!(object["candidates"][0]["reasons"][0], "canonical_text");
}

/// Returns the exit code, stdout and stderr for these lines on stdin.
fn piped(arguments: &[&str], lines: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = saiban(&[&["inspect"], arguments].concat()).write_stdin(lines.into()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn an_invalid_id_does_not_suppress_the_others() {
    let (code, output, errors) = piped(&["175928847299117063", "no!", "507f191e810c19729de860ea", "é"], "");
    assert_eq!(code, 2);
    assert!(output.contains("snowflake (discord)") && output.contains("objectid"), "{output}");
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].starts_with("saiban: \"no!\": ") && errors[1].starts_with("saiban: \"é\": "), "{errors:?}");
    let (code, output, errors) = piped(&["175928847299117063", "no!", "-1", "--json"], "");
    let objects: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let inputs: Vec<&Value> = objects.iter().map(|object| &object["input"]).collect();
    assert_eq!(
        (code, inputs, errors.lines().count()),
        (2, vec![&json!("175928847299117063"), &json!("no!"), &json!("-1")], 1)
    );
    assert_eq!((&objects[1]["error"]["code"], &objects[1]["error"]["position"]), (&"TEXT_CHARACTER".into(), &2.into()));
    assert_eq!((&objects[1]["candidates"], &objects[0]["error"]), (&json!([]), &Value::Null));
}

#[test]
fn ids_are_read_from_stdin_one_a_line() {
    let lines = "175928847299117063\r\n\n  507f191e810c19729de860ea  \n01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for arguments in [&["-"][..], &[]] {
        let (code, output, errors) = piped(arguments, lines);
        let ids: Vec<&str> = output.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(ids, ["175928847299117063", "507f191e810c19729de860ea", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]);
        assert_eq!((code, errors.as_str()), (0, ""));
    }
    // Among arguments, - means stdin.
    let (_, output, _) = piped(&["5", "-", "6"], "7\n8\n");
    assert!(output.lines().filter(|line| !line.starts_with(' ')).eq(["5", "7", "8", "6"]), "{output}");
    let mut bad = b"5\nno!\n\xff\n".to_vec();
    bad.extend([b'7'; 5_000]);
    bad.extend(b"\n6\n");
    let (code, output, errors) = piped(&["--json"], bad);
    let objects: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let codes: Vec<&Value> = objects.iter().map(|object| &object["error"]["code"]).collect();
    assert_eq!(code, 2);
    assert_eq!(
        codes,
        [&Value::Null, &json!("TEXT_CHARACTER"), &json!("TEXT_CHARACTER"), &json!("TEXT_LENGTH"), &Value::Null]
    );
    assert_eq!((&objects[2]["input"], &objects[3]["input"]), (&json!("\u{fffd}"), &json!("7".repeat(1 << 10))));
    assert!(objects[3]["error"]["message"].as_str().is_some_and(|message| message.contains("longer than any ID")));
    assert!(objects[2..4].iter().all(|one| one["candidates"] == json!([]) && one["near_miss"] == Value::Null));
    for (line, place) in errors.lines().zip(["line 2: \"no!\": ", "line 3: not text", "line 4: longer than any ID"]) {
        assert!(line.starts_with(&format!("saiban: {place}")), "{line}");
    }
    assert_eq!(errors.lines().count(), 3);
    assert_eq!(piped(&["-"], ""), (0, String::new(), String::new()), "no IDs, nothing to tell");
    let (code, output, errors) = piped(&[], "\n");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("no ID is given: give IDs, or - for those on stdin"), "{errors}");
}

#[test]
fn contradictory_options_are_refused() {
    let own = "timestamp:42,epoch=2024-01-01 node:10 sequence:12";
    for (arguments, words) in [
        (&["--scheme", "uuid", "--layout", "discord"][..], &["uuid has no --layout", "snowflake's and flake's"][..]),
        (&["--scheme", "snowflake", "--layout", own], &["presets", own, "--scheme flake"]),
        (&["--scheme", "flake"], &["flake needs a --layout"]),
        (&["--scheme", "flake", "--layout", own, "--epoch", "0"], &["flake has no --epoch", "ulid-flake's"]),
        (&["--scheme", "ulid", "--epoch", "2024-01-01"], &["ulid has no --epoch"]),
        (&["--scheme", "objectid", "--secret-file", "secret"], &["objectid has no --secret-file", "randflake's"]),
        (&["--scheme", "randflake"], &["--secret-file", "SAIBAN_SECRET"]),
        (&["--scheme", "randflake", "--layout", "twitter"], &["randflake has no --layout"]),
    ] {
        refused(&[&["inspect", "175928847299117063"], arguments].concat(), words);
    }
    for arguments in [
        &["--scheme", "snowflake", "--layout", "discord"][..],
        &["--scheme", "flake", "--layout", "discord"],
        &["--scheme", "flake", "--layout", own, "--layout", "twitter"],
        &["--scheme", "snowflake", "--epoch", "2015-01-01"],
        &["--layout", own, "--epoch", "2015-01-01"],
    ] {
        assert!(!candidates(&[&["175928847299117063"], arguments].concat()).is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_pages_command_lines_run() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/inspect.md")).expect("the page");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    $ saiban ")).collect();
    assert!(lines.len() >= 3, "the page shows the command");
    for line in lines {
        // Spaces between quotes are part of an argument.
        let arguments: Vec<String> = line
            .split('"')
            .enumerate()
            .flat_map(|(place, text)| match place % 2 {
                0 => text.split_whitespace().map(str::to_owned).collect(),
                _ => vec![text.to_owned()],
            })
            .collect();
        let text = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(text.contains("time is plausible: ") && !text.contains("no likely match"), "{line}: {text}");
    }
}
