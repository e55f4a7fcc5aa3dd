//! What all generators have in common: the base class `Generator`, over the core's trait of that name.
//!
//! Whatever may wait for a clock or a disk does so without the GIL: an ID that is to be had at once is taken with it, which
//! is faster.

use crate::arguments::{count, encoding, flag, id, text, wrong_type};
use crate::error::{Result, guard};
use crate::held::Held;
use crate::parts::Parts;
use crate::stats::Stats;
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMemoryView, PySlice, PyString};
use saiban::{AnyClock, Attempt, Leniency, Options};

/// How many IDs are made between two looks at whether somebody pressed Ctrl-C.
const CHUNK: usize = 8192;

/// What every generator can do: the base of Snowflake, Randflake and UlidFlake.
///
/// It is for annotations and isinstance. IDs are signed 64-bit integers. One generator may be used by
/// many threads at once.
#[pyclass(frozen, subclass, module = "saiban")]
pub struct Generator {
    ids: Held<dyn saiban::Generator + Send + Sync>,
    repr: String,
}

impl Generator {
    /// The base class of a generator and the generator itself.
    pub fn new<T: saiban::Generator + Send + Sync + 'static>(ids: &Held<T>, repr: String) -> Self {
        Generator { ids: ids.share(), repr }
    }

    fn id(&self, value: &Bound<'_, PyAny>) -> Result<i64> {
        id(self.ids.scheme().name(), value)
    }
}

#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
#[pymethods]
impl Generator {
    /// The scheme's name: snowflake, randflake or ulid-flake.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.ids.scheme().name()
    }

    /// Makes an ID, waiting for at most max_wait_ms.
    ///
    /// On the system's clock the first ID waits for the tick after the one in which the generator was
    /// built: up to a second for Randflake. Other threads run meanwhile; Ctrl-C is heard when the wait is
    /// over.
    ///
    /// Raises WouldWaitError where the next ID needs a longer wait, or any with a ManualClock;
    /// ClockBackwardError where the clock is further behind the last ID, and with the policy "error" where
    /// it is behind at all; ClockJumpedError where it has jumped ahead by more than max_jump_s;
    /// LeaseNotBegunError and LeaseExpiredError outside the window; ForkedError in a copy made by fork;
    /// TimestampBeforeEpochError and TimestampOverflowError for a clock outside the layout's time;
    /// StateUnavailableError where the state file cannot be written; EntropyUnavailableError.
    fn generate(&self, py: Python<'_>) -> Result<i64> {
        guard(|| {
            if !self.ids.may_block()
                && let Attempt::Ready(id) = self.ids.try_generate()?
            {
                return Ok(id);
            }
            Ok(py.detach(|| self.ids.generate())?)
        })
    }

    /// Makes an ID if that needs no wait, else returns None.
    ///
    /// On the system's clock that is None at first, until the tick in which the generator was built is over.
    ///
    /// Raises what generate raises, except WouldWaitError.
    fn try_generate(&self, py: Python<'_>) -> Result<Option<i64>> {
        guard(|| {
            let attempt =
                if self.ids.may_block() { py.detach(|| self.ids.try_generate()) } else { self.ids.try_generate() };
            Ok(match attempt? {
                Attempt::Ready(id) => Some(id),
                Attempt::Wait(_) => None,
            })
        })
    }

    /// Makes this many IDs, at most 10 million a call, waiting as generate does before each.
    ///
    /// Raises what generate raises, and InvalidArgumentError for a count that is negative or too large.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: &Bound<'py, PyAny>) -> Result<Bound<'py, PyList>> {
        guard(|| {
            let wanted = self::count("count", count, "count is negative: ask for 0 to 10000000 a call")?;
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
            // The core refuses what is too much, so that goes to it whole.
            let first = if wanted > saiban::generator::MOST_AT_ONCE { wanted } else { wanted.min(CHUNK) };
            let mut ids = py.detach(|| self.ids.generate_many(first))?;
            while ids.len() < wanted {
                py.check_signals()?;
                let more = CHUNK.min(wanted - ids.len());
                ids.extend(py.detach(|| self.ids.generate_many(more))?);
            }
            Ok(PyList::new(py, ids)?)
        })
    }

    /// Fills a buffer with IDs, waiting as generate does; returns how many it wrote.
    ///
    /// The buffer is one-dimensional and of signed 64-bit integers, such as a numpy int64 array or
    /// array.array("q"). Filling stops early where no more can be had but some were written.
    ///
    /// Raises what generate raises when not one could be had, and WrongTypeError for anything but a
    /// writable buffer of signed 64-bit integers.
    ///
    /// >>> import array, saiban
    /// >>> ids = array.array("q", bytes(8 * 100))
    /// >>> saiban.Snowflake(node=7).fill(ids)
    /// 100
    #[pyo3(signature = (buffer, /))]
    fn fill(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>) -> Result<usize> {
        guard(|| {
            let wrong = || wrong_type("buffer", "a writable, one-dimensional buffer of signed 64-bit integers", buffer);
            let target = PyUntypedBuffer::get(buffer).map_err(|_| wrong())?;
            // An empty array.array has a pointer of its own, which is not aligned.
            if target.item_count() == 0 && i64::is_compatible_format(target.format()) {
                return Ok(0);
            }
            let target = target.into_typed::<i64>().map_err(|_| wrong())?;
            if target.readonly() || target.dimensions() != 1 {
                return Err(wrong());
            }
            let length = target.item_count();
            let mut ids = vec![0; length.min(CHUNK)];
            let mut written = 0;
            while written < length {
                let want = ids.len().min(length - written);
                let part = &mut ids[..want];
                let made = match py.detach(|| self.ids.fill(part)) {
                    Ok(made) => made,
                    Err(_) if written > 0 => break,
                    Err(error) => return Err(error.into()),
                };
                copy(py, &target, buffer, written, &ids[..made])?;
                written += made;
                if made < want {
                    break;
                }
                py.check_signals()?;
            }
            Ok(written)
        })
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
            let encoding = self::encoding(encoding)?.unwrap_or_else(|| self.ids.encoding());
            Ok(PyString::new(py, &encoding.encode(self.generate(py)?)))
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
        guard(|| Ok(PyString::new(py, &self.ids.to_text_as(self.id(id)?, self::encoding(encoding)?)?)))
    }

    /// Reads an ID from its canonical text; with lenient=True also from what people make of it.
    ///
    /// Raises TextLengthError, TextCharacterError (with the position), TextOverflowError,
    /// TextNotCanonicalError, and IdOutOfRangeError when the number is not an ID of this scheme and layout.
    #[pyo3(signature = (text, *, lenient=None), text_signature = "($self, text, *, lenient=False)")]
    fn from_text(&self, text: &Bound<'_, PyAny>, lenient: Option<&Bound<'_, PyAny>>) -> Result<i64> {
        guard(|| {
            let leniency = Leniency::lenient_if(flag("lenient", lenient)?);
            Ok(self.ids.from_text_as(&self::text("text", text)?, leniency)?)
        })
    }

    /// Takes an ID, or its canonical text, apart.
    ///
    /// Raises IdOutOfRangeError when it is not an ID of this scheme and layout; for text also what
    /// from_text raises.
    #[pyo3(signature = (id, /))]
    fn inspect(&self, id: &Bound<'_, PyAny>) -> Result<Parts> {
        guard(|| {
            let id = match id.is_instance_of::<PyString>() {
                true => self.ids.from_text(&text("id", id)?)?,
                false => self.id(id)?,
            };
            Ok(Parts::from(&self.ids.inspect(id)?))
        })
    }

    /// What the generator tells of itself.
    ///
    /// How many IDs were issued, how often it waited, how often it found the clock set back, how long it
    /// lasts, and what its IDs promise.
    ///
    /// Raises ClockUnavailableError.
    fn stats(&self) -> Result<Stats> {
        guard(|| Ok(Stats::from(self.ids.stats()?)))
    }

    fn __repr__(&self) -> &str {
        &self.repr
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a generator cannot be pickled or copied: the copy would repeat its IDs; make one where it is needed, \
             with a node of its own",
        ))
    }
}

