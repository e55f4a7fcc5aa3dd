//! The protocol: what a store decides, and what a holder does. Nothing in here reads a clock or a network.
//!
//! All times are Unix microseconds, in which every layout's ticks begin and end exactly; intervals are half-open.

mod free;
pub mod holder;
pub mod protocol;
mod slot;
mod terms;

pub use slot::{Slot, SlotKey};
pub use terms::{DEFAULT_MAX_TTL_S, LONGEST_NAME, MOST_NODES_AT_ONCE, Namespace, Terms};
