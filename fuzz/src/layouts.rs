//! Layouts built from bytes, and an independent check of valid layouts.

use crate::Number;
use arbitrary::Arbitrary;
use saiban::layout::{Field, FieldKind, LayoutSpec, MAX_FIELDS, MAX_NAMES, Name};

const MAX_TICK_US: u64 = u64::MAX / 1_000;

/// A description of a layout, which is often invalid.
#[derive(Arbitrary, Clone, Debug)]
pub struct AnyLayout {
    /// The kind, with its options, and the width of each field.
    fields: Vec<(u8, Width)>,
    /// Whether the last field gets the remaining bits of 64, so that fewer descriptions fail for
    /// their sum.
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
    /// Returns the description as bindings give it: fields from the highest bit to the lowest, the
    /// epoch and the tick.
    #[must_use]
    pub fn parts(&self) -> (Vec<Field>, i64, u64) {
        let mut fields: Vec<Field> = self.fields.iter().map(|(kind, width)| field_of(*kind, width.get())).collect();
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

/// Returns a field whose number decides its kind, with options that the kind needs or refuses.
fn field_of(number: u8, bits: u32) -> Field {
    let kinds = FieldKind::ALL.len() as u8;
    let (kind, more) = (FieldKind::ALL[usize::from(number % kinds)], number / kinds);
    let field = Field::new(kind, bits);
    let name = || Name::new(["a", "b", "worker", "data_center_0123"][usize::from(more % 4)]).expect("a name");
    match (kind, more) {
        (_, 0) => field,
        // Any kind may get these options, each of which only one kind accepts.
        (_, 36) => Field { step: 7, ..field },
        (_, 35) => Field { value: u128::MAX, ..field },
        (_, 34) => Field { random_start: true, ..field },
        (_, 33) => Field { name: name(), ..field },
        (FieldKind::Node, _) => Field { name: name(), ..field },
        (FieldKind::Random, _) => Field { step: u64::MAX >> (more % 32 * 2), ..field },
        (FieldKind::Sequence, _) => Field { random_start: more % 2 == 1, ..field },
        (FieldKind::Constant, _) => Field { value: u128::from(more), ..field },
        _ => field,
    }
}

/// Returns the total number of bits of the fields.
#[must_use]
pub fn size(fields: &[Field]) -> u64 {
    fields.iter().map(|field| u64::from(field.bits)).sum()
}

/// Returns the bits of all fields that match, as a mask; 0 without such a field.
#[must_use]
pub fn mask(fields: &[Field], is_asked_for: impl Fn(&Field) -> bool) -> u128 {
    let mut below = size(fields) as u32;
    let mut mask = 0;
    for field in fields {
        below -= field.bits;
        if is_asked_for(field) {
            mask |= (u128::MAX >> (128 - field.bits)) << below;
        }
    }
    mask
}

/// Returns whether a field is a counter: a sequence, or a random part that grows.
#[must_use]
pub fn counts(field: &Field) -> bool {
    field.kind == FieldKind::Sequence || field.step > 0
}

/// Returns whether a field gets a new random value for each ID.
#[must_use]
pub fn is_afresh(field: &Field) -> bool {
    field.kind == FieldKind::Random && field.step == 0
}

/// Returns whether these parts form a valid layout, according to the documentation.
#[must_use]
pub fn is_valid(fields: &[Field], epoch_ms: i64, tick_us: u64) -> bool {
    if fields.len() > MAX_FIELDS || !(16..=128).contains(&size(fields)) {
        return false;
    }
    if fields.iter().any(|field| !(1..=field.kind.max_bits()).contains(&field.bits) || !has_its_own(field)) {
        return false;
    }
    if fields.iter().any(|field| u128::from(field.step) > u128::MAX >> (128 - field.bits)) {
        return false;
    }
    let count = |kind| fields.iter().filter(|field| field.kind == kind).count();
    let fresh = fields.iter().filter(|field| is_afresh(field)).count();
    let counters = fields.iter().filter(|field| counts(field)).count();
    if count(FieldKind::Timestamp) != 1 || count(FieldKind::Rollback) > 1 || fresh > 1 || counters > 1 {
        return false;
    }
    let node: Vec<usize> = (0..fields.len()).filter(|index| fields[*index].kind == FieldKind::Node).collect();
    let names: Vec<Name> = node.iter().map(|index| fields[*index].name).filter(|name| !name.is_empty()).collect();
    let is_whole = node.len() <= 1 || names.len() == node.len();
    let is_together = node.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let are_names_apart = (1..names.len()).all(|index| !names[..index].contains(&names[index]));
    let node_bits: u32 = node.iter().map(|index| fields[*index].bits).sum();
    if !is_whole || !is_together || !are_names_apart || names.len() > MAX_NAMES || node_bits > 63 {
        return false;
    }
    if !(1..=MAX_TICK_US).contains(&tick_us) {
        return false;
    }
    let time_bits = mask(fields, |field| field.kind == FieldKind::Timestamp).count_ones();
    let last_tick = (1_i128 << time_bits) - 1;
    i128::from(epoch_ms) + last_tick * i128::from(tick_us) / 1_000 <= i128::from(i64::MAX)
}

/// Returns whether a field has only options of its kind, and a constant fits its bits.
fn has_its_own(field: &Field) -> bool {
    let fits = field.value <= u128::MAX >> (128 - field.bits);
    (field.kind == FieldKind::Constant && fits || field.value == 0)
        && (field.kind == FieldKind::Random || field.step == 0)
        && (field.kind == FieldKind::Sequence || !field.random_start)
        && (field.kind == FieldKind::Node || field.name.is_empty())
}
