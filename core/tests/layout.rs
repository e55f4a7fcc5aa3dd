//! Layouts: what is refused and why, and that composed parts split again.

mod dice;

use dice::Dice;
use saiban::error::{FieldKey, Wide};
use saiban::layout::{Field, FieldKind, Fields, Name};
use saiban::{Error, ErrorKind, Excerpt, Layout, LayoutProblem, LayoutSpec, UlidFlakeFormat};

fn problem(spec: LayoutSpec) -> Option<LayoutProblem> {
    match spec.check() {
        Ok(_) => None,
        Err(Error::InvalidLayout { reason }) => Some(reason),
        Err(error) => panic!("{error}"),
    }
}

fn twitter() -> LayoutSpec {
    LayoutSpec::new().unused(1).timestamp(41).node(10).sequence(12)
}

fn part(name: &str) -> Excerpt {
    Excerpt::new(name)
}

#[test]
fn every_problem_of_a_layout_is_found_and_names_the_part() {
    let width = |name, bits, max| LayoutProblem::FieldWidth { part: part(name), bits, max };
    let twice = |name| LayoutProblem::FieldTwice { part: part(name) };
    let node_twice = |name| LayoutProblem::NodeTwice { part: part(name) };
    let step_of = |bits, step: u64| LayoutProblem::StepOutOfRange { bits, step: Wide::new(step.into()) };
    let stranger = |name, key| LayoutProblem::NotOfThisField { part: part(name), key };
    let base = || LayoutSpec::new().timestamp(40);
    let dc = Name::new("dc").expect("a name");
    let cases = [
        (LayoutSpec::new(), LayoutProblem::WidthSum { bits: 0 }),
        (LayoutSpec::new().timestamp(15), LayoutProblem::WidthSum { bits: 15 }),
        (twitter().unused(65), LayoutProblem::WidthSum { bits: 129 }),
        // A field that is invalid by itself is reported before an invalid combination.
        (LayoutSpec::new().timestamp(64).unused(64).node(64).sequence(64), width("timestamp", 64, 63)),
        (base().node(99), width("node", 99, 63)),
        (base().node(30).sequence(99), width("sequence", 99, 64)),
        (LayoutSpec::new().rollback(5), LayoutProblem::RollbackTooWide { bits: 5, max: 4 }),
        (LayoutSpec::new().unused(0).timestamp(41).node(11).sequence(12), width("unused", 0, 127)),
        (LayoutSpec::new().timestamp(64), width("timestamp", 64, 63)),
        (LayoutSpec::new().timestamp(u32::MAX).node(1), width("timestamp", u32::MAX.into(), 63)),
        (base().unused(128), width("unused", 128, 127)),
        (LayoutSpec::new().timestamp(40).sequence(65), width("sequence", 65, 64)),
        (base().node(64), width("node", 64, 63)),
        (base().node_part("rack", 32).node_part("host", 32), width("node", 64, 63)),
        (base().node_part("rack", 0).sequence(20), width("node.rack", 0, 63)),
        (LayoutSpec::new().unused(1).node(43).sequence(20), LayoutProblem::NoTimestamp),
        (LayoutSpec::new().timestamp(41).node(5).random_step(10, 1).sequence(8), LayoutProblem::SequenceAndRandom),
        (base().random_step(10, 0).node(14), step_of(10, 0)),
        (base().random_step(10, 1_024), step_of(10, 1_024)),
        (base().random_step(4, 16), step_of(4, 16)),
        (base().random_step(63, u64::MAX), step_of(63, u64::MAX)),
        (base().random_step(1, 2), step_of(1, 2)),
        (base().random(10).node(5).random(9), twice("random")),
        (base().random_step(10, 1).node(5).random_step(9, 1), twice("random")),
        (base().sequence(10).node(5).sequence(9), twice("sequence")),
        (LayoutSpec::new().timestamp(41).node(5).node(5).sequence(13), node_twice("node")),
        (base().node(5).sequence(9).node(10), node_twice("node")),
        (base().node_part("rack", 5).node(5), node_twice("node")),
        (base().node(5).node_part("rack", 5), node_twice("node")),
        (base().node_part("rack", 5).node_part("rack", 5), node_twice("node.rack")),
        (LayoutSpec::new().timestamp(20).node(11).timestamp(21).sequence(12), twice("timestamp")),
        (
            base().node_part("rack", 5).sequence(9).node_part("host", 10),
            LayoutProblem::NodeApart { part: part("node.host") },
        ),
        (base().node_part("Rack", 5), LayoutProblem::NameInvalid { name: part("Rack") }),
        (base().node_part("", 5), LayoutProblem::NameInvalid { name: part("") }),
        (base().node_part("a23456789012345678", 5), LayoutProblem::NameInvalid { name: part("a23456789012345678") }),
        (
            ["a", "b", "c", "d", "e", "f", "g", "h", "i"].iter().fold(base(), |spec, name| spec.node_part(name, 1)),
            LayoutProblem::TooManyNames,
        ),
        (
            base().field(Field { name: dc, ..Field::new(FieldKind::Sequence, 4) }),
            stranger("sequence.dc", FieldKey::Name),
        ),
        (base().field(Field { value: 1, ..Field::new(FieldKind::Unused, 4) }), stranger("unused", FieldKey::Value)),
        (base().field(Field { step: 1, ..Field::new(FieldKind::Sequence, 4) }), stranger("sequence", FieldKey::Step)),
        (
            base().field(Field { random_start: true, ..Field::new(FieldKind::Node, 4) }),
            stranger("node", FieldKey::Start),
        ),
        (base().constant(2, 4), LayoutProblem::ConstantTooLarge { bits: 2, value: Wide::new(4) }),
        (base().constant(1, u128::MAX), LayoutProblem::ConstantTooLarge { bits: 1, value: Wide::new(u128::MAX) }),
        (twitter().tick_us(0), LayoutProblem::ZeroTick),
        (twitter().tick_us(u64::MAX), LayoutProblem::TimeTooLong),
        (twitter().epoch_ms(i64::MAX), LayoutProblem::TimeTooLong),
        ((0..16).fold(base(), |spec, _| spec.unused(1)), LayoutProblem::TooManyFields),
    ];
    for (spec, wanted) in cases {
        assert_eq!(problem(spec), Some(wanted), "{spec:?}");
        assert!(spec.check().is_err_and(|error| error.kind() == ErrorKind::InvalidLayout));
    }
}

