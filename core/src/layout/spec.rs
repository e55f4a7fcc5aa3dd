//! Descriptions of layouts: [`LayoutSpec`], a builder that works in constants. It is public.

use super::{Field, FieldKind, FieldList, MAX_FIELDS, Name};
use crate::error::{Excerpt, FieldKey, LayoutProblem, Wide};
use core::fmt;

/// The most named parts that a node may have.
pub const MAX_NAMES: usize = 8;

/// A description of a layout: fields from the highest bit to the lowest, epoch and tick.
///
/// [`LayoutSpec::check`] validates it.
///
/// All public methods are `const`, so that the compiler can check a layout in a constant at no cost
/// at run time.
///
/// ```
/// use saiban::{Layout, layout::LayoutSpec};
/// const OURS: Layout = match LayoutSpec::new().unused(1).timestamp(41).node(6).sequence(16)
///     .epoch_ms(1_577_836_800_000).check()
/// {
///     Ok(layout) => layout,
///     Err(_) => panic!("the widths must add up to 16 to 128"),
/// };
/// assert_eq!(OURS.max_node(), 63);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LayoutSpec {
    fields: [Packed; MAX_FIELDS],
    pub(super) len: usize,
    names: [Name; MAX_NAMES],
    names_len: u8,
    /// The values of all constants, concatenated in the order of the fields.
    constants: u128,
    /// The step of the growing random part. A layout has at most one such part.
    pub(super) step: u64,
    pub(super) epoch_ms: i64,
    pub(super) tick_ns: u64,
    /// The first problem that a field had when it was added.
    pub(super) problem: Option<LayoutProblem>,
}

/// A field in four bytes. `LayoutSpec` holds the larger properties once for all fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Packed {
    kind: FieldKind,
    bits: u8,
    /// The index of the field's name plus 1, or 0 without a name.
    name: u8,
    /// For a random part, whether it grows; for a sequence, whether it starts at a random number.
    special: bool,
}

impl LayoutSpec {
    /// Creates a description without fields, with the Unix epoch and ticks of a millisecond.
    #[must_use]
    pub const fn new() -> Self {
        let none = Packed { kind: FieldKind::Unused, bits: 0, name: 0, special: false };
        LayoutSpec {
            fields: [none; MAX_FIELDS],
            len: 0,
            names: [Name::NONE; MAX_NAMES],
            names_len: 0,
            constants: 0,
            step: 0,
            epoch_ms: 0,
            tick_ns: 1_000_000,
            problem: None,
        }
    }

    /// Adds a field below those added before.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a field has at most 128 bits")]
    pub const fn field(mut self, field: Field) -> Self {
        if self.len >= MAX_FIELDS {
            // Count one field too many, so that `check` fails.
            self.len = MAX_FIELDS + 1;
            return self;
        }
        if let Some(problem) = field.problem() {
            return self.refuse(problem);
        }
        let mut name = 0;
        if !field.name.is_empty() {
            if self.names_len as usize == MAX_NAMES {
                return self.refuse(LayoutProblem::TooManyNames);
            }
            self.names[self.names_len as usize] = field.name;
            self.names_len += 1;
            name = self.names_len;
        }
        if matches!(field.kind, FieldKind::Constant) {
            self.constants = self.constants << field.bits | field.value;
        }
        if field.step != 0 {
            self.step = field.step;
        }
        let special = field.step != 0 || field.random_start;
        self.fields[self.len] = Packed { kind: field.kind, bits: field.bits as u8, name, special };
        self.len += 1;
        self
    }

    /// Keeps the first problem for `check`.
    const fn refuse(mut self, problem: LayoutProblem) -> Self {
        if self.problem.is_none() {
            self.problem = Some(problem);
        }
        self
    }

