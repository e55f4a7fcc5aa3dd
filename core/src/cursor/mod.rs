//! Cursors: the one place where uniqueness is decided.
//!
//! A cursor's state is one word, the next *free* position: `tick << bits | low`. The part `low`
//! counts within a tick: node index and sequence, or a random part. To issue an ID is to take
//!
//! ```text
//! position = max(now << bits, state)        state' = position + 1
//! ```
//!
//! with one compare-and-swap. The state only grows, so no order of threads and no movement of the
//! clock can repeat a position. `step` is that rule as a pure function. `step_back` is the rule for
//! a layout with rollback bits, each value of which has a cursor of its own. [`Cursor`] and
//! [`LocalCursor`] hold the word.

mod beginning;
mod fast;
mod key;
#[cfg(all(feature = "std", not(loom), any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod machine;
#[cfg(all(
    feature = "std",
    not(all(not(loom), any(target_os = "linux", target_os = "android", target_vendor = "apple")))
))]
#[path = "machine/absent.rs"]
mod machine;
mod position;
#[cfg(feature = "std")]
mod registry;
#[cfg(feature = "std")]
mod shared;
#[cfg(feature = "std")]
mod spaces;
mod step;
#[cfg(feature = "std")]
mod tenure;
#[cfg(target_has_atomic = "64")]
mod wide;
#[cfg(target_has_atomic = "64")]
mod wide_word;
mod word;
#[cfg(target_has_atomic = "64")]
mod words;

#[cfg(feature = "std")]
pub use spaces::{IdSpace, NodeRange};
#[cfg(target_has_atomic = "64")]
pub use wide::WideCursor;
#[cfg(target_has_atomic = "64")]
pub use word::Cursor;
pub use word::{CursorWord, LocalCursor};

#[cfg(feature = "std")]
pub(crate) use machine::listing;
pub(crate) use {internal::*, position::Position};

/// The building blocks of generators, for the core and its tests. They may change in every version.
#[doc(hidden)]
pub mod internal {
    pub use super::beginning::Beginning;
    pub use super::fast::{next_of_known_tick, next_within, steps_within};
    pub use super::key::{CursorKey, Sharing};
    #[cfg(feature = "std")]
    pub use super::machine::Checked;
    pub use super::step::{Lane, Limits, Pace, Step, step, step_back};
    #[cfg(feature = "std")]
    pub use super::tenure::Tenure;
}

/// How long one check of a cursor file is valid where ticks are shorter than this, in nanoseconds.
/// For longer ticks, a check is valid until the end of the tick.
///
/// A new file begins after the tick in which it was made; where ticks are shorter than this, twice
/// this long after it was made. By then, a generator in a deleted file has noticed the deletion.
#[cfg(feature = "std")]
pub(crate) const CHECK_NS: u64 = 1_000_000;
