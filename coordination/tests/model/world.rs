//! Everything there is at one moment: the store, the processes, what is on its way between them,
//! and the IDs made so far.

use crate::setup::{Budget, Setup};
use saiban_coordination::lease::Slot;
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew, Seen, first_slots};

/// A tick of the model's IDs, µs.
pub const TICK_US: i64 = 1_000_000;

/// The tick with which time begins: a clock that is a tick or two behind still has a time.
pub const FIRST_TICK: i64 = 2;

/// The bits below the tick in a position.
pub const LOW_BITS: u32 = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// The true tick.
    pub now: i64,
    pub store: Store,
    /// An older copy of the store's data.
    pub copy: Option<Memory>,
    /// Processes, and after them the children that they forked.
    pub processes: Vec<Process>,
    pub network: Vec<Message>,
    /// A bit for each ID made.
    pub made: u64,
    /// An ID that was made a second time.
    pub repeated: Option<Id>,
    /// The faults that may still happen.
    pub left: Budget,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    pub memory: Memory,
    /// How far the store's clock is from the true time, ticks.
    pub clock_off: i64,
    /// Whether it was restored to the copy, or made again.
    pub is_rewound: bool,
}

/// What a store remembers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    pub slots: Vec<Slot>,
    pub quarantine_until_us: i64,
    /// Counts how often the namespace was made.
    pub incarnation: i64,
    /// For how long leases are, ticks, and the longest that it allows.
    pub ttl: i64,
}

/// A process with one generator and one holder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// How many nodes it wants.
    pub nodes: i64,
    /// How far its clock is from the true time, ticks.
    pub clock_off: i64,
    /// The rectangle that its generator may use.
    pub grant: Option<Grant>,
    /// Its cursor: the next free position, 0 at first.
    pub cursor: u64,
    /// What a thread has read from the clock before it was paused.
    pub reading: Option<i64>,
    /// The newest lease it knows of.
    pub seen: Option<Seen>,
    /// The number of the request that it waits for.
    pub asked: Option<i64>,
    /// It is a copy that fork made, and what it has is its parent's.
    pub is_inherited: bool,
    /// It has given its lease back without closing the cursor first.
    pub is_open_after_release: bool,
}

/// Something on its way between a process and the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub process: usize,
    /// Distinguishes it from other requests of the process.
    pub ask: i64,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    Acquire(Acquire),
    Renew(Renew),
    Release(Release),
    /// The store's response; `None` is a refusal.
    Answer(Option<Grant>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    pub node: i64,
    pub tick: i64,
    pub sequence: i64,
}

impl Memory {
    /// A new namespace.
    pub fn new(nodes: i64, incarnation: i64, ttl: i64) -> Self {
        Memory { slots: first_slots(nodes, 0), quarantine_until_us: 0, incarnation, ttl }
    }
}

impl World {
    /// The world at first, with these errors of the processes' clocks.
    pub fn new(setup: &Setup, clock_offs: &[i64]) -> Self {
        let process = |(nodes, clock_off): (&i64, &i64)| Process::new(*nodes, *clock_off);
        let memory = Memory::new(setup.nodes, 1, setup.ttl);
        World {
            now: FIRST_TICK,
            store: Store { memory, clock_off: 0, is_rewound: false },
            copy: None,
            processes: setup.wants.iter().zip(clock_offs).map(process).collect(),
            network: Vec::new(),
            made: 0,
            repeated: None,
            left: setup.budget.clone(),
        }
    }

    /// The store's time.
    pub fn store_us(&self) -> i64 {
        (self.now + self.store.clock_off) * TICK_US
    }

    /// The tick that a process's clock shows.
    pub fn clock(&self, process: usize) -> i64 {
        self.now + self.processes[process].clock_off
    }

    /// Whether each node is in one slot.
    pub fn slots_divide(&self, nodes: i64) -> bool {
        let mut next = 0;
        let slots = &self.store.memory.slots;
        slots.iter().all(|slot| slot.nodes.start == std::mem::replace(&mut next, slot.nodes.end)) && next == nodes
    }

