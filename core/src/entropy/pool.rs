//! Randomness buffered for each thread: the key stream of a key from the operating system.

use super::{Entropy, OsEntropy};
use crate::error::Error;
use crate::process;
use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use core::cell::RefCell;
use core::sync::atomic::{Ordering, compiler_fence};
use std::thread_local;
use zeroize::{Zeroize, Zeroizing};

/// How many bytes are made from one key, which is then wiped. Reading a key costs about a seventh
/// of making this many bytes.
const CAPACITY: usize = 8192;

/// The largest request that is filled from the pool. Larger ones go to the operating system.
const MAX: usize = CAPACITY / 8;

/// A key of `ChaCha12`.
type Key = [u8; 32];

/// A source of randomness with a pool for each thread, which spares almost all system calls. It is
/// for schemes that need random bytes for each ID. A pool is 8 KiB of the `ChaCha12` stream of a
/// 256-bit key from the operating system: the cipher of RFC 8439 with 12 rounds instead of 20, as
/// in the crate `rand`. No attack on 8 or more rounds has been published.
///
/// The key is wiped as soon as the pool is full. Each byte is returned once, and then wiped from
/// the pool. So the memory never reveals bytes that were returned earlier.
///
/// A forked process discards its pools, so a child never repeats its parent's bytes. A copy
/// that libc does not know of (a raw `clone`) is noticed when a pool runs out, or when generators
/// notice it: see [`notice_fork`](crate::process::notice_fork). A snapshot of a virtual machine is
/// not noticed: both machines return what is left of a pool. Use [`OsEntropy`] to make secrets.
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
        if bytes.len() > MAX {
            return OsEntropy.fill(bytes);
        }
        // There is no pool while a thread's local variables are destroyed, nor for a signal handler
        // that interrupts this thread while it uses the pool.
        POOL.try_with(|pool| Some(pool.try_borrow_mut().ok()?.fill(bytes)))
            .ok()
            .flatten()
            .unwrap_or_else(|| OsEntropy.fill(bytes))
    }

    // With a length known at compile time, the bytes are copied and wiped without a loop.
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
    draw_slowly()
}

#[cold]
#[inline(never)]
fn draw_slowly<const COUNT: usize>() -> Result<[u8; COUNT], Error> {
    let mut bytes = [0; COUNT];
    PooledEntropy.fill(&mut bytes)?;
    Ok(bytes)
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::EMPTY) };
}

// A new pool is all zeros, so that it takes no room in a program's file.
struct Pool {
    /// Bytes are returned from the end.
    bytes: [u8; CAPACITY],
    /// How many bytes were not returned yet.
    left: usize,
    /// The generation of the process that filled the pool.
    generation: u32,
}

impl Pool {
    const EMPTY: Pool = Pool { bytes: [0; CAPACITY], left: 0, generation: 0 };

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        if self.hand_out(bytes) { Ok(()) } else { self.refill(bytes) }
    }

    #[cold]
    fn refill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        // The pool has too few bytes, or belongs to another process: all bytes are replaced. If
        // that fails, the pool is empty.
        self.left = 0;
        // Read before the key, so that the generation is never newer than the key.
        self.generation = process::watched_generation();
        let mut key = Zeroizing::new(Key::default());
        OsEntropy.fill(&mut *key)?;
        stretch(&key, &mut self.bytes);
        self.left = CAPACITY;
        // After a fork between these lines, the pool has no bytes for this process.
        if self.hand_out(bytes) { Ok(()) } else { OsEntropy.fill(bytes) }
    }

    /// Fills `bytes` from the pool. Returns false if the pool has too few bytes, or belongs to
    /// another process; then `bytes` must not be used.
    #[inline]
    fn hand_out(&mut self, bytes: &mut [u8]) -> bool {
        let Some(start) = self.left.checked_sub(bytes.len()) else { return false };
        let Some(next) = self.bytes.get_mut(start..self.left) else { return false };
        bytes.copy_from_slice(next);
        // The pool stays alive, so the compiler cannot remove this store.
        next.fill(0);
        self.left = start;
        self.is_ours()
    }

    /// Returns the next `COUNT` bytes, as [`hand_out`](Self::hand_out) does for any number of
    /// bytes.
    #[inline]
    fn hand_out_array<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let next = self.bytes.get_mut(..self.left)?.last_chunk_mut()?;
        let bytes = core::mem::replace(next, [0; COUNT]);
        self.left -= COUNT;
        self.is_ours().then_some(bytes)
    }

    /// Returns whether this process filled the pool. It must be called after taking the bytes: a
    /// signal handler may fork at any point before, and both processes would use the same bytes.
    #[inline]
    fn is_ours(&self) -> bool {
        compiler_fence(Ordering::SeqCst);
        self.generation == process::generation()
    }
}

/// Fills `bytes` with the stream of a key, from its beginning.
fn stretch(key: &Key, bytes: &mut [u8]) {
    // The generator wipes its own copies of the key when it is dropped.
    ChaCha12Rng::from_seed(*key).fill_bytes(bytes);
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
    fn bytes_that_were_handed_out_are_erased_from_the_pool() -> Result<(), Error> {
        let mut pool = Pool::EMPTY;
        let mut had = [0; 16];
        for handed_out in (16..=CAPACITY).step_by(16) {
            pool.fill(&mut had)?;
            let (left, erased) = pool.bytes.split_at(CAPACITY - handed_out);
            assert_eq!(erased, &[0; CAPACITY][..handed_out]);
            // The rest is random and differs from what was returned. 16 random bytes are all 0 with
            // a probability of 2^-128.
            assert!(left.chunks_exact(16).all(|left| left != had && left != [0; 16]));
        }
        pool.fill(&mut had)?;
        assert_eq!((pool.left, &pool.bytes[pool.left..]), (CAPACITY - 16, &[0; 16][..]));
        Ok(())
    }

    /// draft-strombergson-chacha-test-vectors-01, a key of 256 bits, 12 rounds: TC1 and TC2, blocks
    /// 0 and 1.
    #[test]
    fn the_stream_is_chacha12s() {
        let mut key = [0; 32];
        let mut stream = [0; 128];
        stretch(&key, &mut stream);
        let first = 0x9bf4_9a6a_0755_f953_811f_ce12_5f26_83d5_u128;
        let second = 0x0bd5_8841_203e_74fe_86fc_7133_8ce0_173d_u128;
        assert_eq!((&stream[..16], &stream[64..80]), (&first.to_be_bytes()[..], &second.to_be_bytes()[..]));
        key[0] = 1;
        stretch(&key, &mut stream);
        let first = 0x1205_6e59_5d56_b0f6_eef0_90f0_cd25_a209_u128;
        assert_eq!(stream[..16], first.to_be_bytes());
    }
}
