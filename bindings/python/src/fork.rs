//! Python's own fork hook, in addition to the core's hook of libc. Only Python has one.

use crate::error::{Result, guard};
use pyo3::prelude::*;

/// Checks whether this process was forked, so that its generators are the parent's.
///
/// saiban passes this function to os.register_at_fork. It does nothing in the same process, or if
/// the core's hook has already seen the fork.
#[pyfunction]
pub fn notice_fork() -> Result<()> {
    guard(|| {
        saiban::process::notice_fork();
        Ok(())
    })
}
