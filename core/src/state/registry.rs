//! One process, one open state file per path: generators of the same nodes share it, as they share a cursor.
//!
//! The locks lie here, where a child made by fork finds its copies of them and closes them: it must not keep the file locked
//! when its parent is gone.

use super::file::{self, DataFile, Place, Refusal};
use super::os::Lock;
use super::record::Owner;
use super::slots::Slots;
use super::{Identity, StateFile};
use crate::error::{Error, Excerpt};
use crate::layout::Layout;
use crate::process;
use alloc::vec::Vec;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

#[derive(Debug)]
struct Entry {
    place: Place,
    owner: Owner,
    /// Opened for one generator alone.
    alone: bool,
    /// The process that opened it.
    generation: u32,
    file: Weak<StateFile>,
    locks: Option<Locks>,
}

/// The lock beside the file, and the file's own, which tells its other names (hard links) and outlives a removed lock file.
#[derive(Debug)]
struct Locks {
    beside: Lock,
    own: Option<Lock>,
}

/// Locked only while no thread can fork: in a child it is free, and whole.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // Nothing in here can be left half done, so a panic elsewhere does no harm.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes a child's copies of its parent's locks. The parent's stay.
fn close_copies_of_locks() {
    let mut entries = match ENTRIES.try_lock() {
        Ok(entries) => entries,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    for entry in entries.iter_mut() {
        entry.locks = None;
    }
}

/// What the registry knows of a place.
enum Found {
    Free,
    Shared(Arc<StateFile>),
    InUse,
    /// Its last holder is about to close it, and waits for the registry.
    Closing,
}

fn find(entries: &[Entry], place: &Place, owner: &Owner, alone: bool) -> Found {
    let Some(entry) = entries.iter().find(|entry| entry.place.is(place)) else {
        return Found::Free;
    };
    if entry.file.strong_count() == 0 {
        return Found::Closing;
    }
    if alone || entry.alone || entry.owner != *owner {
        return Found::InUse;
    }
    // Whoever upgrades must answer it: dropped here, it could be the last, and would wait for us.
    entry.file.upgrade().map_or(Found::Closing, Found::Shared)
}

enum NotOpened {
    InUse,
    Refused(Refusal),
}

impl<R: Into<Refusal>> From<R> for NotOpened {
    fn from(refusal: R) -> Self {
        NotOpened::Refused(refusal.into())
    }
}

pub(super) fn open(path: &Path, identity: &Identity<'_>, alone: bool) -> Result<Arc<StateFile>, Error> {
    let excerpt = Excerpt::end_of(&path.to_string_lossy());
    let owner = Owner::of(identity);
    loop {
        match open_once(path, excerpt, identity, &owner, alone) {
            Ok(Some(file)) => return Ok(file),
            Ok(None) => std::thread::yield_now(),
            Err(NotOpened::InUse) => return Err(Error::StateInUse { path: excerpt }),
            Err(NotOpened::Refused(Refusal::Problem(problem))) => {
                return Err(Error::StateMismatch { path: excerpt, problem });
            }
            Err(NotOpened::Refused(Refusal::Os(error))) => return Err(super::unavailable(excerpt, &error)),
        }
    }
}

/// `None` when the file is about to be closed: then try again.
fn open_once(
    path: &Path,
    excerpt: Excerpt,
    identity: &Identity<'_>,
    owner: &Owner,
    alone: bool,
) -> Result<Option<Arc<StateFile>>, NotOpened> {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    let generation = process::watched_generation();
    process::at_start_of_children(close_copies_of_locks);
    // A child's copies of its parent's entries say nothing: whether the parent still has the files, their locks know.
    entries.retain(|entry| entry.generation == generation);
    let place = Place::of(path)?;
    match find(&entries, &place, owner, alone) {
        Found::Free => {}
        Found::Shared(file) => {
            file.is_opened_again();
            return Ok(Some(file));
        }
        Found::InUse => return Err(NotOpened::InUse),
        Found::Closing => return Ok(None),
    }
    let beside = Lock::take(&place.lock)?.ok_or(NotOpened::InUse)?;
    let Opened { slots, end, place, own } = match open_locked(&place, owner, identity.layout) {
        Ok(opened) => opened,
        Err(refusal) => {
            beside.release();
            return Err(refusal);
        }
    };
    let file = Arc::new(StateFile::new(excerpt, *identity.layout, generation, slots, end));
    entries.push(Entry {
        place,
        owner: owner.clone(),
        alone,
        generation,
        file: Arc::downgrade(&file),
        locks: Some(Locks { beside, own }),
    });
    Ok(Some(file))
}

struct Opened {
    slots: Slots<DataFile>,
    end: u64,
    place: Place,
    own: Option<Lock>,
}

/// Opens the file whose lock beside it we hold.
fn open_locked(place: &Place, owner: &Owner, layout: &Layout) -> Result<Opened, NotOpened> {
    let (slots, end) = file::open(&place.file, owner, layout)?;
    // A file that was made just now is known by its id too.
    let place = place.again()?;
    let own = if Lock::MAY_BE_TAKEN_OF_THE_FILE_ITSELF {
        Some(Lock::take(&place.file)?.ok_or(NotOpened::InUse)?)
    } else {
        None
    };
    Ok(Opened { slots, end, place, own })
}

/// Runs the last act of a file's last holder, and unlocks the file, even where a child has just been forked with copies.
pub(super) fn close(file: &StateFile, last_act: impl FnOnce()) {
    let _no_fork = process::no_fork();
    let mut entries = entries();
    last_act();
    if let Some(index) = entries.iter().position(|entry| core::ptr::eq(entry.file.as_ptr(), file)) {
        if let Some(Locks { beside, own }) = entries.swap_remove(index).locks {
            if let Some(own) = own {
                own.release();
            }
            beside.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_being_closed_is_waited_for() {
        let identity = Identity { scheme: "snowflake", layout: &Layout::TWITTER, first_node: 7, end_node: 8 };
        let folder = tempfile::TempDir::new().expect("a folder");
        let place = Place::of(&folder.path().join("orders.state")).expect("a folder");
        let owner = Owner::of(&identity);
        // Its last holder is gone, and has not closed it yet.
        let entry = Entry {
            place: place.clone(),
            owner: owner.clone(),
            alone: false,
            generation: process::generation(),
            file: Weak::new(),
            locks: None,
        };
        for alone in [false, true] {
            assert!(matches!(find(core::slice::from_ref(&entry), &place, &owner, alone), Found::Closing));
        }
        let elsewhere = Place::of(&folder.path().join("others.state")).expect("a folder");
        assert!(matches!(find(&[entry], &elsewhere, &owner, false), Found::Free));
    }
}
