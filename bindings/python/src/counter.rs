//! Counters: sequential numbers, from this process's memory or from a store that processes share.

use crate::arguments::{self, Maybe, flag, maybe_exact, maybe_int, text};
use crate::error::{Result, guard};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDate, PyList};
use saiban::{Error, Stride};
use saiban_coordination::counter::{CounterStatus as Status, DailyNumber as Number};
use saiban_coordination::{CounterOptions, DailyOptions};

/// The most numbers that one call makes.
const MAX: usize = 10_000_000;
const COUNT: &str = "count is negative: ask for 0 to 10000000 a call";
const TOO_MANY: &str = "count is more than 10000000: ask for 0 to 10000000 a call";

/// Converts a count, and checks it against the maximum.
fn wanted(count: &Bound<'_, PyAny>) -> Result<usize> {
    let wanted = usize::try_from(arguments::count("count", count, COUNT)?).unwrap_or(usize::MAX);
    if wanted > MAX { Err(Error::InvalidArgument { what: TOO_MANY }.into()) } else { Ok(wanted) }
}

/// Converts a counter's start, whose argument has this name, and its step.
fn stride(name: &str, start: Maybe<'_, '_>, step: Maybe<'_, '_>) -> Result<Stride> {
    let start = maybe_exact(name, start, "start", |start| Error::CounterStart { start })?;
    let step = maybe_exact("step", step, "step", |step| Error::CounterStep { step })?;
    Ok(Stride::new(start.unwrap_or(Stride::ONE.start()), step.unwrap_or(Stride::ONE.step()))?)
}

/// Returns an awaitable of the next number: a prefetched one, or one that is waited for. Awaiting
/// it raises the errors of `generate`.
fn awaited<'py, N>(counter: &Bound<'py, PyAny>, prefetched: Option<N>, wait_s: i64) -> PyResult<Bound<'py, PyAny>>
where
    N: IntoPyObject<'py>,
{
    match prefetched {
        // The asyncio object that returns a value when it is awaited.
        Some(number) => counter.py().import("asyncio")?.call_method1("sleep", (0, number)),
        None => counter.py().import("saiban._waiting")?.call_method1("generated", (counter, wait_s)),
    }
}

const NO_COPY: &str = "a counter cannot be pickled or copied, because numbers would repeat: open it where it is needed";

/// Counts in this process's memory: 1, 2, 3 ..., or from start on, by step. It begins again in
/// every process: use a SharedCounter for numbers that persist.
///
/// Any number of threads may use it; each number comes once. A forked process raises
/// ForkedError. A counter is also an iterator: each step returns the next number, as generate does.
///
/// start: 0 to 2**63 - 1. step: 1 to 2**63 - 1. Counters with equal steps share no number if their
/// starts differ modulo the step.
///
/// Raises InvalidArgumentError.
///
/// >>> import saiban
/// >>> counter = saiban.Counter(start=2, step=5)
/// >>> counter.generate(), counter.generate_many(2)
/// (2, [7, 12])
/// >>> list(zip("ab", counter))
/// [('a', 17), ('b', 22)]
#[pyclass(frozen, module = "saiban")]
pub struct Counter(saiban::Counter);

#[pymethods]
impl Counter {
    #[new]
    #[pyo3(signature = (*, start=None, step=None), text_signature = "(*, start=1, step=1)")]
    fn new(start: Maybe<'_, '_>, step: Maybe<'_, '_>) -> Result<Self> {
        guard(|| Ok(Counter(saiban::Counter::new(stride("start", start, step)?))))
    }

    /// The next number.
    ///
    /// Raises CounterExhaustedError past 2**63 - 1; ForkedError in a forked process.
    fn generate(&self) -> Result<i64> {
        guard(|| Ok(self.0.generate()?))
    }

