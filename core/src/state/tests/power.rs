//! Every short history of saves, faults and losses of power, on a model of a disk: blocks that were written are on disk when
//! `sync` has answered, any of them may be before, and a failed `sync` forgets those that are not.

use super::super::record::{Owner, Record};
use super::super::slots::{Disk, FILE, Slots, new_file, newest};
use super::NODE_7;
use crate::layout::Layout;
use std::io;
use std::vec::Vec;

const SECTOR: usize = 512;
const SLOT_SECTORS: usize = FILE / SECTOR / 2;

/// Which of the sectors that are not on disk yet get there: those of a slot's first record, of its second, both or none.
type Reached = u8;
const REACHED: [Reached; 4] = [0b00, 0b01, 0b10, 0b11];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The write fails after so many sectors.
    Write { sectors: usize },
    /// The sync fails.
    Sync { reached: Reached },
}

#[derive(Clone, Debug)]
struct Model {
    on_disk: Vec<u8>,
    /// What the operating system has in memory, and shows to every reader.
    seen: Vec<u8>,
    /// Sectors that are to be written to disk.
    dirty: Vec<usize>,
    fault: Option<Fault>,
}

impl Model {
    fn write_back(&mut self, reached: Reached) {
        for sector in self.dirty.drain(..) {
            let second_record = sector % SLOT_SECTORS >= SLOT_SECTORS / 2;
            if reached >> u8::from(second_record) & 1 == 1 {
                let bytes = sector * SECTOR..(sector + 1) * SECTOR;
                self.on_disk[bytes.clone()].copy_from_slice(&self.seen[bytes]);
            }
        }
    }
}

impl Disk for Model {
    fn write(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()> {
        let (sectors, answer) = match self.fault {
            Some(Fault::Write { sectors }) => (sectors, Err(io::ErrorKind::StorageFull.into())),
            _ => (bytes.len() / SECTOR, Ok(())),
        };
        let first = offset / SECTOR;
        self.seen[offset..offset + sectors * SECTOR].copy_from_slice(&bytes[..sectors * SECTOR]);
        self.dirty.extend(first..first + sectors);
        answer
    }

    fn sync(&mut self) -> io::Result<()> {
        if let Some(Fault::Sync { reached }) = self.fault {
            self.write_back(reached);
            return Err(io::ErrorKind::Other.into());
        }
        self.write_back(0b11);
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A save, well or with a fault, after which the process goes on.
    Save(Option<Fault>),
    /// A clean close, well or with a fault, and a new life.
    Close(Option<Fault>),
    /// A kill in the middle of a save, after so many sectors: memory stays.
    Kill { sectors: usize },
    /// A loss of power in the middle of a save, or, after no sectors, between saves.
    Outage { sectors: usize, reached: Reached },
}

fn events() -> Vec<Event> {
    let half = SLOT_SECTORS / 2;
    let mut faults: Vec<_> = [0, 1, half + 1].map(|sectors| Fault::Write { sectors }).into();
    faults.extend(REACHED.map(|reached| Fault::Sync { reached }));
    let mut events = std::vec![Event::Save(None), Event::Close(None)];
    events.extend(faults.iter().map(|fault| Event::Save(Some(*fault))));
    events.extend(faults.iter().skip(2).map(|fault| Event::Close(Some(*fault))));
    events.extend([1, SLOT_SECTORS].map(|sectors| Event::Kill { sectors }));
    for sectors in [0, 1, SLOT_SECTORS] {
        events.extend(REACHED.map(|reached| Event::Outage { sectors, reached }));
    }
    events
}

/// A process that has the file open.
#[derive(Clone)]
struct Life {
    slots: Slots<Model>,
    first_free: u64,
    saved_end: u64,
    /// Ticks below this one were used, by this process or those before it.
    used: u64,
}

impl Life {
    /// Opens the file. All that was used must be known there.
    fn begin(model: Model, used: u64, events: &[Event]) -> Self {
        let (record, slot) = newest(&model.seen).unwrap_or_else(|problem| panic!("{problem:?} after {events:?}"));
        assert!(record.end >= used, "{} was used, {} is known after {events:?}", used, record.end);
        let end = record.end;
        Life { slots: Slots::new(model, Layout::TWITTER, record, slot), first_free: end, saved_end: end, used }
    }

    fn save(&mut self, end: u64, fault: Option<Fault>) -> bool {
        self.slots.disk.fault = fault;
        let saved = self.slots.save(end).is_ok();
        self.slots.disk.fault = None;
        saved
    }

    /// The process after the event, or the one that comes after it.
    fn after(mut self, event: Event, events: &[Event]) -> Self {
        let next_end = self.saved_end + 10;
        match event {
            Event::Save(fault) => {
                if self.save(next_end, fault) {
                    self.saved_end = next_end;
                    // All but one: so a clean close has something to say.
                    self.used = next_end - 1;
                }
                return self;
            }
            Event::Close(fault) => {
                let exact_end = self.used.max(self.first_free);
                if exact_end != self.saved_end {
                    self.save(exact_end, fault);
                }
            }
            Event::Kill { sectors } => {
                self.save(next_end, Some(Fault::Write { sectors }));
            }
            Event::Outage { sectors, reached } => {
                self.save(next_end, Some(Fault::Write { sectors }));
                self.slots.disk.write_back(reached);
                self.slots.disk.seen = self.slots.disk.on_disk.clone();
            }
        }
        Life::begin(self.slots.disk, self.used, events)
    }
}

/// Lives on in every way, so many events long; answers in how many.
fn live_on(life: &Life, left: usize, all: &[Event], events: &mut Vec<Event>) -> u64 {
    let mut ways = 0;
    for event in all {
        events.push(*event);
        let next = life.clone().after(*event, events);
        // What would be found if the power went now, with nothing or with everything on its way to the disk there.
        for reached in REACHED {
            let mut model = next.slots.disk.clone();
            model.write_back(reached);
            model.seen = model.on_disk.clone();
            Life::begin(model, next.used, events);
        }
        ways += if left == 1 { 1 } else { live_on(&next, left - 1, all, events) };
        events.pop();
    }
    ways
}

#[test]
fn no_history_of_faults_loses_a_tick_that_was_used() {
    let record = Record { owner: Owner::of(&NODE_7), end: 0, counter: 1 };
    let bytes = new_file(&record, &Layout::TWITTER).into_vec();
    assert_eq!(bytes.len(), FILE);
    let model = Model { on_disk: bytes.clone(), seen: bytes, dirty: Vec::new(), fault: None };
    let all = events();
    let ways = live_on(&Life::begin(model, 0, &[]), 3, &all, &mut Vec::new());
    assert_eq!(ways, (all.len() as u64).pow(3));
}
