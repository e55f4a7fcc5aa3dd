//! Waits for effects of a lease's background thread.

use std::thread;
use std::time::Duration;

/// Waits until this is true, and fails after a minute, which suffices on any machine.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} has not come about in a minute");
}
