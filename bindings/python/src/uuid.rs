//! UUID, versions 1, 4 and 7.

use crate::arguments::{self, Given, Maybe, int, maybe_int, maybe_random};
use crate::clock::clock;
use crate::error::{Result, guard};
use crate::form::{uuid, uuid_bits};
use crate::generator::{Generator, repr};
use crate::held::{Held, Issued};
use crate::time::maybe_moment;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use saiban::encoding::{uuid_from_guid_bytes as from_guid_bytes, uuid_to_guid_bytes as to_guid_bytes};
use saiban::generator::UuidParts;
use saiban::{AnyClock, PooledEntropy};

/// Makes UUIDs of version 1, 4 or 7: objects of uuid.UUID.
///
/// Version 7: Unix milliseconds, and 74 random bits that grow by a random step within a millisecond (RFC 9562
/// section 6.2, method 2): IDs of a generator ascend strictly, and nobody can guess the next one. They sort by
/// time and tell it to anyone. Version 4: 122 random bits, and nothing else. Version 1: 100 ns since 1582, with
/// a clock sequence and a node that the generator draws; its IDs are not in the order of their times.
///
/// Randomness is saiban's own pool, which a copy made by fork never shares with its parent.
///
/// version: 7, the default, 4 or 1. Version 4 takes no options but the clock, which it does not
/// read.
/// window: (start, end), half-open, Unix milliseconds: the time in the IDs stays within.
/// not_before: the time of the last ID known to be used, Unix milliseconds; IDs begin after it.
/// rollback: what happens when the clock steps back. "hold", the default: goes on in the tick it has reached, then
/// waits; "error": ClockBackwardError at once.
/// clock: a ManualClock, for tests.
/// max_jump_s: how far the clock may jump ahead of the time since boot, at least 1 second; by default a day.
/// max_wait_ms: the longest wait for an ID; by default 2, and of version 1 none but for 2 ticks of 100 ns.
///
/// Raises InvalidArgumentError, InvalidWindowError, UnknownNameError, EntropyUnavailableError, and
/// InvalidLayoutError for the policy "bits".
///
/// Source: RFC 9562 (2024).
///
/// >>> import saiban
/// >>> ids = saiban.Uuid(7)
/// >>> older, newer = ids.generate(), ids.generate()
/// >>> older < newer, newer.version
/// (True, 7)
#[pyclass(frozen, extends = Generator, module = "saiban")]
pub struct Uuid(Issued<saiban::Uuid<AnyClock, PooledEntropy>>);

#[pymethods]
impl Uuid {
    #[new]
    #[pyo3(
        signature = (version=None, *, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None),
        text_signature = "(version=7, *, window=None, not_before=None, rollback=None, clock=None, max_jump_s=None, max_wait_ms=None)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new<'py>(
        py: Python<'py>,
        version: Maybe<'_, 'py>,
        window: Maybe<'_, 'py>,
        not_before: Maybe<'_, 'py>,
        rollback: Maybe<'_, 'py>,
        clock: Maybe<'_, 'py>,
        max_jump_s: Maybe<'_, 'py>,
        max_wait_ms: Maybe<'_, 'py>,
    ) -> Result<PyClassInitializer<Self>> {
        guard(|| {
            let version = version.map_or(Ok(7), |version| int("version", version))?;
            let given = Given { window, not_before, rollback, max_jump_s, max_wait_ms, ..Given::default() };
            let options = given.options()?;
            let clock = self::clock(clock)?;
            let repr = repr(py, "Uuid", &options, None, &clock, &[format!("version={version}")])?;
            let ids = Held::build(py, &options, || saiban::Uuid::build(version, &options, clock, PooledEntropy))?;
            Ok(PyClassInitializer::from(Generator::wide(&ids, repr)).add_subclass(Uuid(ids)))
        })
    }

    /// The version: 1, 4 or 7.
    #[getter]
    fn version(&self) -> u32 {
        self.0.reader().version()
    }

    /// Makes the ID of these parts: for tests and for reading old data, not for new IDs.
    ///
    /// Version 7: timestamp_ms or time (a datetime with a time zone), and random, 74 bits. Version 4: random, 122
    /// bits. Version 1: timestamp_ms or time, clock_sequence, 14 bits, and node, 48. With timestamp_ms
    /// submillisecond_ns may be given, the nanoseconds after that, 0 to 999,999; a datetime has its microseconds.
    /// A time is rounded down to the tick: a millisecond, of version 1 100 ns.
    ///
    /// Raises InvalidArgumentError for a part that is missing, or that the version does not have;
    /// TimestampBeforeEpochError, TimestampOverflowError, RandomOutOfRangeError, SequenceOutOfRangeError,
    /// NodeOutOfRangeError.
    ///
    /// >>> import saiban
    /// >>> random = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F          # RFC 9562, appendix A.6
    /// >>> saiban.Uuid(7).compose(timestamp_ms=1_645_557_742_000, random=random)
    /// UUID('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
    #[pyo3(signature = (*, timestamp_ms=None, time=None, submillisecond_ns=None, random=None, clock_sequence=None, node=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn compose<'py>(
        &self,
        py: Python<'py>,
        timestamp_ms: Maybe<'_, 'py>,
        time: Maybe<'_, 'py>,
        submillisecond_ns: Maybe<'_, 'py>,
        random: Maybe<'_, 'py>,
        clock_sequence: Maybe<'_, 'py>,
        node: Maybe<'_, 'py>,
    ) -> Result<Bound<'py, PyAny>> {
        guard(|| {
            let (timestamp_ms, submillisecond_ns) = maybe_moment(timestamp_ms, submillisecond_ns, time)?;
            let parts = UuidParts {
                timestamp_ms,
                submillisecond_ns,
                random: maybe_random(random)?,
                clock_sequence: maybe_int("clock_sequence", clock_sequence)?,
                node: maybe_int("node", node)?,
            };
            Ok(uuid(py, self.0.reader().compose(&parts)?)?)
        })
    }
}

/// The 16 bytes of a UUID as Microsoft's GUID lies in memory: of the first three groups the lowest byte first.
///
/// The same as uuid.bytes_le. What RFC 9562 has, the highest byte first, is uuid.bytes.
///
/// >>> import saiban, uuid
/// >>> saiban.uuid_to_guid_bytes(uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")).hex()
/// '33221100554477668899aabbccddeeff'
#[pyfunction]
#[pyo3(signature = (uuid, /))]
pub fn uuid_to_guid_bytes<'py>(py: Python<'py>, uuid: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
    guard(|| Ok(PyBytes::new(py, &to_guid_bytes(uuid_bits("uuid", uuid)?))))
}

/// The UUID of these 16 bytes of a GUID.
///
/// Raises InvalidArgumentError for another number of bytes.
///
/// >>> import saiban
/// >>> saiban.uuid_from_guid_bytes(bytes.fromhex("33221100554477668899aabbccddeeff"))
/// UUID('00112233-4455-6677-8899-aabbccddeeff')
#[pyfunction]
#[pyo3(signature = (bytes, /))]
pub fn uuid_from_guid_bytes<'py>(py: Python<'py>, bytes: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
    guard(|| {
        let bytes = arguments::bytes("bytes", bytes, "these are no bytes of a GUID: give 16")?;
        Ok(uuid(py, from_guid_bytes(bytes))?)
    })
}
