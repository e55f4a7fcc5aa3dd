//! What a generator draws once for itself, and anew in a process made by fork.

use crate::entropy::Entropy;
use crate::error::Error;
use crate::sync::{AtomicU64, Ordering};

/// 64 random bits that tell a generator from all others, as far as chance goes. A copy made by fork draws its own.
#[derive(Debug)]
pub(super) struct Drawn {
    bits: AtomicU64,
    /// The process that drew them.
    generation: AtomicU64,
}

impl Drawn {
    pub(super) fn new(entropy: &impl Entropy) -> Result<Self, Error> {
        Ok(Drawn { bits: AtomicU64::new(entropy.next_u64()?), generation: AtomicU64::new(generation()) })
    }

    /// The bits of this process.
    #[inline]
    pub(super) fn get(&self, entropy: &impl Entropy) -> Result<u64, Error> {
        let generation = generation();
        // Whoever sees our generation sees what was drawn for it.
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
