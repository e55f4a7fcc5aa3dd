//! The rules for opening a range of nodes, as pure functions of the records in a file.

use crate::layout::IdSet;
use alloc::vec::Vec;
use core::ops::Range;

/// A range of nodes and the state of its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The index of its place in the table.
    pub(super) index: usize,
    pub(super) range: NodeRange,
    /// The first tick without issued IDs.
    pub(super) free_tick: u64,
    /// Whether a process has it open.
    pub(super) is_live: bool,
}

/// A set of IDs, and the ticks in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeRange {
    pub(super) ids: IdSet,
    /// The number of low bits of a position.
    pub(super) bits: u32,
    /// The store and namespace of the lease, as a number; 0 without a lease.
    pub(super) namespace: u64,
    /// The first tick and the one after the last: those of the lease, or all.
    pub(super) first_tick: u64,
    pub(super) end_tick: u64,
}

impl NodeRange {
    /// Returns whether both ranges use one word.
    pub(super) fn is(&self, other: &NodeRange) -> bool {
        (self.ids, self.bits, self.namespace) == (other.ids, other.bits, other.namespace)
    }

    /// Returns whether the ranges have IDs in common, at any time. IDs of two namespaces belong to
    /// two columns, and so do those of a lease and of nodes that were assigned by hand.
    pub(super) fn overlaps(&self, other: &NodeRange) -> bool {
        self.namespace == other.namespace && self.ids.overlaps(&other.ids)
    }
}

/// The decision how to open a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Use the word at this place, from this tick on.
    Join { index: usize, from_tick: u64 },
    /// Take a free place for a new word, which begins with this tick.
    Add { from_tick: u64 },
    /// Refuse: a process has an overlapping range open.
    InUse { index: usize },
}

/// Decides how to open a range.
///
/// - Equal ranges share a word.
/// - If a process has an overlapping range open, this one is refused, unless the overlapping range
///   is of a lease that ends before this one begins.
/// - A range begins past the positions of all other overlapping ranges, and past `floor_tick`, up
///   to which merged ranges were used.
/// - A new word begins with `new_tick` at the earliest, because its file may have replaced a
///   deleted one.
pub(super) fn plan(records: &[Record], wanted: &NodeRange, floor_tick: u64, new_tick: u64) -> Plan {
    let mut from_tick = floor_tick;
    let mut own = None;
    for record in records {
        if record.range.is(wanted) {
            own = Some(record);
        } else if record.range.overlaps(wanted) {
            if record.is_live && record.range.end_tick > wanted.first_tick {
                return Plan::InUse { index: record.index };
            }
            from_tick = from_tick.max(record.free_tick);
        }
    }
    match own {
        Some(Record { index, .. }) => Plan::Join { index: *index, from_tick },
        None => Plan::Add { from_tick: from_tick.max(new_tick) },
    }
}

/// Returns the records to merge into `floor_tick` when no place is free: of those that no process
/// has open, the half with the lowest positions. So a word that is far ahead of the clock does not
/// raise `floor_tick` while there are others.
pub(super) fn to_merge(records: &[Record]) -> Vec<Record> {
    let mut unused: Vec<Record> = records.iter().filter(|record| !record.is_live).copied().collect();
    unused.sort_by_key(|record| record.free_tick);
    unused.truncate(unused.len().div_ceil(2));
    unused
}

