//! Generators on several threads while their clock jumps, and every ID compared with every other.
//!
//! ```text
//! 4 threads:  one generator of all, one of their own (at times restarted)     blocks of IDs      the check: sorted runs
//!             one by one, without waiting, or many at once                 ─────────────────>    in a nameless file,
//!             refused? the clock goes on, stands still, steps back, jumps                        merged at the end
//! ```
//!
//! A restarted generator knows the time of its last ID, or has its state file: the one that it closed, or what the file said at
//! a crash. The clock may have been set back meanwhile.
//!
//! The clock never waits, so refusals are to be expected; they are counted by kind, and any other kind fails the soak.

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
pub type Ids<I = i64> = Box<dyn Generator<I> + Send + Sync>;

/// Makes a generator, given the time of the last ID used.
type Build<I> = Box<dyn Fn(Option<i64>) -> Result<Ids<I>, Error> + Send + Sync>;

/// A generator that one thread makes for itself, and again when it restarts.
pub struct Own<I = i64> {
    build: Build<I>,
    memory: Memory,
}

/// What is known of the time before a restart.
enum Memory {
    /// Nothing: it does not restart.
    Nothing,
    /// The time of the last ID, in units of so many milliseconds.
    LastId { unit_ms: i64 },
    /// What the state file says.
    File(PathBuf),
}

impl<I> Own<I> {
    /// Makes the generator, given the time of the last ID used, in units of so many milliseconds.
    pub fn new(unit_ms: i64, build: impl Fn(Option<i64>) -> Result<Ids<I>, Error> + Send + Sync + 'static) -> Self {
        Own { build: Box::new(build), memory: Memory::LastId { unit_ms } }
    }

    /// Makes the generator with this state file, which no other has.
    pub fn with_state(path: PathBuf, build: impl Fn(&Path) -> Result<Ids<I>, Error> + Send + Sync + 'static) -> Self {
        let memory = Memory::File(path.clone());
        Own { build: Box::new(move |_| build(&path)), memory }
    }

    /// For generators whose last ID does not tell which time was used last.
    pub fn never_restart(&mut self) {
        self.memory = Memory::Nothing;
    }
}

/// The generators that make the IDs of one column: no two of them may have a node in common.
pub struct Fleet<I = i64> {
    /// Used by all threads.
    pub shared: Vec<Ids<I>>,
    /// One a thread, where there are any.
    pub own: Vec<Own<I>>,
}

/// How much.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many threads.
    pub threads: usize,
    /// How many IDs, at most.
    pub ids: u64,
    /// When all shall be compared, if that comes first; one block is made at least.
    pub until: Option<Instant>,
    /// How long it takes to compare an ID when all are made, seconds: an estimate, so that `until` is met.
    pub compare_s: f64,
    /// Memory of the check, bytes.
    pub memory: usize,
    /// Folder of its temporary file, which has 8 bytes an ID, 16 where they are wide.
    pub folder: PathBuf,
    /// Which faults come when, as far as the threads allow.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome<I = i64> {
    /// What the check says.
    pub report: Report<I>,
    /// What happened to the clock.
    pub jumps: Jumps,
    /// What happened on the threads.
    pub tally: Tally,
    /// How long all were compared when they were made.
    pub comparing: Duration,
}

/// What happened on threads.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Refusals by kind.
    pub refusals: BTreeMap<ErrorKind, u64>,
    /// How often a generator was made anew.
    pub restarts: u64,
    /// How often of these from what its state file said while it was in use.
    pub crashes: u64,
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
        self.crashes += other.crashes;
    }
}

/// Why a soak could not go on.
#[derive(Debug)]
pub enum Failure {
    /// A generator gave an error that no jump of the clock explains.
    Ids(Error),
    /// The check's temporary file failed.
    Check(io::Error),
    /// A state file could not be copied, or there is no folder for it.
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

/// Refusals that a clock which jumps and never waits explains: the tick is used up, the clock is behind, or a restarted
/// generator has to begin later.
const EXPLAINED: [ErrorKind; 3] = [ErrorKind::WouldWait, ErrorKind::ClockBackward, ErrorKind::LeaseNotBegun];

/// IDs are handed to the check in blocks of this many.
const BLOCK: usize = 1 << 16;

/// A thread restarts its own generator in one turn of so many.
const TURNS: u32 = 100;

/// Makes IDs as planned and compares them all.
///
/// # Errors
/// Those of generators that jumps of the clock do not explain, and those of the check's file.
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
        // Where the check fails or the time is over, the threads find the channel closed.
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

/// Gives blocks to the check, as long as there are any and the time is not over.
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

/// What one thread does.
struct Maker<'a, I> {
    fleet: &'a Fleet<I>,
    clock: &'a JumpingClock,
    own: Option<(&'a Own<I>, Ids<I>)>,
    /// The last ID of our own generator.
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

    /// Some IDs of one generator, in one of the ways to ask for them.
    fn turn(&mut self, room: usize) -> Result<(), Failure> {
        self.clock.may_jump(&mut self.dice)?;
        let restarted = self.dice.u32(0..TURNS) == 0 && self.restart()?;
        let shared = &self.fleet.shared;
        // Restarted, it is used at once: before another thread moves the clock.
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

    /// Drops our own generator, if it may restart, and makes it anew, with nothing known but the time of its last ID or what its
    /// state file says. Answers whether it did.
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
            // Closed, the file says exactly what was used.
            Memory::File(_) => self.own = None,
        }
        self.own = Some((own, (own.build)(not_before)?));
        self.tally.restarts += 1;
        // The clock may have been set back meanwhile. That comes last: opening a file takes long, and other threads move the clock.
        match self.dice.u32(0..4) {
            0 => self.clock.step_back(&mut self.dice)?,
            1 => self.clock.set_back(last_ms)?,
            _ => {}
        }
        Ok(true)
    }
}

/// Leaves the state file as it is now, whatever closing does to it.
fn crash(path: &Path, close: impl FnOnce()) -> io::Result<()> {
    let now = path.with_extension("now");
    std::fs::copy(path, &now)?;
    close();
    std::fs::rename(now, path)
}
