//! Runs generators on several threads while their clock jumps, and compares every ID with every
//! other.
//!
//! ```text
//! 4 threads:  one generator of all, one of their own (at times restarted)     blocks of IDs      the check: sorted runs
//!             one by one, without waiting, or many at once                 ─────────────────>    in a nameless file,
//!             refused? the clock goes on, stands still, steps back, jumps                        merged at the end
//! ```
//!
//! A restarted generator gets the time of its last ID, or the state file of its predecessor: as a
//! clean end left it, or as it was at a crash. The clock may have been set back in between.
//!
//! The clock never waits, so generators refuse some requests. Three kinds of refusals are expected
//! and counted; any other error fails the soak.

#![forbid(unsafe_code)]

mod clock;
mod subjects;
mod wide;

pub use clock::{JumpingClock, Jumps};
pub use subjects::{AnyFleet, SUBJECTS, Subject};

use saiban::{Attempt, Error, ErrorKind, Generator};
use saiban_cli::duplicates::{Duplicates, Record, Report};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A generator that threads can share: of IDs of up to 64 bits, or of wider ones (`u128`).
pub type Ids<I = i64> = Box<dyn Generator<Id = I> + Send + Sync>;

/// Builds a generator. The argument is the time of the last ID that was used, if there is one.
type Build<I> = Box<dyn Fn(Option<i64>) -> Result<Ids<I>, Error> + Send + Sync>;

/// A generator that one thread builds for itself, and builds again when it restarts.
pub struct Own<I = i64> {
    build: Build<I>,
    memory: Memory,
}

/// What a restarted generator knows of the time before.
enum Memory {
    /// Nothing: the generator does not restart.
    Nothing,
    /// The time of the last ID, in units of `unit_ms` milliseconds.
    LastId { unit_ms: i64 },
    /// The content of the state file.
    File(PathBuf),
}

impl<I> Own<I> {
    /// Returns a generator that restarts after the time of its last ID. `build` gets this time in
    /// units of `unit_ms` milliseconds.
    pub fn new(unit_ms: i64, build: impl Fn(Option<i64>) -> Result<Ids<I>, Error> + Send + Sync + 'static) -> Self {
        Own { build: Box::new(build), memory: Memory::LastId { unit_ms } }
    }

    /// Returns a generator with a state file of its own.
    pub fn with_state(path: PathBuf, build: impl Fn(&Path) -> Result<Ids<I>, Error> + Send + Sync + 'static) -> Self {
        let memory = Memory::File(path.clone());
        Own { build: Box::new(move |_| build(&path)), memory }
    }

    /// Turns restarts off, for generators whose last ID need not have the latest time.
    pub fn never_restart(&mut self) {
        self.memory = Memory::Nothing;
    }
}

/// The generators that make the IDs of one column. No two of them may share a node.
pub struct Fleet<I = i64> {
    /// Generators that all threads use.
    pub shared: Vec<Ids<I>>,
    /// Generators that one thread uses. There are none, or one for each thread.
    pub own: Vec<Own<I>>,
}

/// The size, the limits and the seed of a soak.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of threads.
    pub threads: usize,
    /// The maximum number of IDs.
    pub ids: u64,
    /// When the comparison must be complete, if that comes first. At least one block of IDs is
    /// made.
    pub until: Option<Instant>,
    /// An estimate of how long the final comparison takes for each ID, in seconds. It helps to meet
    /// `until`.
    pub compare_s: f64,
    /// The memory of the check, in bytes.
    pub memory: usize,
    /// The folder of the check's temporary file, which has 8 bytes an ID, or 16 for wide IDs.
    pub folder: PathBuf,
    /// The seed of the faults. The scheduling of the threads also affects them.
    pub seed: u64,
}

/// The result of a soak.
#[derive(Clone, Debug)]
pub struct Outcome<I = i64> {
    /// The repeated IDs.
    pub report: Report<I>,
    /// The faults of the clock.
    pub jumps: Jumps,
    /// The refusals and restarts of all threads.
    pub tally: Tally,
    /// How long the comparison took after the last ID was made.
    pub comparing: Duration,
}

/// The refusals and restarts of one or more threads.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of refusals by kind.
    pub refusals: BTreeMap<ErrorKind, u64>,
    /// The number of restarts.
    pub restarts: u64,
    /// How many of the restarts were crashes: with the state file as it was during use.
    pub crashes: u64,
}

impl Tally {
    /// Returns the number of refusals of this kind.
    #[must_use]
    pub fn refused(&self, kind: ErrorKind) -> u64 {
        self.refusals.get(&kind).copied().unwrap_or(0)
    }

    fn add(&mut self, other: Tally) {
        other.refusals.into_iter().for_each(|(kind, count)| *self.refusals.entry(kind).or_default() += count);
        self.restarts += other.restarts;
        self.crashes += other.crashes;
    }
}

