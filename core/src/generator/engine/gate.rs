//! The gate: decides whether this process may issue IDs.
//!
//! A forked copy may not issue IDs of a generator that belongs to its parent. No process may issue
//! IDs under a closed lease.

#[cfg(feature = "std")]
use crate::cursor::Tenure;
#[cfg(feature = "std")]
use std::sync::Arc;

/// A value that is no process.
pub(super) const NO_PROCESS: u64 = u64::MAX;

#[derive(Debug)]
pub(super) struct Gate {
    /// The process that made the generator. `None` if forked copies may use it too; [`NO_PROCESS`]
    /// if `is_in_force` must decide.
    #[cfg(feature = "std")]
    process: Option<u64>,
    /// The process that made the generator, if it has a lease in machine scope.
    #[cfg(feature = "std")]
    lease_process: Option<u64>,
    /// The lease.
    #[cfg(feature = "std")]
    tenure: Option<Arc<Tenure>>,
}

/// Which forked copies of the process may issue IDs.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// Any copy: it shares its parent's cursor, or has random bits of its own.
    MayIssue,
    /// No copy.
    MayNotIssue,
    /// No copy, and not the parent after its lease is closed: its machine-scope cursor outlives the
    /// lease.
    LeaseOfMachine,
}

impl Gate {
    #[cfg(feature = "std")]
    pub(super) fn new(process: u64, copies: Copies, tenure: Option<Arc<Tenure>>) -> Self {
        let (process, lease_process) = match copies {
            Copies::MayIssue => (None, None),
            Copies::MayNotIssue => (Some(process), None),
            Copies::LeaseOfMachine => (Some(NO_PROCESS), Some(process)),
        };
        Gate { process, lease_process, tenure }
    }

    /// Whether this process is a forked copy of the one that has the nodes.
    #[inline]
    pub(super) fn is_copy(&self) -> bool {
        #[cfg(feature = "std")]
        return self.lease_process.or(self.process).is_some_and(|process| process != crate::process::word());
        #[cfg(not(feature = "std"))]
        false
    }

    /// Whether nothing may be taken from a cursor: in a forked copy, or if the lease was closed
    /// before the cursor's state was read.
    #[inline]
    pub(super) fn is_shut(&self) -> bool {
        #[cfg(feature = "std")]
        return self.process.is_some_and(|process| process != crate::process::word()) && !self.is_in_force();
        #[cfg(not(feature = "std"))]
        false
    }

    /// Whether the lease, in machine scope, belongs to this process and is not closed.
    #[cfg(feature = "std")]
    #[inline(never)]
    fn is_in_force(&self) -> bool {
        self.lease_process == Some(crate::process::word()) && !self.is_over()
    }

    /// Whether the lease was released, or now belongs to another holder. Call it after reading a
    /// cursor's state.
    pub(super) fn is_over(&self) -> bool {
        #[cfg(feature = "std")]
        return self.tenure.as_ref().is_some_and(|tenure| tenure.was_closed());
        #[cfg(not(feature = "std"))]
        false
    }

    /// Whether there is a lease.
    pub(super) fn has_lease(&self) -> bool {
        self.end_tick().is_some()
    }

    /// Returns the tick after the last one of the lease at present.
    pub(super) fn end_tick(&self) -> Option<u64> {
        #[cfg(feature = "std")]
        return self.tenure.as_ref().map(|tenure| tenure.end_tick());
        #[cfg(not(feature = "std"))]
        None
    }
}