/// Returns the nodes of a record, for messages.
pub(super) fn nodes_of(records: &[Record], index: usize) -> Range<u64> {
    records.iter().find(|record| record.index == index).map_or(0..0, |record| record.range.ids.nodes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::{Limits, Pace, Step, step};
    use crate::layout::Layout;
    use std::collections::HashSet;

    /// Ticks that hold 2 IDs of each of 4 nodes.
    const SEQUENCE_BITS: u32 = 1;
    const RANGES: [Range<u64>; 4] = [0..1, 0..2, 1..3, 0..4];
    const PROCESSES: usize = 2;

    /// An event of the model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Event {
        Open {
            process: usize,
            range: usize,
        },
        Issue {
            process: usize,
        },
        Die {
            process: usize,
        },
        /// The clock moves by this many ticks, forward or back.
        Clock {
            ticks: i64,
        },
        /// No place is free, so that records are merged.
        Merge,
    }

    fn events() -> Vec<Event> {
        let processes = || 0..PROCESSES;
        let mut events: Vec<_> = processes()
            .flat_map(|process| (0..RANGES.len()).map(move |range| Event::Open { process, range }))
            .collect();
        events.extend(processes().map(|process| Event::Issue { process }));
        events.extend(processes().map(|process| Event::Die { process }));
        events.extend([Event::Clock { ticks: 1 }, Event::Clock { ticks: -1 }, Event::Merge]);
        events
    }

    /// The model: a file, the processes that use it, and all that they issued.
    #[derive(Clone)]
    struct World {
        /// For each place the index of its range, and the state of its word.
        places: Vec<(usize, u64)>,
        floor_tick: u64,
        /// The index of the place that each process has open.
        open: [Option<usize>; PROCESSES],
        now: u64,
        issued: HashSet<(u64, u64)>,
        refused: usize,
    }

    fn range(index: usize) -> NodeRange {
        let layout = Layout::from_text("unused:1 timestamp:41 node:2 sequence:1 unused:19").expect("a layout");
        let nodes = RANGES[index].clone();
        let bits = SEQUENCE_BITS + (nodes.end - nodes.start).next_power_of_two().ilog2();
        NodeRange { ids: layout.ids_of(nodes, 0), bits, namespace: 0, first_tick: 0, end_tick: u64::MAX }
    }

    /// The rules, correct or with one of them broken.
    type Rules = fn(&[Record], &NodeRange, u64) -> Plan;

    fn right(records: &[Record], wanted: &NodeRange, floor_tick: u64) -> Plan {
        plan(records, wanted, floor_tick, 0)
    }

    impl World {
        fn new() -> Self {
            let (places, open, issued) = (Vec::new(), [None; PROCESSES], HashSet::new());
            World { places, floor_tick: 0, open, now: 2, issued, refused: 0 }
        }

        fn records(&self) -> Vec<Record> {
            let record = |(index, &(of, state)): (usize, &(usize, u64))| {
                let range = range(of);
                let free_tick = state.div_ceil(1 << range.bits);
                Record { index, range, free_tick, is_live: self.open.contains(&Some(index)) }
            };
            self.places.iter().enumerate().map(record).collect()
        }

        /// Applies an event. Returns whether it repeats an ID.
        fn repeats_after(&mut self, event: Event, rules: Rules) -> bool {
            match event {
                Event::Open { process, range: of } => {
                    self.open[process] = None;
                    let (index, from_tick) = match rules(&self.records(), &range(of), self.floor_tick) {
                        Plan::InUse { .. } => {
                            self.refused += 1;
                            return false;
                        }
                        Plan::Join { index, from_tick } => (index, from_tick),
                        Plan::Add { from_tick } => {
                            self.places.push((of, 0));
                            (self.places.len() - 1, from_tick)
                        }
                    };
                    let state = &mut self.places[index].1;
                    *state = (*state).max(from_tick << range(of).bits);
                    self.open[process] = Some(index);
                }
                Event::Issue { process } => {
                    let Some(index) = self.open[process] else { return false };
                    let (of, state) = self.places[index];
                    let NodeRange { bits, .. } = range(of);
                    let nodes = &RANGES[of];
                    let slots = (nodes.end - nodes.start) << SEQUENCE_BITS;
                    let limits =
                        Limits { bits, slots, first_tick: 0, end_tick: 1 << 40, borrow: 0, forward_only: false };
                    let Step::Take { position, next, .. } = step(state, self.now, &limits, Pace::sequence(1)) else {
                        return false;
                    };
                    self.places[index].1 = next;
                    let (tick, low) = (position >> bits, position & ((1 << bits) - 1));
                    return !self.issued.insert((tick, (nodes.start << SEQUENCE_BITS) + low));
                }
                Event::Die { process } => self.open[process] = None,
                Event::Clock { ticks } => self.now = self.now.saturating_add_signed(ticks),
                Event::Merge => {
                    let mut merged = to_merge(&self.records());
                    merged.sort_by_key(|record| core::cmp::Reverse(record.index));
                    for Record { index, free_tick, .. } in merged {
                        self.floor_tick = self.floor_tick.max(free_tick);
                        self.places.remove(index);
                        for open in self.open.iter_mut().flatten().filter(|open| **open > index) {
                            *open -= 1;
                        }
                    }
                }
            }
            false
        }
    }

    /// Returns whether any sequence of this many events repeats an ID. Counts the sequences.
    fn repeats(world: &World, depth: usize, rules: Rules, count: &mut usize) -> bool {
        if depth == 0 {
            *count += 1;
            return false;
        }
        events().into_iter().any(|event| {
            let mut next = world.clone();
            next.repeats_after(event, rules) || repeats(&next, depth - 1, rules, count)
        })
    }

    #[test]
    fn no_sequence_of_openings_and_deaths_repeats_an_id() {
        let mut count = 0;
        assert!(!repeats(&World::new(), 5, right, &mut count));
        assert_eq!(count, 759_375, "every sequence of 5 events");
    }

    /// Returns numbers that are the same in every run (SplitMix64).
    fn draw(state: &mut u64) -> usize {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        usize::try_from((mixed ^ (mixed >> 27)) >> 40).expect("24 bits")
    }

    /// Runs many long random sequences of events. Returns how many IDs were issued, how many
    /// openings were refused, and whether an ID was repeated.
    fn long_sequences(rules: Rules) -> (usize, usize, bool) {
        let (events, mut seed, mut issued, mut refused) = (events(), 7, 0, 0);
        for _ in 0..10_000 {
            let mut world = World::new();
            for _ in 0..60 {
                if world.repeats_after(events[draw(&mut seed) % events.len()], rules) {
                    return (issued, refused, true);
                }
            }
            issued += world.issued.len();
            refused += world.refused;
        }
        (issued, refused, false)
    }

    #[test]
    fn long_sequences_repeat_no_id_unless_a_rule_is_removed() {
        let (issued, refused, repeated) = long_sequences(right);
        assert!(!repeated && issued > 10_000 && refused > 1_000, "{issued} issued, {refused} refused");
        let without_lending: Rules = |records, wanted, floor_tick| {
            let kept: Vec<_> =
                records.iter().filter(|record| record.is_live || record.range.is(wanted)).copied().collect();
            plan(&kept, wanted, floor_tick, 0)
        };
        let without_liveness: Rules = |records, wanted, floor_tick| {
            let dead: Vec<_> = records.iter().map(|record| Record { is_live: false, ..*record }).collect();
            plan(&dead, wanted, floor_tick, 0)
        };
        let without_floor: Rules = |records, wanted, _| plan(records, wanted, 0, 0);
        let without_sharing: Rules = |records, wanted, floor_tick| match plan(records, wanted, floor_tick, 0) {
            Plan::Join { from_tick, .. } => Plan::Add { from_tick },
            plan => plan,
        };
        for (rules, name) in [
            (without_lending, "lending"),
            (without_liveness, "liveness"),
            (without_floor, "the floor"),
            (without_sharing, "sharing"),
        ] {
            assert!(long_sequences(rules).2, "without {name} no ID came twice");
        }
    }

    #[test]
    fn ranges_of_leases_wait_for_each_others_end_and_those_of_other_namespaces_for_nothing() {
        let leased = |namespace, first_tick, end_tick, of| NodeRange { namespace, first_tick, end_tick, ..range(of) };
        let record = |range, is_live| [Record { index: 0, range, free_tick: 50, is_live }];
        let held = record(leased(1, 10, 60, 1), true);
        assert_eq!(plan(&held, &leased(1, 59, 90, 3), 0, 0), Plan::InUse { index: 0 }, "two leases at one time");
        assert_eq!(plan(&held, &leased(1, 60, 90, 3), 0, 0), Plan::Add { from_tick: 50 }, "one after the other");
        assert_eq!(plan(&held, &leased(1, 20, 90, 1), 0, 0), Plan::Join { index: 0, from_tick: 0 }, "the same nodes");
        assert_eq!(plan(&held, &leased(2, 20, 90, 3), 0, 7), Plan::Add { from_tick: 7 }, "another namespace");
        assert_eq!(plan(&held, &range(3), 0, 7), Plan::Add { from_tick: 7 }, "nodes that were assigned by hand");
        assert_eq!(
            plan(&record(leased(1, 10, 60, 1), false), &leased(1, 20, 90, 3), 0, 0),
            Plan::Add { from_tick: 50 }
        );
    }
}
