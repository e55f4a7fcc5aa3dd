//! The properties of a layout.

use crate::ffi::{Fill, Out, ffi};
use crate::layout::{Layout, number_of};
use crate::node::text_of;
use crate::versioned::{Versioned, unknown_size};
use saiban::layout::Capacity;
use std::ffi::c_char;

/// An array of this many places holds those of any layout.
pub const SAIBAN_FIELDS_MAX: usize = 16;

/// The lifetime and capacity of a layout, and the properties of its IDs: see
/// saiban_layout_properties. Numbers that may have more than 64 bits are bytes, highest first:
/// saiban_encode_wide writes them.
// The struct has no padding. A new member goes to the end, and the new size into `SIZES`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Properties {
    /// When the first tick begins, Unix milliseconds: the epoch.
    pub first_ms: i64,
    /// When the last tick begins, Unix milliseconds, rounded down.
    pub last_ms: i64,
    /// The lifetime, from the first tick to the end of the last, milliseconds.
    pub lifetime_ms: u64,
    /// The nodes; 1 without a node field.
    pub nodes: u64,
    /// The most IDs that one node makes in one tick: the numbers of the sequence or of the random
    /// part, 1 where there is neither.
    pub ids_per_tick: [u8; 16],
    /// How many different IDs there are; 2^128 - 1 for 2^128.
    pub ids: [u8; 16],
    /// The sustained number of IDs a second of one node.
    pub ids_per_second_per_node: f64,
    /// The sustained number of IDs a second of all nodes.
    pub ids_per_second_in_all: f64,
    /// How many bits an ID has, 16 to 128.
    pub size_bits: u32,
    /// How many of them are neither unused nor constant.
    pub bits: u32,
    /// How many fields there are.
    pub fields: u32,
    /// Whether time, node and counter distinguish all IDs; if not see saiban_layout_collision_odds.
    pub is_unique: bool,
    /// Whether IDs are in the order of their times.
    pub is_time_ordered: bool,
    /// Whether IDs have more than 64 bits, so that they are bytes and not an int64_t.
    pub is_wide: bool,
    /// 0.
    pub reserved: u8,
}

impl Versioned for Properties {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_properties");
}

impl From<&saiban::Layout> for Properties {
    fn from(layout: &saiban::Layout) -> Self {
        let Capacity { ids_per_tick, nodes, bits, ids } = layout.capacity();
        let rate = layout.ids_per_second();
        Properties {
            first_ms: layout.first_ms(),
            last_ms: layout.last_ms(),
            lifetime_ms: layout.lifetime_ms(),
            nodes,
            ids_per_tick: ids_per_tick.to_be_bytes(),
            ids: ids.to_be_bytes(),
            ids_per_second_per_node: rate.per_node,
            ids_per_second_in_all: rate.in_all,
            size_bits: layout.size_bits(),
            bits,
            fields: layout.places().map(|_| 1).sum(),
            is_unique: layout.is_unique(),
            is_time_ordered: layout.is_time_ordered(),
            is_wide: layout.is_wide(),
            reserved: 0,
        }
    }
}

/// A field in its place. What its kind does not have is 0, "" or false.
#[repr(C)]
pub struct Place {
    /// The largest number that the field holds, highest byte first.
    pub max: [u8; 16],
    /// The number that a constant always is, highest byte first.
    pub value: [u8; 16],
    /// By how much a random part grows at the most within a tick; 0 where it is drawn for each ID.
    pub step: u64,
    /// SAIBAN_FIELD_….
    pub kind: i32,
    /// How many bits it has.
    pub bits: u32,
    /// The number of bits below the field.
    pub shift: u32,
    /// Whether a sequence begins each tick with a number drawn in the lower half of its range.
    pub random_start: bool,
    /// 0.
    pub reserved: [u8; 3],
    /// The name of a part of the node, with a NUL at the end.
    pub name: [c_char; 24],
}

impl From<saiban::layout::Place> for Place {
    fn from(place: saiban::layout::Place) -> Self {
        let saiban::layout::Place { field, shift, max } = place;
        Place {
            max: max.to_be_bytes(),
            value: field.value.to_be_bytes(),
            step: field.step,
            kind: number_of(field.kind),
            bits: field.bits,
            shift,
            random_start: field.random_start,
            reserved: [0; 3],
            name: text_of(field.name.as_str()),
        }
    }
}

ffi! {
    /// Tells how long a layout lasts, how much it holds, and what can be said of its IDs.
    ///
    /// - answers, size: the struct, and its sizeof at the program's compilation.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_layout_properties(layout: &Layout, answers: Fill<Properties>, size: usize) {
        answers.write_version(size, || Ok(Properties::from(&layout.core)))?;
    }

    /// Writes the positions of a layout's fields, from the highest bit to the lowest.
    ///
    /// - places, capacity: where they go, and how many fit; the lowest are left out.
    ///   SAIBAN_FIELDS_MAX is always enough.
    /// - count: how many were written.
    fn saiban_layout_places(layout: &Layout, places: Fill<Place>, capacity: usize, count: Out<usize>) {
        let written = layout.core.places().zip(places.get(capacity)?).map(|(place, to)| to.write(place.into())).count();
        count.set(written);
    }

    /// Computes the probability, 0 to 1, that at least two IDs of one node are equal, at this rate
    /// and after this time. Without a node field it is that of all generators together. It is 0 if
    /// time, node and counter distinguish all IDs, and 1 for infinitely many IDs.
    ///
    /// Errors: INVALID_ARGUMENT for a number that is negative or NaN.
    fn saiban_layout_collision_odds(layout: &Layout, ids_per_second: f64, seconds: f64, odds: Out<f64>) {
        odds.set(layout.core.collision_odds(ids_per_second, seconds)?);
    }
}