#[test]
fn layouts_at_the_limits_are_valid() {
    let base = || LayoutSpec::new().timestamp(40);
    let names = ["a", "b", "c", "d", "e", "f", "g", "a234567890_23456"];
    let limits = [
        LayoutSpec::new().timestamp(16),
        LayoutSpec::new().timestamp(1).unused(127),
        LayoutSpec::new().timestamp(63).sequence(64),
        LayoutSpec::new().timestamp(1).random(127).tick_us(u64::MAX / 1_000),
        LayoutSpec::new().timestamp(1).constant(127, u128::MAX >> 1),
        LayoutSpec::new().timestamp(63).node(63).sequence(2).tick_us(1),
        LayoutSpec::new().timestamp(63).random_step(64, u64::MAX).tick_us(1),
        LayoutSpec::new().timestamp(8).random_step(120, u64::MAX),
        base().random_step(4, 15),
        base().random_step(1, 1),
        base().node_part("rack", 31).node_part("host", 32).rollback(4),
        names.iter().fold(base(), |spec, name| spec.node_part(name, 1)),
        (0..15).fold(base(), |spec, _| spec.unused(1)),
        base().sequence(10).random(14),
        base().random_step(10, 5).random(14),
        twitter().unused(1),
        LayoutSpec::new().timestamp(41).node(10).sequence(12),
        LayoutSpec::new().unused(1).timestamp(41).node(22),
        LayoutSpec::new().timestamp(44).sequence(20),
    ];
    for spec in limits {
        assert_eq!(problem(spec), None, "{spec:?}");
    }
}

