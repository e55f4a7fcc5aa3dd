//! The base class `Generator` of all generators, which wraps the core's trait of that name.

use crate::arguments::{self, count, encoding, flag, text};
use crate::compose::GivenParts;
use crate::error::{Result, guard};
use crate::form::{Number, text_of};
use crate::held::Held;
use crate::layout::Layout;
use crate::lease::Lease;
use crate::made::Made;
use crate::options::Given;
use crate::parts::Parts;
use crate::stats::Stats;
use crate::time::interval_ms;
use crate::value::generic;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple, PyType};
use saiban::{Attempt, IdValue, Leniency, Scheme, TickOrder};
use saiban_coordination::AnyIssuer;
use std::time::Duration;

/// The base class of all generators, for annotations and isinstance.
///
/// The type of an ID depends on the scheme: Generator[int] makes integers, as Snowflake does;
/// Generator[uuid.UUID] makes UUIDs, Generator[str] text, as Ulid does. Generator alone is
/// Generator[int]. Many threads can use one generator at once.
///
/// A generator is also an iterator. It never ends: each step makes an ID as generate does, and
/// raises its errors.
///
/// >>> import saiban
/// >>> ids = saiban.Snowflake(node=7)
/// >>> [(name, ids.inspect(id).node) for name, id in zip(["pen", "ink"], ids)]
/// [('pen', 7), ('ink', 7)]
#[pyclass(frozen, subclass, module = "saiban")]
pub struct Generator {
    ids: Ids,
    /// The longest wait of `generate_async`.
    longest_wait: Duration,
    order: Option<TickOrder>,
    repr: String,
}

/// A generator of IDs of up to 64 bits, or of wider ones.
enum Ids {
    Narrow(Made<i64>),
    Wide(Made<u128>),
}

/// Evaluates an expression with a generator of either width.
macro_rules! with {
    ($generator:expr, $ids:ident => $what:expr) => {
        match &$generator.ids {
            Ids::Narrow($ids) => $what,
            Ids::Wide($ids) => $what,
        }
    };
}

impl Generator {
    /// Makes an ID with any wait, and reports errors: the slow path of `generate`.
    #[inline(never)]
    fn generate_slowly<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        guard(|| with!(self, ids => ids.show(py, ids.make(py)?)))
    }

    /// Opens a generator of this class and scheme.
    pub fn open(py: Python<'_>, class: &str, scheme: Scheme, given: &Given<'_, '_>) -> Result<Self> {
        let chosen = given.read(py, scheme)?;
        let (repr, order) = (chosen.repr(py, class)?, chosen.order());
        let (has_state, longest_wait) = (chosen.has_state(), chosen.longest_async_wait());
        let (ids, lease) = chosen.open(py)?;
        Ok(Generator { ids: Ids::new(ids, has_state, lease), longest_wait, order, repr })
    }

    /// Wraps a remote generator, whose IDs a service makes.
    pub fn of_service(ids: AnyIssuer, longest_wait: Duration, repr: String) -> Self {
        Generator { ids: Ids::new(ids, false, None), longest_wait, order: None, repr }
    }

    pub fn core_scheme(&self) -> Scheme {
        with!(self, ids => ids.scheme())
    }

    /// Returns the order of the IDs, if the scheme has orders.
    pub fn order(&self) -> Option<TickOrder> {
        self.order
    }

    /// Returns the layout of the IDs, if the scheme has more than one layout.
    pub fn layout(&self) -> Option<Layout> {
        with!(self, ids => ids.layout()).copied().map(Layout::from)
    }

    /// Makes the ID of these parts.
    pub fn compose<'py>(&self, py: Python<'py>, given: &GivenParts<'_, 'py>) -> Result<Bound<'py, PyAny>> {
        with!(self, ids => {
            let parts = given.read(ids.scheme(), ids.layout())?;
            ids.show(py, ids.compose(&parts)?)
        })
    }

    /// Makes an ID as bytes, the highest first.
    pub fn generate_bytes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        with!(self, ids => Ok(ids.show_bytes(py, ids.make(py)?)))
    }

    /// Returns the bytes of an ID, the highest first.
    pub fn to_bytes<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        with!(self, ids => Ok(ids.show_bytes(py, ids.read(id)?)))
    }

    /// Returns the ID of these bytes, the highest first; `what` is the message for another number
    /// of bytes.
    pub fn of_bytes<'py, const SIZE: usize>(
        &self,
        bytes: &Bound<'py, PyAny>,
        what: &'static str,
    ) -> Result<Bound<'py, PyAny>> {
        let found: [u8; SIZE] = arguments::bytes("bytes", bytes, what)?;
        self.of_bits(bytes.py(), found.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte)))
    }

    /// Returns the bits of an ID.
    pub fn to_bits(&self, id: &Bound<'_, PyAny>) -> Result<u128> {
        with!(self, ids => Ok(ids.read(id)?.any(ids.bits()).value()))
    }

    /// Returns the ID with these bits.
    pub fn of_bits<'py>(&self, py: Python<'py>, bits: u128) -> Result<Bound<'py, PyAny>> {
        with!(self, ids => {
            let id = Number::of_bits(bits);
            ids.inspect(id)?;
            ids.show(py, id)
        })
    }
}

