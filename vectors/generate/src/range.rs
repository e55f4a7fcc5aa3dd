//! Cases of the first and the last ID of an interval.

use crate::document::{Case, Document};
use crate::rng::Rng;
use saiban::Layout;
use serde_json::{Value, json};

const NOW: i64 = 1_763_683_200_000;
const DAY: i64 = 86_400_000;

/// A config, the first time of its format, and the end of its time.
struct Of {
    name: &'static str,
    config: Value,
    first_ms: i64,
    end_ms: i64,
}

fn of(name: &'static str, config: Value, first_ms: i64, end_ms: i64) -> Of {
    Of { name, config, first_ms, end_ms }
}

fn of_layout(name: &'static str, scheme: &str, text: &str) -> Of {
    let layout = Layout::from_text(text).expect("a layout");
    let config = json!({ "scheme": scheme, "layout": text });
    of(name, config, layout.epoch_ms(), layout.tick_start_ms(layout.ticks()))
}

fn all() -> Vec<Of> {
    let mut all = vec![
        of("randflake", json!({ "scheme": "randflake", "secret": "0123456789abcdef0123456789abcdef" }), 0, NOW),
        of("uuid_v1", json!({ "scheme": "uuid", "version": 1 }), 0, NOW),
        of("uuid_v4", json!({ "scheme": "uuid", "version": 4 }), 0, NOW),
        of("uuid_v7", json!({ "scheme": "uuid", "version": 7 }), 0, 1 << 48),
        of("ulid", json!({ "scheme": "ulid" }), 0, 1 << 48),
        of("objectid", json!({ "scheme": "objectid" }), 0, 4_294_967_296_000),
        of("ascending", json!({ "scheme": "tick-id", "order": "ascending" }), -62_135_596_800_000, 860_201_606_885_478),
        of(
            "descending",
            json!({ "scheme": "tick-id", "order": "descending" }),
            -62_135_596_800_000,
            860_201_606_885_478,
        ),
    ];
    for (name, scalable) in [("ulid_flake", false), ("scalable", true)] {
        let epoch = 1_704_067_200_000;
        let config =
            json!({ "scheme": "ulid-flake", "scalable": scalable, "entropy_size": 1, "epoch_ms": epoch.to_string() });
        all.push(of(name, config, epoch, epoch + (1 << 43)));
    }
    for name in ["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2", "baidu"] {
        all.push(of_layout(name, "snowflake", name));
    }
    for (name, text) in [
        ("mastodon", "mastodon"),
        ("twitter_flake", "twitter"),
        ("sixteen", "timestamp:10@d,epoch=2025-01-01 node:2 sequence:4"),
        ("thirty_two", "timestamp:24@min,epoch=2024-01-01 sequence:8"),
        ("uneven", "timestamp:40@1500us,epoch=2020-01-01 node:8 sequence:2 unused:50"),
        ("micro", "timestamp:52@us,epoch=2020-01-01 constant:4,value=9 random:72"),
        ("constant", "constant:3,value=5 timestamp:48 constant:4,value=7 sequence:12 constant:2,value=2 random:59"),
        ("hundred", "unused:2 timestamp:40@ms,epoch=2020-02-02 node:18 random:40,step=9"),
        ("rollback", "unused:1 timestamp:41,epoch=2020-01-01 node:8 rollback:2 sequence:12"),
        ("node_above", "node:10 timestamp:42 sequence:12"),
        ("sequence_above", "sequence:12 timestamp:48 node:60"),
        ("random_above", "unused:1 random:8 timestamp:41 sequence:14"),
        ("rollback_above", "rollback:2 timestamp:42 node:10 sequence:10"),
        ("sixty_four", "timestamp:44 node:8 sequence:12"),
    ] {
        all.push(of_layout(name, "flake", text));
    }
    all.push(of_layout("tsid", "tsid", "tsid-1024"));
    all.push(of("xid", json!({ "scheme": "xid" }), 0, 4_294_967_296_000));
    all
}

pub fn document() -> Document {
    let mut document = Document::new(
        "range",
        &[
            "saiban, vectors/README.md",
            "RFC 9562 section 5.7; github.com/ulid/spec; MongoDB specifications, source/bson-objectid/objectid.md",
            "Discord API reference, Snowflake IDs in pagination",
            "github.com/f4b6a3/tsid-creator, README",
        ],
    );
    for (index, Of { name, config, first_ms, end_ms }) in all().into_iter().enumerate() {
        document.config(name, config);
        let mut rng = Rng::new(0x7261_6e67 + index as u64);
        let mut add = |start: i64, end: i64, flag: &'static str, comment: &str| {
            let given = json!({ "start_ms": start.to_string(), "end_ms": end.to_string() });
            document.add(Case::new("range", given).config(name).flag(flag).comment(comment));
        };
        let middle = NOW.clamp(first_ms, end_ms - DAY);
        add(middle, middle + DAY, "edge", "a day");
        add(middle, middle + 1, "edge", "a millisecond");
        add(middle + 7, middle + 8, "edge", "a millisecond within a longer tick, perhaps");
        add(middle + 999, middle + 1_001, "edge", "on both sides of a second");
        add(middle, middle, "edge", "nothing");
        add(middle + 1, middle, "edge", "backwards");
        add(first_ms, first_ms + 1, "edge", "the first millisecond");
        add(first_ms - 1, first_ms + 1, "edge", "over the beginning");
        add(first_ms - 1, first_ms, "edge", "up to the beginning");
        add(first_ms - 5_000, first_ms - 3_000, "edge", "before the beginning");
        add(end_ms - 1, end_ms, "edge", "the last millisecond");
        add(end_ms - 1, end_ms + 5, "edge", "over the end");
        add(end_ms, end_ms + 5, "edge", "from the end on, or from within the last tick");
        add(end_ms + 1, end_ms + 5, "edge", "after the end");
        add(end_ms + 100_000_000, end_ms + 200_000_000, "edge", "long after the end");
        add(i64::MIN, i64::MAX, "edge", "all time");
        add(i64::MIN, middle, "edge", "up to a time");
        add(middle, i64::MAX, "edge", "from a time on");
        add(i64::MIN, i64::MIN + 1, "edge", "the first millisecond of all");
        add(i64::MAX - 1, i64::MAX, "edge", "the last millisecond of all");
        for _ in 0..4 {
            let start = rng.between(first_ms, end_ms - 1);
            add(start, rng.between(start, end_ms), "random", "any interval");
        }
    }
    // IDs of 64 bits turn negative if their highest bit belongs to the time.
    for (name, turn) in [
        ("discord", 1_420_070_400_000 + (1_i64 << 41)),
        ("sixty_four", 1 << 43),
        ("tsid", 1_577_836_800_000 + (1 << 41)),
    ] {
        for (start, end) in [(turn - 1, turn), (turn - 1, turn + 1), (turn, turn + 1), (turn - DAY, turn + DAY)] {
            let given = json!({ "start_ms": start.to_string(), "end_ms": end.to_string() });
            let case = Case::new("range", given).config(name).flag("edge");
            document.add(case.comment("about the time at which IDs turn negative"));
        }
    }
    document
}
