//! Copies of a process by a raw `clone`, while its threads make IDs of 128 bits; no fork handler
//! runs, and `notice_fork` is not called.
//!
//! This is a program with one test: a copy lacks the other threads, but keeps the locks that they
//! hold.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

mod raw_clone;

use raw_clone::raw_clone;
use saiban::{Generator, UlidGenerator};
use std::sync::atomic::{AtomicBool, Ordering};

const COPIES: usize = 300;
/// An alarm ends a hanging copy after this many seconds.
const PATIENCE_S: u32 = 5;

#[test]
fn a_raw_copy_of_busy_threads_does_not_wait_for_their_locks() {
    let ids = UlidGenerator::new().expect("a generator");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    ids.generate().expect("an ID");
                }
            });
        }
        let mut hung = 0;
        for _ in 0..COPIES {
            // The pool keeps bytes for the copy: drawing from the system would detect the fork.
            ids.generate().expect("an ID");
            // SAFETY: the child takes no memory and no lock but the one that is tested, and leaves
            // by `_exit`.
            let child = unsafe { raw_clone() };
            if child == 0 {
                // SAFETY: sets an alarm, which ends the child.
                unsafe { libc::alarm(PATIENCE_S) };
                let mut block = [0; 2];
                let code = i32::from(ids.fill(&mut block).is_err() || block[0] >= block[1]);
                // SAFETY: ends the child at once, without running exit handlers.
                unsafe { libc::_exit(code) };
            }
            let mut status = 0;
            // SAFETY: waits for the child just made, with a place for its status.
            let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
            assert_eq!(ended, child);
            hung += u32::from(status != 0);
            if hung > 0 {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(hung, 0, "a copy waited for a thread that it lacks");
    });
}
