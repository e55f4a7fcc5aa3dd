//! Copies of this process by a raw `clone`, of which libc calls no fork handler.

/// Copies this process: returns 0 in the copy, and in this process the id of the copy.
///
/// # Safety
/// As for `fork`: the copy has this thread alone, must take no lock that another thread may hold,
/// and must leave by `_exit`.
pub unsafe fn raw_clone() -> libc::pid_t {
    // s390x takes the new stack first, every other processor the flags. A stack of 0 is this one.
    let signal = libc::c_long::from(libc::SIGCHLD);
    let (first, second) = if cfg!(target_arch = "s390x") { (0, signal) } else { (signal, 0) };
    // SAFETY: a clone without flags is a fork, and the arguments of 0 are unused.
    let child = unsafe { libc::syscall(libc::SYS_clone, first, second, 0, 0, 0) } as libc::pid_t;
    assert!(child >= 0, "clone");
    child
}
