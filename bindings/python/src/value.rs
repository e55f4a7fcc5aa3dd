//! Common code of the classes of values: pickling, and type arguments in brackets after a class.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

/// Returns the object for a class with a type in brackets.
pub fn generic<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    class.py().import("types")?.getattr("GenericAlias")?.call1((class, item))
}

/// Returns the result of `__reduce__`, from which pickle and copy make the value again: the class
/// with its keyword arguments.
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
