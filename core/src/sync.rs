//! The atomics that threads meet at. A build with `--cfg loom` puts loom's in their place, so that `tests/loom.rs` runs the cursor and the
//! engine through every order of threads.

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

/// Lets another thread go on, which holds what this one waits for and will not for long.
#[cfg(target_has_atomic = "64")]
pub(crate) fn relax() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(all(not(loom), feature = "std"))]
    std::thread::yield_now();
    #[cfg(all(not(loom), not(feature = "std")))]
    core::hint::spin_loop();
}
