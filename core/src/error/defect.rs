//! Turns panics into errors. The bindings use it, because a panic must not unwind into another
//! language.

use super::ErrorKind;
use alloc::string::String;
use core::any::Any;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error of a panic that was caught. Its kind is [`Internal`](ErrorKind::Internal).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect(String);

impl Defect {
    /// Returns the kind of this error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::Internal
    }

    fn of(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Defect(text.unwrap_or("a panic without a message").into())
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a defect of saiban, please report it: {}", self.0)
    }
}

impl core::error::Error for Defect {}

/// Runs `body`, and turns a panic of `body` into an error.
///
/// The bindings run each function that another language calls in `guard`: a panic then does not end
/// the process.
///
/// ```
/// use saiban::error::{Defect, guard};
/// let done = guard(|| -> Result<(), Defect> { panic!("oh") });
/// assert_eq!(done.unwrap_err().to_string(), "a defect of saiban, please report it: oh");
/// ```
///
/// # Errors
/// The errors of `body`; a [`Defect`], converted into the error type, if `body` panics.
#[inline]
pub fn guard<T, E: From<Defect>>(body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // Unwind safety: after a panic, no value of `body` is used again. The state of generators is
    // atomic words only, which a panic cannot leave half written.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Defect::of(&*panic).into()))
}
