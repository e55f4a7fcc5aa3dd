//! Child processes, each of which makes IDs and returns them to its parent through a file.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The IDs of one child, and how often it was refused.
pub struct Child {
    pub ids: Vec<u128>,
    pub refused: u64,
}

/// Forks `children` times. Each child runs `make(index)` from one instant on, like workers that a
/// server forks at its start. The caller must have one thread.
pub fn fork(children: u64, make: impl Fn(u64) -> (Vec<u128>, u64)) -> Vec<Child> {
    fork_and_go_on(children, make, || ()).0
}

/// Forks, and runs `go_on` in the parent after the last fork, before it waits for a child.
pub fn fork_and_go_on<T>(
    children: u64,
    make: impl Fn(u64) -> (Vec<u128>, u64),
    go_on: impl FnOnce() -> T,
) -> (Vec<Child>, T) {
    let start = SystemTime::now() + Duration::from_millis(50);
    let file = |pid: i32| -> PathBuf { std::env::temp_dir().join(format!("saiban-faults-{pid}.ids")) };
    let mut pids = Vec::new();
    for child in 0..children {
        // SAFETY: no other thread of this process matters here (ferroid's ticker holds no lock), so
        // the child may continue like its parent. It ends in `_exit` and never returns to the
        // caller.
        match unsafe { libc::fork() } {
            -1 => panic!("fork: {}", std::io::Error::last_os_error()),
            0 => {
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    while SystemTime::now() < start {
                        std::hint::spin_loop();
                    }
                    let (ids, refused) = make(child);
                    let mut bytes = refused.to_le_bytes().to_vec();
                    bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
                    File::create(file(std::process::id() as i32)).and_then(|mut file| file.write_all(&bytes)).is_ok()
                }));
                // SAFETY: this ends the child at once, without the parent's exit handlers.
                unsafe { libc::_exit(if matches!(done, Ok(true)) { 0 } else { 1 }) }
            }
            pid => pids.push(pid),
        }
    }
    let parents = go_on();
    let read = |pid: i32| {
        let mut status = 0;
        // SAFETY: `status` is a valid pointer, and only this call waits for the child `pid`.
        let waited = unsafe { libc::waitpid(pid, &mut status, 0) };
        assert!(waited == pid && status == 0, "a child failed: status {status}");
        let bytes = std::fs::read(file(pid)).expect("the child has written its IDs");
        std::fs::remove_file(file(pid)).expect("the file is ours");
        let (refused, ids) = bytes.split_at(8);
        Child {
            ids: ids.chunks_exact(16).map(|id| u128::from_le_bytes(id.try_into().expect("16 bytes"))).collect(),
            refused: u64::from_le_bytes(refused.try_into().expect("8 bytes")),
        }
    };
    (pids.into_iter().map(read).collect(), parents)
}
