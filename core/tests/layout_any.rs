//! A thousand random layouts of 16 to 128 bits: what holds for every layout.

mod dice;

use dice::Dice;
use saiban::layout::{Field, FieldKind, Name, WideFields};
use saiban::{Error, ErrorKind, Layout, LayoutProblem, LayoutSpec};

const MANY: usize = 1_000;

/// Returns a width of 1 to `most`.
fn width(dice: &mut Dice, most: u32) -> u32 {
    1 + dice.below(most.into()) as u32
}

/// Returns a number up to `max`, often 0 or `max`.
fn value(dice: &mut Dice, max: u128) -> u128 {
    let any = u128::from(dice.next()) << 64 | u128::from(dice.next());
    match dice.below(4) {
        0 => 0,
        1 => max,
        _ => any & max,
    }
}

fn most(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}

/// Returns random fields in any order, with the parts of the node side by side.
fn fields(dice: &mut Dice) -> Vec<Field> {
    let mut groups: Vec<Vec<Field>> = vec![vec![Field::new(FieldKind::Timestamp, width(dice, 48))]];
    if dice.below(3) > 0 {
        let parts = dice.below(4);
        let names = ["region", "rack", "host_7", "worker"];
        groups.push(match parts {
            0 => vec![Field::new(FieldKind::Node, width(dice, 24))],
            parts => (0..=parts as usize)
                .map(|index| Field::node_part(Name::new(names[index]).expect("a name"), width(dice, 8)))
                .collect(),
        });
    }
    let step = 1 + (dice.next() >> dice.below(64)) / 2;
    match dice.below(4) {
        0 => groups.push(vec![Field::new(FieldKind::Sequence, width(dice, 64))]),
        1 => groups.push(vec![Field::sequence_from_random(width(dice, 24))]),
        2 => {
            let bits = width(dice, 70);
            // An increment is at most the largest number of its field.
            groups.push(vec![Field::random_step(bits, step.min(u64::MAX >> 64_u32.saturating_sub(bits)))]);
        }
        _ => {}
    }
    if dice.below(2) == 0 {
        groups.push(vec![Field::new(FieldKind::Random, width(dice, 70))]);
    }
    if dice.below(3) == 0 {
        groups.push(vec![Field::new(FieldKind::Rollback, width(dice, 4))]);
    }
    for _ in 0..dice.below(4) {
        let bits = width(dice, 40);
        groups.push(vec![match dice.below(2) {
            0 => Field::new(FieldKind::Unused, bits),
            _ => Field::constant(bits, value(dice, most(bits))),
        }]);
    }
    for index in (1..groups.len()).rev() {
        groups.swap(index, dice.below(index as u64 + 1) as usize);
    }
    groups.concat()
}

/// Returns `MANY` random layouts.
fn layouts(seed: u64) -> Vec<Layout> {
    let mut dice = Dice::new(seed);
    let mut all = Vec::new();
    while all.len() < MANY {
        let fields = fields(&mut dice);
        let bits: u32 = fields.iter().map(|field| field.bits).sum();
        let epoch_ms = match dice.below(5) {
            0 => 0,
            1 => 86_400_000 * (dice.below(40_000) as i64 - 10_000),
            2 => -(dice.below(1 << 50) as i64),
            _ => dice.below(1 << 42) as i64,
        };
        let tick_us = [1, 10, 1_000, 1_500, 10_000, 1_000_000, 60_000_000, 3_600_000_000][dice.below(8) as usize];
        let spec = fields.into_iter().fold(LayoutSpec::new().epoch_ms(epoch_ms).tick_us(tick_us), LayoutSpec::field);
        match spec.check() {
            Ok(layout) => {
                assert_eq!(layout.size_bits(), bits);
                all.push(layout);
            }
            // The last of this many long ticks exceeds the range of milliseconds.
            Err(Error::InvalidLayout { reason: LayoutProblem::TimeTooLong }) => assert!(tick_us >= 60_000_000),
            Err(error) => assert!(!(16..=128).contains(&bits), "{error}: {spec:?}"),
        }
    }
    assert!(all.iter().filter(|layout| layout.is_wide()).count() > MANY / 5);
    assert!(all.iter().filter(|layout| !layout.is_wide()).count() > MANY / 5);
    all
}

/// Returns random parts, often the smallest or the largest.
fn parts(dice: &mut Dice, layout: &Layout) -> WideFields {
    WideFields {
        tick: value(dice, (layout.ticks() - 1).into()) as u64,
        node: value(dice, layout.max_node().into()) as u64,
        counter: value(dice, layout.max_counter_wide()),
        rollback: value(dice, layout.max_rollback().into()) as u64,
        random: value(dice, layout.max_random()),
    }
}

