//! A name space as a table, for people.

use crate::time::utc_or_year;
use saiban_coordination::lease::Slot;
use saiban_coordination::store::{Listing, StoreUrl};
use std::ops::Range;

const HEADINGS: [&str; 6] = ["NODES", "HOLDER", "UNTIL", "LEFT", "HIGH WATER", "FENCE"];

/// What the name space is, how much of it is free, and a line for each stretch of nodes that somebody has or that
/// rests; for all with `all`.
pub(super) fn lines(url: &StoreUrl, name: &str, listing: &Listing, all: bool) -> Vec<String> {
    let Listing { namespace, slots, now_us } = listing;
    let (now_us, nodes) = (*now_us, namespace.nodes);
    let held = width(slots.iter().filter(|slot| slot.is_held(now_us)));
    let resting = width(slots.iter().filter(|slot| is_resting(slot, now_us)));
    let max_ttl_s = namespace.max_ttl_us / 1_000_000;
    let rest = if resting > 0 { format!(", {resting} of them resting until their high water") } else { String::new() };
    let mut lines = vec![
        format!("{name} in {url}"),
        format!("for {}, leases of at most {max_ttl_s} s", plain(&namespace.fingerprint)),
        format!("{nodes} nodes: {held} held, {} free{rest}", nodes - held),
    ];
    if namespace.quarantine_until_us > now_us {
        let until_ms = rounded_up_ms(namespace.quarantine_until_us);
        let left = Left(namespace.quarantine_until_us - now_us);
        lines.push(format!("in quarantine: nothing is granted until {}, for {left}", utc_or_year(until_ms)));
    }
    let shown = slots.iter().filter(|slot| all || slot.is_held(now_us) || is_resting(slot, now_us));
    let rows: Vec<[String; 6]> = shown.map(|slot| row(slot, now_us)).collect();
    if !rows.is_empty() {
        lines.push(String::new());
        lines.extend(aligned(&rows));
    }
    lines
}

/// Whether its nodes are free, and not to be had before its high water.
pub(super) fn is_resting(slot: &Slot, now_us: i64) -> bool {
    !slot.is_held(now_us) && slot.high_water_us > now_us
}

/// How many nodes they have together.
pub(super) fn width<'a>(slots: impl Iterator<Item = &'a Slot>) -> i64 {
    slots.map(Slot::width).sum()
}

fn row(slot: &Slot, now_us: i64) -> [String; 6] {
    let is_held = slot.is_held(now_us);
    let time = |us: i64| if us > 0 { utc_or_year(rounded_up_ms(us)) } else { "-".into() };
    [
        nodes(&slot.nodes),
        if is_held { plain(&slot.holder) } else { "free".into() },
        if is_held { utc_or_year(slot.end_us / 1_000) } else { "-".into() },
        if is_held { Left(slot.end_us - now_us).to_string() } else { "-".into() },
        time(slot.high_water_us),
        slot.fence.to_string(),
    ]
}

fn aligned(rows: &[[String; 6]]) -> Vec<String> {
    let widths: [usize; 6] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADINGS[column].len()]).max().unwrap_or(0)
    });
    let line = |cells: [&str; 6]| {
        let cells: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let body = rows.iter().map(|row| line(std::array::from_fn(|column| row[column].as_str())));
    std::iter::once(line(HEADINGS)).chain(body).collect()
}

/// As options take them: the end is not included.
pub(super) fn nodes(nodes: &Range<i64>) -> String {
    format!("{}..{}", nodes.start, nodes.end)
}

/// Other programs may have written it: nothing that moves a terminal's cursor.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

/// The first millisecond that is not before.
pub(super) fn rounded_up_ms(us: i64) -> i64 {
    us.div_euclid(1_000) + i64::from(us.rem_euclid(1_000) > 0)
}

/// How long from now, µs, for people.
pub(super) struct Left(pub(super) i64);

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = self.0.max(0) / 1_000_000;
        let (days, hours, minutes) = (s / 86_400, s / 3_600 % 24, s / 60 % 60);
        match s {
            0 => f.write_str("less than 1 s"),
            1..60 => write!(f, "{s} s"),
            60..3_600 => write!(f, "{minutes} min {} s", s % 60),
            3_600..86_400 => write!(f, "{hours} h {minutes} min"),
            _ => write!(f, "{days} d {hours} h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_two_units_at_most() {
        let told = |s: i64| Left(s * 1_000_000).to_string();
        assert_eq!([told(-1), told(0), told(59)], ["less than 1 s", "less than 1 s", "59 s"]);
        assert_eq!([told(60), told(3_599)], ["1 min 0 s", "59 min 59 s"]);
        assert_eq!([told(3_600), told(86_399), told(90_000)], ["1 h 0 min", "23 h 59 min", "1 d 1 h"]);
    }

    #[test]
    fn a_high_water_is_never_told_too_early() {
        assert_eq!([0, 1, 1_000, 1_001].map(rounded_up_ms), [0, 1, 1, 2]);
    }
}
