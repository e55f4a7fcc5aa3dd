//! Converts IDs between the core and Python, where an ID is a number, text, or a uuid.UUID.

use crate::arguments::{id, text, wide_id, wrong_type};
use crate::error::Result;
use crate::raw::{self, Blank};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyString, PyType};
use saiban::scheme::{GeneratorOption, IdForm};
use saiban::{AnyGenerator, AnyId, Error, Generator, GeneratorSpec, IdValue, Layout, Prefix, Scheme, Text, TickOrder};
use std::convert::Infallible;

/// The type of an ID in the core, which converts to and from a Python int.
pub trait Number: IdValue + for<'py> IntoPyObject<'py, Error = Infallible> {
    /// Reads an int.
    fn read(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<Self>;

    /// Returns the number with these bits.
    fn of_bits(bits: u128) -> Self;

    /// Converts the number to an int.
    fn int(self, py: Python<'_>) -> Bound<'_, PyAny>;
}

impl Number for i64 {
    fn read(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<Self> {
        id(scheme, value)
    }

    fn of_bits(bits: u128) -> Self {
        bits as u64 as i64
    }

    fn int(self, py: Python<'_>) -> Bound<'_, PyAny> {
        let Ok(number) = self.into_pyobject(py);
        number.into_any()
    }
}

impl Number for u128 {
    fn read(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<Self> {
        wide_id(scheme, value)
    }

    fn of_bits(bits: u128) -> Self {
        bits
    }

    fn int(self, py: Python<'_>) -> Bound<'_, PyAny> {
        raw::wide_int(py, self).unwrap_or_else(|| {
            let Ok(number) = self.into_pyobject(py);
            number.into_any()
        })
    }
}

/// Converts a Python object to an ID. A uuid.UUID is an ID of any scheme or layout of 128 bits.
pub fn read<I: Number>(ids: &dyn Generator<Id = I>, form: IdForm, value: &Bound<'_, PyAny>) -> Result<I> {
    match form {
        IdForm::Uuid => Ok(I::of_bits(uuid_bits("id", value)?)),
        _ if ids.bits() == u128::BITS && is_uuid(value)? => Ok(I::of_bits(uuid_bits("id", value)?)),
        IdForm::Integer => I::read(ids.scheme().name(), value),
        IdForm::Text => Ok(ids.from_text(&text("id", value)?)?),
    }
}

/// Converts an ID to a Python object.
pub fn shown<'py, I: Number>(py: Python<'py>, ids: &dyn Generator<Id = I>, id: I) -> Result<Bound<'py, PyAny>> {
    Ok(match ids.scheme().info().form {
        IdForm::Integer => id.int(py),
        IdForm::Text => text_of(py, |buffer| ids.write_into(id, None, buffer))?.into_any(),
        IdForm::Uuid => uuid(py, id.any(ids.bits()).value())?,
    })
}

/// Converts text that `write` writes to the start of a buffer. A `Text` would be copied on its way
/// through results.
#[inline]
pub fn text_of<'py>(
    py: Python<'py>,
    write: impl FnOnce(&mut [u8]) -> std::result::Result<usize, Error>,
) -> Result<Bound<'py, PyString>> {
    let mut buffer = [0; Text::MAX_LEN];
    let length = write(&mut buffer)?;
    Ok(PyString::from_bytes(py, &buffer[..length])?)
}

/// Returns the bytes of an ID, the highest first, as many as its bits need.
pub fn bytes_of(py: Python<'_>, id: AnyId) -> Bound<'_, PyBytes> {
    let size = id.bits().div_ceil(8) as usize;
    PyBytes::new(py, &id.value().to_be_bytes()[16 - size..])
}

/// Returns a generator that only reads and composes IDs of this scheme. For a scheme with orders,
/// `layout` is the name of an order.
pub fn reader(scheme: Scheme, layout: Option<&str>, prefix: Option<Prefix>) -> Result<AnyGenerator> {
    let mut spec = GeneratorSpec::new(scheme);
    spec.prefix = prefix;
    if scheme.takes(GeneratorOption::Order) {
        spec.order = layout.map(TickOrder::from_name).transpose()?;
    }
    Ok(spec.reader()?)
}

/// Reads and writes prefixed text of numbers of a given width, independent of a scheme.
pub fn numbers(bits: u32, prefix: Prefix) -> Result<AnyGenerator> {
    // In this layout each number is an ID.
    let layout = Layout::from_text(&format!("timestamp:1 random:{}", bits - 1))?;
    Ok(GeneratorSpec::new(Scheme::Flake).layout(layout).prefix(prefix).reader()?)
}

/// Returns the canonical text of an ID of this scheme.
pub fn canonical_text(scheme: Scheme, layout: Option<&str>, prefix: Option<Prefix>, id: AnyId) -> Result<Text> {
    let ids = match prefix {
        // The text depends on the number of bits only, so the layout need not be known.
        Some(prefix) => numbers(id.bits(), prefix)?,
        None if scheme.takes(GeneratorOption::Order) => reader(scheme, layout, None)?,
        // The text depends on the number only. Building a generator would take longer, and its
        // layout is not known.
        None => return Ok(id.encode_as(scheme.encoding(), scheme.text_width())?),
    };
    Ok(match ids {
        AnyGenerator::Narrow(ids) => ids.write(Number::of_bits(id.value()), None)?,
        AnyGenerator::Wide(ids) => ids.write(Number::of_bits(id.value()), None)?,
    })
}

/// The Python objects with which a uuid.UUID is made.
struct Uuids {
    class: Py<PyType>,
    /// Makes objects without the class, whose objects cannot be changed and whose call checks its
    /// arguments first.
    blank: Blank<2>,
    unknown: Py<PyAny>,
}

fn uuids(py: Python<'_>) -> PyResult<&Uuids> {
    static UUIDS: PyOnceLock<Uuids> = PyOnceLock::new();
    UUIDS.get_or_try_init(py, || {
        let module = py.import("uuid")?;
        let class = module.getattr("UUID")?.cast_into::<PyType>()?;
        let unknown = module.getattr("SafeUUID")?.getattr("unknown")?.unbind();
        Ok(Uuids { blank: Blank::of(&class, ["int", "is_safe"])?, class: class.unbind(), unknown })
    })
}

/// Returns the uuid.UUID with these bits, made as the standard library's own functions make theirs.
pub fn uuid(py: Python<'_>, bits: u128) -> PyResult<Bound<'_, PyAny>> {
    let Uuids { blank, unknown, .. } = uuids(py)?;
    blank.make(py, [bits.int(py), unknown.bind(py).clone()])
}

/// Returns whether this is a uuid.UUID.
pub fn is_uuid(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    // Programs without UUIDs need not import the module uuid.
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
        return Ok(false);
    }
    value.is_instance(uuids(value.py())?.class.bind(value.py()))
}

/// Returns the bits of a uuid.UUID.
pub fn uuid_bits(name: &str, value: &Bound<'_, PyAny>) -> Result<u128> {
    if !is_uuid(value)? {
        return Err(wrong_type(name, "a uuid.UUID", value));
    }
    Ok(value.getattr(pyo3::intern!(value.py(), "int"))?.extract()?)
}
