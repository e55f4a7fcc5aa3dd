//! An ID can be composed again from its inspected parts.

use proptest::prelude::*;
use saiban::layout::WideFields;
use saiban::{
    AnyId, ComposeParts, Error, ErrorKind, FlakeGenerator, Generator, IdValue, Inspector, Layout, ManualClock,
    ObjectIdGenerator, Options, Parts, PooledEntropy, RandflakeGenerator, Secret, SnowflakeGenerator, TickIdGenerator,
    TickOrder, UlidFlakeFormat, UlidFlakeGenerator, UlidGenerator, UuidGenerator, UuidVersion, WideFlakeGenerator,
};

const NOW_MS: i64 = 1_763_700_000_000;
/// The number of 100 ns ticks from 1582 to 1970.
const V1_TICKS_TO_1970: i128 = 122_192_928_000_000_000;
/// The number of 100 ns ticks from the year 1 to 1970.
const TICKS_TO_1970: i128 = 621_355_968_000_000_000;

fn clock() -> ManualClock {
    ManualClock::new(NOW_MS).expect("a time")
}

fn uuid(version: UuidVersion) -> UuidGenerator<ManualClock> {
    UuidGenerator::build(version, &Options::default(), clock(), PooledEntropy).expect("a generator")
}

fn tick_id(order: TickOrder) -> TickIdGenerator<ManualClock> {
    TickIdGenerator::build(order, &Options::default(), clock(), PooledEntropy).expect("a generator")
}

fn layout(text: &str) -> Layout {
    Layout::from_text(text).expect("a layout")
}

