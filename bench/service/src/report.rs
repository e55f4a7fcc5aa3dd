//! The tables of the page, and whether the targets are met.

#[path = "../../../coordination/benches/page/grouped.rs"]
mod grouped;

use crate::plan::{BATCHES, CROWD, RATE, STREAM};
use crate::rows::{AWAKE, BATCHED, FERROID, FERROID_OF_MANY, GRPC, HTTP, PACED, Row, SINGLES, STREAMED};
use crate::samples::{Column, Load, Samples, Summary};
use grouped::grouped;
use std::fmt::Write;

/// Returns everything below the line about the machine.
pub fn tables(samples: &Samples) -> String {
    let mut text = String::new();
    goals(&mut text, samples);
    for (connections, title) in [(1, "one connection".to_owned()), (CROWD, format!("{CROWD} connections"))] {
        let latency = |per_mille| Column::Latency { load: Load::Closed(connections), per_mille };
        table(
            &mut text,
            samples,
            &format!("Single IDs, {title}"),
            &SINGLES,
            &[
                ("IDs a second", Column::Singles(connections)),
                ("p50", latency(500)),
                ("p99", latency(990)),
                ("p99.9", latency(999)),
                ("server's CPU an ID", Column::Cpu(connections)),
            ],
        );
    }
    let latency = |per_mille| Column::Latency { load: Load::Awake, per_mille };
    table(
        &mut text,
        samples,
        "Single IDs, one connection, on cores that do not fall asleep",
        &AWAKE,
        &[
            ("IDs a second", Column::SinglesAwake),
            ("p50", latency(500)),
            ("p99", latency(990)),
            ("p99.9", latency(999)),
        ],
    );
    let latency = |per_mille| Column::Latency { load: Load::Paced, per_mille };
    table(
        &mut text,
        samples,
        &format!("Single IDs at {} a second, {CROWD} connections", grouped(f64::from(RATE))),
        &PACED,
        &[
            ("answered a second", Column::Answered),
            ("p50", latency(500)),
            ("p99", latency(990)),
            ("p99.9", latency(999)),
        ],
    );
    let columns =
        BATCHES.map(|count| (format!("IDs a second, {} at a time", grouped(f64::from(count))), Column::Batch(count)));
    table(
        &mut text,
        samples,
        "Batches, one connection",
        &BATCHED,
        &columns.each_ref().map(|(name, column)| (name.as_str(), *column)),
    );
    table(
        &mut text,
        samples,
        &format!("A stream of {} IDs", grouped(STREAM as f64)),
        &STREAMED,
        &[("IDs a second", Column::Stream)],
    );
    text
}

fn table(text: &mut String, samples: &Samples, title: &str, rows: &[Row], columns: &[(&str, Column)]) {
    line(text, &format!("### {title}\n"));
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    line(text, &format!("| | {} |\n|---|{}", names.join(" | "), "---:|".repeat(columns.len())));
    for row in rows {
        let cells: Vec<_> = columns.iter().map(|(_, column)| cell(*column, samples.of(*row, *column))).collect();
        line(text, &format!("| {} | {} |", row.name, cells.join(" | ")));
    }
    line(text, "");
}

/// Formats the median, the minimum and the maximum.
fn cell(column: Column, summary: Option<Summary>) -> String {
    let Some(Summary { median, least, most }) = summary else { return String::new() };
    match column {
        Column::Latency { .. } => format!("{} ({}–{})", time(median), time(least), time(most)),
        Column::Cpu(_) => time(median),
        _ => format!("{} ({}–{})", grouped(median), grouped(least), grouped(most)),
    }
}

fn goals(text: &mut String, samples: &Samples) {
    line(text, "### Goals\n\n| | goal | measured | |\n|---|---:|---:|---|");
    let median = |row, column| samples.of(row, column).map(|summary| summary.median);
    let (one, awake, crowd) = (Column::Singles(1), Column::SinglesAwake, Column::Singles(CROWD));
    for (row, column, least) in [
        (HTTP, one, 8_000.0),
        (HTTP, awake, 8_000.0),
        (GRPC, one, 5_000.0),
        (GRPC, awake, 5_000.0),
        (HTTP, crowd, 30_000.0),
        (GRPC, crowd, 30_000.0),
    ] {
        let Some(rate) = median(row, column) else { continue };
        let name = match column {
            Column::Singles(1) => format!("{}, one connection", row.name),
            Column::SinglesAwake => format!("{}, one connection, cores awake", row.name),
            _ => format!("{}, {CROWD} connections", row.name),
        };
        goal(text, &name, &format!("{} a second", grouped(least)), &grouped(rate), rate >= least);
    }
    for row in [HTTP, GRPC] {
        let p99 = Column::Latency { load: Load::Paced, per_mille: 990 };
        let Some(us) = median(row, p99) else { continue };
        let name = format!("{}, p99 at {} a second", row.name, grouped(f64::from(RATE)));
        goal(text, &name, "under 2 ms", &time(us), us < 2_000.0);
    }
    let rival = [FERROID, FERROID_OF_MANY].iter().filter_map(|row| median(*row, Column::Stream)).fold(0.0, f64::max);
    if let Some(rate) = median(GRPC, Column::Stream).filter(|_| rival > 0.0) {
        let ratio = rate / rival;
        goal(text, "a stream, beside ferroid's faster one", "1.2 ×", &format!("{ratio:.2} ×"), ratio >= 1.2);
    }
    line(text, "");
}

fn goal(text: &mut String, name: &str, goal: &str, measured: &str, is_met: bool) {
    line(text, &format!("| {name} | {goal} | {measured} | {} |", if is_met { "met" } else { "**missed**" }));
}

fn line(text: &mut String, line: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

fn time(us: f64) -> String {
    match us {
        ..9.95 => format!("{us:.1} µs"),
        ..999.5 => format!("{us:.0} µs"),
        ..9_995.0 => format!("{:.2} ms", us / 1e3),
        ..999_500.0 => format!("{:.0} ms", us / 1e3),
        _ => format!("{:.1} s", us / 1e6),
    }
}
