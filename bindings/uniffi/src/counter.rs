//! Counters for Kotlin and Swift: numbers from this process's memory, or from a store that
//! processes share.

use crate::convert::Ids;
use crate::error::{SaibanError, guard};
use saiban::{Error, Stride};
use saiban_coordination::{CounterOptions, DailyOptions};

/// The most numbers that one call makes.
const MAX: i64 = 10_000_000;

/// Returns a buffer for this many numbers.
fn room(count: i64) -> Result<Vec<i64>, Error> {
    match usize::try_from(count) {
        Ok(wanted) if count <= MAX => Ok(vec![0; wanted]),
        _ => Err(Error::InvalidArgument { what: "count is out of range: ask for 0 to 10000000 a call" }),
    }
}

fn cut(mut numbers: Vec<i64>, filled: usize) -> Ids {
    numbers.truncate(filled);
    Ids(numbers)
}

/// Counts in this process's memory: 1, 2, 3 …, or from `start` on, by `step`. It begins again in
/// every process: use a `SharedCounter` for numbers that persist. Any number of threads may use it,
/// but not a forked process.
///
/// ```kotlin
/// val counter = Counter(start = 2, step = 5)
/// counter.generate()                           // 2, then 7, 12 …
/// ```
/// ```swift
/// let counter = try Counter(start: 2, step: 5)
/// try counter.generate()                       // 2, then 7, 12 …
/// ```
#[derive(uniffi::Object)]
pub struct Counter(saiban::Counter);

#[uniffi::export]
impl Counter {
    /// A counter from `start` on, 0 or more, by default 1, by `step`, 1 or more, by default 1.
    /// Counters with equal steps share no number if their starts differ modulo the step.
    ///
    /// Errors: `InvalidArgument`.
    #[uniffi::constructor(default(start = None, step = None))]
    pub fn new(start: Option<i64>, step: Option<i64>) -> Result<Self, SaibanError> {
        guard(|| {
            let defaults = Stride::ONE;
            let stride = Stride::new(start.unwrap_or(defaults.start()), step.unwrap_or(defaults.step()))?;
            Ok(Counter(saiban::Counter::new(stride)))
        })
    }

    /// The next number.
    ///
    /// Errors: `CounterExhausted` past 2^63 − 1; `Forked` in a forked process.
    pub fn generate(&self) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.generate()?))
    }

    /// Returns this many numbers, 0 to 10 million; fewer only if the counter runs out of numbers.
    ///
    /// Errors: as `generate`, and `InvalidArgument` for another count.
    pub fn generate_many(&self, count: i64) -> Result<Ids, SaibanError> {
        guard(|| {
            let mut numbers = room(count)?;
            let filled = self.0.fill(&mut numbers)?;
            Ok(cut(numbers, filled))
        })
    }
}

/// Sequential numbers from a store that processes share: no number is issued twice.
///
/// A process takes a block of numbers with one round trip, and fetches the next before it needs it.
/// The numbers of one process ascend; those of several processes are interleaved. A process that
/// ends loses its prefetched numbers, at most two blocks, so there are gaps.
///
/// ```kotlin
/// val invoices = SharedCounter("sqlite:///var/lib/shop/numbers.db", name = "invoices")
/// invoices.generate()                          // 1, then 2, 3 …
/// ```
/// ```swift
/// let invoices = try SharedCounter(url: "sqlite:///var/lib/shop/numbers.db", name: "invoices")
/// try invoices.generate()                      // 1, then 2, 3 …
/// ```
#[derive(uniffi::Object)]
pub struct SharedCounter(saiban_coordination::SharedCounter);

