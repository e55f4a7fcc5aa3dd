//! The possible events, and their effects on the world.

use crate::setup::{Rule, Setup};
use crate::store;
use crate::world::{Body, Id, LOW_BITS, Message, Process, TICK_US, World, tick_of};
use saiban::cursor::internal::{Limits, Pace, Step, step};
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew};

/// An event. Processes and messages are identified by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A tick of true time passes.
    Pass,
    /// A process's clock steps by this many ticks.
    StepClock(usize, i64),
    /// The store's clock steps by this many ticks.
    StepStoreClock(i64),
    /// A process requests nodes, with this random number.
    Acquire(usize, i64),
    /// A process requests a renewal.
    Renew(usize),
    /// A process releases its nodes.
    Release(usize),
    /// A process drops its nodes without a release, because its lease has ended.
    Close(usize),
    /// A process stops waiting for a response.
    GiveUp(usize),
    /// A request or a response arrives.
    Arrive(usize),
    /// A request arrives, and will arrive again.
    ArriveTwice(usize),
    /// A process makes an ID.
    Make(usize),
    /// A thread of a process reads the clock, and is paused.
    Read(usize),
    /// The paused thread resumes, and takes an ID.
    Take(usize),
    /// A process forks.
    Fork(usize),
    /// A process crashes, and starts again.
    Restart(usize),
    /// The store's data is copied.
    Copy,
    /// The store is restored to the copy.
    Rewind,
    /// The store is lost and created again, and this process is the first to request a renewal.
    MakeAnew(usize),
}

/// Lists all possible events.
pub fn possible(setup: &Setup, world: &World, actions: &mut Vec<Action>) {
    let left = &world.left;
    if world.now < setup.last_tick() {
        actions.push(Action::Pass);
    }
    for (index, message) in world.network.iter().enumerate() {
        actions.push(Action::Arrive(index));
        if left.twice > 0 && !matches!(message.body, Body::Answer(_)) {
            actions.push(Action::ArriveTwice(index));
        }
    }
    for (index, process) in world.processes.iter().enumerate() {
        of_process(setup, world, index, process, actions);
    }
    if left.store_clock_steps > 0 {
        let steps = [-1, 1].into_iter().filter(|by| (world.store.clock_off + by).abs() <= 1);
        actions.extend(steps.map(Action::StepStoreClock));
    }
    if left.rewinds > 0 {
        actions.push(if world.copy.is_none() { Action::Copy } else { Action::Rewind });
    }
}

fn of_process(setup: &Setup, world: &World, index: usize, process: &Process, actions: &mut Vec<Action>) {
    let left = &world.left;
    let is_own = !process.is_inherited;
    if process.grant.is_some() && (is_own || !setup.has(Rule::ForkDetection)) {
        if !setup.has_pauses {
            actions.push(Action::Make(index));
        } else if process.reading.is_none() {
            actions.push(Action::Read(index));
        } else {
            actions.push(Action::Take(index));
        }
    }
    // A holder has one request at a time, and does nothing else while it waits.
    if process.asked.is_some() {
        if left.given_up > 0 {
            actions.push(Action::GiveUp(index));
        }
    } else {
        let grant = process.grant.as_ref().filter(|_| !process.is_open_after_release);
        if let Some(grant) = grant.filter(|_| is_own) {
            if left.again > 0 {
                actions.push(Action::MakeAnew(index));
            }
            // Right after a grant, a renewal adds no time.
            if grant.now_us != world.store_us() {
                actions.push(Action::Renew(index));
            }
            if grant.end_us <= world.store_us() {
                actions.push(Action::Close(index));
            }
        }
        if grant.is_some() && (is_own || !setup.has(Rule::InertChildren)) {
            actions.push(Action::Release(index));
        }
        let is_free = process.grant.is_none() || process.is_inherited || process.is_open_after_release;
        if is_free && left.requests > 0 {
            actions.extend((0..setup.randoms.max(1)).map(|random| Action::Acquire(index, random)));
        }
    }
    if left.clock_steps > 0 {
        let steps = [-1, 1].into_iter().filter(|by| (process.clock_off + by).abs() <= setup.clock_error);
        actions.extend(steps.map(|by| Action::StepClock(index, by)));
    }
    if left.forks > 0 && process.grant.is_some() {
        actions.push(Action::Fork(index));
    }
    if left.crashes > 0 {
        actions.push(Action::Restart(index));
    }
}