#[test]
fn joined_parts_of_any_layout_are_split_again() {
    let mut dice = Dice::new(41);
    for layout in layouts(1) {
        for _ in 0..50 {
            let parts = parts(&mut dice, &layout);
            let id = layout.join_wide(&parts);
            assert!(id <= most(layout.size_bits()), "{layout}");
            assert_eq!(layout.split_wide(id), Ok(parts), "{layout}");
            if layout.is_wide() {
                let split = layout.split(id as i64).map_err(|error| error.kind());
                assert_eq!(split, Err(ErrorKind::IdOutOfRange));
                continue;
            }
            let narrow = layout.split(id as u64 as i64).expect("an ID");
            assert_eq!(WideFields { random: parts.random, ..narrow.into() }, parts);
            assert!(layout.size_bits() == 64 || id as i64 >= 0);
            let afresh = layout.put_random(parts.random as u64) as u64;
            assert_eq!(u128::from(afresh | layout.join_wide(&WideFields { random: 0, ..parts }) as u64), id);
        }
    }
}

#[test]
fn composed_ids_of_any_layout_have_their_parts_and_parts_past_their_limits_are_refused() {
    let mut dice = Dice::new(42);
    for layout in layouts(2) {
        for _ in 0..20 {
            let WideFields { tick, node, counter, rollback, random } = parts(&mut dice, &layout);
            let timestamp_ms = layout.tick_start_ms(tick);
            let Ok(tick) = layout.tick_at_ms(timestamp_ms) else {
                // Only a tick of fractional milliseconds may be refused.
                assert!(layout.tick_us() % 1_000 != 0, "{layout}");
                continue;
            };
            let compose =
                |node, counter, rollback, random| layout.compose_wide_ms(timestamp_ms, node, counter, rollback, random);
            let id = compose(node as i64, counter, rollback as i64, random).expect("an ID");
            assert_eq!(layout.split_wide(id), Ok(WideFields { tick, node, counter, rollback, random }));
            let narrow = layout.compose_rollback_ms(timestamp_ms, node as i64, counter as i64, rollback as i64);
            if layout.is_wide() {
                assert_eq!(narrow.map_err(|error| error.kind()), Err(ErrorKind::InvalidLayout));
            } else if i64::try_from(counter).is_ok() {
                let id = compose(node as i64, counter, rollback as i64, 0).expect("an ID");
                assert_eq!(narrow, Ok(id as u64 as i64));
            }
            let kind = |answer: Result<u128, Error>| answer.map_err(|error| error.kind());
            let counters = if layout.is_random() { ErrorKind::RandomOutOfRange } else { ErrorKind::SequenceOutOfRange };
            for past in [layout.max_counter_wide() + 1, u128::MAX] {
                assert_eq!(kind(compose(0, past, 0, 0)), Err(counters));
            }
            for past in [layout.max_random() + 1, u128::MAX] {
                assert_eq!(kind(compose(0, 0, 0, past)), Err(ErrorKind::RandomOutOfRange));
            }
            for past in [-1, layout.max_node() as i64 + 1, i64::MAX, i64::MIN] {
                assert_eq!(kind(compose(past, 0, 0, 0)), Err(ErrorKind::NodeOutOfRange));
            }
            for past in [-1, layout.max_rollback() as i64 + 1, i64::MAX, i64::MIN] {
                assert_eq!(kind(compose(0, 0, past, 0)), Err(ErrorKind::RollbackOutOfRange));
            }
        }
        let at = |timestamp_ms| layout.compose_wide_ms(timestamp_ms, 0, 0, 0, 0).map_err(|error| error.kind());
        assert!(at(layout.first_ms()).is_ok());
        assert_eq!(at(layout.first_ms() - 1), Err(ErrorKind::TimestampBeforeEpoch));
        assert_eq!(at(layout.tick_start_ms(layout.ticks()) + 1), Err(ErrorKind::TimestampOverflow), "{layout}");
    }
}

#[test]
fn functions_for_64_bits_do_not_panic_on_wider_layouts() {
    for text in ["timestamp:48 random:80", "random:40 timestamp:48 sequence:20", "timestamp:48 node:16 sequence:1"] {
        let layout = Layout::from_text(text).expect("a layout");
        let too_wide = Error::InvalidLayout { reason: LayoutProblem::TooWideFor64 { bits: layout.size_bits() } };
        assert_eq!(layout.range_ms(1_000, 2_000), Err(too_wide));
        assert_eq!(layout.compose_ms(1_000, 0, 0), Err(too_wide));
        assert!(layout.split(0).is_err());
        assert_eq!(layout.put_random(u64::MAX), 0);
    }
}

#[test]
fn ids_are_ordered_as_their_fields_are_from_the_highest_to_the_lowest() {
    let mut dice = Dice::new(43);
    for layout in layouts(3) {
        // Returns an ID's parts in the layout's own order.
        let in_order = |parts: &WideFields| -> Vec<u128> {
            let mut node = layout.node_parts(parts.node as i64).expect("a node of this layout").map(|(_, value)| value);
            let fields = layout.spec().fields();
            let of = |field: Field| match field.kind {
                FieldKind::Timestamp => parts.tick.into(),
                FieldKind::Node => node.next().expect("a part of the node").into(),
                FieldKind::Sequence => parts.counter,
                FieldKind::Random if field.step > 0 => parts.counter,
                FieldKind::Random => parts.random,
                FieldKind::Rollback => parts.rollback.into(),
                _ => field.value,
            };
            fields.into_iter().map(of).collect()
        };
        let mut ids: Vec<(u128, Vec<u128>)> = (0..40)
            .map(|_| parts(&mut dice, &layout))
            .map(|parts| (layout.join_wide(&parts), in_order(&parts)))
            .collect();
        ids.sort();
        assert!(ids.iter().map(|(_, parts)| parts).is_sorted(), "{layout}");
        assert!(ids.windows(2).all(|pair| (pair[0].0 == pair[1].0) == (pair[0].1 == pair[1].1)), "{layout}");
    }
}

