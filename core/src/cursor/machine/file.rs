//! Creates and checks cursor files, and opens ranges of nodes in them.

use super::folder::{Folder, FolderPath, Refusal};
use super::memory::{self, ByteLock, FILE_BYTES, PLACES, Place, Table, bytes_of};
use super::table::{NodeRange, Plan, Record, nodes_of, plan, to_merge};
use crate::bits::low_32;
use crate::clock::Clock;
use crate::cursor::CHECK_NS;
use crate::cursor::key::{CursorKey, state_at};
use crate::cursor::words::{Words, has_moved, reached};
use crate::error::{CursorFileProblem, Error};
use crate::layout::IdSet;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::Ordering;
use rustix::fs::{Stat, fstat, ftruncate};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first eight bytes of a file. The last of them is the version of the format.
const MAGIC: [u8; 8] = *b"saibanC\x01";

/// A range of nodes to open, and where its word begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::cursor) struct Wanted {
    pub(in crate::cursor) key: CursorKey,
    /// The store and namespace of the lease, as a number; 0 without a lease.
    pub(in crate::cursor) namespace: u64,
    pub(in crate::cursor) first_tick: u64,
    pub(in crate::cursor) end_tick: u64,
    /// The earliest tick with which the word begins.
    pub(in crate::cursor) from_tick: u64,
    /// The earliest tick with which a new word begins, which does not know what was issued before.
    pub(in crate::cursor) new_from_tick: u64,
    /// Whether the caller knows a tick from which no IDs were issued (`not_before`, or a lease).
    pub(in crate::cursor) is_known: bool,
    /// Whether `new_from_tick` is from a state file.
    pub(in crate::cursor) has_state_file: bool,
    /// How far ahead of the clock the word may be, in nanoseconds.
    pub(in crate::cursor) max_jump_ns: u64,
}

impl Wanted {
    fn range(&self) -> NodeRange {
        let Wanted { key, namespace, first_tick, end_tick, .. } = *self;
        NodeRange { ids: key.ids(), bits: key.bits, namespace, first_tick, end_tick }
    }

    /// Returns the name of the file of the ID space.
    fn file_name(&self) -> String {
        let (format, time) = self.key.space();
        format!("{format}-{}ns-epoch{}ms-shift{}", time.tick_ns, time.epoch_ms, time.shift)
    }

    /// Returns the first tick in which no deleted file that this one replaced can have issued an
    /// ID: see [`CHECK_NS`](crate::cursor::CHECK_NS).
    ///
    /// If the clock was set back since the file was made, the file counts as made now. Otherwise a
    /// clock that was wrong once would block all nodes.
    fn first_tick_of_file(&self, made_ns: u64, now_ns: u64) -> u64 {
        let after_ns = if self.key.layout.tick_ns() < CHECK_NS { 2 * CHECK_NS } else { 0 };
        self.key.layout.tick_at_ns(made_ns.min(now_ns).saturating_add(after_ns)).map_or(0, |tick| tick + 1)
    }
}

/// A file that this process has mapped, for the life of the process.
#[derive(Debug)]
pub(super) struct CursorFile {
    device: u64,
    inode: u64,
    pub(super) path: &'static str,
    table: &'static Table,
}

impl CursorFile {
    pub(super) fn table(&self) -> &'static Table {
        self.table
    }

    /// Returns whether the file still has a name. It checks an open file, not the path: the process
    /// may have given up its rights to the path, or its root folder.
    pub(super) fn status(&self, lock: RawFd) -> Status {
        match memory::stat_of(lock) {
            Ok(found) if self.is(&found) => {
                if found.st_nlink > 0 {
                    Status::There
                } else {
                    Status::Deleted
                }
            }
            _ => Status::LockClosed,
        }
    }

    #[allow(clippy::unnecessary_cast, reason = "systems have both in different widths")]
    fn is(&self, found: &Stat) -> bool {
        (self.device, self.inode) == (found.st_dev as u64, found.st_ino as u64)
    }
}

/// Whether a file can still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    There,
    Deleted,
    /// The process has closed its descriptor, as daemons close all that they inherit.
    LockClosed,
}