#[uniffi::export]
impl SharedCounter {
    /// A counter in the store that this URL names: `sqlite:///path`, `postgres://…`, `mysql://…`,
    /// `redis://…`, or `memory:NAME`, for this process only. The store is contacted at the first
    /// number.
    ///
    /// - `name`: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
    /// - `start`, `step`: see `Counter`. The store keeps both, and refuses different ones. Stores
    ///   whose numbers go into one column need the same step, at least the number of stores, and
    ///   different starts from 1 to step.
    /// - `block_size`: how many numbers are taken at a time, 1 to 1,000,000; by default as many as
    ///   last for two seconds, one at first, and `max_block_size`, by default 1,000,000, at most.
    /// - `create`: whether to create the counter if it does not exist. An empty store may mean that
    ///   data was lost, so by default only counters in SQLite and in memory are created.
    /// - `wait_s`: the longest wait for the store if no number is prefetched, seconds, at least 1;
    ///   by default 10.
    /// - `gapless`: must be false; true is refused with the reason.
    ///
    /// Errors: `InvalidArgument`; `StoreUnsupported` for a kind of store that keeps no counters. No
    /// message contains a password.
    #[uniffi::constructor(default(
        name = None, start = None, step = None, block_size = None, max_block_size = None, create = None, wait_s = None, gapless = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        url: String,
        name: Option<String>,
        start: Option<i64>,
        step: Option<i64>,
        block_size: Option<i64>,
        max_block_size: Option<i64>,
        create: Option<bool>,
        wait_s: Option<i64>,
        gapless: Option<bool>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let defaults = CounterOptions::default();
            let options = CounterOptions {
                name: name.unwrap_or(defaults.name),
                start: start.unwrap_or(defaults.start),
                step: step.unwrap_or(defaults.step),
                block_size,
                max_block_size: max_block_size.unwrap_or(defaults.max_block_size),
                create,
                wait_s: wait_s.unwrap_or(defaults.wait_s),
                gapless: gapless.unwrap_or(defaults.gapless),
            };
            Ok(SharedCounter(saiban_coordination::SharedCounter::open(&url, &options)?))
        })
    }

    /// Returns the next number. If none is prefetched it waits for the store.
    ///
    /// Errors: if no number is prefetched, `StoreUnavailable` when the store does not reply within
    /// `wait_s`, and at once `CounterUnknown`, `CounterMismatch` for other terms, `CounterBehind`
    /// if the store lost numbers, `CounterExhausted`, `StoreCorrupt`, `StoreUnsupported`.
    pub fn generate(&self) -> Result<i64, SaibanError> {
        guard(|| Ok(self.0.generate()?))
    }

    /// Returns the next number if it is prefetched; otherwise it starts to fetch more.
    ///
    /// Errors: `Forked` in a forked process, of a counter in memory.
    pub fn try_generate(&self) -> Result<Option<i64>, SaibanError> {
        guard(|| Ok(self.0.try_generate()?))
    }

    /// Returns this many numbers, 0 to 10 million; fewer only if an error occurs after the first.
    ///
    /// Errors: those of `generate` if there was no number; `InvalidArgument` for another count.
    pub fn generate_many(&self, count: i64) -> Result<Ids, SaibanError> {
        guard(|| {
            let mut numbers = room(count)?;
            let filled = self.0.fill(&mut numbers)?;
            Ok(cut(numbers, filled))
        })
    }

    /// Returns the counter's status in this process. The store is not contacted.
    ///
    /// Errors: as `try_generate`.
    pub fn status(&self) -> Result<CounterStatus, SaibanError> {
        guard(|| Ok(self.0.status()?.into()))
    }
}

/// The status of a counter in this process.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct CounterStatus {
    /// The number of prefetched numbers. They are lost when the process ends.
    pub prefetched: i64,
    /// The current block size.
    pub block_size: i64,
    /// The number of requests to the store.
    pub calls: i64,
    /// The error of the last request; absent if it succeeded.
    pub why: Option<String>,
}

impl From<saiban_coordination::counter::CounterStatus> for CounterStatus {
    fn from(status: saiban_coordination::counter::CounterStatus) -> Self {
        // None of these numbers exceeds 63 bits in practice.
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        CounterStatus {
            prefetched: signed(status.prefetched),
            block_size: signed(status.block_size),
            calls: signed(status.calls),
            why: status.why.map(|why| why.to_string()),
        }
    }
}

