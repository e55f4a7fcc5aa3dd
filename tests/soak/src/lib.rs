//! Generators on several threads while their clock jumps, and every ID compared with every other.
//!
//! ```text
//! 4 threads:  one generator of all, one of their own (at times restarted)     blocks of IDs      the check: sorted runs
//!             one by one, without waiting, or many at once                 ─────────────────>    in a nameless file,
//!             refused? the clock goes on, stands still, steps back, jumps                        merged at the end
//! ```
//!
//! The clock never waits, so refusals are to be expected; they are counted by kind, and any other kind fails the soak.

#![forbid(unsafe_code)]

mod clock;
mod subjects;

pub use clock::{JumpingClock, Jumps};
pub use subjects::{SUBJECTS, Subject};

use saiban::{Attempt, Error, ErrorKind, Generator};
use saiban_cli::duplicates::{Duplicates, Report};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A generator that threads can share.
pub type Ids = Box<dyn Generator + Send + Sync>;

/// A generator that one thread makes for itself, and again when it restarts.
pub struct Own {
    build: Box<dyn Fn(Option<i64>) -> Result<Ids, Error> + Send + Sync>,
    /// The unit of `not_before`.
    unit_ms: i64,
    restarts: bool,
}

impl Own {
    /// Makes the generator, given the time of the last ID used, in units of so many milliseconds.
    pub fn new(unit_ms: i64, build: impl Fn(Option<i64>) -> Result<Ids, Error> + Send + Sync + 'static) -> Self {
        Own { build: Box::new(build), unit_ms, restarts: true }
    }

    /// For generators whose last ID does not tell which time was used last.
    pub fn never_restart(&mut self) {
        self.restarts = false;
    }
}

/// The generators that make the IDs of one column: no two of them may have a node in common.
pub struct Fleet {
    /// Used by all threads.
    pub shared: Vec<Ids>,
    /// One a thread, where there are any.
    pub own: Vec<Own>,
}

/// How much.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many threads.
    pub threads: usize,
    /// How many IDs, at most.
    pub ids: u64,
    /// When to make no more, if that comes first; each thread makes one block at least.
    pub until: Option<Instant>,
    /// Memory of the check, bytes.
    pub memory: usize,
    /// Folder of its temporary file, which has 8 bytes an ID.
    pub folder: PathBuf,
    /// Which faults come when, as far as the threads allow.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the check says.
    pub report: Report,
    /// What happened to the clock.
    pub jumps: Jumps,
    /// What happened on the threads.
    pub tally: Tally,
    /// How long IDs were made; the rest of the time they were compared.
    pub making: Duration,
}

/// What happened on threads.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Refusals by kind.
    pub refusals: BTreeMap<ErrorKind, u64>,
    /// How often a generator was made anew.
    pub restarts: u64,
}

impl Tally {
    /// How often this was the answer.
    #[must_use]
    pub fn refused(&self, kind: ErrorKind) -> u64 {
        self.refusals.get(&kind).copied().unwrap_or(0)
    }

    fn add(&mut self, other: Tally) {
        other.refusals.into_iter().for_each(|(kind, count)| *self.refusals.entry(kind).or_default() += count);
        self.restarts += other.restarts;
    }
}

