//! Cases of layouts: their text, their JSON, and the properties that a layout returns.

use crate::document::{Case, Document};
use crate::rng::Rng;
use saiban::Layout;
use serde_json::json;

/// Valid layouts. The text need not be canonical.
const RIGHT: [&str; 82] = [
    "twitter",
    "bwmarrin",
    "discord",
    "instagram",
    "mastodon",
    "sonyflake",
    "sonyflake_v2",
    "baidu",
    "ulid-flake",
    "ulid-flake-scalable",
    "tsid-256",
    "tsid-1024",
    "tsid-4096",
    "timestamp:48 rollback:2 sequence:14",
    "timestamp:41 random:4,step=15",
    "timestamp:41 random:64,step=18446744073709551615",
    "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12",
    "unused:1   timestamp:41   node:10 sequence:12",
    "timestamp:16",
    "timestamp:63 random:65",
    "timestamp:48 random:80",
    "timestamp:48 random:80,step=1",
    "timestamp:48 random:80,step=4294967296",
    "timestamp:8 random:120,step=18446744073709551615",
    "timestamp:41 node:10 sequence:12,start=0",
    "timestamp:41 node:10 sequence:12,start=random",
    "timestamp:41 sequence:1,start=random node:22",
    "timestamp:32@s node.region:4 node.host:12 sequence:16",
    "timestamp:32@s node.a:4 node.b:4 node.c:4 node.d:4 node.e:4 node.f:4 node.g:4 node.h:4",
    "timestamp:40 node.only:24",
    "node.sixteen_letters_:8 node.a_1:2 timestamp:40",
    "timestamp:48 constant:4,value=7 sequence:12 constant:2,value=2 random:62",
    "timestamp:48 constant:4,value=0x7 sequence:12 constant:2,value=0x2 random:62",
    "timestamp:41 constant:87,value=0x7fffffffffffffffffffff",
    "constant:16,value=0xBEEF timestamp:48",
    "constant:1,value=0 timestamp:40",
    "constant:64,value=18446744073709551615 timestamp:40 constant:24,value=16777215",
    "unused:1 timestamp:41 node:8 rollback:2 sequence:12",
    "timestamp:41 node:10 rollback:1 sequence:12",
    "timestamp:41 node:7 rollback:4 sequence:12",
    "timestamp:40@us",
    "timestamp:40@1us",
    "timestamp:40@10us node:4",
    "timestamp:40@1000us",
    "timestamp:40@1500us",
    "timestamp:40@1ms",
    "timestamp:40@10ms",
    "timestamp:40@100ms",
    "timestamp:40@1000ms",
    "timestamp:40@60s",
    "timestamp:30@90s",
    "timestamp:30@min",
    "timestamp:30@60min",
    "timestamp:20@h",
    "timestamp:20@24h",
    "timestamp:20@36h",
    "timestamp:16@d",
    "timestamp:16@7d",
    "timestamp:41,epoch=0",
    "timestamp:41,epoch=1970-01-01",
    "timestamp:41,epoch=1970-01-01T00:00:00Z",
    "timestamp:41,epoch=2010-11-04T01:42:54.657Z",
    "timestamp:41,epoch=2010-11-04T01:42:54.6Z",
    "timestamp:41,epoch=2010-11-04T01:42:54.06Z",
    "timestamp:41,epoch=2024-02-29",
    "timestamp:41,epoch=2000-02-29T23:59:59Z",
    "timestamp:41,epoch=0001-01-01",
    "timestamp:41,epoch=9999-12-31T23:59:59.999Z",
    "timestamp:41,epoch=-62135596800001",
    "timestamp:41,epoch=253402300800000",
    "timestamp:41,epoch=-1",
    "timestamp:41,epoch=1288834974657",
    "timestamp:41,epoch=-9223372036854775808",
    "timestamp:16,epoch=9223372036854710272",
    "sequence:64 timestamp:64",
    "sequence:65 timestamp:63",
    "random:24 timestamp:40",
    "node:63 timestamp:63 sequence:2",
    "unused:60 timestamp:60 unused:8",
    "unused:1 unused:1 timestamp:16 unused:1 constant:1,value=1 unused:1",
    "timestamp:3 node:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 unused:1 sequence:1",
    "timestamp:41@ms,epoch=2020-02-02 random:10 sequence:12",
];

