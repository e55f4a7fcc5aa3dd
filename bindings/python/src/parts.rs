//! The parts of an ID.

use crate::arguments::{
    Maybe, bits, id, maybe_int, maybe_part, maybe_prefix, maybe_timestamp_ms, pairs, text, wide_id,
};
use crate::error::{Result, guard};
use crate::form::{Number, bytes_of, canonical_text, is_uuid, read, reader, uuid, uuid_bits};
use crate::layout::named_parts;
use crate::time::datetime;
use crate::value::{generic, rebuilding};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use saiban::scheme::IdForm;
use saiban::{AnyGenerator, AnyId, Error, IdValue, Prefix, Scheme};
use std::borrow::Cow;

/// The parts of an ID. Parts that a scheme does not have are None.
///
/// A value: equal, hashable, and it pickles.
///
/// >>> import saiban
/// >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
/// >>> parts.time.isoformat(), parts.node, parts.sequence
/// ('2024-01-01T00:00:00+00:00', 7, 1)
#[pyclass(frozen, eq, hash, module = "saiban")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Parts {
    scheme: Scheme,
    layout: Option<Cow<'static, str>>,
    id: AnyId,
    timestamp_ms: Option<i64>,
    submillisecond_ns: Option<i64>,
    node: Option<i128>,
    /// From the highest bit to the lowest.
    node_parts: Vec<(String, i128)>,
    sequence: Option<i128>,
    random: Option<i128>,
    rollback: Option<i128>,
    secret_index: Option<i128>,
    prefix: Option<Prefix>,
}

impl From<&saiban::Parts> for Parts {
    fn from(parts: &saiban::Parts) -> Self {
        // No part has more than 127 bits.
        fn signed(part: Option<impl TryInto<i128>>) -> Option<i128> {
            part.map(|part| part.try_into().unwrap_or(i128::MAX))
        }
        Parts {
            scheme: parts.scheme,
            layout: parts.layout.map(Cow::Borrowed),
            id: parts.id,
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns.map(i64::from),
            node: signed(parts.node),
            node_parts: Vec::new(),
            sequence: signed(parts.sequence),
            random: signed(parts.random),
            rollback: signed(parts.rollback),
            secret_index: signed(parts.secret_index),
            prefix: None,
        }
    }
}

impl Parts {
    /// Converts parts, with the layout's names for the parts of the node.
    pub fn of_layout(parts: &saiban::Parts, layout: Option<&saiban::Layout>) -> Self {
        let node_parts = match (layout, parts.node) {
            // The node of an ID fits its layout, and has at most 63 bits.
            (Some(layout), Some(node)) => named_parts(layout, node as i64).unwrap_or_default(),
            _ => Vec::new(),
        };
        Parts { node_parts, ..Parts::from(parts) }
    }

    /// The parts of an ID whose text has this prefix.
    pub fn with_prefix(self, prefix: Option<Prefix>) -> Self {
        Parts { prefix, ..self }
    }
}

/// Converts the parts of a node, which are not negative.
fn given_parts(value: &Bound<'_, PyAny>) -> Result<Vec<(String, i128)>> {
    let parts = pairs("node_parts", value)?;
    if parts.iter().any(|(_, part)| *part < 0) {
        let what = "a part of node_parts is negative: give 0 or more";
        return Err(Error::InvalidArgument { what }.into());
    }
    Ok(parts)
}

fn maybe_submillisecond_ns(value: Maybe<'_, '_>) -> Result<Option<i64>> {
    let found = maybe_int("submillisecond_ns", value)?;
    if found.is_some_and(|nanoseconds| !(0..1_000_000).contains(&nanoseconds)) {
        let what = "submillisecond_ns are the nanoseconds that a time is past its millisecond: give 0 to 999999";
        return Err(Error::InvalidArgument { what }.into());
    }
    Ok(found)
}

