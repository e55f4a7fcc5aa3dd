//! The thread on which leases are renewed: one for the process, whoever asks, and a new one in a copy made by fork.

use crate::Error;
use saiban::{ErrorKind, process};
use std::mem;
use std::sync::{Mutex, PoisonError};
use tokio::runtime::{Builder, Handle, Runtime};

/// The process that it is of, and the runtime. A copy never drops its parent's: the threads that would have to end are not in it.
static RUNTIME: Mutex<Option<(u32, Runtime)>> = Mutex::new(None);

/// The runtime of this process.
///
/// # Errors
/// `StoreUnavailable` when the system gives no thread.
pub(crate) fn handle() -> Result<Handle, Error> {
    let generation = process::watched_generation();
    // A child finds the lock free.
    let _no_fork = process::no_fork();
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((made_in, runtime)) = &*runtime {
        if *made_in == generation {
            return Ok(runtime.handle().clone());
        }
    }
    let made = Builder::new_multi_thread().worker_threads(1).thread_name("saiban-leases").enable_all().build();
    let made = made.map_err(|error| {
        Error::new(ErrorKind::StoreUnavailable, format!("the thread that renews leases could not be started: {error}"))
    })?;
    let handle = made.handle().clone();
    mem::forget(mem::replace(&mut *runtime, Some((generation, made))));
    Ok(handle)
}
