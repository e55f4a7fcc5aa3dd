//! `saiban lease acquire`: runs a command while it has nodes.

use super::args::Acquire as Arguments;
use super::command;
use super::keeper::{Keeper, Plan};
use super::place::Place;
use super::signals::{self, Signals};
use super::subject::Subject;
use super::table::{Left, nodes, rounded_up_ms};
use crate::failure::Failure;
use crate::time::utc_or_year;
use rustix::process::Signal;
use saiban::{Clock, Layout, SystemClock};
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::holder::Policy;
use saiban_coordination::lease::protocol::{self, Grant};
use std::io::{self, Write as _};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// The exit code when the lease was lost while the command ran: as `timeout` has it.
const LOST: u8 = 124;

/// How long a command has to end after it was told that its lease is lost.
const GRACE: Duration = Duration::from_secs(10);

/// How far this machine's clock may be from the store's, µs.
const MAX_CLOCK_SKEW_US: i64 = 10_000_000;

pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let subject = Subject::of(&arguments.what)?;
    let terms = subject.terms(&arguments.place.namespace, arguments.what.max_ttl)?;
    let ttl_us = arguments.ttl.saturating_mul(1_000_000);
    protocol::check_wish(arguments.nodes, ttl_us)?;
    Terms::check_ticks(&subject.layout, ttl_us)?;
    if arguments.nodes > terms.nodes() {
        return Err(Failure::Arguments(format!(
            "--nodes {} are more than the layout has: give 1 to {}",
            arguments.nodes,
            terms.nodes()
        )));
    }
    let place = Place::to_write(&arguments.place)?;
    let policy = Policy {
        nodes: arguments.nodes,
        ttl_us,
        max_clock_skew_us: MAX_CLOCK_SKEW_US,
        holder: holder(&arguments.command[0].to_string_lossy()),
        again: false,
    };
    let create = arguments.create || place.url.kind() == "sqlite";
    let plan = Plan { store: place.store.clone(), terms, policy, create };
    super::block_on(hold(arguments, &subject, &place, plan))?
}

/// Host, process and command, without its arguments, which may be secret.
fn holder(program: &str) -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let program = program.rsplit('/').next().unwrap_or_default();
    let holder = format!("{host}/{} {program}", std::process::id());
    holder.chars().filter(|character| !character.is_control()).take(120).collect()
}

async fn hold(arguments: &Arguments, subject: &Subject, place: &Place, plan: Plan) -> Result<u8, Failure> {
    if let Err((failure, code)) = command::look(&arguments.command) {
        failure.tell();
        return Ok(code);
    }
    let mut signals = Signals::catch()?;
    let mut keeper = Keeper::start(plan);
    let granted = tokio::select! {
        granted = keeper.granted() => granted,
        signal = signals.end() => return leave(keeper, signal).await,
    };
    let Some(grant) = granted else {
        let ended = keeper.stop(false).await;
        return ended.map(|()| 1).map_err(place.says());
    };
    let begin_us = begin_us(&grant, &subject.layout);
    let wait_us = begin_us.saturating_sub(clock_us()?).max(0);
    if wait_us > 1_000_000 {
        let (nodes, begin) = (nodes(&grant.key.nodes), utc_or_year(rounded_up_ms(begin_us)));
        tell(&format!("nodes {nodes} rest until {begin}: the command begins then, in {}", Left(wait_us)));
    }
    tokio::select! {
        () = sleep(Duration::from_micros(wait_us.unsigned_abs())) => {}
        signal = signals.end() => return leave(keeper, signal).await,
        why = keeper.over() => return Err(lost(why)),
    }
    let mut command = match command::start(&arguments.command, &environment(&grant, subject)) {
        Ok(command) => command,
        Err((failure, code)) => {
            failure.tell();
            warn(keeper.stop(false).await);
            return Ok(code);
        }
    };
    let mut kill_at = None;
    let status = loop {
        tokio::select! {
            status = command.wait() => break status.map_err(Failure::io("waiting for the command"))?,
            signal = signals.next() => signals::pass_on(signal, &command),
            why = keeper.over(), if kill_at.is_none() => {
                lost(why).tell();
                command::send(Signal::TERM, &command);
                kill_at = Some(Instant::now() + GRACE);
            }
            () = sleep_until(kill_at.unwrap_or_else(Instant::now)), if kill_at.is_some() => {
                command::send(Signal::KILL, &command);
                kill_at = Some(Instant::now() + GRACE);
            }
        }
    };
    if kill_at.is_some() {
        return Ok(LOST);
    }
    warn(keeper.stop(true).await);
    Ok(command::exit_code(status))
}

/// A signal came before the command ran.
async fn leave(keeper: Keeper, signal: Signal) -> Result<u8, Failure> {
    warn(keeper.stop(false).await);
    Ok(command::exit_code_of(signal))
}

/// When the lease's first whole tick begins, Unix µs. A command looks at this machine's clock and at nothing else; what another had
/// before, to the last tick, must be over by it.
fn begin_us(grant: &Grant, layout: &Layout) -> i64 {
    let epoch_us = i128::from(layout.epoch_ms()) * 1_000;
    let since_ns = (i128::from(grant.start_us) - epoch_us) * 1_000;
    let tick_ns = i128::from(layout.tick_ns());
    let begin_ns = (since_ns + tick_ns - 1).div_euclid(tick_ns) * tick_ns;
    i64::try_from(epoch_us + (begin_ns + 999).div_euclid(1_000)).unwrap_or(i64::MAX)
}

fn clock_us() -> Result<i64, Failure> {
    Ok(i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(i64::MAX))
}

fn environment(grant: &Grant, subject: &Subject) -> [(&'static str, String); 4] {
    let range = &grant.key.nodes;
    [
        ("SAIBAN_NODE", range.start.to_string()),
        ("SAIBAN_NODES", nodes(range)),
        ("SAIBAN_SCHEME", subject.scheme.name().to_owned()),
        ("SAIBAN_LAYOUT", subject.layout.to_string()),
    ]
}

fn lost(why: Option<saiban_coordination::Error>) -> Failure {
    let why = why.unwrap_or_else(|| {
        let message = "the lease is over: the store gave no more time before it ended";
        saiban_coordination::Error::new(saiban::ErrorKind::LeaseLost, message)
    });
    Failure::from(why)
}

/// What went wrong when the nodes were given back: they are free later, and nothing else comes of it.
fn warn(released: Result<(), saiban_coordination::Error>) {
    if let Err(error) = released {
        Failure::from(error).tell();
    }
}

fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "saiban: {line}");
}
