//! Statistics of a generator.

use crate::ffi::{Fill, ffi};
use crate::generator::{Generator, either};
use crate::names::{name_of, names, number_of};
use crate::scope;
use crate::versioned::{Versioned, unknown_size};
use saiban::Guarantee;
use std::ffi::c_char;

/// No ID comes twice, as long as no other generator has the same node at the same time.
pub const SAIBAN_GUARANTEE_UNIQUE: i32 = 1;
/// No ID comes twice within the scope, this process or this machine; another one can make the same
/// ones.
pub const SAIBAN_GUARANTEE_UNIQUE_IN_PROCESS: i32 = 2;
/// IDs can come twice: collisions were allowed.
pub const SAIBAN_GUARANTEE_PROBABLE: i32 = 3;

const NUMBERS: [(i32, Guarantee); 3] = [
    (SAIBAN_GUARANTEE_UNIQUE, Guarantee::Unique),
    (SAIBAN_GUARANTEE_UNIQUE_IN_PROCESS, Guarantee::UniqueInProcess),
    (SAIBAN_GUARANTEE_PROBABLE, Guarantee::Probable),
];

names!(NAMES: 32 = |row| row.1.name(), NUMBERS);

/// Statistics of a generator: see saiban_generator_stats.
// The struct has no padding: its size distinguishes versions, and a member in padding would not
// change it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Stats {
    /// How many IDs were issued for its nodes, by all generators that share their cursor (see
    /// scope). While others issue it may lag by what one tick holds.
    pub issued: u64,
    /// How often saiban_generate or saiban_fill of this generator waited.
    pub waits: u64,
    /// The number of times that this generator found the clock behind its last ID, counted once
    /// until the clock has returned.
    pub rollbacks: u64,
    /// How long IDs can be issued still, milliseconds: to the end of the window or, without one, of
    /// the format. 0 when it is over.
    pub time_left_ms: u64,
    /// What its IDs promise: one of SAIBAN_GUARANTEE_….
    pub guarantee: i32,
    /// Which generators share its cursor: one of SAIBAN_SCOPE_….
    pub scope: i32,
}

impl From<saiban::Stats> for Stats {
    fn from(stats: saiban::Stats) -> Self {
        Stats {
            issued: stats.issued,
            waits: stats.waits,
            rollbacks: stats.rollbacks,
            time_left_ms: stats.time_left_ms,
            // An unknown guarantee becomes the weakest one.
            guarantee: number_of(&NUMBERS, &stats.guarantee).unwrap_or(SAIBAN_GUARANTEE_PROBABLE),
            scope: scope::number(stats.scope),
        }
    }
}

impl Versioned for Stats {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_stats");
}

ffi! {
    /// Tells what a generator has done and what it promises. IDs are not made slower by it.
    ///
    /// - stats, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: CLOCK_UNAVAILABLE; INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_generator_stats(generator: &Generator, stats: Fill<Stats>, size: usize) {
        stats.write_version(size, || Ok(either!(generator, ids => ids.stats())?.into()))?;
    }

    /// The name of a SAIBAN_GUARANTEE_…: unique, unique_in_process or probable; "" for another
    /// number. Constant: not to be freed.
    fn saiban_guarantee_name(guarantee: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, guarantee)
    }
}
