//! The protocol, checked in every reachable state: processes lease nodes and make IDs, while faults
//! happen. No two IDs are equal; without any one of the rules, two are, and the shortest path to
//! them is printed:
//!
//! ```text
//! cargo test -p saiban-coordination --no-default-features --test model -- --nocapture --test-threads=1
//! ```
//!
//! **What is real.** The store's decisions are `lease::protocol`'s own functions, and the next ID
//! is from the core's own [`saiban::cursor::internal::step`]. The model around them leaves out a
//! rule ([`setup::Rule`]).
//!
//! **What is modelled.** Time passes in ticks, which are as long as a tick of the IDs. Processes
//! request, renew and release at any time: that includes all that `lease::holder` can do, without
//! its exact times, which would multiply the states (`tests/holders.rs` tests the holder itself).
//! Like a holder, a process has one request at a time, closes before it releases, and takes a grant
//! as a whole. There are two processes, one node, leases of at most two ticks, at most three
//! requests for nodes, and:
//!
//! | fault | other limits | states |
//! |---|---|---|
//! | clocks up to a tick wrong, one step of a process's clock and one of the store's | 2 IDs a tick, 4 ticks | 0.9 million |
//! | requests and responses with any delay, one of them lost or too late, and one request that arrives twice | 3 ticks | 1.5 million |
//! | threads pause between reading the clock and taking an ID | clocks a tick wrong, 4 ticks | 0.2 million |
//! | a fork | clocks a tick wrong, 4 ticks | 0.3 million |
//! | two crashes, each followed by a start | clocks a tick wrong, 4 ticks | 0.1 million |
//! | the store is restored to an older copy of any age, with quarantine | clocks a tick wrong, 4 ticks | 1.5 million |
//! | the store is lost and created again, with leases of a tick, and a holder renews first | 2 nodes, clocks a tick wrong, 4 ticks | 0.8 million |
//! | one process requests 2 of 2 nodes, the other 1: slots are joined and divided | 4 requests, clocks a tick wrong | 0.3 million |
//! | one process requests 2 of 3 nodes, the other 1, and the store chooses any: slots are divided in three | 3 requests | 0.2 million |
//!
//! Worlds whose differences cannot matter again are one state: IDs of ticks that no clock will
//! show, responses that no process waits for, the values of random numbers.
//!
//! **What is not modelled.** Several kinds of faults in one run; more than two processes and a
//! child; parts of a tick (a tick belongs to the rectangle in which it begins, and a reservation
//! counts to its end: see the tests of the holder and the core); several cursors of one rectangle,
//! which differ in their low bits. A store that lost leases repeats IDs until a holder reports the
//! loss. A store that was restored, with its clock behind its earlier time, may renew a lease that
//! another holder had:
//! `a_store_restored_from_a_backup_must_not_have_a_clock_behind_its_records` shows how.

mod setup;
mod steps;
mod store;
mod story;
mod world;

use setup::{Budget, Rule, Setup};
use stateright::{Checker, Expectation, HasDiscoveries, Model, Property};
use std::time::Instant;
use steps::Action;
use world::World;

const UNIQUE: &str = "no two IDs are equal";

impl Model for Setup {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        // If both processes request equally many nodes, it does not matter which one has the faster
        // clock.
        let is_alike = self.wants[0] == self.wants[1];
        let errors = -self.clock_error..=self.clock_error;
        let pairs = errors.clone().flat_map(|first| errors.clone().map(move |second| [first, second]));
        pairs.filter(|[first, second]| !is_alike || first <= second).map(|offs| World::new(self, &offs)).collect()
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        steps::possible(self, world, actions);
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        steps::after(self, world, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let unique = Property::always(UNIQUE, |_: &Setup, world: &World| world.repeated.is_none());
        if self.without.is_some() {
            return vec![unique];
        }
        vec![
            unique,
            Property::always("slots divide all nodes", |setup: &Setup, world: &World| world.slots_divide(setup.nodes)),
            Property::always("no quarantine without a loss", |_, world: &World| {
                world.store.memory.quarantine_until_us == 0 || world.store.is_rewound
            }),
            // These show that the model reaches interesting states.
            Property::sometimes("two leases of a node are in use", |_, world: &World| world.has_two_in_use()),
            Property::sometimes("every fault has happened", |_, world: &World| world.left.is_spent()),
        ]
    }
}

/// Checks every state: no two IDs are equal in any state.
fn holds(what: &str, setup: Setup) {
    let begun = Instant::now();
    let checker = setup.checker().spawn_dfs().join();
    let model = checker.model();
    let failed = |name| model.property(name).expectation == Expectation::Always;
    for (name, path) in checker.discoveries().into_iter().filter(|(name, _)| failed(name)) {
        println!("not so: {name}\n{}", story::describe(model, path.into_vec()));
    }
    println!("{what}: {} states in {} ms", checker.unique_state_count(), begun.elapsed().as_millis());
    checker.assert_properties();
}

/// Searches for two equal IDs, breadth first, and prints the shortest path to them.
fn repeats(what: &str, setup: Setup) {
    let checker = setup.checker().finish_when(HasDiscoveries::AnyFailures).spawn_bfs().join();
    let states = checker.unique_state_count();
    let path = checker.discovery(UNIQUE).unwrap_or_else(|| panic!("{what}: nothing repeats in {states} states"));
    println!("{what}, after {states} states:\n{}", story::describe(checker.model(), path.into_vec()));
}

