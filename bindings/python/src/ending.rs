//! Releases leases at the end of the interpreter, or of a multiprocessing child.
//! `python/src/saiban/_ending.py` decides when.
//!
//! Leases are released as late as possible: daemon threads make IDs until the interpreter stops
//! them, and so may other code that runs at its end. A process may have several interpreters
//! (mod_wsgi), and each releases the leases acquired in it.

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

/// The longest wait for stores at the interpreter's end.
const AT_MOST: Duration = Duration::from_secs(3);

/// Locks a list of leases for `body`, which only adds or removes leases. No fork happens meanwhile,
/// so that the lock is free in a forked child.
fn lock<T>(leases: &Mutex<Vec<Lease>>, body: impl FnOnce(&mut Vec<Lease>) -> T) -> T {
    let _no_fork = process::no_fork();
    body(&mut leases.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Registers a lease to be released at the end of this interpreter, or of this multiprocessing
/// child.
pub fn remember(py: Python<'_>, lease: &Lease) {
    let remember = || -> PyResult<()> {
        let ending = py.import("saiban._ending")?;
        ending.getattr("last")?.cast::<LeaseEnd>()?.get().remember(lease);
        ending.call_method0("watch").map(drop)
    };
    // Imports fail at the interpreter's end; the lease then expires.
    let _ = remember();
}

/// Watches the end of this forked process, which has acquired its own lease for one that is
/// remembered already. A child of multiprocessing has another end than its parent.
pub fn watch(py: Python<'_>) {
    let watch = || py.import("saiban._ending")?.call_method0("watch");
    let _ = watch();
}

/// Releases all these leases at once, with a short wait. If a store does not reply, its leases
/// expire.
fn release(leases: Vec<Lease>) {
    let (telling, told) = channel::<()>();
    for lease in leases {
        let telling = telling.clone();
        // If no thread can be started, the lease expires.
        let _ = thread::Builder::new().spawn(move || {
            let _ = lease.release();
            drop(telling);
        });
    }
    drop(telling);
    // Nothing is sent: the wait ends with the last thread, or at the time limit.
    let _ = told.recv_timeout(AT_MOST);
}

/// The leases of an interpreter. Dropping this object releases them. Python drops the contents of a
/// module once no other thread of the interpreter runs.
#[pyclass(frozen, module = "saiban._native")]
#[derive(Default)]
pub struct LeaseEnd {
    /// Leases that may not be released yet. In a forked process this includes the parent's.
    held: Mutex<Vec<Lease>>,
    /// The leases that `keep` found at the interpreter's end.
    kept: Mutex<Vec<Lease>>,
}

impl LeaseEnd {
    fn remember(&self, lease: &Lease) {
        // The parent's lease may still be acquired in this process.
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

    /// Releases all leases, waiting for at most 3 seconds.
    fn release(&self, py: Python<'_>) -> Result<()> {
        guard(|| {
            py.detach(|| release(self.all()));
            Ok(())
        })
    }

    /// Keeps the leases until this object is dropped, which releases them.
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
