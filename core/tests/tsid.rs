//! TSIDs: the examples of tsid-creator, and the limits of their three layouts.

use saiban::{
    ComposeParts, ErrorKind, Generator, Layout, Leniency, ManualClock, Options, Rollback, Scheme, SnowflakeGenerator,
    TsidGenerator,
};

const NOW_MS: i64 = 1_763_700_000_000;
const EPOCH_MS: i64 = 1_577_836_800_000;

fn generator(layout: Layout, clock: &ManualClock) -> TsidGenerator<&ManualClock> {
    TsidGenerator::build(layout, &Options::node(7), clock).expect("a generator")
}

#[test]
fn the_published_examples_come_out_exactly() {
    // Source: github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java.
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = generator(Layout::TSID_1024, &clock);
    assert_eq!(ids.to_text(-1).as_deref(), Ok("FZZZZZZZZZZZZ"));
    assert_eq!(ids.to_text(10).as_deref(), Ok("000000000000A"));
    for text in ["0123456789ABC", "0123456789abc", "0123456789AbC"] {
        assert_eq!(ids.from_text(text), ids.from_text("0123456789ABC"), "in any case");
    }
    for text in ["0123456789ABi", "0123456789ABl", "0123456789ABo"] {
        assert!(ids.from_text_as(text, Leniency::Lenient).is_ok() && ids.from_text(text).is_err(), "{text}");
    }
    for (text, kind) in [
        ("G000000000000", ErrorKind::TextOverflow),
        ("", ErrorKind::TextLength),
        ("0123456789AB", ErrorKind::TextLength),
        ("0123456789ABCC", ErrorKind::TextLength),
        ("0123456789ABu", ErrorKind::TextCharacter),
        ("0123456789AB#", ErrorKind::TextCharacter),
    ] {
        for leniency in [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient] {
            assert_eq!(ids.from_text_as(text, leniency).map_err(|error| error.kind()), Err(kind), "{text}");
        }
    }
    // The first and the last time: 2020-01-01 and 2159-05-15T07:35:11.103Z.
    assert_eq!(ids.inspect(0).map(|parts| parts.timestamp_ms), Ok(Some(EPOCH_MS)));
    assert_eq!(ids.inspect(-1).map(|parts| parts.timestamp_ms), Ok(Some(EPOCH_MS + (1 << 42) - 1)));
}

#[test]
fn each_layout_has_its_nodes_and_its_ids_a_millisecond() {
    for (layout, nodes, a_tick) in
        [(Layout::TSID_256, 256, 16_384), (Layout::TSID_1024, 1_024, 4_096), (Layout::TSID_4096, 4_096, 1_024)]
    {
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids = generator(layout, &clock);
        let mut made = ids.generate_many(a_tick).expect("IDs");
        assert_eq!(
            ids.generate().map_err(|error| error.kind()),
            Err(ErrorKind::WouldWait),
            "a millisecond has no more"
        );
        clock.advance(1).expect("a time");
        made.push(ids.generate().expect("an ID"));
        let parts = |id| ids.inspect(id).expect("its own");
        assert_eq!(parts(made[a_tick - 1]).timestamp_ms, Some(NOW_MS));
        assert!(made.is_sorted() && made.iter().all(|id| parts(*id).node == Some(7)));
        let max = TsidGenerator::build(layout, &Options::node(nodes), &clock).map(|_| ());
        assert_eq!(max.map_err(|error| error.kind()), Err(ErrorKind::NodeOutOfRange));
        let composed = ids.compose(&ComposeParts::at_ms(NOW_MS).node(nodes - 1).sequence(a_tick as i64 - 1));
        let parts = composed.and_then(|id| ids.inspect(id)).expect("an ID");
        assert_eq!(
            (parts.scheme, parts.node, parts.sequence),
            (Scheme::Tsid, Some(nodes - 1), Some(a_tick as u64 - 1))
        );
        assert_eq!(ids.compose(&parts.into()), composed);
    }
}

#[test]
fn a_layout_that_is_no_snowflakes_is_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    for layout in [Layout::MASTODON, Layout::ULID_FLAKE] {
        let refused = TsidGenerator::build(layout, &Options::node(0), &clock).map(|_| ());
        assert_eq!(refused.map_err(|error| error.kind()), Err(ErrorKind::InvalidLayout));
    }
    let rollback = Layout::TSID_1024.with_rollback_bits(2).expect("a layout");
    let options = Options::node(7).rollback(Rollback::Bits);
    let ids = TsidGenerator::build(rollback, &options, &clock).expect("a generator");
    assert_eq!(ids.inspect(ids.generate().expect("an ID")).map(|parts| parts.rollback), Ok(Some(0)));
}

#[test]
fn a_tsid_generator_makes_the_ids_of_a_snowflake_with_its_layout() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let tsid = generator(Layout::TSID_1024, &clock);
    let snowflake = SnowflakeGenerator::build(Layout::TSID_1024, &Options::node(7), &clock).expect("a generator");
    assert_eq!(tsid.generate_many(4_096), snowflake.generate_many(4_096));
    assert_eq!(tsid.range(NOW_MS, NOW_MS + 1), snowflake.range(NOW_MS, NOW_MS + 1));
}
