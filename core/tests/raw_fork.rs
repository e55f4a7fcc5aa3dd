//! Copies of the process that libc knows nothing of: a raw `clone`, so that no handler is called.
//!
//! A program of its own with one test: such a copy has no part of what other threads were about,
//! their locks included.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

use saiban::process::notice_fork;
use saiban::{Error, ErrorKind, Generator, Layout, Options, Scope, SnowflakeGenerator, SystemClock};

/// What comes of this in a copy of the process that no handler has heard of.
fn in_raw_copy(body: impl FnOnce() -> Result<i64, Error>) -> Option<ErrorKind> {
    // SAFETY: a clone that shares nothing is fork, and all that is left 0 is unused. No other
    // thread does anything; the child runs only `body` and leaves by `_exit`.
    let child = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) } as libc::pid_t;
    assert!(child >= 0, "clone");
    if child == 0 {
        let code = body().map_or_else(|error| error.kind().number(), |_| 0);
        // SAFETY: ends the child at once, without what the parent's threads would want at exit.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child ended by a signal: {status}");
    ErrorKind::from_number(libc::WEXITSTATUS(status))
}

fn snowflake(node: u64) -> Result<SnowflakeGenerator, Error> {
    SnowflakeGenerator::build(Layout::TWITTER, &Options::node(node).scope(Scope::Process), SystemClock)
}

#[test]
fn a_raw_copy_is_noticed_by_who_asks_and_by_who_makes_a_generator() -> Result<(), Error> {
    // Before there is a generator there is nothing to notice.
    notice_fork();
    let ids = snowflake(7)?;
    let before = ids.generate()?;
    let asks = || {
        notice_fork();
        ids.generate()
    };
    assert_eq!(in_raw_copy(asks), Some(ErrorKind::Forked));
    let makes_one = || {
        snowflake(8)?.generate()?;
        ids.generate()
    };
    assert_eq!(in_raw_copy(makes_one), Some(ErrorKind::Forked));
    assert_eq!(in_raw_copy(|| snowflake(7)?.generate()), Some(ErrorKind::NodeInUse));
    let own = || {
        notice_fork();
        let own = snowflake(8)?;
        notice_fork();
        own.generate()
    };
    assert_eq!(in_raw_copy(own), None);
    assert_ne!(ids.generate()?, before, "the parent goes on");
    Ok(())
}
