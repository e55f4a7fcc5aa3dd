//! The description of a layout, and the check that makes it one.

use super::{Field, FieldKind, Layout, Slot};
use crate::error::{Error, LayoutProblem};

/// The most fields a layout has.
pub const MOST_FIELDS: usize = 8;

/// The widest rollback field: each of its values keeps a cursor.
const MOST_ROLLBACK_BITS: u32 = 4;

/// A description of a layout, which may still be wrong: fields from the highest bit to the lowest, epoch and tick.
///
/// All methods are `const`: a layout made in a constant is checked by the compiler and costs nothing at run time.
///
/// ```
/// use saiban::{Layout, layout::LayoutSpec};
/// const OURS: Layout = match LayoutSpec::new().unused(1).timestamp(41).node(6).sequence(16)
///     .epoch_ms(1_577_836_800_000).check()
/// {
///     Ok(layout) => layout,
///     Err(_) => panic!("the widths must add up to 64"),
/// };
/// assert_eq!(OURS.max_node(), 63);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayoutSpec {
    fields: [Field; MOST_FIELDS],
    len: usize,
    pub(super) epoch_ms: i64,
    pub(super) tick_us: u64,
}

impl LayoutSpec {
    /// No fields yet, the Unix epoch, ticks of a millisecond.
    #[must_use]
    pub const fn new() -> Self {
        let none = Field { kind: FieldKind::Unused, bits: 0 };
        LayoutSpec { fields: [none; MOST_FIELDS], len: 0, epoch_ms: 0, tick_us: 1_000 }
    }

    /// Adds a field below those given so far.
    #[must_use]
    pub const fn field(mut self, field: Field) -> Self {
        if self.len < MOST_FIELDS {
            self.fields[self.len] = field;
        }
        // One too many is counted, so that `check` can refuse it.
        self.len += 1;
        self
    }

