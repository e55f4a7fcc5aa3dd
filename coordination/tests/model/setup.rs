//! What is checked: how many nodes and processes, for how long, which faults and how often, and
//! which rule is left out.

use crate::world::{FIRST_TICK, Id};

/// A rule of the protocol. Leaving it out is done around the code that decides, never in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A lease begins at or after its slot's high-water mark.
    StartAfterHighWater,
    /// A generator never goes back to an earlier tick.
    MonotoneTick,
    /// What is compared with the rectangle is the ID's own tick, when it is taken.
    OwnTick,
    /// A process that starts again takes a new rectangle.
    NewRectangleAfterRestart,
    /// What is released is remembered up to the last tick that was reserved.
    ReleaseTellsLastTick,
    /// Who renews is reported by the fence, and the lease must not be over.
    CompareAndSwap,
    /// A generator that fork copied makes nothing.
    ForkDetection,
    /// A copy neither renews nor releases its parent's lease.
    InertChildren,
    /// Every cursor is closed before a lease is released.
    CloseBeforeRelease,
    /// A store that has lost leases grants nothing until they are over.
    Quarantine,
    /// Also where it is new, and allows shorter ones only.
    QuarantineOutlastsLeases,
    /// A response is used only by a process that still waits for it.
    AnswerToWhatWasAsked,
}

/// How often each fault may still happen, and how many requests for nodes remain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Wishes for nodes.
    pub requests: u8,
    /// Steps of a process's clock, by a tick.
    pub clock_steps: u8,
    /// Steps of the store's clock, by a tick.
    pub store_clock_steps: u8,
    /// Returns that a process no longer waits for: what it asked was lost, or is late, or the
    /// answer is.
    pub given_up: u8,
    /// Requests that arrive, and will arrive again.
    pub twice: u8,
    /// Forks.
    pub forks: u8,
    /// Crashes, each followed by a start.
    pub crashes: u8,
    /// Times that the store is restored to an older copy.
    pub rewinds: u8,
    /// Times that the store is lost, and made again for leases that are a tick shorter.
    pub again: u8,
}

impl Budget {
    /// Whether every fault has happened as often as it may.
    pub fn is_spent(&self) -> bool {
        Budget { requests: 0, ..self.clone() } == Budget::default()
    }
}

#[derive(Clone, Debug)]
pub struct Setup {
    /// The nodes of the namespace.
    pub nodes: i64,
    /// How many nodes each process wants.
    pub wants: Vec<i64>,
    /// IDs of a node in a tick.
    pub sequences: i64,
    /// For how long leases are at first, ticks. It is the longest that the namespace allows, too.
    pub ttl: i64,
    /// How many ticks go by.
    pub ticks: i64,
    /// How far a clock may be from the true time, ticks.
    pub clock_error: i64,
    /// Whether requests and responses take time, or arrive at once.
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

    /// The last true tick.
    pub fn last_tick(&self) -> i64 {
        FIRST_TICK + self.ticks
    }

    /// The place of an ID among all that can be made.
    pub fn bit_of(&self, id: Id) -> i64 {
        let place = (id.tick * self.nodes + id.node) * self.sequences + id.sequence;
        assert!((0..64).contains(&place), "{id:?} is outside the model's bounds");
        place
    }
}

impl Default for Setup {
    /// Two processes that want the one node, and no faults.
    fn default() -> Self {
        Setup {
            nodes: 1,
            wants: vec![1, 1],
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
