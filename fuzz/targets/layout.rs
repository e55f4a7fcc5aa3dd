//! Layouts of any fields, given by kind, by name or as text, and IDs that they compose and split.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::layout::{Field, FieldKind, Fields, MAX_FIELDS, WideFields};
use saiban::{Error, ErrorKind, Layout, LayoutProblem, LayoutSpec, ManualClock, Options, SnowflakeGenerator};
use saiban_fuzz::layouts::{AnyLayout, counts, is_afresh, is_valid, mask, size};
use saiban_fuzz::{Number, check_error, check_unknown_name};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    layout: AnyLayout,
    timestamp: Time,
    node: Number,
    counter: Number,
    rollback: Number,
    rollback_bits: u8,
    id: Number,
    named: Vec<(Name<'a>, Number)>,
    wide: [u128; 2],
    text: Vec<Piece<'a>>,
}

/// A piece of a layout's text.
#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    Known(u8),
    Any(&'a str),
    Number(Number),
    /// The text of a whole layout, with one byte replaced.
    Layout {
        at: u16,
        with: u8,
    },
}

/// Pieces for the text of a layout.
const PIECES: [&str; 36] = [
    "unused:1",
    "timestamp:41",
    "node:10",
    "sequence:12",
    "random:20",
    "rollback:2",
    "constant:3",
    " ",
    "  ",
    ":",
    ".",
    ",",
    "@",
    "=",
    "node.dc:5",
    "node.worker:5",
    ",value=",
    ",step=",
    ",start=random",
    ",start=0",
    ",epoch=",
    "2020-02-02",
    "T01:42:54.657Z",
    "@ms",
    "@10ms",
    "@s",
    "@90min",
    "@d",
    "@us",
    "0x",
    "1",
    "0",
    "-",
    "twitter",
    "bwmarrin",
    "timestamp:",
];

#[derive(Arbitrary, Debug)]
enum Name<'a> {
    Known(u8),
    Any(&'a str),
}

/// A time in milliseconds, often within the layout's range.
#[derive(Arbitrary, Debug)]
enum Time {
    Any(Number),
    AfterEpoch(u64),
    BeforeEnd(u32),
}

fuzz_target!(|input: Input| {
    let (fields, epoch_ms, tick_us) = input.layout.parts();
    match input.layout.spec().check() {
        Ok(layout) => {
            assert!(is_valid(&fields, epoch_ms, tick_us), "{layout:?}");
            limits(&layout, &fields);
            let timestamp_ms = match input.timestamp {
                Time::Any(number) => number.get(),
                Time::AfterEpoch(ms) => epoch_ms.saturating_add_unsigned(ms),
                Time::BeforeEnd(ms) => layout.last_ms().saturating_sub(i64::from(ms)),
            };
            clock(&layout, timestamp_ms);
            compose(&layout, timestamp_ms, [input.node, input.counter, input.rollback].map(Number::get));
            give_up_bits(&layout, u32::from(input.rollback_bits));
            split(&layout, &fields, input.id.get());
            wide(&layout, &fields, timestamp_ms, &input);
            same_again(&layout);
            odds(&layout, &input);
            snowflake(&layout);
        }
        Err(error) => {
            assert!(!is_valid(&fields, epoch_ms, tick_us), "{error}: {:?}", input.layout);
            assert!(matches!(error, Error::InvalidLayout { .. }));
            check_error(&error);
        }
    }
    named(&input.named, epoch_ms, tick_us);
    text(&input);
});

