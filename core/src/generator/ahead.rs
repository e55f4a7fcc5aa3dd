//! Numbers that are encrypted before they are asked for: many at once cost little more than one.
//!
//! What is kept is asked for by its number: whoever has taken a position finds what that number is encrypted, and nothing else, so that a number which was encrypted
//! ahead becomes an ID when its position is taken, and no sooner. Threads share it without a lock: who finds another at work encrypts its own number.

use crate::cipher::Sparx64;

#[cfg(target_has_atomic = "64")]
pub(super) use shared::Ahead;

#[cfg(target_has_atomic = "64")]
mod shared {
    use super::Sparx64;
    use crate::sync::{AtomicBool, AtomicU64, Ordering};
    use core::fmt;

    /// How many numbers are encrypted at once.
    const AT_ONCE: usize = 32;

    /// In place of a version where there are no numbers.
    const NOTHING: u64 = 0;

    pub(in crate::generator) struct Ahead {
        /// Another one for each run of numbers.
        version: AtomicU64,
        /// The first of the numbers, which follow each other.
        first: AtomicU64,
        encrypted: [AtomicU64; AT_ONCE],
        /// The last number that was not among them.
        missed: AtomicU64,
        is_filling: AtomicBool,
    }

    impl Default for Ahead {
        fn default() -> Self {
            Ahead {
                version: AtomicU64::new(NOTHING),
                first: AtomicU64::new(0),
                encrypted: core::array::from_fn(|_| AtomicU64::new(0)),
                missed: AtomicU64::new(0),
                is_filling: AtomicBool::new(false),
            }
        }
    }

    impl Ahead {
        /// What this number is when it is encrypted.
        #[inline]
        pub(in crate::generator) fn of(&self, raw: i64, cipher: &Sparx64) -> i64 {
            self.find(raw as u64).map_or_else(|| self.miss(raw, cipher), |encrypted| encrypted as i64)
        }

        #[inline]
        fn find(&self, raw: u64) -> Option<u64> {
            let version = self.version.load(Ordering::Acquire);
            // Two numbers can be 2^34 apart, in neighbouring seconds: with `as`, a usize of 32 bits
            // would find the ciphertext of the other one.
            let index = usize::try_from(raw.wrapping_sub(self.first.load(Ordering::Acquire))).ok()?;
            // Pairs with the release in `fill`: of a run that another thread has begun since, it is seen below that there is none.
            let encrypted = self.encrypted.get(index)?.load(Ordering::Acquire);
            (version != NOTHING && self.version.load(Ordering::Relaxed) == version).then_some(encrypted)
        }

        /// The second of two numbers that follow each other begins a run: of threads with nodes of their own, whose numbers are far apart, none takes the others'
        /// place each time.
        #[inline(never)]
        fn miss(&self, raw: i64, cipher: &Sparx64) -> i64 {
            let before = self.missed.swap(raw as u64, Ordering::Relaxed);
            let is_next = raw as u64 == before.wrapping_add(1)
                || raw as u64 == self.first.load(Ordering::Relaxed).wrapping_add(AT_ONCE as u64);
            if !is_next || self.is_filling.swap(true, Ordering::Acquire) {
                return cipher.encrypt_number(raw);
            }
            let mut encrypted = [0; AT_ONCE];
            cipher.encrypt_run(raw, &mut encrypted);
            self.fill(raw as u64, &encrypted);
            self.is_filling.store(false, Ordering::Release);
            encrypted[0]
        }

        fn fill(&self, first: u64, encrypted: &[i64; AT_ONCE]) {
            let version = self.version.load(Ordering::Relaxed);
            self.version.store(NOTHING, Ordering::Relaxed);
            self.first.store(first, Ordering::Release);
            for (place, id) in self.encrypted.iter().zip(encrypted) {
                place.store(*id as u64, Ordering::Release);
            }
            self.version.store(version.wrapping_add(1).max(1), Ordering::Release);
        }
    }

    impl fmt::Debug for Ahead {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Ahead(IDs)")
        }
    }
}

/// Without atomic words of 64 bits each number is encrypted by itself.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug, Default)]
pub(super) struct Ahead;

#[cfg(not(target_has_atomic = "64"))]
impl Ahead {
    pub(super) fn of(&self, raw: i64, cipher: &Sparx64) -> i64 {
        cipher.encrypt_number(raw)
    }
}
