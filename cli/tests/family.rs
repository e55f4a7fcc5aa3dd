//! `saiban new` and `saiban range` for all schemes: an ID of `new` is within the bounds of `range`.

mod common;

use common::{refused, saiban, stdout};
use saiban::{Encoding, Generator, Layout, TickIdGenerator, TickOrder, UuidGenerator};
use serde_json::Value;
use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

const OURS: &str = "unused:1 timestamp:41@ms,epoch=2020-02-02 node.rack:6 node.host:4 sequence:12";
const WIDE: &str = "timestamp:48 node:16 sequence:16 random:48";

/// Each scheme, its arguments, and the length of its text.
const SCHEMES: [(&[&str], usize); 14] = [
    (&["tsid", "--node", "7"], 13),
    (&["tsid", "--layout", "tsid-256", "--node", "255"], 13),
    (&["flake", "--layout", OURS, "--node", "1023"], 18),
    (&["flake", "--layout", WIDE, "--node", "65535"], 37),
    (&["flake", "--layout", "timestamp:48 random:80"], 37),
    (&["ulid"], 26),
    (&["uuid"], 36),
    (&["uuid-v1"], 36),
    (&["uuid-v4"], 36),
    (&["uuid-v7"], 36),
    (&["objectid"], 24),
    (&["xid"], 20),
    (&["tick-id"], 24),
    (&["tick-id", "--order", "descending"], 23),
];

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    i64::try_from(now.as_millis()).expect("a time of today")
}

fn object(line: &str) -> Value {
    serde_json::from_str(line).expect("a JSON object")
}

fn number(id: &Value) -> i128 {
    id.as_str().and_then(|id| id.parse().ok()).expect("IDs are text in JSON")
}

#[test]
fn every_scheme_makes_as_many_distinct_ids_as_asked_for() {
    for (scheme, length) in SCHEMES {
        let text = stdout(&[&["new"], scheme, &["-n", "3000"]].concat());
        assert_eq!(text.lines().collect::<HashSet<_>>().len(), 3000, "{scheme:?}");
        assert!(text.lines().all(|line| line.len() == length), "{scheme:?}: {:?}", text.lines().next());
    }
}

#[test]
fn consecutive_runs_repeat_no_id() {
    for (scheme, _) in SCHEMES {
        let made: HashSet<String> = (0..3).map(|_| stdout(&[&["new"], scheme].concat())).collect();
        assert_eq!(made.len(), 3, "{scheme:?}: {made:?}");
    }
}

#[test]
fn ids_of_time_ordered_schemes_are_written_in_order() {
    let ordered = ["tsid", "flake", "ulid", "uuid", "uuid-v7", "tick-id"];
    for (scheme, _) in SCHEMES.into_iter().filter(|(scheme, _)| ordered.contains(&scheme[0]) && scheme.len() != 3) {
        let text = stdout(&[&["new"], scheme, &["-n", "2000"]].concat());
        assert!(text.lines().is_sorted_by(|before, after| before < after), "{scheme:?}");
    }
    let text = stdout(&["new", "tick-id", "--order", "descending", "-n", "2000"]);
    assert!(text.lines().is_sorted_by(|before, after| before > after), "the newest comes first");
}

#[test]
fn uuids_have_the_version_asked_for() {
    for (name, version) in [("uuid", 7), ("uuid-v7", 7), ("uuid-v4", 4), ("uuid-v1", 1)] {
        let made = object(&stdout(&["new", name, "--json"]));
        assert_eq!(made["scheme"], format!("uuid-v{version}"));
        let ids = [UuidGenerator::v1(), UuidGenerator::v4(), UuidGenerator::v7()].map(|ids| ids.expect("a generator"));
        let reader = ids.iter().find(|ids| ids.version().number() == version).expect("of this version");
        assert!(reader.from_text(made["text"].as_str().expect("text")).is_ok(), "{made}");
    }
}