/// A layout reports the capacity of its fields.
fn limits(layout: &Layout, fields: &[Field]) {
    let most = |mask: u128| u128::MAX.checked_shr(128 - mask.count_ones()).unwrap_or(0);
    let kind = |kind| mask(fields, |field| field.kind == kind);
    assert_eq!(layout.spec().fields(), fields);
    assert_eq!(u64::from(layout.size_bits()), size(fields));
    assert_eq!(u128::from(layout.ticks()) - 1, most(kind(FieldKind::Timestamp)));
    assert_eq!(u128::from(layout.max_node()), most(kind(FieldKind::Node)));
    assert_eq!(layout.has_node(), kind(FieldKind::Node) != 0);
    assert_eq!(layout.max_counter_wide(), most(mask(fields, counts)));
    assert_eq!(u128::from(layout.max_counter()), layout.max_counter_wide().min(u64::MAX.into()));
    assert_eq!(layout.max_random(), most(mask(fields, is_afresh)));
    assert_eq!(layout.is_random(), fields.iter().any(|field| field.step > 0));
    assert_eq!(layout.has_sequence(), kind(FieldKind::Sequence) != 0);
    assert_eq!(u128::from(layout.max_rollback()), most(kind(FieldKind::Rollback)));
    assert_eq!(layout.has_rollback(), kind(FieldKind::Rollback) != 0);
    assert_eq!(layout.last_ms(), layout.tick_start_ms(layout.ticks() - 1));
    assert_eq!(layout.tick_start_ms(0), layout.epoch_ms());
    assert_eq!(layout.tick_ns(), layout.tick_us() * 1_000);
    assert_eq!(layout.spec().check().as_ref(), Ok(layout));
    if let Some(name) = layout.name() {
        assert_eq!(Layout::preset(name).as_ref(), Ok(layout));
    }
}

/// A composed ID splits into its parts again, with the time rounded down to the tick.
fn compose(layout: &Layout, timestamp_ms: i64, [node, counter, rollback]: [i64; 3]) {
    let since_us = (i128::from(timestamp_ms) - i128::from(layout.epoch_ms())) * 1_000;
    let tick_us = i128::from(layout.tick_us());
    let fits = |value: i64, max| u64::try_from(value).is_ok_and(|value| value <= max);
    if layout.is_wide() {
        let refused = layout.compose_rollback_ms(timestamp_ms, node, counter, rollback).expect_err("no 64 bits");
        return assert_eq!(refused.kind(), ErrorKind::InvalidLayout);
    }
    match layout.compose_rollback_ms(timestamp_ms, node, counter, rollback) {
        Ok(id) => {
            let tick = layout.tick_at_ms(timestamp_ms).expect("a time of this layout");
            let [node, counter, rollback] = [node, counter, rollback].map(|number| number as u64);
            assert_eq!(layout.split(id), Ok(Fields { tick, node, counter, rollback }));
            let start_us = i128::from(tick) * tick_us;
            assert!((start_us..start_us + tick_us).contains(&since_us), "{tick} is not the tick of {timestamp_ms}");
            assert!(layout.tick_start_ms(tick) <= timestamp_ms);
        }
        Err(error) => {
            check_error(&error);
            let why_not = match error {
                Error::TimestampBeforeEpoch { .. } => since_us < 0,
                Error::TimestampOverflow { .. } => since_us / tick_us >= i128::from(layout.ticks()),
                Error::NodeOutOfRange { .. } => !fits(node, layout.max_node()),
                Error::SequenceOutOfRange { .. } => !layout.is_random() && !fits(counter, layout.max_counter()),
                Error::RandomOutOfRange { .. } => layout.is_random() && !fits(counter, layout.max_counter()),
                Error::RollbackOutOfRange { .. } => !fits(rollback, layout.max_rollback()),
                _ => false,
            };
            assert!(why_not, "{error} for {timestamp_ms}, {node}, {counter}, {rollback} in {layout:?}");
        }
    }
}

/// The clock's nanoseconds lead to the same tick as its milliseconds.
fn clock(layout: &Layout, timestamp_ms: i64) {
    if let Some(now_ns) = u64::try_from(timestamp_ms).ok().and_then(|ms| ms.checked_mul(1_000_000)) {
        assert_eq!(layout.tick_at_ns(now_ns), layout.tick_at_ms(timestamp_ms));
    }
}

/// Any number splits into fields that compose it again, unless an unused or constant bit is wrong.
fn split(layout: &Layout, fields: &[Field], id: i64) {
    match layout.split(id) {
        Ok(Fields { tick, node, counter, rollback }) => {
            assert!(tick < layout.ticks() && node <= layout.max_node() && counter <= layout.max_counter());
            assert!(rollback <= layout.max_rollback());
            // Milliseconds do not identify every tick if a tick is not a whole number of them.
            if layout.tick_us().is_multiple_of(1_000) {
                let [node, counter, rollback] = [node, counter, rollback].map(|number| number as i64);
                let again = layout.compose_rollback_ms(layout.tick_start_ms(tick), node, counter, rollback);
                let afresh = mask(fields, is_afresh) as u64 as i64;
                // A sequence of 64 bits may exceed the signed integers.
                assert!(again == Ok(id & !afresh) || counter < 0, "{id} in {layout:?}");
            }
        }
        Err(error) => {
            check_error(&error);
            assert!(layout.is_wide() || !is_fixed_right(fields, (id as u64).into()), "{id} in {layout:?}");
        }
    }
}

