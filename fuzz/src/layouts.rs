//! Layouts made of bytes, and what a layout must be to be accepted, told a second time.

use crate::Number;
use arbitrary::Arbitrary;
use saiban::layout::{Field, FieldKind, LayoutSpec, MOST_FIELDS};

const MOST_ROLLBACK_BITS: u32 = 4;
const MOST_TICK_US: u64 = u64::MAX / 1_000;

/// A description of a layout, which may well be wrong.
#[derive(Arbitrary, Clone, Debug)]
pub struct AnyLayout {
    /// Kind and width of each field.
    fields: Vec<(u8, Width)>,
    /// Whether the last field is given the bits that are left, so that fewer descriptions fail for their sum.
    fill_up: bool,
    epoch_ms: Number,
    tick_us: Tick,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Width {
    Small(u8),
    Any(u32),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Tick {
    Millisecond,
    Milliseconds(u16),
    Microseconds(u32),
    Any(u64),
}

impl AnyLayout {
    /// The description as bindings give it: fields from the highest bit to the lowest, the epoch and the tick.
    #[must_use]
    pub fn parts(&self) -> (Vec<Field>, i64, u64) {
        let mut fields: Vec<Field> =
            self.fields.iter().map(|(kind, width)| Field { kind: kind_of(*kind), bits: width.get() }).collect();
        if self.fill_up
            && let Some((last, others)) = fields.split_last_mut()
        {
            let used: u64 = others.iter().map(|field| u64::from(field.bits)).sum();
            last.bits = 64_u64.saturating_sub(used) as u32;
        }
        let tick_us = match self.tick_us {
            Tick::Millisecond => 1_000,
            Tick::Milliseconds(ms) => u64::from(ms) * 1_000,
            Tick::Microseconds(us) => u64::from(us),
            Tick::Any(us) => us,
        };
        (fields, self.epoch_ms.get(), tick_us)
    }

    #[must_use]
    pub fn spec(&self) -> LayoutSpec {
        let (fields, epoch_ms, tick_us) = self.parts();
        fields.into_iter().fold(LayoutSpec::new().epoch_ms(epoch_ms).tick_us(tick_us), LayoutSpec::field)
    }
}

impl Width {
    fn get(self) -> u32 {
        match self {
            Width::Small(bits) => u32::from(bits % 66),
            Width::Any(bits) => bits,
        }
    }
}

fn kind_of(number: u8) -> FieldKind {
    FieldKind::ALL[usize::from(number) % FieldKind::ALL.len()]
}

/// The bits of all fields of one kind, as a mask; 0 where there is none.
#[must_use]
pub fn mask(fields: &[Field], kind: FieldKind) -> u64 {
    let mut below = 64;
    let mut mask = 0;
    for field in fields {
        below -= field.bits;
        if field.kind == kind {
            mask |= (u64::MAX >> (64 - field.bits)) << below;
        }
    }
    mask
}

/// Whether a layout of these parts is one, by the words of the documentation.
#[must_use]
pub fn is_valid(fields: &[Field], epoch_ms: i64, tick_us: u64) -> bool {
    let widths: u64 = fields.iter().map(|field| u64::from(field.bits)).sum();
    if fields.len() > MOST_FIELDS || widths != 64 || fields.iter().any(|field| field.bits == 0) {
        return false;
    }
    let count = |kind| fields.iter().filter(|field| field.kind == kind).count();
    let bits = |kind| mask(fields, kind).count_ones();
    let counters = count(FieldKind::Sequence) + count(FieldKind::Random);
    if count(FieldKind::Timestamp) != 1 || count(FieldKind::Node) > 1 || counters != 1 {
        return false;
    }
    if count(FieldKind::Rollback) > 1 || bits(FieldKind::Rollback) > MOST_ROLLBACK_BITS {
        return false;
    }
    let time_bits = bits(FieldKind::Timestamp);
    if time_bits + bits(FieldKind::Sequence) + bits(FieldKind::Random) > 63 || !(1..=MOST_TICK_US).contains(&tick_us) {
        return false;
    }
    let last_tick = (1_i128 << time_bits) - 1;
    i128::from(epoch_ms) + last_tick * i128::from(tick_us) / 1_000 <= i128::from(i64::MAX)
}
