//! The two slots of a state file, each in its own block. A save writes the older slot, waits for
//! the disk, and then writes the other.
//!
//! At every instant one slot is intact and on disk, so an interrupted write loses nothing. After a
//! save, both slots have its content. Either may then be lost to a bad block or a truncated file.
//!
//! Writing only one slot per save would cost half as much. But then, a newer slot that was lost,
//! with used ticks in it, would look like an interrupted write.
//!
//! Only the other files of `state/` use them.

use super::record::{RECORD, Record};
use crate::error::StateProblem;
use crate::layout::Layout;
use std::io;

/// The size of a slot in bytes.
const SLOT: usize = RECORD;

/// The size of a state file in bytes.
pub(super) const FILE: usize = 2 * SLOT;

/// The medium on which slots are written: a file, or a model of a disk in tests.
pub(super) trait Disk {
    /// Overwrites bytes at an offset.
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()>;

    /// Waits until all written bytes are on disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// Returns the content of a new file, in which nothing has been saved yet.
pub(super) fn new_file(record: &Record, layout: &Layout) -> [[u8; SLOT]; 2] {
    let before = Record { counter: record.counter - 1, ..record.clone() };
    [record.bytes(layout), before.bytes(layout)]
}

/// The content of a state file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The newest record.
    pub(super) record: Record,
    /// The index of the slot that holds the newest record.
    slot: usize,
    /// Whether the other slot is intact.
    other_is_whole: bool,
}

/// Parses a state file. One intact slot suffices.
///
/// # Errors
/// `Damaged` if no slot is intact or the file is too long; `OtherFormat` for a file of a later
/// version.
pub(super) fn newest(file: &[u8]) -> Result<Found, StateProblem> {
    if file.len() > FILE {
        return Err(StateProblem::Damaged);
    }
    let (first, second) = file.split_at(file.len().min(SLOT));
    let found = |record, slot, other_is_whole| Ok(Found { record, slot, other_is_whole });
    match (Record::read(first), Record::read(second)) {
        (Ok(first), Ok(second)) if first.counter >= second.counter => found(first, 0, true),
        (Ok(_), Ok(second)) => found(second, 1, true),
        // A later version writes its format to both slots, one after the other.
        (Err(StateProblem::OtherFormat), _) | (_, Err(StateProblem::OtherFormat)) => Err(StateProblem::OtherFormat),
        (Ok(first), Err(_)) => found(first, 0, false),
        (Err(_), Ok(second)) => found(second, 1, false),
        (Err(problem), Err(_)) => Err(problem),
    }
}

/// The slots of an open file, and the record written last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slots<D> {
    pub(super) disk: D,
    layout: Layout,
    /// The record of the last write, successful or not. A failed write may still have reached the
    /// disk, so its counter is not used again.
    last: Record,
    /// The index of the slot that was written last with success.
    newest: usize,
}

impl<D: Disk> Slots<D> {
    /// Prepares the slots of a file with this content for writing.
    ///
    /// The newest record may be in memory only: its writer may have been killed, or its `sync` may
    /// have failed. Therefore this writes it again, and then all of the content is on disk. If the
    /// other slot is not intact, this writes that slot instead: its write was interrupted after the
    /// newest record had reached the disk.
    ///
    /// # Errors
    /// The errors of the disk.
    pub(super) fn open(disk: D, layout: Layout, found: Found) -> io::Result<Self> {
        let Found { record, slot, other_is_whole } = found;
        let mut slots = Slots { disk, layout, last: record, newest: slot };
        slots.write(if other_is_whole { slot } else { 1 - slot })?;
        Ok(slots)
    }

    /// Saves that ticks below `end` may be used. Returns when this is on disk, in both slots.
    ///
    /// # Errors
    /// The errors of the disk. The previous content then remains valid, and the next save writes
    /// the failed slot first. After a failed `sync`, only bytes that are written again are sure to
    /// be synced.
    pub(super) fn save(&mut self, end: u64) -> io::Result<()> {
        self.last.end = end;
        self.write(1 - self.newest)?;
        self.write(1 - self.newest)
    }

    /// Writes the last record with a new counter to a slot, which is then the newest.
    fn write(&mut self, slot: usize) -> io::Result<()> {
        self.last.counter += 1;
        self.disk.write(slot * SLOT, &self.last.bytes(&self.layout))?;
        self.disk.sync()?;
        self.newest = slot;
        Ok(())
    }
}

#[cfg(test)]
impl<D> Slots<D> {
    /// Moves the slots to another disk.
    pub(super) fn on<E>(self, disk: E) -> Slots<E> {
        Slots { disk, layout: self.layout, last: self.last, newest: self.newest }
    }
}
