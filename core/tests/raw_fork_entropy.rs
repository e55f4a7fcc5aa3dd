//! Pooled randomness in copies of the process by a raw `clone`, of which libc calls no fork
//! handler.
//!
//! This is a program with one test: a copy lacks the other threads, but keeps the locks that they
//! hold.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

mod raw_clone;

use raw_clone::raw_clone;
use saiban::entropy::PooledEntropy;
use saiban::process::notice_fork;
use saiban::{Entropy, Error, SnowflakeGenerator};

/// Runs `first` in a copy of the process, and returns the first byte drawn after it, as the exit
/// code.
fn in_raw_copy(first: impl FnOnce() -> Result<(), Error>) -> u8 {
    // SAFETY: no other thread runs; the child runs only this block and leaves by `_exit`.
    let child = unsafe { raw_clone() };
    if child == 0 {
        let mut byte = [0];
        let result = first().and_then(|()| PooledEntropy.fill(&mut byte));
        // SAFETY: both end the child at once, without running exit handlers; a failure ends it by a
        // signal.
        unsafe {
            match result {
                Ok(()) => libc::_exit(byte[0].into()),
                Err(_) => libc::abort(),
            }
        }
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child ended by a signal: {status}");
    libc::WEXITSTATUS(status) as u8
}

/// Returns how many of 64 copies draw the same byte as their parent.
fn repeated(first: impl Fn() -> Result<(), Error>) -> usize {
    (0..64)
        .filter(|_| {
            let copied = in_raw_copy(&first);
            let mut own = [0];
            PooledEntropy.fill(&mut own).expect("randomness");
            copied == own[0]
        })
        .count()
}

#[test]
fn a_raw_copy_draws_other_bytes_once_it_is_noticed() -> Result<(), Error> {
    PooledEntropy.next_u64()?;
    // One byte in 256 is equal by chance: more than 10 of 64 have odds below one in 10^13.
    let asks = || {
        notice_fork();
        Ok(())
    };
    assert!(repeated(asks) <= 10, "the copies drew what their parent drew");
    let makes_a_generator = || SnowflakeGenerator::new(9).map(|_| ());
    assert!(repeated(makes_a_generator) <= 10, "the copies drew what their parent drew");
    let draws_a_pool_full =
        || PooledEntropy.fill(&mut [0; 128]).and_then(|()| (0..8).try_for_each(|_| PooledEntropy.fill(&mut [0; 128])));
    assert!(repeated(draws_a_pool_full) <= 10, "the copies drew what their parent drew");
    Ok(())
}
