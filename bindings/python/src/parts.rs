//! An ID taken apart.

use crate::arguments::{id, int, maybe_int, text};
use crate::error::{Result, guard};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use saiban::Scheme;

/// The parts of an ID; what a scheme does not have is None.
///
/// A value: equal, hashable, and it pickles.
///
/// >>> import saiban
/// >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
/// >>> parts.time.isoformat(), parts.node, parts.sequence
/// ('2024-01-01T00:00:00+00:00', 7, 1)
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parts {
    scheme: Scheme,
    layout: Option<&'static str>,
    id: i64,
    timestamp_ms: i64,
    node: Option<i64>,
    sequence: Option<i64>,
    random: Option<i64>,
    rollback: Option<i64>,
    secret_index: Option<i64>,
}

impl From<&saiban::Parts> for Parts {
    fn from(parts: &saiban::Parts) -> Self {
        // No field is as wide as 64 bits, and the schemes here have IDs of 64 bits, all with a time.
        fn signed(part: Option<impl TryInto<i64>>) -> Option<i64> {
            part.map(|part| part.try_into().unwrap_or(i64::MAX))
        }
        Parts {
            scheme: parts.scheme,
            layout: parts.layout,
            id: parts.id.as_i64().unwrap_or(0),
            timestamp_ms: parts.timestamp_ms.unwrap_or(0),
            node: signed(parts.node),
            sequence: signed(parts.sequence),
            random: signed(parts.random),
            rollback: signed(parts.rollback),
            secret_index: signed(parts.secret_index),
        }
    }
}

#[pymethods]
impl Parts {
    #[new]
    #[pyo3(signature = (*, scheme, id, timestamp_ms, layout=None, node=None, sequence=None, random=None, rollback=None, secret_index=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        scheme: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
        timestamp_ms: &Bound<'_, PyAny>,
        layout: Option<&Bound<'_, PyAny>>,
        node: Option<&Bound<'_, PyAny>>,
        sequence: Option<&Bound<'_, PyAny>>,
        random: Option<&Bound<'_, PyAny>>,
        rollback: Option<&Bound<'_, PyAny>>,
        secret_index: Option<&Bound<'_, PyAny>>,
    ) -> Result<Self> {
        guard(|| {
            Ok(Parts {
                scheme: Scheme::from_name(&text("scheme", scheme)?)?,
                layout: layout.map(layout_name).transpose()?.flatten(),
                id: self::id("any scheme", id)?,
                timestamp_ms: int("timestamp_ms", timestamp_ms)?,
                node: maybe_int("node", node)?,
                sequence: maybe_int("sequence", sequence)?,
                random: maybe_int("random", random)?,
                rollback: maybe_int("rollback", rollback)?,
                secret_index: maybe_int("secret_index", secret_index)?,
            })
        })
    }

    /// The family: snowflake, randflake or ulid-flake.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.scheme.name()
    }

    /// The layout's name, where it is a preset: twitter, discord, …
    #[getter]
    fn layout(&self) -> Option<&'static str> {
        self.layout
    }

    /// The ID itself.
    #[getter]
    fn id(&self) -> i64 {
        self.id
    }

    /// When its tick began, Unix milliseconds.
    #[getter]
    fn timestamp_ms(&self) -> i64 {
        self.timestamp_ms
    }

    /// When its tick began, a datetime in UTC; None outside the years 1 to 9999.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        static EPOCH: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
        let (epoch, delta) = EPOCH.get_or_try_init(py, || {
            let datetime = py.import("datetime")?;
            let utc = datetime.getattr("timezone")?.getattr("utc")?;
            let epoch = datetime.getattr("datetime")?.call_method1("fromtimestamp", (0, utc))?;
            PyResult::Ok((epoch.unbind(), datetime.getattr("timedelta")?.unbind()))
        })?;
        // Positional arguments of timedelta: days, seconds, microseconds, milliseconds.
        let time = delta.bind(py).call1((0, 0, 0, self.timestamp_ms)).and_then(|delta| epoch.bind(py).add(delta));
        match time {
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => Ok(None),
            time => time.map(Some),
        }
    }

    /// The node; of a scalable Ulid-Flake the scalability id.
    #[getter]
    fn node(&self) -> Option<i64> {
        self.node
    }

    /// The sequence number within the tick.
    #[getter]
    fn sequence(&self) -> Option<i64> {
        self.sequence
    }

    /// The random part.
    #[getter]
    fn random(&self) -> Option<i64> {
        self.random
    }

    /// How often the clock had stepped back, counted in the layout's rollback bits.
    #[getter]
    fn rollback(&self) -> Option<i64> {
        self.rollback
    }

    /// Which of several secrets this was read with: 0 for secret, 1 and up for old_secrets; see inspect.
    #[getter]
    fn secret_index(&self) -> Option<i64> {
        self.secret_index
    }

    fn __repr__(&self) -> String {
        let part = |part: Option<i64>| part.map_or("None".into(), |part| part.to_string());
        format!(
            "saiban.Parts(scheme='{}', layout={}, id={}, timestamp_ms={}, node={}, sequence={}, random={}, rollback={}, \
             secret_index={})",
            self.scheme,
            self.layout.map_or("None".into(), |name| format!("'{name}'")),
            self.id,
            self.timestamp_ms,
            part(self.node),
            part(self.sequence),
            part(self.random),
            part(self.rollback),
            part(self.secret_index),
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let parts = slf.get();
        let arguments = PyDict::new(slf.py());
        arguments.set_item("scheme", parts.scheme())?;
        arguments.set_item("layout", parts.layout)?;
        arguments.set_item("id", parts.id)?;
        arguments.set_item("timestamp_ms", parts.timestamp_ms)?;
        arguments.set_item("node", parts.node)?;
        arguments.set_item("sequence", parts.sequence)?;
        arguments.set_item("random", parts.random)?;
        arguments.set_item("rollback", parts.rollback)?;
        arguments.set_item("secret_index", parts.secret_index)?;
        rebuilding(&slf.get_type(), &arguments)
    }
}

/// The name of a preset, as it lives in the core.
fn layout_name(value: &Bound<'_, PyAny>) -> Result<Option<&'static str>> {
    Ok(saiban::Layout::preset(&text("layout", value)?)?.name())
}

/// What `__reduce__` returns: how pickle and copy make the value again, from its keyword arguments.
pub fn rebuilding<'py>(class: &Bound<'py, PyType>, arguments: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    let make = py.import("functools")?.getattr("partial")?.call((class,), Some(arguments))?;
    PyTuple::new(py, [make, PyTuple::empty(py).into_any()])
}
