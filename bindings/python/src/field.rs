//! The fields of a layout, and the parts of a node.

use crate::arguments::{int, pairs, text, wide_or_negative, wrong_type};
use crate::error::{Failure, Result};
use crate::value::named_tuple;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};
use saiban::Excerpt;
use saiban::layout::{Field, FieldKind, Place};
use std::borrow::Cow;

/// Converts (kind, bits) or (kind, bits, options). Messages name the field's index in the list.
pub fn field(value: &Bound<'_, PyAny>, index: usize) -> Result<Field> {
    let place = format!("fields[{index}]");
    let wanted = "a pair (kind, bits), or with a dictionary of options as a third item";
    let is_sequence = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
    let (kind, width, options) = match if is_sequence { value.len()? } else { 0 } {
        2 => (value.get_item(0)?, value.get_item(1)?, None),
        3 => (value.get_item(0)?, value.get_item(1)?, Some(value.get_item(2)?)),
        _ => return Err(wrong_type(&place, wanted, value)),
    };
    let kind = FieldKind::from_name(&text(&format!("{place}[0]"), &kind)?)?;
    let mut field = Field::of_width(kind, int(&format!("{place}[1]"), &width)?)?;
    let Some(options) = options else { return Ok(field) };
    let place = format!("{place}[2]");
    let options = options.cast::<PyMapping>().map_err(|_| wrong_type(&place, "a dictionary", &options))?;
    for item in options.items()? {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let key = text(&format!("an option of {place}"), &key)?;
        let name = format!("{place}.{key}");
        field = match &*key {
            "name" => field.with_name(&text(&name, &value)?)?,
            "value" => field.with_value(wide_or_negative(&name, &value)?)?,
            "step" => field.with_step(wide_or_negative(&name, &value)?)?,
            "start" => field.with_start(&start(&name, &value)?)?,
            _ => {
                let given = Excerpt::new(&key);
                return Err(Failure::WrongType(format!(
                    "{place} has no option {given}: give name, value, start, step"
                )));
            }
        };
    }
    Ok(field)
}

/// Converts the start of a sequence to text: "random" or 0. Core refuses other values.
fn start<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> Result<Cow<'a, str>> {
    match value.is_instance_of::<PyString>() {
        true => text(name, value),
        false => match int(name, value) {
            Ok(number) => Ok(number.to_string().into()),
            Err(_) => Err(wrong_type(name, "0 or 'random'", value)),
        },
    }
}

/// Converts the node of an ID: a number, or a mapping of the names of its parts to numbers.
pub fn node(layout: &saiban::Layout, value: &Bound<'_, PyAny>) -> Result<i64> {
    if value.cast::<PyMapping>().is_err() {
        return int("node", value);
    }
    let parts = pairs("node", value)?;
    let clamped = |part: i128| part.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let parts: Vec<(&str, i64)> = parts.iter().map(|(name, part)| (name.as_str(), clamped(*part))).collect();
    Ok(layout.node_of_parts(&parts)?)
}

/// Returns the pair for this field, or the triple if the field has options.
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

/// Converts a field with its place to a saiban.Place.
pub fn placed<'py>(py: Python<'py>, place: &Place) -> PyResult<Bound<'py, PyAny>> {
    let Field { kind, bits, name, value, step, random_start } = place.field;
    let name = (!name.is_empty()).then(|| name.as_str().to_owned());
    let value = (kind == FieldKind::Constant).then_some(value);
    let (step, start) = ((step > 0).then_some(step), random_start.then_some("random"));
    named_tuple(py, "Place", (kind.name(), name, bits, place.shift, place.max, value, step, start))
}
