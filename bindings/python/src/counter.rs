//! Counters: numbers one after the other, from this process's memory or from a store that many
//! share.

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

/// How many numbers are asked for at a time.
fn wanted(count: &Bound<'_, PyAny>) -> Result<usize> {
    let wanted = usize::try_from(arguments::count("count", count, COUNT)?).unwrap_or(usize::MAX);
    if wanted > MAX { Err(Error::InvalidArgument { what: TOO_MANY }.into()) } else { Ok(wanted) }
}

/// Where a counter starts, by the name of that argument, and its step.
fn stride(name: &str, start: Maybe<'_, '_>, step: Maybe<'_, '_>) -> Result<Stride> {
    let start = maybe_exact(name, start, "start", |start| Error::CounterStart { start })?;
    let step = maybe_exact("step", step, "step", |step| Error::CounterStep { step })?;
    Ok(Stride::new(start.unwrap_or(Stride::ONE.start()), step.unwrap_or(Stride::ONE.step()))?)
}

/// A coroutine of what `generate` answers: the number that is prefetched, or else one that is
/// waited for. What went wrong is raised where it is awaited.
fn awaited<'py, N>(counter: &Bound<'py, PyAny>, prefetched: Option<N>, wait_s: i64) -> PyResult<Bound<'py, PyAny>>
where
    N: IntoPyObject<'py>,
{
    match prefetched {
        // What asyncio has that answers a value when it is awaited.
        Some(number) => counter.py().import("asyncio")?.call_method1("sleep", (0, number)),
        None => counter.py().import("saiban._waiting")?.call_method1("generated", (counter, wait_s)),
    }
}

const NO_COPY: &str = "a counter cannot be pickled or copied, because numbers would repeat: open it where it is needed";

