//! What stands beside a cursor that has one owner, and is nowhere where threads share it.

use core::fmt;

/// A place for something that one thread may change: there is one beside a cursor that nobody else has.
pub trait Beside<T>: Default + fmt::Debug {
    /// What is there.
    fn get(&self) -> Option<&T>;
}

/// No place: threads share the cursor.
#[derive(Debug, Default)]
pub struct Shared;

impl<T> Beside<T> for Shared {
    #[inline]
    fn get(&self) -> Option<&T> {
        None
    }
}

/// The owner's place.
#[derive(Debug, Default)]
pub struct Owned<T>(T);

impl<T: Default + fmt::Debug> Beside<T> for Owned<T> {
    #[inline]
    fn get(&self) -> Option<&T> {
        Some(&self.0)
    }
}