#[test]
fn an_id_is_written_in_any_encoding() {
    for encoding in Encoding::ALL.into_iter().chain(Encoding::UUID_FORMS) {
        for (scheme, bits) in
            [(&["ulid"][..], 128), (&["uuid-v4"], 128), (&["objectid"], 96), (&["xid"], 96), (&["tick-id"], 77)]
        {
            let made = object(&stdout(&[&["new"], scheme, &["--json", "--format", encoding.name()]].concat()));
            let id = made["id"].as_str().and_then(|id| id.parse().ok()).expect("IDs are text in JSON");
            let text = encoding.encode_wide(id, bits).expect("an ID of so many bits");
            assert_eq!(made["text"], text.as_str(), "{scheme:?}");
        }
        let made = object(&stdout(&["new", "flake", "--layout", OURS, "--node", "7", "--json", "-f", encoding.name()]));
        let id = i64::try_from(number(&made["id"])).expect("64 bits");
        assert_eq!(made["text"], encoding.encode(id).as_str());
    }
}

#[test]
fn a_tsid_is_written_inspected_and_converted() {
    for (layout, node) in [(&[][..], 1_023), (&["--layout", "tsid-256"], 255), (&["--layout", "tsid-4096"], 4_095)] {
        let node_text = i64::to_string(&node);
        let made = object(&stdout(&[&["new", "tsid", "--node", &node_text, "--json"], layout].concat()));
        assert_eq!((&made["scheme"], made["text"].as_str().map(str::len)), (&"tsid".into(), Some(13)));
        let text = made["text"].as_str().expect("text");
        let found = object(&stdout(&["inspect", text, "--scheme", "tsid", "--json"]));
        let candidates = found["candidates"].as_array().expect("candidates");
        assert!(candidates.iter().all(|one| one["scheme"] == "tsid" && one["id"] == made["id"]), "{found}");
        assert!(candidates.iter().any(|one| one["node"] == node), "{found}");
        let number = stdout(&["convert", "--from", "crockford", "--to", "decimal", text]);
        assert_eq!(Some(number.trim_end()), made["id"].as_str());
    }
    refused(&["new", "tsid"], &["node", "0 to 1023"]);
    refused(&["new", "tsid", "--layout", "tsid-256", "--node", "256"], &["256", "0 to 255"]);
    refused(&["new", "tsid", "--layout", "tsid-512", "--node", "1"], &["tsid-512", "tsid-256"]);
}

#[test]
fn an_xid_is_written_inspected_and_converted() {
    let made = object(&stdout(&["new", "xid", "--json"]));
    let text = made["text"].as_str().expect("text");
    assert_eq!((&made["scheme"], text.len()), (&"xid".into(), 20));
    // Source: rs/xid, id_test.go.
    let published = "9m4e2mr0ui3e8a215n4g";
    let found = object(&stdout(&["inspect", published, "--json"]));
    let first = &found["candidates"][0];
    assert_eq!((&first["scheme"], &first["time"]), (&"xid".into(), &"2011-03-22T17:50:19.000Z".into()));
    assert_eq!((&first["node"], &first["sequence"]), (&0x60_f486_e428_u64.into(), &4_271_561.into()));
    let hex = stdout(&["convert", "--from", "xid", "--to", "hex", "--bits", "96", published]);
    assert_eq!(hex, "4d88e15b60f486e428412dc9\n");
    assert_eq!(
        stdout(&["convert", "--from", "hex", "--to", "xid", "--bits", "96", hex.trim_end()]),
        "9m4e2mr0ui3e8a215n4g\n"
    );
    refused(&["new", "xid", "--node", "1"], &["xid takes no node", "random bits"]);
    common::refused(
        &["convert", "--from", "xid", "--to", "hex", "--bits", "96", "9m4e2mr0ui3e8a215n4h"],
        &["9m4e2mr0ui3e8a215n4h"],
    );
}

