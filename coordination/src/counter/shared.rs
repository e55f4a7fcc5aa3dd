//! Counters in a shared store, with their options and their status.

use super::protocol::LastSeen;
use super::supply::{Supply, numbers_of};
use super::terms::CounterTerms;
use crate::Error;
use crate::pool::{MAX_BLOCK_SIZE, Pool, PoolStatus, ProcessPool, Size};
use crate::store::{Source, Store, StoreUrl};
use arc_swap::Guard;
use saiban::{ErrorKind, Stride};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The longest wait for a store, seconds: a year.
const LONGEST_WAIT_S: u64 = 31_536_000;

/// Options of a counter. Every option has a default.
///
/// ```
/// use saiban_coordination::CounterOptions;
/// let options = CounterOptions { start: 2, step: 5, ..CounterOptions::default() };
/// assert_eq!(options.name, "default");
/// ```
#[derive(Clone, Debug)]
pub struct CounterOptions {
    /// The counter's name: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default
    /// `default`.
    pub name: String,
    /// The first number, 0 or more; by default 1. If numbers of several stores go into one column,
    /// each store needs another remainder of `start` by `step`.
    pub start: i64,
    /// The difference between two numbers, 1 or more; by default 1. If numbers of several stores go
    /// into one column, it must be at least the number of stores.
    pub step: i64,
    /// How many numbers are fetched with one round trip, 1 to 1,000,000. By default as many as last
    /// for two seconds, and one at first.
    pub block_size: Option<i64>,
    /// The maximum size of a block, 1 to 1,000,000, and at least `block_size`; by default
    /// 1,000,000. At most two blocks are lost when a process ends.
    pub max_block_size: i64,
    /// Whether to create a missing counter. An empty store may mean that data was lost, so the
    /// default is `false`. It is `true` only for `sqlite:` URLs, so that a first try needs one
    /// line, for `memory:` URLs, and for stores that are already open.
    pub create: Option<bool>,
    /// How long to wait for a store when no number is prefetched, seconds, at least 1; by default
    /// 10.
    pub wait_s: i64,
    /// Whether no number may ever be left out; by default `false`. No counter for programs can
    /// promise that, so `true` is refused, with the reason.
    pub gapless: bool,
}

impl Default for CounterOptions {
    fn default() -> Self {
        CounterOptions {
            name: "default".into(),
            start: 1,
            step: 1,
            block_size: None,
            max_block_size: MAX_BLOCK_SIZE as i64,
            create: None,
            wait_s: 10,
            gapless: false,
        }
    }
}

/// The status of a counter in this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterStatus {
    /// How many numbers are prefetched: they would be lost if the process ended now.
    pub prefetched: u64,
    /// How many numbers the next fetch requests.
    pub block_size: u64,
    /// How many requests were sent to the store.
    pub calls: u64,
    /// The error of the last request, if it failed.
    pub why: Option<Error>,
}

impl From<PoolStatus> for CounterStatus {
    fn from(PoolStatus { left, size, calls, why, .. }: PoolStatus) -> Self {
        CounterStatus { prefetched: left, block_size: size, calls, why }
    }
}

/// The parameters of a counter, with which each process opens the counter.
pub(super) struct Opening {
    pub(super) source: Source,
    pub(super) terms: CounterTerms,
    pub(super) create: bool,
    pub(super) size: Size,
    pub(super) wait: Duration,
}

impl Opening {
    /// Checks the options that all kinds of counters have.
    pub(super) fn new(source: Source, terms: CounterTerms, options: &CounterOptions) -> Result<Self, Error> {
        if options.gapless {
            return Err(Error::new(ErrorKind::InvalidArgument, NO_GAPLESS));
        }
        let is_sure =
            matches!(&source, Source::Url(url) if url.kind() == "sqlite") || matches!(&source, Source::Open(_));
        let wait = u64::try_from(options.wait_s).ok().filter(|wait_s| (1..=LONGEST_WAIT_S).contains(wait_s));
        let wait = wait.ok_or_else(|| {
            let text = format!("wait_s is {}: give 1 to {LONGEST_WAIT_S} seconds", options.wait_s);
            Error::new(ErrorKind::InvalidArgument, text)
        })?;
        // A store without counters is refused now, not at the first number.
        numbers_of(&*source.open()?)?;
        Ok(Opening {
            source,
            terms,
            create: options.create.unwrap_or(is_sure),
            size: Size::new(options.block_size, options.max_block_size)?,
            wait: Duration::from_secs(wait),
        })
    }

    /// Returns whether a forked child can open the store too.
    fn is_for_all(&self) -> bool {
        matches!(self.source, Source::Url(_))
    }

