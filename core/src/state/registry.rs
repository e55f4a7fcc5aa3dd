//! The state files that this process has open: one `StateFile` per path. Generators of the same
//! nodes share it, as they share a cursor.
//!
//! The registry also holds the locks. A forked child finds its copies of them here and closes them,
//! so that it does not keep the file locked after its parent ends.
//!
//! Only generators use it, through `StateFile::open` and `StateFile::open_alone`.

use super::file::{self, DataFile, Place, Refusal};
use super::identity::Identity;
use super::open_file::{OpenFile, unavailable};
use super::os::Lock;
use super::record::Owner;
use super::slots::Slots;
use crate::error::{Error, Excerpt};
use crate::layout::Layout;
use crate::process;
use alloc::vec::Vec;
use core::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

/// An open state file, locked until it is dropped.
///
/// A forked process is inert: it saves nothing, and its drop neither writes nor unlocks.
#[derive(Debug)]
pub(crate) struct StateFile(OpenFile);

impl Deref for StateFile {
    type Target = OpenFile;

    fn deref(&self) -> &OpenFile {
        &self.0
    }
}

impl StateFile {
    /// Opens or creates a file, and locks it until the last drop. Does not wait for a lock of
    /// another process.
    ///
    /// If this process has the file open with the same identity, under any name, the call returns
    /// the open `StateFile`. Each opener should call [`close_at`](OpenFile::close_at) once, at its
    /// end.
    ///
    /// Do not call this, and do not drop the last reference, while [`process::no_fork`] is held.
    ///
    /// # Errors
    /// `StateInUse`, `StateMismatch` or `StateUnavailable`.
    pub(crate) fn open(path: &Path, identity: &Identity<'_>) -> Result<Arc<StateFile>, Error> {
        open(path, identity, false)
    }

    /// Opens a file exclusively, for a generator that shares no cursor: no other opener in this
    /// process may have it open at the same time.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub(crate) fn open_alone(path: &Path, identity: &Identity<'_>) -> Result<Arc<StateFile>, Error> {
        open(path, identity, true)
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        if self.is_copy() {
            return;
        }
        let exact_end = self.0.exact_end();
        close(self, || {
            if let Some(end) = exact_end {
                self.save_at_close(end);
            }
        });
    }
}

#[derive(Debug)]
struct Entry {
    place: Place,
    owner: Owner,
    /// Whether the file is open exclusively.
    alone: bool,
    /// The process that opened the file, as [`process::generation`].
    generation: u32,
    file: Weak<StateFile>,
    locks: Option<Locks>,
}

/// The lock on the lock file, and the lock on the state file itself.
///
/// The second lock also covers hard links of the state file, and remains if the lock file is
/// removed.
#[derive(Debug)]
struct Locks {
    beside: Lock,
    own: Option<Lock>,
}

/// Locked only while [`process::no_fork`] is held, so that a forked child finds it unlocked and in
/// a consistent state.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    // No operation under this lock leaves a partial change, so a poisoned lock is safe to use.
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes a child's copies of its parent's locks. The parent keeps its locks.
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

/// The state of a place in the registry.
enum Found {
    Free,
    Shared(Arc<StateFile>),
    InUse,
    /// Its last reference was dropped, and the drop waits for the registry's lock to close the
    /// file.
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
    // Return the upgraded `Arc`. If it were dropped here as the last one, its drop would wait for
    // the lock that this thread holds.
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

fn open(path: &Path, identity: &Identity<'_>, alone: bool) -> Result<Arc<StateFile>, Error> {
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
            Err(NotOpened::Refused(Refusal::Os(error))) => return Err(unavailable(excerpt, &error)),
        }
    }
}

/// Opens the file, or returns `None` if it is about to be closed: then try again.
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
    // Discard entries inherited from the parent by fork. The locks show whether the parent still
    // has the files open.
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
    let file = Arc::new(StateFile(OpenFile::new(excerpt, *identity.layout, generation, slots, end)));
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

/// Opens the file. The caller must hold the lock on the lock file.
fn open_locked(place: &Place, owner: &Owner, layout: &Layout) -> Result<Opened, NotOpened> {
    let (slots, end) = file::open(&place.file, owner, layout)?;
    // A file that was just created now has an id.
    let place = place.again()?;
    let own = if Lock::MAY_BE_TAKEN_OF_THE_FILE_ITSELF {
        Some(Lock::take(&place.file)?.ok_or(NotOpened::InUse)?)
    } else {
        None
    };
    Ok(Opened { slots, end, place, own })
}

/// Runs `last_act` for the last reference to a file, and releases its locks, even if a child that
/// was just forked has copies of them.
fn close(file: &StateFile, last_act: impl FnOnce()) {
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
        // The last reference was dropped, but the file is not closed yet.
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