/// Returns whether the unused and constant bits, and those above the layout, have their values.
fn is_fixed_right(fields: &[Field], id: u128) -> bool {
    let mut below = size(fields) as u32;
    if below < 128 && id >> below != 0 {
        return false;
    }
    fields.iter().all(|field| {
        below -= field.bits;
        let own = id >> below & (u128::MAX >> (128 - field.bits));
        !matches!(field.kind, FieldKind::Unused | FieldKind::Constant) || own == field.value
    })
}

/// IDs of any width: composed and split, joined and split.
fn wide(layout: &Layout, fields: &[Field], timestamp_ms: i64, input: &Input) {
    let [first, second] = input.wide;
    match layout.split_wide(first) {
        Ok(fields) => assert_eq!(layout.join_wide(&fields), first),
        Err(error) => {
            check_error(&error);
            assert!(!is_fixed_right(fields, first), "{first} in {layout:?}");
        }
    }
    let [node, rollback] = [input.node, input.rollback].map(Number::get);
    match layout.compose_wide_ms(timestamp_ms, node, first, rollback, second) {
        Ok(id) => {
            let tick = layout.tick_at_ms(timestamp_ms).expect("a time of this layout");
            let [node, rollback] = [node, rollback].map(|number| number as u64);
            assert_eq!(layout.split_wide(id), Ok(WideFields { tick, node, counter: first, rollback, random: second }));
            let parts: Vec<(&str, i64)> =
                layout.node_parts(node as i64).expect("its node").map(|(name, value)| (name, value as i64)).collect();
            assert_eq!(layout.node_of_parts(&parts), Ok(node as i64));
        }
        Err(error) => check_error(&error),
    }
    let cut = WideFields { tick: first as u64, node: second as u64, counter: second, rollback: 1, random: first };
    assert!(layout.split_wide(layout.join_wide(&cut)).is_ok());
}

/// A layout's text and JSON are read as this layout.
fn same_again(layout: &Layout) {
    let text = layout.to_string();
    assert_eq!(Layout::from_text(&text).as_ref(), Ok(layout), "{text}");
    assert_eq!(Layout::from_json(&layout.to_json()).as_ref(), Ok(layout));
}

fn odds(layout: &Layout, input: &Input) {
    let [rate, seconds] = [input.counter, input.id].map(|number| f64::from_bits(number.get() as u64));
    let Ok(odds) = layout.collision_odds(rate, seconds) else {
        assert!(rate.is_nan() || seconds.is_nan() || rate < 0.0 || seconds < 0.0, "{rate} in {seconds}");
        return;
    };
    assert!(rate >= 0.0 && seconds >= 0.0, "{rate} in {seconds}");
    assert!((0.0..=1.0).contains(&odds), "{odds} of {rate} in {seconds}");
    assert!(odds == 0.0 || !layout.is_unique());
    let rate = layout.ids_per_second();
    assert!(rate.per_node > 0.0 && rate.in_all >= rate.per_node);
}

/// Text and JSON are read as a layout that survives a round trip, or refused with a valid error.
fn text(input: &Input) {
    let mut text = String::new();
    for piece in &input.text {
        match piece {
            Piece::Known(index) => text.push_str(PIECES[usize::from(*index) % PIECES.len()]),
            Piece::Any(piece) => text.push_str(piece),
            Piece::Number(number) => text.push_str(&number.get().to_string()),
            Piece::Layout { at, with } => {
                let layout = input.layout.spec().check().unwrap_or(Layout::SONYFLAKE);
                let mut bytes = layout.to_string().into_bytes();
                let at = usize::from(*at) % (bytes.len() + 1);
                bytes.get_mut(at).into_iter().for_each(|byte| *byte = *with & 0x7f);
                text.push_str(core::str::from_utf8(&bytes).expect("ASCII"));
            }
        }
    }
    match Layout::from_text(&text) {
        Ok(layout) => same_again(&layout),
        Err(error) => {
            check_error(&error);
            match error {
                Error::InvalidLayout { .. } => {
                    assert!(
                        error.position().is_none_or(|position| position <= text.chars().count()),
                        "{text:?}: {error}"
                    );
                }
                error => check_unknown_name(&error, &text),
            }
        }
    }
    match Layout::from_json(&text) {
        Ok(layout) => same_again(&layout),
        Err(error) => {
            check_error(&error);
            assert_eq!(error.kind(), ErrorKind::InvalidLayout);
        }
    }
}

