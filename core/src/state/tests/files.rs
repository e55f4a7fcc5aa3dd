//! Tests of paths, damaged files, and errors of the operating system.

use super::super::StateFile;
use super::super::slots::{FILE, newest};
use super::{NODE_7, end_in_file, new_place};
use crate::error::{Error, StateProblem};
use std::fs::{self, File};
use std::path::Path;
#[cfg(unix)]
use std::sync::Arc;
use std::vec::Vec;

fn problem(path: &Path) -> Option<StateProblem> {
    match StateFile::open(path, &NODE_7) {
        Ok(_) => None,
        Err(Error::StateMismatch { problem, .. }) => Some(problem),
        Err(error) => panic!("{error}"),
    }
}

/// Creates a file that was saved a few times, closed cleanly, and saved again. Returns its bytes
/// and the end that they state.
fn used(path: &Path) -> Result<(Vec<u8>, u64), Error> {
    for tick in [5_000, 6_000, 900_000] {
        let file = StateFile::open(path, &NODE_7)?;
        file.save_through(tick)?;
        file.close_at(tick + 1);
    }
    let file = StateFile::open(path, &NODE_7)?;
    file.save_through(1_000_000)?;
    Ok((fs::read(path).expect("a file"), file.saved_end()))
}

#[test]
fn a_change_of_any_single_byte_loses_nothing() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (mut bytes, end) = used(&path)?;
    for at in 0..FILE {
        let right = bytes[at];
        for wrong in [right ^ 1, right ^ 0x80, b'\n', b'0'] {
            bytes[at] = wrong;
            assert_eq!(newest(&bytes).map(|found| found.record.end), Ok(end), "byte {at} as {wrong}");
        }
        bytes[at] = right;
    }
    Ok(())
}