    /// Adds bits that are always 0.
    #[must_use]
    pub const fn unused(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Unused, bits))
    }

    /// Adds bits with the value `value` in every ID.
    #[must_use]
    pub const fn constant(self, bits: u32, value: u128) -> Self {
        self.field(Field::constant(bits, value))
    }

    /// Adds the timestamp.
    #[must_use]
    pub const fn timestamp(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Timestamp, bits))
    }

    /// Adds the node.
    #[must_use]
    pub const fn node(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Node, bits))
    }

    /// Adds a part of the node below those added before.
    ///
    /// A node has up to 8 parts. They are adjacent and form one number, the node. Their names have
    /// up to 16 characters (see [`Name`]).
    ///
    /// ```
    /// use saiban::LayoutSpec;
    /// let spec = LayoutSpec::new().unused(1).timestamp(41).node_part("datacenter", 5).node_part("worker", 5).sequence(12);
    /// let layout = spec.check()?;
    /// assert_eq!(layout.max_node(), 1023);
    /// assert!(layout.node_parts(67)?.eq([("datacenter", 2), ("worker", 3)]));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn node_part(self, name: &str, bits: u32) -> Self {
        match Name::read(name) {
            Some(name) => self.field(Field::node_part(name, bits)),
            None => self.refuse(LayoutProblem::NameInvalid { name: Excerpt::new(name) }),
        }
    }

    /// Adds a sequence that starts each tick at 0.
    #[must_use]
    pub const fn sequence(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Sequence, bits))
    }

    /// Adds a sequence that starts each tick at a random number in the lower half of its range.
    /// Such IDs reveal less about how many there are.
    #[must_use]
    pub const fn sequence_from_random(self, bits: u32) -> Self {
        self.field(Field::sequence_from_random(bits))
    }

    /// Adds a random part that is new for each ID.
    #[must_use]
    pub const fn random(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Random, bits))
    }

    /// Adds a random part that starts each tick at a random number, and grows by 1 to `step` for
    /// each ID.
    ///
    /// It replaces the sequence. When it would exceed its width, the tick is used up. The step is
    /// at most the largest number that fits the width.
    #[must_use]
    pub const fn random_step(self, bits: u32, step: u64) -> Self {
        if step == 0 {
            return self.refuse(LayoutProblem::StepOutOfRange { bits, step: Wide::new(0) });
        }
        self.field(Field::random_step(bits, step))
    }

    /// Adds a rollback field, the number of times that the clock has stepped back: 1 to 4 bits.
    #[must_use]
    pub const fn rollback(self, bits: u32) -> Self {
        self.field(Field::new(FieldKind::Rollback, bits))
    }

    /// Sets the epoch, the time of tick 0, in Unix milliseconds.
    #[must_use]
    pub const fn epoch_ms(mut self, epoch_ms: i64) -> Self {
        self.epoch_ms = epoch_ms;
        self
    }

    /// Sets the length of a tick in microseconds.
    #[must_use]
    pub const fn tick_us(self, tick_us: u64) -> Self {
        self.tick_ns(tick_us.saturating_mul(1_000))
    }

    /// Sets the length of a tick in nanoseconds, for schemes whose ticks are shorter than a
    /// microsecond.
    pub(crate) const fn tick_ns(mut self, tick_ns: u64) -> Self {
        self.tick_ns = tick_ns;
        self
    }

    /// Returns the fields, from the highest bit to the lowest. Fields with a problem and those
    /// after the 16th are left out.
    #[must_use]
    pub const fn fields(&self) -> FieldList {
        let mut list = FieldList { fields: [Field::new(FieldKind::Unused, 0); MAX_FIELDS], len: self.held() };
        let mut below = 0;
        let mut index = list.len;
        while index > 0 {
            index -= 1;
            let mut field = self.without_value(index);
            if matches!(field.kind, FieldKind::Constant) {
                // `check` rejects more than 128 bits of constants; the values of the highest are
                // lost here.
                if below < 128 {
                    field.value = (self.constants >> below) & (u128::MAX >> (128 - field.bits));
                }
                below += field.bits;
            }
            list.fields[index] = field;
        }
        list
    }

    /// Returns the number of fields that the description holds.
    const fn held(&self) -> usize {
        if self.len < MAX_FIELDS { self.len } else { MAX_FIELDS }
    }

    /// Returns the field with this index, without a constant's value.
    const fn without_value(&self, index: usize) -> Field {
        let Packed { kind, bits, name, special } = self.fields[index];
        let mut field = Field::new(kind, bits as u32);
        if name > 0 {
            field.name = self.names[name as usize - 1];
        }
        match kind {
            FieldKind::Random if special => field.step = self.step,
            FieldKind::Sequence => field.random_start = special,
            _ => {}
        }
        field
    }

    /// Returns the names of the node's parts.
    pub(super) fn names(&self) -> &[Name] {
        &self.names[..usize::from(self.names_len)]
    }

    /// Returns whether two parts of the node have this name.
    pub(super) const fn has_name_twice(&self, name: &Name) -> bool {
        let mut found = 0;
        let mut index = 0;
        while index < self.names_len as usize {
            if self.names[index].is(name) {
                found += 1;
            }
            index += 1;
        }
        found > 1
    }

    /// Returns the sum of the widths of all fields, in bits.
    pub(super) const fn width(&self) -> u32 {
        let mut bits = 0;
        let mut index = 0;
        while index < self.held() {
            bits += self.fields[index].bits as u32;
            index += 1;
        }
        bits
    }

    /// Returns a description without fields, with the same epoch and tick.
    pub(super) const fn emptied(&self) -> Self {
        Self::new().epoch_ms(self.epoch_ms).tick_ns(self.tick_ns)
    }

    /// Takes bits for a rollback field: the lowest bits of the node, or else the highest of the
    /// counter.
    pub(super) const fn give_up_bits(self, bits: u32) -> Result<Self, LayoutProblem> {
        let max = FieldKind::Rollback.max_bits();
        if bits == 0 || bits > max {
            return Err(LayoutProblem::RollbackTooWide { bits, max });
        }
        let FieldList { fields, len } = self.fields();
        let Some(giver) = giver(&fields, len) else {
            return Err(LayoutProblem::NothingForRollback);
        };
        let mut spec = self.emptied();
        let mut index = 0;
        while index < len {
            let mut field = fields[index];
            if index == giver {
                if field.bits <= bits {
                    return Err(LayoutProblem::TooNarrowForRollback { part: field.part(), bits: field.bits });
                }
                field.bits -= bits;
                spec = if matches!(field.kind, FieldKind::Node) {
                    spec.field(field).rollback(bits)
                } else {
                    spec.rollback(bits).field(field)
                };
            } else {
                spec = spec.field(field);
            }
            index += 1;
        }
        Ok(spec)
    }
}

