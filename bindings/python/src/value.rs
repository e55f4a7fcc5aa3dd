//! What the classes of values have in common: how they are pickled, and what is written in brackets
//! after a class.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// What a class with a type in brackets is at run time.
pub fn generic<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    class.py().import("types")?.getattr("GenericAlias")?.call1((class, item))
}

/// What `__reduce__` returns: how pickle and copy make the value again, from its keyword arguments.
pub fn rebuilding<'py>(class: &Bound<'py, PyType>, arguments: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    let make = py.import("functools")?.getattr("partial")?.call((class,), Some(arguments))?;
    PyTuple::new(py, [make, PyTuple::empty(py).into_any()])
}

/// Makes one of the named tuples of `saiban.values`.
pub fn named_tuple<'py>(
    py: Python<'py>,
    class: &str,
    values: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("saiban.values")?.getattr(class)?.call1(values.into_pyobject(py)?)
}
