//! Cases of clocks that step back under each policy, and of generators that begin after a time
//! known to be used.

use crate::document::Document;
use crate::rng::Rng;
use crate::scheme::{Generate, Plan};
use saiban::Rollback;
use serde_json::json;

/// A year in milliseconds: a whole number of ticks in every layout here.
const YEAR_MS: i64 = 365 * 86_400_000;

/// Returns the policies that a generator of this plan can have. `None` stands for the default, in
/// layouts with rollback bits.
fn policies(plan: &Plan) -> Vec<Option<&'static str>> {
    let all = Rollback::ALL.into_iter().filter(|policy| *policy != Rollback::Bits || plan.has_rollback());
    all.map(|policy| Some(policy.name())).chain(plan.has_rollback().then_some(None)).collect()
}

/// Adds clocks that step back once, repeatedly, and to and fro, more often than the rollback bits
/// can count.
pub fn steps_back(plan: &Plan, document: &mut Document, rng: &mut Rng) {
    let (now, t) = (plan.some_tick(rng), plan.tick_ms);
    let node = rng.up_to(plan.max_node.unwrap_or(0));
    let values = plan.max_rollback.unwrap_or(0) as i64 + 1;
    let falls = || (0..values + 2).map(|step| now - step * t);
    let traces: [(Vec<i64>, &str); 7] = [
        (vec![now, now + t, now - 3 * t, now - 3 * t, now - 2 * t, now + t, now + 2 * t], "steps back once"),
        (
            falls().chain([now - 2 * t, now, now + t]).collect(),
            "steps back further each time, more often than there are rollback values",
        ),
        (
            (0..values + 2).flat_map(|_| [now + 5 * t, now]).chain([now + 6 * t]).collect(),
            "goes to and fro between two times, more often than there are rollback values",
        ),
        (
            (0..values + 2).flat_map(|step| [now + (step + 2) * t, now + step * t]).collect(),
            "goes to and fro, and forward in all: what the next rollback value has reached is over when its turn comes",
        ),
        (vec![now, now - YEAR_MS, now - YEAR_MS + t, now, now + t, now - t], "steps back by a year, and returns"),
        (
            vec![plan.epoch_ms + 3 * t, plan.epoch_ms - 1, plan.epoch_ms, plan.epoch_ms + 2 * t, plan.epoch_ms + 4 * t],
            "steps back before the epoch, and returns",
        ),
        (
            vec![plan.last_ms - 4 * t, plan.last_ms - t, plan.last_ms + t, plan.last_ms - 2 * t, plan.last_ms - t],
            "past the last tick, and back",
        ),
    ];
    for rollback in policies(plan) {
        // Unused rollback bits change only their own place, and the default is one of the policies.
        let shown = if plan.has_rollback() && rollback != Some("bits") { 3 } else { traces.len() };
        for (clock_ms, comment) in &traces[..shown] {
            if clock_ms.iter().all(|time| *time >= 0) {
                let clock_ms = clock_ms.clone();
                let given = Generate { nodes: (node, node + 1), rollback, clock_ms, ..Generate::default() };
                document.add(plan.generate(given).flag("edge").comment(*comment));
            }
        }
        let given = Generate {
            nodes: (node, node + 1),
            window_ms: Some((now, now + 10 * t)),
            rollback,
            clock_ms: [5, -1, -6, 2, 1, 0, 10, 9, 3, 9].map(|ticks| now + ticks * t).into(),
            ..Generate::default()
        };
        document
            .add(plan.generate(given).flag("edge").comment("steps back before the window begins, and past its end"));
    }
    if !plan.has_rollback() {
        let bits = match plan.max_node {
            Some(_) => json!({ plan.node_name: "0", "rollback": "bits" }),
            None => json!({ "rollback": "bits" }),
        };
        document.add(plan.case("new", bits).flag("edge").comment("a step back counted, without bits for it"));
    }
}

