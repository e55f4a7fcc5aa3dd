//! The atomics that threads share. With `--cfg loom` they are loom's, so that `tests/loom.rs` can
//! run the cursor and the engine in every interleaving of threads.

#[cfg(all(not(loom), feature = "alloc"))]
pub(crate) use core::sync::atomic::AtomicUsize;
#[cfg(all(not(loom), any(feature = "alloc", target_has_atomic = "64")))]
pub(crate) use core::sync::atomic::Ordering;
#[cfg(all(not(loom), feature = "std"))]
pub(crate) use core::sync::atomic::fence;
#[cfg(all(not(loom), target_has_atomic = "64"))]
pub(crate) use core::sync::atomic::{AtomicBool, AtomicU64};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

/// Lets another thread run. For a thread that waits for a lock which is held only briefly.
#[cfg(target_has_atomic = "64")]
pub(crate) fn relax() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(all(not(loom), feature = "std"))]
    std::thread::yield_now();
    #[cfg(all(not(loom), not(feature = "std")))]
    core::hint::spin_loop();
}
