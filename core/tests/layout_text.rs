//! Layouts as text and JSON: decoding, encoding, and errors with the position of the fault.

use saiban::error::LayoutFault;
use saiban::layout::{Name, WideFields};
use saiban::{Error, ErrorKind, Layout, LayoutProblem, LayoutSpec};

fn read(text: &str) -> Layout {
    Layout::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn text_is_written_in_one_way_and_read_in_many() {
    let cases = [
        (
            "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12",
            "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12",
        ),
        ("timestamp:41   node:10  sequence:13,start=0", "timestamp:41 node:10 sequence:13"),
        ("timestamp:40@1ms,epoch=1970-01-01 random:24", "timestamp:40 random:24"),
        ("timestamp:40,epoch=0 random:24", "timestamp:40 random:24"),
        ("timestamp:40,epoch=1580601600000 random:24", "timestamp:40,epoch=2020-02-02 random:24"),
        ("timestamp:40,epoch=2020-02-02T00:00:00Z random:24", "timestamp:40,epoch=2020-02-02 random:24"),
        (
            "timestamp:40,epoch=2020-02-02T00:00:00.5Z random:24",
            "timestamp:40,epoch=2020-02-02T00:00:00.500Z random:24",
        ),
        ("timestamp:40,epoch=2020-02-02T23:59:59Z random:24", "timestamp:40,epoch=2020-02-02T23:59:59.000Z random:24"),
        ("timestamp:30@1000us random:34", "timestamp:30 random:34"),
        ("timestamp:30@1000ms random:34", "timestamp:30@s random:34"),
        ("timestamp:30@90s random:34", "timestamp:30@90s random:34"),
        ("timestamp:30@60s random:34", "timestamp:30@min random:34"),
        ("timestamp:30@60min random:34", "timestamp:30@h random:34"),
        ("timestamp:20@24h random:34", "timestamp:20@d random:34"),
        ("timestamp:20@7d random:34", "timestamp:20@7d random:34"),
        ("timestamp:30@1500us random:34", "timestamp:30@1500us random:34"),
        ("timestamp:30@us random:34", "timestamp:30@us random:34"),
        ("constant:8,value=0xFf timestamp:40 random:16,step=1", "constant:8,value=255 timestamp:40 random:16,step=1"),
        (
            "constant:8,value=0x00ff timestamp:40 sequence:16,start=random",
            "constant:8,value=255 timestamp:40 sequence:16,start=random",
        ),
        ("timestamp:40,epoch=0001-01-01 random:9", "timestamp:40,epoch=0001-01-01 random:9"),
        ("timestamp:40,epoch=-62135596800001 random:9", "timestamp:40,epoch=-62135596800001 random:9"),
        (
            "timestamp:40,epoch=9999-12-31T23:59:59.999Z random:9",
            "timestamp:40,epoch=9999-12-31T23:59:59.999Z random:9",
        ),
        ("timestamp:40,epoch=253402300800000 random:9", "timestamp:40,epoch=253402300800000 random:9"),
        ("timestamp:16,epoch=-9223372036854775808", "timestamp:16,epoch=-9223372036854775808"),
        (
            "timestamp:40,epoch=1969-12-31T23:59:59.999Z random:9",
            "timestamp:40,epoch=1969-12-31T23:59:59.999Z random:9",
        ),
        (
            "timestamp:42 node.datacenter:5 node.worker:5 rollback:2 sequence:10",
            "timestamp:42 node.datacenter:5 node.worker:5 rollback:2 sequence:10",
        ),
        ("twitter", "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12"),
        ("bwmarrin", "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12"),
        ("discord", "timestamp:42,epoch=2015-01-01 node:10 sequence:12"),
        ("sonyflake", "unused:1 timestamp:39@10ms,epoch=2014-09-01 sequence:8 node:16"),
        ("mastodon", "timestamp:48 sequence:16"),
        ("baidu", "unused:1 timestamp:28@s,epoch=2016-05-19T16:00:00.000Z node:22 sequence:13"),
    ];
    for (given, written) in cases {
        let layout = read(given);
        assert_eq!(layout.to_string(), written);
        assert_eq!(read(written), layout);
    }
}

#[test]
fn dates_are_those_of_the_gregorian_calendar() {
    let epoch = |date: &str| Layout::from_text(&format!("timestamp:20,epoch={date}")).map(|layout| layout.epoch_ms());
    for (date, unix_s) in [
        ("1970-01-01", 0),
        ("1970-01-02", 86_400),
        ("1969-12-31", -86_400),
        ("2000-02-29", 951_782_400),
        ("2000-03-01", 951_868_800),
        ("1900-02-28", -2_203_977_600),
        ("1900-03-01", -2_203_891_200),
        ("2024-02-29", 1_709_164_800),
        ("2100-03-01", 4_107_542_400),
        ("0001-01-01", -62_135_596_800),
        ("9999-12-31", 253_402_214_400),
        ("2016-05-19T16:00:00Z", 1_463_673_600),
        ("1970-01-01T00:00:01.000Z", 1),
    ] {
        assert_eq!(epoch(date), Ok(unix_s * 1_000), "{date}");
    }
    for date in [
        "1900-02-29",
        "2100-02-29",
        "2023-02-29",
        "2024-02-30",
        "2024-04-31",
        "2024-13-01",
        "2024-00-10",
        "2024-01-00",
        "2024-01-32",
        "0000-01-01",
        "10000-01-01",
        "2024-1-01",
        "2024-01-1",
        "24-01-01",
        "2024/01/01",
        "2024-01-01T",
        "2024-01-01Z",
        "2024-01-01T00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z",
        "2024-01-01T00:00:00",
        "2024-01-01T00:00:00+00:00",
        "2024-01-01t00:00:00z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00.1234Z",
        "+2024-01-01",
        "-2024-01-01",
        "2024-+1-01",
        "2024-01-01T+1:00:00Z",
        "２０２４-01-01",
        "",
        "-",
        "+5",
        "05",
        "-05",
        "-0",
        "1e3",
        "1.5",
    ] {
        let error = epoch(date).expect_err(date);
        assert!(
            matches!(
                error,
                Error::InvalidLayout { reason: LayoutProblem::Text { position: 19, fault: LayoutFault::NotATime, .. } }
            ),
            "{date}: {error}"
        );
    }
}

#[test]
fn faults_in_a_text_are_named_with_their_position() {
    use LayoutFault::*;
    let huge = "9".repeat(50);
    let cases = [
        ("", 0, EmptyItem),
        (" ", 0, EmptyItem),
        (" timestamp:41", 0, EmptyItem),
        ("timestamp:41 ", 13, EmptyItem),
        ("timestamp:41  ", 14, EmptyItem),
        ("timestamp:41\tnode:10", 10, NotANumber),
        ("timestamp:41\n", 10, NotANumber),
        ("timestamp:41 nodes:10", 13, UnknownKind),
        ("timestamp:41 Node:10", 13, UnknownKind),
        ("timestamp:41 :10", 13, UnknownKind),
        ("timestamp:41 nöde:10", 13, UnknownKind),
        ("timestamp:41 node", 13, NoWidth),
        ("timestamp 41", 0, NoWidth),
        ("timestamp:41 node:", 18, NotANumber),
        ("timestamp:41 node:ten", 18, NotANumber),
        ("timestamp:+41", 10, NotANumber),
        ("timestamp:041", 10, NotANumber),
        ("timestamp:-41", 10, NotANumber),
        ("timestamp:0x29", 10, NotANumber),
        ("timestamp:٤١", 10, NotANumber),
        ("timestamp:41:3", 10, NotANumber),
        ("timestamp:4294967296", 10, NumberTooLarge),
        ("timestamp:99999999999999999999999999999999999999999999999999", 10, NumberTooLarge),
        ("timestamp:41@", 13, NotAUnit),
        ("timestamp:41@sec", 13, NotAUnit),
        ("timestamp:41@10", 13, NotAUnit),
        ("timestamp:41@MS", 13, NotAUnit),
        ("timestamp:41@-1ms", 13, NotAUnit),
        ("timestamp:41@01ms", 13, NotANumber),
        ("timestamp:41@1.5ms", 13, NotAUnit),
        ("timestamp:41@18446744073709551615d", 13, NumberTooLarge),
        ("timestamp:41 node:10@ms", 21, NotOfThisKind),
        ("timestamp:41,epoch=9223372036854775808", 19, NumberTooLarge),
        ("timestamp:41,epoch=-9223372036854775809", 19, NumberTooLarge),
        ("timestamp:41,epoch=1,epoch=1", 21, KeyTwice),
        ("timestamp:41,epoch", 13, UnknownKey),
        ("timestamp:41,", 13, UnknownKey),
        ("timestamp:41,Epoch=1", 13, UnknownKey),
        ("timestamp:41,unit=ms", 13, UnknownKey),
        ("timestamp:41,step=1", 13, NotOfThisKind),
        ("timestamp:41 node:10,epoch=1", 21, NotOfThisKind),
        ("timestamp:41 constant:3", 13, NoValue),
        ("timestamp:41 constant:3,value=", 30, NotANumber),
        ("timestamp:41 constant:3,value=0x", 30, NotANumber),
        ("timestamp:41 constant:3,value=0xg", 30, NotANumber),
        ("timestamp:41 constant:3,value=0X1", 30, NotANumber),
        ("timestamp:41 constant:3,value=-1", 30, NotANumber),
        ("timestamp:41 constant:3,value=340282366920938463463374607431768211456", 30, NumberTooLarge),
        ("timestamp:41 random:20,step=0", 28, NotAStep),
        ("timestamp:41 random:20,step=18446744073709551616", 28, NumberTooLarge),
        ("timestamp:41 sequence:20,start=1", 31, NotAStart),
        ("timestamp:41 sequence:20,start=Random", 31, NotAStart),
        ("timestamp:41 sequence.a:20", 13, NotOfThisKind),
        ("timestamp:41 node.:20", 18, NotAName),
        ("timestamp:41 node.9:20", 18, NotAName),
        ("timestamp:41 node.a-b:20", 18, NotAName),
        ("timestamp:41 node.a.b:20", 18, NotAName),
        ("timestamp:41 node.a2345678901234567:20", 18, NotAName),
    ];
    for (text, wanted_position, wanted_fault) in cases {
        let error = Layout::from_text(text).expect_err(text);
        let Error::InvalidLayout { reason: LayoutProblem::Text { position, fault, .. } } = error else {
            panic!("{text}: {error}");
        };
        assert_eq!((position, fault), (wanted_position, wanted_fault), "{text}");
        assert_eq!(error.position(), Some(wanted_position as usize));
        let message = error.to_string();
        assert!(message.contains(&format!("position {wanted_position}")) && message.len() < 300, "{message}");
    }
    let error = Layout::from_text(&format!("timestamp:41 constant:3,value=0x{huge}")).expect_err("too large a number");
    assert_eq!(error.kind(), ErrorKind::InvalidLayout);
}

#[test]
fn a_well_formed_text_is_validated_like_every_layout() {
    for (text, wanted) in [
        ("node:10 sequence:12", "timestamp"),
        ("timestamp:41 timestamp:5", "\"timestamp\" is given twice"),
        ("timestamp:41 node.a:5 sequence:3 node.b:9", "\"node.b\" is not adjacent"),
        (
            "timestamp:41 node.a:5 node.a:9",
            "\"node.a\" is given twice: give the node once, or each part of it a different name",
        ),
        ("timestamp:41 node:99", "\"node\" has 99 bits: give 1 to 63"),
        ("timestamp:200 node:99", "\"timestamp\" has 200 bits: give 1 to 63"),
        ("timestamp:41 random:4,step=16", "random part of 4 bits cannot grow by a step of 16: give 1 to 15"),
        (
            "timestamp:41 random:20,step=18446744073709551615",
            "20 bits cannot grow by a step of 18446744073709551615: give 1 to 1048575",
        ),
        ("timestamp:41 node.a:64", "\"node.a\" has 64 bits: give 1 to 63"),
        ("timestamp:41 node.a:32 node.b:32", "\"node\" has 64 bits: give 1 to 63"),
        ("timestamp:0 node:20", "\"timestamp\" has 0 bits: give 1 to 63"),
        ("timestamp:41 node.a:0", "\"node.a\" has 0 bits: give 1 to 63"),
        ("timestamp:41 rollback:5", "5 bits: give 1 to 4"),
        ("timestamp:41 constant:3,value=8", "constant of 3 bits cannot be 8: give 0 to 7"),
        ("timestamp:15", "15 bits together: they must have 16 to 128"),
        ("timestamp:41 unused:88", "129 bits together"),
        ("timestamp:41@0ms sequence:12", "tick is 0"),
        ("timestamp:63@d", "take an earlier epoch, fewer timestamp bits or a shorter tick"),
        ("timestamp:41 sequence:5 random:5,step=1", "both a sequence and a random part that grows"),
    ] {
        let error = Layout::from_text(text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::InvalidLayout);
        assert!(error.to_string().contains(wanted), "{text}: {error}");
    }
    for unknown in ["twiter", "Twitter", "node", "é"] {
        let error = Layout::from_text(unknown).expect_err(unknown);
        assert_eq!(error.kind(), ErrorKind::UnknownName);
    }
}

#[test]
fn texts_of_any_length_are_refused_at_once() {
    for text in ["a", " ", ":", ",", "é", "timestamp:41 ", "unused:1 ", "9"].map(|piece| piece.repeat(100_000)) {
        let error = Layout::from_text(&text).expect_err("no layout");
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[test]
fn names_are_short_and_plain() {
    for name in ["a", "z9_", "a234567890123456"] {
        assert_eq!(Name::new(name).map(|name| name.as_str().to_owned()), Ok(name.to_owned()));
    }
    for name in ["", "A", "_a", "9", "a-b", "a b", "ä", "a2345678901234567"] {
        assert_eq!(Name::new(name).map_err(|error| error.kind()), Err(ErrorKind::InvalidLayout));
    }
}

#[test]
fn parts_of_a_node_are_each_given_once() {
    let layout = read("timestamp:42 node.dc:5 node.worker:5 sequence:12");
    let of = |parts: &[(&str, i64)]| layout.node_of_parts(parts).map_err(|error| error.kind());
    assert_eq!(of(&[("dc", 31), ("worker", 0)]), Ok(992));
    assert_eq!(of(&[("dc", 32), ("worker", 0)]), Err(ErrorKind::NodeOutOfRange));
    assert_eq!(of(&[("dc", -1), ("worker", 0)]), Err(ErrorKind::NodeOutOfRange));
    assert_eq!(of(&[("dc", 1)]), Err(ErrorKind::InvalidArgument));
    assert_eq!(of(&[("dc", 1), ("worker", 0), ("dc", 1)]), Err(ErrorKind::InvalidArgument));
    assert_eq!(of(&[("dc", 1), ("worker", 0), ("rack", 1)]), Err(ErrorKind::UnknownName));
    assert_eq!(Layout::TWITTER.node_of_parts(&[("node", 7)]), Ok(7));
    assert_eq!(Layout::MASTODON.node_of_parts(&[]), Ok(0));
    for node in [-1, 1_024] {
        let message = layout.node_parts(node).map(|_| ()).expect_err("no node of the layout").to_string();
        assert!(message.contains(&node.to_string()) && message.contains("0 to 1023"), "{message}");
    }
    assert_eq!(Layout::MASTODON.node_parts(0).map(Iterator::count), Ok(0));
    let message = layout.node_of_parts(&[("dc", 32), ("worker", 0)]).expect_err("too large").to_string();
    assert!(message.contains("\"dc\"") && message.contains("32") && message.contains("0 to 31"), "{message}");
}

#[test]
fn a_constant_is_in_every_id_and_an_id_with_another_one_is_refused() {
    let layout = read("constant:3,value=5 timestamp:41 constant:4,value=9 sequence:16");
    let id = layout.compose_ms(1_000, 0, 7).expect("an ID");
    assert_eq!(id, 5 << 61 | 1_000 << 20 | 9 << 16 | 7);
    assert!(layout.split(id).is_ok() && layout.split(id ^ 1 << 16).is_err() && layout.split(id ^ 1 << 61).is_err());
    let id = layout.join_wide(&WideFields::default());
    assert_eq!(id, 5 << 61 | 9 << 16);
}

#[test]
fn a_layout_of_fewer_than_64_bits_makes_numbers_of_that_many_bits() {
    let layout = LayoutSpec::new().timestamp(20).node(4).sequence(8).check().expect("a layout");
    let id = layout.compose_ms(layout.last_ms(), 15, 255).expect("an ID");
    assert_eq!(id, i64::from(u32::MAX));
    assert_eq!(layout.split(-1).map_err(|error| error.kind()), Err(ErrorKind::IdOutOfRange));
    assert_eq!(layout.split(1 << 32).map_err(|error| error.kind()), Err(ErrorKind::IdOutOfRange));
}

#[cfg(feature = "json")]
mod json {
    use super::*;

    #[test]
    fn json_has_every_property_of_a_layout() {
        let text = "constant:2,value=3 timestamp:41@10ms,epoch=2020-02-02 node.dc:5 node.worker:5 rollback:1 sequence:12,start=random random:9";
        let json = concat!(
            r#"{"fields":[{"kind":"constant","bits":2,"value":"3"},{"kind":"timestamp","bits":41},"#,
            r#"{"kind":"node","name":"dc","bits":5},{"kind":"node","name":"worker","bits":5},{"kind":"rollback","bits":1},"#,
            r#"{"kind":"sequence","bits":12,"start":"random"},{"kind":"random","bits":9}],"#,
            r#""epoch_ms":"1580601600000","tick_us":"10000"}"#
        );
        assert_eq!(read(text).to_json(), json);
        assert_eq!(Layout::from_json(json), Ok(read(text)));
        let step = read("timestamp:40 random:24,step=65535");
        assert!(step.to_json().contains(r#"{"kind":"random","bits":24,"step":"65535"}"#));
        assert_eq!(Layout::from_json(&step.to_json()), Ok(step));
    }

    #[test]
    fn numbers_are_read_as_numbers_and_as_text() {
        for json in [
            r#"{"fields":[{"kind":"timestamp","bits":40},{"kind":"constant","bits":24,"value":255}],"epoch_ms":-5,"tick_us":2000}"#,
            r#"{"fields":[{"kind":"timestamp","bits":"40"},{"kind":"constant","bits":24,"value":"0xff"}],"epoch_ms":"-5","tick_us":"2000"}"#,
        ] {
            let layout = Layout::from_json(json).expect("a layout");
            assert_eq!((layout.epoch_ms(), layout.tick_us()), (-5, 2_000));
            assert_eq!(layout.join_wide(&WideFields::default()), 255);
        }
    }

    #[test]
    fn faults_in_json_are_named() {
        let field = |field: &str| format!(r#"{{"fields":[{{"kind":"timestamp","bits":41}},{field}]}}"#);
        let cases = [
            (String::new(), "ends in line 1, column 0, before it is complete: give a whole object with \"fields\""),
            ("{".into(), "ends in line 1, column 1, before it is complete: give a whole object"),
            ("{\"fields\":[\n{\"kind\"".into(), "ends in line 2, column 7, before it is complete"),
            ("[".repeat(100_000), "line 1"),
            (
                "{\"fields\":[}".into(),
                "it is not valid JSON: \"}\" in line 1, column 12; give an object with \"fields\"",
            ),
            ("{\"fields\":[\n nöde]}".into(), "\"öde]}\" in line 2, column 3"),
            ("null".into(), "its JSON is null: give an object with \"fields\""),
            ("[]".into(), "its JSON is a list: give an object with \"fields\""),
            ("\"twitter\"".into(), "its JSON is \"twitter\": give an object with \"fields\""),
            ("{}".into(), "in its JSON \"fields\" is missing: give a list of objects"),
            (r#"{"fields":5}"#.into(), "\"fields\" is 5: give a list"),
            (r#"{"fields":[5]}"#.into(), "in its JSON fields[0] is 5: give an object with \"kind\" and \"bits\""),
            (field("[]"), "in its JSON fields[1] is a list: give an object"),
            (r#"{"fields":[],"epoch":5}"#.into(), "\"epoch\" is not known here: give fields, epoch_ms and tick_us"),
            (r#"{"fields":[],"epoch_ms":1.5}"#.into(), "\"epoch_ms\" is 1.5: give Unix milliseconds"),
            (r#"{"fields":[],"epoch_ms":"2020-02-02"}"#.into(), "\"epoch_ms\" is \"2020-02-02\": give Unix"),
            (r#"{"fields":[],"epoch_ms":null}"#.into(), "\"epoch_ms\" is null"),
            (r#"{"fields":[],"epoch_ms":1e30}"#.into(), "\"epoch_ms\" is 1e"),
            (r#"{"fields":[],"tick_us":-1}"#.into(), "\"tick_us\" is -1: give microseconds"),
            (
                r#"{"fields":[],"tick_us":"18446744073709551616"}"#.into(),
                "\"tick_us\" is \"18446744073709551616\": give",
            ),
            (r#"{"fields":[],"tick_us":18446744073709551616}"#.into(), "\"tick_us\" is 18446744073709551616: give"),
            (r#"{"fields":[],"epoch_ms":1e3,"tick_us":5}"#.into(), "\"epoch_ms\" is 1e3: give"),
            (r#"{"fields":[],"tick_us":""}"#.into(), "\"tick_us\" is \"\""),
            (r#"{"felder":[]}"#.into(), "\"felder\" is not known here: give fields"),
            (field(r#"{"knid":"node","bits":5}"#), "fields[1]: \"knid\" is not known here: give kind"),
            (field("{}"), "fields[1]: \"kind\" is missing: give unused, timestamp, node"),
            (field(r#"{"kind":5}"#), "fields[1]: \"kind\" is 5: give unused"),
            (field(r#"{"kind":null,"bits":5}"#), "fields[1]: \"kind\" is null"),
            (field(r#"{"kind":"nodes","bits":1}"#), "fields[1]: \"kind\" is \"nodes\": give unused, timestamp"),
            (field(r#"{"kind":"node"}"#), "fields[1] (node): \"bits\" is missing: give a plain whole number, 1 to 63"),
            (
                field(r#"{"kind":"node","bits":"x"}"#),
                "fields[1] (node): \"bits\" is \"x\": give a plain whole number, 1 to 63",
            ),
            (field(r#"{"kind":"node","bits":null}"#), "fields[1] (node): \"bits\" is null: give a plain"),
            (
                field(r#"{"kind":"node","bits":99}"#),
                "fields[1] (node): \"bits\" is 99: give a plain whole number, 1 to 63",
            ),
            (
                field(r#"{"kind":"rollback","bits":-1}"#),
                "fields[1] (rollback): \"bits\" is -1: give a plain whole number, 1 to 4",
            ),
            (field(r#"{"kind":"node","bits":4294967296}"#), "\"bits\" is 4294967296: give"),
            (field(r#"{"kind":"node","bits":true}"#), "\"bits\" is true"),
            (field(r#"{"kind":"node","bits":{}}"#), "\"bits\" is an object"),
            (field(r#"{"kind":"node","bits":5,"name":"A"}"#), "(node): \"name\" is \"A\": give a lower-case letter"),
            (field(r#"{"kind":"node","bits":5,"name":false}"#), "(node): \"name\" is false"),
            (field(r#"{"kind":"sequence","bits":5,"name":"a"}"#), "fields[1] (sequence): \"name\" does not belong"),
            (field(r#"{"kind":"sequence","bits":5,"value":0}"#), "fields[1] (sequence): \"value\" does not belong"),
            (
                field(r#"{"kind":"sequence","bits":5,"start":"7"}"#),
                "(sequence): \"start\" is \"7\": give 0 or \"random\"",
            ),
            (
                field(r#"{"kind":"random","bits":5,"step":"0"}"#),
                "(random): \"step\" is \"0\": give a plain whole number, 1 to",
            ),
            (
                field(r#"{"kind":"random","bits":5,"step":32}"#),
                "random part of 5 bits cannot grow by a step of 32: give 1 to 31",
            ),
            (field(r#"{"kind":"constant","bits":5}"#), "(constant): \"value\" is missing: give"),
            (field(r#"{"kind":"timestamp","bits":5}"#), "\"timestamp\" is given twice"),
            (
                field(r#"{"kind":"node","bits":5,"epoch":"1"}"#),
                "fields[1] (node): \"epoch\" is not known here: give kind, bits",
            ),
            (field(r#"{"kind":"node","bits":5,"colour":"red"}"#), "fields[1] (node): \"colour\" is not known here"),
            (
                field(r#"{"kind":"node","bits":44,"bits":3}"#),
                "its JSON fields[1] (node): \"bits\" is given twice: give it once",
            ),
            (field(r#"{"bits":3,"kind":"node","k\u0069nd":"node"}"#), "fields[1] (node): \"kind\" is given twice"),
            (field(r#"{"a":[1,true,null,-1.5,"x",{}],"a":{"b":1}}"#), "fields[1]: \"a\" is given twice"),
            (r#"{"epoch_ms":5,"fields":[],"epoch_ms":5}"#.into(), "its JSON \"epoch_ms\" is given twice: give it once"),
            (r#"{"fields":[],"fields":{"bits":{"kind":1}}}"#.into(), "its JSON \"fields\" is given twice"),
        ];
        for (json, wanted) in cases {
            let error = Layout::from_json(&json).expect_err(&json);
            assert_eq!(error.kind(), ErrorKind::InvalidLayout);
            assert!(error.to_string().contains(wanted), "{json}: {error}");
        }
    }
}