#[test]
fn more_fields_than_any_layout_has_are_refused_however_many() {
    let mut spec = LayoutSpec::new();
    for _ in 0..1000 {
        spec = spec.unused(1);
        assert!(spec.check().is_err());
    }
    assert_eq!(problem(spec), Some(LayoutProblem::TooManyFields));
}

#[test]
fn names_of_fields_and_presets_are_found_and_others_are_not() {
    for name in ["unused", "timestamp", "node", "sequence", "random", "rollback", "constant"] {
        assert_eq!(FieldKind::from_name(name).map(FieldKind::name), Ok(name));
    }
    for (name, layout) in Layout::PRESETS {
        assert_eq!(Layout::preset(name), Ok(layout));
        assert!(Layout::preset("nobody's").is_err_and(|error| error.to_string().contains(name)), "{name}");
        assert_eq!(layout.name(), Some(name));
    }
    assert_eq!(Layout::preset("bwmarrin"), Ok(Layout::TWITTER));
    assert_eq!(Layout::BWMARRIN.name(), Some("twitter"));
    for unknown in ["", "Node", "nodes", "TWITTER", "twitter "] {
        assert_eq!(FieldKind::from_name(unknown).map_err(|error| error.kind()), Err(ErrorKind::UnknownName));
        assert_eq!(Layout::preset(unknown).map_err(|error| error.kind()), Err(ErrorKind::UnknownName));
    }
}

#[test]
fn a_layout_of_the_same_fields_is_the_preset_and_another_is_not() {
    let same = twitter().epoch_ms(1_288_834_974_657).check().expect("Twitter's");
    assert_eq!(same.name(), Some("twitter"));
    let other = twitter().epoch_ms(1_288_834_974_658).check().expect("nearly Twitter's");
    assert_eq!(other.name(), None);
}

#[test]
fn the_presets_are_as_published() {
    // Each preset has its widths from the highest bit on (unused, timestamp, then the others in
    // order), its epoch, its tick, and the end of its last tick.
    let preset = |layout: Layout| {
        let fields: Vec<(FieldKind, u32)> =
            layout.spec().fields().iter().map(|field| (field.kind, field.bits)).collect();
        (fields, layout.epoch_ms(), layout.tick_us())
    };
    use FieldKind::{Node, Sequence, Timestamp, Unused};
    assert_eq!(
        preset(Layout::TWITTER),
        (vec![(Unused, 1), (Timestamp, 41), (Node, 10), (Sequence, 12)], 1_288_834_974_657, 1_000)
    );
    assert_eq!(preset(Layout::DISCORD), (vec![(Timestamp, 42), (Node, 10), (Sequence, 12)], 1_420_070_400_000, 1_000));
    assert_eq!(
        preset(Layout::INSTAGRAM),
        (vec![(Timestamp, 41), (Node, 13), (Sequence, 10)], 1_314_220_021_721, 1_000)
    );
    let sonyflake = vec![(Unused, 1), (Timestamp, 39), (Sequence, 8), (Node, 16)];
    assert_eq!(preset(Layout::SONYFLAKE), (sonyflake.clone(), 1_409_529_600_000, 10_000));
    assert_eq!(preset(Layout::SONYFLAKE_V2), (sonyflake, 1_735_689_600_000, 10_000));
    assert_eq!(preset(Layout::MASTODON), (vec![(Timestamp, 48), (Sequence, 16)], 0, 1_000));
    let baidu = vec![(Unused, 1), (Timestamp, 28), (Node, 22), (Sequence, 13)];
    assert_eq!(preset(Layout::BAIDU), (baidu, 1_463_673_600_000, 1_000_000));
    // 2024-11-20T21:24:15Z: Baidu's README gives its 28 bits about 8.7 years.
    assert_eq!(Layout::BAIDU.last_ms(), 1_732_109_055_000);
}

