//! Rollback bits come from the low end of the node field, and no other field moves.

use saiban::error::Wide;
use saiban::layout::Fields;
use saiban::{Error, Excerpt, Layout, LayoutProblem, LayoutSpec};

fn problem(spec: LayoutSpec) -> Option<LayoutProblem> {
    match spec.check() {
        Ok(_) => None,
        Err(Error::InvalidLayout { reason }) => Some(reason),
        Err(error) => panic!("{error}"),
    }
}

fn part(name: &str) -> Excerpt {
    Excerpt::new(name)
}

#[test]
fn rollback_bits_are_taken_from_the_low_end_of_the_node_field_and_nothing_else_moves() {
    for (name, layout) in Layout::PRESETS.into_iter().filter(|(_, layout)| layout.has_node()) {
        for bits in 1..=4 {
            let with = layout.with_rollback_bits(bits).expect("a layout");
            assert_eq!(
                (with.epoch_ms(), with.tick_us(), with.ticks()),
                (layout.epoch_ms(), layout.tick_us(), layout.ticks())
            );
            assert_eq!((with.max_rollback(), with.max_counter()), ((1 << bits) - 1, layout.max_counter()));
            assert_eq!(with.max_node(), layout.max_node() >> bits);
            assert!(with.has_rollback() && !layout.has_rollback() && with.name().is_none(), "{name}");
            // One ID can mean node 5 with rollback 1, or node 5 * 2^bits + 1.
            let id = with.compose_rollback_ms(layout.epoch_ms() + 70_000, 5, 3, 1).expect("an ID");
            let Fields { tick, node, counter, rollback } = layout.split(id).expect("an ID of the preset");
            assert_eq!((node, counter, rollback), ((5 << bits) + 1, 3, 0));
            assert_eq!(layout.tick_start_ms(tick), layout.epoch_ms() + 70_000);
        }
    }
}

#[test]
fn rollback_bits_that_are_not_possible_are_refused() {
    let with = |layout: Layout, bits| match layout.with_rollback_bits(bits) {
        Ok(_) => None,
        Err(Error::InvalidLayout { reason }) => Some(reason),
        Err(error) => panic!("{error}"),
    };
    for bits in [0, 5, 10, u32::MAX] {
        assert_eq!(with(Layout::TWITTER, bits), Some(LayoutProblem::RollbackTooWide { bits, max: 4 }));
    }
    let twice = Layout::TWITTER.with_rollback_bits(2).expect("a layout");
    assert_eq!(with(twice, 2), Some(LayoutProblem::FieldTwice { part: part("rollback") }));
    let narrow = LayoutSpec::new().unused(1).timestamp(50).node(3).sequence(10).check().expect("a layout");
    let too_narrow = |name, bits| Some(LayoutProblem::TooNarrowForRollback { part: part(name), bits });
    assert_eq!((with(narrow, 2), with(narrow, 3)), (None, too_narrow("node", 3)));
    let counting = LayoutSpec::new().unused(1).timestamp(53).sequence(2).check().expect("a layout");
    assert_eq!((with(counting, 1), with(counting, 2)), (None, too_narrow("sequence", 2)));
    let growing = LayoutSpec::new().timestamp(53).random_step(4, 7).check().expect("a layout");
    assert_eq!((with(growing, 1), with(growing, 4)), (None, too_narrow("random", 4)));
    assert_eq!(with(growing, 2), Some(LayoutProblem::StepOutOfRange { bits: 2, step: Wide::new(7) }));
    for nothing in [LayoutSpec::new().timestamp(53), LayoutSpec::new().timestamp(44).random(20)] {
        assert_eq!(with(nothing.check().expect("a layout"), 1), Some(LayoutProblem::NothingForRollback));
    }
    let pieces = (0..13).fold(LayoutSpec::new(), |spec, _| spec.unused(1)).timestamp(40).node(10).sequence(9);
    assert_eq!(with(pieces.check().expect("a layout"), 2), Some(LayoutProblem::TooManyFields));
    assert_eq!(
        problem(LayoutSpec::new().timestamp(41).node(6).rollback(5).sequence(12)),
        Some(LayoutProblem::RollbackTooWide { bits: 5, max: 4 })
    );
    assert_eq!(
        problem(LayoutSpec::new().timestamp(43).rollback(4).rollback(3).sequence(12)),
        Some(LayoutProblem::FieldTwice { part: part("rollback") })
    );
}

#[test]
fn rollback_bits_are_taken_from_the_lowest_part_of_a_node_with_names() {
    let parts =
        |low| LayoutSpec::new().unused(1).timestamp(41).node_part("rack", 7).node_part("host", low).sequence(12);
    let layout = parts(3).check().expect("a layout").with_rollback_bits(2).expect("a layout");
    assert_eq!(layout.to_string(), "unused:1 timestamp:41 node.rack:7 node.host:1 rollback:2 sequence:12");
    let narrow = parts(2).check().expect("a layout").with_rollback_bits(2);
    let reason = LayoutProblem::TooNarrowForRollback { part: part("node.host"), bits: 2 };
    assert_eq!(narrow, Err(Error::InvalidLayout { reason }));
}

#[test]
fn every_preset_takes_rollback_bits_and_keeps_its_promise() {
    for (name, layout) in Layout::PRESETS {
        for bits in 1..=4 {
            let with = layout.with_rollback_bits(bits).expect(name);
            assert_eq!((with.size_bits(), with.max_rollback()), (layout.size_bits(), (1 << bits) - 1), "{name}");
            assert_eq!(
                (with.epoch_ms(), with.tick_us(), with.ticks()),
                (layout.epoch_ms(), layout.tick_us(), layout.ticks())
            );
            assert_eq!((with.guarantee(), with.has_node()), (layout.guarantee(), layout.has_node()), "{name}");
            assert_eq!(with.capacity().ids, layout.capacity().ids, "{name}");
            let (node, counter) = if layout.has_node() { (bits, 0) } else { (0, bits) };
            assert_eq!(with.max_node(), layout.max_node() >> node, "{name}");
            assert_eq!(with.max_counter(), layout.max_counter() >> counter, "{name}");
            assert!(with.is_time_ordered() && with.name().is_none());
        }
    }
}

#[test]
fn rollback_bits_of_a_layout_without_node_are_the_highest_of_its_sequence_and_nothing_else_moves() {
    for (layout, bits, wanted) in [
        ("mastodon", 2, "timestamp:48 rollback:2 sequence:14"),
        ("mastodon", 4, "timestamp:48 rollback:4 sequence:12"),
        (
            "timestamp:41 sequence:12,start=random random:11",
            1,
            "timestamp:41 rollback:1 sequence:11,start=random random:11",
        ),
        ("random:11 sequence:12 timestamp:41", 3, "random:11 rollback:3 sequence:9 timestamp:41"),
        ("ulid-flake", 4, "unused:1 timestamp:43,epoch=2024-01-01 rollback:4 random:16,step=255"),
        ("ulid-flake-scalable", 4, "unused:1 timestamp:43,epoch=2024-01-01 random:15,step=255 node:1 rollback:4"),
    ] {
        let layout = Layout::from_text(layout).expect("a layout");
        assert_eq!(layout.with_rollback_bits(bits).map(|with| with.to_string()), Ok(wanted.into()));
    }
    let with = Layout::MASTODON.with_rollback_bits(2).expect("a layout");
    let id = with.compose_rollback_ms(1_700_000_000_000, 0, 5, 3).expect("an ID");
    assert_eq!(Layout::MASTODON.split(id).map(|fields| fields.counter), Ok((3 << 14) + 5));
}