    /// Creates a pool for this process. `before` is the pool that it replaces, and `known` the last
    /// known state of its numbers.
    pub(super) fn pool(
        &self,
        day: Option<i32>,
        before: Option<&Pool<Supply>>,
        known: Option<LastSeen>,
    ) -> Result<Arc<Pool<Supply>>, Error> {
        if before.is_some_and(Pool::is_copy) && !self.is_for_all() {
            return Err(saiban::Error::Forked.into());
        }
        let size = before.filter(|before| !before.is_copy()).map(|before| before.status().size);
        let supply = Supply {
            store: self.source.open()?,
            terms: self.terms.clone(),
            create: self.create,
            day,
            wait: self.wait,
            known: Mutex::new(known),
        };
        Ok(Pool::new(supply, self.size, size))
    }
}

const NO_GAPLESS: &str = "no counter can promise numbers without gaps (gapless): a number is handed out before it is used, and a transaction that is \
                          rolled back, or a process that ends, leaves it unused. Where a law asks for none, number rows afterwards, by one process, in the \
                          transaction that makes them final";

/// A counter in a store that many processes share. No number is handed out twice.
///
/// A process fetches a block of numbers with one round trip, and the next block before it needs
/// one. The numbers of one process grow; those of several processes interleave.
///
/// A process that ends, for any reason, leaves its prefetched numbers unused, at most two blocks:
/// there are gaps. A forked child fetches numbers of its own, if the counter was opened by a URL
/// other than `memory:`.
///
/// ```
/// use saiban_coordination::{CounterOptions, SharedCounter};
/// let b = CounterOptions { name: "invoices".into(), start: 2, step: 5, ..CounterOptions::default() };
/// let counter = SharedCounter::open("memory:shop", &b)?;
/// assert_eq!((counter.generate()?, counter.generate()?), (2, 7));
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub struct SharedCounter {
    opening: Opening,
    pool: ProcessPool<Supply>,
}

impl SharedCounter {
    /// Opens a counter in the store at this URL: `sqlite:`, `postgres:`, `mysql:`, `redis:` or
    /// `memory:`.
    ///
    /// The first number sends the first request to the store.
    ///
    /// # Errors
    /// `InvalidArgument` for an invalid URL, name or number, and for `gapless`; `StoreUnsupported`
    /// for a kind of store without counters.
    pub fn open(url: &str, options: &CounterOptions) -> Result<Self, Error> {
        Self::of(Source::of(StoreUrl::new(url)?)?, options)
    }

    /// Opens a counter in a store that is already open.
    ///
    /// A forked child cannot use that store: its calls return `Forked`.
    ///
    /// # Errors
    /// Those of [`SharedCounter::open`].
    pub fn with_store(store: Arc<dyn Store>, options: &CounterOptions) -> Result<Self, Error> {
        Self::of(Source::Open(store), options)
    }

    fn of(source: Source, options: &CounterOptions) -> Result<Self, Error> {
        let terms = CounterTerms::new(&options.name, Stride::new(options.start, options.step)?)?;
        let opening = Opening::new(source, terms, options)?;
        let pool = ProcessPool::new(opening.pool(None, None, None)?);
        Ok(SharedCounter { opening, pool })
    }

    /// Returns the next number. Waits for the store if no number is prefetched.
    ///
    /// # Errors
    /// Only if no number is prefetched: `StoreUnavailable` if the store could not be reached within
    /// `wait_s`; at once `CounterUnknown`, `CounterMismatch`, `CounterBehind`, `CounterExhausted`,
    /// `StoreCorrupt` and `StoreUnsupported`.
    #[inline]
    pub fn generate(&self) -> Result<i64, Error> {
        self.pool()?.take(self.opening.wait)
    }

    /// Returns the next number if it is prefetched. Otherwise starts a fetch and returns `None`.
    /// Never waits.
    ///
    /// # Errors
    /// Those of [`SharedCounter::generate`], once, if a fetch failed; `Forked` in a forked child,
    /// if the counter was not opened by URL.
    pub fn try_generate(&self) -> Result<Option<i64>, Error> {
        self.pool()?.take_or_order()
    }

    /// Fills `numbers` with the next numbers. Returns how many there were: fewer than requested
    /// only if an error came in between.
    ///
    /// # Errors
    /// Those of [`SharedCounter::generate`], if there was no number.
    pub fn fill(&self, numbers: &mut [i64]) -> Result<usize, Error> {
        self.pool()?.fill(numbers, self.opening.wait)
    }

    /// Returns the status of the counter in this process.
    ///
    /// # Errors
    /// In a forked child those of [`SharedCounter::try_generate`].
    pub fn status(&self) -> Result<CounterStatus, Error> {
        Ok(self.pool()?.status().into())
    }

    /// Returns start and step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.opening.terms.stride()
    }

    #[inline]
    fn pool(&self) -> Result<Guard<Arc<Pool<Supply>>>, Error> {
        self.pool.get(|parents| self.opening.pool(None, Some(parents), None))
    }
}

impl fmt::Debug for SharedCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = &self.opening.terms;
        f.debug_struct("SharedCounter")
            .field("name", &terms.name())
            .field("counts", &terms.fingerprint())
            .finish_non_exhaustive()
    }
}
