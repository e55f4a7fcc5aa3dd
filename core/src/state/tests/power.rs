//! Tests every short history of saves, faults, kills and power losses, on a model of a disk.
//!
//! A written block is on disk once `sync` has returned. Before that, a power loss leaves the old
//! block, the new block, or neither. A failed `sync` leaves one of them too, and drops the pending
//! write.

use super::super::record::{Owner, Record};
use super::super::slots::{Disk, FILE, Slots, new_file, newest};
use super::NODE_7;
use crate::layout::Layout;
use std::io;
use std::vec::Vec;

const SLOT: usize = FILE / 2;
/// The number of events in a history.
const EVENTS: usize = 4;

/// What the disk holds after an interrupted write of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Old,
    New,
    Neither,
}

const BLOCKS: [Block; 3] = [Block::Old, Block::New, Block::Neither];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The write ends after `bytes` bytes, with an error or with the end of the process.
    Write { bytes: usize },
    /// The sync fails, and leaves this block on disk.
    Sync(Block),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Model {
    on_disk: Vec<u8>,
    /// The content in the operating system's memory, which every reader gets.
    seen: Vec<u8>,
    /// Which slots are written in memory, but not yet synced.
    on_the_way: [bool; 2],
    /// The number of the write at which a fault occurs, and the fault.
    fault: Option<(usize, Fault)>,
    writes: usize,
}

impl Model {
    /// Ends all pending writes with this result.
    fn arrive(&mut self, block: Block) {
        for slot in 0..2 {
            let bytes = slot * SLOT..(slot + 1) * SLOT;
            match (core::mem::take(&mut self.on_the_way[slot]), block) {
                (true, Block::New) => self.on_disk[bytes.clone()].copy_from_slice(&self.seen[bytes]),
                (true, Block::Neither) => self.on_disk[bytes].fill(0),
                _ => {}
            }
        }
    }

    fn lose_power(mut self, block: Block) -> Self {
        self.arrive(block);
        self.seen.clone_from(&self.on_disk);
        self
    }

    /// Sets a fault in one of the next writes, or none.
    fn with(mut self, fault: Option<(usize, Fault)>) -> Self {
        (self.fault, self.writes) = (fault, 0);
        self
    }

    fn fault_now(&self) -> Option<Fault> {
        self.fault.filter(|(write, _)| *write == self.writes).map(|(_, fault)| fault)
    }
}

impl Disk for Model {
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()> {
        self.writes += 1;
        let (length, answer) = match self.fault_now() {
            Some(Fault::Write { bytes }) => (bytes, Err(io::ErrorKind::StorageFull.into())),
            _ => (bytes.len(), Ok(())),
        };
        self.seen[offset..offset + length].copy_from_slice(&bytes[..length]);
        self.on_the_way[offset / SLOT] |= length > 0;
        answer
    }

    fn sync(&mut self) -> io::Result<()> {
        if let Some(Fault::Sync(block)) = self.fault_now() {
            self.arrive(block);
            return Err(io::ErrorKind::Other.into());
        }
        self.arrive(Block::New);
        Ok(())
    }
}