/// Adds random clocks that jump among a few ticks, for layouts with few IDs a tick. Together they
/// reach every branch of the rule in `core/src/cursor/step.rs`.
pub fn jumps_about(plan: &Plan, document: &mut Document, rng: &mut Rng, count: u32) {
    let t = plan.tick_ms;
    let policies = policies(plan);
    for _ in 0..count {
        let now = plan.some_tick(rng);
        let width = rng.between(2, 9);
        let clock_ms = (0..rng.between(10, 24)).map(|_| now + rng.between(0, width) * t).collect();
        let window_ms = (rng.below(3) == 0).then(|| {
            let begin = now + rng.between(-1, 2) * t;
            (begin, begin + rng.between(3, 9) * t)
        });
        let not_before_ms = (rng.below(6) == 0).then(|| now + rng.between(-1, 0) * t);
        let max_wait_ms = (rng.below(2) == 0).then(|| rng.between(0, 6) * t);
        // If steps back are counted, most cases use that policy.
        let rollback = if rng.below(2) == 0 { None } else { policies[rng.below(policies.len() as u64) as usize] };
        let first = rng.edgy(plan.max_node.unwrap_or(0));
        let nodes = (first, first + 1);
        let given =
            Generate { nodes, window_ms, not_before_ms, max_wait_ms, rollback, clock_ms, ..Generate::default() };
        document.add(plan.generate(given).flag("random"));
    }
}

/// Adds cases of a layout with two IDs a tick and one rollback bit, whose ticks are used up under
/// both values of the bit.
pub fn two_lines(plan: &Plan, document: &mut Document) {
    let now = 1_767_225_600_000;
    let mut add = |end: Option<i64>, max_wait_ms: Option<i64>, ticks: &[i64], why: &str| {
        let given = Generate {
            nodes: (3, 4),
            window_ms: end.map(|end| (now, now + end)),
            max_wait_ms,
            rollback: Some("bits"),
            clock_ms: ticks.iter().map(|tick| now + tick).collect(),
            ..Generate::default()
        };
        document.add(plan.generate(given).flag("edge").comment(why));
    };
    // Value 0 has used up tick 9, value 1 tick 4.
    let both = [9, 9, 4, 4];
    let then = |more: &[i64]| [&both[..], more].concat();
    add(None, None, &then(&[4, 3, 2, 5]), "used up under both: waits in the tick that the value in use has reached");
    add(None, Some(0), &then(&[4, 3, 5, 5, 4, 10]), "used up under both, no wait allowed");
    add(None, Some(3), &then(&[2, 1, 9, 9, 8]), "used up under both, a wait of three allowed");
    // Value 0 has reached tick 2, value 1 has used up tick 9.
    let ahead = [2, 1, 9, 9];
    let then = |more: &[i64]| [&ahead[..], more].concat();
    add(None, None, &then(&[0, 1, 2]), "the clock comes to the next value's tick first");
    add(
        None,
        Some(1),
        &then(&[0, 1, 10, 2, 1]),
        "the clock comes to the next value's tick first, a wait of one allowed",
    );
    add(None, Some(0), &then(&[1, 2, 2, 1]), "the clock comes to the next value's tick first, no wait allowed");
    add(Some(10), Some(1), &then(&[0, 1, 9, 2]), "the value in use has used up its window, the next has not");
    add(Some(10), Some(0), &then(&[1, 9, 10, 2, 2, 3]), "the value in use has used up its window, no wait allowed");
    // The next value has used up the tick that it has reached.
    add(None, Some(2), &[2, 2, 1, 9, 9, 1, 0, 3], "the next value is waited for, past the tick that it has used up");
    add(Some(10), None, &[9, 9, 1, 9, 9, 8, 5, 10], "both values have used up the window's last tick");
    add(None, None, &[1, 1, 0, 0, 1, 1, 1, 0, 2], "both values have used up a tick: only the next tick helps");
    let (last, t) = (plan.last_ms, plan.tick_ms);
    let clock_ms = vec![last, last, last - t, last, last, last, last - t, last];
    let given = Generate { nodes: (3, 4), rollback: Some("bits"), clock_ms, ..Generate::default() };
    document.add(plan.generate(given).flag("edge").comment("both values have used up the last tick of all"));
}

