//! Two slots, of which the older is written: the newer one is whole at every instant.
//!
//! Each slot is a block of its own and holds its record twice, in different sectors. A write that is cut off therefore leaves
//! at least one whole record in its slot, the old one or the new one. So a slot without any was damaged in another way, and may
//! have been the newer one: then the file is refused, for what the other slot says may be too little.

use super::record::{RECORD, Record};
use crate::error::StateProblem;
use crate::layout::Layout;
use alloc::boxed::Box;
use std::io;

const SLOT: usize = 2 * RECORD;

/// The size of a state file. It never changes.
pub(super) const FILE: usize = 2 * SLOT;

/// Where slots are written.
pub(super) trait Disk {
    /// Overwrites bytes.
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()>;

    /// Returns when all that was written is on disk.
    fn sync(&mut self) -> io::Result<()>;
}

fn slot_bytes(record: &Record, layout: &Layout) -> [[u8; RECORD]; 2] {
    [record.bytes(layout); 2]
}

/// A file in which nothing was saved yet: with this record, and the one before it.
pub(super) fn new_file(record: &Record, layout: &Layout) -> Box<[u8]> {
    let before = Record { counter: record.counter - 1, ..record.clone() };
    [slot_bytes(record, layout), slot_bytes(&before, layout)].concat().concat().into()
}

/// The newest record of a file, and the slot in which it stands.
///
/// # Errors
/// `Damaged`, and `OtherFormat` for a later version's.
pub(super) fn newest(file: &[u8]) -> Result<(Record, usize), StateProblem> {
    if file.len() != FILE {
        return Err(StateProblem::Damaged);
    }
    let (first, second) = (newest_of_slot(&file[..SLOT])?, newest_of_slot(&file[SLOT..])?);
    Ok(if first.counter >= second.counter { (first, 0) } else { (second, 1) })
}

fn newest_of_slot(slot: &[u8]) -> Result<Record, StateProblem> {
    match (Record::read(&slot[..RECORD]), Record::read(&slot[RECORD..])) {
        (Ok(first), Ok(second)) => Ok(if first.counter >= second.counter { first } else { second }),
        (Ok(record), Err(_)) | (Err(_), Ok(record)) => Ok(record),
        (Err(StateProblem::OtherFormat), _) | (_, Err(StateProblem::OtherFormat)) => Err(StateProblem::OtherFormat),
        (Err(problem), Err(_)) => Err(problem),
    }
}

/// The slots of an open file.
#[derive(Clone, Debug)]
pub(super) struct Slots<D> {
    pub(super) disk: D,
    layout: Layout,
    /// The record that was written last, or tried. The counter of one that failed may be on disk: it is not used again.
    last: Record,
    /// The slot of the newest record that is surely on disk.
    newest: usize,
}

impl<D: Disk> Slots<D> {
    pub(super) fn new(disk: D, layout: Layout, newest: Record, slot: usize) -> Self {
        Slots { disk, layout, last: newest, newest: slot }
    }

    /// Saves that ticks below `end` may be used; returns when that is on disk.
    ///
    /// # Errors
    /// The disk's. Then what was saved before stands, and the slot that failed is written anew next time: once `sync` has
    /// failed, only what is written again is sure to be synced.
    pub(super) fn save(&mut self, end: u64) -> io::Result<()> {
        self.last.end = end;
        self.last.counter += 1;
        let older = 1 - self.newest;
        self.disk.write(older * SLOT, slot_bytes(&self.last, &self.layout).as_flattened())?;
        self.disk.sync()?;
        self.newest = older;
        Ok(())
    }
}