impl Ids {
    fn new(ids: AnyIssuer, has_state: bool, lease: Option<Py<Lease>>) -> Self {
        match ids {
            AnyIssuer::Narrow(ids) => Ids::Narrow(Made::new(Held::new(ids, has_state, lease))),
            AnyIssuer::Wide(ids) => Ids::Wide(Made::new(Held::new(ids, has_state, lease))),
        }
    }
}

#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
#[pymethods]
impl Generator {
    /// The scheme's name, such as snowflake or uuid-v7.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.core_scheme().name()
    }

    /// The prefix of the text of its IDs; None without a prefix.
    #[getter]
    fn prefix(&self) -> Option<String> {
        with!(self, ids => ids.prefix()).map(|prefix| prefix.to_string())
    }

    /// The lease of its IDs: the one that was given, or its own from its store; None without a
    /// lease.
    #[getter]
    fn lease(&self) -> Option<&Py<Lease>> {
        with!(self, ids => ids.lease())
    }

    /// Makes an ID, waiting for at most max_wait_ms.
    ///
    /// With scope "process", and on the system's clock, the first ID waits for the tick after the
    /// one in which the generator was built: up to a second for Randflake. With scope "machine"
    /// only the first generator of a layout since the machine was started waits, that long or 2 ms.
    /// Generators that random bits keep apart have no such wait. Other threads run during a wait;
    /// Ctrl-C takes effect after it.
    ///
    /// Raises WouldWaitError if the next ID needs a longer wait, or any wait with a ManualClock;
    /// ClockBackwardError if the clock is further behind the last ID, and with the policy "error"
    /// if it is behind at all; ClockJumpedError if it has jumped ahead by more than max_jump_s;
    /// LeaseNotBegunError and LeaseExpiredError outside the window; TimestampBeforeEpochError and
    /// TimestampOverflowError for a clock outside the layout's time; StateUnavailableError if the
    /// state file cannot be written, or the file of scope "machine" cannot be used;
    /// EntropyUnavailableError.
    ///
    /// A generator with a lease raises LeaseExpiredError or LeaseLostError while there is no lease.
    /// In a forked process it first acquires its own lease, and raises what Lease.acquire raises.
    /// Any other generator with scope "process" or a state file raises ForkedError in a forked
    /// process, unless random bits keep generators apart.
    fn generate<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        // Without arguments no integers are kept, and without a wait the GIL need not be released.
        if let Some(id) = with!(self, ids => ids.shown_at_once(py)) {
            return Ok(id);
        }
        self.generate_slowly(py)
    }

    /// Makes an ID without blocking the event loop: an asyncio coroutine.
    ///
    /// It waits on a timer, for at most max_wait_ms, by default 2000. A RemoteGenerator waits for
    /// its service for at most wait_s.
    ///
    /// A generator with a state file waits for its disk in a thread of asyncio. In a forked
    /// process, a generator with a lease acquires its own lease in such a thread.
    ///
    /// Raises what generate raises.
    ///
    /// >>> import asyncio, saiban
    /// >>> async def main():
    /// ...     ids = saiban.UlidFlake()
    /// ...     return await asyncio.gather(*(ids.generate_async() for _ in range(1000)))
    /// >>> len(set(asyncio.run(main())))
    /// 1000
    fn generate_async<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static MADE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        MADE.import(slf.py(), "saiban._waiting", "made")?.call1((slf,))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        self.generate(py).map(Some)
    }

    /// Makes an ID if that needs no wait, else returns None.
    ///
    /// It returns None at first if generate would wait for the generator's first tick.
    ///
    /// Raises what generate raises, except WouldWaitError.
    fn try_generate<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        if let Some(id) = with!(self, ids => ids.shown_at_once(py)) {
            return Ok(Some(id));
        }
        guard(|| with!(self, ids => ids.try_make(py)?.map(|id| ids.show(py, id)).transpose()))
    }

    /// Makes this many IDs, at most 10 million a call, waiting as generate does before each.
    ///
    /// Raises what generate raises, and InvalidArgumentError for a count that is negative or too
    /// large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let wanted = self::count("count", count, "count is negative: ask for 0 to 10000000 a call")?;
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
            with!(self, ids => ids.show_many(py, ids.make_many(py, wanted)?))
        })
    }

    /// Fills a buffer with IDs, waiting as generate does; returns the number of IDs written.
    ///
    /// The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
    /// array.array("q"). For IDs of more than 64 bits it is one of bytes, such as a bytearray: each
    /// ID takes as many of them as its bits need (Parts.id_bytes: 16 of a UUID, 12 of an ObjectId,
    /// 10 of a tick ID), the highest first. Filling stops early if no more IDs are available after
    /// the first.
    ///
    /// Raises what generate raises if it can issue no ID at all; WrongTypeError for anything but a
    /// writable buffer of that kind; InvalidArgumentError if the buffer does not hold a whole
    /// number of IDs.
    ///
    /// >>> import array, saiban
    /// >>> ids = array.array("q", bytes(8 * 100))
    /// >>> saiban.Snowflake(node=7).fill(ids)
    /// 100
    /// >>> saiban.Uuid(7).fill(bytearray(16 * 100))
    /// 100
    #[pyo3(signature = (buffer, /))]
    fn fill(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> Result<usize> {
        guard(|| with!(self, ids => ids.fill(py, buffer)))
    }

    /// Makes an ID and writes it as its canonical text, or in an encoding (see saiban.encode),
    /// which is of the number alone, without a prefix.
    ///
    /// Raises what generate raises, and UnknownNameError.
    #[pyo3(signature = (encoding=None))]
    fn generate_text<'py>(
        &self,
        py: Python<'py>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let encoding = self::encoding(encoding)?;
            with!(self, ids => {
                let id = ids.make(py)?;
                text_of(py, |buffer| ids.write_into(id, encoding, buffer))
            })
        })
    }

    /// Writes an ID as its canonical text, or in an encoding (see saiban.encode), which is of the
    /// number alone, without a prefix.
    ///
    /// An ID of 128 bits, such as a ULID, may also be given as a uuid.UUID.
    ///
    /// Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and
    /// UnknownNameError. With a prefix every uuid.UUID is written, also one of another version.
    #[pyo3(signature = (id, encoding=None))]
    fn to_text<'py>(
        &self,
        py: Python<'py>,
        id: &Bound<'py, PyAny>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let encoding = self::encoding(encoding)?;
            with!(self, ids => Ok(PyString::new(py, &ids.to_text_as(ids.read(id)?, encoding)?)))
        })
    }

    /// Reads an ID from its canonical text, or with lenient=True from variants of it. Any
    /// case is read in both ways where the scheme's specification says so, as that of ULIDs does,
    /// and there is no prefix; else each ID has one text.
    ///
    /// Raises TextLengthError, TextCharacterError (with the position; also for another prefix),
    /// TextOverflowError, TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID
    /// of this scheme and layout.
    #[pyo3(signature = (text, *, lenient=None), text_signature = "($self, text, *, lenient=False)")]
    fn from_text<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        lenient: Option<&Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        guard(|| {
            let leniency = Leniency::lenient_if(flag("lenient", lenient)?);
            let text = self::text("text", text)?;
            with!(self, ids => ids.show(py, ids.from_text_as(&text, leniency)?))
        })
    }

    /// Takes an ID, or its canonical text, apart. An ID of 128 bits, such as a ULID, may also be
    /// given as a uuid.UUID.
    ///
    /// Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
    /// from_text raises.
    #[pyo3(signature = (id, /))]
    fn inspect(&self, id: &Bound<'_, PyAny>) -> Result<Parts> {
        guard(|| {
            with!(self, ids => {
                let id = match id.is_instance_of::<PyString>() {
                    true => ids.from_text(&text("id", id)?)?,
                    false => ids.read(id)?,
                };
                Ok(Parts::of_layout(&ids.inspect(id)?, ids.layout()).with_prefix(ids.prefix()))
            })
        })
    }

    /// The smallest and the largest ID that can have been made in the half-open interval from start
    /// to end: for a query by primary key (BETWEEN, both included).
    ///
    /// start, end: Unix milliseconds, or datetimes with a time zone. Ticks that lie partly in the
    /// interval count; what lies outside the format's time is left out.
    ///
    /// Raises NotTimeOrderedError for a scheme whose IDs do not sort by time: Randflake, UUID
    /// versions 1 and 4, and a layout with a field above the timestamp; InvalidWindowError for an
    /// interval that is empty, or in which IDs turn negative; TimestampBeforeEpochError and
    /// TimestampOverflowError for one outside the format's time.
    ///
    /// >>> import datetime, saiban
    /// >>> day = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    /// >>> saiban.Snowflake(node=7).range(day, day + datetime.timedelta(days=1))
    /// (1741610183685046272, 1741972571550646271)
    fn range<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyTuple>> {
        guard(|| {
            let (start_ms, end_ms) = interval_ms(start, end)?;
            with!(self, ids => {
                let (first, last) = ids.range(start_ms, end_ms)?.into_inner();
                Ok(PyTuple::new(py, [ids.show(py, first)?, ids.show(py, last)?])?)
            })
        })
    }

    /// Returns statistics of the generator.
    ///
    /// They show how many IDs were issued, how often the generator waited and found the clock set
    /// back, how long it lasts, what its IDs promise, and which generators share its cursor.
    ///
    /// Raises ClockUnavailableError.
    fn stats(&self) -> Result<Stats> {
        guard(|| Ok(Stats::from(with!(self, ids => ids.stats()?))))
    }

    /// For annotations: Generator[str] makes IDs that are text.
    #[classmethod]
    #[pyo3(signature = (item, /))]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        generic(class, item)
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a generator cannot be pickled or copied: make one where it is needed"))
    }
}

/// Tries to make an ID for `generate_async`. Returns the ID; or a float, the seconds until the next
/// attempt; or None, if `generate` may block and must run in a thread. waited_s: how many seconds
/// the caller has waited.
#[pyfunction]
pub fn attempt<'py>(py: Python<'py>, ids: &Bound<'py, Generator>, waited_s: f64) -> Result<Option<Bound<'py, PyAny>>> {
    let generator = ids.get();
    guard(|| {
        with!(generator, ids => {
            if ids.may_block() {
                return Ok(None);
            }
            let waited = Duration::try_from_secs_f64(waited_s).unwrap_or(Duration::MAX);
            Ok(Some(match ids.try_make_within(generator.longest_wait.saturating_sub(waited))? {
                Attempt::Ready(id) => ids.show(py, id)?,
                Attempt::Wait(wait) => PyFloat::new(py, wait.as_secs_f64()).into_any(),
            }))
        })
    })
}
