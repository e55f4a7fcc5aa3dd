//! A counter in a store, as its owner has it.

use super::desk::{Desk, InHand, Wishes, numbers_of};
use super::protocol::Seen;
use super::size::{MOST_AT_ONCE, Size};
use super::terms::CounterTerms;
use crate::Error;
use crate::store::{Source, Store, StoreUrl};
use arc_swap::{ArcSwap, Guard};
use saiban::{ErrorKind, Stride};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The longest that anybody waits for a store, seconds: a year.
const LONGEST_WAIT_S: u64 = 31_536_000;

/// What one may choose of a counter. Everything has a default.
///
/// ```
/// use saiban_coordination::CounterOptions;
/// let options = CounterOptions { start: 2, step: 5, ..CounterOptions::default() };
/// assert_eq!(options.name, "default");
/// ```
#[derive(Clone, Debug)]
pub struct CounterOptions {
    /// Its name: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
    pub name: String,
    /// The first number, 0 or more; by default 1. Of several stores whose numbers go into one column each has another remainder by `step`.
    pub start: i64,
    /// What lies between two numbers, 1 or more; by default 1. Of several stores: how many there are, or more.
    pub step: i64,
    /// How many numbers are taken with one round trip: 1 to 1,000,000; by default as many as last for two seconds, one at first.
    pub block_size: Option<i64>,
    /// How many they are at most: 1 to 1,000,000, which is the default, and no fewer than `block_size`. Twice as many are lost when a process ends.
    pub max_block_size: i64,
    /// Whether the counter is made where it is not. An empty store is no proof that no numbers are used, so by default only SQLite's, where trying
    /// it out must be one line, and one in memory are.
    pub create: Option<bool>,
    /// How long to wait for a store when no number is in hand, seconds, at least 1; by default 10.
    pub wait_s: i64,
    /// Whether no number may ever be left out. No counter for programs can promise that, so `true` is refused, with the reason; by default `false`.
    pub gapless: bool,
}

impl Default for CounterOptions {
    fn default() -> Self {
        CounterOptions {
            name: "default".into(),
            start: 1,
            step: 1,
            block_size: None,
            max_block_size: MOST_AT_ONCE as i64,
            create: None,
            wait_s: 10,
            gapless: false,
        }
    }
}

/// How a counter is doing in this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterStatus {
    /// How many numbers are in hand: they would be lost if the process ended now.
    pub in_hand: u64,
    /// How many are taken at a time at the moment.
    pub block_size: u64,
    /// How often the store was asked.
    pub calls: u64,
    /// What went wrong when it was asked last, if anything did.
    pub why: Option<Error>,
}

impl From<InHand> for CounterStatus {
    fn from(InHand { left, size, calls, why }: InHand) -> Self {
        CounterStatus { in_hand: left, block_size: size, calls, why }
    }
}

/// What a counter is opened with, in each process anew.
pub(super) struct Opening {
    pub(super) source: Source,
    pub(super) terms: CounterTerms,
    pub(super) create: bool,
    pub(super) size: Size,
    pub(super) wait: Duration,
}

impl Opening {
    /// What all kinds of counters check of their options.
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
        // A kind of store that keeps no counters says so at once.
        numbers_of(&*source.open()?)?;
        Ok(Opening {
            source,
            terms,
            create: options.create.unwrap_or(is_sure),
            size: Size::new(options.block_size, options.max_block_size)?,
            wait: Duration::from_secs(wait),
        })
    }

    /// Whether a copy of the process can open it too.
    fn is_for_all(&self) -> bool {
        matches!(self.source, Source::Url(_))
    }

    /// A desk of this process; `before` is the one that it takes the place of, `seen` what is known of its numbers.
    pub(super) fn desk(&self, day: Option<i32>, before: Option<&Desk>, seen: Option<Seen>) -> Result<Arc<Desk>, Error> {
        if before.is_some_and(Desk::is_copy) && !self.is_for_all() {
            return Err(saiban::Error::Forked.into());
        }
        let wishes = Wishes { store: self.source.open()?, terms: self.terms.clone(), create: self.create, day };
        let size = before.filter(|before| !before.is_copy()).map(|before| before.in_hand().size);
        Ok(Desk::new(wishes, self.size, size, seen))
    }
}

