//! Leases of nodes: a store grants them, a background task keeps them, generators use them.
//!
//! [`Lease`] is the public handle, [`Leased`] a generator under a lease, and [`Issuer`] a generator
//! with nodes from any source. [`protocol`] decides for stores, and [`holder`] for holders; neither
//! reads a clock or a network. `keeper` carries out the holder's actions.
//!
//! All times are Unix microseconds: every layout's ticks begin and end at whole microseconds.
//! Intervals are half-open.

mod free;
mod handle;
pub mod holder;
mod issuer;
mod keeper;
mod leased;
mod messages;
mod plan;
pub mod protocol;
pub(crate) mod refusal;
mod slot;
mod terms;

pub use handle::{Lease, LeaseOptions, Status};
pub use issuer::{AnyIssuer, Issuer, NodesFrom, StoreNodes};
pub use leased::Leased;
#[doc(hidden)]
pub use plan::this_process;
pub use slot::{Slot, SlotKey};
pub use terms::{DEFAULT_MAX_TTL_S, LONGEST_NAME, MAX_NODES_AT_ONCE, Namespace, Terms};
pub(crate) use terms::{check_name, quoted};
