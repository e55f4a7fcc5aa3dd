//! Positions that are not available yet, and why.

/// A reservation that must wait, and the reason, which becomes an error if the caller may not wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The tick to wait for.
    pub(super) until: u64,
    pub(super) wait_ns: u64,
    pub(super) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The tick is used up, or is the one in which the generator was built.
    UsedUp,
    /// The clock is behind the tick that was reached.
    ClockBehind,
    /// The window has not begun.
    NotBegun,
}