/// Why a soak could not go on.
#[derive(Debug)]
pub enum Failure {
    /// A generator gave an error that no jump of the clock explains.
    Ids(Error),
    /// The check's temporary file failed.
    Check(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Ids(error) => write!(f, "a generator: {error}"),
            Failure::Check(error) => write!(f, "the check: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Ids(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Check(error)
    }
}

/// Refusals that a clock which jumps and never waits explains: the tick is used up, the clock is behind, or a restarted
/// generator has to begin later.
const EXPLAINED: [ErrorKind; 3] = [ErrorKind::WouldWait, ErrorKind::ClockBackward, ErrorKind::LeaseNotBegun];

/// IDs are handed to the check in blocks of this many.
const BLOCK: usize = 1 << 16;

/// Makes IDs as planned and compares them all.
///
/// # Errors
/// Those of generators that jumps of the clock do not explain, and those of the check's file.
pub fn soak(fleet: &Fleet, clock: &JumpingClock, plan: &Plan) -> Result<Outcome, Failure> {
    let mut check = Duplicates::new(plan.memory, &plan.folder)?;
    let mut tally = Tally::default();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let (blocks, made) = sync_channel::<Vec<i64>>(2 * plan.threads);
        let threads: Vec<_> = (0..plan.threads)
            .map(|index| {
                let blocks = blocks.clone();
                scope.spawn(move || Maker::new(fleet, clock, plan, index)?.run(&blocks))
            })
            .collect();
        drop(blocks);
        // Where the check fails, the threads find the channel closed.
        let checked = made.into_iter().try_for_each(|block| check.extend(&block));
        for thread in threads {
            match thread.join() {
                Ok(done) => tally.add(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        checked.map_err(Failure::from)
    })?;
    let making = begun.elapsed();
    Ok(Outcome { report: check.finish(5, |_| ())?, jumps: clock.jumps(), tally, making })
}

/// What one thread does.
struct Maker<'a> {
    fleet: &'a Fleet,
    clock: &'a JumpingClock,
    plan: &'a Plan,
    own: Option<(&'a Own, Ids)>,
    /// The last ID of our own generator.
    last: Option<i64>,
    dice: fastrand::Rng,
    left: u64,
    ids: Vec<i64>,
    tally: Tally,
}

impl<'a> Maker<'a> {
    fn new(fleet: &'a Fleet, clock: &'a JumpingClock, plan: &'a Plan, index: usize) -> Result<Self, Error> {
        let threads = plan.threads as u64;
        let own = fleet.own.get(index).map(|own| Ok((own, (own.build)(None)?))).transpose()?;
        Ok(Maker {
            fleet,
            clock,
            plan,
            own,
            last: None,
            dice: fastrand::Rng::with_seed(plan.seed.wrapping_add(index as u64)),
            left: plan.ids / threads + u64::from((index as u64) < plan.ids % threads),
            ids: Vec::with_capacity(BLOCK),
            tally: Tally::default(),
        })
    }

    fn run(mut self, blocks: &SyncSender<Vec<i64>>) -> Result<Tally, Failure> {
        while self.left > 0 {
            let room = BLOCK.min(usize::try_from(self.left).unwrap_or(BLOCK));
            while self.ids.len() < room {
                self.turn(room)?;
            }
            self.left -= self.ids.len() as u64;
            let block = std::mem::replace(&mut self.ids, Vec::with_capacity(BLOCK));
            if blocks.send(block).is_err() || self.plan.until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(self.tally)
    }

    /// Some IDs of one generator, in one of the ways to ask for them.
    fn turn(&mut self, room: usize) -> Result<(), Failure> {
        self.clock.may_jump(&mut self.dice)?;
        if self.dice.u32(0..500) == 0 {
            self.restart()?;
        }
        let shared = &self.fleet.shared;
        let own = self.own.as_ref().filter(|_| self.dice.bool() || shared.is_empty());
        let generator = own.map_or_else(|| &shared[self.dice.usize(0..shared.len())], |(_, ids)| ids);
        let from = self.ids.len();
        let want = self.dice.usize(1..=512).min(room - from);
        let made = match self.dice.u32(0..3) {
            0 => (0..want).try_for_each(|_| generator.generate().map(|id| self.ids.push(id))),
            1 => (0..want).try_for_each(|_| match generator.try_generate()? {
                Attempt::Ready(id) => {
                    self.ids.push(id);
                    Ok(())
                }
                Attempt::Wait(_) => Err(Error::WouldWait { wait_ns: 0, max_wait_ns: 0 }),
            }),
            _ => {
                self.ids.resize(from + want, 0);
                let filled = generator.fill(&mut self.ids[from..]);
                self.ids.truncate(from + filled.unwrap_or(0));
                filled.map(|_| ())
            }
        };
        if own.is_some() {
            self.last = self.ids[from..].last().copied().or(self.last);
        }
        match made {
            Ok(()) => Ok(()),
            Err(error) if EXPLAINED.contains(&error.kind()) => {
                *self.tally.refusals.entry(error.kind()).or_default() += 1;
                Ok(self.clock.jump(&mut self.dice)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Drops our own generator and makes it anew, with nothing known but the time of its last ID.
    fn restart(&mut self) -> Result<(), Error> {
        if let (Some((own, ids)), Some(last)) = (&mut self.own, self.last)
            && own.restarts
        {
            let last_ms = ids.inspect(last)?.timestamp_ms;
            *ids = (own.build)(Some(last_ms.div_euclid(own.unit_ms)))?;
            self.tally.restarts += 1;
        }
        Ok(())
    }
}
