//! `saiban layout`: the properties of a layout, before it has IDs.

mod common;

use common::{refused, saiban, stdout};
use saiban::Layout;
use serde_json::Value;

const OURS: &str = "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12";

/// Layouts of every width and kind, and of many fields.
const MANY: [&str; 9] = [
    OURS,
    "timestamp:16",
    "timestamp:48 random:80",
    "unused:31 timestamp:63 node:1 random:31,step=65535 constant:2,value=0x3",
    "timestamp:32@s node.process:40 sequence:24,start=random",
    "constant:4,value=5 timestamp:48@10ms node.a_region_of_ours:10 node.rack:12 rollback:2 sequence:12 random:40",
    "unused:1 timestamp:31@s rollback:1 node.a:1 node.b:1 node.c:2 node.d:2 node.e:2 node.f:2 node.g:2 node.h:2 sequence:5 \
     unused:3 constant:3,value=7 unused:1 unused:3",
    "node.the_datacenter_1:1 node.the_datacenter_2:1 node.the_datacenter_3:1 node.the_datacenter_4:1 timestamp:60",
    "random:20 timestamp:44",
];

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[&["layout"], arguments, &["--json"]].concat())).expect("a JSON object")
}

#[test]
fn a_layout_is_drawn_with_its_fields_and_properties() {
    assert_eq!(stdout(&["layout", "twitter"]), include_str!("layouts/twitter.txt"));
    let arguments = ["layout", "timestamp:48 node.region:4 node.host:12 random:64", "--rate", "1e5", "--years", "1"];
    assert_eq!(stdout(&arguments), include_str!("layouts/wide.txt"));
}

#[test]
fn a_drawing_is_ascii_and_fits_80_columns() {
    for text in MANY {
        let shown = stdout(&["layout", text]);
        assert!(shown.is_ascii(), "{shown}");
        let (_, rest) = shown.split_once("\n\n").expect("the text, then the rest");
        assert!(rest.lines().all(|line| line.len() < 80), "{shown}");
        let drawing: Vec<&str> = rest.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(drawing.len() % 5, 0, "{shown}");
        for row in drawing.chunks(5) {
            let [_, edge, names, bits, end] = row else { panic!("{shown}") };
            assert!(edge == end && edge.starts_with('+') && edge.ends_with('+'), "{shown}");
            let corners = |line: &str, corner| line.match_indices(corner).map(|(at, _)| at).collect::<Vec<_>>();
            assert_eq!(corners(edge, '+'), corners(names, '|'), "{shown}");
            assert_eq!(corners(edge, '+'), corners(bits, '|'), "{shown}");
        }
    }
}

#[test]
fn every_bit_is_drawn_once() {
    for text in MANY {
        let shown = stdout(&["layout", text]);
        let rows = shown.lines().filter(|line| line.starts_with("  "));
        let numbers: Vec<u32> =
            rows.flat_map(|line| line.split_whitespace()).map(|number| number.parse().expect("a bit")).collect();
        assert!(numbers.is_sorted_by(|high, low| high > low), "{shown}");
        let size = Layout::from_text(text).expect("a layout").size_bits();
        assert_eq!((numbers.first(), numbers.last()), (Some(&(size - 1)), Some(&0)), "{shown}");
    }
}

#[test]
fn a_layout_is_read_from_text_words_json_and_stdin() {
    let layout = Layout::from_text(OURS).expect("a layout");
    let wanted = stdout(&["layout", OURS]);
    let words: Vec<&str> = OURS.split(' ').collect();
    assert_eq!(stdout(&[&["layout"], &words[..]].concat()), wanted);
    assert_eq!(stdout(&["layout", &layout.to_json()]), wanted);
    for text in [OURS.to_owned(), format!("{OURS}\n"), layout.to_json(), format!("\n  {}\n", layout.to_json())] {
        let output = saiban(&["layout", "-"]).write_stdin(text).assert().success();
        assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), wanted);
    }
    assert_eq!(stdout(&["layout", "bwmarrin"]), stdout(&["layout", "twitter"]));
}

#[test]
fn printed_json_is_read_back() {
    for text in MANY.into_iter().chain(["mastodon", "ulid-flake", "ulid-flake-scalable"]) {
        let printed = stdout(&["layout", text, "--json"]);
        assert_eq!(stdout(&["layout", "--json", &printed]), printed);
        let output = saiban(&["layout", "-", "--json"]).write_stdin(printed.clone()).assert().success();
        assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), printed);
    }
    // Every command that takes a layout accepts this JSON.
    let printed = stdout(&["layout", "discord", "--json"]);
    assert_eq!(
        stdout(&["range", "snowflake", "--layout", &printed, "--from", "2025-01-01", "--to", "2025-01-02"]),
        stdout(&["range", "snowflake", "--layout", "discord", "--from", "2025-01-01", "--to", "2025-01-02"])
    );
    refused(&["layout", "{\"layout\":{\"fields\":[]}}"], &["0 bits together"]);
    refused(&["layout", "{\"layout\":\"twitter\"}"], &["twitter", "give an object"]);
}

