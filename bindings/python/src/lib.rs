//! The module `saiban._native`: the core, for Python.
//!
//! This crate has no rules about IDs. It converts arguments, calls the core, and converts results
//! and errors back. Users import the package `saiban` in `python/src`, which re-exports this
//! module.
//!
//! A file uses only files before it: cli value raw written error arguments fork counter clock
//! time field layout stats lease_status ending lease form encoding guid parts inspect compose
//! options held made generator schemes registry remote.
//!
//! Panics become the exception of the kind INTERNAL, and the process continues.

// Only `raw` has unsafe code.
#![deny(unsafe_code)]

mod arguments;
mod cli;
mod clock;
mod compose;
mod counter;
mod encoding;
mod ending;
mod error;
mod field;
mod fork;
mod form;
mod generator;
mod guid;
mod held;
mod inspect;
mod layout;
mod lease;
mod lease_status;
mod made;
mod options;
mod parts;
#[allow(unsafe_code)]
mod raw;
mod registry;
mod remote;
mod schemes;
mod stats;
mod time;
mod value;
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
    use super::fork::notice_fork;
    #[pymodule_export]
    use super::generator::{Generator, attempt};
    #[pymodule_export]
    use super::guid::{uuid_from_guid_bytes, uuid_to_guid_bytes};
    #[pymodule_export]
    use super::inspect::{candidates, inspect};
    #[pymodule_export]
    use super::layout::Layout;
    #[pymodule_export]
    use super::lease::Lease;
    #[pymodule_export]
    use super::lease_status::LeaseStatus;
    #[pymodule_export]
    use super::parts::Parts;
    #[pymodule_export]
    use super::registry::{Texts, leased_layout, names, schemes};
    #[pymodule_export]
    use super::remote::{RemoteGenerator, RemoteStatus};
    #[pymodule_export]
    use super::stats::Stats;
    use pyo3::prelude::*;

    /// Items for the package itself, which exports everything else.
    const PRIVATE: [&str; 9] =
        ["LeaseEnd", "Texts", "attempt", "leased_layout", "names", "notice_fork", "panics", "run_cli", "schemes"];

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::layout::set_presets(module.py())?;
        for (_, class, alias) in super::schemes::classes(module.py()) {
            module.add(alias, &class)?;
            module.add(class.name()?, class)?;
        }
        let exported = module.index()?;
        PRIVATE.iter().try_for_each(|name| exported.call_method1("remove", (name,)).map(drop))
    }
}
