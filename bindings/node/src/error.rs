//! Converts errors for JavaScript: objects with core's message and `code`, `number` and `position`.
//! node/src/errors.ts converts them to the classes that users see.

use crate::raw;
use crate::written;
use napi::bindgen_prelude::{Function, JsObjectValue, JsValue, Unknown};
use napi::{Env, Status};
use napi_derive::napi;
use saiban::{Error, ErrorKind};

/// Throws the error of a result.
pub trait OrThrow<T> {
    /// Returns the value, or the error that napi-rs throws.
    fn or_throw(self, env: &Env) -> napi::Result<T>;
}

/// An error that can be thrown in JavaScript.
pub trait Thrown {
    /// Converts the error to one that napi-rs throws.
    fn thrown(self, env: &Env) -> napi::Error;
}

impl Thrown for Error {
    fn thrown(self, env: &Env) -> napi::Error {
        thrown(env, self.kind(), written::message(&self), self.position())
    }
}

/// Errors of leases, and of generators that may have a lease.
impl Thrown for saiban_coordination::Error {
    fn thrown(self, env: &Env) -> napi::Error {
        thrown(env, self.kind(), written::as_written_now(self).to_string(), None)
    }
}

impl Thrown for Failure {
    #[cold]
    fn thrown(self, env: &Env) -> napi::Error {
        match self {
            Failure::Core(error) => error.thrown(env),
            Failure::Coordination(error) => error.thrown(env),
            Failure::Conversion(error) => error,
        }
    }
}

impl<T, E: Thrown> OrThrow<T> for Result<T, E> {
    fn or_throw(self, env: &Env) -> napi::Result<T> {
        let answer = self.map_err(|error| error.thrown(env));
        written::forget();
        answer
    }
}

/// Why a function failed: an error of core, of a lease or service, or of an argument's type.
pub enum Failure {
    Core(Error),
    Coordination(saiban_coordination::Error),
    Conversion(napi::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<saiban_coordination::Error> for Failure {
    fn from(error: saiban_coordination::Error) -> Self {
        Failure::Coordination(error)
    }
}

impl From<napi::Error> for Failure {
    fn from(error: napi::Error) -> Self {
        Failure::Conversion(error)
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
    // `Error::from` would drop the object in WebAssembly, and keep its message only.
    Ok(napi::Error::from_unknown_without_coercion(object.to_unknown()))
}

/// Panics, or returns a function of either kind that panics: tests use it to check that no panic
/// reaches JavaScript.
#[napi(catch_unwind, ts_return_type = "() => void")]
pub fn panics<'env>(env: &'env Env, later: Option<String>) -> napi::Result<Unknown<'env>> {
    match later.as_deref() {
        None => panic!("at once"),
        Some("raw") => raw::function(env, "panics", |_| -> napi::Result<()> { panic!("later") }),
        Some(_) => {
            let function: Function<'env, (), ()> = env.create_function_from_closure("panics", |call| {
                assert_eq!(call.length(), usize::MAX, "later");
                Ok(())
            })?;
            Ok(function.to_unknown())
        }
    }
}
