//! Waits for a store on a separate thread, so that the event loop is not blocked.
//!
//! libuv's pool is not used, because it has four threads for all files and host names of a program,
//! and because the end of the program and of `worker_threads` waits for it. Nothing waits for this
//! thread: a result that arrives after that end is dropped, which releases a lease.

use crate::error::OrThrow;
use napi::Env;
use napi::bindgen_prelude::{Object, ToNapiValue};
use saiban::ErrorKind;
use saiban_coordination::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Settles a promise on JavaScript's thread, where errors are converted.
type Settle<Shown> = Box<dyn FnOnce(Env) -> napi::Result<Shown> + Send>;

/// Returns a promise of the function's result.
pub fn promise<'env, Answer: Send + 'static, Shown: ToNapiValue + 'static>(
    env: &'env Env,
    ask: impl FnOnce() -> Result<Answer, Error> + Send + 'static,
    shown: fn(Answer) -> Shown,
) -> napi::Result<Object<'env>> {
    let (deferred, promise) = env.create_deferred::<Shown, Settle<Shown>>()?;
    // The thread settles the promise once. If no thread can be started, this call settles it.
    let spare = deferred.clone();
    let wait = move || match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(answer) => deferred.resolve(Box::new(move |env| answer.map(shown).or_throw(&env))),
        Err(_) => deferred.reject(napi::Error::from_reason("a panic while a store was asked")),
    };
    if let Err(failure) = thread::Builder::new().name("saiban-wait".into()).spawn(wait) {
        let message = format!("no thread could be started to wait for the store: {failure}");
        let error = Error::new(ErrorKind::StoreUnavailable, message);
        spare.resolve(Box::new(move |env| Err(error).or_throw(&env)));
    }
    Ok(promise)
}
