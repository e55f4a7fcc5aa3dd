//! The time of the last check of the files of machine-scope cursors.

use crate::cursor::CHECK_NS;
use crate::sync::AtomicU64;

/// The interval of the last check.
#[derive(Debug)]
pub(super) struct Check {
    /// The bits by which to shift a tick to get its interval, which one check covers.
    pub(super) shift: u32,
    /// The last interval that was checked.
    pub(super) last: AtomicU64,
}

impl Check {
    pub(super) fn of(tick_ns: u64) -> Self {
        Check { shift: (CHECK_NS / tick_ns).max(1).ilog2(), last: AtomicU64::new(u64::MAX) }
    }
}