#[test]
fn a_flake_has_the_node_asked_for_and_any_layout() {
    let layout = Layout::from_text(OURS).expect("a layout");
    for given in [OURS, &layout.to_json()] {
        let id: i64 =
            stdout(&["new", "flake", "--layout", given, "--node", "77"]).trim_end().parse().expect("a number");
        assert_eq!(layout.split(id).map(|fields| fields.node), Ok(77));
        // A Snowflake accepts any layout with node and sequence.
        let id: i64 =
            stdout(&["new", "snowflake", "--layout", given, "--node", "78"]).trim_end().parse().expect("a number");
        assert_eq!(layout.split(id).map(|fields| fields.node), Ok(78));
    }
    let rollback = layout.with_rollback_bits(2).expect("the node has bits to give");
    let text = stdout(&["new", "flake", "--layout", OURS, "--node", "255", "--rollback-bits", "2"]);
    assert_eq!(rollback.split(text.trim_end().parse().expect("a number")).map(|fields| fields.node), Ok(255));
}

#[test]
fn one_command_makes_ids_of_several_nodes() {
    for more in [&[][..], &["--shards", "2"]] {
        let text = stdout(&[&["new", "snowflake", "--nodes", "8..12", "-n", "20000"], more].concat());
        let ids: HashSet<i64> = text.lines().map(|line| line.parse().expect("a number")).collect();
        assert_eq!(ids.len(), 20_000);
        let node = |id: &i64| Layout::TWITTER.split(*id).expect("an ID").node;
        assert!(ids.iter().all(|id| (8..12).contains(&node(id))), "{more:?}");
    }
    let id: i64 = stdout(&["new", "snowflake", "--node", "7", "--max-jump-s", "60"]).trim_end().parse().expect("an ID");
    assert_eq!(Layout::TWITTER.split(id).map(|fields| fields.node), Ok(7));
}

#[test]
fn the_user_limits_the_wait_for_an_id() {
    // The first ID belongs to the tick after this day.
    let arguments = ["new", "flake", "--layout", "timestamp:20@d sequence:20", "--max-wait-ms", "0"];
    let output = saiban(&arguments).assert().code(1).get_output().clone();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("allow a longer wait") && message.lines().count() == 1, "{message}");
    refused(&["new", "uuid", "--max-wait-ms", "-1"], &["--max-wait-ms", "0 or more"]);
}

#[test]
fn options_that_a_scheme_lacks_are_refused() {
    refused(&["new", "flake"], &["--layout", "timestamp:41"]);
    refused(&["new", "flake", "--layout", OURS], &["node", "0 to 1023"]);
    refused(&["new", "flake", "--layout", "timestamp:44 sequence:20", "--node", "1"], &["no node field"]);
    refused(&["new", "flake", "--layout", "timestmp:44"], &["--layout", "timestmp"]);
    refused(&["new", "flake", "--layout", "{}"], &["--layout", "fields"]);
    refused(&["new", "snowflake", "--layout", "mastodon", "--node", "1"], &["saiban new flake"]);
    refused(&["new", "snowflake", "--nodes", "3"], &["--nodes", "FIRST..END"]);
    refused(&["new", "snowflake", "--nodes", "0..x"], &["0..x", "FIRST..END"]);
    refused(&["new", "snowflake", "--nodes", "3..3"], &["[3, 3)", "first < end"]);
    refused(&["new", "snowflake", "--nodes", "-1..3"], &["[-1, 3)", "0 to 1023"]);
    refused(&["new", "snowflake", "--nodes", "0..4", "--node", "1"], &["node and nodes"]);
    refused(&["new", "snowflake", "--nodes", "0..4", "--shards", "5"], &["5 shards", "1 to 4"]);
    refused(&["new", "snowflake", "--node", "1", "--max-jump-s", "0"], &["--max-jump-s", "1 or more"]);
    refused(&["new", "ulid", "--node", "1"], &["ulid takes no node", "random bits"]);
    refused(&["new", "uuid", "--shards", "2"], &["uuid-v7 takes no shards", "random bits"]);
    refused(&["new", "objectid", "--state", "file"], &["objectid takes no state", "random bits", "after a restart"]);
    refused(&["new", "tick-id", "--state", "file"], &["tick-id takes no state", "the store", "it refuses"]);
    refused(&["new", "tick-id", "--node", "1"], &["tick-id takes no node", "the store", "it refuses"]);
    refused(&["new", "uuid-v4", "--not-before", "1"], &["uuid-v4 takes no not_before"]);
    refused(&["new", "uuid", "--layout", "twitter"], &["uuid-v7 has no --layout", "snowflake's and flake's"]);
    refused(&["new", "ulid", "--order", "ascending"], &["ulid has no --order", "tick-id's"]);
    refused(&["new", "tick-id", "--order", "up"], &["up", "ascending or descending"]);
    refused(&["new", "uuid-v6"], &["uuid-v6", "uuid-v7"]);
    refused(&["new", "ulid", "-f", "base99"], &["--format", "base99", "hyphenated"]);
}

