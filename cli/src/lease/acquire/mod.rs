//! `saiban lease acquire`: runs a command while it holds a lease on nodes. It needs process groups
//! and signals, so it exists on Unix only. `lease` calls it.

mod bounds;
pub(super) mod command;
mod keeper;
mod signals;
mod watch;

use self::bounds::{Bounds, clock_us, max_clock_skew_us};
use self::keeper::{Keeper, News, Plan};
use self::signals::Signals;
use self::watch::lost;
use super::args::Acquire as Arguments;
use super::block_on::block_on;
use super::place::Place;
use super::subject::Subject;
use super::table::{nodes, rounded_up_ms};
use crate::failure::Failure;
use crate::time::{Left, utc_or_year};
use rustix::process::Signal;
use saiban::ErrorKind;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::holder::Policy;
use saiban_coordination::lease::protocol::{self, Grant};
use std::io::{self, Write as _};
use std::time::Duration;
use tokio::time::sleep;

/// The exit code if the lease is lost while the command runs. `timeout(1)` uses it too.
const LOST: u8 = 124;

/// How long to wait for the store when the nodes are released.
const RELEASE_LIMIT: Duration = Duration::from_secs(10);

/// The longest sleep between two reads of the clock, while the command waits for its lease to
/// begin.
const LONGEST_NAP: Duration = Duration::from_secs(1);

pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let subject = Subject::of(&arguments.what)?;
    let terms = subject.terms(&arguments.place.namespace, arguments.what.max_ttl)?;
    let ttl_us = arguments.ttl.saturating_mul(1_000_000);
    protocol::check_request(arguments.nodes, ttl_us)?;
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
        max_clock_skew_us: max_clock_skew_us(arguments.max_clock_skew.saturating_mul(1_000_000), ttl_us),
        holder: holder(&arguments.command[0].to_string_lossy()),
        again: false,
    };
    let create = arguments.create || place.url.kind() == "sqlite";
    let plan = Plan { store: place.store.clone(), terms, policy, create };
    block_on(hold(arguments, &subject, &place, plan))?
}

/// Returns the holder's name: host, process id and command. The arguments may be secret, and are
/// left out.
fn holder(program: &str) -> String {
    let program = program.rsplit('/').next().unwrap_or_default();
    let holder = format!("{} {program}", saiban_coordination::lease::this_process());
    holder.chars().filter(|character| !character.is_control()).take(120).collect()
}

async fn hold(arguments: &Arguments, subject: &Subject, place: &Place, plan: Plan) -> Result<u8, Failure> {
    if let Err((failure, code)) = command::check(&arguments.command) {
        failure.print();
        return Ok(code);
    }
    let mut signals = Signals::catch()?;
    let mut keeper = Keeper::start(plan);
    let granted = tokio::select! {
        granted = keeper.granted() => granted,
        signal = signals.end() => return leave(keeper, signal, &mut signals).await,
    };
    let Some(grant) = granted else {
        let ended = keeper.stop(false).await;
        return ended.map(|()| 1).map_err(|error| refused(place, error));
    };
    let ttl_us = arguments.ttl.saturating_mul(1_000_000);
    match until_it_begins(&grant, subject, ttl_us, &mut keeper, &mut signals).await {
        Ok(None) => {}
        Ok(Some(signal)) => return leave(keeper, signal, &mut signals).await,
        Err(failure) => {
            give_back(keeper, false, &mut signals).await;
            return Err(failure);
        }
    }
    let mut command = match command::start(&arguments.command, &environment(&grant, subject)) {
        Ok(command) => command,
        Err((failure, code)) => {
            failure.print();
            give_back(keeper, false, &mut signals).await;
            return Ok(code);
        }
    };
    let of = watch::Subject { layout: &subject.layout, ttl_us };
    let status = watch::until_end(&mut command, &of, &mut keeper, &mut signals).await?;
    if !keeper.news().is_over {
        give_back(keeper, true, &mut signals).await;
    }
    Ok(status.map_or(LOST, command::exit_code))
}

/// Waits until this machine's clock is in the first whole tick of the lease. The command takes its
/// times from this clock alone. Returns a signal that arrives before that.
///
/// # Errors
/// The lease ended first, or the clock cannot be read or is outside its time.
async fn until_it_begins(
    first: &Grant,
    subject: &Subject,
    ttl_us: i64,
    keeper: &mut Keeper,
    signals: &mut Signals,
) -> Result<Option<Signal>, Failure> {
    let bounds = Bounds::of(first, &subject.layout, ttl_us);
    let mut is_reported = false;
    loop {
        let clock_us = clock_us().ok_or(saiban::Error::ClockUnavailable)?;
        let wait_us = bounds.wait_us(clock_us);
        if wait_us == 0 {
            // The clock may be past the end of the lease: somebody may have set it during the wait.
            let News { grant, why, .. } = keeper.news();
            let grant = grant.as_ref().unwrap_or(first);
            let problem = Bounds::of(grant, &subject.layout, ttl_us).problem(clock_us, grant, why.as_ref());
            return problem.map_or(Ok(None), |problem| Err(problem.into()));
        }
        if wait_us > 1_000_000 && !is_reported {
            let (nodes, begin) = (nodes(&first.key.nodes), utc_or_year(rounded_up_ms(bounds.begin_us)));
            print_line(&format!(
                "nodes {nodes} cool down until {begin}: the command begins then, in {}",
                Left(wait_us)
            ));
            is_reported = true;
        }
        tokio::select! {
            () = sleep(Duration::from_micros(wait_us.unsigned_abs()).min(LONGEST_NAP)) => {}
            signal = signals.end() => return Ok(Some(signal)),
            () = keeper.over() => return Err(lost(keeper.news().why)),
        }
    }
}

/// Releases the nodes after a signal that arrived before the command ran, and returns the exit
/// code.
async fn leave(keeper: Keeper, signal: Signal, signals: &mut Signals) -> Result<u8, Failure> {
    give_back(keeper, false, signals).await;
    Ok(command::exit_code_of(signal))
}

/// Releases the nodes. It waits for the store until a signal arrives, 10 seconds at most. If the
/// store does not reply, the nodes become free when their lease ends.
async fn give_back(keeper: Keeper, is_used: bool, signals: &mut Signals) {
    let untold = "the store did not reply, so the nodes are not released: they are free when their lease ends";
    tokio::select! {
        released = keeper.stop(is_used) => if let Err(error) = released { Failure::from(error).print() },
        signal = signals.end() => print_line(&format!("{untold} (ended by signal {})", signal.as_raw())),
        () = sleep(RELEASE_LIMIT) => print_line(untold),
    }
}

/// Names the store in an error, and adds the option that the error is about.
fn refused(place: &Place, error: saiban_coordination::Error) -> Failure {
    let is_skew = error.kind() == ErrorKind::ClockSkew;
    let failure = place.says()(error);
    if is_skew { failure.hinting("--max-clock-skew, of which a third of --ttl is the most") } else { failure }
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

fn print_line(line: &str) {
    let _ = writeln!(io::stderr(), "saiban: {line}");
}
