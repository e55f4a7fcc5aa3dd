//! The Tokio runtime of the process: one thread, which renews leases and fetches blocks.
//!
//! All stores, leases and pools of a process share it. A forked child starts a runtime of its own.

use crate::Error;
use crate::per_process::PerProcess;
use saiban::ErrorKind;
use std::io;
#[cfg(not(target_family = "wasm"))]
use tokio::runtime::Builder;
use tokio::runtime::{Handle, Runtime};

static RUNTIME: PerProcess<Option<Runtime>> = PerProcess::new(None);

/// Returns a handle to the runtime of this process, which the first call starts.
///
/// # Errors
/// `StoreUnavailable` if the system cannot start a thread.
pub(crate) fn handle() -> Result<Handle, Error> {
    RUNTIME.with(|runtime| {
        if let Some(runtime) = runtime {
            return Ok(runtime.handle().clone());
        }
        let made = start().map_err(|error| {
            let why = format!("the thread that renews leases could not be started: {error}");
            Error::new(ErrorKind::StoreUnavailable, why)
        })?;
        Ok(runtime.insert(made).handle().clone())
    })
}

#[cfg(not(target_family = "wasm"))]
fn start() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).thread_name("saiban-leases").enable_all().build()
}

/// Fails: `WebAssembly` has no threads.
#[cfg(target_family = "wasm")]
fn start() -> io::Result<Runtime> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "WebAssembly has no threads"))
}
