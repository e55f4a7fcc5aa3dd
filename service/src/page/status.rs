//! The status page: readiness first, then schemes, namespaces, load and limits, and the clock.

use super::document::{Page, document};
use super::view::{Clock, Limits, Load, Readiness, Status};
use super::words::{count, many, natural, rate, span, time, utc, when};
use super::{namespaces, schemes};
use maud::{Markup, html};

pub(super) fn page(status: &Status) -> Markup {
    let title = match &status.readiness {
        Readiness::Ready => "Ready · saiban".to_owned(),
        Readiness::NotReady(obstacles) => format!("NOT READY ({}) · saiban", obstacles.len()),
        Readiness::Stopping => "Stopping · saiban".to_owned(),
    };
    let main = html! {
        section #lead data-live="" aria-labelledby="readiness" {
            (readiness(status))
            (facts(status))
        }
        section #schemes data-live="" aria-labelledby="schemes-title" {
            h2 #schemes-title { "Schemes" }
            (schemes::table(status))
        }
        section #namespaces data-live="" aria-labelledby="namespaces-title" {
            h2 #namespaces-title { "Namespaces" }
            (namespaces::sections(&status.namespaces))
        }
        div.pair {
            section #load data-live="" aria-labelledby="load-title" {
                h2 #load-title { "Load and limits" }
                (load(&status.load, &status.limits))
            }
            section #clock data-live="" aria-labelledby="clock-title" {
                h2 #clock-title { "Clock" }
                (clock(&status.clock, status.now_ms))
            }
        }
    };
    // The script adds here that it refreshes the page, or why it could not.
    let as_of = utc(status.now_ms).unwrap_or_default();
    let clock = as_of.get(11..19).unwrap_or(&as_of);
    let beside = html! { p #refresh { "as of " time datetime=(as_of) title=(as_of) { (clock) " UTC" } span #live {} } };
    document(Page::Status, &title, &beside, &main)
}

/// Returns the readiness as one sentence, and what prevents it.
fn readiness(status: &Status) -> Markup {
    let per_second: f64 = status.schemes.iter().map(|scheme| scheme.ids_per_second.max(0.0)).sum();
    let schemes = status.schemes.len() as u64;
    html! {
        @match &status.readiness {
            Readiness::Ready => {
                h1 #readiness.good { "Ready" }
                p.gist {
                    @if schemes == 0 { "No schemes are configured: there is nothing to issue." }
                    @else { (many(schemes, "scheme")) @if schemes == 1 { " issues. " } @else { " issue. " } (rate(per_second)) " \
                        IDs/s." }
                }
            }
            Readiness::NotReady(obstacles) => {
                h1 #readiness.bad { "Not ready" }
                p.gist {
                    (obstacles.len()) " of " (many(schemes, "scheme")) @if obstacles.len() == 1 { " does" } @else { " \
                        do" }
                    " not issue. " (rate(per_second)) " IDs/s."
                }
                dl.obstacles {
                    @for obstacle in obstacles {
                        div { dt { (obstacle.scheme) } dd { code { (obstacle.code) } " " (obstacle.message) } }
                    }
                }
            }
            Readiness::Stopping => {
                h1 #readiness.warn { "Stopping" }
                p.gist { "Requests in flight are finished, and new ones are refused." }
            }
        }
    }
}

fn facts(status: &Status) -> Markup {
    html! {
        dl.facts {
            div { dt { "Instance" } dd { (status.instance) } }
            div { dt { "Version" } dd { (status.version) } }
            div { dt { "Started" } dd { (when(status.started_ms, status.now_ms)) } }
            div.wide { dt { "Store" } dd { code { (status.store) } } }
        }
    }
}

fn load(load: &Load, limits: &Limits) -> Markup {
    html! {
        dl.figures {
            (figure("Connections", &of(load.connections, limits.max_connections)))
            (figure("Requests in flight", &of(load.in_flight, limits.max_in_flight)))
            (figure("Requests answered", &html! { (count(load.answered)) }))
            (figure("Refused, overloaded", &html! { span.warn[load.overloaded > 0] { (count(load.overloaded)) } }))
            (figure("IDs in one request", &html! { "at most " (count(limits.max_batch)) }))
            (figure("Body of a request", &html! { "at most " (count(limits.max_body_bytes)) " bytes" }))
            (figure("Time for a request", &html! { "at most " (span(limits.request_timeout_ms)) }))
            (figure("Wait for IDs", &html! { "at most " (count(natural(limits.max_wait_ms))) " ms" }))
        }
    }
}

/// Returns `number` of `most`, with a warning from 90 percent on.
fn of(number: u64, most: u64) -> Markup {
    let is_scarce = most > 0 && number.saturating_mul(10) >= most.saturating_mul(9);
    html! { span.warn[is_scarce] { (count(number)) } " of " (count(most)) }
}

fn clock(clock: &Clock, now_ms: i64) -> Markup {
    let utc = utc(now_ms).unwrap_or_else(|| format!("{now_ms} ms"));
    html! {
        dl.figures {
            (figure("This machine's", &time(now_ms, &utc)))
            (figure("Against the store's", &skew(clock)))
            (figure("Steps back seen", &html! { span.warn[clock.steps_back > 0] { (count(clock.steps_back)) } }))
            (figure("Jumps ahead seen", &html! { span.warn[clock.jumps_ahead > 0] { (count(clock.jumps_ahead)) } }))
            (figure("Machine up for", &html! {
                @match clock.since_boot_ms { Some(ms) => (span(ms)), None => "not known" }
            }))
        }
    }
}

/// Returns the difference between this clock and the store's. Beyond the limit, the store grants
/// nothing; from half of it on, the page warns.
fn skew(clock: &Clock) -> Markup {
    let Some(ahead_ms) = clock.ahead_of_store_ms else {
        return html! { "not known: the store has returned no time" };
    };
    let distance = ahead_ms.unsigned_abs();
    let limit = clock.max_skew_ms.map(natural);
    let class = match limit {
        Some(limit) if distance > limit => "bad",
        Some(limit) if distance.saturating_mul(2) > limit => "warn",
        _ => "",
    };
    html! {
        span.(class) {
            @match ahead_ms {
                0 => "equal",
                1.. => { (count(distance)) " ms ahead" }
                _ => { (count(distance)) " ms behind" }
            }
        }
        @if let Some(limit) = limit { span.dim { ", at most " (count(limit)) " ms" } }
    }
}

fn figure(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}
