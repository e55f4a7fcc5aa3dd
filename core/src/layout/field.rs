//! The parts of which a layout is made.

use super::Name;
use crate::error::{Error, Excerpt, FieldKey, LayoutProblem, Wide};
use core::ops::Deref;

/// The most fields a layout has.
pub const MOST_FIELDS: usize = 16;

/// What the bits of a field stand for.
///
/// ```
/// use saiban::{Layout, layout::FieldKind};
/// let kinds: Vec<FieldKind> = Layout::TWITTER.places().map(|place| place.field.kind).collect();
/// assert_eq!(kinds, [FieldKind::Unused, FieldKind::Timestamp, FieldKind::Node, FieldKind::Sequence]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// Always 0; as the highest bit it keeps IDs positive.
    Unused,
    /// Ticks since the layout's epoch.
    Timestamp,
    /// The node, machine, shard or scalability id. May be made of parts with names, which are neighbours.
    Node,
    /// Counts within a tick, from 0, or from a number drawn in the lower half of its range.
    Sequence,
    /// Drawn afresh for each ID; or, with a step, drawn anew each tick, and growing by 1 to the step within it.
    Random,
    /// How often the clock has stepped back: each value is a node of its own, so that a generator goes on when the clock does
    /// (see [`crate::Rollback::Bits`]). 1 to 4 bits.
    Rollback,
    /// Always the same number.
    Constant,
}

impl FieldKind {
    /// Every kind.
    pub const ALL: [FieldKind; 7] = [
        FieldKind::Unused,
        FieldKind::Timestamp,
        FieldKind::Node,
        FieldKind::Sequence,
        FieldKind::Random,
        FieldKind::Rollback,
        FieldKind::Constant,
    ];

    /// The field's name in every language: `unused`, `timestamp`, `node`, `sequence`, `random`, `rollback` or `constant`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FieldKind::Unused => "unused",
            FieldKind::Timestamp => "timestamp",
            FieldKind::Node => "node",
            FieldKind::Sequence => "sequence",
            FieldKind::Random => "random",
            FieldKind::Rollback => "rollback",
            FieldKind::Constant => "constant",
        }
    }

    /// The kind of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(Error::UnknownField { name: Excerpt::new(name) })
    }

    /// The widest field of this kind.
    #[must_use]
    pub const fn most_bits(self) -> u32 {
        match self {
            // Ticks are counted in 64 bits, one of which is left for the tick after the last; nodes are signed numbers in most languages.
            FieldKind::Timestamp | FieldKind::Node => 63,
            // Parts tell it as a number of 64 bits.
            FieldKind::Sequence => 64,
            // Each value keeps a cursor.
            FieldKind::Rollback => 4,
            FieldKind::Unused | FieldKind::Constant | FieldKind::Random => 127,
        }
    }
}

/// One field of a layout: what it holds, how many bits wide it is, and what else its kind needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// What the bits stand for.
    pub kind: FieldKind,
    /// The width: 1 to 63 bits for timestamp and node, 1 to 4 for rollback, 1 to 127 for others.
    pub bits: u32,
    /// The name of this part of the node; [`Name::NONE`] for the whole node, and for other kinds.
    pub name: Name,
    /// The number that a constant always is; 0 for other kinds.
    pub value: u128,
    /// By how much a random part grows at the most within a tick; 0 where it is drawn afresh for each ID, and for other kinds.
    pub step: u64,
    /// Whether a sequence begins each tick with a number drawn in the lower half of its range, and not with 0.
    pub random_start: bool,
}

impl Field {
    /// A field of this kind and width. A constant is 0, a random part is drawn afresh, a sequence begins with 0.
    #[must_use]
    pub const fn new(kind: FieldKind, bits: u32) -> Self {
        Field { kind, bits, name: Name::NONE, value: 0, step: 0, random_start: false }
    }

    /// Bits that are always this number.
    #[must_use]
    pub const fn constant(bits: u32, value: u128) -> Self {
        Field { value, ..Self::new(FieldKind::Constant, bits) }
    }

    /// A part of the node, with its name.
    #[must_use]
    pub const fn node_part(name: Name, bits: u32) -> Self {
        Field { name, ..Self::new(FieldKind::Node, bits) }
    }

    /// A random part that is drawn anew each tick and grows by 1 to `step`, drawn too, within it. With the step 0 it is drawn afresh
    /// for each ID.
    #[must_use]
    pub const fn random_step(bits: u32, step: u64) -> Self {
        Field { step, ..Self::new(FieldKind::Random, bits) }
    }