/// Returns the world after this event, or `None` if the event changes nothing.
pub fn after(setup: &Setup, before: &World, action: Action) -> Option<World> {
    let mut world = before.clone();
    match action {
        Action::Pass => world.now += 1,
        Action::StepClock(index, by) => {
            world.left.clock_steps -= 1;
            world.processes[index].clock_off += by;
        }
        Action::StepStoreClock(by) => {
            world.left.store_clock_steps -= 1;
            world.store.clock_off += by;
        }
        Action::Acquire(index, random) => {
            world.left.requests -= 1;
            let token = world.fresh();
            let request = acquire(setup, &world, index, token);
            ask(setup, &mut world, index, token, Body::Acquire(request, random));
        }
        Action::Renew(index) => renew(setup, &mut world, index)?,
        Action::Release(index) => release(setup, &mut world, index),
        Action::Close(index) => {
            world.processes[index].close();
        }
        Action::GiveUp(index) => {
            world.left.given_up -= 1;
            world.processes[index].asked = None;
        }
        Action::Arrive(message) => {
            let message = world.network.remove(message);
            arrive(setup, &mut world, message);
        }
        Action::ArriveTwice(message) => {
            world.left.twice -= 1;
            let message = world.network[message].clone();
            arrive(setup, &mut world, message);
        }
        Action::Make(index) => {
            let now = world.clock(index);
            take(setup, &mut world, index, now);
        }
        Action::Read(index) => {
            let now = world.clock(index);
            let grant = world.processes[index].grant.as_ref()?;
            // Without the rule the rectangle is checked here, by the clock.
            if !setup.has(Rule::OwnTick) && !(grant.start_us..grant.end_us).contains(&(now * TICK_US)) {
                return None;
            }
            world.processes[index].reading = Some(now);
        }
        Action::Take(index) => {
            let reading = world.processes[index].reading.take()?;
            let now = if setup.has(Rule::OwnTick) { reading } else { world.clock(index) };
            take(setup, &mut world, index, now);
        }
        Action::Fork(index) => fork(setup, &mut world, index),
        Action::Restart(index) => {
            world.left.crashes -= 1;
            let process = &world.processes[index];
            let mut started = Process::new(process.nodes, process.clock_off);
            if !setup.has(Rule::NewRectangleAfterRestart) {
                // Without the rule the process stored its lease, and finds it again.
                (started.grant, started.seen) = (process.grant.clone(), process.seen.clone());
            }
            world.processes[index] = started;
        }
        Action::Copy => world.copy = Some(world.store.memory.clone()),
        Action::Rewind => {
            world.left.rewinds -= 1;
            store::rewind(&mut world, setup);
        }
        Action::MakeAnew(index) => {
            world.left.again -= 1;
            store::create_again(&mut world, setup);
            if setup.has(Rule::Quarantine) {
                renew(setup, &mut world, index)?;
            }
        }
    }
    tidy(setup, &mut world);
    (world != *before).then_some(world)
}

fn acquire(setup: &Setup, world: &World, index: usize, token: i64) -> Acquire {
    let process = &world.processes[index];
    Acquire {
        nodes: process.nodes,
        ttl_us: world.store.memory.ttl * TICK_US,
        holder: String::new(),
        token,
        clock_us: world.clock(index) * TICK_US,
        max_clock_skew_us: (setup.clock_error + 1) * TICK_US,
        seen: process.seen.clone(),
    }
}

fn renew(setup: &Setup, world: &mut World, index: usize) -> Option<()> {
    let seen = world.processes[index].seen.clone()?;
    // Leases of a store that is lost were longer.
    let memory = &world.store.memory;
    let ttl = if seen.incarnation == memory.incarnation { memory.ttl } else { setup.ttl };
    let number = world.fresh();
    ask(setup, world, index, number, Body::Renew(Renew { seen, ttl_us: ttl * TICK_US }));
    Some(())
}

/// Sends a request, or serves it at once if the model has no network.
fn ask(setup: &Setup, world: &mut World, process: usize, number: i64, body: Body) {
    world.processes[process].asked = Some(number);
    let message = Message { process, ask: number, body };
    if setup.is_remote {
        world.network.push(message);
        return;
    }
    let answer = store::serve(world, setup, &message.body);
    answered(setup, world, process, number, answer);
}

fn release(setup: &Setup, world: &mut World, index: usize) {
    let process = &mut world.processes[index];
    let Some(key) = process.grant.as_ref().map(|grant| grant.key.clone()) else { return };
    let high_water_us = if setup.has(Rule::ReleaseTellsLastTick) { process.reserved_us() } else { 0 };
    if process.is_inherited {
        // The child's copy of the background thread releases the lease as its own.
        process.is_open_after_release = true;
    } else if setup.has(Rule::CloseBeforeRelease) {
        process.close();
    } else {
        process.is_open_after_release = true;
    }
    let number = world.fresh();
    ask(setup, world, index, number, Body::Release(Release { key, high_water_us }));
}

fn arrive(setup: &Setup, world: &mut World, message: Message) {
    let Message { process, ask, body } = message;
    match body {
        Body::Answer(answer) => answered(setup, world, process, ask, answer),
        Body::Acquire(..) | Body::Renew(_) | Body::Release(_) => {
            let answer = store::serve(world, setup, &body);
            world.network.push(Message { process, ask, body: Body::Answer(answer) });
        }
    }
}

