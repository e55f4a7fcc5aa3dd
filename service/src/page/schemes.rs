//! The table of the configured schemes on the status page.

use super::fields::{Field, of_layout, of_scheme};
use super::view::{LastError, Lease, Scheme, Status};
use super::words::{count, nodes, rate, when};
use maud::{Markup, html};
use saiban::Layout;
use saiban::scheme::GeneratorOption;

pub(super) fn table(status: &Status) -> Markup {
    if status.schemes.is_empty() {
        return html! { p.empty { "None. The configuration names none, or its file was not read." } };
    }
    html! {
        table.stack.schemes {
            thead {
                tr {
                    th scope="col" { "Name" }
                    th scope="col" { "IDs" }
                    th scope="col" { "Nodes here" }
                    th scope="col" { "Lease" }
                    th scope="col" .number { "Issued" }
                    th scope="col" .number { "IDs/s, last 10 s" }
                }
            }
            @for scheme in &status.schemes { (rows(scheme, status.now_ms)) }
        }
    }
}

/// Returns the row of a scheme, with its last error below.
fn rows(scheme: &Scheme, now_ms: i64) -> Markup {
    html! {
        tbody {
            tr {
                th scope="row" data-label="Name" {
                    (scheme.name)
                    @if !scheme.is_ready { " " span.flag.bad { "not ready" } }
                }
                td.ids data-label="IDs" { (kind(scheme)) }
                td data-label="Nodes here" {
                    @match (&scheme.nodes, &scheme.namespace) {
                        (Some(range), _) => code { (nodes(range)) },
                        (None, Some(_)) => span.bad { "none" },
                        (None, None) => span.dim { "needs none" },
                    }
                    @if let Some(namespace) = &scheme.namespace { span.under { "of " (namespace) } }
                }
                td data-label="Lease" { (lease(scheme.lease.as_ref(), now_ms)) }
                td.number data-label="Issued" { (count(scheme.issued)) }
                td.number data-label="IDs/s, last 10 s" { (rate(scheme.ids_per_second)) }
            }
            @if let Some(error) = &scheme.last_error { (last_error(error, now_ms)) }
        }
    }
}

/// Describes the IDs: the scheme in words, and a strip of its bits.
fn kind(scheme: &Scheme) -> Markup {
    let fields = fields(scheme);
    // The layout of an encrypted scheme is that of the bits before encryption.
    let is_encrypted = saiban::Scheme::from_name(&scheme.scheme).is_ok_and(|own| own.takes(GeneratorOption::Secret));
    html! {
        span.kind { (scheme.scheme) span.dim { ", " (scheme.bits) " bits" @if is_encrypted { ", encrypted" } } }
        @if let Some(fields) = &fields { (strip(fields)) }
        @if let Some(layout) = &scheme.layout { code.layout { (layout) } }
    }
}

fn fields(scheme: &Scheme) -> Option<Vec<Field>> {
    let layout = scheme.layout.as_ref().and_then(|text| Layout::from_text(text).or_else(|_| Layout::preset(text)).ok());
    let own = || saiban::Scheme::from_name(&scheme.scheme).ok().and_then(|own| of_scheme(own, None));
    layout.as_ref().map(of_layout).or_else(own)
}

/// Draws the fields in proportion to their bits. The text next to the strip contains the same
/// facts.
fn strip(fields: &[Field]) -> Markup {
    let bits: u32 = fields.iter().map(Field::bits).sum();
    html! {
        svg.strip viewBox={ "0 0 " (bits) " 4" } preserveAspectRatio="none" aria-hidden="true" {
            @for field in fields {
                rect.(field.kind.class()) x=(bits - 1 - field.high) y="0" width=(field.bits()) height="4" {
                    title { (field.name) ", " (field.bits()) @if field.bits() == 1 { " bit" } @else { " bits" } }
                }
            }
        }
    }
}

fn lease(lease: Option<&Lease>, now_ms: i64) -> Markup {
    let Some(Lease { state, end_ms, grants }) = lease else {
        return html! { span.dim { "none" } };
    };
    let class = match state.as_str() {
        "active" | "renewing" => "",
        "expired" | "lost" | "invalid" => "bad",
        _ => "warn",
    };
    html! {
        span.(class) { (state) }
        @if let Some(end_ms) = end_ms { span.under { @if *end_ms < now_ms { "ended " } @else { "ends " } (when(*end_ms, now_ms)) } }
        @if *grants > 1 { span.under { (count(*grants)) " grants" } }
    }
}

fn last_error(error: &LastError, now_ms: i64) -> Markup {
    html! {
        tr.error {
            td colspan="6" { span.dim { "Last error, " (when(error.at_ms, now_ms)) ": " } code { (error.code) } " " (error.message) }
        }
    }
}