impl Disk for &mut Model {
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()> {
        (**self).write(offset, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Open(Option<(usize, Fault)>),
    Save(Option<(usize, Fault)>),
    /// A clean close, with or without a fault. The process ends.
    Close(Option<(usize, Fault)>),
    /// The process ends, and the operating system's memory remains.
    Kill,
    /// The power fails: the process ends, memory is lost, and pending writes end with this result.
    Outage(Block),
}

/// Returns the events that are possible while the file is open, or while it is closed.
fn events(open: bool) -> Vec<Event> {
    let mut events = Vec::from(BLOCKS.map(Event::Outage));
    // Opening writes one slot, saving writes both.
    let mut faults = std::vec![None];
    for write in 1..=if open { 2 } else { 1 } {
        faults.extend([0, 100, SLOT].map(|bytes| Some((write, Fault::Write { bytes }))));
        faults.extend(BLOCKS.map(|block| Some((write, Fault::Sync(block)))));
    }
    if open {
        events.push(Event::Kill);
        events.extend(faults.iter().map(|fault| Event::Save(*fault)));
        events.extend(faults.iter().map(|fault| Event::Close(*fault)));
    } else {
        events.extend(faults.iter().map(|fault| Event::Open(*fault)));
    }
    events
}

/// The file, open or closed, and its history.
#[derive(Clone, PartialEq, Eq)]
struct World {
    file: Result<OpenFile, Model>,
    /// Ticks below this one were used.
    used: u64,
    /// Whether nothing has failed since the last save or opening.
    is_whole: bool,
}

/// A process that has the file open.
#[derive(Clone, PartialEq, Eq)]
struct OpenFile {
    slots: Slots<Model>,
    first_free: u64,
    saved_end: u64,
}

impl World {
    fn after(self, event: Event) -> Self {
        let World { file, mut used, is_whole } = self;
        let (file, is_whole) = match (file, event) {
            (Err(model), Event::Open(fault)) => {
                let found = newest(&model.seen).expect("a whole slot");
                let end = found.record.end;
                let mut model = model.with(fault);
                match Slots::open(&mut model, Layout::TWITTER, found).map(|slots| slots.on(())) {
                    Ok(slots) => (Ok(OpenFile { slots: slots.on(model), first_free: end, saved_end: end }), true),
                    Err(_) => (Err(model), false),
                }
            }
            (Ok(mut open), Event::Save(fault)) => {
                let end = open.saved_end + 10;
                open.slots.disk = open.slots.disk.with(fault);
                let saved = open.slots.save(end).is_ok();
                if saved {
                    open.saved_end = end;
                    // All ticks but one, so that a clean close has an end to save.
                    used = end - 1;
                }
                (Ok(open), saved)
            }
            (Ok(mut open), Event::Close(fault)) => {
                let exact_end = used.max(open.first_free);
                open.slots.disk = open.slots.disk.with(fault);
                let is_whole = if exact_end == open.saved_end { is_whole } else { open.slots.save(exact_end).is_ok() };
                (Err(open.slots.disk), is_whole)
            }
            (Ok(open), Event::Kill) => (Err(open.slots.disk), false),
            (Ok(OpenFile { slots: Slots { disk, .. }, .. }) | Err(disk), Event::Outage(block)) => {
                (Err(disk.lose_power(block)), false)
            }
            (_, event) => unreachable!("{event:?}"),
        };
        let mut world = World { file, used, is_whole };
        // The fault affects only this event.
        let model = world.file.as_mut().map_or_else(|model| model, |open| &mut open.slots.disk);
        (model.fault, model.writes) = (None, 0);
        world
    }

    fn model(&self) -> &Model {
        self.file.as_ref().map_or_else(|model| model, |open| &open.slots.disk)
    }

    /// Checks that every possible state of the disk states all used ticks.
    fn check(&self, history: &[Event]) {
        let knows = |file: &[u8]| {
            let found = newest(file).unwrap_or_else(|problem| panic!("{problem:?} after {history:?}"));
            assert!(found.record.end >= self.used, "{found:?} when {} was used, after {history:?}", self.used);
        };
        let model = self.model();
        knows(&model.seen);
        for block in BLOCKS.into_iter().take(if model.on_the_way == [false; 2] { 1 } else { 3 }) {
            knows(&model.clone().lose_power(block).seen);
        }
        if self.is_whole {
            for slot in 0..2 {
                let mut damaged = model.on_disk.clone();
                damaged[slot * SLOT..(slot + 1) * SLOT].fill(0);
                knows(&damaged);
            }
        }
    }
}

/// Runs every continuation of the history with `left` more events. Returns their number.
fn go_on(world: &World, left: usize, history: &mut Vec<Event>) -> u64 {
    if left == 0 {
        return 1;
    }
    let mut ways = 0;
    let mut known = Vec::new();
    for event in events(world.file.is_ok()) {
        history.push(event);
        let next = world.clone().after(event);
        if !known.contains(&next) {
            next.check(history);
            ways += go_on(&next, left - 1, history);
            known.push(next);
        }
        history.pop();
    }
    ways
}

#[test]
fn no_history_of_faults_loses_a_tick_that_was_used() {
    let record = Record { owner: Owner::of(&NODE_7), end: 0, counter: 1 };
    let bytes = new_file(&record, &Layout::TWITTER).concat();
    assert_eq!(bytes.len(), FILE);
    let model = Model { on_disk: bytes.clone(), seen: bytes, on_the_way: [false; 2], fault: None, writes: 0 };
    let world = World { file: Err(model), used: 0, is_whole: true }.after(Event::Open(None));
    let ways = go_on(&world, EVENTS, &mut Vec::new());
    assert!(ways > 10_000, "{ways} histories");
}
