//! Errors on their way to JavaScript: objects with core's message and `code`, `number` and `position`, of which
//! node/src/errors.ts makes the classes that people see.

use crate::written;
use napi::bindgen_prelude::{Function, JsObjectValue, JsValue};
use napi::{Env, Status};
use napi_derive::napi;
use saiban::{Error, ErrorKind};

/// Core's errors, thrown.
pub trait OrThrow<T> {
    /// The value, or the error as napi-rs throws it.
    fn or_throw(self, env: &Env) -> napi::Result<T>;
}

impl<T> OrThrow<T> for Result<T, Error> {
    fn or_throw(self, env: &Env) -> napi::Result<T> {
        let answer = self.map_err(|error| thrown(env, error.kind(), written::message(&error), error.position()));
        written::forget();
        answer
    }
}

/// Those of leases.
impl<T> OrThrow<T> for Result<T, saiban_coordination::Error> {
    fn or_throw(self, env: &Env) -> napi::Result<T> {
        let answer = self.map_err(|error| thrown(env, error.kind(), error.to_string(), None));
        written::forget();
        answer
    }
}

fn thrown(env: &Env, kind: ErrorKind, message: String, position: Option<usize>) -> napi::Error {
    throwable(env, kind, message, position).unwrap_or_else(|failure| failure)
}

fn throwable(env: &Env, kind: ErrorKind, message: String, position: Option<usize>) -> napi::Result<napi::Error> {
    let mut object = env.create_error(napi::Error::new(Status::GenericFailure, message))?;
    object.set_named_property("code", kind.name())?;
    object.set_named_property("number", kind.number())?;
    if let Some(position) = position {
        object.set_named_property("position", position as f64)?;
    }
    Ok(napi::Error::from(object.to_unknown()))
}

/// Panics, or answers a function that does: with this the tests see that no panic crosses into JavaScript.
#[napi(catch_unwind, ts_return_type = "() => void")]
pub fn panics<'env>(env: &'env Env, later: bool) -> napi::Result<Function<'env, (), ()>> {
    assert!(later, "at once");
    env.create_function_from_closure("panics", |call| {
        assert_eq!(call.length(), usize::MAX, "later");
        Ok(())
    })
}

/// A kind of error.
#[napi(object, object_from_js = false)]
pub struct ErrorKindInfo {
    /// `CLOCK_BACKWARD`: an error's `code`.
    pub name: &'static str,
    /// The number, the same in every language.
    pub number: i32,
    /// What it means, in a line.
    pub meaning: &'static str,
}

/// Every kind of error that core knows.
#[napi(catch_unwind)]
pub fn error_kinds() -> Vec<ErrorKindInfo> {
    let info = |kind: &ErrorKind| ErrorKindInfo { name: kind.name(), number: kind.number(), meaning: kind.meaning() };
    ErrorKind::ALL.iter().map(info).collect()
}
