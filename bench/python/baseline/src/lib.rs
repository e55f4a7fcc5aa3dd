//! The baseline of a call from Python into Rust: methods that make no ID, with the results of a
//! generator's methods.

use pyo3::prelude::*;
use pyo3::types::PyList;
use std::hint::black_box;
use std::sync::atomic::{AtomicI64, Ordering};

#[pymodule(gil_used = false)]
mod saiban_bench_python_baseline {
    #[pymodule_export]
    use super::Baseline;
}

/// A class like a generator's.
#[pyclass(frozen, module = "saiban_bench_python_baseline")]
pub struct Baseline {
    next: AtomicI64,
}

impl Baseline {
    /// Returns a number as long as an ID, which seldom repeats. Threads may get it twice, because
    /// preventing that is not part of the cost of a call.
    fn number(&self) -> i64 {
        let number = self.next.load(Ordering::Relaxed);
        self.next.store(number.wrapping_add(0x0005_DEEC_E66D_1B0F), Ordering::Relaxed);
        1 << 62 | number
    }
}

#[pymethods]
impl Baseline {
    #[new]
    fn new() -> Self {
        Baseline { next: AtomicI64::new(0) }
    }

    /// Returns an int.
    fn int(&self) -> i64 {
        self.number()
    }

    /// Returns a list of 1000 ints.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let first = self.number();
        PyList::new(py, (0..1000_u16).map(|index| first ^ i64::from(index)))
    }

    /// Takes text and ignores it.
    fn text(&self, text: &str) {
        black_box(text);
    }
}
