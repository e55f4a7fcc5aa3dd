//! Waiting for what a lease's own thread brings about.

use std::thread;
use std::time::Duration;

/// Waits until this is so, and fails after a time in which it must have become so on any machine.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} has not come about in a minute");
}
