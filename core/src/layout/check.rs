//! Validates a [`LayoutSpec`] and makes a [`Layout`] of it: the only constructor of layouts.
//!
//! All of it is `const`, so that presets are checked at compile time.

use super::{Field, FieldKind, FieldList, Layout, LayoutSpec, MAX_FIELDS, NS_PER_MS, Slot};
use crate::error::{Error, Excerpt, LayoutProblem};

/// The smallest width of an ID, in bits.
pub const FEWEST_BITS: u32 = 16;
/// The largest width of an ID, in bits.
pub const MAX_BITS: u32 = 128;

/// The bit positions of the fields of each kind.
struct Slots {
    timestamp: Slot,
    node: Slot,
    /// Whether the previous field was a part of the node.
    node_is_next: bool,
    /// Whether the node is one field without a name.
    node_is_whole: bool,
    sequence: Slot,
    random_start: bool,
    growing: Slot,
    random: Slot,
    rollback: Slot,
    fixed_mask: u128,
    fixed: u128,
}

impl LayoutSpec {
    /// Validates the description and makes a layout of it.
    ///
    /// # Errors
    /// `InvalidLayout` with the reason and the field at fault:
    ///
    /// - The widths add up to less than 16 or more than 128, or there are more than 16 fields.
    /// - There is no timestamp.
    /// - A field occurs twice, is too wide, or has a property that its kind does not have.
    /// - There are both a sequence and a growing random part.
    /// - The parts of the node are not adjacent, or have equal names.
    /// - The tick is 0, or the last tick's time does not fit a signed 64-bit number of
    ///   milliseconds.
    pub const fn check(self) -> Result<Layout, Error> {
        match self.checked() {
            Ok(layout) => Ok(layout),
            Err(reason) => Err(Error::InvalidLayout { reason }),
        }
    }

    const fn checked(self) -> Result<Layout, LayoutProblem> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        if self.len > MAX_FIELDS {
            return Err(LayoutProblem::TooManyFields);
        }
        let bits = self.width();
        if bits < FEWEST_BITS || bits > MAX_BITS {
            return Err(LayoutProblem::WidthSum { bits });
        }
        let slots = match self.slots(bits) {
            Ok(slots) => slots,
            Err(problem) => return Err(problem),
        };
        let Slots { timestamp, node, sequence, growing, random, rollback, fixed_mask, fixed, .. } = slots;
        if timestamp.bits == 0 {
            return Err(LayoutProblem::NoTimestamp);
        }
        if sequence.bits > 0 && growing.bits > 0 {
            return Err(LayoutProblem::SequenceAndRandom);
        }
        // `LayoutSpec::field` checked each field. Only several parts of the node can be too wide
        // together.
        let max = FieldKind::Node.max_bits();
        if node.bits > max {
            let part = Excerpt::of_part(FieldKind::Node.name(), "");
            return Err(LayoutProblem::FieldWidth { part, bits: node.bits as i64, max });
        }
        if self.tick_ns == 0 {
            return Err(LayoutProblem::ZeroTick);
        }
        // `LayoutSpec::tick_us` saturates at `u64::MAX` nanoseconds.
        if self.tick_ns == u64::MAX {
            return Err(LayoutProblem::TimeTooLong);
        }
        let last_ms = self.epoch_ms as i128 + timestamp.max() as i128 * self.tick_ns as i128 / NS_PER_MS;
        if last_ms > i64::MAX as i128 {
            return Err(LayoutProblem::TimeTooLong);
        }
        Ok(Layout {
            spec: self,
            bits,
            timestamp,
            node,
            counter: if growing.bits > 0 { growing } else { sequence },
            rollback,
            random,
            fixed_mask,
            fixed,
            random_start: slots.random_start,
            #[expect(clippy::cast_possible_truncation, reason = "a larger one was refused above")]
            last_ms: last_ms as i64,
        })
    }

    /// Finds the bit position of every field in an ID of `bits` bits.
    const fn slots(&self, bits: u32) -> Result<Slots, LayoutProblem> {
        let mut slots = Slots {
            timestamp: Slot::NONE,
            node: Slot::NONE,
            node_is_next: false,
            node_is_whole: false,
            sequence: Slot::NONE,
            random_start: false,
            growing: Slot::NONE,
            random: Slot::NONE,
            rollback: Slot::NONE,
            // Bits above the ID's width are 0 too.
            fixed_mask: if bits == 128 { 0 } else { u128::MAX << bits },
            fixed: 0,
        };
        let FieldList { fields, len } = self.fields();
        let mut below = bits;
        let mut index = 0;
        while index < len {
            let field = fields[index];
            below -= field.bits;
            let slot = Slot::new(below, field.bits);
            let place = match field.kind {
                FieldKind::Unused | FieldKind::Constant => {
                    slots.fixed_mask |= slot.mask();
                    slots.fixed |= slot.put_wide(field.value);
                    None
                }
                FieldKind::Node => {
                    if let Some(problem) = self.add_node(&mut slots, field, slot) {
                        return Err(problem);
                    }
                    None
                }
                FieldKind::Timestamp => Some(&mut slots.timestamp),
                FieldKind::Sequence => Some(&mut slots.sequence),
                FieldKind::Random if field.step > 0 => Some(&mut slots.growing),
                FieldKind::Random => Some(&mut slots.random),
                FieldKind::Rollback => Some(&mut slots.rollback),
            };
            if let Some(place) = place {
                if place.bits != 0 {
                    return Err(LayoutProblem::FieldTwice { part: field.part() });
                }
                *place = slot;
            }
            slots.random_start |= field.random_start;
            slots.node_is_next = matches!(field.kind, FieldKind::Node);
            index += 1;
        }
        Ok(slots)
    }

    /// Adds the node, or a part of it below the parts added before.
    const fn add_node(&self, slots: &mut Slots, field: Field, slot: Slot) -> Option<LayoutProblem> {
        if slots.node.bits == 0 {
            slots.node = slot;
            slots.node_is_whole = field.name.is_empty();
        } else if slots.node_is_whole || field.name.is_empty() {
            return Some(LayoutProblem::NodeTwice { part: Excerpt::of_part(FieldKind::Node.name(), "") });
        } else if !slots.node_is_next {
            return Some(LayoutProblem::NodeApart { part: field.part() });
        } else {
            slots.node = Slot::new(slot.shift, slots.node.bits + slot.bits);
        }
        if !field.name.is_empty() && self.has_name_twice(&field.name) {
            return Some(LayoutProblem::NodeTwice { part: field.part() });
        }
        None
    }
}
