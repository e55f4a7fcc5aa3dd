//! ULID: time and 80 random bits.

use crate::arguments::{self, Given, Maybe, text, wide};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::form::{uuid, uuid_bits};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::time::timestamp_ms;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use saiban::{AnyClock, Generator as _, PooledEntropy};

/// Makes ULIDs, 26 characters of Crockford's base32: time, and 80 random bits that grow by one within a
/// millisecond.
///
/// IDs sort by time, as text too, and tell it to anyone. Text is upper case; any case is read, as the
/// specification says, and from_text answers upper case. A copy made by fork goes on with random bits of
/// its own: two generators make equal IDs with a chance of 2^-80 for each pair from one millisecond.
///
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin with the millisecond
/// after it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on in the millisecond it has
/// reached, then waits; "error": ClockBackwardError at once.
/// clock: a ManualClock, for tests.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2.
///
/// Raises InvalidWindowError, UnknownNameError, InvalidArgumentError, and InvalidLayoutError for the policy
/// "bits".
///
/// Source: github.com/ulid/spec (2016-2019).
///
/// >>> import saiban
/// >>> ids = saiban.Ulid()
/// >>> ids.inspect("01ARYZ6S41TSV4RRFFQ69G5FAV").time.isoformat()
/// '2016-07-30T22:36:16.385000+00:00'
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Ulid(Issued<saiban::Ulid<AnyClock, PooledEntropy>>);

const SIXTEEN: &str = "these are no bytes of a ULID: give 16";

#[allow(clippy::wrong_self_convention, reason = "to_bytes and from_bytes are the pair that every language has")]
#[pymethods]
impl Ulid {
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
            let repr = repr(py, "Ulid", &options, None, &clock, &[])?;
            let ids = Held::build(py, &options, || saiban::Ulid::build(&options, clock, PooledEntropy))?;
            Ok(PyClassInitializer::from(Generator::wide(&ids, repr)).add_subclass(Ulid(ids)))
        })
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// timestamp_ms or time, a datetime with a time zone. random: 80 bits.
    ///
    /// Raises TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError.
    ///
    /// >>> import saiban
    /// >>> saiban.Ulid().compose(timestamp_ms=1_469_918_176_385, random=1)
    /// '01ARYZ6S410000000000000001'
    #[pyo3(
        signature = (*, timestamp_ms=None, time=None, random),
        text_signature = "($self, *, timestamp_ms=None, time=None, random)"
    )]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        timestamp_ms: Maybe<'_, 'py>,
        time: Maybe<'_, 'py>,
        random: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyString>> {
        guard(|| {
            let timestamp_ms = self::timestamp_ms(timestamp_ms, time)?;
            let random = wide("random", random)?;
            self.shown(py, self.0.reader().compose(timestamp_ms, random)?)
        })
    }

    /// Makes an ID as 16 bytes, the highest first.
    ///
    /// Raises what generate raises.
    fn generate_bytes<'py>(slf: &Bound<'py, Self>) -> Result<Bound<'py, PyBytes>> {
        guard(|| {
            let id = slf.as_super().get().make_wide(slf.py())?;
            Ok(PyBytes::new(slf.py(), &id.to_be_bytes()))
        })
    }

    /// The 16 bytes of an ID, the highest first.
    ///
    /// Raises what from_text raises.
    fn to_bytes<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
        guard(|| Ok(PyBytes::new(py, &self.read(id)?.to_be_bytes())))
    }

    /// The ID of these 16 bytes, the highest first.
    ///
    /// Raises InvalidArgumentError for another number of bytes.
    fn from_bytes<'py>(&self, py: Python<'py>, bytes: &Bound<'py, PyAny>) -> Result<Bound<'py, PyString>> {
        guard(|| self.shown(py, u128::from_be_bytes(arguments::bytes("bytes", bytes, SIXTEEN)?)))
    }

    /// The uuid.UUID of the same 128 bits: for a UUID column. It is of no version of RFC 9562.
    ///
    /// Raises what from_text raises.
    ///
    /// >>> import saiban
    /// >>> saiban.Ulid().to_uuid("01ARYZ6S41TSV4RRFFQ69G5FAV")
    /// UUID('01563df3-6481-d676-4c61-efb99302bd5b')
    fn to_uuid<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        guard(|| Ok(uuid(py, self.read(id)?)?))
    }

    /// The ID of the same 128 bits as a uuid.UUID.
    fn from_uuid<'py>(&self, py: Python<'py>, uuid: &Bound<'py, PyAny>) -> Result<Bound<'py, PyString>> {
        guard(|| self.shown(py, uuid_bits("uuid", uuid)?))
    }
}

impl Ulid {
    fn read(&self, id: &Bound<'_, PyAny>) -> Result<u128> {
        Ok(self.0.from_text(&text("id", id)?)?)
    }

    fn shown<'py>(&self, py: Python<'py>, id: u128) -> Result<Bound<'py, PyString>> {
        Ok(PyString::new(py, &self.0.to_text(id)?))
    }
}
