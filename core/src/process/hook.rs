//! The handlers that libc calls around fork (`pthread_atfork`).

#![allow(unsafe_code, reason = "libc's fork can be heard of in no other way")]

use super::forks::{begin_to_fork, forked, forked_in_parent, lock};
use core::cell::RefCell;
use std::sync::MutexGuard;
use std::thread_local;

/// What a thread keeps while it forks.
struct Held {
    _lock: MutexGuard<'static, ()>,
    /// Whether the wait for [`Undivided`](super::Undivided) values timed out.
    in_vain: bool,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

pub(super) fn install() {
    // SAFETY: the handlers are functions that live as long as the program. They take and return
    // nothing, and do not unwind. If registering them fails (no memory for a list entry), forks go
    // unnoticed, as without the hook.
    let _ = unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

// Each handler may be called more than once around a fork, if two threads registered the handlers
// at once: the first call does the work. While a thread's local variables are destroyed nothing can
// be kept, and each call does the work.

extern "C" fn before() {
    if HELD.try_with(|held| held.borrow().is_some()).unwrap_or(false) {
        return;
    }
    // Before taking the lock, which the threads that this waits for may need.
    let in_vain = begin_to_fork();
    let _ = HELD.try_with(|held| {
        held.borrow_mut().get_or_insert_with(|| Held { _lock: lock(), in_vain });
    });
}

extern "C" fn after_in_parent() {
    if HELD.try_with(|held| held.take().is_some()).unwrap_or(true) {
        forked_in_parent();
    }
}

extern "C" fn after_in_child() {
    let in_vain = HELD.try_with(|held| held.borrow().as_ref().is_some_and(|held| held.in_vain));
    // If the result is lost, the child must assume that a call is left half done.
    forked(in_vain.unwrap_or(true));
    let _ = HELD.try_with(|held| held.take());
}
