//! Copies of the process by a raw `clone`, of which libc calls no fork handler.
//!
//! This is a program with one test: a copy lacks the other threads, but keeps the locks that they
//! hold.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

mod raw_clone;

use raw_clone::raw_clone;
use saiban::process::notice_fork;
use saiban::{Error, ErrorKind, Generator, Layout, Options, Scope, SnowflakeGenerator, SystemClock};

/// Runs `body` in a copy of the process that no fork handler noticed, and returns its error.
fn in_raw_copy(body: impl FnOnce() -> Result<i64, Error>) -> Option<ErrorKind> {
    // SAFETY: no other thread runs; the child runs only `body` and leaves by `_exit`.
    let child = unsafe { raw_clone() };
    if child == 0 {
        let code = body().map_or_else(|error| error.kind().number(), |_| 0);
        // SAFETY: ends the child at once, without running exit handlers.
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
fn a_raw_copy_is_detected_by_notice_fork_and_by_making_a_generator() -> Result<(), Error> {
    // Without a generator there is no fork to notice.
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
