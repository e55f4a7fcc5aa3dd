//! The fields of a layout, and the parts of a node.

use crate::arguments::{bits, count, int, text, wide, wrong_type};
use crate::error::Result;
use crate::parts::pairs;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};
use saiban::layout::{Field, FieldKind, Name, Place};
use saiban::{Error, LayoutProblem};

/// (kind, bits), or (kind, bits, options).
pub fn field(value: &Bound<'_, PyAny>) -> Result<Field> {
    let wanted = "a pair (kind, bits), or with a dictionary of options as a third item";
    let is_sequence = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
    let (kind, width, options) = match if is_sequence { value.len()? } else { 0 } {
        2 => (value.get_item(0)?, value.get_item(1)?, None),
        3 => (value.get_item(0)?, value.get_item(1)?, Some(value.get_item(2)?)),
        _ => return Err(wrong_type("a field", wanted, value)),
    };
    let kind = FieldKind::from_name(&text("a field's kind", &kind)?)?;
    let mut field = Field::new(kind, bits("a field's bits", &width)?);
    let Some(options) = options else { return Ok(field) };
    let options = options.cast::<PyMapping>().map_err(|_| wrong_type("a field's options", "a dictionary", &options))?;
    for item in options.items()? {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        match &*text("a field's option", &key)? {
            "name" => field.name = Name::new(&text("name", &value)?)?,
            "value" => field.value = wide("value", &value)?,
            "step" => match count("step", &value, "a step is negative: give 1 or more")? {
                0 => return Err(Error::InvalidLayout { reason: LayoutProblem::ZeroStep }.into()),
                step => field.step = step,
            },
            "start" => field.random_start = is_random_start(&value)?,
            _ => {
                let what = "a field has an option that is not known: give name, value, step or start";
                return Err(Error::InvalidArgument { what }.into());
            }
        }
    }
    Ok(field)
}

/// Whether a sequence begins anywhere: "random", or 0.
fn is_random_start(value: &Bound<'_, PyAny>) -> Result<bool> {
    let what = "a sequence begins each tick with 0 or anywhere: give 0 or 'random' as its start";
    let is_random = match value.is_instance_of::<PyString>() {
        true => (&*text("start", value)? == "random").then_some(true),
        false => (int("start", value)? == 0).then_some(false),
    };
    Ok(is_random.ok_or(Error::InvalidArgument { what })?)
}

/// The node of an ID: a number, or a mapping of the names of its parts to numbers.
pub fn node(layout: &saiban::Layout, value: &Bound<'_, PyAny>) -> Result<i64> {
    if value.cast::<PyMapping>().is_err() {
        return int("node", value);
    }
    let parts = pairs("node", value)?;
    let clamped = |part: i128| part.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let parts: Vec<(&str, i64)> = parts.iter().map(|(name, part)| (name.as_str(), clamped(*part))).collect();
    Ok(layout.node_of_parts(&parts)?)
}

/// The pair that makes this field, or the three where it has options.
pub fn shown<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyTuple>> {
    let options = PyDict::new(py);
    if !field.name.is_empty() {
        options.set_item("name", field.name.as_str())?;
    }
    if field.kind == FieldKind::Constant {
        options.set_item("value", field.value)?;
    }
    if field.step > 0 {
        options.set_item("step", field.step)?;
    }
    if field.random_start {
        options.set_item("start", "random")?;
    }
    match options.is_empty() {
        true => (field.kind.name(), field.bits).into_pyobject(py),
        false => (field.kind.name(), field.bits, options).into_pyobject(py),
    }
}

/// A field with its place, a saiban.Place.
pub fn placed<'py>(py: Python<'py>, place: &Place) -> PyResult<Bound<'py, PyAny>> {
    let Field { kind, bits, name, value, step, random_start } = place.field;
    let name = (!name.is_empty()).then(|| name.as_str().to_owned());
    let value = (kind == FieldKind::Constant).then_some(value);
    let (step, start) = ((step > 0).then_some(step), random_start.then_some("random"));
    named_tuple(py, "Place", (kind.name(), name, bits, place.shift, place.max, value, step, start))
}

/// Makes one of the named tuples of `saiban.values`.
pub fn named_tuple<'py>(
    py: Python<'py>,
    class: &str,
    values: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("saiban.values")?.getattr(class)?.call1(values.into_pyobject(py)?)
}