/// Text that is not a valid layout.
const WRONG: [(&str, &str); 96] = [
    ("", "nothing"),
    (" ", "a space"),
    (" timestamp:16", "a space in front"),
    ("timestamp:16 ", "a space behind"),
    ("timestamp:16\tnode:4", "a tab"),
    ("timestamp:16\nnode:4", "a line end"),
    ("timestamp", "no width"),
    ("timestamp:", "an empty width"),
    ("timestamp:x", "a width that is no number"),
    ("timestamp:+16", "a sign"),
    ("timestamp:-16", "a negative width"),
    ("timestamp:016", "a leading zero"),
    ("timestamp:0x10", "a hexadecimal width"),
    ("timestamp:16.0", "a fraction"),
    ("timestamp:１６", "digits of another script"),
    ("timestamp:0 node:16", "no bits"),
    ("timestamp:16 node:0", "no bits, again"),
    ("timestamp:99999999999999999999999999999999999999999", "a width past all numbers"),
    ("timestamp:4294967312", "a width past 32 bits"),
    ("timestamp:15", "15 bits"),
    ("timestamp:63 random:66", "129 bits"),
    ("timestamp:40 random:128", "a field of 128 bits"),
    ("timestamp:64", "a time of 64 bits"),
    ("timestamp:40 node:64", "a node of 64 bits"),
    ("timestamp:40 node.a:32 node.b:32", "parts of a node of 64 bits"),
    ("node:16", "no time"),
    ("node:10 sequence:12", "no time, again"),
    ("timestamp:20 timestamp:20", "two times"),
    ("timestamp:20 node:5 node:5", "two nodes"),
    ("timestamp:20 node.a:5 node:5", "a node and a part of one"),
    ("timestamp:20 node:5 node.a:5", "a part of a node beside a whole one"),
    ("timestamp:20 node.a:5 node.a:5", "a name twice"),
    ("timestamp:20 node.a:5 sequence:3 node.b:5", "parts of the node that stand apart"),
    ("timestamp:20 sequence:5 sequence:5", "two sequences"),
    ("timestamp:20 random:5 random:5", "two random parts"),
    ("timestamp:20 random:5,step=1 random:5,step=2", "two growing parts"),
    ("timestamp:20 sequence:5 random:5,step=1", "a sequence and a growing part"),
    ("timestamp:20 rollback:1 rollback:1", "two counts of steps back"),
    ("timestamp:20 rollback:5", "5 bits for steps back"),
    ("timestamp:20 machine:5", "a kind that there is not"),
    ("Timestamp:20", "a kind in upper case"),
    ("timestamp.a:20", "a name where there are none"),
    ("timestamp:20 sequence.a:5", "a name where there are none, again"),
    ("timestamp:20 node.:5", "an empty name"),
    ("timestamp:20 node.A:5", "a name in upper case"),
    ("timestamp:20 node.1a:5", "a name that begins with a digit"),
    ("timestamp:20 node.a-b:5", "a hyphen in a name"),
    ("timestamp:20 node.é:5", "a letter of another alphabet"),
    ("timestamp:20 node.seventeen_letters:5", "a name of 17 characters"),
    ("timestamp:20 node.a:1 node.b:1 node.c:1 node.d:1 node.e:1 node.f:1 node.g:1 node.h:1 node.i:1", "nine names"),
    ("timestamp:20@", "no unit"),
    ("timestamp:20@ns", "a unit that there is not"),
    ("timestamp:20@MS", "a unit in upper case"),
    ("timestamp:20@0ms", "a tick of nothing"),
    ("timestamp:20@010ms", "a leading zero in a tick"),
    ("timestamp:20@1.5ms", "half a millisecond more"),
    ("timestamp:20@-1ms", "a negative tick"),
    ("timestamp:20@10", "a number without a unit"),
    ("timestamp:20@99999999999999999999d", "a tick past all numbers"),
    ("timestamp:20@18446744073709551615us", "a tick past nanoseconds"),
    ("timestamp:20 node:5@ms", "a unit where there is none"),
    ("timestamp:20,epoch", "a key without a value"),
    ("timestamp:20,epoch=", "an empty epoch"),
    ("timestamp:20,epoch=yesterday", "an epoch that is no time"),
    ("timestamp:20,epoch=2020-2-2", "a date without zeros"),
    ("timestamp:20,epoch=2020-02-30", "a day that there is not"),
    ("timestamp:20,epoch=2023-02-29", "a leap day that there is not"),
    ("timestamp:20,epoch=1900-02-29", "a leap day that there is not, again"),
    ("timestamp:20,epoch=2020-13-01", "a month that there is not"),
    ("timestamp:20,epoch=2020-00-01", "a month of zero"),
    ("timestamp:20,epoch=0000-01-01", "the year 0"),
    ("timestamp:20,epoch=10000-01-01", "the year 10000"),
    ("timestamp:20,epoch=2020-02-02T24:00:00Z", "an hour that there is not"),
    ("timestamp:20,epoch=2020-02-02T00:00:60Z", "a leap second"),
    ("timestamp:20,epoch=2020-02-02T00:00:00", "no time zone"),
    ("timestamp:20,epoch=2020-02-02T00:00:00+00:00", "an offset"),
    ("timestamp:20,epoch=2020-02-02T00:00:00.1234Z", "four digits of a second"),
    ("timestamp:20,epoch=2020-02-02T00:00:00.Z", "no digits of a second"),
    ("timestamp:20,epoch=-0", "minus zero"),
    ("timestamp:20,epoch=01", "a leading zero in an epoch"),
    ("timestamp:20,epoch=9223372036854775808", "an epoch past 64 bits"),
    ("timestamp:41,epoch=9223372036854775807", "a last time past 64 bits"),
    ("timestamp:63@d", "a last time far past 64 bits"),
    ("timestamp:20,epoch=0,epoch=0", "a key twice"),
    ("timestamp:20,zone=utc", "a key that there is not"),
    ("timestamp:20,value=5", "a key of another kind"),
    ("timestamp:20 constant:4", "a constant without a value"),
    ("timestamp:20 constant:4,value=16", "a constant that is too large"),
    ("timestamp:20 constant:4,value=-1", "a negative constant"),
    ("timestamp:20 random:4,step=0", "a step of nothing"),
    ("timestamp:20 random:4,step=16", "a step wider than the part"),
    ("timestamp:20 random:63,step=18446744073709551615", "a step wider than the part, again"),
    ("timestamp:20 random:80,step=18446744073709551616", "a step of 65 bits"),
    ("timestamp:20 node:99 node:4294967295", "widths that no node has"),
    ("timestamp:20 sequence:4,start=5", "a start that there is not"),
    ("snowflake", "a preset that there is not"),
];