/// Returns the index of the field that gives bits to a rollback field.
///
/// It is the lowest part of the node, or else the sequence or growing random part.
const fn giver(fields: &[Field; MAX_FIELDS], len: usize) -> Option<usize> {
    let (mut node, mut counter) = (None, None);
    let mut index = 0;
    while index < len {
        match fields[index].kind {
            FieldKind::Node => node = Some(index),
            FieldKind::Sequence => counter = Some(index),
            FieldKind::Random if fields[index].step > 0 => counter = Some(index),
            _ => {}
        }
        index += 1;
    }
    if node.is_some() { node } else { counter }
}

impl Field {
    /// Returns a problem of the field by itself.
    const fn problem(&self) -> Option<LayoutProblem> {
        let part = self.part();
        let max = self.kind.max_bits();
        if matches!(self.kind, FieldKind::Rollback) && self.bits > max {
            return Some(LayoutProblem::RollbackTooWide { bits: self.bits, max });
        }
        if self.bits == 0 || self.bits > max {
            return Some(LayoutProblem::FieldWidth { part, bits: self.bits as i64, max });
        }
        let stranger = if !self.name.is_empty() && !matches!(self.kind, FieldKind::Node) {
            FieldKey::Name
        } else if self.value != 0 && !matches!(self.kind, FieldKind::Constant) {
            FieldKey::Value
        } else if self.step != 0 && !matches!(self.kind, FieldKind::Random) {
            FieldKey::Step
        } else if self.random_start && !matches!(self.kind, FieldKind::Sequence) {
            FieldKey::Start
        } else {
            let max = u128::MAX >> (128 - self.bits);
            return if self.value > max {
                Some(LayoutProblem::ConstantTooLarge { bits: self.bits, value: Wide::new(self.value) })
            } else if self.step as u128 > max {
                // A larger step would almost always exceed the width, and so end the tick.
                Some(LayoutProblem::StepOutOfRange { bits: self.bits, step: Wide::new(self.step as u128) })
            } else {
                None
            };
        };
        Some(LayoutProblem::NotOfThisField { part, key: stranger })
    }
}

impl fmt::Debug for LayoutSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayoutSpec")
            .field("fields", &&*self.fields())
            .field("epoch_ms", &self.epoch_ms)
            .field("tick_ns", &self.tick_ns)
            .field("problem", &self.problem)
            .finish()
    }
}

impl Default for LayoutSpec {
    fn default() -> Self {
        Self::new()
    }
}