const NO_GAPLESS: &str = "no counter can promise numbers without gaps (gapless): a number is handed out before it is used, and a transaction that is \
                          rolled back, or a process that ends, leaves it unused. Where a law asks for none, number rows afterwards, by one process, in the \
                          transaction that makes them final";

/// Numbers from a store that many processes share: each once, whoever asks. A process takes a block of them with one round trip, and fetches
/// the next before it needs it; one process's numbers grow, and those of several are mixed.
///
/// A process that ends, however it does, leaves what it had in hand unused, at most two blocks: there are gaps. A copy of the process made by
/// fork takes numbers of its own, if the counter was opened by URL.
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
    desk: ArcSwap<Desk>,
}

impl SharedCounter {
    /// A counter in the store that this URL names: `sqlite:`, `postgres:`, `mysql:`, `redis:` or `memory:`. The store is asked when the first number is.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL, a name or numbers that cannot be, and for `gapless`; `StoreUnsupported` for a kind of store that keeps no counters.
    pub fn open(url: &str, options: &CounterOptions) -> Result<Self, Error> {
        Self::of(Source::of(StoreUrl::new(url)?)?, options)
    }

    /// The same in a store that is open already. A copy made by fork cannot use that: `Forked`.
    ///
    /// # Errors
    /// As [`SharedCounter::open`].
    pub fn with_store(store: Arc<dyn Store>, options: &CounterOptions) -> Result<Self, Error> {
        Self::of(Source::Open(store), options)
    }

    fn of(source: Source, options: &CounterOptions) -> Result<Self, Error> {
        let terms = CounterTerms::new(&options.name, Stride::new(options.start, options.step)?)?;
        let opening = Opening::new(source, terms, options)?;
        let desk = ArcSwap::new(opening.desk(None, None, None)?);
        Ok(SharedCounter { opening, desk })
    }

    /// The next number.
    ///
    /// # Errors
    /// Where none is in hand what the store says: `StoreUnavailable` when it could not be reached in `wait_s`; at once `CounterUnknown`,
    /// `CounterMismatch`, `CounterBehind`, `CounterExhausted`, `StoreCorrupt`, `StoreUnsupported`.
    #[inline]
    pub fn generate(&self) -> Result<i64, Error> {
        self.desk()?.take(self.opening.wait)
    }

    /// The next number if it is in hand: it waits for nobody, and has more fetched where there is none.
    ///
    /// # Errors
    /// `Forked` in a copy of the process, of a counter that was not opened by URL.
    pub fn try_generate(&self) -> Result<Option<i64>, Error> {
        Ok(self.desk()?.take_or_order())
    }

    /// The next numbers, as many as there is room for. Answers how many there were, which is fewer only where an error came in between.
    ///
    /// # Errors
    /// As [`SharedCounter::generate`], where there was none.
    pub fn fill(&self, numbers: &mut [i64]) -> Result<usize, Error> {
        self.desk()?.fill(numbers, self.opening.wait)
    }

    /// How it is doing in this process.
    ///
    /// # Errors
    /// As [`SharedCounter::try_generate`].
    pub fn status(&self) -> Result<CounterStatus, Error> {
        Ok(self.desk()?.in_hand().into())
    }

    /// Start and step.
    #[must_use]
    pub fn stride(&self) -> Stride {
        self.opening.terms.stride()
    }

    /// The desk of this process; a new one where this is a copy.
    #[inline]
    fn desk(&self) -> Result<Guard<Arc<Desk>>, Error> {
        let desk = self.desk.load();
        if desk.is_copy() { self.follow(desk) } else { Ok(desk) }
    }

    #[cold]
    fn follow(&self, parents: Guard<Arc<Desk>>) -> Result<Guard<Arc<Desk>>, Error> {
        let ours = self.opening.desk(None, Some(&parents), None);
        // Dropped it would change counts that only the parent's threads see; kept it is memory.
        let parents = std::mem::ManuallyDrop::new(Guard::into_inner(parents));
        let before = self.desk.compare_and_swap(&*parents, ours?);
        if before.is_copy() {
            std::mem::forget(Guard::into_inner(before));
        }
        Ok(self.desk.load())
    }
}

impl Drop for SharedCounter {
    fn drop(&mut self) {
        let desk = self.desk.load();
        if desk.is_copy() {
            // Its connections are the parent's.
            std::mem::forget(Guard::into_inner(desk));
        }
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
