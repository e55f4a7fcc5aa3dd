//! The command `saiban`, run in this process.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command `saiban` with these arguments (without the program's name); returns its exit
/// code.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub fn run_cli(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| saiban_cli::run(arguments))
}
