//! A child that was forked while SQLite was in a call in its parent. This is a separate program,
//! because forks of other tests would wait for that call too.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::{ErrorKind, process};
use saiban_coordination::{Lease, LeaseOptions};

#[test]
fn a_child_of_a_fork_that_could_not_wait_for_sqlite_is_refused_and_does_not_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("ids.db").display());
    let acquire = || Lease::acquire(&url, &LeaseOptions { create: Some(true), ..LeaseOptions::default() });
    // A connection to SQLite holds this guard while it waits for a lock of another process.
    let undivided = process::try_undivided().expect("no thread forks");
    // SAFETY: this process has no other thread yet; the child requests a lease and ends with
    // `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        // SAFETY: sets an alarm, which ends a child that hangs.
        unsafe { libc::alarm(30) };
        let code = match acquire() {
            Err(error) if error.kind() == ErrorKind::Forked && error.to_string().contains("fork again") => 0,
            Err(_) => 1,
            Ok(_) => 2,
        };
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child hung: {status}");
    assert_eq!(libc::WEXITSTATUS(status), 0, "1: another error, 2: a lease");
    drop(undivided);
    acquire().expect("a lease in the parent").release().expect("given back");
}
