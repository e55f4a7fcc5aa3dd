//! What an ID is in Python: a number, text, or a uuid.UUID.

use crate::arguments::{id, text, wide_id, wrong_type};
use crate::error::Result;
use crate::raw::Blank;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use saiban::{
    AnyId, Generator, IdValue, ManualClock, ObjectId, Options, PooledEntropy, Scheme, Text, TickId, TickOrder, Ulid,
};
use std::convert::Infallible;

/// What the IDs of a scheme are in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An int.
    Int,
    /// Their canonical text, a str.
    Text,
    /// A uuid.UUID.
    Uuid,
}

impl Form {
    pub const fn of(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Ulid | Scheme::ObjectId | Scheme::TickId => Form::Text,
            Scheme::Uuid | Scheme::UuidV1 | Scheme::UuidV4 | Scheme::UuidV7 => Form::Uuid,
            _ => Form::Int,
        }
    }
}

/// What an ID is in the core, as an int of Python's.
pub trait Number: IdValue + for<'py> IntoPyObject<'py, Error = Infallible> {
    /// Reads an int.
    fn read(scheme: &'static str, value: &Bound<'_, PyAny>) -> Result<Self>;

    /// The number of these bits.
    fn of_bits(bits: u128) -> Self;

    /// The int.
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
        let Ok(number) = self.into_pyobject(py);
        number.into_any()
    }
}

/// Reads an ID as Python has it.
pub fn read<I: Number>(ids: &dyn Generator<I>, form: Form, value: &Bound<'_, PyAny>) -> Result<I> {
    match form {
        Form::Int => I::read(ids.scheme().name(), value),
        Form::Text => Ok(ids.from_text(&text("id", value)?)?),
        Form::Uuid => Ok(I::of_bits(uuid_bits("id", value)?)),
    }
}

/// What takes IDs of this scheme apart and together, whose IDs are text; it makes none.
pub fn reader(scheme: Scheme, layout: Option<&str>) -> Result<Box<dyn Generator<u128>>> {
    let (options, clock) = (Options::default(), ManualClock::new(0)?);
    Ok(match scheme {
        Scheme::TickId => {
            let order = layout.map_or(Ok(TickOrder::Ascending), TickOrder::from_name)?;
            Box::new(TickId::build(order, &options, clock, PooledEntropy)?)
        }
        Scheme::ObjectId => Box::new(ObjectId::build(&options, clock, PooledEntropy)?),
        _ => Box::new(Ulid::build(&options, clock, PooledEntropy)?),
    })
}

/// The canonical text of an ID of this scheme.
pub fn canonical_text(scheme: Scheme, layout: Option<&str>, id: AnyId) -> Result<Text> {
    match scheme {
        Scheme::TickId => Ok(reader(scheme, layout)?.to_text(id.value())?),
        _ => Ok(id.encode_as(scheme.encoding(), scheme.text_width())?),
    }
}

/// What a uuid.UUID is made with.
struct Uuids {
    class: Py<PyType>,
    /// The class itself refuses to be changed, and checks first how it is called.
    blank: Blank,
    unknown: Py<PyAny>,
}

fn uuids(py: Python<'_>) -> PyResult<&Uuids> {
    static UUIDS: PyOnceLock<Uuids> = PyOnceLock::new();
    UUIDS.get_or_try_init(py, || {
        let module = py.import("uuid")?;
        let class = module.getattr("UUID")?.cast_into::<PyType>()?;
        let unknown = module.getattr("SafeUUID")?.getattr("unknown")?.unbind();
        Ok(Uuids { blank: Blank::of(&class)?, class: class.unbind(), unknown })
    })
}

/// The uuid.UUID of these bits, made as the standard library's own generators make theirs.
pub fn uuid(py: Python<'_>, bits: u128) -> PyResult<Bound<'_, PyAny>> {
    let Uuids { blank, unknown, .. } = uuids(py)?;
    let Ok(bits) = bits.into_pyobject(py);
    blank.make(py, [(pyo3::intern!(py, "int"), &bits), (pyo3::intern!(py, "is_safe"), unknown.bind(py))])
}

/// Whether this is a uuid.UUID.
pub fn is_uuid(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.is_instance(uuids(value.py())?.class.bind(value.py()))
}

/// The bits of a uuid.UUID.
pub fn uuid_bits(name: &str, value: &Bound<'_, PyAny>) -> Result<u128> {
    if !is_uuid(value)? {
        return Err(wrong_type(name, "a uuid.UUID", value));
    }
    Ok(value.getattr(pyo3::intern!(value.py(), "int"))?.extract()?)
}
