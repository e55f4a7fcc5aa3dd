//! What becomes of leases when the interpreter ends, or a child of multiprocessing.
//! `python/src/saiban/_ending.py` says when.
//!
//! They are given back as late as can be: threads that nobody waits for make IDs until the
//! interpreter stops them, and so may whatever else is called at its end. A process may have
//! several interpreters (mod_wsgi), and each gives back what was acquired in it.

use crate::error::{Result, guard};
use pyo3::prelude::*;
use saiban::process;
use saiban_coordination::Lease;
use saiban_coordination::lease::holder::State;
use std::mem;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the end waits for stores to be told.
const AT_MOST: Duration = Duration::from_secs(3);

/// Locks one of them, for no longer than it takes to put something in or take it out: a child made
/// by fork finds it free.
fn lock<T>(leases: &Mutex<Vec<Lease>>, body: impl FnOnce(&mut Vec<Lease>) -> T) -> T {
    let _no_fork = process::no_fork();
    body(&mut leases.lock().unwrap_or_else(PoisonError::into_inner))
}

/// From now on this lease is given back at the end of this interpreter, or of this child of
/// multiprocessing.
pub fn remember(py: Python<'_>, lease: &Lease) {
    let remember = || -> PyResult<()> {
        let ending = py.import("saiban._ending")?;
        ending.getattr("last")?.cast::<LeaseEnd>()?.get().remember(lease);
        ending.call_method0("watch").map(drop)
    };
    // At the interpreter's end nothing can be imported any more; then the lease ends by itself.
    let _ = remember();
}

/// A copy of the process has acquired a lease that is remembered already: if it is a child of
/// multiprocessing, its end is another.
pub fn watch(py: Python<'_>) {
    let watch = || py.import("saiban._ending")?.call_method0("watch");
    let _ = watch();
}

/// Gives all of these back at once, and waits for that for a moment only: a store that does not
/// answer lets them end by themselves.
fn release(leases: Vec<Lease>) {
    let (telling, told) = channel::<()>();
    for lease in leases {
        let telling = telling.clone();
        // Where there is no thread to be had the lease ends by itself.
        let _ = thread::Builder::new().spawn(move || {
            let _ = lease.release();
            drop(telling);
        });
    }
    drop(telling);
    // Nobody sends anything: it ends with the last thread, or the time.
    let _ = told.recv_timeout(AT_MOST);
}

/// The leases of an interpreter. What was kept is given back when this is taken apart, which Python
/// does with a module's contents when no other thread of the interpreter runs any more.
#[pyclass(frozen, module = "saiban._native")]
#[derive(Default)]
pub struct LeaseEnd {
    /// Those that may not have been given back yet; in a copy made by fork those of the parent are
    /// there too.
    held: Mutex<Vec<Lease>>,
    /// What the interpreter's end has found of them.
    kept: Mutex<Vec<Lease>>,
}

impl LeaseEnd {
    fn remember(&self, lease: &Lease) {
        // What is the parent's may be acquired here yet.
        let may_be_held =
            |lease: &Lease| lease.is_copy() || lease.status().is_ok_and(|status| status.state != State::Idle);
        lock(&self.held, |held| {
            held.retain(may_be_held);
            held.push(lease.clone());
        });
    }

    fn all(&self) -> Vec<Lease> {
        lock(&self.held, |held| held.iter().filter(|lease| !lease.is_copy()).cloned().collect())
    }
}

#[pymethods]
impl LeaseEnd {
    #[new]
    fn new() -> Self {
        LeaseEnd::default()
    }

    /// Gives all back, waiting for at most 3 seconds.
    fn release(&self, py: Python<'_>) -> Result<()> {
        guard(|| {
            py.detach(|| release(self.all()));
            Ok(())
        })
    }

    /// Keeps them until this is taken apart.
    fn keep(&self) -> Result<()> {
        guard(|| {
            let all = self.all();
            lock(&self.kept, |kept| *kept = all);
            Ok(())
        })
    }
}

impl Drop for LeaseEnd {
    fn drop(&mut self) {
        let mut leases = lock(&self.kept, mem::take);
        leases.retain(|lease| !lease.is_copy());
        if !leases.is_empty() {
            release(leases);
        }
    }
}
