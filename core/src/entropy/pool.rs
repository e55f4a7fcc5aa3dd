//! Randomness that is drawn from the operating system in large pieces and handed out in small ones.

use super::{Entropy, OsEntropy};
use crate::error::Error;
use crate::process;
use core::cell::RefCell;
use core::sync::atomic::{Ordering, compiler_fence};
use std::thread_local;
use zeroize::Zeroize;

/// What is drawn at once. A system call costs about as much as these bytes.
const CAPACITY: usize = 512;

/// More than this is drawn from the operating system at once, for the caller alone.
const MOST: usize = CAPACITY / 4;

/// The operating system's randomness for who draws some bytes for each ID: a pool for each thread spares almost all system calls.
///
/// Each byte is handed out once, and wiped from the pool then. In a process made by fork the pools are void, so that no child draws what its
/// parent draws; a copy that libc knows nothing of (a raw `clone`) is noticed when a pool runs out, or as generators notice it: see
/// [`notice_fork`](crate::process::notice_fork). A snapshot of a virtual machine is not noticed, and what secrets are made of should come
/// from [`OsEntropy`].
///
/// ```
/// use saiban::Entropy;
/// use saiban::entropy::PooledEntropy;
/// let mut bytes = [0; 16];
/// PooledEntropy.fill(&mut bytes)?;
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PooledEntropy;

impl Entropy for PooledEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.len() > MOST {
            return OsEntropy.fill(bytes);
        }
        // There is no pool at a thread's very end, and none for who interrupts this thread while it draws.
        POOL.try_with(|pool| Some(pool.try_borrow_mut().ok()?.fill(bytes)))
            .ok()
            .flatten()
            .unwrap_or_else(|| OsEntropy.fill(bytes))
    }
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::EMPTY) };
}

struct Pool {
    bytes: [u8; CAPACITY],
    /// The first byte that nobody has had.
    next: usize,
    /// The process that drew them.
    generation: u32,
}

impl Pool {
    const EMPTY: Pool = Pool { bytes: [0; CAPACITY], next: CAPACITY, generation: 0 };

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        if self.hand_out(bytes) {
            return Ok(());
        }
        // What is left is too little, or another process's: all is drawn anew. On failure there is nothing.
        self.next = CAPACITY;
        // Before the bytes are there, so that they are never newer than it.
        self.generation = process::watched_generation();
        OsEntropy.fill(&mut self.bytes)?;
        self.next = 0;
        // A fork between the two lines leaves nothing to hand out.
        if self.hand_out(bytes) { Ok(()) } else { OsEntropy.fill(bytes) }
    }

    /// Whether there were enough bytes of this process.
    fn hand_out(&mut self, bytes: &mut [u8]) -> bool {
        let Some(next) = self.bytes.get_mut(self.next..self.next + bytes.len()) else { return false };
        bytes.copy_from_slice(next);
        // The pool goes on living, so that a plain store is not optimised away.
        next.fill(0);
        self.next += bytes.len();
        // Last: a signal's handler may fork at any point before, and both processes would go on with the same bytes.
        compiler_fence(Ordering::SeqCst);
        self.generation == process::generation()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Error, Pool};

    #[test]
    fn what_was_handed_out_is_in_the_pool_no_more() -> Result<(), Error> {
        let mut pool = Pool::EMPTY;
        let mut had = [0; 16];
        for handed_out in (16..=CAPACITY).step_by(16) {
            pool.fill(&mut had)?;
            assert_eq!(pool.bytes[..handed_out], [0; CAPACITY][..handed_out]);
            // What is left is none of it, and was drawn: 16 bytes are all 0 once in 2^128.
            assert!(pool.bytes[handed_out..].chunks_exact(16).all(|left| left != had && left != [0; 16]));
        }
        pool.fill(&mut had)?;
        assert_eq!((pool.next, &pool.bytes[..16]), (16, &[0; 16][..]));
        Ok(())
    }
}