/// Counts in this process's memory: 1, 2, 3 ..., or from start on, by step. It begins anew with
/// every process: for numbers that last take a SharedCounter.
///
/// Any number of threads may use it; each number comes once. A copy made by fork raises
/// ForkedError.
///
/// start: 0 to 2**63 - 1. step: 1 to 2**63 - 1. Counters with the same step, and starts of other
/// remainders by it, share no number.
///
/// Raises InvalidArgumentError.
///
/// >>> import saiban
/// >>> counter = saiban.Counter(start=2, step=5)
/// >>> counter.generate(), counter.generate_many(2)
/// (2, [7, 12])
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
    /// Raises CounterExhaustedError past 2**63 - 1; ForkedError in a copy of the process made by
    /// fork.
    fn generate(&self) -> Result<i64> {
        guard(|| Ok(self.0.generate()?))
    }

    /// The next numbers, this many, at most 10 million a call.
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

    fn __repr__(&self) -> String {
        let stride = self.0.stride();
        format!("saiban.Counter(start={}, step={})", stride.start(), stride.step())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// Numbers from a store that many processes share: each once, whoever asks.
///
/// A process takes a block of numbers with one round trip, and fetches the next before it needs it.
/// One process's numbers grow; those of several are mixed. What a process has prefetched when it
/// ends is lost, two blocks at most: there are gaps. A copy made by fork takes numbers of its own;
/// one of memory: raises ForkedError.
///
/// url: the store: sqlite:///path, postgres://, mysql:// or redis://, with user and password as
/// each server's clients have them, or memory:NAME, which is in this process alone. Nothing is
/// asked before the first number.
/// name: 1 to 64 of the characters A-Z, a-z, 0-9, _, - and .
/// start, step: the first number, 0 to 2**63 - 1, and what lies between two, 1 to 2**63 - 1; the
/// store remembers both, and refuses others. Stores whose numbers go into one column have the same
/// step, as many as they are or more, and starts of other remainders by it.
/// block_size: how many numbers are taken at a time, 1 to 1000000; None: as many as last for two
/// seconds, one at first, and max_block_size at most.
/// create: whether the counter is made where there is none. An empty store is no proof that no
/// numbers are used, so that on a server somebody must say so once, here or by the command `saiban
/// counter init`; None is True for
/// sqlite: and memory:.
/// wait_s: how long to wait for a store where no number is prefetched, at least a second.
/// gapless: refused where it is True, with the reason.
///
/// Raises InvalidArgumentError, and StoreUnsupportedError for a kind of store that keeps no
/// counters. No message holds the URL's password.
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

    /// The next number. Where none is prefetched the store is waited for; other threads run
    /// meanwhile.
    ///
    /// Raises what the store says where no number is prefetched: StoreUnavailableError when it
    /// could not be asked in wait_s; at once CounterUnknownError, CounterMismatchError where it
    /// counts otherwise, CounterBehindError where it has lost numbers, CounterExhaustedError,
    /// StoreCorruptError, StoreUnsupportedError; ForkedError in a copy of the process, of a counter
    /// in memory.
    fn generate(&self, py: Python<'_>) -> Result<i64> {
        guard(|| match self.counter.try_generate()? {
            Some(number) => Ok(number),
            None => Ok(py.detach(|| self.counter.generate())?),
        })
    }

    /// The same as generate, as a coroutine of asyncio: the event loop goes on meanwhile, and so do
    /// its threads. A thread for all who wait for this counter's numbers waits for the store. A
    /// wait that is cancelled may leave a number out.
    ///
    /// >>> import asyncio, saiban
    /// >>> asyncio.run(saiban.SharedCounter("memory:async").generate_async())
    /// 1
    fn generate_async<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let SharedCounter { counter, wait_s, .. } = slf.get();
        awaited(slf.as_any(), counter.try_generate().ok().flatten(), *wait_s)
    }

    /// The next number if it is prefetched, else None: then more are being fetched.
    ///
    /// Raises ForkedError in a copy of the process, of a counter in memory.
    fn try_generate(&self) -> Result<Option<i64>> {
        guard(|| Ok(self.counter.try_generate()?))
    }

    /// The next numbers, this many, at most 10 million a call; fewer only where an error came in
    /// between.
    ///
    /// Raises what generate raises where there was none, and InvalidArgumentError for a count that
    /// is negative or too large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let mut numbers = vec![0; wanted(count)?];
            let filled = py.detach(|| self.counter.fill(&mut numbers))?;
            Ok(PyList::new(py, &numbers[..filled])?)
        })
    }

    /// How it is doing in this process.
    ///
    /// Raises ForkedError in a copy of the process, of a counter in memory.
    fn status(&self) -> Result<CounterStatus> {
        guard(|| Ok(self.counter.status()?.into()))
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// How a counter is doing in this process; see SharedCounter.status.
///
/// >>> import saiban
/// >>> counter = saiban.SharedCounter("memory:status", block_size=10)
/// >>> _ = counter.generate()
/// >>> counter.status().prefetched, counter.status().calls, counter.status().why
/// (9, 1, None)
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CounterStatus {
    /// How many numbers are prefetched: they would be lost if the process ended now.
    #[pyo3(get)]
    prefetched: u64,
    /// How many are taken at a time at the moment.
    #[pyo3(get)]
    block_size: u64,
    /// How often the store was asked.
    #[pyo3(get)]
    calls: u64,
    /// What went wrong at the last request; None if nothing did.
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

/// Numbers that begin anew with each day of a time zone, 20261121-000001: each once, whoever asks.
///
/// The day is the clock's, also where that goes back: numbers of a day that was left go on where
/// they were. What is prefetched when a day ends is not used. All else is as of a SharedCounter.
///
/// url, name, block_size, max_block_size, create, wait_s, gapless: as of a SharedCounter.
/// zone: a name of the IANA time zone database.
/// format: the text: {date:...} as strftime writes it, of %Y %y %m %d %j %F %b %B %a %A %u %G %g
/// %V, and {n}, or {n:06} with zeros up to six digits; all else stands for itself, and a brace for
/// two.
/// first: each day's first number.
///
/// Raises what SharedCounter raises, and InvalidArgumentError for a zone or a format that cannot
/// be.
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

    /// The next number of today. Where none is prefetched the store is waited for; other threads
    /// run meanwhile.
    ///
    /// Raises what SharedCounter.generate raises; ClockUnavailableError.
    fn generate(&self, py: Python<'_>) -> Result<DailyNumber> {
        guard(|| match self.counter.try_generate()? {
            Some(number) => Ok(DailyNumber(number)),
            None => Ok(DailyNumber(py.detach(|| self.counter.generate())?)),
        })
    }

    /// The same as generate, as a coroutine of asyncio, as that of SharedCounter.
    fn generate_async<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let DailyCounter { counter, wait_s, .. } = slf.get();
        awaited(slf.as_any(), counter.try_generate().ok().flatten().map(DailyNumber), *wait_s)
    }

    /// The next number of today if it is prefetched, else None: then more are being fetched.
    fn try_generate(&self) -> Result<Option<DailyNumber>> {
        guard(|| Ok(self.counter.try_generate()?.map(DailyNumber)))
    }

    /// How it is doing in this process.
    fn status(&self) -> Result<CounterStatus> {
        guard(|| Ok(self.counter.status()?.into()))
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(NO_COPY))
    }
}

/// A number of a day; as text, both in the counter's format.
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DailyNumber(Number);

#[pymethods]
impl DailyNumber {
    /// The day, a datetime.date.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        /// 1970-01-01, as datetime.date counts.
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
