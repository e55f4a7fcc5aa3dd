//! The handlers that libc calls around fork.

#![allow(unsafe_code, reason = "libc's fork can be heard of in no other way")]

use super::{begin_to_fork, forked, forked_in_parent, lock};
use core::cell::RefCell;
use std::sync::MutexGuard;
use std::thread_local;

/// What a thread holds while it forks.
struct Held {
    _lock: MutexGuard<'static, ()>,
    /// Whether it has waited in vain for what must not be divided.
    in_vain: bool,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

pub(super) fn install() {
    // SAFETY: the handlers are functions that live as long as the program, take nothing, answer nothing and do not
    // unwind. A failure (no memory for one list entry) leaves fork unnoticed, as it is without the hook.
    let _ = unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

// Each may be called more than once around a fork, where two threads were the first to need a generator: the first call
// does the work. At a thread's very end there is nowhere to hold anything, and each call does it.

extern "C" fn before() {
    if HELD.try_with(|held| held.borrow().is_some()).unwrap_or(false) {
        return;
    }
    // Before the lock, which those that it waits for may want.
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
    // Without an answer the child must not take what may be half done for whole.
    forked(in_vain.unwrap_or(true));
    let _ = HELD.try_with(|held| held.take());
}
