//! Calls of stores on a busy machine.

use saiban::ErrorKind;
use saiban_coordination::Error;
use std::future::Future;

/// Calls a store, again after an answer that came too late, as it may on a busy machine. After five
/// calls, panics with their errors.
pub async fn answered<T, Call: Future<Output = Result<T, Error>>>(call: impl Fn() -> Call) -> Result<T, Error> {
    let mut late = Vec::new();
    for _ in 0..5 {
        match call().await {
            Err(error) if error.kind() == ErrorKind::StoreUnavailable => late.push(error.to_string()),
            answer => return answer,
        }
    }
    panic!("no answer in time, five times:\n{}", late.join("\n"));
}