    /// Adds bits that are always 0.
    #[must_use]
    pub const fn unused(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Unused, bits })
    }

    /// Adds the time.
    #[must_use]
    pub const fn timestamp(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Timestamp, bits })
    }

    /// Adds the node.
    #[must_use]
    pub const fn node(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Node, bits })
    }

    /// Adds the sequence.
    #[must_use]
    pub const fn sequence(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Sequence, bits })
    }

    /// Adds the random part.
    #[must_use]
    pub const fn random(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Random, bits })
    }

    /// Adds the number of times that the clock has stepped back, 1 to 4 bits.
    #[must_use]
    pub const fn rollback(self, bits: u32) -> Self {
        self.field(Field { kind: FieldKind::Rollback, bits })
    }

    /// Takes the lowest bits of the node field for a rollback field.
    pub(super) const fn give_up_node_bits(self, bits: u32) -> Result<Self, LayoutProblem> {
        if bits == 0 || bits > MOST_ROLLBACK_BITS {
            return Err(LayoutProblem::RollbackTooWide { bits, max: MOST_ROLLBACK_BITS });
        }
        let mut spec = LayoutSpec { len: 0, ..self };
        let mut given = false;
        let mut index = 0;
        while index < self.len {
            let Field { kind, bits: width } = self.fields[index];
            if matches!(kind, FieldKind::Node) {
                if width <= bits {
                    return Err(LayoutProblem::NodeTooNarrow { bits: width });
                }
                spec = spec.field(Field { kind, bits: width - bits }).rollback(bits);
                given = true;
            } else {
                spec = spec.field(self.fields[index]);
            }
            index += 1;
        }
        if given { Ok(spec) } else { Err(LayoutProblem::NodeTooNarrow { bits: 0 }) }
    }

    /// Sets the time of tick 0, Unix milliseconds.
    #[must_use]
    pub const fn epoch_ms(mut self, epoch_ms: i64) -> Self {
        self.epoch_ms = epoch_ms;
        self
    }

    /// Sets the length of a tick, microseconds.
    #[must_use]
    pub const fn tick_us(mut self, tick_us: u64) -> Self {
        self.tick_us = tick_us;
        self
    }

    /// The fields, from the highest bit to the lowest.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields[..self.len.min(MOST_FIELDS)]
    }

    /// Checks the description and makes a layout of it.
    ///
    /// # Errors
    /// `InvalidLayout` with the reason: the widths don't add up to 64, a field is missing, stands twice or is too wide,
    /// the tick is 0, or the last time is too far away to be told in milliseconds.
    pub const fn check(self) -> Result<Layout, Error> {
        match self.checked() {
            Ok(layout) => Ok(layout),
            Err(reason) => Err(Error::InvalidLayout { reason }),
        }
    }

    const fn checked(self) -> Result<Layout, LayoutProblem> {
        if self.len > MOST_FIELDS {
            return Err(LayoutProblem::TooManyFields);
        }
        let (mut timestamp, mut node, mut sequence, mut random) = (Slot::NONE, Slot::NONE, Slot::NONE, Slot::NONE);
        let mut rollback = Slot::NONE;
        let mut unused_mask = 0;
        let mut used: u32 = 0;
        let mut index = 0;
        while index < self.len {
            let Field { kind, bits } = self.fields[index];
            if bits == 0 || bits > 64 {
                return Err(LayoutProblem::EmptyField);
            }
            used += bits;
            if used > 64 {
                return Err(LayoutProblem::WidthSum { bits: self.width() });
            }
            let slot = Slot { shift: 64 - used, bits };
            let place = match kind {
                FieldKind::Unused => {
                    unused_mask |= slot.put(slot.max());
                    index += 1;
                    continue;
                }
                FieldKind::Timestamp => &mut timestamp,
                FieldKind::Node => &mut node,
                FieldKind::Sequence => &mut sequence,
                FieldKind::Random => &mut random,
                FieldKind::Rollback => &mut rollback,
            };
            if place.bits != 0 {
                return Err(LayoutProblem::FieldTwice);
            }
            *place = slot;
            index += 1;
        }
        if used != 64 {
            return Err(LayoutProblem::WidthSum { bits: used });
        }
        if timestamp.bits == 0 {
            return Err(LayoutProblem::NoTimestamp);
        }
        let counter = match (sequence.bits, random.bits) {
            (0, 0) => return Err(LayoutProblem::NoCounter),
            (_, 0) => sequence,
            (0, _) => random,
            _ => return Err(LayoutProblem::SequenceAndRandom),
        };
        if timestamp.bits + counter.bits > 63 {
            return Err(LayoutProblem::PositionTooWide { bits: timestamp.bits + counter.bits });
        }
        if rollback.bits > MOST_ROLLBACK_BITS {
            return Err(LayoutProblem::RollbackTooWide { bits: rollback.bits, max: MOST_ROLLBACK_BITS });
        }
        if self.tick_us == 0 {
            return Err(LayoutProblem::ZeroTick);
        }
        // Ticks are counted in nanoseconds of 64 bits.
        if self.tick_us > u64::MAX / 1_000 {
            return Err(LayoutProblem::TimeTooLong);
        }
        let last_ms = self.epoch_ms as i128 + timestamp.max() as i128 * self.tick_us as i128 / 1_000;
        if last_ms > i64::MAX as i128 {
            return Err(LayoutProblem::TimeTooLong);
        }
        Ok(Layout {
            spec: self,
            timestamp,
            node,
            counter,
            rollback,
            random: random.bits != 0,
            unused_mask,
            last_ms: last_ms as i64,
        })
    }

    /// The widths of all fields together, for the message.
    const fn width(&self) -> u32 {
        let mut bits: u32 = 0;
        let mut index = 0;
        while index < self.len {
            bits = bits.saturating_add(self.fields[index].bits);
            index += 1;
        }
        bits
    }
}

impl Default for LayoutSpec {
    fn default() -> Self {
        Self::new()
    }
}