/// A number of a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash, uniffi::Record)]
pub struct DailyNumber {
    /// The day, since 1970-01-01.
    pub day: i32,
    /// The number.
    pub number: i64,
    /// Both, in the counter's format.
    pub text: String,
}

impl From<saiban_coordination::counter::DailyNumber> for DailyNumber {
    fn from(number: saiban_coordination::counter::DailyNumber) -> Self {
        let saiban_coordination::counter::DailyNumber { day, number, text } = number;
        DailyNumber { day, number, text }
    }
}

/// Numbers that begin again on each day of a time zone, such as `20261121-000001`: no number is
/// issued twice.
///
/// The clock decides the day, even if it steps back: the numbers of an earlier day then continue.
/// Prefetched numbers of a day that has ended are not used. For the rest see `SharedCounter`.
///
/// ```kotlin
/// val invoices = DailyCounter("sqlite:///var/lib/shop/numbers.db", zone = "Europe/Berlin")
/// invoices.generate().text                     // 20261121-000001
/// ```
/// ```swift
/// let invoices = try DailyCounter(url: "sqlite:///var/lib/shop/numbers.db", zone: "Europe/Berlin")
/// try invoices.generate().text                 // 20261121-000001
/// ```
#[derive(uniffi::Object)]
pub struct DailyCounter(saiban_coordination::DailyCounter);

#[uniffi::export]
impl DailyCounter {
    /// Daily numbers of the store that this URL names.
    ///
    /// - `name`, `block_size`, `max_block_size`, `create`, `wait_s`, `gapless`: as of a
    ///   `SharedCounter`.
    /// - `zone`: the time zone of the days, by its name in the IANA database; by default `UTC`.
    /// - `format`: `{date:…}` as strftime writes it, of `%Y %y %m %d %j %F %b %B %a %A %u %G %g
    ///   %V`, and `{n}`, or `{n:06}` with zeros up to six digits; other text is literal, and a
    ///   double brace is a literal brace. By default `{date:%Y%m%d}-{n:06}`.
    /// - `first`: each day's first number; by default 1.
    ///
    /// Errors: as `SharedCounter`, and `InvalidArgument` for an invalid zone or format.
    #[uniffi::constructor(default(
        name = None, zone = None, format = None, first = None, block_size = None, max_block_size = None, create = None, wait_s = None,
        gapless = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn new(
        url: String,
        name: Option<String>,
        zone: Option<String>,
        format: Option<String>,
        first: Option<i64>,
        block_size: Option<i64>,
        max_block_size: Option<i64>,
        create: Option<bool>,
        wait_s: Option<i64>,
        gapless: Option<bool>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let defaults = DailyOptions::default();
            let options = DailyOptions {
                name: name.unwrap_or(defaults.name),
                zone: zone.unwrap_or(defaults.zone),
                format: format.unwrap_or(defaults.format),
                first: first.unwrap_or(defaults.first),
                block_size,
                max_block_size: max_block_size.unwrap_or(defaults.max_block_size),
                create,
                wait_s: wait_s.unwrap_or(defaults.wait_s),
                gapless: gapless.unwrap_or(defaults.gapless),
            };
            Ok(DailyCounter(saiban_coordination::DailyCounter::open(&url, &options)?))
        })
    }

    /// Returns the next number of today. If none is prefetched it waits for the store.
    ///
    /// Errors: as of a `SharedCounter`; `ClockUnavailable`.
    pub fn generate(&self) -> Result<DailyNumber, SaibanError> {
        guard(|| Ok(self.0.generate()?.into()))
    }

    /// Returns the next number of today if it is prefetched; otherwise it starts to fetch more.
    ///
    /// Errors: as of a `SharedCounter`; `ClockUnavailable`.
    pub fn try_generate(&self) -> Result<Option<DailyNumber>, SaibanError> {
        guard(|| Ok(self.0.try_generate()?.map(DailyNumber::from)))
    }

    /// Returns the counter's status in this process. The store is not contacted.
    ///
    /// Errors: as of a `SharedCounter`.
    pub fn status(&self) -> Result<CounterStatus, SaibanError> {
        guard(|| Ok(self.0.status()?.into()))
    }
}