/// Returns layouts of every order of fields, tick and counter.
fn layouts() -> Vec<Layout> {
    let mut all: Vec<Layout> = Layout::PRESETS.iter().map(|(_, layout)| *layout).collect();
    let own = [
        LayoutSpec::new().sequence(4).timestamp(36).unused(6).node(18).tick_us(250_000),
        LayoutSpec::new().unused(1).timestamp(43).random_step(15, 255).node(5).epoch_ms(1_704_067_200_000),
        LayoutSpec::new().unused(1).timestamp(43).random_step(20, 255).epoch_ms(-1),
        LayoutSpec::new().timestamp(30).node(17).sequence(17).epoch_ms(1_730_000_000_000).tick_us(1_000_000),
        LayoutSpec::new().unused(1).timestamp(62).sequence(1).tick_us(1),
        LayoutSpec::new().unused(1).timestamp(1).node(1).sequence(61).tick_us(86_400_000_000),
        LayoutSpec::new().node(1).timestamp(62).sequence(1).epoch_ms(-62_135_596_800_000).tick_us(7),
        LayoutSpec::new().unused(1).timestamp(41).node(8).rollback(2).sequence(12).epoch_ms(1_288_834_974_657),
        LayoutSpec::new().rollback(4).sequence(10).unused(2).timestamp(38).node(10),
        LayoutSpec::new().timestamp(62).sequence(1).rollback(1),
    ];
    all.extend(own.map(|spec| spec.check().expect("a layout")));
    all
}

#[test]
fn joined_parts_are_split_again() {
    let mut dice = Dice::new(3);
    for layout in layouts() {
        let (nodes, counters) = (layout.max_node(), layout.max_counter());
        for turn in 0..2_000 {
            let edge = |dice: &mut Dice, max: u64| match turn % 4 {
                0 => 0,
                1 => max,
                _ => (dice.any_size() as u64).min(max),
            };
            let tick = edge(&mut dice, layout.ticks() - 1);
            let (node, counter) = (edge(&mut dice, nodes), edge(&mut dice, counters));
            let rollback = edge(&mut dice, layout.max_rollback());
            let timestamp_ms = layout.tick_start_ms(tick);
            // `tick_start_ms` rounds down, so the millisecond may begin in an earlier tick.
            let tick = layout.tick_at_ms(timestamp_ms).unwrap_or(0);
            let parts = (timestamp_ms, node as i64, counter as i64);
            let Ok(id) = layout.compose_rollback_ms(parts.0, parts.1, parts.2, rollback as i64) else {
                panic!("{layout:?} {parts:?} {rollback}");
            };
            assert_eq!(layout.split(id), Ok(Fields { tick, node, counter, rollback }));
            let without = layout.compose_ms(parts.0, parts.1, parts.2).expect("an ID");
            assert_eq!(layout.split(without), Ok(Fields { tick, node, counter, rollback: 0 }));
        }
    }
}

#[test]
fn each_bit_belongs_to_one_field() {
    for layout in layouts() {
        let mut seen = 0_u64;
        for bit in 0..64 {
            let id = (1_u64 << bit) as i64;
            match layout.split(id) {
                Ok(Fields { tick, node, counter, rollback }) => {
                    let set: u32 = [tick, node, counter, rollback].map(u64::count_ones).iter().sum();
                    assert_eq!(set, 1, "{layout:?} bit {bit}");
                    seen |= 1 << bit;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::IdOutOfRange),
            }
        }
        let width: u32 =
            layout.spec().fields().iter().filter(|field| field.kind != FieldKind::Unused).map(|field| field.bits).sum();
        assert_eq!(seen.count_ones(), width);
    }
}