/// Delivers the store's response to a process.
fn answered(setup: &Setup, world: &mut World, index: usize, ask: i64, answer: Option<Grant>) {
    let process = &mut world.processes[index];
    let Some(asked) = process.asked else { return };
    if asked != ask && setup.has(Rule::AnswerToWhatWasAsked) {
        return;
    }
    process.asked = None;
    let is_renewal = process.grant.is_some() && !process.is_inherited && !process.is_open_after_release;
    match answer {
        Some(grant) if !is_renewal => process.begin(grant),
        Some(grant) => {
            // Like a holder, the process keeps its lease's end as granted, and never shortens it.
            let held = process.grant.as_mut().expect("a renewal is of something");
            held.now_us = grant.now_us;
            held.end_us = held.end_us.max(grant.end_us);
            process.seen.as_mut().expect("a grant was seen").end_us = grant.end_us;
        }
        None if is_renewal => {
            process.close();
        }
        None => {}
    }
}

fn fork(setup: &Setup, world: &mut World, index: usize) {
    world.left.forks -= 1;
    let parent = &world.processes[index];
    // A child has only the thread that forked, so no paused thread.
    let mut child = Process { is_inherited: true, reading: None, ..parent.clone() };
    if setup.has(Rule::InertChildren) {
        child.asked = None;
    }
    world.processes.push(child);
}

/// Takes the next ID as the core's cursor does.
fn take(setup: &Setup, world: &mut World, index: usize, now: i64) {
    let process = &mut world.processes[index];
    let Some(grant) = &process.grant else { return };
    let sequences = setup.sequences;
    let width = grant.key.nodes.end - grant.key.nodes.start;
    let tick = |time_us: i64| u64::try_from(time_us / TICK_US).expect("after the epoch");
    let window = if setup.has(Rule::OwnTick) { tick(grant.start_us)..tick(grant.end_us) } else { 0..u64::MAX };
    let limits = Limits {
        bits: LOW_BITS,
        slots: u64::try_from(width * sequences).expect("some"),
        first_tick: window.start,
        end_tick: window.end,
        borrow: 0,
        forward_only: false,
    };
    let is_back = process.cursor > 0 && tick_of(process.cursor - 1) > now;
    let state = if is_back && !setup.has(Rule::MonotoneTick) { 0 } else { process.cursor };
    let clock = u64::try_from(now).expect("after the epoch");
    let Step::Take { position, next, .. } = step(state, clock, &limits, Pace::sequence(1)) else { return };
    process.cursor = next;
    let low = i64::try_from(position % (1 << LOW_BITS)).expect("a few bits");
    let node = grant.key.nodes.start + low / sequences;
    world.make(setup, Id { node, tick: tick_of(position), sequence: low % sequences });
}

/// Normalises worlds whose differences can never matter.
fn tidy(setup: &Setup, world: &mut World) {
    let past = past(setup, world);
    // A tick that no clock will show again makes no ID: a position is never before the clock's
    // tick.
    world.made &= u64::MAX << setup.bit_of(Id { node: 0, tick: past, sequence: 0 });
    let store_us = world.store_us();
    let World { network, processes, .. } = world;
    for process in &mut *processes {
        if let Some(grant) = process.grant.as_mut().filter(|grant| grant.now_us != store_us) {
            grant.now_us = 0;
        }
        if process.cursor > 0 && tick_of(process.cursor) < past {
            process.cursor = u64::try_from(past).expect("after the epoch") << LOW_BITS;
        }
        // Only a store that was restored or created again can be behind the last known lease.
        if process.grant.is_none() && setup.budget.rewinds == 0 && setup.budget.again == 0 {
            process.seen = None;
        }
    }
    if setup.has(Rule::AnswerToWhatWasAsked) {
        // A response that no process waits for is dropped.
        network.retain(|message| {
            !matches!(message.body, Body::Answer(_)) || processes[message.process].asked == Some(message.ask)
        });
    }
    network.sort_by_key(|message| (message.process, message.ask, matches!(message.body, Body::Answer(_))));
    world.renumber();
}

/// Returns the first tick that any clock, including the store's, can show from now on.
fn past(setup: &Setup, world: &World) -> i64 {
    let store_off = if world.left.store_clock_steps > 0 { -1 } else { world.store.clock_off };
    let lowest = |process: &Process| if world.left.clock_steps > 0 { -setup.clock_error } else { process.clock_off };
    let clocks =
        world.processes.iter().flat_map(|process| process.reading.into_iter().chain([world.now + lowest(process)]));
    clocks.chain([world.now + store_off]).min().unwrap_or(0)
}