/// Converts a value to an ID of this scheme.
fn any_id(
    scheme: Scheme,
    layout: Option<&str>,
    prefix: Option<Prefix>,
    value: &Bound<'_, PyAny>,
    width: u32,
) -> Result<AnyId> {
    match scheme.info().form {
        IdForm::Integer if width != u64::BITS => Ok(AnyId::wide(wide_id(scheme.name(), value)?, width)?),
        IdForm::Integer => Ok(AnyId::from(id("any scheme", value)?)),
        IdForm::Uuid => Ok(uuid_bits("id", value)?.any(u128::BITS)),
        IdForm::Text => Ok(match reader(scheme, layout, prefix)? {
            AnyGenerator::Narrow(ids) => read(&*ids, IdForm::Text, value)?.any(ids.bits()),
            AnyGenerator::Wide(ids) => read(&*ids, IdForm::Text, value)?.any(ids.bits()),
        }),
    }
}

#[pymethods]
impl Parts {
    #[new]
    #[pyo3(
        signature = (*, scheme, id, timestamp_ms=None, layout=None, node=None, sequence=None, random=None, rollback=None, secret_index=None, node_parts=None, bits=None, submillisecond_ns=None, prefix=None),
        text_signature = "(*, scheme, id, timestamp_ms=None, layout=None, node=None, sequence=None, random=None, rollback=None, secret_index=None, node_parts=None, bits=64, submillisecond_ns=None, prefix=None)"
    )]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        scheme: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
        timestamp_ms: Maybe<'_, '_>,
        layout: Maybe<'_, '_>,
        node: Maybe<'_, '_>,
        sequence: Maybe<'_, '_>,
        random: Maybe<'_, '_>,
        rollback: Maybe<'_, '_>,
        secret_index: Maybe<'_, '_>,
        node_parts: Maybe<'_, '_>,
        bits: Maybe<'_, '_>,
        submillisecond_ns: Maybe<'_, '_>,
        prefix: Maybe<'_, '_>,
    ) -> Result<Self> {
        guard(|| {
            let scheme = Scheme::from_name(&text("scheme", scheme)?)?;
            let layout = layout.map(|name| layout_name(scheme, name)).transpose()?;
            let prefix = maybe_prefix(prefix)?;
            let bits = bits.map_or(Ok(u64::BITS), |bits| self::bits("bits", bits))?;
            Ok(Parts {
                scheme,
                id: any_id(scheme, layout.as_deref(), prefix, id, bits)?,
                layout,
                timestamp_ms: maybe_timestamp_ms(timestamp_ms)?,
                submillisecond_ns: maybe_submillisecond_ns(submillisecond_ns)?,
                node: maybe_part("node", node)?,
                node_parts: node_parts.map(given_parts).transpose()?.unwrap_or_default(),
                sequence: maybe_part("sequence", sequence)?,
                random: maybe_part("random", random)?,
                rollback: maybe_part("rollback", rollback)?,
                secret_index: maybe_part("secret_index", secret_index)?,
                prefix,
            })
        })
    }

    /// The scheme's name, such as snowflake or uuid-v7; uuid for a UUID of a version that saiban
    /// does not make.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.scheme.name()
    }

    /// The layout's name, if it is a preset: twitter, discord, …; for a UUID of another version
    /// than 1, 4 and 7 the version: v6, nil, …; for a tick ID the order.
    #[getter]
    fn layout(&self) -> Option<&str> {
        self.layout.as_deref()
    }

    /// The ID itself, as generators make it: an int, a uuid.UUID or text.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        match self.scheme.info().form {
            IdForm::Integer => Ok(self.id.as_i64().map_or_else(|| self.id.value().int(py), |id| id.int(py))),
            IdForm::Uuid => Ok(uuid(py, self.id.value())?),
            IdForm::Text => Ok(self.text(py)?.into_any()),
        }
    }

    /// The ID as its canonical text, with the prefix if it has one.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyString>> {
        guard(|| Ok(PyString::new(py, &canonical_text(self.scheme, self.layout(), self.prefix, self.id)?)))
    }

    /// The ID as bytes, the highest first, as many as its bits need: 8 for an ID of 64 bits, 12 for
    /// an ObjectId.
    #[getter]
    fn id_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes_of(py, self.id)
    }

    /// The width of the ID in bits: 64, or the width of its scheme or layout.
    #[getter]
    fn bits(&self) -> u32 {
        self.id.bits()
    }

    /// When its tick began, Unix milliseconds, rounded down; None if the scheme has no time (UUID
    /// v4).
    #[getter]
    fn timestamp_ms(&self) -> Option<i64> {
        self.timestamp_ms
    }

    /// The nanoseconds from timestamp_ms to the beginning of the tick: 0 to 999,999, a multiple of
    /// 100 for a UUID v1 or v6 and for a tick ID. None if ticks are whole milliseconds, or if the
    /// scheme has no time.
    ///
    /// >>> import saiban
    /// >>> parts = saiban.TickId("ascending").inspect("0638996766900001234_0042")
    /// >>> parts.timestamp_ms, parts.submillisecond_ns
    /// (1764079890000, 123400)
    #[getter]
    fn submillisecond_ns(&self) -> Option<i64> {
        self.submillisecond_ns
    }

    /// When its tick began, a datetime in UTC, rounded down to the microsecond; submillisecond_ns
    /// is exact. None outside the years 1 to 9999.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let submillisecond_ns = self.submillisecond_ns.unwrap_or(0);
        self.timestamp_ms.map_or(Ok(None), |timestamp_ms| datetime(py, timestamp_ms, submillisecond_ns))
    }

    /// The node: for a scalable Ulid-Flake the scalability id, for an ObjectId its 40 random bits,
    /// for a UUID v1 its 48 bits.
    #[getter]
    fn node(&self) -> Option<i128> {
        self.node
    }

    /// The parts of the node by their names; empty if they have no names.
    #[getter]
    fn node_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        for (name, value) in &self.node_parts {
            parts.set_item(name, value)?;
        }
        Ok(parts)
    }

    /// The sequence number within the tick: for an ObjectId the counter, for a UUID v1 the clock
    /// sequence.
    #[getter]
    fn sequence(&self) -> Option<i128> {
        self.sequence
    }

    /// The random part.
    #[getter]
    fn random(&self) -> Option<i128> {
        self.random
    }

    /// The number of times that the clock had stepped back, if the layout has rollback bits.
    #[getter]
    fn rollback(&self) -> Option<i128> {
        self.rollback
    }

    /// The index of the secret with which the ID was read, if several were given: 0 for secret, 1
    /// and up for old_secrets; see inspect.
    #[getter]
    fn secret_index(&self) -> Option<i128> {
        self.secret_index
    }

    /// The prefix of the text of the generator's IDs; None without a prefix.
    #[getter]
    fn prefix(&self) -> Option<&str> {
        self.prefix.as_ref().map(Prefix::as_str)
    }

    /// The parts as a dictionary for json.dumps. Its keys are the names of the properties.
    ///
    /// id and random are text, because JavaScript loses digits of numbers above 2**53, and so are a
    /// node and a sequence above 2**53 - 1. id_bytes is hexadecimal text. time is text as in
    /// ISO 8601, in UTC, to the millisecond. The npm package writes JSON in this form too, with
    /// JavaScript's spelling of the names.
    ///
    /// >>> import json, saiban
    /// >>> parts = saiban.Snowflake(node=0).inspect(1741610183685074945)
    /// >>> found = json.loads(json.dumps(parts.as_dict()))
    /// >>> found["id"], found["time"], found["node"]
    /// ('1741610183685074945', '2024-01-01T00:00:00.000Z', 7)
    fn as_dict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        guard(|| {
            let found = PyDict::new(py);
            found.set_item("scheme", self.scheme())?;
            found.set_item("layout", self.layout())?;
            found.set_item("id", self.id(py)?.str()?)?;
            found.set_item("text", self.text(py)?)?;
            found.set_item("id_bytes", self.id_bytes(py).call_method0("hex")?)?;
            found.set_item("bits", self.bits())?;
            found.set_item("timestamp_ms", self.timestamp_ms)?;
            found.set_item("submillisecond_ns", self.submillisecond_ns)?;
            found.set_item("time", self.time(py)?.map(|time| iso_8601(&time)).transpose()?)?;
            found.set_item("node", self.node.map(|node| for_json(py, node)).transpose()?)?;
            let node_parts = PyDict::new(py);
            for (name, part) in &self.node_parts {
                node_parts.set_item(name, for_json(py, *part)?)?;
            }
            found.set_item("node_parts", node_parts)?;
            found.set_item("sequence", self.sequence.map(|sequence| for_json(py, sequence)).transpose()?)?;
            found.set_item("random", self.random.map(|random| random.to_string()))?;
            found.set_item("rollback", self.rollback)?;
            found.set_item("secret_index", self.secret_index)?;
            found.set_item("prefix", self.prefix())?;
            Ok(found)
        })
    }

    /// Lets Pydantic's models have fields of this type.
    #[classmethod]
    #[pyo3(signature = (_source, handler, /))]
    fn __get_pydantic_core_schema__<'py>(
        class: &Bound<'py, PyType>,
        _source: &Bound<'py, PyAny>,
        handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("saiban.contrib.pydantic")?.call_method1("parts_schema", (handler,))
    }

    /// For annotations: Parts[str] has the parts of an ID that is text.
    #[classmethod]
    #[pyo3(signature = (item, /))]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        generic(class, item)
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        let mut shown = Vec::new();
        for (name, value) in self.arguments(py)? {
            // The repr of a UUID, UUID('…'), lacks its module.
            let module = if is_uuid(&value)? { "uuid." } else { "" };
            shown.push(format!("{name}={module}{}", value.repr()?));
        }
        Ok(format!("saiban.Parts({})", shown.join(", ")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Result<Bound<'py, PyTuple>> {
        let arguments = slf.get().arguments(slf.py())?;
        Ok(rebuilding(&slf.get_type(), &arguments)?)
    }
}