pub(super) fn unavailable(path: &'static str, error: impl Into<io::Error>) -> NotOpened {
    Error::CursorFileUnavailable { path, os_error: error.into().raw_os_error().unwrap_or(0) }.into()
}

/// An open range of nodes.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) file: &'static CursorFile,
    /// The index of the range's place.
    index: usize,
    /// The tick with which new words of the file begin.
    pub(super) new_tick: u64,
    /// The open file whose lock marks the range as in use.
    pub(super) lock: Arc<File>,
}

/// Why a range was not opened.
#[derive(Clone, Copy, Debug)]
pub(in crate::cursor) enum NotOpened {
    /// Another process is opening a range of this file: try again soon.
    Busy(&'static str),
    /// The system has no such memory or locks.
    Nowhere,
    Refused(Error),
}

impl NotOpened {
    pub(in crate::cursor) fn into_error(self) -> Error {
        match self {
            NotOpened::Busy(path) => Error::CursorFileUnavailable { path, os_error: libc::EAGAIN },
            NotOpened::Nowhere => Error::NoMachineScope,
            NotOpened::Refused(error) => error,
        }
    }
}

impl From<Error> for NotOpened {
    fn from(error: Error) -> Self {
        NotOpened::Refused(error)
    }
}

/// Locked only while no thread can fork.
static FILES: Mutex<Vec<&'static CursorFile>> = Mutex::new(Vec::new());
static PATHS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a copy of a path for error messages. The process keeps one copy of each path.
pub(super) fn keep(path: &str) -> &'static str {
    let mut paths = lock(&PATHS);
    if let Some(kept) = paths.iter().find(|kept| **kept == path) {
        return kept;
    }
    let kept: &'static str = Box::leak(Box::from(path));
    paths.push(kept);
    kept
}

/// Opens a range without waiting. The caller keeps threads from forking
/// ([`process::no_fork`](crate::process::no_fork)).
///
/// `lock` is an open file with the locks of ranges that this process opened together: the parts of
/// one generator, which it also closes together.
pub(super) fn open(
    folder_path: &FolderPath,
    wanted: &Wanted,
    lock: Option<&Arc<File>>,
    clock: &dyn Clock,
) -> Result<Opened, NotOpened> {
    let name = wanted.file_name();
    let path = keep(&folder_path.path.join(&name).to_string_lossy());
    let folder = match Folder::open(folder_path) {
        Ok(folder) => folder,
        Err(Refusal::Nowhere) => return Err(NotOpened::Nowhere),
        Err(Refusal::Os(error)) => return Err(unavailable(path, error)),
        Err(Refusal::NotPrivate) => {
            return Err(Error::CursorFolderNotPrivate { path: keep(&folder_path.path.to_string_lossy()) }.into());
        }
    };
    let is_there = |file: &File| folder.has(&name, file).map_err(|error| unavailable(path, error));
    // Use a new open file each time: the kernel does not report locks of the same open file, so the
    // generator's other parts would look free.
    let table = folder.file(&name).map_err(|error| unavailable(path, error))?;
    lock_table(&table, path)?;
    // Deleted since it was opened: the next attempt makes a new one.
    if !is_there(&table)? {
        return Err(NotOpened::Busy(path));
    }
    // Read after the file was found and locked, so a file that this one replaced was deleted before
    // this time.
    let now_ns = clock.now_ns()?;
    let file = match known(&table).map_err(|error| unavailable(path, error))? {
        Some(file) => file,
        None => {
            // A mapping keeps its open file, with that file's locks, for the life of the process.
            // So map an open file without locks.
            let to_map = folder.file(&name).map_err(|error| unavailable(path, error))?;
            if !is_there(&table)? {
                return Err(NotOpened::Busy(path));
            }
            map(&to_map, path, now_ns)?
        }
    };
    let (index, new_tick) = find_place(file, &table, wanted, now_ns)?;
    let lock = match lock {
        Some(lock) if is_there(lock)? => Arc::clone(lock),
        _ => Arc::new(folder.file(&name).map_err(|error| unavailable(path, error))?),
    };
    // Deleted and made again since it was checked.
    if !fstat(&lock).is_ok_and(|found| file.is(&found)) {
        return Err(NotOpened::Busy(path));
    }
    // Before unlocking the table, so that the next opener finds the place in use.
    if !ByteLock::Place(index).try_take(&lock).map_err(|error| unavailable(path, error))? {
        return Err(NotOpened::Busy(path));
    }
    ByteLock::Table.give_back(&table);
    Ok(Opened { file, index, new_tick, lock })
}

