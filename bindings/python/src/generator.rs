//! What all generators have in common: the base class `Generator`, over the core's trait of that name.

use crate::arguments::{count, encoding, flag, text};
use crate::error::{Result, guard};
use crate::held::{AnyGenerator, Held, Issued};
use crate::lease::Kept;
use crate::made::Made;
use crate::parts::Parts;
use crate::stats::Stats;
use crate::time::interval_ms;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};
use saiban::{AnyClock, IdValue, Leniency, Options};

/// What every generator can do: the base of them all.
///
/// It is for annotations and isinstance. What an ID is depends on the scheme: Generator[int] makes
/// integers (Snowflake, Randflake, UlidFlake, Flake), Generator[uuid.UUID] UUIDs (Uuid), Generator[str] text
/// (Ulid, ObjectId, TickId). Generator alone is Generator[int]. One generator may be used by many threads
/// at once.
#[pyclass(frozen, subclass, module = "saiban")]
pub struct Generator {
    ids: Ids,
    layout: Option<saiban::Layout>,
    repr: String,
}

/// A generator of IDs of up to 64 bits, or of wider ones.
enum Ids {
    Narrow(Made<i64>),
    Wide(Made<u128>),
}

/// What a generator of either width does.
macro_rules! with {
    ($generator:expr, $ids:ident => $what:expr) => {
        match &$generator.ids {
            Ids::Narrow($ids) => $what,
            Ids::Wide($ids) => $what,
        }
    };
}

impl Generator {
    /// An ID, however long it has to be waited for, and whatever goes wrong.
    #[inline(never)]
    fn generate_slowly<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        guard(|| with!(self, ids => ids.show(py, ids.make(py)?)))
    }

    /// The base class of a generator of IDs of up to 64 bits.
    pub fn new<T: saiban::Generator<i64> + Send + Sync + 'static>(ids: &Issued<T>, repr: String) -> Self {
        Self::of(ids.share(), repr)
    }

    /// The same of one that knows no lease.
    pub fn of(ids: Held<dyn AnyGenerator<i64>>, repr: String) -> Self {
        Generator { ids: Ids::Narrow(Made::new(ids)), layout: None, repr }
    }

    /// The base class of a generator of wider IDs.
    pub fn wide<T: saiban::Generator<u128> + Send + Sync + 'static>(ids: &Issued<T>, repr: String) -> Self {
        Self::wide_of(ids.share(), repr)
    }

    /// The same of one that knows no lease.
    pub fn wide_of(ids: Held<dyn AnyGenerator<u128>>, repr: String) -> Self {
        Generator { ids: Ids::Wide(Made::new(ids)), layout: None, repr }
    }

    /// An ID as a number, for those of more than 64 bits.
    pub fn make_wide(&self, py: Python<'_>) -> Result<u128> {
        match &self.ids {
            Ids::Narrow(ids) => Ok(ids.make(py)?.any(u64::BITS).value()),
            Ids::Wide(ids) => ids.make(py),
        }
    }

    /// The same; the layout names the parts of the nodes.
    pub fn with_layout(mut self, layout: saiban::Layout) -> Self {
        self.layout = Some(layout);
        self
    }
}

