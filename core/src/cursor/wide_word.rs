//! A word of 128 bits behind a short lock, for `WideCursor` and the registry.

use crate::bits::low_64;
use crate::sync::{AtomicU64, Ordering, relax};

/// A 128-bit word that threads share. The lock is held for a few instructions, none of which can
/// fail.
///
/// The lock records the process that took it. In a forked child, a lock may be held by a
/// thread that the child lacks, and the word may be half written. So the word of a child begins
/// again with 0. (This word does not keep the child from repeating IDs. Generators with nodes of
/// their own issue nothing in a child; the others use random positions.)
#[derive(Debug, Default)]
pub(super) struct WideWord {
    /// Twice the process generation, plus 1 while locked.
    lock: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
}

impl WideWord {
    pub(super) fn new(state: u128) -> Self {
        let word = WideWord { lock: AtomicU64::new(unlocked()), ..WideWord::default() };
        word.write(state);
        word
    }

    /// Returns the word.
    pub(super) fn load(&self) -> u128 {
        self.change(|_| None)
    }

    /// Returns the word without taking the lock: one half may be older than the other. Returns
    /// `None` while another thread changes the word, and in a forked child that has not
    /// changed it yet.
    pub(super) fn peek(&self) -> Option<u128> {
        (self.lock.load(Ordering::Relaxed) == unlocked()).then(|| self.read())
    }

    /// Replaces the word by the result of `next`, or keeps it if that is `None`. Returns the old
    /// word.
    #[inline]
    pub(super) fn change(&self, next: impl FnOnce(u128) -> Option<u128>) -> u128 {
        let (unlocked, is_ours) = self.lock();
        let state = if is_ours { self.read() } else { 0 };
        let next = next(state);
        self.write(next.unwrap_or(state));
        self.lock.store(unlocked, Ordering::Release);
        state
    }

    /// Takes the lock. Returns the value of the lock when free, and whether the word was this
    /// process's already and not its parent's.
    fn lock(&self) -> (u64, bool) {
        let mut looks: u32 = 0;
        loop {
            let unlocked = unlocked();
            let found = self.lock.load(Ordering::Relaxed);
            let is_ours = found & !1 == unlocked;
            let is_held = is_ours && found != unlocked;
            if !is_held && self.lock.compare_exchange(found, unlocked | 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
            {
                return (unlocked, is_ours);
            }
            looks = looks.wrapping_add(1);
            if looks % LOOKS == 0 {
                look_for_fork();
            }
            relax();
        }
    }

    fn read(&self) -> u128 {
        u128::from(self.high.load(Ordering::Relaxed)) << 64 | u128::from(self.low.load(Ordering::Relaxed))
    }

    fn write(&self, state: u128) {
        self.high.store(low_64(state >> 64), Ordering::Relaxed);
        self.low.store(low_64(state), Ordering::Relaxed);
    }
}

/// How many failed attempts to take the lock precede a check for a fork. The lock is held for a few
/// instructions only. So after these attempts, its holder may be a thread that this process lacks,
/// in a copy made by a raw `clone`, which no handler reports.
const LOOKS: u32 = 32;

fn look_for_fork() {
    #[cfg(feature = "std")]
    crate::process::notice_fork();
}

/// Returns the value of this process's lock when free.
fn unlocked() -> u64 {
    #[cfg(feature = "std")]
    return u64::from(crate::process::generation()) << 1;
    #[cfg(not(feature = "std"))]
    return 0;
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_a_thread_of_the_parent_held_begins_again() {
        let word = WideWord::new(7 << 64 | 9);
        // A forked child finds the lock of another generation, held by a thread of the parent.
        word.lock.store((unlocked() + 2) | 1, Ordering::Relaxed);
        assert_eq!(word.peek(), None);
        assert_eq!(word.change(|state| Some(state + 1)), 0);
        assert_eq!(word.load(), 1);
    }
}