/// JSON of layouts, and JSON that is not a valid layout.
const JSON: [(&str, &str); 41] = [
    (
        r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"node","bits":10},{"kind":"sequence","bits":12}]}"#,
        "defaults",
    ),
    (
        r#"{"fields":[{"bits":"41","kind":"timestamp"}],"epoch_ms":1288834974657,"tick_us":10000}"#,
        "numbers, and a width as text",
    ),
    (r#"{"tick_us":"1500","epoch_ms":"-5","fields":[{"kind":"timestamp","bits":41}]}"#, "another order"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"constant","bits":2,"value":3}]}"#, "a constant as a number"),
    (
        r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"constant","bits":2,"value":"0x3"}]}"#,
        "a hexadecimal constant",
    ),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"random","bits":20,"step":"255"}]}"#, "a step"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"random","bits":20,"step":255}]}"#, "a step as a number"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"sequence","bits":12,"start":"random"}]}"#, "a start"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"sequence","bits":12,"start":"0"}]}"#, "the usual start"),
    (
        r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"sequence","bits":12,"start":0}]}"#,
        "the usual start, a number",
    ),
    (
        r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"node","name":"a","bits":5},{"kind":"node","name":"b","bits":5}]}"#,
        "named parts",
    ),
    (" {\n \"fields\" : [ { \"kind\" : \"timestamp\" , \"bits\" : 41 } ] } ", "white space"),
    (r#"{"fields":[{"kind":"timest\u0061mp","bits":41}]}"#, "an escape"),
    (r#"{"fields":[{"kind":"timestamp","bits":41,"bits":42}]}"#, "a key twice"),
    (r#"{"fields":[{"kind":"timestamp","bits":41}],"epoch_ms":5,"epoch_ms":5}"#, "a key of the layout twice"),
    ("", "nothing"),
    ("{", "no end"),
    ("[]", "a list"),
    ("null", "nothing at all"),
    (r#""twitter""#, "a preset's name"),
    ("{}", "no fields"),
    (r#"{"fields":{}}"#, "fields that are no list"),
    (r#"{"fields":[]}"#, "no field"),
    (r#"{"fields":["timestamp"]}"#, "a field that is no object"),
    (r#"{"fields":[{"kind":"timestamp"}]}"#, "no width"),
    (r#"{"fields":[{"bits":41}]}"#, "no kind"),
    (r#"{"fields":[{"kind":"time","bits":41}]}"#, "a kind that there is not"),
    (r#"{"fields":[{"kind":"timestamp","bits":"x"}]}"#, "a width that is no number"),
    (r#"{"fields":[{"kind":"timestamp","bits":null}]}"#, "a width that is null"),
    (r#"{"fields":[{"kind":null,"bits":41}]}"#, "a kind that is null"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"random","bits":20,"step":1048576}]}"#, "a step too wide"),
    (r#"{"fields":[{"kind":"timestamp","bits":41.5}]}"#, "half a bit"),
    (r#"{"fields":[{"kind":"timestamp","bits":-41}]}"#, "a negative width"),
    (r#"{"fields":[{"kind":"timestamp","bits":true}]}"#, "a width that is true"),
    (r#"{"fields":[{"kind":"timestamp","bits":41,"value":"1"}]}"#, "a key of another kind"),
    (r#"{"fields":[{"kind":"timestamp","bits":41,"color":"red"}]}"#, "a key that there is not"),
    (r#"{"fields":[{"kind":"timestamp","bits":41,"name":"a"}]}"#, "a name where there is none"),
    (r#"{"fields":[{"kind":"timestamp","bits":41},{"kind":"constant","bits":2}]}"#, "a constant without a value"),
    (r#"{"fields":[{"kind":"timestamp","bits":41}],"epoch_ms":"2020-02-02"}"#, "an epoch as a date"),
    (r#"{"fields":[{"kind":"timestamp","bits":41}],"tick_us":0}"#, "a tick of nothing"),
    (r#"{"fields":[{"kind":"timestamp","bits":41}],"epoch":0}"#, "a key that there is not"),
];

pub fn document() -> Document {
    let mut document = Document::new(
        "layout",
        &["saiban, the text form of a layout: vectors/README.md", "the sources of the presets"],
    );
    let asked = |op: &'static str, given: serde_json::Value, comment: &str| {
        let case = Case::new(op, given).flag("edge");
        if comment.is_empty() { case } else { case.comment(comment) }
    };
    for text in RIGHT {
        document.add(asked("layout", json!({ "text": text }), ""));
    }
    for (text, comment) in WRONG {
        document.add(asked("layout", json!({ "text": text }), comment));
    }
    let many = |count: usize| format!("timestamp:16{}", " unused:1".repeat(count));
    document.add(asked("layout", json!({ "text": many(15) }), "sixteen fields"));
    document.add(asked("layout", json!({ "text": many(16) }), "seventeen fields"));
    for (text, comment) in JSON {
        document.add(asked("from_json", json!({ "json": text }), comment));
    }
    for (name, layout) in Layout::PRESETS {
        document.add(asked("from_json", json!({ "json": layout.to_json() }), name));
        for bits in 0..=5 {
            document.add(asked("with_rollback_bits", json!({ "text": name, "bits": bits }), ""));
        }
    }
    for text in [
        "timestamp:41 node.a:5 node.b:5 sequence:12",
        "timestamp:41 node.a:5 node.b:2 sequence:12",
        "timestamp:41 sequence:12",
        "timestamp:41 sequence:2",
        "random:10 timestamp:41 sequence:4,start=random",
        "timestamp:41 sequence:8 node:1",
        "timestamp:41 random:12",
        "timestamp:41",
        "timestamp:41 random:8,step=100",
        "ulid-flake",
        "ulid-flake-scalable",
        "tsid-1024",
        "timestamp:48 node:16 sequence:16 random:48",
        "timestamp:41 node:8 rollback:2 sequence:12",
        "timestamp:48 rollback:2 sequence:14",
    ] {
        for bits in [1, 2, 4] {
            document.add(asked("with_rollback_bits", json!({ "text": text, "bits": bits }), ""));
        }
    }
    odds(&mut document);
    document
}

fn odds(document: &mut Document) {
    let mut ask = |text: &str, ids_per_second: String, seconds: String, flag: &'static str| {
        let given = json!({ "text": text, "ids_per_second": ids_per_second, "seconds": seconds });
        document.add(Case::new("collision_odds", given).flag(flag));
    };
    let texts = [
        "timestamp:48 random:80",
        "unused:1 timestamp:41 random:22",
        "timestamp:32@s random:32",
        "timestamp:16@d random:112",
        "timestamp:41 node:10 random:12",
        "timestamp:40@us random:8",
        "timestamp:41 constant:4,value=4 random:62",
        "twitter",
        "timestamp:41 sequence:8 random:14",
        "timestamp:48 random:80,step=1",
        "timestamp:41 node:22",
    ];
    for text in texts {
        for (rate, seconds) in [
            ("0", "0"),
            ("1", "0"),
            ("0", "1"),
            ("1", "1"),
            ("2", "1"),
            ("2", "0.5"),
            ("3", "1"),
            ("1000", "1"),
            ("4096", "1"),
            ("4097", "1"),
            ("4096", "0.0009765625"),
            ("1000000", "3600"),
            ("1000000", "31536000"),
            ("1000000000", "3153600000"),
            ("0.5", "1000000"),
            ("-1", "5"),
            ("5", "-1"),
            ("1e30", "1e9"),
        ] {
            ask(text, rate.into(), seconds.into(), "edge");
        }
    }
    let mut rng = Rng::new(0x6f64_6473);
    for _ in 0..60 {
        let text = texts[rng.below(7) as usize];
        let rate = 1_u64 << rng.below(40);
        let seconds = rng.between(1, 1 << 30) as u64 >> rng.below(30);
        ask(text, rate.to_string(), seconds.max(1).to_string(), "random");
    }
}
