//! Node leases: every generator of a fleet has nodes that nobody else has, from the store that the fleet already runs.
//!
//! A lease is a rectangle: a range of nodes × a half-open interval of time. If granted rectangles never overlap, and a holder
//! issues only IDs whose own tick lies in its rectangle, then all IDs of the fleet are distinct: no clocks need to agree, and a holder that
//! was paused for an hour can repeat nothing. What clocks that disagree cost is availability, not uniqueness.
//!
//! [`lease::protocol`] is what a store decides, as pure functions; [`store`] has the stores, which all decide so.

#![forbid(unsafe_code)]
#![deny(
    clippy::cast_possible_truncation,
    reason = "a number that loses its upper bits is another node, time or count; usize has 32 bits on some targets"
)]

pub mod counter;
pub mod error;
mod fetching;
pub mod lease;
#[cfg(feature = "coordinator")]
pub mod remote;
mod runtime;
pub mod store;

pub use counter::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
pub use error::Error;
pub use lease::{Issuer, Lease, LeaseOptions, Leased, Status};
#[cfg(feature = "coordinator")]
pub use remote::{AnyRemote, RemoteGenerator, RemoteOptions};
pub use saiban::ErrorKind;