    /// A sequence that begins each tick with a number drawn in the lower half of its range.
    #[must_use]
    pub const fn sequence_from_random(bits: u32) -> Self {
        Field { random_start: true, ..Self::new(FieldKind::Sequence, bits) }
    }

    /// A field of this kind and width, where the width comes as a signed number: a negative one is told as it was given.
    ///
    /// # Errors
    /// `InvalidLayout` for a width that no field of this kind has.
    pub fn of_width(kind: FieldKind, bits: i64) -> Result<Self, Error> {
        let max = kind.most_bits();
        match u32::try_from(bits) {
            Ok(bits) if (1..=max).contains(&bits) => Ok(Self::new(kind, bits)),
            _ => refused(LayoutProblem::FieldWidth { part: Excerpt::new(kind.name()), bits, max }),
        }
    }

    /// The same with this name of a part of the node.
    ///
    /// # Errors
    /// `InvalidLayout` for text that is no name, and for a field that is no node.
    pub fn with_name(self, name: &str) -> Result<Self, Error> {
        self.of_kind(FieldKind::Node, FieldKey::Name)?;
        Ok(Field { name: Name::new(name)?, ..self })
    }

    /// The same with this number of a constant; `Err` holds a negative one, to be told as it was given.
    ///
    /// # Errors
    /// `InvalidLayout` for a negative or too large number, and for a field that is no constant.
    pub fn with_value(self, value: Result<u128, i64>) -> Result<Self, Error> {
        self.of_kind(FieldKind::Constant, FieldKey::Value)?;
        let value = self.natural(FieldKey::Value, value)?;
        if value > self.max() {
            return refused(LayoutProblem::ConstantTooLarge { bits: self.bits, value: Wide::new(value) });
        }
        Ok(Field { value, ..self })
    }

    /// The same with this step of a random part, at least 1; `Err` holds a negative one, to be told as it was given.
    ///
    /// # Errors
    /// `InvalidLayout` for a step that is 0, negative, or more than the part can grow, and for a field that is not random.
    pub fn with_step(self, step: Result<u128, i64>) -> Result<Self, Error> {
        self.of_kind(FieldKind::Random, FieldKey::Step)?;
        let step = self.natural(FieldKey::Step, step)?;
        match u64::try_from(step) {
            Ok(small) if small > 0 && step <= self.max() => Ok(Field { step: small, ..self }),
            _ => refused(LayoutProblem::StepOutOfRange { bits: self.bits, step: Wide::new(step) }),
        }
    }

    /// The same with this start of a sequence: `0`, or `random`.
    ///
    /// # Errors
    /// `InvalidLayout` for other text, and for a field that is no sequence.
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

    /// The largest number of so many bits.
    fn max(&self) -> u128 {
        u128::MAX.checked_shr(128 - self.bits.min(128)).unwrap_or(0)
    }

    /// What messages call it: `timestamp`, `node.worker`.
    pub(super) const fn part(&self) -> Excerpt {
        Excerpt::of_part(self.kind.name(), self.name.as_str())
    }
}

fn refused<T>(reason: LayoutProblem) -> Result<T, Error> {
    Err(Error::InvalidLayout { reason })
}

/// The fields of a layout, from the highest bit to the lowest: a slice, without an allocator.
#[derive(Clone, Copy, Debug)]
pub struct FieldList {
    pub(super) fields: [Field; MOST_FIELDS],
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
    type IntoIter = core::iter::Take<core::array::IntoIter<Field, MOST_FIELDS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.fields.into_iter().take(self.len)
    }
}

impl<T: AsRef<[Field]>> PartialEq<T> for FieldList {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

/// Where a field stands in the bits of an ID. A layout without the field has a slot of 0 bits.
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

    /// The largest value the field holds, as far as 64 bits tell it; 0 for an absent field.
    pub(crate) const fn max(self) -> u64 {
        self.max
    }

    /// The largest value the field holds; 0 for an absent field.
    pub(crate) const fn max_wide(self) -> u128 {
        if self.bits == 0 { 0 } else { u128::MAX >> (128 - self.bits) }
    }

    /// Only for layouts of up to 64 bits.
    pub(crate) const fn put(self, value: u64) -> u64 {
        value << self.shift
    }

    /// Only for layouts of up to 64 bits.
    pub(crate) const fn get(self, raw: u64) -> u64 {
        (raw >> self.shift) & self.max
    }

    pub(crate) const fn put_wide(self, value: u128) -> u128 {
        (value & self.max_wide()) << self.shift
    }

    pub(crate) const fn get_wide(self, raw: u128) -> u128 {
        (raw >> self.shift) & self.max_wide()
    }

    /// The bits of the field.
    pub(crate) const fn mask(self) -> u128 {
        self.put_wide(u128::MAX)
    }
}
