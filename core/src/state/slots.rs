//! Two slots, each a block of its own. A save writes the older one, waits for the disk, and then writes the other.
//!
//! At every instant one of them is whole and on disk, so a write that is cut off costs nothing. When a save has returned, both
//! say so: either may be lost afterwards, to a bad block or a cut-off file. (Writing one slot a save would cost half as much,
//! but nobody could tell a newer slot that was lost, and with it ticks that were used, from one whose write was cut off.)

use super::record::{RECORD, Record};
use crate::error::StateProblem;
use crate::layout::Layout;
use std::io;

/// The size of a slot.
const SLOT: usize = RECORD;

/// The size of a state file.
pub(super) const FILE: usize = 2 * SLOT;

/// Where slots are written.
pub(super) trait Disk {
    /// Overwrites bytes.
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()>;

    /// Returns when all that was written is on disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file in which nothing was saved yet.
pub(super) fn new_file(record: &Record, layout: &Layout) -> [[u8; SLOT]; 2] {
    let before = Record { counter: record.counter - 1, ..record.clone() };
    [record.bytes(layout), before.bytes(layout)]
}

/// What a file says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The newest record.
    pub(super) record: Record,
    /// The slot in which it stands.
    slot: usize,
    /// Whether the other slot is whole.
    other_is_whole: bool,
}

/// Reads a file. One slot is enough.
///
/// # Errors
/// `Damaged`, and `OtherFormat` for a later version's.
pub(super) fn newest(file: &[u8]) -> Result<Found, StateProblem> {
    if file.len() > FILE {
        return Err(StateProblem::Damaged);
    }
    let (first, second) = file.split_at(file.len().min(SLOT));
    let found = |record, slot, other_is_whole| Ok(Found { record, slot, other_is_whole });
    match (Record::read(first), Record::read(second)) {
        (Ok(first), Ok(second)) if first.counter >= second.counter => found(first, 0, true),
        (Ok(_), Ok(second)) => found(second, 1, true),
        // A later version has written both.
        (Err(StateProblem::OtherFormat), _) | (_, Err(StateProblem::OtherFormat)) => Err(StateProblem::OtherFormat),
        (Ok(first), Err(_)) => found(first, 0, false),
        (Err(_), Ok(second)) => found(second, 1, false),
        (Err(problem), Err(_)) => Err(problem),
    }
}

/// The slots of an open file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slots<D> {
    pub(super) disk: D,
    layout: Layout,
    /// The record that was written last, or tried. The counter of one that failed may be on disk: it is not used again.
    last: Record,
    /// The slot that was surely written last.
    newest: usize,
}

impl<D: Disk> Slots<D> {
    /// The slots of a file in which this was found.
    ///
    /// What is seen of the newest record may be in memory only, when who wrote it was killed, or was told by the disk that
    /// it had failed. So it is written again, and then everything that is seen is on disk. When the other slot is not whole, that
    /// one is written instead: it was cut off after the newest had reached the disk.
    ///
    /// # Errors
    /// The disk's.
    pub(super) fn open(disk: D, layout: Layout, found: Found) -> io::Result<Self> {
        let Found { record, slot, other_is_whole } = found;
        let mut slots = Slots { disk, layout, last: record, newest: slot };
        slots.write(if other_is_whole { slot } else { 1 - slot })?;
        Ok(slots)
    }

    /// Saves that ticks below `end` may be used; returns when that is on disk, twice.
    ///
    /// # Errors
    /// The disk's. Then what was saved before stands, and the slot that failed is written anew next time, before the other: once
    /// `sync` has failed, only what is written again is sure to be synced.
    pub(super) fn save(&mut self, end: u64) -> io::Result<()> {
        self.last.end = end;
        self.write(1 - self.newest)?;
        self.write(1 - self.newest)
    }

    /// Writes the last record to a slot, as the newest.
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
    /// The same slots on another disk.
    pub(super) fn on<E>(self, disk: E) -> Slots<E> {
        Slots { disk, layout: self.layout, last: self.last, newest: self.newest }
    }
}