/// Adds generators that begin after a time known to be used. This time has the scheme's unit.
pub fn not_before(plan: &Plan, document: &mut Document, rng: &mut Rng) {
    let t = plan.tick_ms.max(plan.unit_ms);
    let (now, unit) = (plan.some_tick(rng), plan.unit_ms);
    let node = rng.up_to(plan.max_node.unwrap_or(0));
    let mut add = |known_ms: i64, given: Generate, comment: &str| {
        let given = Generate { nodes: (node, node + 1), not_before_ms: Some(known_ms), ..given };
        document.add(plan.generate(given).flag("edge").comment(comment));
    };
    let through: Vec<i64> = [-5, -2, -1, 0].map(|ticks| now + ticks * t).into();
    let through = [&through[..], &[now + t - 1, now + t, now + 2 * t, now]].concat();
    let on = |clock_ms: &[i64]| Generate { clock_ms: clock_ms.into(), ..Generate::default() };
    add(now, on(&through), "a time known to be used: nothing of its tick comes again");
    add(now, Generate { max_wait_ms: Some(0), ..on(&through) }, "a time known to be used, no wait allowed");
    add(now, Generate { max_wait_ms: Some(6 * t), ..on(&through) }, "a time known to be used, a wait allowed for it");
    if t > unit {
        add(now + t / 2, on(&through), "a time known to be used, within a tick");
        add(now + t - 1, on(&through), "a time known to be used, at the end of a tick");
    }
    add(now - unit, on(&through), "a time known to be used, just before a tick");
    for known_ms in [plan.epoch_ms - unit, i64::MIN / unit * unit, -unit] {
        if known_ms < plan.epoch_ms {
            add(known_ms, on(&[plan.epoch_ms, plan.epoch_ms + t]), "a time known to be used, before the epoch");
        }
    }
    add(plan.epoch_ms, on(&[plan.epoch_ms, plan.epoch_ms + t, plan.epoch_ms + 2 * t]), "the epoch is known to be used");
    let window = |start: i64, end: i64, clock_ms: &[i64]| Generate {
        window_ms: Some((now + start * t, now + end * t)),
        ..on(clock_ms)
    };
    add(now, window(-3, 2, &through), "a window that begins before the time known to be used");
    add(
        now,
        window(3, 5, &[now + t, now + 2 * t, now + 3 * t]),
        "a window that begins after the time known to be used",
    );
    let before_last = plan.last_ms - plan.last_ms.rem_euclid(unit) - t;
    add(
        before_last,
        on(&[before_last, before_last + t - 1, before_last + t]),
        "all but the last ticks are known to be used",
    );
    if plan.has_rollback() {
        let steps = [3, -4, -6, 1, 0, 3, 2].map(|ticks| now + ticks * t);
        add(
            now,
            on(&steps),
            "steps back before the time known to be used: under no rollback value anything comes from there",
        );
    }

    let refused = [
        (plan.last_ms, None, "everything is known to be used"),
        (i64::MAX / unit * unit, None, "a time known to be used, far past the last tick"),
        (now + 5 * t - unit, Some((now, now + 5 * t)), "the whole window is known to be used"),
        (now + 9 * t, Some((now, now + 5 * t)), "more than the window is known to be used"),
    ];
    for (known_ms, window_ms, comment) in refused {
        let mut given = json!({ "not_before": known_ms.div_euclid(unit).to_string() });
        if plan.max_node.is_some() {
            given[plan.node_name] = json!(node.to_string());
        }
        if let Some((start, end)) = window_ms {
            given["window"] = json!([start, end].map(|time: i64| time.div_euclid(unit).to_string()));
        }
        document.add(plan.case("new", given).flag("edge").comment(comment));
    }
}
