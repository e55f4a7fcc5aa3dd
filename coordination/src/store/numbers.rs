//! What stores do for counters.

use crate::Error;
use crate::counter::protocol::{Take, Taken};
use crate::counter::{CounterRecord, CounterTerms};
use async_trait::async_trait;

/// A store of counters. All do what [`crate::counter::protocol`] says.
///
/// A call that ends in an error has handed out nothing, or numbers that nobody will use.
///
/// # Errors
/// Every call: `StoreUnavailable` when the server cannot be reached, refuses, or does not answer in time; `StoreCorrupt`; `StoreUnsupported` for
/// what a newer saiban has written.
#[async_trait]
pub trait Numbers: Send + Sync {
    /// Makes a counter whose next number this is. Where there is one already it stays as it is, whatever its next number; answers it.
    ///
    /// # Errors
    /// `CounterMismatch` when it is there, and counts otherwise.
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error>;

    /// Hands out numbers, of a counter that counts what these terms say.
    ///
    /// # Errors
    /// `CounterUnknown`, `CounterMismatch`, `CounterBehind`, `CounterExhausted`.
    async fn take(&self, terms: &CounterTerms, wish: &Take) -> Result<Taken, Error>;

    /// Raises the next number of a counter, or of one of its days, to this one, where it is less: for who puts the store back from a backup, or
    /// begins where other numbers end. Answers it.
    ///
    /// # Errors
    /// `CounterUnknown`; `InvalidArgument` for a number that it does not have, and for a day of one that counts none.
    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error>;

    /// A counter; none where it is not there. What it knows of days is left out.
    ///
    /// # Errors
    /// Those of every call.
    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error>;

    /// The counters that there are, by name. Where they count days, what they know of each day is left out.
    ///
    /// # Errors
    /// Those of every call.
    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error>;
}
