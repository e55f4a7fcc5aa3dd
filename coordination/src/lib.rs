//! Coordination of ID generators: node leases, shared counters and remote generators.
//!
//! With leases, every generator of a fleet has nodes of its own. A store that the fleet already
//! runs, such as PostgreSQL or Redis, assigns them.
//!
//! A lease is a rectangle: a range of nodes × a half-open interval of time. Granted rectangles
//! never overlap, and a holder issues only IDs whose own tick lies in its rectangle. So all IDs of
//! the fleet are distinct. Clocks need not agree, and a holder that was paused for an hour repeats
//! nothing. Clocks that disagree cost availability, not uniqueness.
//!
//! [`lease::protocol`] has the rules of stores, as pure functions; [`store`] has the stores, which
//! all follow them. [`counter`] has numbers that count up. The module `remote` has generators whose
//! IDs a service makes.

#![forbid(unsafe_code)]
#![deny(
    clippy::cast_possible_truncation,
    reason = "a number that loses its upper bits is another node, time or count; usize has 32 bits on some targets"
)]

pub mod counter;
pub mod error;
pub mod lease;
mod per_process;
mod pool;
#[cfg(feature = "coordinator")]
pub mod remote;
mod runtime;
pub mod store;

pub use counter::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
pub use error::Error;
pub use lease::{AnyIssuer, Issuer, Lease, LeaseOptions, Leased, NodesFrom, Status, StoreNodes};
#[cfg(feature = "coordinator")]
pub use remote::{AnyRemote, RemoteGenerator, RemoteOptions};
pub use saiban::ErrorKind;
