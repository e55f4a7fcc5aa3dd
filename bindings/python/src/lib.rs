//! The module `saiban._native`: the core, seen from Python.
//!
//! Nothing about IDs is decided here. Arguments are converted, the core is called, and its answer or error is converted back.
//! What people import is the package `saiban` in `python/src`, which re-exports all of this.
//!
//! Panics become the exception of the kind INTERNAL; the process lives.

// Only `raw` has any.
#![deny(unsafe_code)]

mod arguments;
mod cli;
mod clock;
mod counter;
mod encoding;
mod ending;
mod error;
mod field;
mod flake;
mod fork;
mod form;
mod generator;
mod held;
mod inspect;
mod layout;
mod lease;
mod lease_status;
mod made;
mod object_id;
mod parts;
mod randflake;
#[allow(unsafe_code)]
mod raw;
mod remote;
mod snowflake;
mod stats;
mod tick_id;
mod time;
mod ulid;
mod ulid_flake;
mod uuid;
mod written;

use pyo3::prelude::*;

/// The core of saiban. Import `saiban` instead.
// Everything shared between threads is immutable or atomic: no GIL is needed where Python has none.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::cli::run_cli;
    #[pymodule_export]
    use super::clock::ManualClock;
    #[pymodule_export]
    use super::counter::{Counter, CounterStatus, DailyCounter, DailyNumber, SharedCounter};
    #[pymodule_export]
    use super::encoding::{decode, encode};
    #[pymodule_export]
    use super::ending::LeaseEnd;
    #[pymodule_export]
    use super::error::{error_kinds, panics};
    #[pymodule_export]
    use super::flake::Flake;
    #[pymodule_export]
    use super::fork::notice_fork;
    #[pymodule_export]
    use super::generator::Generator;
    #[pymodule_export]
    use super::inspect::{candidates, inspect};
    #[pymodule_export]
    use super::layout::Layout;
    #[pymodule_export]
    use super::lease::Lease;
    #[pymodule_export]
    use super::lease_status::LeaseStatus;
    #[pymodule_export]
    use super::object_id::ObjectId;
    #[pymodule_export]
    use super::parts::Parts;
    #[pymodule_export]
    use super::randflake::Randflake;
    #[pymodule_export]
    use super::remote::{RemoteGenerator, RemoteStatus};
    #[pymodule_export]
    use super::snowflake::Snowflake;
    #[pymodule_export]
    use super::stats::Stats;
    #[pymodule_export]
    use super::tick_id::TickId;
    #[pymodule_export]
    use super::ulid::Ulid;
    #[pymodule_export]
    use super::ulid_flake::UlidFlake;
    #[pymodule_export]
    use super::uuid::{Uuid, uuid_from_guid_bytes, uuid_to_guid_bytes};
}