    /// Returns this many numbers, 0 to 10 million; fewer only if the counter runs out of numbers.
    ///
    /// Raises what generate raises, and InvalidArgumentError for a count that is negative or too
    /// large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let mut numbers = vec![0; wanted(count)?];
            let filled = self.0.fill(&mut numbers)?;
            Ok(PyList::new(py, &numbers[..filled])?)
        })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Result<Option<i64>> {
        self.generate().map(Some)
    }

    fn __repr__(&self) -> String {
        let stride = self.0.stride();
        format!("saiban.Counter(start={}, step={})", stride.start(), stride.step())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// Sequential numbers from a store that processes share: no number is issued twice.
///
/// A process takes a block of numbers with one round trip, and fetches the next before it needs it.
/// The numbers of one process ascend; those of several processes are interleaved. A process that
/// ends loses its prefetched numbers, at most two blocks, so there are gaps. A forked process
/// takes its own numbers; a counter of memory: raises ForkedError in it. A counter is also an
/// iterator: each step returns the next number, as generate does.
///
/// url: the store: sqlite:///path, postgres://, mysql:// or redis://, with user and password in the
/// usual form of each server, or memory:NAME, for this process only. The store is contacted at the
/// first number.
/// name: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and .
/// start, step: the first number, 0 to 2**63 - 1, and the difference between two numbers, 1 to
/// 2**63 - 1; the store keeps both, and refuses different ones. Stores whose numbers go into one
/// column need the same step, at least the number of stores, and different starts from 1 to step.
/// block_size: how many numbers are taken at a time, 1 to 1000000; None: as many as last for two
/// seconds, one at first, and max_block_size at most.
/// create: whether to create the counter if it does not exist. An empty store may mean that data
/// was lost, so on a server you create it once, with this argument or the command `saiban counter
/// init`; None is True for sqlite: and memory:.
/// wait_s: the longest wait for the store if no number is prefetched, at least 1 second.
/// gapless: must be False; True is refused with the reason.
///
/// Raises InvalidArgumentError, and StoreUnsupportedError for a kind of store that keeps no
/// counters. No message contains the URL's password.
///
/// >>> import saiban
/// >>> invoices = saiban.SharedCounter("memory:example", name="invoices", start=2, step=5)
/// >>> invoices.generate(), invoices.generate_many(2)
/// (2, [7, 12])
#[pyclass(frozen, module = "saiban")]
pub struct SharedCounter {
    counter: saiban_coordination::SharedCounter,
    wait_s: i64,
    repr: String,
}

#[pymethods]
impl SharedCounter {
    #[new]
    #[pyo3(
        signature = (url, *, name=None, start=None, step=None, block_size=None, max_block_size=None, create=None, wait_s=None, gapless=None),
        text_signature = "(url, *, name='default', start=1, step=1, block_size=None, max_block_size=1000000, \
                          create=None, wait_s=10, gapless=False)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        url: &Bound<'py, PyAny>,
        name: Maybe<'_, 'py>,
        start: Maybe<'_, 'py>,
        step: Maybe<'_, 'py>,
        block_size: Maybe<'_, 'py>,
        max_block_size: Maybe<'_, 'py>,
        create: Maybe<'_, 'py>,
        wait_s: Maybe<'_, 'py>,
        gapless: Maybe<'_, 'py>,
    ) -> Result<Self> {
        guard(|| {
            let url = text("url", url)?;
            let stride = stride("start", start, step)?;
            let defaults = CounterOptions::default();
            let options = CounterOptions {
                name: name.map(|value| text("name", value)).transpose()?.map_or(defaults.name, Into::into),
                start: stride.start(),
                step: stride.step(),
                block_size: maybe_int("block_size", block_size)?,
                max_block_size: maybe_int("max_block_size", max_block_size)?.unwrap_or(defaults.max_block_size),
                create: create.map(|value| flag("create", Some(value))).transpose()?,
                wait_s: maybe_int("wait_s", wait_s)?.unwrap_or(defaults.wait_s),
                gapless: flag("gapless", gapless)?,
            };
            let counter = saiban_coordination::SharedCounter::open(&url, &options)?;
            let repr = format!(
                "saiban.SharedCounter(name='{}', start={}, step={})",
                options.name, options.start, options.step
            );
            Ok(SharedCounter { counter, wait_s: options.wait_s.max(1), repr })
        })
    }

    /// Returns the next number. If none is prefetched it waits for the store; other threads run
    /// meanwhile.
    ///
    /// If no number is prefetched: raises StoreUnavailableError when the store does not reply
    /// within wait_s, and at once CounterUnknownError, CounterMismatchError for other terms,
    /// CounterBehindError if the store lost numbers, CounterExhaustedError, StoreCorruptError,
    /// StoreUnsupportedError; ForkedError in a forked process, for a counter in memory.
    fn generate(&self, py: Python<'_>) -> Result<i64> {
        guard(|| match self.counter.try_generate()? {
            Some(number) => Ok(number),
            None => Ok(py.detach(|| self.counter.generate())?),
        })
    }

    /// Like generate, as an asyncio coroutine: it blocks neither the event loop nor its threads.
    /// One thread waits for the store for all callers of this counter. A cancelled wait may skip a
    /// number.
    ///
    /// >>> import asyncio, saiban
    /// >>> asyncio.run(saiban.SharedCounter("memory:async").generate_async())
    /// 1
    fn generate_async<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let SharedCounter { counter, wait_s, .. } = slf.get();
        awaited(slf.as_any(), counter.try_generate().ok().flatten(), *wait_s)
    }

    /// Returns the next number if it is prefetched; otherwise None, and starts to fetch more.
    ///
    /// Raises ForkedError in a forked process, for a counter in memory.
    fn try_generate(&self) -> Result<Option<i64>> {
        guard(|| Ok(self.counter.try_generate()?))
    }

    /// Returns this many numbers, 0 to 10 million; fewer only if an error occurs after the first.
    ///
    /// Raises what generate raises if there was no number, and InvalidArgumentError for a count
    /// that is negative or too large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let mut numbers = vec![0; wanted(count)?];
            let filled = py.detach(|| self.counter.fill(&mut numbers))?;
            Ok(PyList::new(py, &numbers[..filled])?)
        })
    }

    /// Returns the counter's status in this process.
    ///
    /// Raises ForkedError in a forked process, for a counter in memory.
    fn status(&self) -> Result<CounterStatus> {
        guard(|| Ok(self.counter.status()?.into()))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<i64>> {
        self.generate(py).map(Some)
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// The status of a counter in this process; see SharedCounter.status.
///
/// >>> import saiban
/// >>> counter = saiban.SharedCounter("memory:status", block_size=10)
/// >>> _ = counter.generate()
/// >>> counter.status().prefetched, counter.status().calls, counter.status().why
/// (9, 1, None)
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CounterStatus {
    /// The number of prefetched numbers. They are lost when the process ends.
    #[pyo3(get)]
    prefetched: u64,
    /// The current block size.
    #[pyo3(get)]
    block_size: u64,
    /// The number of requests to the store.
    #[pyo3(get)]
    calls: u64,
    /// The error of the last request, or None.
    #[pyo3(get)]
    why: Option<String>,
}

impl From<Status> for CounterStatus {
    fn from(Status { prefetched, block_size, calls, why }: Status) -> Self {
        CounterStatus { prefetched, block_size, calls, why: why.map(|why| why.to_string()) }
    }
}

#[pymethods]
impl CounterStatus {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let CounterStatus { prefetched, block_size, calls, why } = slf.get();
        let why = why.as_ref().into_pyobject(slf.py())?.repr()?;
        Ok(format!("saiban.CounterStatus(prefetched={prefetched}, block_size={block_size}, calls={calls}, why={why})"))
    }
}

/// Numbers that begin again on each day of a time zone, such as 20261121-000001: no number is
/// issued twice.
///
/// The clock decides the day, even if it steps back: the numbers of an earlier day then continue.
/// Prefetched numbers of a day that has ended are not used. For the rest see SharedCounter.
///
/// url, name, block_size, max_block_size, create, wait_s, gapless: see SharedCounter.
/// zone: a name of the IANA time zone database.
/// format: the text: {date:...} as strftime writes it, of %Y %y %m %d %j %F %b %B %a %A %u %G %g
/// %V, and {n}, or {n:06} with zeros up to six digits; other text is literal, and a double brace is
/// a literal brace.
/// first: each day's first number.
///
/// Raises what SharedCounter raises, and InvalidArgumentError for an invalid zone or format.
///
/// >>> import saiban
/// >>> invoices = saiban.DailyCounter("memory:daily", zone="Europe/Berlin", format="INV-{date:%Y%m%d}-{n:04}")
/// >>> invoices.generate().text[-4:]
/// '0001'
#[pyclass(frozen, module = "saiban")]
pub struct DailyCounter {
    counter: saiban_coordination::DailyCounter,
    wait_s: i64,
    repr: String,
}

#[pymethods]
impl DailyCounter {
    #[new]
    #[pyo3(
        signature = (url, *, name=None, zone=None, format=None, first=None, block_size=None, max_block_size=None, create=None, wait_s=None, gapless=None),
        text_signature = "(url, *, name='default', zone='UTC', format='{date:%Y%m%d}-{n:06}', first=1, \
                          block_size=None, max_block_size=1000000, create=None, wait_s=10, gapless=False)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        url: &Bound<'py, PyAny>,
        name: Maybe<'_, 'py>,
        zone: Maybe<'_, 'py>,
        format: Maybe<'_, 'py>,
        first: Maybe<'_, 'py>,
        block_size: Maybe<'_, 'py>,
        max_block_size: Maybe<'_, 'py>,
        create: Maybe<'_, 'py>,
        wait_s: Maybe<'_, 'py>,
        gapless: Maybe<'_, 'py>,
    ) -> Result<Self> {
        guard(|| {
            let url = text("url", url)?;
            let defaults = DailyOptions::default();
            let word = |name, value: Maybe<'_, 'py>, usual: String| -> Result<String> {
                Ok(value.map(|value| text(name, value)).transpose()?.map_or(usual, Into::into))
            };
            let options = DailyOptions {
                name: word("name", name, defaults.name)?,
                zone: word("zone", zone, defaults.zone)?,
                format: word("format", format, defaults.format)?,
                first: stride("first", first, None)?.start(),
                block_size: maybe_int("block_size", block_size)?,
                max_block_size: maybe_int("max_block_size", max_block_size)?.unwrap_or(defaults.max_block_size),
                create: create.map(|value| flag("create", Some(value))).transpose()?,
                wait_s: maybe_int("wait_s", wait_s)?.unwrap_or(defaults.wait_s),
                gapless: flag("gapless", gapless)?,
            };
            let counter = saiban_coordination::DailyCounter::open(&url, &options)?;
            let repr = format!("saiban.DailyCounter(name='{}', zone='{}')", options.name, options.zone);
            Ok(DailyCounter { counter, wait_s: options.wait_s.max(1), repr })
        })
    }

    /// Returns the next number of today. If none is prefetched it waits for the store; other
    /// threads run meanwhile.
    ///
    /// Raises what SharedCounter.generate raises; ClockUnavailableError.
    fn generate(&self, py: Python<'_>) -> Result<DailyNumber> {
        guard(|| match self.counter.try_generate()? {
            Some(number) => Ok(DailyNumber(number)),
            None => Ok(DailyNumber(py.detach(|| self.counter.generate())?)),
        })
    }

    /// Like generate, as an asyncio coroutine; see SharedCounter.generate_async.
    fn generate_async<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let DailyCounter { counter, wait_s, .. } = slf.get();
        awaited(slf.as_any(), counter.try_generate().ok().flatten().map(DailyNumber), *wait_s)
    }

    /// Returns the next number of today if it is prefetched; otherwise None, and starts to fetch
    /// more.
    fn try_generate(&self) -> Result<Option<DailyNumber>> {
        guard(|| Ok(self.counter.try_generate()?.map(DailyNumber)))
    }

    /// Returns the counter's status in this process.
    fn status(&self) -> Result<CounterStatus> {
        guard(|| Ok(self.counter.status()?.into()))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<DailyNumber>> {
        self.generate(py).map(Some)
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// A number of a day. Its text has both in the counter's format.
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DailyNumber(Number);

#[pymethods]
impl DailyNumber {
    /// The day, a datetime.date.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        /// The ordinal of 1970-01-01 in datetime.date.
        const EPOCH: i64 = 719_163;
        py.get_type::<PyDate>().call_method1("fromordinal", (EPOCH + i64::from(self.0.day),))
    }

    /// The number.
    #[getter]
    fn number(&self) -> i64 {
        self.0.number
    }

    /// Both, in the counter's format.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    fn __str__(&self) -> &str {
        &self.0.text
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let date = slf.get().date(slf.py())?.repr()?;
        let Number { number, text, .. } = &slf.get().0;
        Ok(format!("saiban.DailyNumber(date={date}, number={number}, text='{text}')"))
    }
}
