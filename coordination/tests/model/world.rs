//! The whole state at one moment: the store, the processes, the messages between them, and the IDs
//! made so far.

use crate::setup::{Budget, Setup};
use saiban_coordination::lease::Slot;
use saiban_coordination::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew, first_slots};

/// The duration of a tick of the model's IDs, in µs.
pub const TICK_US: i64 = 1_000_000;

/// The first tick of time, so that a clock that is a tick or two behind still has a time.
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
    /// The processes, followed by the children that they forked.
    pub processes: Vec<Process>,
    pub network: Vec<Message>,
    /// One bit for each ID made.
    pub made: u64,
    /// An ID that was made a second time.
    pub repeated: Option<Id>,
    /// The faults that may still happen.
    pub left: Budget,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    pub memory: Memory,
    /// The difference of the store's clock from the true time, in ticks.
    pub clock_off: i64,
    /// Whether the store was restored to the copy, or created again.
    pub is_rewound: bool,
}

/// The records of a store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    pub slots: Vec<Slot>,
    pub quarantine_until_us: i64,
    /// The number of times that the namespace was created.
    pub incarnation: i64,
    /// The duration of leases in ticks, which is also the longest that the store allows.
    pub ttl: i64,
}

/// A process with one generator and one holder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// How many nodes the process requests.
    pub nodes: i64,
    /// The difference of the process's clock from the true time, in ticks.
    pub clock_off: i64,
    /// The rectangle that its generator may use.
    pub grant: Option<Grant>,
    /// Its cursor: the next free position, 0 at first.
    pub cursor: u64,
    /// The clock reading of a thread that was paused.
    pub reading: Option<i64>,
    /// The newest lease that the process knows.
    pub seen: Option<LastSeen>,
    /// The number of the request that the process waits for.
    pub asked: Option<i64>,
    /// Whether the process is a forked copy, whose lease is its parent's.
    pub is_inherited: bool,
    /// Whether the process has released its lease without closing the cursor first.
    pub is_open_after_release: bool,
}

/// A message between a process and the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub process: usize,
    /// Distinguishes the requests of a process.
    pub ask: i64,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A request for nodes, and the random number by which the store chooses them.
    Acquire(Acquire, i64),
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
    /// Returns the records of a new namespace.
    pub fn new(nodes: i64, incarnation: i64, ttl: i64) -> Self {
        Memory { slots: first_slots(nodes, 0), quarantine_until_us: 0, incarnation, ttl }
    }
}

impl World {
    /// Returns the initial world, with these errors of the processes' clocks.
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

    /// Returns the store's time.
    pub fn store_us(&self) -> i64 {
        (self.now + self.store.clock_off) * TICK_US
    }

    /// Returns the tick that a process's clock shows.
    pub fn clock(&self, process: usize) -> i64 {
        self.now + self.processes[process].clock_off
    }

    /// Returns whether each node is in exactly one slot.
    pub fn slots_divide(&self, nodes: i64) -> bool {
        let mut next = 0;
        let slots = &self.store.memory.slots;
        slots.iter().all(|slot| slot.nodes.start == std::mem::replace(&mut next, slot.nodes.end)) && next == nodes
    }

    /// Returns whether two processes have made IDs of one node under different leases that both
    /// still have, one of them too late.
    pub fn has_two_in_use(&self) -> bool {
        let in_use = self.processes.iter().filter(|process| process.cursor > 0).flat_map(|process| &process.grant);
        let grants: Vec<&Grant> = in_use.collect();
        let is_of_one_node = |(one, two): (&Grant, &Grant)| {
            one.key != two.key && one.key.nodes.start < two.key.nodes.end && two.key.nodes.start < one.key.nodes.end
        };
        grants.iter().any(|one| grants.iter().any(|two| is_of_one_node((one, two))))
    }

    /// Records an ID, and whether it was made before.
    pub fn make(&mut self, setup: &Setup, id: Id) {
        let bit = 1 << setup.bit_of(id);
        if self.made & bit != 0 {
            self.repeated = Some(id);
        }
        self.made |= bit;
    }

    /// Returns a number that is not in use.
    pub fn fresh(&mut self) -> i64 {
        self.numbers().into_iter().map(|number| *number).max().unwrap_or(0) + 1
    }

    /// Replaces all random numbers by the smallest ones, in order of appearance, since their values
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

    /// Returns every place that holds a random number.
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
                Body::Acquire(request, _) => {
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
        self.seen = Some(LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us });
        self.grant = Some(grant);
        self.cursor = 0;
        self.reading = None;
        self.is_inherited = false;
        self.is_open_after_release = false;
    }

    /// Closes the cursor: no ID is made with the rectangle from now on, not even by a paused
    /// thread.
    pub fn close(&mut self) -> Option<Grant> {
        self.cursor = 0;
        self.reading = None;
        self.is_open_after_release = false;
        self.grant.take()
    }

    /// Returns the end of the last reserved tick in µs, or 0 if none was reserved.
    pub fn reserved_us(&self) -> i64 {
        match self.cursor {
            0 => 0,
            next => (tick_of(next - 1) + 1) * TICK_US,
        }
    }
}

/// Returns the tick of a position.
pub fn tick_of(position: u64) -> i64 {
    i64::try_from(position >> LOW_BITS).expect("a small tick")
}