impl Opened {
    fn place(&self) -> &'static Place {
        &self.file.table.places[self.index]
    }

    pub(super) fn words(&self) -> &'static Words {
        &self.place().words
    }

    /// Returns whether the place still belongs to this range. If this process has closed the lock's
    /// descriptor, another range may have taken the place.
    pub(super) fn is_of(&self, wanted: &Wanted) -> bool {
        self.place().range().is_some_and(|range| range.is(&wanted.range()))
    }

    /// Returns whether the process has closed the lock's descriptor, whose number may now be
    /// another file's.
    pub(super) fn has_lost_lock(&self) -> bool {
        self.file.status(self.lock.as_raw_fd()) == Status::LockClosed
    }

    /// Moves the end of the lease to a later tick.
    pub(super) fn extend(&self, end_tick: u64) {
        self.place().end_tick.fetch_max(end_tick, Ordering::Relaxed);
    }

    /// Releases the range, also for children of this process.
    pub(super) fn give_back(&self) {
        if !self.has_lost_lock() {
            ByteLock::Place(self.index).give_back(&self.lock);
        }
    }
}

/// Takes the lock of the table without waiting.
pub(super) fn lock_table(file: &File, path: &'static str) -> Result<(), NotOpened> {
    match ByteLock::Table.try_take(file) {
        Ok(true) => Ok(()),
        Ok(false) => Err(NotOpened::Busy(path)),
        // The system has no such locks.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Err(NotOpened::Nowhere),
        Err(error) => Err(unavailable(path, error)),
    }
}

/// Returns the mapping of a complete file. It maps the file if this process has not done so
/// already.
pub(super) fn known_or_mapped(file: &File, path: &'static str, now_ns: u64) -> Result<&'static CursorFile, NotOpened> {
    match known(file).map_err(|error| unavailable(path, error))? {
        Some(known) => Ok(known),
        None => map(file, path, now_ns),
    }
}

/// Returns the mapping of a file that this process has mapped already.
fn known(file: &File) -> io::Result<Option<&'static CursorFile>> {
    let found = fstat(file)?;
    Ok(lock(&FILES).iter().copied().find(|known| known.is(&found)))
}

/// Returns whether a file is complete. If not, its maker was killed before completing it, and no ID
/// was counted in it.
pub(super) fn is_complete(file: &File, path: &'static str) -> Result<bool, NotOpened> {
    let mismatch = |problem| Err(Error::CursorFileMismatch { path, problem }.into());
    let found = fstat(file).map_err(|error| unavailable(path, error))?;
    let mut magic = [0; MAGIC.len()];
    match u64::try_from(found.st_size) {
        Ok(0) => return Ok(false),
        Ok(FILE_BYTES) => file.read_exact_at(&mut magic, 0).map_err(|error| unavailable(path, error))?,
        _ => return mismatch(CursorFileProblem::Damaged),
    }
    let [name @ .., version] = magic;
    match magic {
        MAGIC => Ok(true),
        [0, 0, 0, 0, 0, 0, 0, 0] => Ok(false),
        _ if MAGIC.starts_with(&name) => mismatch(CursorFileProblem::OtherVersion { version: version.into() }),
        _ => mismatch(CursorFileProblem::Damaged),
    }
}

