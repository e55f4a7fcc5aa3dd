//! The trait `Numbers`, which every store of counters implements.

use crate::Error;
use crate::counter::protocol::{Take, Taken};
use crate::counter::{CounterRecord, CounterTerms};
use async_trait::async_trait;

/// A store of counters. Every implementation follows the rules of [`crate::counter::protocol`].
///
/// A call that returns an error has handed out no numbers, or numbers that stay unused and leave a
/// gap.
///
/// # Errors
/// Every call can return `StoreUnavailable` when the server cannot be reached, refuses, or does not
/// reply in time. It can also return `StoreCorrupt`, and `StoreUnsupported` for records of a newer
/// version of saiban.
#[async_trait]
pub trait Numbers: Send + Sync {
    /// Creates a counter that begins with `next`, or returns the existing one of this name.
    ///
    /// An existing counter is not changed, whatever its next number is.
    ///
    /// # Errors
    /// `CounterMismatch` if the counter exists with other terms; `InvalidArgument` if `next` is not
    /// one of the counter's numbers.
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error>;

    /// Takes numbers from a counter that has these terms.
    ///
    /// # Errors
    /// `CounterUnknown`, `CounterMismatch`, `CounterBehind`, `CounterExhausted`.
    async fn take(&self, terms: &CounterTerms, request: &Take) -> Result<Taken, Error>;

    /// Raises the next number of a counter, or of one of its days, to at least `next`. Returns the
    /// record with the new next number.
    ///
    /// For operators that restore a store from a backup, or continue the numbers of another system.
    ///
    /// # Errors
    /// `CounterUnknown`; `InvalidArgument` if `next` is not one of the counter's numbers, or if
    /// `day` does not suit the counter: only counters that count days have days.
    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error>;

    /// Returns a counter's record, without those of its days, or `None` if there is no such
    /// counter.
    ///
    /// # Errors
    /// Those of every call.
    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error>;

    /// Returns the names and records of all counters, sorted by name, without the records of their
    /// days.
    ///
    /// # Errors
    /// Those of every call.
    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error>;
}
