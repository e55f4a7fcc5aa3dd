//! The status of a lease.

use crate::arguments::{count, int, nodes, text};
use crate::error::{Result, guard};
use crate::value::rebuilding;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyTuple};
use saiban::Error;
use saiban_coordination::Status;
use saiban_coordination::lease::holder::State;
use std::ops::Range;

/// The status of a lease; see Lease.status.
///
/// A value: equal, hashable, and it pickles.
///
/// >>> import saiban
/// >>> with saiban.Lease.acquire("memory:status") as lease:
/// ...     status = lease.status()
/// >>> status.state, status.nodes == range(status.nodes.start, status.nodes.start + 1), status.why
/// ('active', True, None)
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LeaseStatus {
    state: &'static str,
    nodes: Option<Range<i64>>,
    end_ms: i64,
    grants: u64,
    renewals: u64,
    why: Option<String>,
}

impl From<Status> for LeaseStatus {
    fn from(status: Status) -> Self {
        let Status { state, nodes, end_ms, grants, renewals, why } = status;
        LeaseStatus { state: state.name(), nodes, end_ms, grants, renewals, why: why.map(|why| why.to_string()) }
    }
}

#[pymethods]
impl LeaseStatus {
    #[new]
    #[pyo3(signature = (*, state, nodes, end_ms, grants, renewals, why))]
    fn new(
        state: &Bound<'_, PyAny>,
        nodes: &Bound<'_, PyAny>,
        end_ms: &Bound<'_, PyAny>,
        grants: &Bound<'_, PyAny>,
        renewals: &Bound<'_, PyAny>,
        why: &Bound<'_, PyAny>,
    ) -> Result<Self> {
        guard(|| {
            Ok(LeaseStatus {
                state: named(&text("state", state)?)?,
                nodes: (!nodes.is_none()).then(|| self::nodes(nodes)).transpose()?,
                end_ms: int("end_ms", end_ms)?,
                grants: count("grants", grants, "grants is negative: give 0 or more")?,
                renewals: count("renewals", renewals, "renewals is negative: give 0 or more")?,
                why: (!why.is_none()).then(|| text("why", why).map(Into::into)).transpose()?,
            })
        })
    }

    /// The state: acquiring, active (it has nodes), renewing (active, and a renewal was requested),
    /// draining (it is being released), idle (it was released), expired, lost, or invalid.
    #[getter]
    fn state(&self) -> &'static str {
        self.state
    }

    /// The nodes; None while there is no lease.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyRange>>> {
        self.nodes.as_ref().map(|nodes| shown(py, nodes)).transpose()
    }

    /// When the lease ends unless it is renewed, Unix milliseconds; 0 without a lease.
    #[getter]
    fn end_ms(&self) -> i64 {
        self.end_ms
    }

    /// The number of leases so far: more than one if a lease was lost or expired.
    #[getter]
    fn grants(&self) -> u64 {
        self.grants
    }

    /// The number of renewals.
    #[getter]
    fn renewals(&self) -> u64 {
        self.renewals
    }

    /// The error of the last request to the store, or None.
    #[getter]
    fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let LeaseStatus { state, nodes, end_ms, grants, renewals, why } = slf.get();
        let nodes = nodes.as_ref().map_or("None".into(), |nodes| format!("range({}, {})", nodes.start, nodes.end));
        let why = why.as_ref().into_pyobject(slf.py())?.repr()?;
        Ok(format!(
            "saiban.LeaseStatus(state='{state}', nodes={nodes}, end_ms={end_ms}, grants={grants}, renewals={renewals}, \
             why={why})"
        ))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (status, arguments) = (slf.get(), PyDict::new(slf.py()));
        arguments.set_item("state", status.state)?;
        arguments.set_item("nodes", status.nodes(slf.py())?)?;
        arguments.set_item("end_ms", status.end_ms)?;
        arguments.set_item("grants", status.grants)?;
        arguments.set_item("renewals", status.renewals)?;
        arguments.set_item("why", status.why.as_ref())?;
        rebuilding(&slf.get_type(), &arguments)
    }
}

/// Converts nodes to a Python range.
pub fn shown<'py>(py: Python<'py>, nodes: &Range<i64>) -> Result<Bound<'py, PyRange>> {
    Ok(PyRange::new(py, nodes.start as isize, nodes.end as isize)?)
}

/// Returns the state with this name.
fn named(name: &str) -> Result<&'static str> {
    use State::{Acquiring, Active, Draining, Expired, Idle, Invalid, Lost, Renewing};
    let what =
        "no state of a lease has this name: give idle, acquiring, active, renewing, draining, expired, lost or invalid";
    let names = [Idle, Acquiring, Active, Renewing, Draining, Expired, Lost, Invalid].map(State::name);
    Ok(names.into_iter().find(|known| *known == name).ok_or(Error::InvalidArgument { what })?)
}
