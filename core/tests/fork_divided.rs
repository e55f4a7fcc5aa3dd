//! Forks during a call that must not be interrupted by one.
//!
//! This is a program with one test, because forks of other tests would interfere.

#![cfg(unix)]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::process::{NotUndivided, Undivided, try_undivided};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const RIGHT: i32 = 0;
const DIVIDED: i32 = 1;
const WRONG: i32 = 2;

/// Forks, runs `body` in the child, and returns its exit code.
fn in_child(body: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child runs only `body`, which takes no lock that another thread may have held,
    // and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let code = body();
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child ended by a signal: {status}");
    libc::WEXITSTATUS(status)
}

fn undivided() -> Undivided {
    try_undivided().expect("no thread forks")
}

/// Returns whether this process knows that it may have copied a half-finished call.
fn state() -> i32 {
    if try_undivided().map(|_| ()) == Err(NotUndivided::Divided) { DIVIDED } else { RIGHT }
}

/// A fork waits for another thread's call. On a busy machine the fork may give up: the child must
/// know it, and at least one child of many must be whole.
fn waits() {
    let children: Vec<i32> = (0..20)
        .map(|_| {
            let is_done = Arc::new(AtomicBool::new(false));
            let undivided = undivided();
            let other = thread::spawn({
                let is_done = Arc::clone(&is_done);
                move || {
                    // When no further call can begin, the fork is waiting for this one.
                    while try_undivided().is_ok() {
                        thread::yield_now();
                    }
                    is_done.store(true, Ordering::SeqCst);
                    drop(undivided);
                }
            });
            let child = in_child(|| match state() {
                RIGHT if !is_done.load(Ordering::SeqCst) => WRONG,
                state => state,
            });
            other.join().expect("a thread");
            child
        })
        .collect();
    assert!(!children.contains(&WRONG), "a child takes what is half done for whole: {children:?}");
    assert!(children.contains(&RIGHT), "no fork waited: {children:?}");
}

/// Forks in a thread that is in such a call itself, so that the fork's wait times out.
fn gives_up() {
    let undivided = undivided();
    let child = in_child(|| if state() == DIVIDED { in_child(state) } else { WRONG });
    assert_eq!(child, DIVIDED, "a child, or its child, takes what is half done for whole");
    drop(undivided);
    assert!(try_undivided().is_ok(), "the parent goes on");
}

/// Calls that begin during a fork are refused, and make no child divided.
fn calls_refused_during_a_fork_leave_no_child_divided() {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    drop(try_undivided());
                    thread::yield_now();
                }
            });
        }
        let divided = (0..2_000).filter(|_| in_child(state) != RIGHT).count();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(divided, 0, "children of forks that did not wait in vain");
    });
}

#[test]
fn a_child_knows_whether_the_wait_of_its_fork_timed_out() {
    waits();
    calls_refused_during_a_fork_leave_no_child_divided();
    gives_up();
}