#[test]
fn an_id_made_now_lies_in_the_range_of_its_time_and_in_no_other() {
    for scheme in [
        &["snowflake"][..],
        &["snowflake", "--layout", "sonyflake"],
        &["tsid"],
        &["tsid", "--layout", "tsid-4096"],
        &["ulid-flake"],
        &["flake", "--layout", OURS],
        &["flake", "--layout", WIDE],
        &["ulid"],
        &["uuid"],
        &["uuid-v7"],
        &["objectid"],
        &["xid"],
        &["tick-id"],
        &["tick-id", "--order", "descending"],
    ] {
        let node = if ["snowflake", "tsid", "flake"].contains(&scheme[0]) { &["--node", "5"][..] } else { &[] };
        let id = number(&object(&stdout(&[&["new"], scheme, node, &["--json"]].concat()))["id"]);
        let now = now_ms();
        let is_in = |from: i64, to: i64| {
            let (from, to) = ((now + from).to_string(), (now + to).to_string());
            let found = object(&stdout(&[&["range"], scheme, &["--from", &from, "--to", &to, "--json"]].concat()));
            (number(&found["first"]["id"])..=number(&found["last"]["id"])).contains(&id)
        };
        assert!(is_in(-60_000, 10_000), "{scheme:?}: {id}");
        assert!(!is_in(-3_600_000, -60_000), "{scheme:?}: {id}");
        assert!(!is_in(10_000, 3_600_000), "{scheme:?}: {id}");
    }
}

#[test]
fn a_range_has_the_first_and_the_last_id_of_its_time() {
    let range = |arguments: &[&str]| stdout(&[&["range"], arguments].concat());
    // Discord's documentation shows the time of its example, and the ID with which to query what
    // came before a time.
    let discord = ["snowflake", "--layout", "discord", "--from", "2016-04-30T11:18:25.796Z", "--to", "1462015105797"];
    assert_eq!(range(&discord), "175928847298985984\n175928847303180287\n");
    let day = ["--from", "2025-01-01", "--to", "2025-01-02"];
    let of_day = |scheme: &[&str]| range(&[scheme, &day].concat());
    assert_eq!(of_day(&["uuid"]), "01941f29-7c00-7000-8000-000000000000\n0194244f-d7ff-7fff-bfff-ffffffffffff\n");
    assert_eq!(of_day(&["ulid"]), "01JGFJJZ000000000000000000\n01JGJ4ZNZZZZZZZZZZZZZZZZZZ\n");
    assert_eq!(of_day(&["tsid"]), "0JC1GMM000000\n0JCBT7FZZZZZZ\n");
    assert_eq!(of_day(&["objectid"]), "677485800000000000000000\n6775d6ffffffffffffffffff\n");
    assert_eq!(of_day(&["xid"]), "ctq8b000000000000000\nctqtdvvvvvvvvvvvvvvg\n");
    assert_eq!(of_day(&["tick-id"]), "0638712864000000000_0000\n0638713727999999999_9999\n");
    assert_eq!(of_day(&["tick-id", "--order", "descending"]), "8584658308854775808_000\n8584659172854775807_999\n");
    // Both bounds are written in the requested encoding.
    let hex = of_day(&["uuid", "--format", "simple"]);
    assert_eq!(hex, "01941f297c0070008000000000000000\n0194244fd7ff7fffbfffffffffffffff\n");
    // The scheme can decode both bounds.
    let reader = TickIdGenerator::new(TickOrder::Descending).expect("a generator");
    let ends = of_day(&["tick-id", "--order", "descending"]);
    assert!(ends.lines().all(|line| reader.from_text(line).is_ok()), "{ends}");
}