#[test]
fn json_holds_the_layout_and_every_property() {
    for text in MANY {
        let (found, layout) = (json(&[text]), Layout::from_text(text).expect("a layout"));
        assert_eq!(Layout::from_json(&found["layout"].to_string()), Ok(layout));
        assert_eq!(found["text"], layout.to_string());
        assert_eq!(found["size_bits"], layout.size_bits());
        assert_eq!(found["first_ms"], layout.first_ms().to_string());
        assert_eq!(found["last_ms"], layout.last_ms().to_string());
        assert_eq!(found["lifetime_ms"], layout.lifetime_ms().to_string());
        assert_eq!(found["capacity"]["ids"], layout.capacity().ids.to_string());
        assert_eq!(found["capacity"]["ids_per_tick"], layout.capacity().ids_per_tick.to_string());
        assert_eq!(found["capacity"]["nodes"], layout.capacity().nodes.to_string());
        assert_eq!(found["ids_per_second"]["per_node"], layout.ids_per_second().per_node);
        assert_eq!(found["ids_per_second"]["in_all"], layout.ids_per_second().in_all);
        assert_eq!(found["time_ordered"], layout.is_time_ordered());
        assert_eq!(found["collision_odds"], Value::Null);
        let fields = found["fields"].as_array().expect("fields");
        assert_eq!(fields.len(), layout.places().count());
        for (field, place) in fields.iter().zip(layout.places()) {
            assert_eq!((&field["kind"], &field["bits"]), (&place.field.kind.name().into(), &place.field.bits.into()));
            assert_eq!((&field["shift"], &field["max"]), (&place.shift.into(), &place.max.to_string().into()));
        }
    }
    let twitter = json(&["twitter"]);
    assert_eq!((&twitter["name"], &twitter["guarantee"]), (&"twitter".into(), &"unique".into()));
    assert_eq!(twitter["last"], "2080-07-10T17:30:30.208Z");
    // The year 10889 is beyond the calendar.
    assert_eq!(json(&["timestamp:48 random:80"])["last"], Value::Null);
}

#[test]
fn the_guarantee_of_a_layout_is_shown() {
    for (text, guarantee) in [
        (OURS, "unique"),
        ("timestamp:44 sequence:20", "unique_in_process"),
        ("timestamp:44", "unique_in_process"),
        ("timestamp:44 random:20,step=255", "unique_in_process"),
        ("timestamp:44 random:20", "probable"),
        ("timestamp:34 node:10 random:20", "probable"),
    ] {
        assert_eq!(json(&[text])["guarantee"], guarantee, "{text}");
    }
    let holds = |text: &str, words: &str| {
        let shown = stdout(&["layout", text]);
        assert!(shown.contains(words), "{shown} lacks {words}");
    };
    holds("discord", "negative from 2084-09-06T15:47:35.552Z on");
    holds("unused:2 timestamp:62", "never negative");
    holds("constant:1,value=1 timestamp:63", "always negative");
    holds("node:20 timestamp:44", "half of them negative");
    holds("node:20 timestamp:44", "a field is above the timestamp");
    holds("timestamp:63", "never negative");
    holds("baidu", "2024-11-20T13:24:15.000Z (over: give it a later epoch)");
    holds("timestamp:30@s,epoch=9000-01-01", "(not begun: give it an earlier epoch)");
    holds("timestamp:16@min", "lifetime    45.5 days");
    holds("timestamp:44 random:20", "--rate N");
}

