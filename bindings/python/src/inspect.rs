//! Inspection of IDs of unknown origin.

use crate::arguments::{self, Maybe, epoch_ms, id, maybe_bytes, scheme, secret, text, wrong_type};
use crate::error::{Failure, Result, guard};
use crate::form::{is_uuid, uuid_bits};
use crate::layout::layout;
use crate::parts::Parts;
use crate::value::named_tuple;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use saiban::inspect::{Candidate, Candidates, MAX_LAYOUTS, MAX_SECRETS};
use saiban::{AnyId, Encoding, Error, Inspector};

const OLD_ONLY: &str = "old_secrets are given without secret: give the newest of them as secret";
const NO_NUMBER: &str =
    "bits is the width of a number: leave it out, as text, bytes and UUIDs have widths of their own";

/// The options of an inspection, as Python passes them.
struct Given<'a, 'py> {
    secret: Maybe<'a, 'py>,
    old_secrets: Maybe<'a, 'py>,
    scheme: Maybe<'a, 'py>,
    layouts: Maybe<'a, 'py>,
    epoch_ms: Maybe<'a, 'py>,
    bits: Maybe<'a, 'py>,
}

impl Given<'_, '_> {
    fn inspector(&self, layouts: &[saiban::Layout]) -> Result<Inspector> {
        let mut inspector = Inspector::now()?;
        if let Some(bytes) = self.secret {
            inspector = inspector.secret(&secret("secret", bytes)?)?;
        }
        if let Some(old) = self.old_secrets {
            let old =
                old.try_iter().map_err(|_| wrong_type("old_secrets", "a sequence of secrets of 16 bytes", old))?;
            // Read at most one too many, which the core refuses: the iterable can be infinite.
            for bytes in old.take(MAX_SECRETS + 1) {
                if self.secret.is_none() {
                    // Without `secret`, the old ones would be counted from 0, which is its index.
                    return Err(Error::InvalidArgument { what: OLD_ONLY }.into());
                }
                inspector = inspector.secret(&secret("each of old_secrets", &bytes?)?)?;
            }
        }
        for layout in layouts {
            inspector = inspector.layout(layout)?;
        }
        if let Some(epoch_ms) = self.epoch_ms.map(epoch_ms).transpose()? {
            inspector = inspector.epoch_ms(epoch_ms)?;
        }
        Ok(match scheme(self.scheme)? {
            Some(scheme) => inspector.scheme(scheme),
            None => inspector,
        })
    }

    fn layouts(&self) -> Result<Vec<saiban::Layout>> {
        let Some(given) = self.layouts else { return Ok(Vec::new()) };
        let wrong = || wrong_type("layouts", "a sequence of layouts", given);
        // The characters of a text are not layouts.
        if given.is_instance_of::<PyString>() {
            return Err(wrong());
        }
        let each = given.try_iter().map_err(|_| wrong())?;
        each.take(MAX_LAYOUTS + 1).map(|each| layout("each of layouts", &each?)).collect()
    }

    /// Returns the candidates, and the given layouts, which candidates name by their index.
    fn found(&self, id: &Bound<'_, PyAny>) -> Result<(Candidates, Vec<saiban::Layout>)> {
        let layouts = self.layouts()?;
        let inspector = self.inspector(&layouts)?;
        let found = if id.is_instance_of::<PyString>() {
            inspector.inspect_text(&text("id", id)?)?
        } else if is_uuid(id)? {
            inspector.inspect_wide(uuid_bits("id", id)?, u128::BITS)
        } else if let Some(bytes) = maybe_bytes(id)? {
            of_any(&inspector, AnyId::from_bytes(&bytes)?)
        } else {
            return Ok((self.of_number(&inspector, id)?, layouts));
        };
        match self.bits {
            None => Ok((found, layouts)),
            Some(_) => Err(Error::InvalidArgument { what: NO_NUMBER }.into()),
        }
    }

    fn of_number(&self, inspector: &Inspector, id: &Bound<'_, PyAny>) -> Result<Candidates> {
        let wrong = |failure| match failure {
            Failure::WrongType(_) => wrong_type("id", "an integer, text, bytes or a uuid.UUID", id),
            other => other,
        };
        let bits = self.bits.map_or(Ok(u64::BITS), |bits| arguments::bits("bits", bits))?;
        if bits == u64::BITS {
            return Ok(inspector.inspect(self::id("any scheme", id).map_err(wrong)?));
        }
        // Core checks the width, and that the number fits it.
        Encoding::DECIMAL.full_width_of(bits)?;
        let id = arguments::unsigned("id", id, bits).map_err(wrong)?;
        Encoding::HEX.encode_wide(id, bits)?;
        Ok(inspector.inspect_wide(id, bits))
    }
}

