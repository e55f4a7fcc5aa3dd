//! What a scheme is to its engine, and what the ID of a position holds.

use crate::cursor::Position;
use crate::id::Scheme;
use crate::layout::{Fields, Layout};

/// The most nodes that one cursor can count.
pub(super) const fn most_nodes<P: Position>(layout: &Layout, counter_bits: u32) -> u64 {
    let bits = P::BITS.saturating_sub(layout.timestamp_bits() + counter_bits);
    1 << if bits < 63 { bits } else { 63 }
}

/// What a scheme is to its engine.
#[derive(Clone, Copy, Debug)]
pub(in crate::generator) struct Format {
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "state files name it"))]
    pub(in crate::generator) scheme: Scheme,
    pub(in crate::generator) layout: Layout,
    /// The format's own unit, in which windows are told.
    pub(in crate::generator) unit_ms: i64,
    /// How many bits of a position count within a tick: the layout's, or some that no ID shows.
    pub(in crate::generator) counter_bits: u32,
    /// How many ticks ahead of the clock an ID may be.
    pub(in crate::generator) borrow: u64,
    pub(in crate::generator) owner: Owner,
    /// Whose numbers the IDs are: generators of one process count together only with others of the same numbers.
    pub(in crate::generator) numbers: &'static str,
    /// Which secret encrypts the IDs; none for those that are not.
    #[cfg(feature = "std")]
    pub(in crate::generator) key_id: Option<u32>,
}

/// What keeps the IDs of two generators apart, and so those of a process and of its copy made by fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generator) enum Owner {
    /// Nodes: a copy has none. Generators of one process with the same nodes count together.
    Node,
    /// Nothing: a copy is allowed to collide. Generators of one process count together.
    Nothing,
    /// What each draws for itself, copies too.
    Random,
}

impl Format {
    /// A scheme whose nodes keep its generators apart, with windows in milliseconds.
    pub(in crate::generator) const fn of(scheme: Scheme, layout: Layout) -> Self {
        Format {
            scheme,
            layout,
            unit_ms: 1,
            counter_bits: layout.counter_bits(),
            borrow: 0,
            owner: Owner::Node,
            numbers: numbers_of(scheme),
            #[cfg(feature = "std")]
            key_id: None,
        }
    }
}

/// Whose IDs are told apart by their bits alone: Snowflake, Flake and Ulid-Flake put fields into the same numbers, and count together. A
/// Randflake's fields are encrypted; the other schemes keep cursors of their own.
const fn numbers_of(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Snowflake | Scheme::UlidFlake | Scheme::Flake => "fields",
        _ => scheme.name(),
    }
}

/// How the number of a position is put together where sequence, node and time follow each other from the lowest bit on, as in most layouts: the time moves up past
/// the nodes that are not ours, and what is always the same is added.
#[derive(Clone, Copy, Debug)]
pub(in crate::generator) struct Line {
    shift: u32,
    base: u64,
}

impl Line {
    /// Of positions that have the lowest bits for a counter, and count nodes from this one on.
    pub(in crate::generator) fn of(layout: &Layout, counter_bits: u32, first_node: u64) -> Option<Self> {
        let shift = layout.line_shift(counter_bits)?;
        let base = layout.join(Fields { tick: 0, node: first_node, counter: 0, rollback: 0 });
        Some(Line { shift, base: base as u64 })
    }

    /// The number of a position: its tick, and what is below.
    #[inline]
    pub(in crate::generator) fn number(self, tick: u64, low: u64) -> i64 {
        ((tick << self.shift) + low + self.base) as i64
    }

    /// How far up the time is.
    pub(in crate::generator) fn shift(self) -> u32 {
        self.shift
    }

    /// What is added to a position with so many low bits, where that makes its number.
    pub(in crate::generator) fn offset(self, bits: u32) -> Option<u64> {
        (bits == self.shift).then_some(self.base)
    }
}

/// What the ID of a position holds.
#[derive(Clone, Copy, Debug)]
pub(in crate::generator) struct Taken<P> {
    pub(in crate::generator) tick: u64,
    pub(in crate::generator) node: u64,
    pub(in crate::generator) counter: P,
    pub(in crate::generator) rollback: u64,
}

impl From<Taken<u64>> for Fields {
    #[inline]
    fn from(Taken { tick, node, counter, rollback }: Taken<u64>) -> Self {
        Fields { tick, node, counter, rollback }
    }
}
