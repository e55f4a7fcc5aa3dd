//! Runs the asynchronous operations of a store from the commands, which are synchronous.

use crate::failure::Failure;
use std::future::Future;
use tokio::runtime::Builder;

/// Runs `work` to its end on this thread.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Failure::io("waiting for a store"))?;
    let done = runtime.block_on(work);
    // Do not wait for a DNS lookup that still runs in a thread of the runtime.
    runtime.shutdown_background();
    Ok(done)
}