/// Maps a file whose table this process has locked. It initialises a file that is not complete, and
/// checks a complete one.
fn map(file: &File, path: &'static str, now_ns: u64) -> Result<&'static CursorFile, NotOpened> {
    let is_complete = is_complete(file, path)?;
    let found = fstat(file).map_err(|error| unavailable(path, error))?;
    if found.st_size == 0 {
        ftruncate(file, FILE_BYTES).map_err(|error| unavailable(path, error))?;
    }
    // A write to a page that cannot be allocated would kill the process.
    memory::allocate(file, 0, bytes_of(0)).map_err(|error| unavailable(path, error))?;
    let table = memory::map(file).map_err(|error| unavailable(path, error))?;
    let header = &table.header;
    if !is_complete {
        header.made_ns.store(now_ns, Ordering::Relaxed);
        header.boot.store(memory::boot(), Ordering::Relaxed);
        header.magic.store(u64::from_ne_bytes(MAGIC), Ordering::Release);
    }
    #[allow(clippy::unnecessary_cast, reason = "systems have both in different widths")]
    let (device, inode) = (found.st_dev as u64, found.st_ino as u64);
    let mapped: &'static CursorFile = Box::leak(Box::new(CursorFile { device, inode, path, table }));
    lock(&FILES).push(mapped);
    Ok(mapped)
}

/// Finds or adds the place of a range, and raises its word to where the range begins. Returns the
/// index of the place, and the tick with which new words begin. The caller has locked the table
/// through the open file `table`.
fn find_place(
    file: &'static CursorFile,
    table: &File,
    wanted: &Wanted,
    now_ns: u64,
) -> Result<(usize, u64), NotOpened> {
    let failed = |error: io::Error| unavailable(file.path, error);
    let Table { header, places } = file.table;
    let range = wanted.range();
    if header.boot.load(Ordering::Relaxed) != memory::boot() {
        // A file on a disk may have lost the last counts before the machine stopped, so every range
        // begins past the current tick.
        header.floor_tick.fetch_max(wanted.first_tick_of_file(now_ns, now_ns), Ordering::Relaxed);
        header.made_ns.store(now_ns, Ordering::Relaxed);
        places.iter().for_each(|place| place.has_state.store(0, Ordering::Relaxed));
        header.boot.store(memory::boot(), Ordering::Relaxed);
    }
    let made_ns = header.made_ns.load(Ordering::Relaxed);
    let new_tick = if wanted.is_known { 0 } else { wanted.first_tick_of_file(made_ns, now_ns) };
    let count = usize::try_from(header.places.load(Ordering::Relaxed)).map_or(PLACES, |count| count.min(PLACES));
    let records = records(&places[..count], table, |other| other.overlaps(&range)).map_err(failed)?;
    let floor_tick = header.floor_tick.load(Ordering::Relaxed);
    let (index, from_tick) = match plan(&records, &range, floor_tick, new_tick.max(wanted.new_from_tick)) {
        Plan::InUse { index } => {
            let core::ops::Range { start: first, end } = nodes_of(&records, index);
            let process = low_32(places[index].process.load(Ordering::Relaxed));
            return Err(Error::NodeInUseByProcess { first, end, process, path: file.path }.into());
        }
        Plan::Join { index, from_tick } => (Some(index), from_tick),
        Plan::Add { from_tick } => (None, from_tick),
    };
    // A word is raised to the state file's tick only once. From then on, the word knows more.
    let is_told = index.is_some_and(|index| places[index].has_state.load(Ordering::Relaxed) != 0);
    let from_state_file = if wanted.has_state_file && !is_told { wanted.new_from_tick } else { 0 };
    let from_tick = from_tick.max(from_state_file);
    let state = index.map_or(0, |index| places[index].words.state.load(Ordering::Relaxed));
    if has_moved(state) {
        // Deleted since the file was found.
        return Err(NotOpened::Busy(file.path));
    }
    // Never 0: with the mark `MOVED`, 0 would equal the state after the last tick.
    let start = state_at::<u64>(from_tick.max(wanted.from_tick).max(1), &wanted.key).max(state);
    // Measure from the last tick reached, because the next one may be a day long.
    let last_tick = (start >> range.bits).saturating_sub(1);
    let ahead_ns = wanted.key.layout.tick_start_ns(last_tick).saturating_sub(now_ns);
    if ahead_ns > wanted.max_jump_ns {
        return Err(Error::CursorFileAhead { ahead_ns, max_jump_ns: wanted.max_jump_ns, path: file.path }.into());
    }
    let index = match index {
        Some(index) => index,
        None => {
            let index = free_place(file.table, table, count).map_err(failed)?;
            places[index].take(&range, start);
            index
        }
    };
    let place = &places[index];
    place.words.raise(&wanted.key, start);
    if wanted.has_state_file {
        place.has_state.store(1, Ordering::Relaxed);
    }
    let is_live = records.iter().any(|record| record.index == index && record.is_live);
    if is_live {
        place.end_tick.fetch_max(range.end_tick, Ordering::Relaxed);
    } else {
        place.end_tick.store(range.end_tick, Ordering::Relaxed);
    }
    place.process.store(std::process::id().into(), Ordering::Relaxed);
    Ok((index, new_tick))
}

/// Returns the records of the wanted ranges among these places. It reads from the locks which of
/// them a process has open.
fn records(places: &[Place], file: &File, is_wanted: impl Fn(&NodeRange) -> bool) -> io::Result<Vec<Record>> {
    let ranges = places.iter().enumerate().filter_map(|(index, place)| Some((index, place, place.range()?)));
    let wanted = ranges.filter(|(_, _, range)| is_wanted(range));
    let record = |(index, place, range): (usize, &Place, NodeRange)| {
        let free_tick = reached(place.words.state.load(Ordering::Relaxed)).div_ceil(1 << range.bits);
        let is_live = ByteLock::Place(index).is_held_by_another(file)?;
        Ok(Record { index, range, free_tick, is_live })
    };
    wanted.map(record).collect()
}

/// Returns the index of a free place. If there is none, it merges ranges that no process has open
/// into `floor_tick`.
fn free_place(table: &Table, file: &File, count: usize) -> io::Result<usize> {
    let is_free = |place: &Place| place.is_taken.load(Ordering::Relaxed) == 0;
    if let Some(index) = table.places[..count].iter().position(is_free) {
        return Ok(index);
    }
    if count < PLACES {
        memory::allocate(file, bytes_of(count), size_of::<Place>() as u64)?;
        table.header.places.store(count as u64 + 1, Ordering::Relaxed);
        return Ok(count);
    }
    let merged = to_merge(&records(&table.places, file, |_| true)?);
    let floor_tick = merged.iter().map(|record| record.free_tick).max();
    let (Some(floor_tick), Some(Record { index, .. })) = (floor_tick, merged.first()) else {
        return Err(Errno::NOSPC.into());
    };
    // Raise `floor_tick` first: if the process is killed in between, the ranges remain as well.
    table.header.floor_tick.fetch_max(floor_tick, Ordering::Relaxed);
    for record in &merged {
        table.places[record.index].is_taken.store(0, Ordering::Release);
    }
    Ok(*index)
}

impl Place {
    pub(super) fn range(&self) -> Option<NodeRange> {
        if self.is_taken.load(Ordering::Acquire) == 0 {
            return None;
        }
        let numbers: [u64; Place::NUMBERS] = core::array::from_fn(|index| self.numbers[index].load(Ordering::Relaxed));
        let [bits, namespace, first_tick, ids @ ..] = numbers;
        let end_tick = self.end_tick.load(Ordering::Relaxed);
        // A position has at most 63 bits, whatever another process wrote.
        let bits = low_32(bits.min(63));
        Some(NodeRange { ids: IdSet::from_numbers(ids), bits, namespace, first_tick, end_tick })
    }

    /// Writes the description of a range, and then marks the place as taken.
    fn take(&self, range: &NodeRange, state: u64) {
        self.words.state.store(state, Ordering::Relaxed);
        self.words.issued.store(0, Ordering::Relaxed);
        self.has_state.store(0, Ordering::Relaxed);
        self.end_tick.store(range.end_tick, Ordering::Relaxed);
        let head = [range.bits.into(), range.namespace, range.first_tick];
        for (word, number) in self.numbers.iter().zip(head.into_iter().chain(range.ids.to_numbers())) {
            word.store(number, Ordering::Relaxed);
        }
        self.is_taken.store(1, Ordering::Release);
    }
}
