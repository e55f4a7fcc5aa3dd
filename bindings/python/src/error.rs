//! The core's errors as Python exceptions, which are declared in `python/src/saiban/exceptions.py`.

use crate::written;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use saiban::error::Defect;
use saiban::{Error, ErrorKind};

/// Why a call fails: an error of the core or of a lease, an argument of the wrong type, a defect of
/// saiban, or an exception of Python.
pub enum Failure {
    Core(Error),
    /// An error of core whose message shows integers as they were given.
    Reworded(Error, String),
    /// An error of leases or their stores.
    Lease(saiban_coordination::Error),
    WrongType(String),
    Defect(Defect),
    Python(PyErr),
}

pub type Result<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<saiban_coordination::Error> for Failure {
    fn from(error: saiban_coordination::Error) -> Self {
        Failure::Lease(error)
    }
}

impl From<Defect> for Failure {
    fn from(defect: Defect) -> Self {
        Failure::Defect(defect)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let made = |kind, message: &str, position| {
            Python::attach(|py| exception(py, kind, message, position).unwrap_or_else(|error| error))
        };
        match failure {
            Failure::Core(error) => made(error.kind(), &error.to_string(), error.position()),
            Failure::Reworded(error, message) => made(error.kind(), &message, error.position()),
            Failure::Lease(error) => made(error.kind(), &error.to_string(), None),
            Failure::WrongType(message) => made(ErrorKind::WrongType, &message, None),
            Failure::Defect(defect) => made(defect.kind(), &defect.to_string(), None),
            Failure::Python(error) => error,
        }
    }
}

/// Runs the body of a function that Python calls: a panic becomes an exception, and messages show
/// integers as they were given.
#[inline]
pub fn guard<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    let answer = saiban::error::guard(body).map_err(|failure| match failure {
        Failure::Core(error) => Failure::Reworded(error, written::message(&error)),
        Failure::Lease(error) => Failure::Lease(written::as_written(error)),
        other => other,
    });
    written::forget();
    answer
}

/// Panics. Tests use it to check that no panic reaches Python.
#[pyfunction]
pub fn panics() -> Result<()> {
    guard(|| panic!("on purpose"))
}

/// The exception classes in the order of `ErrorKind::ALL`.
static CLASSES: PyOnceLock<Vec<Py<PyType>>> = PyOnceLock::new();

fn classes(py: Python<'_>) -> PyResult<&Vec<Py<PyType>>> {
    CLASSES.get_or_try_init(py, || {
        let by_kind = py.import("saiban.exceptions")?.getattr("BY_KIND")?;
        ErrorKind::ALL.iter().map(|kind| Ok(by_kind.get_item(kind.name())?.cast_into::<PyType>()?.unbind())).collect()
    })
}

/// Makes the exception of a kind.
fn exception(py: Python<'_>, kind: ErrorKind, message: &str, position: Option<usize>) -> PyResult<PyErr> {
    let index = ErrorKind::ALL.iter().position(|other| *other == kind).unwrap_or_default();
    let value = classes(py)?[index].bind(py).call1((message,))?;
    if let Some(position) = position {
        value.setattr("position", position)?;
    }
    Ok(PyErr::from_value(value))
}

/// Every kind of error: its number, its name and its meaning, the same in all languages.
///
/// >>> import saiban
/// >>> saiban.error_kinds()[0]
/// (1, 'CLOCK_BACKWARD', 'The clock is further behind the last ID than the longest allowed wait.')
#[pyfunction]
pub fn error_kinds() -> Vec<(i32, &'static str, &'static str)> {
    ErrorKind::ALL.iter().map(|kind| (kind.number(), kind.name(), kind.meaning())).collect()
}