fn of_any(inspector: &Inspector, id: AnyId) -> Candidates {
    match id.as_i64() {
        Some(id) => inspector.inspect(id),
        None => inspector.inspect_wide(id.value(), id.bits()),
    }
}

fn parts(candidate: &Candidate, layouts: &[saiban::Layout]) -> Parts {
    Parts::of_layout(candidate.parts(), candidate.layout_index().and_then(|index| layouts.get(index)))
}

/// Returns what an ID of unknown origin can be: a list of Parts, the most plausible first.
///
/// The list is empty if nothing fits. candidates returns the reasons for each rank.
///
/// id: a number, a uuid.UUID, bytes (8, 12 or 16, the highest first: IDs of 64, 96 or 128 bits), or
/// text: what a scheme writes, a decimal number of up to 128 bits, a UUID in any of its forms,
/// letters in either case, or, less likely, a number in any other encoding.
/// secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
/// old_secrets: earlier secrets, at most 7. The secret with the most plausible time is reported as
/// secret_index of the parts: 0 for secret, 1 and up for these. This is evidence, not proof.
/// scheme: consider this scheme only; "uuid" for UUIDs of every version.
/// layouts: also consider these layouts, at most 4: your own, or presets, which then rank higher.
/// epoch_ms: the epoch from which presets and Ulid-Flake are counted, Unix milliseconds, in place
/// of their own.
/// bits: the width of a number, 16 to 128, by default 64; text, bytes and UUIDs have their own.
///
/// Raises the error of the form that the text is most like when no scheme reads the text;
/// IdOutOfRangeError for a number of more bits; InvalidSecretError, UnknownNameError,
/// InvalidLayoutError for the epoch; InvalidArgumentError for too many secrets or layouts, old
/// secrets without secret, another number of bytes, and for bits that are out of range or given
/// with anything but a number.
///
/// >>> import saiban
/// >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
/// '2024-06-06T06:06:06.666000+00:00'
/// >>> saiban.inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")[0].scheme
/// 'ulid'
#[pyfunction]
#[pyo3(
    signature = (id, *, secret=None, old_secrets=None, scheme=None, layouts=None, epoch_ms=None, bits=None),
    text_signature = "(id, *, secret=None, old_secrets=(), scheme=None, layouts=(), epoch_ms=None, bits=None)"
)]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn inspect<'py>(
    id: &Bound<'py, PyAny>,
    secret: Maybe<'_, 'py>,
    old_secrets: Maybe<'_, 'py>,
    scheme: Maybe<'_, 'py>,
    layouts: Maybe<'_, 'py>,
    epoch_ms: Maybe<'_, 'py>,
    bits: Maybe<'_, 'py>,
) -> Result<Vec<Parts>> {
    guard(|| {
        let (found, layouts) = Given { secret, old_secrets, scheme, layouts, epoch_ms, bits }.found(id)?;
        Ok(found.ranked().map(|candidate| parts(candidate, &layouts)).collect())
    })
}

/// Returns what an ID of unknown origin can be, with reasons: a list of saiban.Candidate, the most
/// plausible first.
///
/// It has the arguments and errors of inspect. The result is evidence, not proof.
///
/// >>> import saiban
/// >>> first = saiban.candidates("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")[0]
/// >>> first.parts.scheme, [reason.name for reason in first.reasons]
/// ('uuid-v7', ['length_and_alphabet', 'canonical_text', 'version_bits', 'time_plausible'])
#[pyfunction]
#[pyo3(
    signature = (id, *, secret=None, old_secrets=None, scheme=None, layouts=None, epoch_ms=None, bits=None),
    text_signature = "(id, *, secret=None, old_secrets=(), scheme=None, layouts=(), epoch_ms=None, bits=None)"
)]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn candidates<'py>(
    py: Python<'py>,
    id: &Bound<'py, PyAny>,
    secret: Maybe<'_, 'py>,
    old_secrets: Maybe<'_, 'py>,
    scheme: Maybe<'_, 'py>,
    layouts: Maybe<'_, 'py>,
    epoch_ms: Maybe<'_, 'py>,
    bits: Maybe<'_, 'py>,
) -> Result<Bound<'py, PyList>> {
    guard(|| {
        let (found, layouts) = Given { secret, old_secrets, scheme, layouts, epoch_ms, bits }.found(id)?;
        let shown = PyList::empty(py);
        for candidate in found.ranked() {
            let mut reasons = Vec::new();
            for reason in candidate.reasons() {
                reasons.push(named_tuple(py, "Reason", (reason.name(), reason.to_string()))?);
            }
            let values = (
                parts(candidate, &layouts),
                candidate.score(),
                candidate.is_plausible(),
                PyTuple::new(py, reasons)?,
                candidate.layout_index(),
            );
            shown.append(named_tuple(py, "Candidate", values)?)?;
        }
        Ok(shown)
    })
}
