//! What Python tells of a fork, beside what the core hears from libc. Only Python has such a hook.

use crate::error::{Result, guard};
use pyo3::prelude::*;

/// Looks whether this process is a copy made by fork, whose generators are the parent's.
///
/// saiban gives it to os.register_at_fork. In the same process, and where the core has heard of the
/// fork from libc, it changes nothing.
#[pyfunction]
pub fn notice_fork() -> Result<()> {
    guard(|| {
        saiban::process::notice_fork();
        Ok(())
    })
}
