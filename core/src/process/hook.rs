//! The handlers that libc calls around fork.

#![allow(unsafe_code, reason = "libc's fork can be heard of in no other way")]

use super::{begin_to_fork, forked, forked_in_parent, lock};
use core::cell::RefCell;
use std::sync::MutexGuard;
use std::thread_local;

thread_local! {
    /// What this thread holds while it forks.
    static HELD: RefCell<Option<MutexGuard<'static, ()>>> = const { RefCell::new(None) };
}

pub(super) fn install() {
    // SAFETY: the handlers are functions that live as long as the program, take nothing, answer nothing and do not
    // unwind. A failure (no memory for one list entry) leaves fork unnoticed, as it is without the hook.
    let _ = unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

// Each may be called more than once around a fork, where two threads were the first to need a generator.

extern "C" fn before() {
    // Before the lock, which those that it waits for may want.
    begin_to_fork();
    // At a thread's very end there is nowhere to keep the lock; then nobody is kept out.
    let _ = HELD.try_with(|held| {
        held.borrow_mut().get_or_insert_with(lock);
    });
}

extern "C" fn after_in_parent() {
    let _ = HELD.try_with(|held| held.take());
    forked_in_parent();
}

extern "C" fn after_in_child() {
    forked();
    let _ = HELD.try_with(|held| held.take());
}
