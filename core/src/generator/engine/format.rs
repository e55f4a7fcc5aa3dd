//! The engine's view of a scheme, and the fields of a taken position.

use crate::cursor::Position;
use crate::layout::{Fields, Layout};
use crate::scheme::Scheme;

/// Returns the maximum number of nodes that one cursor can count.
pub(super) const fn max_nodes<P: Position>(layout: &Layout, counter_bits: u32) -> u64 {
    let bits = P::BITS.saturating_sub(layout.timestamp_bits() + counter_bits);
    1 << if bits < 63 { bits } else { 63 }
}

/// The properties of a scheme that the engine needs.
#[derive(Clone, Copy, Debug)]
pub(in crate::generator) struct Format {
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "state files name it"))]
    pub(in crate::generator) scheme: Scheme,
    pub(in crate::generator) layout: Layout,
    /// The unit of `window` and `not_before`, in milliseconds.
    pub(in crate::generator) unit_ms: i64,
    /// The number of bits that count within a tick: the layout's counter, or one that no ID shows.
    pub(in crate::generator) counter_bits: u32,
    /// The node of every generator, for schemes that take no node from the options.
    pub(in crate::generator) node: Option<i64>,
    /// The maximum number of ticks by which an ID may be ahead of the clock.
    pub(in crate::generator) borrow: u64,
    pub(in crate::generator) owner: Owner,
    /// The ID space. Generators share a cursor only within one space.
    pub(in crate::generator) numbers: &'static str,
    /// The id of the secret that encrypts the IDs; `None` if they are not encrypted.
    #[cfg(feature = "std")]
    pub(in crate::generator) key_id: Option<u32>,
}

/// What keeps the IDs of two generators apart, and those of a process and its forked copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generator) enum Owner {
    /// Nodes. A forked copy has no nodes of its own. Generators of one process with the same nodes
    /// share a cursor.
    Node,
    /// Nothing. A forked copy may make equal IDs. Generators of one process share a cursor.
    Nothing,
    /// Random bits of each generator, which are new in a forked copy.
    Random,
}

impl Format {
    /// Returns the format of a scheme with nodes, windows in milliseconds, and an ID space of its
    /// own.
    pub(in crate::generator) const fn of(scheme: Scheme, layout: Layout) -> Self {
        Format {
            scheme,
            layout,
            unit_ms: 1,
            counter_bits: layout.counter_bits(),
            borrow: 0,
            owner: Owner::Node,
            numbers: scheme.name(),
            node: None,
            #[cfg(feature = "std")]
            key_id: None,
        }
    }

    /// Returns the format of a scheme without nodes, whose generators differ by random bits.
    #[cfg(target_has_atomic = "64")]
    pub(in crate::generator) const fn of_random(scheme: Scheme, layout: Layout) -> Self {
        Format { owner: Owner::Random, node: Some(0), ..Format::of(scheme, layout) }
    }

    /// Returns the format of a scheme whose IDs contain only the fields of their layout.
    ///
    /// Equal fields give equal IDs in all such schemes, so their generators share cursors.
    pub(in crate::generator) const fn of_fields(scheme: Scheme, layout: Layout) -> Self {
        Format { numbers: "fields", ..Format::of(scheme, layout) }
    }
}

/// The conversion from a position to its number, for layouts with sequence, node and time in this
/// order from the lowest bit up, as in most layouts.
///
/// It shifts the time past the bits of nodes outside the range, and adds the constant bits.
#[derive(Clone, Copy, Debug)]
pub(in crate::generator) struct Line {
    shift: u32,
    base: u64,
}

impl Line {
    /// Returns the conversion for positions with a counter in the lowest bits, and nodes counted
    /// from `first_node`.
    pub(in crate::generator) fn of(layout: &Layout, counter_bits: u32, first_node: u64) -> Option<Self> {
        let shift = layout.line_shift(counter_bits)?;
        let base = layout.join(Fields { tick: 0, node: first_node, counter: 0, rollback: 0 });
        Some(Line { shift, base: base as u64 })
    }

    /// Returns the number of a position, given as its tick and its low bits.
    #[inline]
    pub(in crate::generator) fn number(self, tick: u64, low: u64) -> i64 {
        ((tick << self.shift) + low + self.base) as i64
    }

    /// Returns the shift of the time in the number.
    pub(in crate::generator) fn shift(self) -> u32 {
        self.shift
    }

    /// Returns the difference between a number and its position, if a position with so many low
    /// bits needs no shift.
    pub(in crate::generator) fn offset(self, bits: u32) -> Option<u64> {
        (bits == self.shift).then_some(self.base)
    }
}

/// The fields of a taken position, from which its ID is made.
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
