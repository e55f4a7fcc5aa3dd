//! A stretch of nodes, and who has it.

use std::ops::Range;

/// A stretch of a name space's nodes, and who has it until when. The slots of a name space divide all of its nodes between them.
///
/// A slot is kept for ever: what it remembers is what makes reuse safe. It is divided, and joined with its neighbours, only while nobody
/// has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The nodes, half-open.
    pub nodes: Range<i64>,
    /// Counts up each time that the slot is granted or given back. Of two answers for one node the one with the higher fence is newer.
    pub fence: i64,
    /// What the last holder drew for its lease: after a store has lost its last changes two grants may have one fence.
    pub token: i64,
    /// When the last lease began, Unix µs; 0 when there was none.
    pub start_us: i64,
    /// When it ends or ended, Unix µs; 0 when nobody has the slot.
    pub end_us: i64,
    /// Before this time nobody else may begin, Unix µs; 0 when there was no lease.
    pub high_water_us: i64,
    /// Who has the slot, or had it last, for people: host, process and what else the holder said.
    pub holder: String,
}

/// What tells one grant from all others of its name space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlotKey {
    /// The nodes, half-open.
    pub nodes: Range<i64>,
    /// The slot's fence since the grant.
    pub fence: i64,
    /// What the holder drew for it.
    pub token: i64,
}

impl Slot {
    /// Nodes that nobody has had.
    #[must_use]
    pub fn unused(nodes: Range<i64>) -> Self {
        Slot { nodes, fence: 0, token: 0, start_us: 0, end_us: 0, high_water_us: 0, holder: String::new() }
    }

    /// Whether somebody has it at this time.
    #[must_use]
    pub fn is_held(&self, now_us: i64) -> bool {
        now_us < self.end_us
    }

    /// How many nodes it has.
    #[must_use]
    pub fn width(&self) -> i64 {
        self.nodes.end - self.nodes.start
    }

    /// What tells the grant of today from others.
    #[must_use]
    pub fn key(&self) -> SlotKey {
        SlotKey { nodes: self.nodes.clone(), fence: self.fence, token: self.token }
    }
}
