//! `saiban inspect`: says what IDs can be.

use crate::args::{Inspect, SecretSource};
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::read_layout;
use crate::secret;
use crate::time::{utc, utc_or_year};
use saiban::inspect::{Candidate, Candidates, Reason};
use saiban::{Inspector, Layout, Parts, Scheme};
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many candidates are told without being asked for all.
const SHORT_LIST: usize = 5;

pub(crate) fn run(arguments: &Inspect) -> Result<(), Failure> {
    let layouts = arguments.layouts.iter().map(|text| read_layout(text).map_err(Failure::of("--layout")));
    let layouts = layouts.collect::<Result<Vec<Layout>, Failure>>()?;
    let inspector = inspector(arguments, &layouts)?;
    let mut output = Output::stdout();
    let inspected = arguments.ids.iter().try_for_each(|text| {
        let found = inspector.inspect_text(text).map_err(Failure::of(text))?;
        if arguments.json {
            let candidates: Vec<Value> = found.ranked().map(|candidate| to_json(candidate, &layouts)).collect();
            return output.line(&json!({ "input": text, "candidates": candidates }).to_string());
        }
        lines(text, &found, &layouts, arguments.all).iter().try_for_each(|line| output.line(line))
    });
    output.finish()?;
    inspected
}

fn inspector(arguments: &Inspect, layouts: &[Layout]) -> Result<Inspector, Failure> {
    let mut inspector = layouts.iter().try_fold(Inspector::now()?, Inspector::layout)?;
    if let Some(name) = &arguments.scheme {
        inspector = inspector.scheme(Scheme::from_name(name).map_err(Failure::of(name))?);
    }
    if let Some(epoch) = arguments.epoch {
        inspector = inspector.epoch_ms(epoch.floor_ms()).map_err(Failure::of("--epoch"))?;
    }
    for source in secret_sources(&arguments.secret_files) {
        if let Some(secret) = secret::find(&source)? {
            inspector = inspector.secret(&secret)?;
        }
    }
    Ok(inspector)
}

/// Where secrets come from: the files, or without any the environment.
fn secret_sources(files: &[PathBuf]) -> Vec<SecretSource> {
    if files.is_empty() {
        return vec![SecretSource { file: None }];
    }
    files.iter().map(|file| SecretSource { file: Some(file.clone()) }).collect()
}

/// The table of one ID: the best candidate with why, others shortly; with why too where all are asked for.
fn lines(text: &str, found: &Candidates, layouts: &[Layout], all: bool) -> Vec<String> {
    let mut lines = vec![text.to_owned()];
    if !found.ranked().any(is_believable) {
        lines.push("  nothing likely that is known (a Randflake ID shows its parts with its secret only)".to_owned());
    }
    let is_told = |(place, candidate): &(usize, &Candidate)| {
        all || *place == 0 || *place < SHORT_LIST && candidate.is_plausible()
    };
    let told: Vec<_> = found.ranked().enumerate().filter(is_told).collect();
    let names: Vec<String> = told.iter().map(|(_, candidate)| name(candidate, layouts)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(24);
    for ((place, candidate), name) in told.iter().zip(names) {
        lines.push(line(&name, width, candidate, text));
        if all || *place == 0 {
            lines.push(format!("    {}", why(candidate).join("; ")));
        }
    }
    match found.len() - told.len() {
        0 => {}
        left => lines.push(format!("  and {left} less likely: --all tells them")),
    }
    lines
}

/// Whether the time is one at which such IDs were made, or the text is in no other scheme's form.
fn is_believable(candidate: &Candidate) -> bool {
    candidate.is_plausible() || candidate.reasons().any(|reason| matches!(reason, Reason::LengthAndAlphabet(_)))
}

/// The scheme and what of its forms: a preset, a version, an order, a layout of the user's own.
fn name(candidate: &Candidate, layouts: &[Layout]) -> String {
    match layout(candidate, layouts) {
        Some(layout) => format!("{} ({layout})", candidate.parts().scheme),
        None => candidate.parts().scheme.to_string(),
    }
}

fn layout(candidate: &Candidate, layouts: &[Layout]) -> Option<String> {
    let named = candidate.parts().layout.map(str::to_owned);
    named.or_else(|| layouts.get(candidate.layout_index()?).map(Layout::to_string))
}

fn why(candidate: &Candidate) -> Vec<String> {
    candidate.reasons().map(|reason| reason.to_string()).collect()
}

fn line(name: &str, width: usize, candidate: &Candidate, input: &str) -> String {
    let parts = candidate.parts();
    let mut line = format!("  {name:<width$} {:<24}", parts.timestamp_ms.map_or_else(String::new, utc_or_year));
    for (label, value) in numbers(parts) {
        if let Some(value) = value {
            line += &format!("  {label} {value}");
        }
    }
    let text = candidate.text();
    if text.as_str() != input {
        line += &format!("  text {text}");
    }
    line.trim_end().to_owned()
}

fn numbers(parts: &Parts) -> [(&'static str, Option<u128>); 5] {
    [
        ("node", parts.node.map(u128::from)),
        ("sequence", parts.sequence.map(u128::from)),
        ("random", parts.random),
        ("rollback", parts.rollback.map(u128::from)),
        ("secret_index", parts.secret_index.map(u128::from)),
    ]
}

/// A number, or the digits of one that JSON's readers would not keep all of.
fn number(part: u128) -> Value {
    u64::try_from(part).map_or_else(|_| part.to_string().into(), Value::from)
}

fn to_json(candidate: &Candidate, layouts: &[Layout]) -> Value {
    let parts = candidate.parts();
    let mut object = json!({
        "scheme": parts.scheme.name(),
        "layout": layout(candidate, layouts),
        "id": parts.id.to_string(),
        "bits": parts.id.bits(),
        "text": candidate.text().as_str(),
        "timestamp_ms": parts.timestamp_ms,
        "time": parts.timestamp_ms.and_then(utc),
        "plausible": candidate.is_plausible(),
        "score": candidate.score(),
        "reasons": candidate.reasons().map(|reason| reason.name()).collect::<Vec<_>>(),
        "why": why(candidate),
    });
    for (label, value) in numbers(parts) {
        object[label] = value.map_or(Value::Null, number);
    }
    object
}
