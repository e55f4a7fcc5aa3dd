//! The fields of a layout: [`Field`] describes one, `Slot` is its position in the bits of an ID.
//!
//! `Field` and [`FieldList`] are public; `Slot` is for the crate.

use super::{FieldKind, Name};
use crate::error::{Error, Excerpt, FieldKey, LayoutProblem, Wide};
use core::ops::Deref;

/// The most fields that a layout may have.
pub const MAX_FIELDS: usize = 16;

/// One field of a layout: its kind, its width, and the properties of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The kind: what the bits hold.
    pub kind: FieldKind,
    /// The width in bits, at least 1.
    ///
    /// The maximum is 63 for timestamp and node, 64 for a sequence, 4 for rollback, and 127 for
    /// other kinds.
    pub bits: u32,
    /// The name of this part of the node; [`Name::NONE`] for a node in one piece and for other
    /// kinds.
    pub name: Name,
    /// The value of a constant; 0 for other kinds.
    pub value: u128,
    /// The largest step by which a random part grows within a tick. It is 0 for a random part that
    /// is new for each ID, and for other kinds.
    pub step: u64,
    /// Whether a sequence starts each tick at a random number in the lower half of its range.
    /// Otherwise it starts at 0.
    pub random_start: bool,
}

impl Field {
    /// Creates a field. A constant is 0, a random part is new for each ID, and a sequence starts at
    /// 0.
    #[must_use]
    pub const fn new(kind: FieldKind, bits: u32) -> Self {
        Field { kind, bits, name: Name::NONE, value: 0, step: 0, random_start: false }
    }

    /// Creates a constant: bits with the value `value` in every ID.
    #[must_use]
    pub const fn constant(bits: u32, value: u128) -> Self {
        Field { value, ..Self::new(FieldKind::Constant, bits) }
    }

    /// Creates a named part of the node.
    #[must_use]
    pub const fn node_part(name: Name, bits: u32) -> Self {
        Field { name, ..Self::new(FieldKind::Node, bits) }
    }

    /// Creates a random part that starts each tick at a random number. Within the tick, it grows by
    /// a random step of 1 to `step` for each ID. With a step of 0, it is new for each ID instead.
    #[must_use]
    pub const fn random_step(bits: u32, step: u64) -> Self {
        Field { step, ..Self::new(FieldKind::Random, bits) }
    }

    /// Creates a sequence that starts each tick at a random number in the lower half of its range.
    #[must_use]
    pub const fn sequence_from_random(bits: u32) -> Self {
        Field { random_start: true, ..Self::new(FieldKind::Sequence, bits) }
    }

    /// Creates a field with a width that is a signed number, so that an error can show a negative
    /// width.
    ///
    /// # Errors
    /// `InvalidLayout` for a width that this kind cannot have.
    pub fn of_width(kind: FieldKind, bits: i64) -> Result<Self, Error> {
        let max = kind.max_bits();
        match u32::try_from(bits) {
            Ok(bits) if (1..=max).contains(&bits) => Ok(Self::new(kind, bits)),
            _ => refused(LayoutProblem::FieldWidth { part: Excerpt::new(kind.name()), bits, max }),
        }
    }

    /// Returns the field with this name, for a part of the node.
    ///
    /// # Errors
    /// `InvalidLayout` if `name` is not a valid name, or if the field is not a node.
    pub fn with_name(self, name: &str) -> Result<Self, Error> {
        self.of_kind(FieldKind::Node, FieldKey::Name)?;
        Ok(Field { name: Name::new(name)?, ..self })
    }

    /// Returns the field with this value, for a constant. `Err` holds a negative value, which the
    /// error then shows.
    ///
    /// # Errors
    /// `InvalidLayout` for a negative or too large number, and if the field is not a constant.
    pub fn with_value(self, value: Result<u128, i64>) -> Result<Self, Error> {
        self.of_kind(FieldKind::Constant, FieldKey::Value)?;
        let value = self.natural(FieldKey::Value, value)?;
        if value > self.max() {
            return refused(LayoutProblem::ConstantTooLarge { bits: self.bits, value: Wide::new(value) });
        }
        Ok(Field { value, ..self })
    }

