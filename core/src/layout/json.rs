//! Layouts as JSON: [`Layout::to_json`] and [`Layout::from_json`], with the feature `json`.
//!
//! The JSON has the fields of a layout's text, for programs that edit layouts.

use super::read::{check_key, number, start, step, unix_ms};
use super::{Field, FieldKind, Layout, LayoutSpec, Name};
use crate::error::{Error, Excerpt, JsonFound, JsonKey, JsonPlace, LayoutFault, LayoutProblem};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

impl Layout {
    /// Returns the layout as JSON. Numbers that may exceed 2^53 are strings.
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
        // Writing to a `String` never returns an error.
        let _ = self.write_json(&mut json);
        json
    }

    /// Writes the JSON. Names need no escape: they are letters, digits and underscores.
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

    /// Parses a layout from JSON.
    ///
    /// The text is an object with `fields`, `epoch_ms` (default 0) and `tick_us` (default 1000).
    /// `fields` is a list of objects with `kind`, `bits` and the properties of the kind. Numbers
    /// may be JSON numbers or strings. A key that occurs twice is an error.
    ///
    /// ```
    /// use saiban::Layout;
    /// let json = r#"{"fields":[{"kind":"timestamp","bits":44},{"kind":"random","bits":20}],"epoch_ms":1577836800000}"#;
    /// assert_eq!(Layout::from_json(json)?.to_string(), "timestamp:44,epoch=2020-01-01 random:20");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout` with the field at fault (its index from 0, its kind), the value found and
    /// the values allowed. For text that is not JSON, it has the line and column.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let spec = match serde_json::from_str(json) {
            Ok(value) => {
                no_key_twice(json, &value).and_then(|()| spec(&value)).map_err(|problem| as_written(json, problem))
            }
            Err(error) => Err(syntax(json, &error)),
        };
        spec.map_err(|reason| Error::InvalidLayout { reason })?.check()
    }
}

/// The keys of a layout. The epoch and the tick belong to the layout, not to a field.
const KEYS: [&str; 3] = ["fields", "epoch_ms", "tick_us"];
/// The keys of a field.
const FIELD_KEYS: [&str; 6] = ["kind", "bits", "name", "value", "step", "start"];

/// Returns the position of a JSON syntax error, and the text at that position.
fn syntax(json: &str, error: &serde_json::Error) -> LayoutProblem {
    let [line, column] = [error.line(), error.column()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
    if error.is_eof() {
        return LayoutProblem::JsonEnd { line, column };
    }
    let of_line = json.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    // Columns count bytes from 1, so the error may be in the middle of a character.
    let mut at = error.column().saturating_sub(1).min(of_line.len());
    while !of_line.is_char_boundary(at) {
        at -= 1;
    }
    LayoutProblem::JsonSyntax { line, column, item: Excerpt::new(&of_line[at..]) }
}

/// The first duplicate key of a JSON object, and those of the objects in its `fields`.
#[derive(Default)]
struct Repeated {
    key: Option<String>,
    fields: Vec<Repeated>,
}

/// Rejects duplicate keys. `Value` keeps only the last value of a key, so this parses the text
/// again.
fn no_key_twice(json: &str, value: &Value) -> Result<(), LayoutProblem> {
    let repeated: Repeated = serde_json::from_str(json).map_err(|error| syntax(json, &error))?;
    let twice = |place: JsonPlace, key: &str| Err(place.stranger(key, LayoutFault::KeyTwice));
    if let Some(key) = &repeated.key {
        return twice(JsonPlace::default(), key);
    }
    let of_field = repeated.fields.iter().enumerate().find_map(|(index, field)| Some((index, field.key.as_ref()?)));
    of_field.map_or(Ok(()), |(index, key)| {
        let kind = value["fields"][index]["kind"].as_str().and_then(|kind| FieldKind::from_name(kind).ok());
        twice(JsonPlace { field: Some(u16::try_from(index).unwrap_or(u16::MAX)), kind }, key)
    })
}

impl<'de> Deserialize<'de> for Repeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Repeated::default())
    }
}

impl<'de> Visitor<'de> for Repeated {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == KEYS[0] {
                self.fields = map.next_value::<Repeated>()?.fields;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            if keys.contains(&key) {
                self.key = self.key.or(Some(key));
            } else {
                keys.insert(key);
            }
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
        while let Some(item) = items.next_element()? {
            self.fields.push(item);
        }
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// Replaces the number in a problem by its spelling in the text, because parsing may have rounded
/// it.
fn as_written(json: &str, problem: LayoutProblem) -> LayoutProblem {
    let LayoutProblem::Json { place, key, found: JsonFound::Number(shown) } = problem else { return problem };
    let is_told = |token: &&str| {
        let number = serde_json::from_str::<Value>(token).ok().filter(Value::is_number);
        number.is_some_and(|number| Excerpt::new(&number.to_string()) == shown)
    };
    let written = json.split(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).find(is_told);
    let found = JsonFound::Number(written.map_or(shown, Excerpt::new));
    LayoutProblem::Json { place, key, found }
}

/// Describes a value for an error message.
fn found(value: Option<&Value>) -> JsonFound {
    match value {
        None => JsonFound::Nothing,
        Some(Value::Null) => JsonFound::Null,
        Some(Value::Bool(true)) => JsonFound::True,
        Some(Value::Bool(false)) => JsonFound::False,
        Some(Value::Array(_)) => JsonFound::List,
        Some(Value::Object(_)) => JsonFound::Object,
        Some(Value::Number(number)) => JsonFound::Number(Excerpt::new(&number.to_string())),
        Some(Value::String(text)) => JsonFound::Text(Excerpt::new(text)),
    }
}

impl JsonPlace {
    /// Returns the problem that `key` has no value, or a value that is not allowed.
    fn wrong(self, key: JsonKey, value: Option<&Value>) -> LayoutProblem {
        LayoutProblem::Json { place: self, key, found: found(value) }
    }