/// Why a soak could not continue.
#[derive(Debug)]
pub enum Failure {
    /// A generator returned an error that no jump of the clock explains.
    Ids(Error),
    /// The check's temporary file failed.
    Check(io::Error),
    /// A state file could not be copied, or its folder could not be created.
    State(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Ids(error) => write!(f, "a generator: {error}"),
            Failure::Check(error) => write!(f, "the check: {error}"),
            Failure::State(error) => write!(f, "a state file: {error}"),
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

/// The refusals that are expected under a clock that jumps and never waits. The tick is used up,
/// the clock is behind, or a restarted generator must begin later.
const EXPLAINED: [ErrorKind; 3] = [ErrorKind::WouldWait, ErrorKind::ClockBackward, ErrorKind::LeaseNotBegun];

/// The number of IDs in a block, in which the check gets them.
const BLOCK: usize = 1 << 16;

/// On average, one of this many turns restarts the thread's own generator.
const TURNS: u32 = 100;

/// Makes IDs as planned, and compares them all.
///
/// # Errors
/// The errors of generators that jumps of the clock do not explain, and the errors of the check's
/// file.
pub fn soak<I: Record>(fleet: &Fleet<I>, clock: &JumpingClock, plan: &Plan) -> Result<Outcome<I>, Failure> {
    let mut check = Duplicates::new(plan.memory, &plan.folder)?;
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let (blocks, made) = sync_channel::<Vec<I>>(2 * plan.threads);
        let threads: Vec<_> = (0..plan.threads)
            .map(|index| {
                let blocks = blocks.clone();
                scope.spawn(move || Maker::new(fleet, clock, plan, index)?.run(&blocks))
            })
            .collect();
        drop(blocks);
        // If the check fails or the time is over, the threads find the channel closed.
        let checked = receive(made, &mut check, plan);
        for thread in threads {
            match thread.join() {
                Ok(done) => tally.add(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        checked.map_err(Failure::from)
    })?;
    let made = Instant::now();
    let report = check.finish(5, |_| ())?;
    Ok(Outcome { report, jumps: clock.jumps(), tally, comparing: made.elapsed() })
}

/// Passes blocks to the check, until there are no more or the time is over.
fn receive<I: Record>(blocks: Receiver<Vec<I>>, check: &mut Duplicates<I>, plan: &Plan) -> io::Result<()> {
    let mut count = 0;
    for block in blocks {
        check.extend(&block)?;
        count += block.len();
        let comparing = Duration::from_secs_f64(plan.compare_s * count as f64);
        if plan.until.is_some_and(|until| Instant::now() + comparing >= until) {
            break;
        }
    }
    Ok(())
}

/// The state of one thread.
struct Maker<'a, I> {
    fleet: &'a Fleet<I>,
    clock: &'a JumpingClock,
    own: Option<(&'a Own<I>, Ids<I>)>,
    /// The last ID of the thread's own generator.
    last: Option<I>,
    dice: fastrand::Rng,
    left: u64,
    ids: Vec<I>,
    tally: Tally,
}

impl<'a, I: Record> Maker<'a, I> {
    fn new(fleet: &'a Fleet<I>, clock: &'a JumpingClock, plan: &'a Plan, index: usize) -> Result<Self, Error> {
        let threads = plan.threads as u64;
        let own = fleet.own.get(index).map(|own| Ok((own, (own.build)(None)?))).transpose()?;
        Ok(Maker {
            fleet,
            clock,
            own,
            last: None,
            dice: fastrand::Rng::with_seed(plan.seed.wrapping_add(index as u64)),
            left: plan.ids / threads + u64::from((index as u64) < plan.ids % threads),
            ids: Vec::with_capacity(BLOCK),
            tally: Tally::default(),
        })
    }

    fn run(mut self, blocks: &SyncSender<Vec<I>>) -> Result<Tally, Failure> {
        while self.left > 0 {
            let room = BLOCK.min(usize::try_from(self.left).unwrap_or(BLOCK));
            while self.ids.len() < room {
                self.turn(room)?;
            }
            self.left -= self.ids.len() as u64;
            let block = std::mem::replace(&mut self.ids, Vec::with_capacity(BLOCK));
            if blocks.send(block).is_err() {
                break;
            }
        }
        Ok(self.tally)
    }

    /// Requests some IDs from one generator, with one of its three methods.
    fn turn(&mut self, room: usize) -> Result<(), Failure> {
        self.clock.may_jump(&mut self.dice)?;
        let restarted = self.dice.u32(0..TURNS) == 0 && self.restart()?;
        let shared = &self.fleet.shared;
        // A restarted generator is used at once, before another thread moves the clock.
        let own = self.own.as_ref().filter(|_| restarted || self.dice.bool() || shared.is_empty());
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
                self.ids.resize(from + want, I::default());
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

    /// Drops the thread's own generator, if it may restart, and builds another. That one knows only
    /// the time of the last ID, or the content of the state file. Returns whether there was a
    /// restart.
    fn restart(&mut self) -> Result<bool, Failure> {
        let (Some((own, ids)), Some(last)) = (&self.own, self.last) else {
            return Ok(false);
        };
        let (own, last_ms) = (*own, ids.inspect(last)?.timestamp_ms);
        let last_ms = last_ms.expect("IDs with a time");
        let mut not_before = None;
        match &own.memory {
            Memory::Nothing => return Ok(false),
            Memory::LastId { unit_ms } => {
                not_before = Some(last_ms.div_euclid(*unit_ms));
                self.own = None;
            }
            Memory::File(path) if self.dice.bool() => {
                self.tally.crashes += 1;
                crash(path, || self.own = None).map_err(Failure::State)?;
            }
            // After a clean end the file contains exactly what was used.
            Memory::File(_) => self.own = None,
        }
        self.own = Some((own, (own.build)(not_before)?));
        self.tally.restarts += 1;
        // The clock may have been set back in between. This step comes last: opening a file takes
        // long, and other threads move the clock.
        match self.dice.u32(0..4) {
            0 => self.clock.step_back(&mut self.dice)?,
            1 => self.clock.set_back(last_ms)?,
            _ => {}
        }
        Ok(true)
    }
}

/// Keeps the state file as it is now, whatever closing the generator writes to it.
fn crash(path: &Path, close: impl FnOnce()) -> io::Result<()> {
    let now = path.with_extension("now");
    std::fs::copy(path, &now)?;
    close();
    std::fs::rename(now, path)
}
