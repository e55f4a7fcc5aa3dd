//! Copies of a process whose threads make IDs of 128 bits, by a raw `clone` that libc knows nothing
//! of, and of which nobody tells.
//!
//! A program of its own with one test: such a copy has no part of what other threads were about,
//! their locks included.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "a raw clone has no safe form")]

use saiban::{Generator, UlidGenerator};
use std::sync::atomic::{AtomicBool, Ordering};

const COPIES: usize = 300;
/// A copy that hangs is ended after this many seconds.
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
            // With randomness left for the copy: who draws some from the system notices by that.
            ids.generate().expect("an ID");
            // SAFETY: a clone that shares nothing is fork, and all that is left 0 is unused. The
            // child takes no memory and no lock but the one that is tested, and leaves by `_exit`.
            let child = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) } as libc::pid_t;
            assert!(child >= 0, "clone");
            if child == 0 {
                // SAFETY: sets an alarm, which ends the child.
                unsafe { libc::alarm(PATIENCE_S) };
                let mut block = [0; 2];
                let code = i32::from(ids.fill(&mut block).is_err() || block[0] >= block[1]);
                // SAFETY: ends the child at once, without what the parent's threads would want at
                // exit.
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