    /// Returns the field with this step, at least 1, for a random part. `Err` holds a negative
    /// step, which the error then shows.
    ///
    /// # Errors
    /// `InvalidLayout` for a step that is 0, negative or too large for the width, and if the field
    /// is not random.
    pub fn with_step(self, step: Result<u128, i64>) -> Result<Self, Error> {
        self.of_kind(FieldKind::Random, FieldKey::Step)?;
        let step = self.natural(FieldKey::Step, step)?;
        match u64::try_from(step) {
            Ok(small) if small > 0 && step <= self.max() => Ok(Field { step: small, ..self }),
            _ => refused(LayoutProblem::StepOutOfRange { bits: self.bits, step: Wide::new(step) }),
        }
    }

    /// Returns the field with this start, `0` or `random`, for a sequence.
    ///
    /// # Errors
    /// `InvalidLayout` for other text, and if the field is not a sequence.
    pub fn with_start(self, start: &str) -> Result<Self, Error> {
        self.of_kind(FieldKind::Sequence, FieldKey::Start)?;
        match start {
            "0" => Ok(Field { random_start: false, ..self }),
            "random" => Ok(Field { random_start: true, ..self }),
            _ => refused(LayoutProblem::StartInvalid { start: Excerpt::new(start) }),
        }
    }

    fn of_kind(&self, kind: FieldKind, key: FieldKey) -> Result<(), Error> {
        if self.kind == kind { Ok(()) } else { refused(LayoutProblem::NotOfThisField { part: self.part(), key }) }
    }

    fn natural(&self, key: FieldKey, number: Result<u128, i64>) -> Result<u128, Error> {
        number.or_else(|number| refused(LayoutProblem::Negative { part: self.part(), key, number }))
    }

    /// Returns the largest number that fits the width.
    fn max(&self) -> u128 {
        u128::MAX.checked_shr(128 - self.bits.min(128)).unwrap_or(0)
    }

    /// Returns the name for error messages: `timestamp`, `node.worker`.
    pub(super) const fn part(&self) -> Excerpt {
        Excerpt::of_part(self.kind.name(), self.name.as_str())
    }
}

fn refused<T>(reason: LayoutProblem) -> Result<T, Error> {
    Err(Error::InvalidLayout { reason })
}

/// The fields of a layout, from the highest bit to the lowest. Dereferences to a slice; needs no
/// allocator.
#[derive(Clone, Copy, Debug)]
pub struct FieldList {
    pub(super) fields: [Field; MAX_FIELDS],
    pub(super) len: usize,
}

impl Deref for FieldList {
    type Target = [Field];

    fn deref(&self) -> &[Field] {
        &self.fields[..self.len]
    }
}

impl AsRef<[Field]> for FieldList {
    fn as_ref(&self) -> &[Field] {
        self
    }
}

impl IntoIterator for FieldList {
    type Item = Field;
    type IntoIter = core::iter::Take<core::array::IntoIter<Field, MAX_FIELDS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.fields.into_iter().take(self.len)
    }
}

impl<T: AsRef<[Field]>> PartialEq<T> for FieldList {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

/// The position of a field in the bits of an ID. A layout without the field has a slot of 0 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) shift: u32,
    pub(crate) bits: u32,
    max: u64,
}

impl Slot {
    pub(crate) const NONE: Slot = Slot { shift: 0, bits: 0, max: 0 };

    pub(crate) const fn new(shift: u32, bits: u32) -> Self {
        let max = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Slot { shift, bits, max }
    }

    /// Returns the largest value of the field, at most `u64::MAX`; 0 for an absent field.
    pub(crate) const fn max(self) -> u64 {
        self.max
    }

    /// Returns the largest value of the field; 0 for an absent field.
    pub(crate) const fn max_wide(self) -> u128 {
        if self.bits == 0 { 0 } else { u128::MAX >> (128 - self.bits) }
    }

    /// Shifts a value to the position of the field. Only for layouts of up to 64 bits.
    pub(crate) const fn put(self, value: u64) -> u64 {
        value << self.shift
    }

    /// Extracts the value of the field. Only for layouts of up to 64 bits.
    pub(crate) const fn get(self, raw: u64) -> u64 {
        (raw >> self.shift) & self.max
    }

    pub(crate) const fn put_wide(self, value: u128) -> u128 {
        (value & self.max_wide()) << self.shift
    }

    pub(crate) const fn get_wide(self, raw: u128) -> u128 {
        (raw >> self.shift) & self.max_wide()
    }

    /// Returns the mask of the bits of the field.
    pub(crate) const fn mask(self) -> u128 {
        self.put_wide(u128::MAX)
    }
}
