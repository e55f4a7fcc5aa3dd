//! ObjectId, MongoDB's: seconds, what the generator drew, a counter.

use crate::arguments::{self, Given, Maybe, int, text};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::made::big_endian;
use crate::time::timestamp_ms;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use saiban::{AnyClock, Generator as _, PooledEntropy};

/// Makes ObjectIds that MongoDB and its drivers take as their own, 24 hexadecimal digits: seconds, 40 bits that the
/// generator has drawn, and a counter of 24. Drivers count on over seconds; this counter begins each second with the
/// number that the generator drew.
///
/// IDs sort by second, as text too, and tell it to anyone: at most 16,777,216 a second. A copy made by fork goes on
/// with bits of its own: two generators make equal IDs with a chance of 2^-40, and what their counters meet.
/// Lasts until 2106-02-07.
///
/// window: (start, end), half-open, Unix seconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used, Unix seconds; IDs begin with the second after it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on in the second it has
/// reached, then waits; "error": ClockBackwardError at once.
/// clock: a ManualClock, for tests.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2000.
///
/// Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, EntropyUnavailableError, and
/// InvalidLayoutError for the policy "bits".
///
/// Source: MongoDB manual, "ObjectId"; MongoDB specifications, "BSON ObjectID".
///
/// >>> import saiban
/// >>> ids = saiban.ObjectId()
/// >>> ids.inspect("507f1f77bcf86cd799439011").time.isoformat()
/// '2012-10-17T21:13:27+00:00'
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct ObjectId(Issued<saiban::ObjectId<AnyClock, PooledEntropy>>);

const TWELVE: &str = "these are no bytes of an ObjectId: give 12";

#[allow(clippy::wrong_self_convention, reason = "to_bytes and from_bytes are the pair that every language has")]
#[pymethods]
impl ObjectId {
    #[new]
    #[pyo3(signature = (*, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None))]
    fn new<'py>(
        py: Python<'py>,
        window: Maybe<'_, 'py>,
        not_before: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
        clock: Maybe<'_, 'py>,
        max_jump_s: Maybe<'_, 'py>,
        max_wait_ms: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            let options = given.options()?;
            let clock = self::clock(clock)?;
            let repr = repr(py, "ObjectId", &options, None, &clock, &[])?;
            let ids = Held::build(py, &options, || saiban::ObjectId::build(&options, clock, PooledEntropy))?;
            Ok(PyClassInitializer::from(Generator::wide(&ids, repr)).add_subclass(ObjectId(ids)))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone: rounded down to the second. node: the 40 bits that
    /// generators draw. sequence: the counter's 24.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, NodeOutOfRangeError, SequenceOutOfRangeError.
    ///
    /// >>> import saiban
    /// >>> saiban.ObjectId().compose(timestamp_ms=1_350_508_407_000, node=0xBCF86CD799, sequence=0x439011)
    /// '507f1f77bcf86cd799439011'
    #[pyo3(
        signature = (*, timestamp_ms=None, time=None, node, sequence),
        text_signature = "($self, *, timestamp_ms=None, time=None, node, sequence)"
    )]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        timestamp_ms: Maybe<'_, 'py>,
        time: Maybe<'_, 'py>,
        node: &Bound<'py, PyAny>,
        sequence: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let timestamp_ms = self::timestamp_ms(timestamp_ms, time)?;
            self.shown(py, self.0.reader().compose(timestamp_ms, int("node", node)?, int("sequence", sequence)?)?)
        })
    }

    /// Makes an ID as 12 bytes, as BSON has it.
    ///
    /// Raises what generate raises.
    fn generate_bytes<'py>(slf: &Bound<'py, Self>) -> Result<Bound<'py, PyBytes>> {
        guard(|| {
            let id = slf.as_super().get().make_wide(slf.py())?;
            Ok(PyBytes::new(slf.py(), &big_endian::<12>(id)))
        })
    }

    /// The 12 bytes of an ID, as BSON has it.
    ///
    /// Raises what from_text raises.
    fn to_bytes<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        guard(|| Ok(PyBytes::new(py, &big_endian::<12>(self.0.from_text(&text("id", id)?)?))))
    }

    /// The ID of these 12 bytes, as BSON has it.
    ///
    /// Raises InvalidArgumentError for another number of bytes.
    fn from_bytes<'py>(&self, py: Python<'py>, bytes: &Bound<'py, PyAny>) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let bytes: [u8; 12] = arguments::bytes("bytes", bytes, TWELVE)?;
            self.shown(py, bytes.iter().fold(0, |id, byte| id << 8 | u128::from(*byte)))
        })
    }
}

impl ObjectId {
    fn shown<'py>(&self, py: Python<'py>, id: u128) -> Result<Bound<'py, PyString>> {
        Ok(PyString::new(py, &self.0.to_text(id)?))
    }
}
