//! Where a cursor begins, and what opening it needs. Generators fill it in.

#[cfg(feature = "std")]
use super::machine::LockFile;
#[cfg(feature = "std")]
use super::tenure::Tenure;
use crate::clock::Clock;
use core::fmt;
#[cfg(feature = "std")]
use std::sync::Arc;

/// Where a cursor begins, and what opening it needs.
#[derive(Clone, Default)]
pub struct Beginning<'a> {
    /// The first tick of a cursor that this process has not used.
    pub of_new: u64,
    /// The first tick of any cursor, whether used or not.
    pub of_any: u64,
    /// Whether the caller knows a tick from which no IDs were issued (`not_before`, or a lease).
    /// Then a new cursor does not begin later.
    pub is_known: bool,
    /// The lease of the cursor.
    #[cfg(feature = "std")]
    pub tenure: Option<Arc<Tenure>>,
    /// The clock, for a machine-scope cursor.
    pub clock: Option<&'a dyn Clock>,
    /// How far ahead of the clock the word of a machine-scope cursor may be, in nanoseconds.
    pub max_jump_ns: u64,
    /// The open file with the locks of one generator's machine-scope parts; set when the first part
    /// is open.
    #[cfg(feature = "std")]
    pub(crate) lock_file: core::cell::OnceCell<LockFile>,
    /// The state file of the cursor, as a number that identifies it. Generators that share a cursor
    /// have one state file.
    pub state_file: Option<usize>,
}

impl fmt::Debug for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Beginning { of_new, of_any, state_file, .. } = self;
        f.debug_struct("Beginning")
            .field("of_new", of_new)
            .field("of_any", of_any)
            .field("state_file", state_file)
            .finish_non_exhaustive()
    }
}
