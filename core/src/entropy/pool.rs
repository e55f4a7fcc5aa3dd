//! Randomness of a key that is drawn from the operating system, handed out in small pieces.

use super::{Entropy, OsEntropy};
use crate::error::Error;
use crate::process;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use core::cell::RefCell;
use core::sync::atomic::{Ordering, compiler_fence};
use std::thread_local;
use zeroize::{Zeroize, Zeroizing};

/// What is made of one key, which is wiped then. Drawing the key costs about as much as making so many bytes of it.
const CAPACITY: usize = 4096;

/// More than this comes from the operating system at once, for the caller alone.
const MOST: usize = CAPACITY / 4;

/// A key of `ChaCha20`.
type Key = [u8; 32];

/// Randomness for who draws some bytes for each ID: a pool for each thread spares almost all system calls. A pool is 4 KiB of the `ChaCha20`
/// stream (RFC 8439) of a key of 256 bits that the operating system drew.
///
/// The key is wiped as soon as the pool is full, each byte is handed out once and wiped from the pool then: who reads the memory later
/// learns nothing of what was handed out. In a process made by fork the pools are void, so that no child draws what its
/// parent draws; a copy that libc knows nothing of (a raw `clone`) is noticed when a pool runs out, or as generators notice it: see
/// [`notice_fork`](crate::process::notice_fork). A snapshot of a virtual machine is not noticed: both machines draw what is left of a pool. What
/// secrets are made of should come from [`OsEntropy`].
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

    // So many bytes that the compiler knows are copied and wiped without a loop.
    #[inline]
    fn next_u16(&self) -> Result<u16, Error> {
        draw().map(u16::from_le_bytes)
    }

    #[inline]
    fn next_u32(&self) -> Result<u32, Error> {
        draw().map(u32::from_le_bytes)
    }

    #[inline]
    fn next_u64(&self) -> Result<u64, Error> {
        draw().map(u64::from_le_bytes)
    }

    #[inline]
    fn next_u128(&self) -> Result<u128, Error> {
        draw().map(u128::from_le_bytes)
    }
}

#[inline]
fn draw<const COUNT: usize>() -> Result<[u8; COUNT], Error> {
    if let Ok(Some(drawn)) = POOL.try_with(|pool| pool.try_borrow_mut().ok()?.hand_out_array()) {
        return Ok(drawn);
    }
    let mut bytes = [0; COUNT];
    PooledEntropy.fill(&mut bytes)?;
    Ok(bytes)
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::EMPTY) };
}

struct Pool {
    bytes: [u8; CAPACITY],
    /// The first of them that nobody has had.
    next: usize,
    /// The process that drew them.
    generation: u32,
}

impl Pool {
    const EMPTY: Pool = Pool { bytes: [0; CAPACITY], next: CAPACITY, generation: 0 };

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        if self.hand_out(bytes) { Ok(()) } else { self.refill(bytes) }
    }

    #[cold]
    fn refill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        // What is left is too little, or another process's: all is made anew. On failure there is nothing.
        self.next = CAPACITY;
        // Before the key is drawn, so that it is never newer than it.
        self.generation = process::watched_generation();
        let mut key = Zeroizing::new(Key::default());
        OsEntropy.fill(&mut *key)?;
        stretch(&key, &mut self.bytes);
        self.next = 0;
        // A fork between the lines leaves nothing to hand out.
        if self.hand_out(bytes) { Ok(()) } else { OsEntropy.fill(bytes) }
    }

    /// Whether there were enough bytes of this process.
    #[inline]
    fn hand_out(&mut self, bytes: &mut [u8]) -> bool {
        let Some(next) = self.bytes.get_mut(self.next..).and_then(|left| left.get_mut(..bytes.len())) else {
            return false;
        };
        bytes.copy_from_slice(next);
        // The pool goes on living, so that a plain store is not optimised away.
        next.fill(0);
        self.next += bytes.len();
        self.is_ours()
    }

    /// The same of so many that the compiler knows.
    #[inline]
    fn hand_out_array<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let next = self.bytes.get_mut(self.next..)?.first_chunk_mut()?;
        let bytes = core::mem::replace(next, [0; COUNT]);
        self.next += COUNT;
        self.is_ours().then_some(bytes)
    }

    /// Whether this process drew them. To be asked last: a signal's handler may fork at any point before, and both processes would go on with the
    /// same bytes.
    #[inline]
    fn is_ours(&self) -> bool {
        compiler_fence(Ordering::SeqCst);
        self.generation == process::generation()
    }
}

/// Fills the bytes with the stream of a key, from its beginning.
fn stretch(key: &Key, bytes: &mut [u8]) {
    // It wipes its own copies when it is dropped.
    ChaCha20Rng::from_seed(*key).fill_bytes(bytes);
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Error, Pool, stretch};

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

    /// RFC 8439, appendix A.1, test vectors 1, 2 and 3: keys of zeros and of a single bit, blocks 0 and 1.
    #[test]
    fn the_stream_is_chacha20s() {
        let mut key = [0; 32];
        let mut stream = [0; 128];
        stretch(&key, &mut stream);
        let first = 0x76b8_e0ad_a0f1_3d90_405d_6ae5_5386_bd28_u128;
        let second = 0x9f07_e7be_5551_387a_98ba_977c_732d_080d_u128;
        assert_eq!((&stream[..16], &stream[64..80]), (&first.to_be_bytes()[..], &second.to_be_bytes()[..]));
        key[31] = 1;
        stretch(&key, &mut stream);
        let second = 0x3aeb_5224_ecf8_4992_9b9d_828d_b1ce_d4dd_u128;
        assert_eq!(stream[64..80], second.to_be_bytes());
    }
}
