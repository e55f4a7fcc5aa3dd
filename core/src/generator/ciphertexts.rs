//! A cache of encrypted numbers: to encrypt many numbers at once costs little more than to encrypt
//! one.
//!
//! The cache is indexed by the number before encryption. A caller that took a position finds the
//! ciphertext of its own number and no other. A prefetched ciphertext thus becomes an ID only when
//! its position is taken. Threads share the cache without a lock: while one thread fills it, the
//! others encrypt their own numbers.

use crate::cipher::Sparx64;

#[cfg(target_has_atomic = "64")]
pub(super) use shared::Ciphertexts;

#[cfg(target_has_atomic = "64")]
mod shared {
    use super::Sparx64;
    use crate::sync::{AtomicBool, AtomicU64, Ordering};
    use core::fmt;

    /// The number of ciphertexts in a run.
    const AT_ONCE: usize = 32;

    /// The version while the cache has no valid run.
    const NOTHING: u64 = 0;

    pub(in crate::generator) struct Ciphertexts {
        /// The version of the run, which differs for each run.
        version: AtomicU64,
        /// The first number of the run; the others are consecutive.
        first: AtomicU64,
        encrypted: [AtomicU64; AT_ONCE],
        /// The last number that the cache did not have.
        missed: AtomicU64,
        is_filling: AtomicBool,
    }

    impl Default for Ciphertexts {
        fn default() -> Self {
            Ciphertexts {
                version: AtomicU64::new(NOTHING),
                first: AtomicU64::new(0),
                encrypted: core::array::from_fn(|_| AtomicU64::new(0)),
                missed: AtomicU64::new(0),
                is_filling: AtomicBool::new(false),
            }
        }
    }

    impl Ciphertexts {
        /// Returns the ciphertext of this number.
        #[inline]
        pub(in crate::generator) fn of(&self, raw: i64, cipher: &Sparx64) -> i64 {
            self.find(raw as u64).map_or_else(|| self.miss(raw, cipher), |encrypted| encrypted as i64)
        }

        #[inline]
        fn find(&self, raw: u64) -> Option<u64> {
            let version = self.version.load(Ordering::Acquire);
            // Two numbers can be 2^34 apart, in neighbouring seconds. With `as`, a 32-bit usize
            // would find the ciphertext of the other number.
            let index = usize::try_from(raw.wrapping_sub(self.first.load(Ordering::Acquire))).ok()?;
            // Pairs with the release stores in `fill`: if this is a ciphertext of a newer run, the
            // check below finds another version.
            let encrypted = self.encrypted.get(index)?.load(Ordering::Acquire);
            (version != NOTHING && self.version.load(Ordering::Relaxed) == version).then_some(encrypted)
        }

        /// Encrypts a number that the cache does not have. If it follows the last such number, or
        /// the cached run, a new run begins with it.
        ///
        /// Threads with shards of their own take numbers that are far apart. Because of this
        /// condition they do not replace each other's runs on every call.
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

    impl fmt::Debug for Ciphertexts {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Ciphertexts(IDs)")
        }
    }
}

/// Without 64-bit atomics, each number is encrypted on its own.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug, Default)]
pub(super) struct Ciphertexts;

#[cfg(not(target_has_atomic = "64"))]
impl Ciphertexts {
    pub(super) fn of(&self, raw: i64, cipher: &Sparx64) -> i64 {
        cipher.encrypt_number(raw)
    }
}