/// Writes IDs into a buffer from this place on. A part of a buffer is written through a slice of a
/// memoryview, which Python checks: other threads may read and write the buffer meanwhile, so that no
/// Rust reference to it would be sound.
fn copy(py: Python<'_>, target: &PyBuffer<i64>, buffer: &Bound<'_, PyAny>, start: usize, ids: &[i64]) -> PyResult<()> {
    if ids.len() == target.item_count() {
        return target.copy_from_slice(py, ids);
    }
    let slice = PySlice::new(py, start as isize, (start + ids.len()) as isize, 1);
    PyBuffer::<i64>::get(&PyMemoryView::from(buffer)?.get_item(slice)?)?.copy_from_slice(py, ids)
}

/// How a generator shows itself: what it was made with, but no secret.
pub fn repr(py: Python<'_>, class: &str, options: &Options, clock: &AnyClock, more: &[String]) -> Result<String> {
    let mut arguments = Vec::new();
    arguments.extend(options.node.map(|node| format!("node={node}")));
    arguments.extend(options.nodes.as_ref().map(|nodes| format!("nodes=range({}, {})", nodes.start, nodes.end)));
    arguments.extend_from_slice(more);
    arguments.extend(options.window.as_ref().map(|window| format!("window=({}, {})", window.start, window.end)));
    arguments.extend(options.not_before.map(|time| format!("not_before={time}")));
    if let Some(path) = &options.state {
        let Ok(path) = path.as_os_str().into_pyobject(py);
        arguments.push(format!("state={}", path.repr()?));
    }
    arguments.extend(options.rollback.map(|policy| format!("rollback='{}'", policy.name())));
    arguments.extend(options.shards.map(|shards| format!("shards={shards}")));
    if let AnyClock::Manual(clock) = clock {
        arguments.push(format!("clock=saiban.ManualClock({})", clock.now_ms()));
    }
    arguments.extend(options.max_jump.map(|jump| format!("max_jump_s={}", jump.as_secs())));
    arguments.extend(options.max_wait.map(|wait| format!("max_wait_ms={}", wait.as_millis())));
    Ok(format!("saiban.{class}({})", arguments.join(", ")))
}