#[test]
fn neighbouring_ranges_touch_and_do_not_overlap() {
    for scheme in
        [&["snowflake"][..], &["ulid-flake"], &["flake", "--layout", WIDE], &["ulid"], &["objectid"], &["tick-id"]]
    {
        let ends = |from, to| {
            let found = object(&stdout(&[&["range"], scheme, &["--from", from, "--to", to, "--json"]].concat()));
            (number(&found["first"]["id"]), number(&found["last"]["id"]))
        };
        let (before, after) = (ends("2025-01-31", "2025-02-01"), ends("2025-02-01", "2025-03-01"));
        assert!(
            before.0 < before.1 && before.1 + 1 == after.0 && after.0 < after.1,
            "{scheme:?}: {before:?}, {after:?}"
        );
    }
}

#[test]
fn an_impossible_range_is_refused_with_the_reason() {
    let refused = |scheme: &[&str], words: &[&str]| {
        common::refused(&[&["range"], scheme].concat(), words);
    };
    let day = ["--from", "2025-01-01", "--to", "2025-01-02"];
    for scheme in ["randflake", "uuid-v4", "uuid-v1"] {
        refused(&[&[scheme], &day[..]].concat(), &[scheme, "not in the order of their times"]);
    }
    refused(&[&["flake", "--layout", "node:20 timestamp:44"], &day[..]].concat(), &["not in the order of their times"]);
    refused(&[&["flake"], &day[..]].concat(), &["--layout"]);
    refused(&[&["ulid", "--layout", "twitter"], &day[..]].concat(), &["ulid has no --layout"]);
    // `new` refuses this layout too.
    refused(
        &[&["snowflake", "--layout", "ulid-flake"], &day[..]].concat(),
        &["not a Snowflake's", "saiban range flake"],
    );
    refused(&[&["ulid", "--order", "ascending"], &day[..]].concat(), &["ulid has no --order"]);
    refused(&[&["nonsense"], &day[..]].concat(), &["nonsense", "objectid"]);
    refused(&["ulid", "--from", "2025-01-01"], &["--to"]);
    refused(&["ulid", "--from", "2025-01-01", "--to", "tomorrow"], &["--to", "tomorrow", "2020-02-02T20:20:02Z"]);
    refused(&["ulid", "--from", "2025-02-30", "--to", "2025-03-01"], &["--from", "2025-02-30"]);
    refused(&["ulid", "--from", "2025-01-01", "--to", "2025-01-01"], &["is empty", "end after the start"]);
    refused(&["snowflake", "--from", "2000-01-01", "--to", "2001-01-01"], &["before the epoch"]);
    refused(&["snowflake", "--from", "2100-01-01", "--to", "2101-01-01"], &["past the layout's last"]);
    let turning = ["snowflake", "--layout", "discord", "--from", "2080-01-01", "--to", "2086-01-01"];
    refused(&turning, &["turn negative"]);
    refused(&[&["ulid", "--format", "base99"], &day[..]].concat(), &["--format", "base99"]);
}
