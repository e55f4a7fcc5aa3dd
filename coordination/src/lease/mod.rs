//! Leases. [`protocol`] is what a store decides and [`holder`] what a holder does: neither reads a clock or a network. The keeper does what
//! the holder says, and [`Lease`] is what its owner has.
//!
//! All times are Unix microseconds, in which every layout's ticks begin and end exactly; intervals are half-open.

mod free;
mod handle;
pub mod holder;
mod issuer;
mod keeper;
mod leased;
mod plan;
pub mod protocol;
pub(crate) mod refusal;
mod slot;
mod terms;

pub use handle::{Lease, LeaseOptions, Status};
pub use issuer::Issuer;
pub use leased::Leased;
pub use slot::{Slot, SlotKey};
pub use terms::{DEFAULT_MAX_TTL_S, LONGEST_NAME, MOST_NODES_AT_ONCE, Namespace, Terms};
pub(crate) use terms::{check_name, quoted};
