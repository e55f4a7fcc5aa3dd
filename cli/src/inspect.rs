//! `saiban inspect`: says what IDs can be.

use crate::args::{Inspect, SecretSource};
use crate::failure::Failure;
use crate::output::Output;
use crate::secret;
use jiff::Timestamp;
use saiban::{Inspector, Parts, Scheme};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) fn run(arguments: &Inspect) -> Result<(), Failure> {
    let mut inspector = Inspector::now()?;
    if let Some(name) = &arguments.scheme {
        inspector = inspector.scheme(Scheme::from_name(name).map_err(Failure::of(name))?);
    }
    for source in secret_sources(&arguments.secret_files) {
        if let Some(secret) = secret::find(&source)? {
            inspector = inspector.secret(&secret)?;
        }
    }
    let mut output = Output::stdout();
    let inspected = arguments.ids.iter().try_for_each(|text| {
        let found = inspector.inspect_text(text).map_err(Failure::of(text))?;
        if arguments.json {
            let candidates: Vec<Value> = found.iter().map(to_json).collect();
            return output.line(&json!({ "input": text, "candidates": candidates }).to_string());
        }
        output.line(text)?;
        if found.is_empty() {
            output.line("  nothing that is known (a Randflake ID shows its parts with its secret only)")?;
        }
        found.iter().try_for_each(|parts| output.line(&to_line(parts)))
    });
    output.finish()?;
    inspected
}

/// Where secrets come from: the files, or without any the environment.
fn secret_sources(files: &[PathBuf]) -> Vec<SecretSource> {
    if files.is_empty() {
        return vec![SecretSource { file: None }];
    }
    files.iter().map(|file| SecretSource { file: Some(file.clone()) }).collect()
}

/// The time as RFC 3339; as a number where no calendar reaches.
fn time(timestamp_ms: i64) -> String {
    Timestamp::from_millisecond(timestamp_ms).map_or_else(|_| format!("{timestamp_ms} ms"), |time| format!("{time:.3}"))
}

/// A number, or the digits of one that JSON's readers would not keep all of.
fn number(part: u128) -> Value {
    u64::try_from(part).map_or_else(|_| part.to_string().into(), Value::from)
}

fn to_json(parts: &Parts) -> Value {
    let text = parts.id.encode(parts.scheme.encoding()).ok();
    json!({
        "scheme": parts.scheme.name(),
        "layout": parts.layout,
        "id": parts.id.to_string(),
        "text": text.as_deref(),
        "timestamp_ms": parts.timestamp_ms,
        "time": parts.timestamp_ms.map(time),
        "node": parts.node,
        "sequence": parts.sequence,
        "random": parts.random.map(number),
        "rollback": parts.rollback,
        "secret_index": parts.secret_index,
    })
}

fn to_line(parts: &Parts) -> String {
    let name = match parts.layout {
        Some(layout) => format!("{} ({layout})", parts.scheme),
        None => parts.scheme.to_string(),
    };
    let mut line = format!("  {name:<24} {:<24}", parts.timestamp_ms.map_or_else(String::new, time));
    let values = [
        ("node", parts.node.map(u128::from)),
        ("sequence", parts.sequence.map(u128::from)),
        ("random", parts.random),
        ("rollback", parts.rollback.map(u128::from)),
        ("secret_index", parts.secret_index.map(u128::from)),
    ];
    for (label, value) in values {
        if let Some(value) = value {
            line += &format!("  {label} {value}");
        }
    }
    line
}
