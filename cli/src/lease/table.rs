//! Formats a namespace as a table for people.

use crate::columns::aligned;
use crate::time::{Left, utc_or_year};
use saiban_coordination::lease::Slot;
use saiban_coordination::store::{Listing, StoreUrl};
use std::ops::Range;

const HEADINGS: [&str; 6] = ["NODES", "HOLDER", "UNTIL", "LEFT", "HIGH WATER", "FENCE"];

/// Returns the lines of the table: the namespace, how many of its nodes are free, and a row for
/// each slot that is held or cools down. With `all`, free slots have a row too.
pub(super) fn lines(url: &StoreUrl, name: &str, listing: &Listing, all: bool) -> Vec<String> {
    let Listing { namespace, slots, now_us } = listing;
    let (now_us, nodes) = (*now_us, namespace.nodes);
    let held = width(slots.iter().filter(|slot| slot.is_held(now_us)));
    let cooling = width(slots.iter().filter(|slot| is_cooling_down(slot, now_us)));
    let max_ttl_s = namespace.max_ttl_us / 1_000_000;
    let rest = if cooling > 0 {
        format!(", {cooling} of them cooling down until their high-water mark")
    } else {
        String::new()
    };
    let mut lines = vec![
        format!("{name} in {url}"),
        format!("for {}, leases of at most {max_ttl_s} s", plain(&namespace.fingerprint)),
        format!("{nodes} nodes: {held} held, {} free{rest}", nodes - held),
    ];
    if namespace.quarantine_until_us > now_us {
        let until_ms = rounded_up_ms(namespace.quarantine_until_us);
        let left = Left(namespace.quarantine_until_us - now_us);
        lines.push(format!("in quarantine: no lease is granted until {}, for {left}", utc_or_year(until_ms)));
    }
    let shown = slots.iter().filter(|slot| all || slot.is_held(now_us) || is_cooling_down(slot, now_us));
    let rows: Vec<[String; 6]> = shown.map(|slot| row(slot, now_us)).collect();
    if !rows.is_empty() {
        lines.push(String::new());
        lines.extend(aligned(HEADINGS, &rows));
    }
    lines
}

/// Returns whether the slot cools down: nobody holds its nodes, but its high-water mark is in the
/// future.
pub(super) fn is_cooling_down(slot: &Slot, now_us: i64) -> bool {
    !slot.is_held(now_us) && slot.high_water_us > now_us
}

/// Returns how many nodes the slots have together.
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

/// Formats a range of nodes as options accept it, without the end.
pub(super) fn nodes(nodes: &Range<i64>) -> String {
    format!("{}..{}", nodes.start, nodes.end)
}

/// Removes control characters. Another program may have written the text, and the text must not
/// move a terminal's cursor.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

/// Converts µs to ms, rounded up.
pub(super) fn rounded_up_ms(us: i64) -> i64 {
    us.div_euclid(1_000) + i64::from(us.rem_euclid(1_000) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_water_mark_is_rounded_up() {
        assert_eq!([0, 1, 1_000, 1_001].map(rounded_up_ms), [0, 1, 1, 2]);
    }
}
