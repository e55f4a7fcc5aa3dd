//! The page of the inspector: a field for an ID, and the candidates for it.

use super::document::{Page, document};
use super::inspection::{Candidate, Inspection, Part};
use super::words::utc;
use maud::{Markup, html};

const NOTHING_LIKELY: &str = "No likely match.";

pub(super) fn page(inspection: &Inspection) -> Markup {
    let id = inspection.input.trim();
    let title = match lead(inspection).and_then(|place| inspection.candidates.get(place)) {
        Some(first) => format!("{} · inspect · saiban", name(first)),
        None => "Inspect an ID · saiban".to_owned(),
    };
    let main = html! {
        h1 { label for="id" { "What can this ID be?" } }
        form #ask action="/inspect" method="get" role="search" aria-label="Inspect an ID" {
            input #id name="id" type="text" value=(inspection.input) autocomplete="off" autocapitalize="off" spellcheck="false"
                maxlength="1024" aria-describedby="hint" aria-invalid=[inspection.error.as_ref().map(|_| "true")] autofocus[id.is_empty()];
            button type="submit" { "Inspect" }
        }
        p #hint.dim { "A number, a UUID, ULID, ObjectId, Ulid-Flake, Randflake or tick ID, in any of the encodings." }
        // Screen readers announce this sentence only. The table can then be read in detail.
        p #said.aside role="status" { (said(inspection)) }
        div #answer { (answer(inspection)) }
    };
    document(Page::Inspector, &title, &html! {}, &main)
}

/// Returns the index of the candidate that is shown in full, or `None` if none is likely.
///
/// It is the first plausible candidate. A given layout is ranked first even with an implausible
/// time; another candidate is then the better result.
fn lead(inspection: &Inspection) -> Option<usize> {
    let plausible = inspection.candidates.iter().position(|candidate| candidate.is_plausible);
    plausible.or(inspection.is_likely.then_some(0))
}

/// Returns the result in one sentence.
fn said(inspection: &Inspection) -> String {
    match lead(inspection).and_then(|place| inspection.candidates.get(place)) {
        _ if inspection.error.is_some() => "Not an ID.".to_owned(),
        Some(first) if first.is_plausible => format!("Most likely: {}.", name(first)),
        Some(first) => format!("Perhaps: {}.", name(first)),
        _ if inspection.input.trim().is_empty() => String::new(),
        _ => NOTHING_LIKELY.to_owned(),
    }
}

fn answer(inspection: &Inspection) -> Markup {
    let is_unlikely = inspection.error.is_none() && !inspection.is_likely && !inspection.input.trim().is_empty();
    let lead = lead(inspection);
    let first = lead.and_then(|place| inspection.candidates.get(place));
    let others = inspection.candidates.iter().enumerate().filter(|(place, _)| Some(*place) != lead);
    let (rest, unlikely): (Vec<&Candidate>, Vec<&Candidate>) =
        others.map(|(_, candidate)| candidate).partition(|candidate| candidate.is_plausible);
    html! {
        @for problem in inspection.error.iter().chain(&inspection.near_miss) {
            p.refused { code { (problem.code) } " " (problem.message) }
        }
        @if is_unlikely {
            p {
                (NOTHING_LIKELY)
                @if inspection.may_be_randflake { " It may be a Randflake ID, which shows its parts with its secret \
                    only." }
            }
        }
        @if let Some(candidate) = first {
            article.first { (heading(candidate)) (body(candidate)) }
        }
        (list("also", "It can also be", &rest))
        (list("unlikely", "Unlikely", &unlikely))
    }
}

fn list(id: &str, title: &str, candidates: &[&Candidate]) -> Markup {
    html! {
        @if !candidates.is_empty() {
            section aria-labelledby=(id) {
                h2 id=(id) { (title) }
                @for candidate in candidates { (folded(candidate)) }
            }
        }
    }
}

fn folded(candidate: &Candidate) -> Markup {
    html! {
        details {
            summary {
                span.name { (name(candidate)) }
                span.when { @if let Some(utc) = candidate.timestamp_ms.and_then(utc) { (utc) } }
                span.why { (candidate.why.join("; ")) }
            }
            (body(candidate))
        }
    }
}

fn heading(candidate: &Candidate) -> Markup {
    html! {
        h2 { (name(candidate)) }
        p.why { (candidate.why.join("; ")) }
    }
}

/// Returns the name of a candidate: `orders: snowflake (twitter)`.
fn name(candidate: &Candidate) -> String {
    let own = match &candidate.form {
        Some(form) => format!("{} ({form})", candidate.scheme),
        None => candidate.scheme.to_string(),
    };
    match &candidate.configured {
        Some(name) => format!("{name}: {own}"),
        None => own,
    }
}

fn body(candidate: &Candidate) -> Markup {
    html! {
        @if let Some(layout) = &candidate.layout { p { code.layout { (layout) } } }
        @for drawing in &candidate.drawings { (drawing) }
        table.stack.parts {
            caption.aside { "What it holds" }
            thead {
                tr {
                    th scope="col" { "Part" }
                    th scope="col" { "Bits" }
                    th scope="col" { "Value" }
                    th scope="col" { "Also" }
                }
            }
            tbody { @for part in &candidate.parts { (row(part)) } }
        }
        dl.forms {
            div { dt { "Text" } dd { code { (candidate.text) } } }
            div { dt { "Decimal" } dd { code { (candidate.decimal) } } }
            div { dt { "Hexadecimal" } dd { code { (candidate.hex) } } }
        }
    }
}

fn row(part: &Part) -> Markup {
    html! {
        tr {
            th scope="row" data-label="Part" { span.swatch.(part.kind.class()) aria-hidden="true" {} (part.name) }
            td data-label="Bits" {
                @match (&part.place, part.bits) {
                    (Some(place), Some(bits)) => { (place) span.dim { " · " (bits) @if bits == 1 { " bit" } @else { " \
                        bits" } } },
                    _ => span.dim { "none of its own" },
                }
            }
            td data-label="Value" { code { (part.value) } }
            td.dim data-label="Also" { @if let Some(detail) = &part.detail { (detail) } }
        }
    }
}
