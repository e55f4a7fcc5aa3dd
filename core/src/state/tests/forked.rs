//! Tests that a forked copy of a state file is inert. The children are real processes that report
//! errors through their exit code.

#![allow(unsafe_code, reason = "fork has no safe form")]

use super::super::StateFile;
use super::super::os::Lock;
use super::{NODE_7, end_in_file, new_place};
use crate::error::{Error, ErrorKind};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Forks. The child runs `body` and exits. Returns the process id of the child.
fn fork(body: impl FnOnce() -> Result<(), Error>) -> i32 {
    // SAFETY: the child runs only `body`, which takes no lock that another thread may hold, and
    // ends with `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let code = body().map_or_else(|error| error.kind().number(), |()| 0);
        // SAFETY: `_exit` ends the child at once and runs no exit handlers of the parent.
        unsafe { libc::_exit(code) };
    }
    child
}

/// Waits for a child. Returns the number of its error, or 0 without an error.
fn wait(child: i32) -> i32 {
    let mut status = 0;
    // SAFETY: `child` is a child of this process, and `status` is valid for writes.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status), "the child ended by a signal: {status}");
    libc::WEXITSTATUS(status)
}

fn in_child(body: impl FnOnce() -> Result<(), Error>) -> Option<ErrorKind> {
    ErrorKind::from_number(wait(fork(body)))
}

#[test]
fn a_childs_copy_saves_writes_and_unlocks_nothing() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(5000)?;
    let before = std::fs::read(&path).expect("a file");
    assert_eq!(in_child(|| file.save_through(6000)), Some(ErrorKind::Forked));
    assert_eq!(in_child(|| file.save_through(3)), Some(ErrorKind::Forked));
    assert_eq!(Arc::strong_count(&file), 1);
    // This would be a clean close if the file were not a copy.
    let dropped = in_child(|| {
        file.close_at(1);
        // SAFETY: the child never uses its copy again, and ends with `_exit`, which drops nothing.
        drop(unsafe { core::ptr::read(&raw const file) });
        Ok(())
    });
    assert_eq!(dropped, None);
    assert_eq!(std::fs::read(&path).expect("a file"), before);
    assert!(Lock::take(&path).expect("a file").is_none(), "the parent's lock is gone");
    file.save_through(6000)?;
    assert_eq!(end_in_file(&path), 6100);
    Ok(())
}

#[test]
fn a_child_is_refused_the_file_that_its_parent_has() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    let open = || StateFile::open(&path, &NODE_7)?.save_through(9000);
    assert_eq!(in_child(open), Some(ErrorKind::StateInUse));
    assert_eq!(in_child(|| ended_by(in_child(open))), Some(ErrorKind::StateInUse));
    file.save_through(5000)?;
    drop(file);
    assert_eq!(in_child(open), None);
    assert_eq!(end_in_file(&path), 9100);
    Ok(())
}

/// Converts the result of a grandchild to the result of the child.
fn ended_by(kind: Option<ErrorKind>) -> Result<(), Error> {
    match kind {
        Some(ErrorKind::StateInUse) => Err(Error::StateInUse { path: crate::Excerpt::new("") }),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_child_can_use_other_files() -> Result<(), Error> {
    let (folder, path) = new_place();
    let _file = StateFile::open(&path, &NODE_7)?;
    let own = folder.path().join("own.state");
    let child = || {
        let file = StateFile::open(&own, &NODE_7)?;
        file.save_through(5000)?;
        file.close_at(5001);
        Ok(())
    };
    assert_eq!(in_child(child), None);
    assert_eq!(end_in_file(&own), 5001);
    Ok(())
}

#[test]
fn children_do_not_keep_the_file_of_a_parent_that_is_gone() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (mut reader, mut writer) = std::os::unix::net::UnixStream::pair().expect("a pair of sockets");
    let parent = fork(|| {
        let file = StateFile::open(&path, &NODE_7)?;
        file.save_through(5000)?;
        fork(|| {
            // The child has closed its copies of the locks by now. The child itself reports its id,
            // because its parent may have ended before.
            writer.write_all(&std::process::id().to_ne_bytes()).expect("a socket");
            loop {
                std::thread::park();
            }
        });
        // The parent ends without closing the file, as if it were killed.
        core::mem::forget(file);
        Ok(())
    });
    let mut child = [0; 4];
    reader.read_exact(&mut child).expect("the parent tells its child");
    assert_eq!(wait(parent), 0);
    let child = u32::from_ne_bytes(child) as i32;
    let answer = StateFile::open(&path, &NODE_7).map(|file| file.first_free_tick());
    // SAFETY: `child` is a process that this test created.
    assert_eq!(unsafe { libc::kill(child, libc::SIGKILL) }, 0);
    assert_eq!(answer, Ok(Some(5100)));
    Ok(())
}

#[test]
fn a_fork_while_other_threads_open_and_save_leaves_nothing_behind() {
    let (folder, _) = new_place();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let path = folder.path().join(std::format!("{thread}.state"));
            let stop = &stop;
            scope.spawn(move || {
                for tick in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    // Close and open the file while children start: their copies of the locks must
                    // not block it.
                    let file = StateFile::open(&path, &NODE_7).expect("ours");
                    file.save_through(tick).expect("a disk");
                    file.close_at(tick + 1);
                }
            });
        }
        let own = folder.path().join("own.state");
        for tick in 1..=200 {
            assert_eq!(in_child(|| StateFile::open(&own, &NODE_7)?.save_through(tick * 1000)), None);
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(end_in_file(&own), 200_100);
    });
}
