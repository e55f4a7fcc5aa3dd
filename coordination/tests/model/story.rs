//! A path of the model, as readable text.

use crate::setup::Setup;
use crate::steps::Action;
use crate::world::{Body, FIRST_TICK, Id, Message, TICK_US, World};
use saiban_coordination::lease::protocol::Grant;
use std::fmt::Write;

/// Returns the events, one per line.
pub fn describe(setup: &Setup, path: Vec<(World, Option<Action>)>) -> String {
    let mut text = String::new();
    let worlds: Vec<&World> = path.iter().map(|(world, _)| world).collect();
    let actions = path.iter().filter_map(|(_, action)| *action);
    for ((before, after), action) in worlds.iter().zip(&worlds[1..]).zip(actions) {
        let _ = writeln!(text, "  {:<32} {}{}", clocks(before), words(before, action), news(setup, before, after));
    }
    text
}

fn clocks(world: &World) -> String {
    let mut text = format!("store {}", world.store_us() / TICK_US);
    for index in 0..world.processes.len() {
        let _ = write!(text, ", {} {}", name(index), world.clock(index));
    }
    text
}

fn name(process: usize) -> char {
    ['A', 'B', 'C', 'D'][process]
}

fn words(before: &World, action: Action) -> String {
    match action {
        Action::Pass => "a tick goes by".into(),
        Action::StepClock(process, by) => format!("the clock of {} is set by {by:+}", name(process)),
        Action::StepStoreClock(by) => format!("the store's clock is set by {by:+}"),
        Action::Acquire(process, _) => format!("{} asks for nodes", name(process)),
        Action::Renew(process) => format!("{} renews", name(process)),
        Action::Release(process) => format!("{} gives its nodes back", name(process)),
        Action::Close(process) => format!("{} lets go of its nodes", name(process)),
        Action::GiveUp(process) => format!("{} waits no longer", name(process)),
        Action::Arrive(message) => format!("{} arrives", what(&before.network[message])),
        Action::ArriveTwice(message) => {
            format!("{} arrives, for the first time of two", what(&before.network[message]))
        }
        Action::Make(process) => format!("{} makes an ID", name(process)),
        Action::Read(process) => format!("{} reads the clock, and pauses", name(process)),
        Action::Take(process) => format!("{} takes an ID", name(process)),
        Action::Fork(process) => format!("{} forks {}", name(process), name(before.processes.len())),
        Action::Restart(process) => format!("{} crashes and starts again", name(process)),
        Action::Copy => "the store is copied".into(),
        Action::Rewind => "the store is restored to the copy".into(),
        Action::MakeAnew(process) => format!("the store is lost and made again, and {} asks first", name(process)),
    }
}

fn what(message: &Message) -> String {
    let process = name(message.process);
    match &message.body {
        Body::Acquire(..) => format!("{process}'s request for nodes"),
        Body::Renew(_) => format!("{process}'s renewal"),
        Body::Release(_) => format!("{process}'s release"),
        Body::Answer(Some(_)) => format!("a grant for {process}"),
        Body::Answer(None) => format!("a refusal for {process}"),
    }
}

/// Returns the grants and IDs that an event has changed.
fn news(setup: &Setup, before: &World, after: &World) -> String {
    let mut text = String::new();
    for (index, process) in after.processes.iter().enumerate() {
        let old = before.processes.get(index).and_then(|process| process.grant.as_ref());
        let new = process.grant.as_ref().map(rectangle);
        if let Some(rectangle) = new.filter(|new| old.map(rectangle).as_ref() != Some(new)) {
            let _ = write!(text, "; {} has {rectangle}", name(index));
        }
    }
    for id in ids(setup).filter(|id| (after.made & !before.made) >> setup.bit_of(*id) & 1 == 1) {
        let _ = write!(text, ": {}", shown(id));
    }
    if let (None, Some(id)) = (before.repeated, after.repeated) {
        let _ = write!(text, ": {} AGAIN", shown(id));
    }
    text
}

fn rectangle(grant: &Grant) -> String {
    let (start, end) = (grant.start_us / TICK_US, grant.end_us / TICK_US);
    format!("nodes {:?} in ticks {start}..{end}", grant.key.nodes)
}

fn shown(Id { node, tick, sequence }: Id) -> String {
    format!("(node {node}, tick {tick}, sequence {sequence})")
}

fn ids(setup: &Setup) -> impl Iterator<Item = Id> {
    let (nodes, sequences) = (setup.nodes, setup.sequences);
    let ticks = 0..=FIRST_TICK + setup.ticks + setup.clock_error;
    ticks.flat_map(move |tick| {
        (0..nodes).flat_map(move |node| (0..sequences).map(move |sequence| Id { node, tick, sequence }))
    })
}
