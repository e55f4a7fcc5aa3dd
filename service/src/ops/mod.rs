//! The operations of the service, independent of the protocol.
//!
//! `http` and `grpc` call them; `service` holds the state of `logged`.

mod bounds;
mod describe;
mod generate;
mod inspect;
mod leases;
mod logged;
mod measure;
mod views;

pub(crate) use bounds::MAX_INSPECTED;
pub(crate) use describe::Described;
pub(crate) use generate::Batch;
pub(crate) use inspect::Conversion;
pub(crate) use logged::Logged;
pub(crate) use views::{CandidateView, ErrorView, PartsView};
