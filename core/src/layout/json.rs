//! A layout as JSON: the same fields as its text, for programs.

use super::read::{check_key, number, start, step, unix_ms};
use super::{Field, FieldKind, Layout, LayoutSpec, Name};
use crate::error::{Error, Excerpt, LayoutFault, LayoutProblem};
use alloc::string::{String, ToString};
use core::fmt::{self, Write};
use serde_json::{Map, Value};

/// What is wrong, and where.
type Fault = (Excerpt, LayoutFault);

impl Layout {
    /// The layout as JSON. Numbers that may pass 2^53 are text.
    ///
    /// ```
    /// use saiban::Layout;
    /// assert_eq!(
    ///     Layout::TWITTER.to_json(),
    ///     r#"{"fields":[{"kind":"unused","bits":1},{"kind":"timestamp","bits":41},{"kind":"node","bits":10},"#.to_owned()
    ///         + r#"{"kind":"sequence","bits":12}],"epoch_ms":"1288834974657","tick_us":"1000"}"#
    /// );
    /// assert_eq!(Layout::from_json(&Layout::TWITTER.to_json()), Ok(Layout::TWITTER));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        // Text grows, or the program ends: writing to a String answers no error.
        let _ = self.write_json(&mut json);
        json
    }

    /// Names have no character that JSON would escape.
    fn write_json(&self, json: &mut String) -> fmt::Result {
        json.push_str("{\"fields\":[");
        for (index, field) in self.spec.fields().into_iter().enumerate() {
            let Field { kind, bits, name, value, step, random_start } = field;
            let comma = if index > 0 { "," } else { "" };
            write!(json, "{comma}{{\"kind\":\"{}\"", kind.name())?;
            if !name.is_empty() {
                write!(json, ",\"name\":\"{name}\"")?;
            }
            write!(json, ",\"bits\":{bits}")?;
            match kind {
                FieldKind::Constant => write!(json, ",\"value\":\"{value}\"")?,
                FieldKind::Random if step > 0 => write!(json, ",\"step\":\"{step}\"")?,
                FieldKind::Sequence if random_start => json.push_str(",\"start\":\"random\""),
                _ => {}
            }
            json.push('}');
        }
        write!(json, "],\"epoch_ms\":\"{}\",\"tick_us\":\"{}\"}}", self.epoch_ms(), self.tick_us())
    }

    /// Reads a layout from JSON: an object with `fields`, a list of objects with `kind`, `bits` and what else the kind has, `epoch_ms` (0 where
    /// it is missing) and `tick_us` (1000). Whole numbers and numbers in text are read alike; of a key that stands twice the last counts.
    ///
    /// ```
    /// use saiban::Layout;
    /// let json = r#"{"fields":[{"kind":"timestamp","bits":44},{"kind":"random","bits":20}],"epoch_ms":1577836800000}"#;
    /// assert_eq!(Layout::from_json(json)?.to_string(), "timestamp:44,epoch=2020-01-01 random:20");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout`, with the item at fault, or line and column where the text is no JSON.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let invalid = |reason| Error::InvalidLayout { reason };
        let value: Value = serde_json::from_str(json).map_err(|error| {
            let [line, column] = [error.line(), error.column()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            invalid(LayoutProblem::JsonSyntax { line, column })
        })?;
        let spec = spec(&value).map_err(|(item, fault)| invalid(LayoutProblem::Json { item, fault }))?;
        spec.check()
    }
}

fn spec(value: &Value) -> Result<LayoutSpec, Fault> {
    let object = value.as_object().ok_or((Excerpt::new("the layout"), LayoutFault::WrongType))?;
    let mut spec = LayoutSpec::new();
    for (key, value) in object {
        let fault = |fault| (Excerpt::new(key), fault);
        match key.as_str() {
            "fields" => {
                for value in value.as_array().ok_or_else(|| fault(LayoutFault::WrongType))? {
                    spec = spec.field(field(value)?);
                }
            }
            "epoch_ms" => spec = spec.epoch_ms(read(key, value, unix_ms)?),
            "tick_us" => spec = spec.tick_us(read(key, value, number).and_then(|us| small(key, us))?),
            _ => return Err(fault(LayoutFault::UnknownKey)),
        }
    }
    if object.contains_key("fields") { Ok(spec) } else { Err((Excerpt::new("fields"), LayoutFault::KeyMissing)) }
}

fn field(value: &Value) -> Result<Field, Fault> {
    let object = value.as_object().ok_or((Excerpt::new("a field"), LayoutFault::WrongType))?;
    let kind = text(object, "kind")?;
    let kind = FieldKind::from_name(kind).map_err(|_| (Excerpt::new(kind), LayoutFault::UnknownKind))?;
    let mut field = Field::new(kind, 0);
    for (key, value) in object {
        match key.as_str() {
            "kind" => {}
            "bits" => field.bits = read(key, value, number).and_then(|bits| small(key, bits))?,
            "name" if kind == FieldKind::Node => {
                let name = text(object, key)?;
                field.name = Name::read(name).ok_or((Excerpt::new(name), LayoutFault::NotAName))?;
            }
            "name" => return Err((Excerpt::of_part(kind.name(), key), LayoutFault::NotOfThisKind)),
            // The layout's, as the tick is.
            "epoch" => return Err((Excerpt::of_part(kind.name(), key), LayoutFault::UnknownKey)),
            _ => {
                check_key(kind, key).map_err(|fault| (Excerpt::of_part(kind.name(), key), fault))?;
                match key.as_str() {
                    "value" => field.value = read(key, value, number)?,
                    "step" => field.step = read(key, value, step)?,
                    _ => field.random_start = read(key, value, start)?,
                }
            }
        }
    }
    for (key, is_needed) in [("bits", true), ("value", kind == FieldKind::Constant)] {
        if is_needed && !object.contains_key(key) {
            return Err((Excerpt::of_part(kind.name(), key), LayoutFault::KeyMissing));
        }
    }
    Ok(field)
}

fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a str, Fault> {
    let value = object.get(key).ok_or((Excerpt::new(key), LayoutFault::KeyMissing))?;
    value.as_str().ok_or((Excerpt::new(key), LayoutFault::WrongType))
}

/// A value that is text, or a number that reads as the same.
fn read<T>(key: &str, value: &Value, read: fn(&str) -> Result<T, (&str, LayoutFault)>) -> Result<T, Fault> {
    let at_key = |(piece, fault)| (Excerpt::new(if str::is_empty(piece) { key } else { piece }), fault);
    match value {
        Value::String(text) => read(text).map_err(at_key),
        Value::Number(number) => read(&number.to_string()).map_err(at_key),
        _ => Err((Excerpt::new(key), LayoutFault::WrongType)),
    }
}

fn small<T: TryFrom<u128>>(key: &str, number: u128) -> Result<T, Fault> {
    T::try_from(number).map_err(|_| (Excerpt::new(key), LayoutFault::NumberTooLarge))
}
