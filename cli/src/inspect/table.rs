//! Formats the candidates of one ID as a table for people.

use super::view::{View, why};
use crate::time::utc_or_year;
use saiban::inspect::{Candidate, Candidates};

/// How many candidates are shown without `--all`.
const SHORT_LIST: usize = 5;

/// Returns the lines for one ID: the best candidate with its reasons, then other candidates
/// without. With `--all`, all candidates have their reasons.
pub(super) fn lines(view: &View, text: &str, found: &Candidates) -> Vec<String> {
    let mut lines = vec![text.to_owned()];
    lines.extend(found.near_miss(text).map(|error| format!("  {error}")));
    if !found.ranked().any(Candidate::is_believable) {
        let hidden = view.inspector.may_be_randflake(text);
        let hint = if hidden { " (a Randflake ID shows its parts with its secret only)" } else { "" };
        lines.push(format!("  no likely match{hint}"));
    }
    let is_shown = |(place, candidate): &(usize, &Candidate)| {
        view.all || *place == 0 || *place < SHORT_LIST && candidate.is_plausible()
    };
    let shown: Vec<_> = found.ranked().enumerate().filter(is_shown).collect();
    let names: Vec<String> = shown.iter().map(|(_, candidate)| name(view, candidate)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(24);
    for ((place, candidate), name) in shown.iter().zip(names) {
        lines.push(line(view, &name, width, candidate, text));
        if view.all || *place == 0 {
            lines.push(format!("    {}", why(candidate).join("; ")));
        }
    }
    match found.len() - shown.len() {
        0 => {}
        left => lines.push(format!("  and {left} less likely: --all shows them")),
    }
    lines
}

fn name(view: &View, candidate: &Candidate) -> String {
    match view.layout(candidate) {
        Some(layout) => format!("{} ({layout})", candidate.parts().scheme),
        None => candidate.parts().scheme.to_string(),
    }
}

fn line(view: &View, name: &str, width: usize, candidate: &Candidate, input: &str) -> String {
    let parts = candidate.parts();
    let mut line = format!("  {name:<width$} {:<24}", parts.timestamp_ms.map_or_else(String::new, utc_or_year));
    let named: Vec<String> =
        view.inspector.node_parts(candidate).map(|(part, value)| format!("{part} {value}")).collect();
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
