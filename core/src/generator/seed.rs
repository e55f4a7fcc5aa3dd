//! The random seed of a generator, which is new in a forked process.

use crate::entropy::Entropy;
use crate::error::Error;
use crate::sync::{AtomicU64, Ordering};

/// 64 random bits that distinguish a generator from all others, as far as chance allows. A forked
/// copy gets bits of its own.
#[derive(Debug)]
pub(super) struct Seed {
    bits: AtomicU64,
    /// The process for which the bits were generated.
    generation: AtomicU64,
}

impl Seed {
    pub(super) fn new(entropy: &impl Entropy) -> Result<Self, Error> {
        Ok(Seed { bits: AtomicU64::new(entropy.next_u64()?), generation: AtomicU64::new(generation()) })
    }

    /// Returns the bits for this process, and generates them after a fork.
    #[inline]
    pub(super) fn get(&self, entropy: &impl Entropy) -> Result<u64, Error> {
        let generation = generation();
        // Pairs with the release below: a thread that reads this process's generation also reads
        // its bits.
        if self.generation.load(Ordering::Acquire) != generation {
            self.bits.store(entropy.next_u64()?, Ordering::Relaxed);
            self.generation.store(generation, Ordering::Release);
        }
        Ok(self.bits.load(Ordering::Relaxed))
    }
}

fn generation() -> u64 {
    #[cfg(feature = "std")]
    return crate::process::generation().into();
    #[cfg(not(feature = "std"))]
    return 0;
}
