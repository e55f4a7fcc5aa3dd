//! Tests of what is saved and when, and of who may open a file.

use super::super::StateFile;
use super::super::os::Lock;
use super::{Identity, NODE_7, end_in_file, new_place};
use crate::error::{Error, ErrorKind, StateProblem};
use crate::layout::{Layout, LayoutSpec};
use std::sync::Arc;

#[test]
fn a_tick_is_on_disk_before_it_may_be_used() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    assert_eq!((file.first_free_tick(), file.saved_end()), (None, 0));
    for tick in [5000, 5001, 5099, 5100, 9000, 9100, 1 << 40] {
        file.save_through(tick)?;
        assert!(file.saved_end() > tick);
        assert_eq!(end_in_file(&path), file.saved_end());
    }
    Ok(())
}

#[test]
fn steps_are_100_ms_or_a_tick_if_that_is_longer() -> Result<(), Error> {
    let spec = LayoutSpec::new().unused(1).timestamp(30).node(16).sequence(17);
    for (tick_us, step) in [(1, 100_000), (1_000, 100), (10_000, 10), (60_000, 1), (100_000, 1), (1_000_000, 1)] {
        let layout = spec.tick_us(tick_us).check()?;
        let (_folder, path) = new_place();
        let file = StateFile::open(&path, &Identity { layout: &layout, ..NODE_7 })?;
        file.save_through(1000)?;
        assert_eq!(file.saved_end(), 1000 + step, "ticks of {tick_us} us");
        file.save_through(layout.ticks() - 1)?;
        assert_eq!(file.saved_end(), layout.ticks(), "no tick is past the last");
        file.save_through(layout.ticks())?;
        assert_eq!(end_in_file(&path), layout.ticks() + 1, "what is asked for is saved all the same");
    }
    Ok(())
}

#[test]
fn saved_ticks_are_never_taken_back() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(1_000_000)?;
    file.save_through(3)?;
    assert_eq!((file.saved_end(), end_in_file(&path)), (1_000_100, 1_000_100));
    Ok(())
}

#[test]
fn a_clean_close_saves_the_exact_tick() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(5000)?;
    file.close_at(5004);
    assert_eq!(end_in_file(&path), 5100, "only the last drop closes it");
    drop(file);
    assert_eq!(end_in_file(&path), 5004);
    let file = StateFile::open(&path, &NODE_7)?;
    assert_eq!((file.first_free_tick(), file.saved_end()), (Some(5004), 5004));
    // Nothing was used this time, so the previous end remains.
    file.close_at(0);
    drop(file);
    assert_eq!(end_in_file(&path), 5004);
    Ok(())
}

#[test]
fn a_holder_dropped_without_a_close_keeps_all_that_was_saved() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let first = StateFile::open(&path, &NODE_7)?;
    let second = StateFile::open(&path, &NODE_7)?;
    first.save_through(5000)?;
    first.close_at(5004);
    drop((first, second));
    assert_eq!(end_in_file(&path), 5100);
    Ok(())
}

#[test]
fn the_largest_tick_of_all_holders_is_the_exact_one() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let files = [StateFile::open(&path, &NODE_7)?, StateFile::open(&path, &NODE_7)?];
    files[0].save_through(5000)?;
    files[0].close_at(5050);
    files[1].close_at(5004);
    drop(files);
    assert_eq!(end_in_file(&path), 5050);
    Ok(())
}

#[test]
fn generators_of_one_process_share_a_file() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    assert!(Arc::ptr_eq(&file, &StateFile::open(&path, &NODE_7)?));
    let others = [
        Identity { scheme: "randflake", ..NODE_7 },
        Identity { layout: &Layout::DISCORD, ..NODE_7 },
        Identity { first_node: 6, ..NODE_7 },
        Identity { end_node: 9, ..NODE_7 },
    ];
    for other in &others {
        let error = StateFile::open(&path, other).expect_err("another identity");
        assert_eq!(error.kind(), ErrorKind::StateInUse);
    }
    let alone = StateFile::open_alone(&path, &NODE_7).expect_err("in use");
    assert_eq!(alone.kind(), ErrorKind::StateInUse);
    drop(file);
    let alone = StateFile::open_alone(&path, &NODE_7)?;
    let error = StateFile::open(&path, &NODE_7).expect_err("in use alone");
    assert_eq!(error.kind(), ErrorKind::StateInUse);
    drop(alone);
    StateFile::open(&path, &NODE_7)?;
    Ok(())
}

#[test]
fn an_open_file_is_locked_and_a_closed_one_is_not() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let lock_path = path.with_extension("state.lock");
    let file = StateFile::open(&path, &NODE_7)?;
    let take = |path| Lock::take(path).expect("a file");
    assert!(take(&lock_path).is_none());
    if Lock::MAY_BE_TAKEN_OF_THE_FILE_ITSELF {
        // Removing the lock file does not release the lock on the state file.
        std::fs::remove_file(&lock_path).expect("a file");
        assert!(take(&path).is_none());
    }
    drop(file);
    take(&path).expect("free").release();
    // Now another process holds the lock.
    let theirs = take(&lock_path).expect("free");
    let error = StateFile::open(&path, &NODE_7).expect_err("locked");
    assert_eq!(error.kind(), ErrorKind::StateInUse);
    theirs.release();
    StateFile::open(&path, &NODE_7)?;
    Ok(())
}

#[test]
fn a_file_of_another_generator_is_refused_and_not_touched() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    file.save_through(5000)?;
    drop(file);
    let before = std::fs::read(&path).expect("a file");
    let problem = |identity: &Identity<'_>| match StateFile::open(&path, identity) {
        Err(Error::StateMismatch { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(&Identity { scheme: "randflake", ..NODE_7 }), StateProblem::OtherFormat);
    assert_eq!(problem(&Identity { layout: &Layout::DISCORD, ..NODE_7 }), StateProblem::OtherFormat);
    assert_eq!(problem(&Identity { first_node: 0, ..NODE_7 }), StateProblem::OtherNodes { first: 7 });
    assert_eq!(std::fs::read(&path).expect("a file"), before);
    assert_eq!(StateFile::open(&path, &NODE_7)?.first_free_tick(), Some(5100));
    Ok(())
}

#[test]
fn threads_that_save_at_once_each_find_their_tick_saved() -> Result<(), Error> {
    let (_folder, path) = new_place();
    let file = StateFile::open(&path, &NODE_7)?;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let file = &file;
            scope.spawn(move || {
                for tick in (0..1_500).map(|count| 10_000 + count * 3 + thread) {
                    if tick >= file.saved_end() {
                        file.save_through(tick).expect("a disk");
                        assert!(file.saved_end() > tick);
                    }
                }
            });
        }
    });
    assert_eq!(end_in_file(&path), file.saved_end());
    Ok(())
}

#[test]
fn closing_and_opening_at_once_never_find_the_file_in_use() -> Result<(), Error> {
    let (_folder, path) = new_place();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for tick in (0..100).map(|count| 1_000 * thread + count) {
                    let file = StateFile::open(path, &NODE_7).expect("the same identity");
                    file.save_through(tick).expect("a disk");
                    assert!(file.saved_end() > tick);
                    file.close_at(tick + 1);
                }
            });
        }
    });
    assert!(StateFile::open(&path, &NODE_7)?.first_free_tick() >= Some(3_100));
    Ok(())
}
