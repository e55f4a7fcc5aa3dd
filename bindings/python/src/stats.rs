//! Statistics of a generator.

use crate::arguments::{count, text};
use crate::error::{Result, guard};
use crate::value::rebuilding;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use saiban::{Error, Guarantee, Scope};

/// Statistics of a generator; see Generator.stats.
///
/// A value: equal, hashable, and it pickles.
///
/// >>> import saiban
/// >>> ids = saiban.Snowflake(node=8)
/// >>> before = ids.stats().issued
/// >>> _ = ids.generate_many(3)
/// >>> ids.stats().issued - before, ids.stats().guarantee
/// (3, 'unique')
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stats {
    issued: u64,
    waits: u64,
    rollbacks: u64,
    time_left_ms: u64,
    guarantee: Guarantee,
    scope: Scope,
}

impl From<saiban::Stats> for Stats {
    fn from(stats: saiban::Stats) -> Self {
        let saiban::Stats { issued, waits, rollbacks, time_left_ms, guarantee, scope, .. } = stats;
        Stats { issued, waits, rollbacks, time_left_ms, guarantee, scope }
    }
}

#[pymethods]
impl Stats {
    #[new]
    #[pyo3(signature = (*, issued, waits, rollbacks, time_left_ms, guarantee, scope))]
    fn new(
        issued: &Bound<'_, PyAny>,
        waits: &Bound<'_, PyAny>,
        rollbacks: &Bound<'_, PyAny>,
        time_left_ms: &Bound<'_, PyAny>,
        guarantee: &Bound<'_, PyAny>,
        scope: &Bound<'_, PyAny>,
    ) -> Result<Self> {
        guard(|| {
            Ok(Stats {
                issued: count("issued", issued, "issued is negative: give 0 or more")?,
                waits: count("waits", waits, "waits is negative: give 0 or more")?,
                rollbacks: count("rollbacks", rollbacks, "rollbacks is negative: give 0 or more")?,
                time_left_ms: count("time_left_ms", time_left_ms, "time_left_ms is negative: give 0 or more")?,
                guarantee: named(&text("guarantee", guarantee)?)?,
                scope: Scope::from_name(&text("scope", scope)?)?,
            })
        })
    }

    /// The number of IDs issued for its nodes, by all generators that share their cursor: those of
    /// this process, or of this machine. While other generators issue IDs, it may lag by the IDs of
    /// one tick.
    #[getter]
    fn issued(&self) -> u64 {
        self.issued
    }

    /// How often generate, generate_many or fill of this generator waited.
    #[getter]
    fn waits(&self) -> u64 {
        self.waits
    }

    /// The number of times that this generator found the clock behind its last ID, counted once
    /// until the clock has returned.
    #[getter]
    fn rollbacks(&self) -> u64 {
        self.rollbacks
    }

    /// How long IDs can be issued still, milliseconds: to the end of the window or, without one, of
    /// the format. 0 when it is over.
    #[getter]
    fn time_left_ms(&self) -> u64 {
        self.time_left_ms
    }

    /// What its IDs promise: unique, as long as no generator outside its scope has the same node at
    /// the same time; unique_in_process, if generators outside its scope can make equal IDs;
    /// probable, if collisions were allowed.
    #[getter]
    fn guarantee(&self) -> &'static str {
        self.guarantee.name()
    }

    /// Which generators of the same nodes share its cursor: machine, those of all processes of this
    /// user on this machine; process, those of this process, or none if random bits or a
    /// ManualClock keep it apart.
    #[getter]
    fn scope(&self) -> &'static str {
        self.scope.name()
    }

    fn __repr__(&self) -> String {
        let Stats { issued, waits, rollbacks, time_left_ms, guarantee, scope } = self;
        let scope = scope.name();
        format!(
            "saiban.Stats(issued={issued}, waits={waits}, rollbacks={rollbacks}, time_left_ms={time_left_ms}, \
             guarantee='{guarantee}', scope='{scope}')"
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let stats = slf.get();
        let arguments = PyDict::new(slf.py());
        arguments.set_item("issued", stats.issued)?;
        arguments.set_item("waits", stats.waits)?;
        arguments.set_item("rollbacks", stats.rollbacks)?;
        arguments.set_item("time_left_ms", stats.time_left_ms)?;
        arguments.set_item("guarantee", stats.guarantee())?;
        arguments.set_item("scope", stats.scope())?;
        rebuilding(&slf.get_type(), &arguments)
    }
}

/// Returns the guarantee with this name.
fn named(name: &str) -> Result<Guarantee> {
    let what = "no guarantee has this name: give unique, unique_in_process or probable";
    Ok(Guarantee::ALL.into_iter().find(|guarantee| guarantee.name() == name).ok_or(Error::InvalidArgument { what })?)
}
