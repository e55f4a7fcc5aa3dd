//! Calls of stores on a busy machine.

use saiban::ErrorKind;
use saiban_coordination::Error;
use std::future::Future;

/// Calls a store, again after an answer that came too late, as it may on a busy machine. Fails
/// after five times.
pub async fn answered<T, Call: Future<Output = Result<T, Error>>>(call: impl Fn() -> Call) -> Result<T, Error> {
    for _ in 0..5 {
        match call().await {
            Err(error) if error.kind() == ErrorKind::StoreUnavailable => {}
            answer => return answer,
        }
    }
    panic!("no answer in time, five times");
}
