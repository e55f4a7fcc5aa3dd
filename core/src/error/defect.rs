//! Where panics end: the bindings let none cross into another language.

use super::ErrorKind;
use alloc::string::String;
use core::any::Any;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic that was caught: the kind `Internal`, with the same message in every language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect(String);

impl Defect {
    /// The kind of this error.
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

/// Runs the body of a function that another language calls, so that a panic becomes an error and the process lives.
///
/// ```
/// use saiban::error::{Defect, guard};
/// let done = guard(|| -> Result<(), Defect> { panic!("oh") });
/// assert_eq!(done.unwrap_err().to_string(), "a defect of saiban, please report it: oh");
/// ```
///
/// # Errors
/// The body's own, or what its error type makes of a [`Defect`].
#[inline]
pub fn guard<T, E: From<Defect>>(body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // After a panic nothing of the body's is used again: generators hold atomic words only, which are always whole.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Defect::of(&*panic).into()))
}