    /// Returns the problem that `key` is unknown, occurs twice, or is not allowed here.
    fn stranger(self, key: &str, fault: LayoutFault) -> LayoutProblem {
        LayoutProblem::JsonKey { place: self, key: Excerpt::new(key), fault }
    }

    /// Parses a string, or a number through its decimal text.
    fn read<T>(
        self,
        key: JsonKey,
        value: &Value,
        read: impl Fn(&str) -> Result<T, (&str, LayoutFault)>,
    ) -> Result<T, LayoutProblem> {
        let answer = match value {
            Value::String(text) => read(text).ok(),
            Value::Number(number) => read(&number.to_string()).ok(),
            _ => None,
        };
        answer.ok_or(self.wrong(key, Some(value)))
    }

    /// Parses a number, or a string that contains one, as a `T`.
    fn small<T: TryFrom<u128>>(self, key: JsonKey, value: &Value) -> Result<T, LayoutProblem> {
        T::try_from(self.read(key, value, number)?).map_err(|_| self.wrong(key, Some(value)))
    }
}

fn spec(value: &Value) -> Result<LayoutSpec, LayoutProblem> {
    let place = JsonPlace::default();
    let object = value.as_object().ok_or_else(|| place.wrong(JsonKey::Layout, Some(value)))?;
    // An unknown key may be a misspelling of a missing one, so report the unknown key first.
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(place.stranger(key, LayoutFault::UnknownKey));
    }
    let mut spec = LayoutSpec::new();
    let fields = object.get("fields");
    for (index, value) in
        fields.and_then(Value::as_array).ok_or_else(|| place.wrong(JsonKey::Fields, fields))?.iter().enumerate()
    {
        spec = spec.field(field(value, u16::try_from(index).unwrap_or(u16::MAX))?);
    }
    for (key, value) in object {
        match key.as_str() {
            "epoch_ms" => spec = spec.epoch_ms(place.read(JsonKey::EpochMs, value, unix_ms)?),
            "tick_us" => spec = spec.tick_us(place.small(JsonKey::TickUs, value)?),
            _ => {}
        }
    }
    Ok(spec)
}

fn field(value: &Value, index: u16) -> Result<Field, LayoutProblem> {
    let place = JsonPlace { field: Some(index), kind: None };
    let object = value.as_object().ok_or_else(|| place.wrong(JsonKey::Field, Some(value)))?;
    let kind = object.get("kind").and_then(Value::as_str).and_then(|kind| FieldKind::from_name(kind).ok());
    let place = JsonPlace { kind, ..place };
    if let Some(key) = object.keys().find(|key| !FIELD_KEYS.contains(&key.as_str())) {
        return Err(place.stranger(key, LayoutFault::UnknownKey));
    }
    let kind = kind.ok_or_else(|| place.wrong(JsonKey::Kind, object.get("kind")))?;
    let mut field = Field::new(kind, 0);
    for (key, value) in object {
        match key.as_str() {
            "kind" => {}
            "bits" => {
                field.bits = place.small(JsonKey::Bits, value)?;
                if !(1..=kind.max_bits()).contains(&field.bits) {
                    return Err(place.wrong(JsonKey::Bits, Some(value)));
                }
            }
            "name" if kind == FieldKind::Node => {
                let name = value.as_str().and_then(Name::read);
                field.name = name.ok_or_else(|| place.wrong(JsonKey::Name, Some(value)))?;
            }
            "name" => return Err(place.stranger(key, LayoutFault::NotOfThisKind)),
            _ => {
                check_key(kind, key).map_err(|fault| place.stranger(key, fault))?;
                match key.as_str() {
                    "value" => field.value = place.read(JsonKey::Value, value, number)?,
                    "step" => field.step = place.read(JsonKey::Step, value, step)?,
                    _ => field.random_start = place.read(JsonKey::Start, value, start)?,
                }
            }
        }
    }
    for (name, key, is_needed) in
        [("bits", JsonKey::Bits, true), ("value", JsonKey::Value, kind == FieldKind::Constant)]
    {
        if is_needed && !object.contains_key(name) {
            return Err(place.wrong(key, None));
        }
    }
    Ok(field)
}
