//! The setup of a check: the nodes and processes, the duration, the faults and their number, and
//! the rule that is left out.

use crate::world::{FIRST_TICK, Id};

/// A rule of the protocol. It is left out around the code that decides, never in that code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A lease begins at or after its slot's high-water mark.
    StartAfterHighWater,
    /// A generator never goes back to an earlier tick.
    MonotoneTick,
    /// The rectangle is compared with the ID's own tick, when the ID is taken.
    OwnTick,
    /// A process that starts again takes a new rectangle.
    NewRectangleAfterRestart,
    /// A release reports the last tick that was reserved, and the store remembers it.
    ReleaseTellsLastTick,
    /// A renewal must match the fence, and the lease must not have ended.
    CompareAndSwap,
    /// A generator that was copied by a fork makes no IDs.
    ForkDetection,
    /// A copy neither renews nor releases its parent's lease.
    InertChildren,
    /// Every cursor is closed before a lease is released.
    CloseBeforeRelease,
    /// A store that has lost leases grants nothing until those leases have ended.
    Quarantine,
    /// The quarantine also lasts that long in a new store that allows only shorter leases.
    QuarantineOutlastsLeases,
    /// A response is used only by a process that still waits for it.
    AnswerToWhatWasAsked,
}

/// How often each fault may still happen, and how many requests for nodes remain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// The requests for nodes.
    pub requests: u8,
    /// Steps of a process's clock, by a tick.
    pub clock_steps: u8,
    /// Steps of the store's clock, by a tick.
    pub store_clock_steps: u8,
    /// How often a process stops waiting for a response, because the request or the response is
    /// lost or late.
    pub given_up: u8,
    /// How often a request arrives twice.
    pub twice: u8,
    /// The number of forks.
    pub forks: u8,
    /// The number of crashes, each followed by a start.
    pub crashes: u8,
    /// How often the store is restored to an older copy.
    pub rewinds: u8,
    /// How often the store is lost, and created again for leases that are a tick shorter.
    pub again: u8,
}

impl Budget {
    /// Returns whether every fault has happened as often as allowed.
    pub fn is_spent(&self) -> bool {
        Budget { requests: 0, ..self.clone() } == Budget::default()
    }
}

#[derive(Clone, Debug)]
pub struct Setup {
    /// The number of nodes in the namespace.
    pub nodes: i64,
    /// How many nodes each process requests.
    pub wants: Vec<i64>,
    /// From how many random numbers the store chooses nodes anywhere; 0 if it chooses the best.
    pub randoms: i64,
    /// The number of IDs per node and tick.
    pub sequences: i64,
    /// The initial duration of leases in ticks, which is also the longest that the namespace
    /// allows.
    pub ttl: i64,
    /// The number of ticks that pass.
    pub ticks: i64,
    /// The largest difference of a clock from the true time, in ticks.
    pub clock_error: i64,
    /// Whether requests and responses take time.
    pub is_remote: bool,
    /// Whether threads pause between reading the clock and taking an ID.
    pub has_pauses: bool,
    pub budget: Budget,
    pub without: Option<Rule>,
}

impl Setup {
    pub fn has(&self, rule: Rule) -> bool {
        self.without != Some(rule)
    }

    pub fn without(self, rule: Rule) -> Self {
        Setup { without: Some(rule), ..self }
    }

    /// Returns the last true tick.
    pub fn last_tick(&self) -> i64 {
        FIRST_TICK + self.ticks
    }

    /// Returns the index of an ID among all possible IDs.
    pub fn bit_of(&self, id: Id) -> i64 {
        let place = (id.tick * self.nodes + id.node) * self.sequences + id.sequence;
        assert!((0..64).contains(&place), "{id:?} is outside the model's bounds");
        place
    }
}

impl Default for Setup {
    /// Returns a setup of two processes that request the one node, without faults.
    fn default() -> Self {
        Setup {
            nodes: 1,
            wants: vec![1, 1],
            randoms: 0,
            sequences: 1,
            ttl: 2,
            ticks: 4,
            clock_error: 0,
            is_remote: false,
            has_pauses: false,
            budget: Budget { requests: 3, ..Budget::default() },
            without: None,
        }
    }
}
