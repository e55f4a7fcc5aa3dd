//! Pooled randomness in copies of the process that libc knows nothing of: a raw `clone`, so that no
//! handler is called.
//!
//! A program of its own with one test: such a copy has no part of what other threads were about,
//! their locks included.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

use saiban::entropy::PooledEntropy;
use saiban::process::notice_fork;
use saiban::{Entropy, Error, SnowflakeGenerator};

/// The first byte that such a copy draws after this, as the copy's exit code.
fn in_raw_copy(first: impl FnOnce() -> Result<(), Error>) -> u8 {
    // SAFETY: a clone that shares nothing is fork, and all that is left 0 is unused. No other
    // thread does anything; the child runs only what is here and leaves by `_exit`.
    let child = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) } as libc::pid_t;
    assert!(child >= 0, "clone");
    if child == 0 {
        let mut byte = [0];
        let drawn = first().and_then(|()| PooledEntropy.fill(&mut byte));
        // SAFETY: both end the child at once, without what the parent's threads would want at exit;
        // a failure as a signal does.
        unsafe {
            match drawn {
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

/// How many of 64 copies draw the byte that their parent draws next.
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
    // By chance one in 256 is the same: that more than 10 of 64 are is less likely than one in
    // 10^13.
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