#[test]
fn parts_one_past_their_limit_are_refused() {
    for layout in layouts() {
        let (first, last) = (layout.epoch_ms(), layout.last_ms());
        let (nodes, counters) = (layout.max_node() as i64, layout.max_counter() as i64);
        let compose = |ms, node, counter| layout.compose_ms(ms, node, counter).map_err(|error| error.kind());
        assert!(compose(first, 0, 0).is_ok() && compose(last, nodes, counters).is_ok(), "{layout:?}");
        assert_eq!(compose(first - 1, 0, 0), Err(ErrorKind::TimestampBeforeEpoch));
        assert_eq!(compose(i64::MIN, 0, 0), Err(ErrorKind::TimestampBeforeEpoch));
        let end = layout.tick_start_ms(layout.ticks());
        if layout.tick_start_ms(layout.ticks() - 1) < end && end < i64::MAX {
            assert_eq!(compose(end + 1, 0, 0), Err(ErrorKind::TimestampOverflow), "{layout:?}");
            assert_eq!(compose(i64::MAX, 0, 0), Err(ErrorKind::TimestampOverflow));
        }
        for node in [-1, nodes + 1, i64::MIN, i64::MAX] {
            assert_eq!(compose(first, node, 0), Err(ErrorKind::NodeOutOfRange));
        }
        let wanted = if layout.is_random() { ErrorKind::RandomOutOfRange } else { ErrorKind::SequenceOutOfRange };
        for counter in [-1, counters + 1, i64::MIN, i64::MAX] {
            assert_eq!(compose(first, 0, counter), Err(wanted));
        }
        let rollbacks = layout.max_rollback() as i64;
        assert!(layout.compose_rollback_ms(first, 0, 0, rollbacks).is_ok());
        for rollback in [-1, rollbacks + 1, i64::MIN, i64::MAX] {
            let answer = layout.compose_rollback_ms(first, 0, 0, rollback).map_err(|error| error.kind());
            assert_eq!(answer, Err(ErrorKind::RollbackOutOfRange), "{layout:?}");
        }
    }
}

#[test]
fn ticks_past_the_last_have_a_start_however_long_they_are() {
    let longest = LayoutSpec::new().timestamp(1).random(63).tick_us(u64::MAX / 1_000).check().expect("a layout");
    assert_eq!(longest.tick_start_ms(1), 18_446_744_073_709);
    assert_eq!(longest.tick_start_ms(u64::MAX), i64::MAX);
    let early = LayoutSpec::new().timestamp(1).random(63).tick_us(u64::MAX / 1_000).epoch_ms(i64::MIN);
    assert!(early.check().is_ok_and(|layout| layout.tick_start_ms(u64::MAX) == i64::MAX));
}

#[test]
fn ulid_flakes_layouts_are_read_by_name_and_are_those_of_its_generator() {
    for (name, scalability, layout) in
        [("ulid-flake", None, Layout::ULID_FLAKE), ("ulid-flake-scalable", Some(7), Layout::ULID_FLAKE_SCALABLE)]
    {
        let format = UlidFlakeFormat { scalability, ..UlidFlakeFormat::default() };
        assert_eq!(
            (Layout::preset(name), Layout::from_text(name), format.layout()),
            (Ok(layout), Ok(layout), Ok(layout))
        );
        // The layout does not have a Snowflake preset's name.
        assert_eq!(layout.name(), None);
        assert_eq!(Layout::from_text(&layout.to_string()), Ok(layout));
        // Layouts of every increment decode from their text.
        for entropy_size in 1..=if scalability.is_some() { 2 } else { 3 } {
            let layout = UlidFlakeFormat { entropy_size, ..format }.layout().expect("a layout");
            assert_eq!(Layout::from_text(&layout.to_string()), Ok(layout));
        }
    }
}