fn repeats_without(rule: Rule, setup: Setup) {
    repeats(&format!("without {rule:?}"), setup.without(rule));
}

fn clocks() -> Setup {
    let budget = Budget { clock_steps: 1, store_clock_steps: 1, ..Setup::default().budget };
    Setup { sequences: 2, clock_error: 1, budget, ..Setup::default() }
}

fn network() -> Setup {
    let budget = Budget { given_up: 1, twice: 1, ..Setup::default().budget };
    Setup { is_remote: true, ticks: 3, budget, ..Setup::default() }
}

fn pauses() -> Setup {
    Setup { has_pauses: true, clock_error: 1, ..Setup::default() }
}

fn forks() -> Setup {
    Setup { clock_error: 1, budget: Budget { forks: 1, ..Setup::default().budget }, ..Setup::default() }
}

fn crashes() -> Setup {
    Setup { clock_error: 1, budget: Budget { crashes: 2, ..Setup::default().budget }, ..Setup::default() }
}

fn rewound() -> Setup {
    Setup { clock_error: 1, budget: Budget { rewinds: 1, ..Setup::default().budget }, ..Setup::default() }
}

fn created_again() -> Setup {
    Setup { nodes: 2, clock_error: 1, budget: Budget { again: 1, ..Setup::default().budget }, ..Setup::default() }
}

fn widths() -> Setup {
    Setup {
        nodes: 2,
        wants: vec![2, 1],
        clock_error: 1,
        budget: Budget { requests: 4, ..Budget::default() },
        ..Setup::default()
    }
}

fn anywhere() -> Setup {
    Setup {
        nodes: 3,
        wants: vec![2, 1],
        randoms: 6,
        budget: Budget { requests: 3, ..Budget::default() },
        ..Setup::default()
    }
}

#[test]
fn clocks_that_are_wrong_and_step_repeat_nothing() {
    holds("clocks", clocks());
}

#[test]
fn requests_and_answers_that_are_late_lost_or_doubled_repeat_nothing() {
    holds("network", network());
}

#[test]
fn threads_that_pause_after_they_read_the_clock_repeat_nothing() {
    holds("pauses", pauses());
}

#[test]
fn forked_processes_repeat_nothing() {
    holds("forks", forks());
}

#[test]
fn processes_that_crash_and_start_again_repeat_nothing() {
    holds("crashes", crashes());
}

#[test]
fn a_store_restored_from_a_backup_repeats_nothing() {
    holds("put back", rewound());
}

#[test]
fn a_store_created_again_with_shorter_leases_repeats_nothing_once_the_loss_is_reported() {
    holds("made again", created_again());
}

#[test]
fn leases_of_several_widths_repeat_nothing() {
    holds("widths", widths());
}

#[test]
fn leases_of_nodes_anywhere_repeat_nothing() {
    holds("anywhere", anywhere());
}

#[test]
fn a_lease_must_begin_after_the_high_water_mark() {
    repeats_without(Rule::StartAfterHighWater, clocks());
}

#[test]
fn a_generator_must_not_go_back_to_an_earlier_tick() {
    repeats_without(Rule::MonotoneTick, clocks());
}

#[test]
fn an_ids_own_tick_must_be_checked() {
    repeats_without(Rule::OwnTick, pauses());
}

#[test]
fn a_restart_must_take_a_new_rectangle() {
    repeats_without(Rule::NewRectangleAfterRestart, crashes());
}

#[test]
fn a_release_must_report_the_last_reserved_tick() {
    repeats_without(Rule::ReleaseTellsLastTick, clocks());
}

#[test]
fn a_renewal_must_compare_and_swap() {
    repeats_without(Rule::CompareAndSwap, pauses());
}

#[test]
fn a_fork_must_be_noticed() {
    repeats_without(Rule::ForkDetection, forks());
}

#[test]
fn a_child_must_leave_its_parents_lease_alone() {
    repeats_without(Rule::InertChildren, forks());
}

#[test]
fn every_cursor_must_be_closed_before_a_release() {
    repeats_without(Rule::CloseBeforeRelease, clocks());
}

#[test]
fn a_store_that_lost_leases_must_go_into_quarantine() {
    repeats_without(Rule::Quarantine, rewound());
}

#[test]
fn the_loss_must_be_reported_to_a_store_that_was_created_again() {
    repeats_without(Rule::Quarantine, created_again());
}

#[test]
fn a_quarantine_must_outlast_leases_that_a_new_namespace_does_not_allow() {
    repeats_without(Rule::QuarantineOutlastsLeases, created_again());
}

#[test]
fn an_answer_must_be_taken_only_by_the_request_that_waits_for_it() {
    let budget = Budget { requests: 2, twice: 0, ..network().budget };
    repeats_without(Rule::AnswerToWhatWasAsked, Setup { ticks: 2, budget, ..network() });
}

#[test]
fn a_store_restored_from_a_backup_must_not_have_a_clock_behind_its_records() {
    let budget = Budget { requests: 2, rewinds: 1, store_clock_steps: 1, ..Budget::default() };
    repeats("put back, its clock behind", Setup { budget, ..Setup::default() });
}