#[test]
fn the_loss_of_one_slot_is_harmless_and_that_of_both_is_detected() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (bytes, end) = used(&path)?;
    let (slot, sector) = (FILE / 2, 512);
    for garbage in [0, b'\n', b'x'] {
        for at in (0..FILE).step_by(sector) {
            for after in (at + sector..=FILE).step_by(sector) {
                let mut damaged = bytes.clone();
                damaged[at..after].fill(garbage);
                match newest(&damaged) {
                    Ok(found) => assert_eq!(found.record.end, end, "{at} to {after}"),
                    Err(problem) => {
                        assert_eq!(problem, StateProblem::Damaged);
                        assert!(at < slot && slot < after, "{at} to {after}");
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_truncated_file_has_the_saved_tick_or_is_refused() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (bytes, end) = used(&path)?;
    for length in 0..FILE {
        let expected = if length < FILE / 2 { Err(StateProblem::Damaged) } else { Ok(end) };
        assert_eq!(newest(&bytes[..length]).map(|found| found.record.end), expected, "{length} bytes");
    }
    for length in [1, 512, FILE / 2 - 1] {
        fs::write(&path, &bytes[..length]).expect("a disk");
        assert_eq!(problem(&path), Some(StateProblem::Damaged), "{length} bytes");
    }
    fs::write(&path, [&bytes[..], b"\n"].concat()).expect("a disk");
    assert_eq!(problem(&path), Some(StateProblem::Damaged), "a longer file is none of ours");
    Ok(())
}

#[test]
fn a_damaged_slot_is_repaired_when_the_file_is_opened() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (bytes, end) = used(&path)?;
    for lost in [0..FILE / 2, FILE / 2..FILE] {
        for cut_off in [false, true] {
            let mut damaged = bytes.clone();
            damaged[lost.clone()].fill(0);
            if cut_off && lost.start > 0 {
                damaged.truncate(lost.start);
            }
            fs::write(&path, damaged).expect("a disk");
            assert_eq!(StateFile::open(&path, &NODE_7)?.first_free_tick(), Some(end));
            let mut whole = fs::read(&path).expect("a file");
            assert_eq!(whole.len(), FILE);
            // Now the other slot may be lost.
            let other = if lost.start == 0 { FILE / 2..FILE } else { 0..FILE / 2 };
            whole[other].fill(0);
            assert_eq!(newest(&whole).map(|found| found.record.end), Ok(end));
        }
    }
    Ok(())
}

#[test]
fn a_file_that_a_later_version_has_begun_to_write_is_refused() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let (mut bytes, _) = used(&path)?;
    let (first, _) = bytes.split_at_mut(FILE / 2);
    first[b"saiban state ".len()] = b'2';
    let at = first.windows(9).position(|word| word == b"checksum ").expect("a checksum");
    let checksum = std::format!("{:08x}", crc32fast::hash(&first[..at]));
    first[at + 9..at + 17].copy_from_slice(checksum.as_bytes());
    for other in [b'2', 0] {
        bytes[FILE / 2 + b"saiban state ".len()] = other;
        fs::write(&path, &bytes).expect("a disk");
        assert_eq!(problem(&path), Some(StateProblem::OtherFormat));
    }
    Ok(())
}

#[test]
fn a_file_that_is_something_else_is_refused_and_not_touched() {
    let (_folder, path) = new_place();
    for content in ["\n", "precious", &"precious ".repeat(2_000), "saiban state 1\n"] {
        fs::write(&path, content).expect("a disk");
        assert_eq!(problem(&path), Some(StateProblem::Damaged));
        assert_eq!(fs::read(&path).expect("a file"), content.as_bytes());
    }
}

#[test]
fn an_empty_file_is_refused_and_stays_empty() -> Result<(), Error> {
    let (_folder, path) = new_place();
    used(&path)?;
    // The result of a full disk, or of an interrupted restore.
    File::create(&path).expect("a disk");
    assert_eq!(problem(&path), Some(StateProblem::Empty));
    assert_eq!(fs::metadata(&path).expect("a file").len(), 0);
    // The remedy that the error message names for a file in which nothing was saved.
    fs::remove_file(&path).expect("our own file");
    assert_eq!(StateFile::open(&path, &NODE_7)?.first_free_tick(), None);
    Ok(())
}

#[test]
fn a_file_in_which_nothing_was_saved_is_still_new() -> Result<(), Error> {
    let (_folder, path) = new_place();
    drop(StateFile::open(&path, &NODE_7)?);
    assert_eq!(end_in_file(&path), 0);
    assert_eq!(StateFile::open(&path, &NODE_7)?.first_free_tick(), None);
    Ok(())
}

#[test]
fn a_file_left_by_a_crash_during_its_creation_is_replaced() -> Result<(), Error> {
    let (folder, path) = new_place();
    let left = folder.path().join("orders.state.saiban-new");
    fs::write(&left, "saiban sta").expect("a disk");
    StateFile::open(&path, &NODE_7)?.save_through(5000)?;
    assert!(!left.exists());
    assert_eq!(end_in_file(&path), 5100);
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_new_file_is_private_and_an_existing_mode_is_kept() -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = new_place();
    let lock = path.with_extension("state.lock");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    StateFile::open(&path, &NODE_7)?;
    assert_eq!((mode(&path), mode(&lock)), (0o600, 0o600));
    for file in [&path, &lock] {
        fs::set_permissions(file, fs::Permissions::from_mode(0o640)).expect("our own file");
    }
    StateFile::open(&path, &NODE_7)?.save_through(5000)?;
    assert_eq!((mode(&path), mode(&lock)), (0o640, 0o640));
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_file_has_one_lock_under_all_its_paths() -> Result<(), Error> {
    use crate::error::ErrorKind;
    use std::os::unix::fs::symlink;
    let (folder, path) = new_place();
    // Links to a file that does not exist yet: the file is created, and the links remain.
    fs::create_dir(folder.path().join("there")).expect("a disk");
    let links = ["there/first", "second"].map(|name| folder.path().join(name));
    symlink("../orders.state", &links[0]).expect("a disk");
    symlink("there/first", &links[1]).expect("a disk");
    let file = StateFile::open(&links[1], &NODE_7)?;
    assert!(links[1].is_symlink() && links[0].is_symlink() && !path.is_symlink());
    for name in [&path, &links[0], &folder.path().join("there/../orders.state")] {
        assert!(Arc::ptr_eq(&file, &StateFile::open(name, &NODE_7)?), "{name:?}");
    }
    let hard_link = folder.path().join("third");
    fs::hard_link(&path, &hard_link).expect("a disk");
    assert!(Arc::ptr_eq(&file, &StateFile::open(&hard_link, &NODE_7)?));
    // Lock as another process would, without the registry of this process.
    let other = super::super::os::Lock::take(&hard_link).expect("a file");
    assert!(other.is_none());
    drop(file);
    let other = super::super::os::Lock::take(&hard_link).expect("a file").expect("free");
    assert_eq!(StateFile::open(&path, &NODE_7).expect_err("locked").kind(), ErrorKind::StateInUse);
    other.release();
    StateFile::open(&path, &NODE_7)?;
    Ok(())
}

#[cfg(unix)]
#[test]
fn errors_of_the_system_are_reported_with_their_number() {
    use rustix::io::Errno;
    let (folder, path) = new_place();
    let os_error = |path: &Path| match StateFile::open(path, &NODE_7) {
        Err(Error::StateUnavailable { os_error, .. }) => os_error,
        other => panic!("{other:?}"),
    };
    assert_eq!(os_error(folder.path()), Errno::ISDIR.raw_os_error());
    assert_eq!(os_error(&folder.path().join("missing/orders.state")), Errno::NOENT.raw_os_error());
    fs::write(&path, "").expect("a disk");
    assert_eq!(os_error(&path.join("orders.state")), Errno::NOTDIR.raw_os_error());
    assert_eq!(os_error(Path::new("/dev/null")), Errno::INVAL.raw_os_error());
    assert_eq!(os_error(Path::new("a\0b")), Errno::INVAL.raw_os_error());
    assert_eq!(os_error(&folder.path().join("x".repeat(300))), Errno::NAMETOOLONG.raw_os_error());
    std::os::unix::fs::symlink("circle", folder.path().join("circle")).expect("a disk");
    assert_eq!(os_error(&folder.path().join("circle")), Errno::LOOP.raw_os_error());
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(left.len(), 2, "nothing is left of what was refused: {left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_that_was_saved() -> Result<(), Error> {
    use rustix::io::Errno;
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(5000)?;
    let disk_of = |path: &Path| {
        let mut slots = file.slots.lock().expect("no panic");
        let full = fs::OpenOptions::new().read(true).write(true).open(path).expect("a file");
        (slots.disk.file, slots.disk.path) = (full, path.into());
    };
    // A device of the kernel that always reports a full disk.
    disk_of(Path::new("/dev/full"));
    for tick in [6000, 7000] {
        match file.save_through(tick) {
            Err(Error::StateUnavailable { os_error, .. }) => assert_eq!(os_error, Errno::NOSPC.raw_os_error()),
            other => panic!("{other:?}"),
        }
        assert_eq!((file.saved_end(), end_in_file(&path)), (5100, 5100));
        assert_eq!(file.save_through(5099), Ok(()));
    }
    disk_of(&path);
    file.save_through(6000)?;
    assert_eq!((file.saved_end(), end_in_file(&path)), (6100, 6100));
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_file_that_was_removed_or_replaced_is_noticed() -> Result<(), Error> {
    use rustix::io::Errno;
    let (folder, path) = new_place();
    let away = folder.path().join("away");
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(5000)?;
    let os_error = |tick| match file.save_through(tick) {
        Err(Error::StateUnavailable { os_error, .. }) => os_error,
        other => panic!("{other:?}"),
    };
    fs::rename(&path, &away).expect("a disk");
    assert_eq!(os_error(6000), Errno::NOENT.raw_os_error());
    fs::copy(&away, &path).expect("a disk");
    assert_eq!(os_error(6000), Errno::STALE.raw_os_error());
    fs::rename(&away, &path).expect("a disk");
    file.save_through(6000)?;
    assert_eq!(end_in_file(&path), 6100);
    Ok(())
}