#[test]
fn errors_in_fields_of_other_languages_show_the_given_values() {
    let of = |kind, bits| Field::of_width(kind, bits);
    let field = |kind, bits| of(kind, bits).expect("a field");
    let node = field(FieldKind::Node, 5);
    assert_eq!(node.with_name("rack"), Ok(Field::node_part(Name::new("rack").expect("a name"), 5)));
    assert_eq!(field(FieldKind::Constant, 4).with_value(Ok(15)), Ok(Field::constant(4, 15)));
    assert_eq!(field(FieldKind::Random, 4).with_step(Ok(15)), Ok(Field::random_step(4, 15)));
    assert_eq!(field(FieldKind::Sequence, 4).with_start("random"), Ok(Field::sequence_from_random(4)));
    assert_eq!(field(FieldKind::Sequence, 4).with_start("0"), Ok(Field::new(FieldKind::Sequence, 4)));
    for (answer, wanted) in [
        (of(FieldKind::Node, -1), "its field \"node\" has -1 bits: give 1 to 63"),
        (of(FieldKind::Node, 0), "its field \"node\" has 0 bits: give 1 to 63"),
        (of(FieldKind::Rollback, 5), "its field \"rollback\" has 5 bits: give 1 to 4"),
        (of(FieldKind::Unused, i64::MAX), "its field \"unused\" has 9223372036854775807 bits: give 1 to 127"),
        (node.with_name("Rack"), "\"Rack\" is not a valid name"),
        (field(FieldKind::Sequence, 5).with_name("rack"), "its field \"sequence\" cannot have a name"),
        (field(FieldKind::Constant, 4).with_value(Ok(16)), "constant of 4 bits cannot be 16: give 0 to 15"),
        (field(FieldKind::Constant, 4).with_value(Err(-3)), "cannot have the value -3: give 0 or more"),
        (node.with_value(Ok(0)), "its field \"node\" cannot have a value"),
        (field(FieldKind::Random, 4).with_step(Ok(0)), "4 bits cannot grow by a step of 0: give 1 to 15"),
        (field(FieldKind::Random, 4).with_step(Ok(16)), "4 bits cannot grow by a step of 16: give 1 to 15"),
        (
            field(FieldKind::Random, 80).with_step(Ok(1 << 64)),
            "a step of 18446744073709551616: give 1 to 18446744073709551615",
        ),
        (field(FieldKind::Random, 4).with_step(Err(-1)), "cannot have the step -1: give 1 or more"),
        (node.with_step(Ok(1)), "its field \"node\" cannot have a step"),
        (field(FieldKind::Sequence, 4).with_start("anywhere"), "cannot start with \"anywhere\": give 0 or random"),
        (node.with_start("random"), "its field \"node\" cannot have a random start"),
    ] {
        let error = answer.expect_err(wanted);
        assert_eq!(error.kind(), ErrorKind::InvalidLayout);
        assert!(error.to_string().contains(wanted), "{error}: {wanted}");
    }
}

#[test]
fn only_the_error_of_a_repeated_node_suggests_names() {
    let message = |spec: LayoutSpec| spec.check().expect_err("twice").to_string();
    for spec in [
        twitter().timestamp(3),
        twitter().sequence(3),
        twitter().random(3).random(4),
        twitter().rollback(1).rollback(1),
    ] {
        assert!(message(spec).ends_with("is given twice: give it once"), "{}", message(spec));
    }
    assert!(message(twitter().node(3)).contains("\"node\" is given twice: give the node once, or each part of it a"));
}

#[test]
fn a_node_has_parts_where_they_have_names() {
    for (text, has) in [
        ("twitter", false),
        ("mastodon", false),
        ("timestamp:40 node.only:5", true),
        ("timestamp:40 node.a:5 node.b:5", true),
    ] {
        assert_eq!(Layout::from_text(text).map(|layout| layout.has_node_parts()), Ok(has), "{text}");
    }
}

#[test]
fn a_tick_begins_where_the_one_before_ends() {
    let mut dice = Dice::new(4);
    for layout in layouts() {
        let tick_ns = i128::from(layout.tick_us()) * 1_000;
        let epoch_ns = i128::from(layout.epoch_ms()) * 1_000_000;
        for _ in 0..500 {
            let tick = dice.below(layout.ticks());
            let begin_ns = epoch_ns + i128::from(tick) * tick_ns;
            for (ns, wanted) in
                [(begin_ns, Some(tick)), (begin_ns + tick_ns - 1, Some(tick)), (begin_ns - 1, tick.checked_sub(1))]
            {
                // A clock shows only 1970 to 2554.
                if let Ok(now_ns) = u64::try_from(ns) {
                    assert_eq!(layout.tick_at_ns(now_ns).ok(), wanted, "{layout:?} {now_ns}");
                }
            }
        }
    }
}

#[test]
fn a_field_knows_its_kind_and_width() {
    let spec = twitter().field(Field::new(FieldKind::Random, 3));
    assert_eq!(spec.fields().len(), 5);
    assert_eq!(spec.fields()[4], Field::new(FieldKind::Random, 3));
    assert_eq!(LayoutSpec::default(), LayoutSpec::new());
}
