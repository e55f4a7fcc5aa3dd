//! What can be asked of the service, whatever protocol it is asked by.

mod describe;
mod generate;
mod inspect;
mod leases;
mod measure;
mod told;

pub(crate) use describe::Described;
pub(crate) use generate::Batch;
pub(crate) use inspect::{Conversion, Found, MOST_INSPECTED};
pub(crate) use measure::Logged;
pub(crate) use told::{CandidateTold, ErrorTold, PartsTold};