/// Returns options with node 0, if the layout has nodes.
fn options(layout: &Layout) -> Options {
    if layout.has_node() { Options::node(0) } else { Options::default() }
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns the time of the parts as `compose` takes it.
fn time(parts: &Parts) -> (i64, i64) {
    (parts.timestamp_ms.expect("a time"), parts.submillisecond_ns.map_or(0, i64::from))
}

fn v1(ticks: u64, sequence: u64, node: u64) -> u128 {
    let (low, mid, high) = (ticks & 0xffff_ffff, ticks >> 32 & 0xffff, ticks >> 48);
    u128::from(low << 32 | mid << 16 | 1 << 12 | high) << 64 | u128::from(1 << 63 | sequence << 48 | node)
}

/// Layouts whose ticks are shorter than a millisecond or not a whole number of them, one with 10
/// ms, and two with both kinds of random parts.
const FINE: [&str; 8] = [
    "unused:1 timestamp:51@us node:12",
    "timestamp:50@us,epoch=1900-01-01 node:6 sequence:8",
    "timestamp:48@100us,epoch=2020-02-02T00:00:00.001Z sequence:16,start=random",
    "timestamp:60@1500us node:4 random:48",
    "timestamp:63@us,epoch=-9007199254740991 random:60,step=3 constant:5,value=9",
    "timestamp:39@10ms node:8 sequence:16",
    // One random part is incremented, and one is drawn for each ID.
    "timestamp:48@us random:8,step=3 random:8",
    "timestamp:50@10us random:40,step=9 random:38",
];

proptest! {
    #[test]
    fn a_uuid_v1_is_composed_again_from_its_parts(
        ticks in 0..1_u64 << 60, sequence in 0..1_u64 << 14, node in 0..1_u64 << 48,
    ) {
        let (ids, id) = (uuid(UuidVersion::V1), v1(ticks, sequence, node));
        let parts = ids.inspect(id).expect("a UUID v1");
        let (ms, ns) = time(&parts);
        prop_assert_eq!(i128::from(ms) * 10_000 + i128::from(ns) / 100, i128::from(ticks) - V1_TICKS_TO_1970);
        prop_assert_eq!((parts.sequence, parts.node), (Some(sequence), Some(node)));
        prop_assert_eq!(ids.compose(&parts.into()), Ok(id));
    }

    #[test]
    fn a_uuid_v6_has_the_time_of_the_v1(ticks in 0..1_u64 << 60) {
        let id = u128::from(ticks >> 12) << 80 | 6 << 76 | u128::from(ticks & 0xfff) << 64 | 1 << 63;
        let found = Inspector::at(NOW_MS).inspect_wide(id, 128);
        let v6 = found.iter().find(|parts| parts.layout == Some("v6")).expect("a UUID v6");
        let v1 = uuid(UuidVersion::V1).inspect(v1(ticks, 0, 0)).expect("a UUID v1");
        prop_assert_eq!(time(v6), time(&v1));
    }

    #[test]
    fn a_tick_id_is_composed_again_from_its_parts(ticks in 0..1_u64 << 63, random in 0..1_000_u64) {
        for order in TickOrder::ALL {
            let ids = tick_id(order);
            let text = match order {
                TickOrder::Ascending => format!("{ticks:019}_{random:04}"),
                TickOrder::Descending => format!("{:019}_{random:03}", i64::MAX as u64 - ticks),
            };
            let id = ids.from_text(&text).expect("a tick ID");
            let parts = ids.inspect(id).expect("a tick ID");
            let (ms, ns) = time(&parts);
            prop_assert_eq!(i128::from(ms) * 10_000 + i128::from(ns) / 100, i128::from(ticks) - TICKS_TO_1970);
            prop_assert_eq!(parts.random, Some(random.into()));
            prop_assert_eq!(ids.compose(&parts.into()), Ok(id));
        }
    }

    #[test]
    fn an_id_of_any_tick_is_composed_again_from_its_parts(
        tick: u64, node: u64, counter: u128, random: u128, of in 0..FINE.len(),
    ) {
        let layout = layout(FINE[of]);
        // Bits that exceed a field are cut off.
        let id = layout.join_wide(&WideFields { tick, node, counter, rollback: 0, random });
        let fields = layout.split_wide(id).expect("fields");
        let number = |part: Option<u128>| part.unwrap_or(0);
        let again = |parts: &Parts| -> Result<u128, Error> {
            let (ms, ns) = time(parts);
            let sequence = number(parts.sequence.map(u128::from));
            let (counter, random) = layout.counter_and_random(sequence, number(parts.random))?;
            let node = parts.node.unwrap_or(0) as i64;
            assert_begins(&layout, fields.tick, ms, ns);
            layout.compose_wide_ns(ms, ns, node, counter, 0, random)
        };
        if layout.is_wide() {
            let ids = WideFlakeGenerator::build(layout, &options(&layout), clock(), PooledEntropy).expect("a generator");
            let parts = ids.inspect(id).expect("an ID");
            prop_assert_eq!((again(&parts), ids.compose(&parts.into())), (Ok(id), Ok(id)));
        } else {
            let ids = FlakeGenerator::build(layout, &options(&layout), clock(), PooledEntropy).expect("a generator");
            let parts = ids.inspect(id as u64 as i64).expect("an ID");
            prop_assert_eq!((again(&parts), ids.compose(&parts.into())), (Ok(id), Ok(id as u64 as i64)));
            prop_assert_eq!(parts.submillisecond_ns.is_some(), layout.has_submilliseconds());
        }
    }
}

/// Asserts that a tick begins at this time.
fn assert_begins(layout: &Layout, tick: u64, ms: i64, ns: i64) {
    let since_ns = (i128::from(ms) - i128::from(layout.epoch_ms())) * 1_000_000 + i128::from(ns);
    assert_eq!(since_ns, i128::from(tick) * i128::from(layout.tick_ns()), "{layout}");
}

#[test]
fn a_snowflake_of_short_ticks_is_composed_again_from_its_parts() {
    let layout = layout("timestamp:50@10us,epoch=2020-01-01 node:4 sequence:8 rollback:2");
    let ids = SnowflakeGenerator::build(layout, &Options::node(3), clock()).expect("a generator");
    let of = ComposeParts::at_ms(NOW_MS).node(3).sequence(200).rollback(2);
    let id = ids.compose(&of.submillisecond_ns(123_456)).expect("an ID");
    let parts = ids.inspect(id).expect("an ID of its own");
    assert_eq!((parts.timestamp_ms, parts.submillisecond_ns), (Some(NOW_MS), Some(120_000)));
    assert_eq!(ids.compose(&of.submillisecond_ns(120_000)), Ok(id));
    let without = ids.compose(&of).and_then(|id| ids.inspect(id));
    assert_eq!(without.map(|parts| parts.submillisecond_ns), Ok(Some(0)));
}

#[test]
fn only_ticks_shorter_than_a_millisecond_have_submilliseconds() {
    let ms_only = [Layout::TWITTER, Layout::SONYFLAKE, layout("timestamp:40@min node:4")];
    for layout in ms_only {
        assert!(!layout.has_submilliseconds());
        let ids = FlakeGenerator::build(layout, &Options::node(1), clock(), PooledEntropy).expect("a generator");
        let of = ComposeParts::at_ms(NOW_MS).node(1);
        let id = ids.compose(&of.submillisecond_ns(999_999)).expect("an ID");
        assert_eq!(ids.inspect(id).map(|parts| parts.submillisecond_ns), Ok(None));
        assert_eq!(ids.compose(&of), Ok(id), "rounded down to the tick");
    }
    let (v7, of) = (uuid(UuidVersion::V7), ComposeParts::at_ms(NOW_MS).random(5));
    let id = v7.compose(&of.submillisecond_ns(999_999)).expect("a UUID");
    assert_eq!(v7.compose(&of), Ok(id));
    assert_eq!(v7.inspect(id).map(|parts| parts.submillisecond_ns), Ok(None));
    assert_eq!(uuid(UuidVersion::V4).inspect(4 << 76 | 1 << 63).map(|parts| parts.submillisecond_ns), Ok(None));
}

#[test]
fn nanoseconds_that_no_millisecond_has_are_refused() {
    let micros = layout(FINE[0]);
    let flake = FlakeGenerator::build(micros, &Options::node(1), clock(), PooledEntropy).expect("a generator");
    for ns in [-1, 1_000_000, i64::MIN, i64::MAX] {
        let of = ComposeParts::at_ms(NOW_MS).submillisecond_ns(ns);
        let v1 = uuid(UuidVersion::V1).compose(&of.sequence(0).node(0));
        assert_eq!(kind(v1), Some(ErrorKind::InvalidArgument), "{ns}");
        let tick_id = tick_id(TickOrder::Ascending).compose(&of.random(0));
        assert_eq!(kind(tick_id), Some(ErrorKind::InvalidArgument));
        assert_eq!(kind(flake.compose(&of.node(1))), Some(ErrorKind::InvalidArgument));
        assert_eq!(kind(micros.compose_ns(NOW_MS, ns, 1, 0, 0)), Some(ErrorKind::InvalidArgument));
    }
    let v4 = uuid(UuidVersion::V4).compose(&ComposeParts::default().submillisecond_ns(0).random(0));
    assert_eq!(kind(v4), Some(ErrorKind::InvalidArgument), "a part of a time that v4 has not");
}

#[test]
fn the_tick_after_the_last_is_refused_within_its_millisecond() {
    let ids = uuid(UuidVersion::V1);
    let last = ids.inspect(v1((1 << 60) - 1, 0, 0)).expect("the last tick");
    let (ms, ns) = time(&last);
    let at = |ns| ids.compose(&ComposeParts::from(last).submillisecond_ns(ns));
    assert_eq!((ms, ns), (103_072_857_660_684, 697_500));
    assert!(at(ns + 99).is_ok());
    assert_eq!(kind(at(ns + 100)), Some(ErrorKind::TimestampOverflow));
}

/// Checks that a new ID's canonical text equals the text of its parts, from its generator and from
/// an inspector.
fn has_its_text<I: IdValue>(ids: &impl Generator<Id = I>) {
    let id = ids.generate().expect("an ID");
    let (text, parts) = (ids.to_text(id).expect("text"), ids.inspect(id).expect("an ID of its own"));
    assert_eq!(parts.text(), Ok(text));
    let found = Inspector::at(NOW_MS).inspect_text(&text).expect("an ID");
    let same = found.ranked().filter(|candidate| candidate.parts().id == parts.id && candidate.text() == text);
    assert!(same.count() > 0 || ids.scheme().name() == "randflake", "{text}");
}

#[test]
fn parts_have_the_text_that_their_scheme_writes() {
    let (none, one) = (Options::default(), Options::node(1));
    let at = |later: i64| ManualClock::new(NOW_MS + later).expect("a time");
    has_its_text(&SnowflakeGenerator::build(Layout::TWITTER, &one, at(1)).expect("a generator"));
    has_its_text(&RandflakeGenerator::build(&Secret::new([7; 16]), &one, at(1)).expect("a generator"));
    let format = UlidFlakeFormat::default();
    has_its_text(&UlidFlakeGenerator::build(format, &none, at(1), PooledEntropy).expect("a generator"));
    has_its_text(&UlidGenerator::build(&none, at(1), PooledEntropy).expect("a generator"));
    has_its_text(&ObjectIdGenerator::build(&none, at(1), PooledEntropy).expect("a generator"));
    for version in UuidVersion::ALL {
        has_its_text(&uuid(version));
    }
    for order in TickOrder::ALL {
        has_its_text(&tick_id(order));
    }
    let last = |layout: &Layout| ComposeParts::at_ms(layout.last_ms()).sequence(1);
    for text in [
        "timestamp:63@us sequence:60,start=random constant:5,value=9",
        "timestamp:24@min sequence:8",
        "timestamp:60 sequence:4",
    ] {
        let layout = layout(text);
        if layout.is_wide() {
            let ids = WideFlakeGenerator::build(layout, &options(&layout), at(1), PooledEntropy).expect("a generator");
            let id = ids.compose(&last(&layout)).expect("an ID");
            assert_eq!(ids.inspect(id).and_then(|parts| parts.text()), ids.to_text(id));
        } else {
            let ids = FlakeGenerator::build(layout, &options(&layout), at(1), PooledEntropy).expect("a generator");
            let id = ids.compose(&last(&layout)).expect("an ID");
            assert_eq!(ids.inspect(id).and_then(|parts| parts.text()), ids.to_text(id));
        }
    }
}

#[test]
fn parts_with_a_changed_id_have_no_text_of_another_id() {
    let mut parts = ObjectIdGenerator::build(&Options::default(), clock(), PooledEntropy)
        .and_then(|ids| ids.inspect(ids.generate()?))
        .expect("parts");
    assert!(parts.text().is_ok());
    parts.id = AnyId::wide(u128::MAX, 128).expect("an ID");
    assert_eq!(kind(parts.text()), Some(ErrorKind::WidthOutOfRange));
}

#[test]
fn an_id_of_any_width_has_no_more_bits_than_its_width() {
    assert_eq!(AnyId::wide((1 << 96) - 1, 96).map(|id| id.bits()), Ok(96));
    assert_eq!(AnyId::wide(1 << 96, 96), Err(Error::IdTooWide { needed: 97, bits: 96 }));
    for bits in [0, 15, 129, u32::MAX] {
        assert_eq!(kind(AnyId::wide(0, bits)), Some(ErrorKind::InvalidArgument), "{bits} bits");
    }
    // A number that exceeds the width keeps all of its bits.
    assert_eq!((7_u128.any(96).bits(), u128::MAX.any(96).bits(), (-1_i64).any(32).bits()), (96, 128, 64));
}