#[test]
fn every_bit_of_any_layout_belongs_to_one_field() {
    for layout in layouts(4) {
        let nothing = layout.join_wide(&WideFields::default());
        let mut places = layout.places();
        let mut below = layout.size_bits();
        let mut own = 0;
        for place in places.by_ref() {
            below -= place.field.bits;
            assert_eq!((place.shift, place.max), (below, most(place.field.bits)));
            if matches!(place.field.kind, FieldKind::Unused | FieldKind::Constant) {
                assert_eq!(nothing >> place.shift & place.max, place.field.value);
            } else {
                own |= place.max << place.shift;
            }
        }
        assert_eq!(below, 0);
        assert_eq!(layout.capacity().bits, own.count_ones());
        for bit in 0..128 {
            let id = nothing ^ 1 << bit;
            assert_eq!(layout.split_wide(id).is_ok(), own >> bit & 1 == 1, "{layout}: bit {bit}");
            if !layout.is_wide() && bit < 64 {
                assert_eq!(layout.split(id as u64 as i64).is_ok(), own >> bit & 1 == 1, "{layout}: bit {bit}");
            }
        }
    }
}

#[test]
fn a_node_is_made_again_from_its_parts() {
    let mut dice = Dice::new(44);
    for layout in layouts(5) {
        let node = value(&mut dice, layout.max_node().into()) as i64;
        let parts = layout.node_parts(node).expect("a node of this layout");
        let mut parts: Vec<(&str, i64)> = parts.map(|(name, value)| (name, value as i64)).collect();
        assert_eq!(parts.is_empty(), !layout.has_node());
        parts.reverse();
        assert_eq!(layout.node_of_parts(&parts), Ok(node));
        let max = layout.max_node();
        for node in [-1, i64::MIN, max as i64 + 1, i64::MAX] {
            if u64::try_from(node).is_ok_and(|node| node <= max) {
                continue;
            }
            assert_eq!(layout.node_parts(node).map(|_| ()), Err(Error::NodeOutOfRange { node, max }), "{layout}");
        }
    }
}

#[test]
fn any_layout_round_trips_through_text() {
    for layout in layouts(6) {
        let text = layout.to_string();
        let read = Layout::from_text(&text);
        assert_eq!(read, Ok(layout), "{text}");
        assert_eq!(read.map(|layout| layout.to_string()), Ok(text.clone()));
        assert_eq!(text.parse(), Ok(layout));
        assert!(!text.contains("  ") && text.is_ascii());
    }
}

#[cfg(feature = "json")]
#[test]
fn any_layout_round_trips_through_json() {
    for layout in layouts(7) {
        let json = layout.to_json();
        assert_eq!(Layout::from_json(&json), Ok(layout), "{json}");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        // Other writers sort the keys.
        assert_eq!(Layout::from_json(&value.to_string()), Ok(layout));
    }
}

#[test]
fn a_layout_lasts_from_its_first_tick_to_its_last_and_holds_what_its_fields_can_hold() {
    for layout in layouts(8) {
        assert_eq!(layout.tick_at_ms(layout.first_ms()), Ok(0));
        let last = layout.ticks() - 1;
        assert_eq!(layout.last_ms(), layout.tick_start_ms(last));
        let lifetime_us = u128::from(layout.ticks()) * u128::from(layout.tick_us());
        assert_eq!(u128::from(layout.lifetime_ms()), lifetime_us / 1_000);
        let end_ms = layout.first_ms() + layout.lifetime_ms() as i64;
        if lifetime_us % 1_000 == 0 {
            assert!(layout.tick_at_ms(end_ms - 1).is_ok_and(|tick| tick <= last), "{layout}");
            assert!(layout.tick_at_ms(end_ms).is_err(), "{layout}");
        }
        let capacity = layout.capacity();
        assert_eq!(capacity.nodes, layout.max_node() + 1);
        let in_tick = if layout.counter_is_absent() { layout.max_random() } else { layout.max_counter_wide() };
        assert_eq!(capacity.ids_per_tick, in_tick + 1);
        let used = most(capacity.bits);
        assert_eq!(capacity.ids, used.saturating_add(1));
    }
}

/// Methods for tests only.
trait Ask {
    fn counter_is_absent(&self) -> bool;
}

impl Ask for Layout {
    fn counter_is_absent(&self) -> bool {
        !self.has_sequence() && !self.is_random()
    }
}