#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
#[pymethods]
impl Generator {
    /// The scheme's name: snowflake, randflake, ulid-flake, flake, ulid, uuid-v1, uuid-v4, uuid-v7, objectid or
    /// tick-id.
    #[getter]
    fn scheme(&self) -> &'static str {
        with!(self, ids => ids.scheme().name())
    }

    /// Makes an ID, waiting for at most max_wait_ms.
    ///
    /// With scope "process", and on the system's clock, the first ID waits for the tick after the one in which the
    /// generator was built, up to a second for Randflake, where no random bits keep generators apart; with scope
    /// "machine" the first generator of a layout since the machine was started waits as long, or 2 ms. Other threads
    /// run meanwhile; Ctrl-C is heard when the wait is over.
    ///
    /// Raises WouldWaitError where the next ID needs a longer wait, or any with a ManualClock;
    /// ClockBackwardError where the clock is further behind the last ID, and with the policy "error" where
    /// it is behind at all; ClockJumpedError where it has jumped ahead by more than max_jump_s;
    /// LeaseNotBegunError and LeaseExpiredError outside the window; with lease= LeaseExpiredError and
    /// LeaseLostError while there is no lease, and what Lease.acquire raises in a copy made by fork, which first
    /// acquires one of its own; else, with scope "process" or a state file, ForkedError in such a copy, where no random
    /// bits keep generators apart;
    /// TimestampBeforeEpochError and TimestampOverflowError for a clock outside the layout's time;
    /// StateUnavailableError where the state file cannot be written, or the memory of scope "machine" be used;
    /// EntropyUnavailableError.
    fn generate<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        // Without arguments there is nothing to forget, and without a wait nothing to let go of.
        if let Some(id) = with!(self, ids => ids.shown_at_once(py)) {
            return Ok(id);
        }
        self.generate_slowly(py)
    }

    /// Makes an ID if that needs no wait, else returns None.
    ///
    /// That is None at first where generate waits for the generator's first tick.
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
    /// Raises what generate raises, and InvalidArgumentError for a count that is negative or too large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let wanted = self::count("count", count, "count is negative: ask for 0 to 10000000 a call")?;
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
            with!(self, ids => ids.show_many(py, ids.make_many(py, wanted)?))
        })
    }

    /// Fills a buffer with IDs, waiting as generate does; returns how many it wrote.
    ///
    /// The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
    /// array.array("q"). For IDs of more than 64 bits it is one of bytes, such as a bytearray: each ID takes as
    /// many of them as its bits need (Parts.id_bytes: 16 of a UUID, 12 of an ObjectId, 10 of a tick ID), the highest
    /// first. Filling stops early where no more can be had but some were written.
    ///
    /// Raises what generate raises when not one could be had; WrongTypeError for anything but a writable
    /// buffer of that kind; InvalidArgumentError for bytes into which no whole number of IDs goes.
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

    /// Makes an ID and writes it as its canonical text, or in an encoding (see saiban.encode).
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
            with!(self, ids => Ok(PyString::new(py, &ids.write(ids.make(py)?, encoding)?)))
        })
    }

    /// Writes an ID as its canonical text, or in an encoding (see saiban.encode).
    ///
    /// Raises IdOutOfRangeError when it is not an ID of this scheme and layout, and UnknownNameError.
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

    /// Reads an ID from its canonical text; with lenient=True also from what people make of it. Of a ULID and a
    /// Ulid-Flake ID any case is read in both ways, as their specifications say; else each ID has one text.
    ///
    /// Raises TextLengthError, TextCharacterError (with the position), TextOverflowError,
    /// TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID of this scheme and layout.
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

    /// Takes an ID, or its canonical text, apart.
    ///
    /// Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
    /// from_text raises.
    #[pyo3(signature = (id, /))]
    fn inspect(&self, id: &Bound<'_, PyAny>) -> Result<Parts> {
        guard(|| {
            let parts = with!(self, ids => {
                let id = match id.is_instance_of::<PyString>() {
                    true => ids.from_text(&text("id", id)?)?,
                    false => ids.read(id)?,
                };
                saiban::Generator::inspect(&**ids, id)?
            });
            Ok(Parts::of_layout(&parts, self.layout.as_ref()))
        })
    }

    /// The smallest and the largest ID that can have been made in the half-open interval from start to end:
    /// for asking a database, by its primary key, for what was made when (BETWEEN, both included).
    ///
    /// start, end: Unix milliseconds, or datetimes with a time zone. Ticks that lie partly in the interval
    /// count; what lies outside the format's time is left out.
    ///
    /// Raises NotTimeOrderedError for a scheme whose IDs are not in the order of their times: Randflake, UUID
    /// versions 1 and 4, and a layout in which something stands above the time; InvalidWindowError for an
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

    /// What the generator tells of itself.
    ///
    /// How many IDs were issued, how often it waited, how often it found the clock set back, how long it
    /// lasts, what its IDs promise, and which generators share its cursor.
    ///
    /// Raises ClockUnavailableError.
    fn stats(&self) -> Result<Stats> {
        guard(|| Ok(Stats::from(with!(self, ids => saiban::Generator::stats(&**ids)?))))
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

/// What a class with a type in brackets is at run time.
pub fn generic<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    class.py().import("types")?.getattr("GenericAlias")?.call1((class, item))
}

/// How a generator shows itself: what it was made with, but no secret.
pub fn repr(
    py: Python<'_>,
    class: &str,
    options: &Options,
    lease: Option<&Kept>,
    clock: &AnyClock,
    more: &[String],
) -> Result<String> {
    let mut arguments = Vec::new();
    arguments.extend(options.node.map(|node| format!("node={node}")));
    arguments.extend(options.nodes.as_ref().map(|nodes| format!("nodes=range({}, {})", nodes.start, nodes.end)));
    arguments.extend(lease.map(|lease| format!("lease={}", lease.repr())));
    arguments.extend_from_slice(more);
    arguments.extend(options.window.as_ref().map(|window| format!("window=({}, {})", window.start, window.end)));
    arguments.extend(options.not_before.map(|time| format!("not_before={time}")));
    if let Some(path) = &options.state {
        let Ok(path) = path.as_os_str().into_pyobject(py);
        arguments.push(format!("state={}", path.repr()?));
    }
    arguments.extend(options.rollback.map(|policy| format!("rollback='{}'", policy.name())));
    arguments.extend(options.shards.map(|shards| format!("shards={shards}")));
    arguments.extend(options.scope.map(|scope| format!("scope='{}'", scope.name())));
    if let AnyClock::Manual(clock) = clock {
        arguments.push(format!("clock=saiban.ManualClock({})", clock.now_ms()));
    }
    arguments.extend(options.max_jump.map(|jump| format!("max_jump_s={}", jump.as_secs())));
    arguments.extend(options.max_wait.map(|wait| format!("max_wait_ms={}", wait.as_millis())));
    Ok(format!("saiban.{class}({})", arguments.join(", ")))
}