/// Rollback bits are taken from the node, or without one from the counter; the rest is unchanged.
fn give_up_bits(layout: &Layout, bits: u32) {
    let has_node = layout.has_node();
    match layout.with_rollback_bits(bits) {
        Ok(given_up) => {
            let (node, counter) = (layout.max_node(), layout.max_counter_wide());
            let left = if has_node { (node >> bits, counter) } else { (node, counter >> bits) };
            assert_eq!(given_up.max_rollback(), (1 << bits) - 1);
            assert_eq!((given_up.max_node(), given_up.max_counter_wide()), left);
            assert_eq!(given_up.size_bits(), layout.size_bits());
            assert_eq!(
                (given_up.ticks(), given_up.epoch_ms(), given_up.tick_us()),
                (layout.ticks(), layout.epoch_ms(), layout.tick_us())
            );
        }
        Err(error) => {
            check_error(&error);
            let gives = |field: &Field| match field.kind {
                FieldKind::Node => has_node,
                FieldKind::Sequence => !has_node,
                // The remaining bits of a random part must hold its step.
                FieldKind::Random => !has_node && field.step > 0,
                _ => false,
            };
            let giver = layout.spec().fields().into_iter().rfind(gives);
            let left = |field: &Field| field.bits.saturating_sub(bits);
            let too_narrow = giver.is_none_or(|field| left(&field) == 0 || u128::from(field.step) >> left(&field) != 0);
            let too_many = layout.spec().fields().len() == MAX_FIELDS;
            assert!(!(1..=4).contains(&bits) || layout.has_rollback() || too_narrow || too_many, "{error}: {layout:?}");
        }
    }
}

/// A Snowflake accepts every layout of up to 64 bits with node and sequence and without random
/// bits, and refuses others with the reason.
fn snowflake(layout: &Layout) {
    let clock = ManualClock::new(0).expect("1970");
    let built = SnowflakeGenerator::build(*layout, &Options::node(0), &clock);
    let is_random = layout.has_random() || layout.has_random_start();
    if layout.has_node() && layout.has_sequence() && !is_random && !layout.is_wide() {
        match layout.position_bits() {
            0..=63 => assert!(built.is_ok(), "{built:?}"),
            bits => {
                assert_eq!(built.err(), Some(Error::InvalidLayout { reason: LayoutProblem::PositionTooWide { bits } }))
            }
        }
    } else {
        assert_eq!(built.err(), Some(Error::InvalidLayout { reason: LayoutProblem::NotASnowflake }));
    }
}

/// Reads fields by name, as the bindings do; an invalid width becomes 0, which is refused.
fn named(pairs: &[(Name, Number)], epoch_ms: i64, tick_us: u64) {
    let mut fields = Vec::new();
    for (name, bits) in pairs {
        let name = match name {
            Name::Known(index) => FieldKind::ALL[usize::from(*index) % FieldKind::ALL.len()].name(),
            Name::Any(name) => name,
        };
        let bits = u32::try_from(bits.get()).unwrap_or(0);
        match FieldKind::from_name(name) {
            Ok(kind) => {
                assert_eq!(kind.name(), name);
                fields.push(Field::new(kind, bits));
            }
            Err(error) => return check_unknown_name(&error, name),
        }
    }
    let spec = fields.iter().copied().fold(LayoutSpec::new(), LayoutSpec::field).epoch_ms(epoch_ms).tick_us(tick_us);
    assert_eq!(spec.check().is_ok(), is_valid(&fields, epoch_ms, tick_us), "{spec:?}");
}