#[test]
fn the_probability_of_equal_ids_is_the_cores() {
    let layout = Layout::from_text("timestamp:48 random:80").expect("a layout");
    for (time, seconds) in
        [(&["--seconds", "60"][..], 60.0), (&["--years", "2"], 2.0 * 31_557_600.0), (&[], 31_557_600.0)]
    {
        let found = json(&[&["timestamp:48 random:80", "--rate", "1e9"], time].concat());
        assert_eq!(found["collision_odds"]["seconds"], seconds);
        assert_eq!(found["collision_odds"]["ids_per_second"], 1e9);
        let (found, odds) =
            (found["collision_odds"]["probability"].as_f64(), layout.collision_odds(1e9, seconds).expect("odds"));
        // serde_json may round the last digit of a number.
        assert!(found.is_some_and(|found| (found / odds - 1.0).abs() < 1e-12), "{found:?} {odds}");
    }
    let line = |arguments: &[&str]| {
        let shown = stdout(&[&["layout"], arguments].concat());
        shown.lines().last().expect("a line").to_owned()
    };
    let none = line(&["twitter", "--rate", "1000"]);
    assert_eq!(none, "collisions  none at 1,000 IDs a second in 1 year");
    // Without a node another process can make equal IDs.
    assert!(line(&["timestamp:44 sequence:20", "--rate", "1"]).ends_with("in 1 year of one process"));
    assert!(line(&["timestamp:40 random:16", "--rate", "1e9"]).starts_with("collisions  certain"));
    let some = line(&["timestamp:40 random:16", "--rate", "1000", "--seconds", "10"]);
    assert!(some.contains(" % at 1,000 IDs a second in 10 seconds"), "{some}");
}

#[test]
fn presets_are_listed_with_their_sources() {
    let shown = stdout(&["layout", "--list"]);
    for (name, layout) in Layout::PRESETS {
        let line = format!("{name:<19} {layout}");
        assert!(shown.lines().any(|shown| shown == line), "{shown} lacks {line}");
    }
    assert!(shown.contains("bwmarrin") && shown.contains("github.com/twitter-archive/snowflake"), "{shown}");
    let lines = stdout(&["layout", "--list", "--json"]);
    for line in lines.lines() {
        let preset: Value = serde_json::from_str(line).expect("a JSON object");
        let text = preset["text"].as_str().expect("a text");
        assert_eq!(Layout::from_text(text), Layout::preset(preset["name"].as_str().expect("a name")));
        assert!(preset["source"].as_str().is_some_and(|source| !source.is_empty()), "{line}");
    }
}

#[test]
fn an_invalid_layout_is_refused_with_the_part_at_fault() {
    refused(&["layout"], &["LAYOUT"]);
    refused(&["layout", ""], &["kind:bits"]);
    refused(&["layout", "nonsense"], &["nonsense", "twitter"]);
    refused(&["layout", "node:3 timetamp:3"], &["timetamp", "position 7", "timestamp"]);
    refused(&["layout", "timestamp:64"], &["timestamp", "64", "1 to 63"]);
    refused(&["layout", "timestamp:15"], &["15 bits", "16 to 128"]);
    refused(&["layout", "timestamp:63 random:66"], &["129 bits", "16 to 128"]);
    refused(&["layout", "timestamp:41 node.Worker:5 sequence:12"], &["Worker", "lower-case"]);
    refused(&["layout", "timestamp:41 constant:2,value=4"], &["constant", "4", "0 to 3"]);
    refused(&["layout", "timestamp:41@week"], &["week", "us, ms, s, min, h or d"]);
    refused(&["layout", "timestamp:41,epoch=yesterday"], &["yesterday", "2020-02-02"]);
    refused(&["layout", "node:10 sequence:12"], &["timestamp"]);
    refused(&["layout", "{\"fields\":[}"], &["JSON", "line 1"]);
    refused(&["layout", "{"], &["line 1", "give a whole object"]);
    refused(&["layout", "[]"], &["is a list", "give an object"]);
    let kinds = ["fields[0]", "\"kind\" is \"time\"", "timestamp"];
    refused(&["layout", "{\"fields\":[{\"kind\":\"time\",\"bits\":44}]}"], &kinds);
    let bits = ["fields[0] (node)", "\"bits\" is \"x\"", "1 to 63"];
    refused(&["layout", "{\"fields\":[{\"kind\":\"node\",\"bits\":\"x\"}]}"], &bits);
    refused(&["layout", "timestamp:41 node:99"], &["\"node\" has 99 bits", "1 to 63"]);
    refused(&["layout", "timestamp:41 random:4,step=16"], &["4 bits", "step of 16", "1 to 15"]);
    refused(&["layout", "twitter", "--rate", "0"], &["--rate", "above 0"]);
    refused(&["layout", "twitter", "--rate", "-1"], &["--rate", "above 0"]);
    refused(&["layout", "twitter", "--rate", "NaN"], &["--rate", "above 0"]);
    refused(&["layout", "twitter", "--seconds", "1"], &["--rate"]);
    refused(&["layout", "twitter", "--rate", "1", "--seconds", "1", "--years", "1"], &["--seconds", "--years"]);
    refused(&["layout", "--list", "twitter"], &["--list"]);
    let output = saiban(&["layout", "-"]).write_stdin("node:16").assert().code(2);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("timestamp"));
}
