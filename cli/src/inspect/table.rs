//! Formats the candidates of one ID as a table for people.

use super::answers::{Answers, why};
use crate::time::utc_or_year;
use saiban::inspect::{Candidate, Candidates};

/// How many candidates are shown without `--all`.
const SHORT_LIST: usize = 5;

/// Returns the lines for one ID: the best candidate with its reasons, then other candidates
/// without. With `--all`, all candidates have their reasons.
pub(super) fn lines(answers: &Answers, text: &str, found: &Candidates) -> Vec<String> {
    let mut lines = vec![text.to_owned()];
    lines.extend(found.near_miss(text).map(|error| format!("  {error}")));
    if !found.ranked().any(Candidate::is_believable) {
        let hidden = answers.inspector.may_be_randflake(text);
        let hint = if hidden { " (a Randflake ID shows its parts with its secret only)" } else { "" };
        lines.push(format!("  nothing likely that is known{hint}"));
    }
    let is_told = |(place, candidate): &(usize, &Candidate)| {
        answers.all || *place == 0 || *place < SHORT_LIST && candidate.is_plausible()
    };
    let told: Vec<_> = found.ranked().enumerate().filter(is_told).collect();
    let names: Vec<String> = told.iter().map(|(_, candidate)| name(answers, candidate)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(24);
    for ((place, candidate), name) in told.iter().zip(names) {
        lines.push(line(answers, &name, width, candidate, text));
        if answers.all || *place == 0 {
            lines.push(format!("    {}", why(candidate).join("; ")));
        }
    }
    match found.len() - told.len() {
        0 => {}
        left => lines.push(format!("  and {left} less likely: --all tells them")),
    }
    lines
}

fn name(answers: &Answers, candidate: &Candidate) -> String {
    match answers.layout(candidate) {
        Some(layout) => format!("{} ({layout})", candidate.parts().scheme),
        None => candidate.parts().scheme.to_string(),
    }
}

fn line(answers: &Answers, name: &str, width: usize, candidate: &Candidate, input: &str) -> String {
    let parts = candidate.parts();
    let mut line = format!("  {name:<width$} {:<24}", parts.timestamp_ms.map_or_else(String::new, utc_or_year));
    let named: Vec<String> =
        answers.inspector.node_parts(candidate).map(|(part, value)| format!("{part} {value}")).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    for (label, value, behind) in [
        ("submillisecond_ns", parts.submillisecond_ns.map(u128::from), ""),
        ("node", parts.node.map(u128::from), named.as_str()),
        ("sequence", parts.sequence.map(u128::from), ""),
        ("random", parts.random, ""),
        ("rollback", parts.rollback.map(u128::from), ""),
        ("secret_index", parts.secret_index.map(u128::from), ""),
    ] {
        if let Some(value) = value {
            line += &format!("  {label} {value}{behind}");
        }
    }
    let text = candidate.text();
    if text.as_str() != input {
        line += &format!("  text {text}");
    }
    line.trim_end().to_owned()
}
