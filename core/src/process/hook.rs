//! The hook that libc calls around fork.

#![allow(unsafe_code, reason = "libc's fork can be heard of in no other way")]

use super::GENERATION;
use core::sync::atomic::Ordering;

pub(super) fn install() {
    // SAFETY: the handlers are functions that live as long as the program, take nothing, answer nothing and do not
    // unwind. A failure (no memory for one list entry) leaves fork unnoticed, as it is without the hook.
    let _ = unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

/// Runs in the parent: no other thread may hold the registry at the moment of the copy, whose threads are gone.
extern "C" fn before() {
    crate::cursor::hold_registry();
}

extern "C" fn after_in_parent() {
    crate::cursor::release_registry();
}

extern "C" fn after_in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    crate::cursor::release_registry();
}