/// Converts a part for JSON: one that JavaScript's numbers cannot hold becomes text.
fn for_json(py: Python<'_>, part: i128) -> PyResult<Bound<'_, PyAny>> {
    /// JavaScript's `Number.MAX_SAFE_INTEGER`.
    const MAX_SAFE: i128 = (1 << 53) - 1;
    match part <= MAX_SAFE {
        true => Ok(part.into_pyobject(py)?.into_any()),
        false => Ok(PyString::new(py, &part.to_string()).into_any()),
    }
}

/// Writes a datetime in UTC as JavaScript's `toISOString` does.
fn iso_8601(time: &Bound<'_, PyAny>) -> PyResult<String> {
    let text: String = time.call_method1("isoformat", ("T", "milliseconds"))?.extract()?;
    Ok(text.replace("+00:00", "Z"))
}

impl Parts {
    /// Returns the arguments that make an equal object.
    fn arguments<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let arguments = PyDict::new(py);
        arguments.set_item("scheme", self.scheme())?;
        arguments.set_item("layout", self.layout())?;
        arguments.set_item("id", self.id(py)?)?;
        arguments.set_item("timestamp_ms", self.timestamp_ms)?;
        arguments.set_item("node", self.node)?;
        arguments.set_item("sequence", self.sequence)?;
        arguments.set_item("random", self.random)?;
        arguments.set_item("rollback", self.rollback)?;
        arguments.set_item("secret_index", self.secret_index)?;
        if self.submillisecond_ns.is_some() {
            arguments.set_item("submillisecond_ns", self.submillisecond_ns)?;
        }
        if !self.node_parts.is_empty() {
            arguments.set_item("node_parts", self.node_parts(py)?)?;
        }
        if self.scheme.info().form == IdForm::Integer && self.id.bits() != u64::BITS {
            arguments.set_item("bits", self.id.bits())?;
        }
        if self.prefix.is_some() {
            arguments.set_item("prefix", self.prefix())?;
        }
        Ok(arguments)
    }
}

/// Converts the name of a preset to the core's text. UUIDs and tick IDs have other names.
fn layout_name(scheme: Scheme, value: &Bound<'_, PyAny>) -> Result<Cow<'static, str>> {
    let name = text("layout", value)?;
    match scheme.info().form {
        IdForm::Integer => {
            // An alias is replaced by the preset's own name.
            let preset = saiban::Layout::preset(&name)?;
            Ok(preset.name().map_or_else(|| Cow::Owned(name.into_owned()), Cow::Borrowed))
        }
        IdForm::Text | IdForm::Uuid => Ok(Cow::Owned(name.into_owned())),
    }
}
