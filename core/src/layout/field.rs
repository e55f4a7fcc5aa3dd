//! The parts of which a layout is made.

use crate::error::{Error, Excerpt};

/// What the bits of a field stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// Always 0; as the highest bit it keeps IDs positive.
    Unused,
    /// Ticks since the layout's epoch.
    Timestamp,
    /// The node, machine, shard or scalability id.
    Node,
    /// Counts from 0 within a tick.
    Sequence,
    /// Drawn anew each tick; grows by a random step within it.
    Random,
    /// How often the clock has stepped back: each value is a node of its own, so that a generator goes on when the clock does
    /// (see [`crate::Rollback::Bits`]). 1 to 4 bits.
    Rollback,
}

impl FieldKind {
    /// Every kind.
    pub const ALL: [FieldKind; 6] = [
        FieldKind::Unused,
        FieldKind::Timestamp,
        FieldKind::Node,
        FieldKind::Sequence,
        FieldKind::Random,
        FieldKind::Rollback,
    ];

    /// The field's name in every language: `unused`, `timestamp`, `node`, `sequence`, `random` or `rollback`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FieldKind::Unused => "unused",
            FieldKind::Timestamp => "timestamp",
            FieldKind::Node => "node",
            FieldKind::Sequence => "sequence",
            FieldKind::Random => "random",
            FieldKind::Rollback => "rollback",
        }
    }

    /// The kind of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(Error::UnknownField { name: Excerpt::new(name) })
    }
}

/// One field of a layout: what it holds, and how many bits wide it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// What the bits stand for.
    pub kind: FieldKind,
    /// The width, 1 to 64 bits.
    pub bits: u32,
}

/// Where a field stands in the 64 bits. A layout without the field has a slot of 0 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) shift: u32,
    pub(crate) bits: u32,
}

impl Slot {
    pub(crate) const NONE: Slot = Slot { shift: 0, bits: 0 };

    /// The largest value the field holds; 0 for an absent field.
    pub(crate) const fn max(self) -> u64 {
        if self.bits == 0 { 0 } else { u64::MAX >> (64 - self.bits) }
    }

    pub(crate) const fn put(self, value: u64) -> u64 {
        value << self.shift
    }

    pub(crate) const fn get(self, raw: u64) -> u64 {
        (raw >> self.shift) & self.max()
    }
}