    /// Whether two processes have made IDs of one node with different leases, and have them still,
    /// one of them too late.
    pub fn has_two_in_use(&self) -> bool {
        let in_use = self.processes.iter().filter(|process| process.cursor > 0).flat_map(|process| &process.grant);
        let grants: Vec<&Grant> = in_use.collect();
        let is_of_one_node = |(one, two): (&Grant, &Grant)| {
            one.key != two.key && one.key.nodes.start < two.key.nodes.end && two.key.nodes.start < one.key.nodes.end
        };
        grants.iter().any(|one| grants.iter().any(|two| is_of_one_node((one, two))))
    }

    /// Notes an ID, and whether it was there already.
    pub fn make(&mut self, setup: &Setup, id: Id) {
        let bit = 1 << setup.bit_of(id);
        if self.made & bit != 0 {
            self.repeated = Some(id);
        }
        self.made |= bit;
    }

    /// A number that no process has or gets.
    pub fn fresh(&mut self) -> i64 {
        self.numbers().into_iter().map(|number| *number).max().unwrap_or(0) + 1
    }

    /// Gives all drawn numbers the smallest names, in the order in which they are met: their values
    /// do not matter.
    pub fn renumber(&mut self) {
        let mut names = vec![0];
        for number in self.numbers() {
            let known = names.iter().position(|name| name == number);
            let place = known.unwrap_or_else(|| {
                names.push(*number);
                names.len() - 1
            });
            *number = i64::try_from(place).expect("a few");
        }
    }

    /// Every place where a drawn number stands.
    fn numbers(&mut self) -> Vec<&mut i64> {
        let mut all = Vec::new();
        for memory in std::iter::once(&mut self.store.memory).chain(&mut self.copy) {
            all.extend(memory.slots.iter_mut().map(|slot| &mut slot.token));
        }
        for process in &mut self.processes {
            all.extend(&mut process.asked);
            all.extend(process.grant.iter_mut().map(|grant| &mut grant.key.token));
            all.extend(process.seen.iter_mut().map(|seen| &mut seen.key.token));
        }
        for message in &mut self.network {
            all.push(&mut message.ask);
            match &mut message.body {
                Body::Acquire(request) => {
                    all.push(&mut request.token);
                    all.extend(request.seen.iter_mut().map(|seen| &mut seen.key.token));
                }
                Body::Renew(renew) => all.push(&mut renew.seen.key.token),
                Body::Release(release) => all.push(&mut release.key.token),
                Body::Answer(grant) => all.extend(grant.iter_mut().map(|grant| &mut grant.key.token)),
            }
        }
        all
    }
}

impl Process {
    pub fn new(nodes: i64, clock_off: i64) -> Self {
        Process {
            nodes,
            clock_off,
            grant: None,
            cursor: 0,
            reading: None,
            seen: None,
            asked: None,
            is_inherited: false,
            is_open_after_release: false,
        }
    }

    /// Takes a new rectangle, with a new cursor.
    pub fn begin(&mut self, grant: Grant) {
        self.seen = Some(Seen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us });
        self.grant = Some(grant);
        self.cursor = 0;
        self.reading = None;
        self.is_inherited = false;
        self.is_open_after_release = false;
    }

    /// Closes the cursor: nothing is made with the rectangle from now on. A thread that was paused
    /// finds it closed.
    pub fn close(&mut self) -> Option<Grant> {
        self.cursor = 0;
        self.reading = None;
        self.is_open_after_release = false;
        self.grant.take()
    }

    /// The end of the last tick that was reserved, µs; 0 when none was.
    pub fn reserved_us(&self) -> i64 {
        match self.cursor {
            0 => 0,
            next => (tick_of(next - 1) + 1) * TICK_US,
        }
    }
}

/// The tick of a position.
pub fn tick_of(position: u64) -> i64 {
    i64::try_from(position >> LOW_BITS).expect("a small tick")
}
