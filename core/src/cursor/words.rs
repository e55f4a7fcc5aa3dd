//! The words that generators of the same nodes share. Only cursors use them directly.

#[cfg(feature = "std")]
use super::Position;
#[cfg(feature = "std")]
use super::key::{CursorKey, state_at};
#[cfg(feature = "std")]
use crate::bits::low_64;
use crate::sync::AtomicU64;
#[cfg(feature = "std")]
use crate::sync::Ordering;

/// What the threads of one cursor share, on a cache line of its own, so that threads with other
/// cursors do not contend for it.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub(super) struct Words {
    pub(super) state: AtomicU64,
    pub(super) issued: AtomicU64,
    /// The state, instead of `state`, if positions have more than 63 bits.
    #[cfg(feature = "std")]
    pub(super) wide: super::wide_word::WideWord,
}

#[cfg(feature = "std")]
/// Marks a machine-scope word that must not be used any more: its file was deleted, and its range
/// continues in the new file. A position has at most 63 bits. The state after the very last one is
/// this bit alone.
pub(super) const MOVED: u64 = 1 << 63;

/// Returns whether a state has the mark [`MOVED`].
#[cfg(feature = "std")]
pub(super) fn has_moved(state: u64) -> bool {
    state > MOVED
}

/// Returns a state without the mark [`MOVED`].
#[cfg(feature = "std")]
pub(super) fn reached(state: u64) -> u64 {
    if has_moved(state) { state & !MOVED } else { state }
}

#[cfg(feature = "std")]
impl Words {
    /// Raises the state, of up to 64 bits, to at least this one. Also adds to `issued` the IDs of
    /// the tick that the state leaves.
    pub(super) fn raise(&self, key: &CursorKey, state: u64) {
        let before = self.state.fetch_max(state, crate::sync::Ordering::Relaxed);
        if before < state {
            self.leave_tick(key, before);
        }
    }

    /// Adds to `issued` the IDs of this state's tick, after a state of a later tick has replaced
    /// this one.
    pub(super) fn leave_tick(&self, key: &CursorKey, state: u64) {
        if key.layout.counts_from_0() {
            let low = state & ((1 << key.bits) - 1);
            self.issued.fetch_add(low, crate::sync::Ordering::Relaxed);
        }
    }

    pub(super) fn state_any(&self, is_wide: bool) -> u128 {
        if is_wide { self.wide.load() } else { self.state.load(Ordering::Relaxed).into() }
    }

    /// Replaces the state by the one after the layout's last tick, and returns the old one.
    pub(super) fn close(&self, key: &CursorKey) -> u128 {
        if key.is_wide {
            return self.wide.change(|_| Some(state_at(u64::MAX, key)));
        }
        // Release: a thread that reads this state then reads that the lease was closed, and reports
        // it.
        self.state.swap(state_at(u64::MAX, key), Ordering::Release).into()
    }

    /// Raises the state to at least this one. Also adds to `issued` the IDs of the tick that the
    /// state leaves.
    pub(super) fn raise_any(&self, key: &CursorKey, state: u128) {
        if !key.is_wide {
            return self.raise(key, u64::from_u128(state));
        }
        let before = self.wide.change(|before| (before < state).then_some(state));
        if before < state && key.layout.counts_from_0() {
            self.issued.fetch_add(low_64(before & ((1 << key.bits) - 1)), Ordering::Relaxed);
        }
    }
}
