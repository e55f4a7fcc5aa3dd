//! Layouts of any fields, given by kind or by name, and IDs put together and taken apart by them.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::layout::{Field, FieldKind, Fields, MOST_FIELDS};
use saiban::{Error, Layout, LayoutProblem, LayoutSpec, ManualClock, Options, Snowflake};
use saiban_fuzz::layouts::{AnyLayout, is_valid, mask};
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
}

#[derive(Arbitrary, Debug)]
enum Name<'a> {
    Known(u8),
    Any(&'a str),
}

/// A time in milliseconds, often one inside the layout's own.
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
            compose(&layout, timestamp_ms, [input.node, input.counter, input.rollback].map(Number::get));
            give_up_node_bits(&layout, u32::from(input.rollback_bits));
            split(&layout, &fields, input.id.get());
            snowflake(&layout);
        }
        Err(error) => {
            assert!(!is_valid(&fields, epoch_ms, tick_us), "{error}: {:?}", input.layout);
            assert!(matches!(error, Error::InvalidLayout { .. }));
            check_error(&error);
        }
    }
    named(&input.named, epoch_ms, tick_us);
});

/// A layout tells what its fields can hold.
fn limits(layout: &Layout, fields: &[Field]) {
    let most = |kind| match mask(fields, kind).count_ones() {
        0 => 0,
        bits => u64::MAX >> (64 - bits),
    };
    assert_eq!(layout.spec().fields(), fields);
    assert_eq!(layout.ticks() - 1, most(FieldKind::Timestamp));
    assert_eq!(layout.max_node(), most(FieldKind::Node));
    assert_eq!(layout.has_node(), mask(fields, FieldKind::Node) != 0);
    assert_eq!(layout.max_counter(), most(FieldKind::Sequence) + most(FieldKind::Random));
    assert_eq!(layout.is_random(), mask(fields, FieldKind::Random) != 0);
    assert_eq!(layout.max_rollback(), most(FieldKind::Rollback));
    assert_eq!(layout.has_rollback(), mask(fields, FieldKind::Rollback) != 0);
    assert_eq!(layout.last_ms(), layout.tick_start_ms(layout.ticks() - 1));
    assert_eq!(layout.tick_start_ms(0), layout.epoch_ms());
    assert_eq!(layout.tick_ns(), layout.tick_us() * 1_000);
    assert_eq!(layout.spec().check().as_ref(), Ok(layout));
    if let Some(name) = layout.name() {
        assert_eq!(Layout::preset(name).as_ref(), Ok(layout));
    }
}

/// What is put together comes apart again, its time rounded down to the tick.
fn compose(layout: &Layout, timestamp_ms: i64, [node, counter, rollback]: [i64; 3]) {
    let since_us = (i128::from(timestamp_ms) - i128::from(layout.epoch_ms())) * 1_000;
    let tick_us = i128::from(layout.tick_us());
    let fits = |value: i64, max| u64::try_from(value).is_ok_and(|value| value <= max);
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
    // The clock's nanoseconds lead to the same tick as milliseconds do.
    if let Some(now_ns) = u64::try_from(timestamp_ms).ok().and_then(|ms| ms.checked_mul(1_000_000)) {
        assert_eq!(layout.tick_at_ns(now_ns), layout.tick_at_ms(timestamp_ms));
    }
}

/// Any number comes apart into fields that make it again, unless an unused bit is 1.
fn split(layout: &Layout, fields: &[Field], id: i64) {
    match layout.split(id) {
        Ok(Fields { tick, node, counter, rollback }) => {
            assert!(tick < layout.ticks() && node <= layout.max_node() && counter <= layout.max_counter());
            assert!(rollback <= layout.max_rollback());
            // Milliseconds do not tell every tick where a tick is no whole number of them.
            if layout.tick_us().is_multiple_of(1_000) {
                let [node, counter, rollback] = [node, counter, rollback].map(|number| number as i64);
                assert_eq!(layout.compose_rollback_ms(layout.tick_start_ms(tick), node, counter, rollback), Ok(id));
            }
        }
        Err(error) => {
            check_error(&error);
            assert_ne!(id as u64 & mask(fields, FieldKind::Unused), 0, "{id} in {layout:?}");
        }
    }
}

/// Rollback bits come out of the node's; all else stays.
fn give_up_node_bits(layout: &Layout, bits: u32) {
    match layout.with_rollback_bits(bits) {
        Ok(given_up) => {
            assert_eq!(given_up.max_rollback(), (1 << bits) - 1);
            assert_eq!(given_up.max_node(), layout.max_node() >> bits);
            assert_eq!(
                (given_up.ticks(), given_up.max_counter(), given_up.epoch_ms(), given_up.tick_us()),
                (layout.ticks(), layout.max_counter(), layout.epoch_ms(), layout.tick_us())
            );
        }
        Err(error) => {
            check_error(&error);
            let too_narrow = layout.max_node().count_ones() <= bits;
            let too_many = layout.spec().fields().len() == MOST_FIELDS;
            assert!(!(1..=4).contains(&bits) || layout.has_rollback() || too_narrow || too_many, "{error}: {layout:?}");
        }
    }
}

/// A Snowflake takes every layout with node and sequence, and says of others why not.
fn snowflake(layout: &Layout) {
    let clock = ManualClock::new(0).expect("1970");
    let built = Snowflake::<_>::build(*layout, &Options::node(0), &clock);
    if layout.has_node() && !layout.is_random() {
        assert!(built.is_ok(), "{built:?}");
    } else {
        assert_eq!(built.err(), Some(Error::InvalidLayout { reason: LayoutProblem::NotASnowflake }));
    }
}

/// Fields by name, as the bindings read them; what is no width becomes one that is refused.
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
                fields.push(Field { kind, bits });
            }
            Err(error) => return check_unknown_name(&error, name),
        }
    }
    let spec = fields.iter().copied().fold(LayoutSpec::new(), LayoutSpec::field).epoch_ms(epoch_ms).tick_us(tick_us);
    assert_eq!(spec.check().is_ok(), is_valid(&fields, epoch_ms, tick_us), "{spec:?}");
}
