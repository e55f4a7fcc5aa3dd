//! Cases that Snowflake, Randflake, Ulid-Flake, TSID and Flake share: the ends of each part,
//! one-bit changes, canonical text, and moving clocks.

use crate::document::{Case, Document};
use crate::rng::Rng;
use serde_json::{Value, json};

/// The last time that a clock can show, in milliseconds: 2^64 - 1 nanoseconds.
const LAST_CLOCK_MS: i64 = (u64::MAX / 1_000_000) as i64;

/// The limits of a scheme with a config, and the names of its parts.
pub struct Plan {
    pub config: String,
    pub epoch_ms: i64,
    /// When the last tick begins.
    pub last_ms: i64,
    /// When the layout's time is over, rounded down.
    pub end_ms: i64,
    pub tick_us: i64,
    /// The smallest whole number of milliseconds that is a whole number of ticks.
    pub tick_ms: i64,
    /// The largest node; `None` without a node field.
    pub max_node: Option<u64>,
    pub max_low: u64,
    /// The largest rollback count: 0 without a rollback field, and `None` if the scheme does not
    /// take this part.
    pub max_rollback: Option<u64>,
    pub node_name: &'static str,
    pub low_name: &'static str,
    /// The unit of windows, in milliseconds.
    pub unit_ms: i64,
}

/// The parts of an ID, which may be invalid. Without a node field, `node` is ignored.
#[derive(Clone, Copy)]
pub struct Parts {
    pub time: i64,
    pub node: i128,
    pub low: i128,
    /// The rollback count, if it is given.
    pub rollback: Option<i128>,
}

impl Plan {
    pub fn case(&self, op: &'static str, given: Value) -> Case {
        Case::new(op, given).config(&self.config)
    }

    pub fn has_rollback(&self) -> bool {
        self.max_rollback.is_some_and(|max| max > 0)
    }

    fn compose_case(&self, parts: Parts) -> Case {
        let Parts { time: timestamp_ms, node, low, rollback } = parts;
        let mut given = json!({ "timestamp_ms": timestamp_ms.to_string(), self.low_name: low.to_string() });
        if self.max_node.is_some() {
            given[self.node_name] = json!(node.to_string());
        }
        if let Some(rollback) = rollback {
            given["rollback"] = json!(rollback.to_string());
        }
        let mut case = self.case("compose", given);
        let (first_low, last_low) = match self.low_name {
            "random" => ("first-random", "last-random"),
            _ => ("first-sequence", "last-sequence"),
        };
        let mut flags = vec![
            (timestamp_ms == self.epoch_ms, "first-timestamp"),
            (timestamp_ms == self.last_ms, "last-timestamp"),
            (low == 0, first_low),
            (low == i128::from(self.max_low), last_low),
        ];
        if let Some(max_node) = self.max_node {
            flags.extend([(node == 0, "first-node"), (node == i128::from(max_node), "last-node")]);
        }
        if let Some(max) = self.max_rollback.filter(|max| *max > 0) {
            let rollback = rollback.unwrap_or(0);
            flags.extend([(rollback == 0, "first-rollback"), (rollback == i128::from(max), "last-rollback")]);
        }
        for (_, flag) in flags.into_iter().filter(|(is, _)| *is) {
            case = case.flag("edge").flag(flag);
        }
        case
    }

    fn random_parts(&self, rng: &mut Rng) -> Parts {
        Parts {
            time: rng.between(self.epoch_ms, self.last_ms),
            node: rng.up_to(self.max_node.unwrap_or(0)).into(),
            low: rng.up_to(self.max_low).into(),
            // Without a value it is 0 as well.
            rollback: self.max_rollback.filter(|max| *max > 0 && rng.below(8) > 0).map(|max| rng.up_to(max).into()),
        }
    }

    /// Returns the ID of valid parts.
    fn id(&self, document: &Document, parts: Parts) -> i64 {
        let answer = document.ask(&self.compose_case(parts));
        answer["out"]["id"].as_str().and_then(|id| id.parse().ok()).expect("valid parts have an ID")
    }

    /// Adds every corner, each part's two ends with the other parts random, random parts, and each
    /// part one beyond its limits.
    pub fn compose(&self, document: &mut Document, rng: &mut Rng, random: u32) {
        let (max_node, max_low) = (i128::from(self.max_node.unwrap_or(0)), i128::from(self.max_low));
        let rollbacks = match self.max_rollback {
            Some(max) if max > 0 => vec![None, Some(i128::from(max))],
            _ => vec![None],
        };
        for time in [self.epoch_ms, self.last_ms] {
            for node in [0, max_node] {
                for low in [0, max_low] {
                    for &rollback in &rollbacks {
                        document.add(self.compose_case(Parts { time, node, low, rollback }));
                    }
                }
            }
        }
        for end in [false, true] {
            let parts = self.random_parts(rng);
            let pick = |last: i128| if end { last } else { 0 };
            let time = if end { self.last_ms } else { self.epoch_ms };
            document.add(self.compose_case(Parts { time, ..parts }));
            document.add(self.compose_case(Parts { node: pick(max_node), ..parts }));
            document.add(self.compose_case(Parts { low: pick(max_low), ..parts }));
            if let Some(max) = self.max_rollback.filter(|max| *max > 0) {
                document.add(self.compose_case(Parts { rollback: Some(pick(max.into())), ..parts }));
            }
        }
        for _ in 0..random {
            let parts = self.random_parts(rng);
            document.add(self.compose_case(parts).flag("random"));
        }

        let parts = self.random_parts(rng);
        let mut refuse = |parts: Parts, comment: &str| {
            document.add(self.compose_case(parts).flag("edge").comment(comment));
        };
        for time in [self.epoch_ms - 1, -1, i64::MIN] {
            if time < self.epoch_ms {
                refuse(Parts { time, ..parts }, "before the epoch");
            }
        }
        refuse(Parts { time: self.last_ms + self.tick_ms, ..parts }, "the tick after the last");
        refuse(Parts { time: i64::MAX, ..parts }, "past the last tick");
        if self.max_node.is_some() {
            refuse(Parts { node: -1, ..parts }, "a negative node");
            refuse(Parts { node: max_node + 1, ..parts }, "a node one too large");
            refuse(Parts { node: i64::MAX.into(), ..parts }, "a node far too large");
        }
        refuse(Parts { low: -1, ..parts }, "a negative part");
        refuse(Parts { low: max_low + 1, ..parts }, "one too large");
        refuse(Parts { low: i64::MAX.into(), ..parts }, "far too large");
        if let Some(max) = self.max_rollback {
            let with = |rollback: i128| Parts { rollback: Some(rollback), ..parts };
            if max == 0 {
                refuse(with(0), "no step back counted, in a layout that counts none");
            }
            refuse(with(-1), "a negative number of steps back");
            refuse(with(i128::from(max) + 1), "a step back too many");
            refuse(with(i64::MAX.into()), "far too many steps back");
        }
    }

    /// Adds an ID and its 64 one-bit changes, the ends of the integers, and random IDs.
    pub fn inspect(&self, document: &mut Document, rng: &mut Rng, random: u32) {
        let inspect = |id: i64| self.case("inspect", json!({ "id": id.to_string() }));
        let parts = self.random_parts(rng);
        let base = self.id(document, parts);
        document.add(inspect(base).flag("one-bit"));
        for bit in 0..64 {
            document.add(inspect(base ^ 1 << bit).flag("one-bit"));
        }
        for id in [0, 1, -1, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1] {
            document.add(inspect(id).flag("edge"));
        }
        for _ in 0..random {
            let parts = self.random_parts(rng);
            let id = self.id(document, parts);
            document.add(inspect(id).flag("random"));
            document.add(inspect(rng.next() as i64).flag("random"));
        }
    }

    /// Adds IDs as canonical text and back.
    pub fn texts(&self, document: &mut Document, rng: &mut Rng, random: u32) {
        let mut ids: Vec<(i64, &str)> = [0, 1, -1, i64::MAX, i64::MIN].map(|id| (id, "edge")).into();
        let first = Parts { time: self.epoch_ms, node: 0, low: 0, rollback: None };
        let last = Parts {
            time: self.last_ms,
            node: self.max_node.unwrap_or(0).into(),
            low: self.max_low.into(),
            rollback: self.max_rollback.filter(|max| *max > 0).map(i128::from),
        };
        let ends = [first, last];
        ids.extend(ends.map(|parts| (self.id(document, parts), "edge")));
        for _ in 0..random {
            let parts = self.random_parts(rng);
            ids.push((self.id(document, parts), "random"));
        }
        for (id, flag) in ids {
            let case = self.case("to_text", json!({ "id": id.to_string() }));
            if let Some(text) = document.ask(&case)["out"]["text"].as_str() {
                document.add(self.reading(text, false).flag(flag));
            }
            document.add(case.flag(flag));
        }
    }

    pub fn reading(&self, text: &str, lenient: bool) -> Case {
        self.case("from_text", if lenient { json!({ "text": text, "lenient": true }) } else { json!({ "text": text }) })
    }

    /// Adds the canonical text of a random ID, with each character in turn replaced by one that the
    /// alphabet lacks.
    pub fn bad_characters(&self, document: &mut Document, rng: &mut Rng, bad: &[char]) {
        let parts = self.random_parts(rng);
        let id = self.id(document, parts);
        let answer = document.ask(&self.case("to_text", json!({ "id": id.to_string() })));
        let text = answer["out"]["text"].as_str().expect("text").to_owned();
        for position in 0..text.len() {
            let broken = with_character(&text, position, bad[position % bad.len()]);
            document.add(self.reading(&broken, false).flag("edge"));
        }
    }

    /// Returns a case of a generator. The case's window is in the scheme's unit.
    pub fn generate(&self, given: Generate) -> Case {
        let texts = |times: &[i64]| times.iter().map(i64::to_string).collect::<Vec<_>>();
        let mut value = json!({ "clock_ms": texts(&given.clock_ms) });
        if self.max_node.is_some() {
            let (first, end) = given.nodes;
            if end == first + 1 && !given.as_range {
                value[self.node_name] = json!(first.to_string());
            } else {
                value["nodes"] = json!([first.to_string(), end.to_string()]);
            }
        }
        if let Some((start, end)) = given.window_ms {
            value["window"] = json!(texts(&[start.div_euclid(self.unit_ms), end.div_euclid(self.unit_ms)]));
        }
        if let Some(known_ms) = given.not_before_ms {
            value["not_before"] = json!(known_ms.div_euclid(self.unit_ms).to_string());
        }
        if let Some(rollback) = given.rollback {
            value["rollback"] = json!(rollback);
        }
        if let Some(max_wait_ms) = given.max_wait_ms {
            value["max_wait_ms"] = json!(max_wait_ms.to_string());
        }
        self.case("generate", value)
    }

    /// Returns the beginning of a tick in the middle half of the layout's time.
    pub fn some_tick(&self, rng: &mut Rng) -> i64 {
        let quarter = (self.last_ms - self.epoch_ms) / 4;
        let since = rng.between(quarter, 3 * quarter);
        self.epoch_ms + since - since % self.tick_ms.max(self.unit_ms)
    }

    /// Adds clocks, windows and waits at their limits.
    pub fn generate_edges(&self, document: &mut Document, rng: &mut Rng) {
        let t = self.tick_ms;
        let now = self.some_tick(rng);
        let last_node = self.max_node.unwrap_or(0);
        let node = rng.up_to(last_node);
        let on = |node: u64, clock_ms: &[i64]| Generate {
            nodes: (node, node + 1),
            clock_ms: clock_ms.into(),
            ..Generate::default()
        };
        let mut add = |given: Generate, comment: &str| {
            document.add(self.generate(given).flag("edge").comment(comment));
        };
        add(on(0, &[now, now + t, now + 5 * t]), "the clock goes on, first node");
        add(on(last_node, &[now, now + t, now + 5 * t]), "the clock goes on, last node");
        add(on(node, &[self.epoch_ms, self.epoch_ms + t]), "the first ticks");
        if self.epoch_ms > 0 {
            add(on(node, &[self.epoch_ms - 1, self.epoch_ms, 0, self.epoch_ms + t]), "a clock before the epoch");
        }
        let past = [self.last_ms - t, self.last_ms, self.last_ms + t, LAST_CLOCK_MS];
        add(on(node, &past), "the last tick, and past it");

        let window = Some((now + 5 * t, now + 7 * t));
        let through = [now, now + 3 * t, now + 4 * t, now + 5 * t, now + 6 * t, now + 7 * t, now + 8 * t];
        add(Generate { window_ms: window, ..on(node, &through) }, "a window begins and ends, default wait");
        add(Generate { window_ms: window, max_wait_ms: Some(0), ..on(node, &through) }, "a window, no wait allowed");
        add(
            Generate { window_ms: window, max_wait_ms: Some(5 * t), ..on(node, &through) },
            "a window, a wait up to its beginning allowed: a manual clock does not wait",
        );
        add(
            Generate { window_ms: window, max_wait_ms: Some(5 * t - 1), ..on(node, &through) },
            "a window, a wait of just too little allowed",
        );
        add(
            Generate { window_ms: Some((self.epoch_ms, self.end_ms)), ..on(node, &[self.epoch_ms, now]) },
            "a window of all the layout's time",
        );
    }

    /// Adds clocks that wander in both directions, with windows around them.
    pub fn wander(&self, document: &mut Document, rng: &mut Rng, step: impl Fn(&mut Rng) -> i64, count: u32) {
        let t = self.tick_ms;
        for _ in 0..count {
            let start = self.some_tick(rng);
            let mut clock = start;
            let mut clock_ms = Vec::new();
            for _ in 0..rng.between(6, 14) {
                clock_ms.push(clock);
                clock += step(rng) * t / 2;
            }
            let max_node = self.max_node.unwrap_or(0);
            let first = rng.edgy(max_node);
            let ranged = self.node_name == "node" && rng.below(2) == 0;
            let end = if ranged { (first + 1 + rng.below(3)).min(max_node + 1) } else { first + 1 };
            let window_ms = (rng.below(2) == 0).then(|| {
                let begin = start + rng.between(-2, 4) * t;
                (begin, begin + rng.between(1, 6) * t)
            });
            let max_wait_ms = (rng.below(3) == 0).then(|| rng.between(0, 4) * t);
            let nodes = (first, end);
            let given = Generate { nodes, as_range: ranged, window_ms, max_wait_ms, clock_ms, ..Generate::default() };
            document.add(self.generate(given).flag("random"));
        }
    }

    /// Adds nodes and windows with which no generator can be built. `node` is a valid choice of a
    /// node.
    pub fn refusals(&self, document: &mut Document, node: Value) {
        let mut refuse = |mut given: Value, comment: &str| {
            for (name, value) in node.as_object().into_iter().flatten() {
                if given.get("nodes").is_none() && given.get(name).is_none() {
                    given[name] = value.clone();
                }
            }
            document.add(self.case("new", given).flag("edge").comment(comment));
        };
        let (first, end) =
            (self.epoch_ms.div_euclid(self.unit_ms), (self.last_ms + self.tick_ms).div_euclid(self.unit_ms));
        let window = |start: i64, end: i64| json!({ "window": [start.to_string(), end.to_string()] });
        let ticks = (self.tick_ms / self.unit_ms).max(1);
        refuse(window(first + ticks, first + ticks), "an empty window");
        refuse(window(first + 2 * ticks, first + ticks), "a window that ends before it begins");
        refuse(window(first - ticks, first + ticks), "a window from before the epoch");
        refuse(window(first, end + ticks), "a window past the last tick");
        refuse(window(-ticks, first + ticks), "a negative window");
        refuse(window(i64::MIN, i64::MAX), "a window of all integers");
        if let Some(max_node) = self.max_node {
            for node in ["-1".into(), (max_node + 1).to_string(), i64::MAX.to_string(), i64::MIN.to_string()] {
                refuse(json!({ self.node_name: node }), "a node out of range");
            }
        }
        if self.node_name == "node" && self.max_node.is_some() {
            let over = self.max_node.map_or(0, |max| max + 1);
            for (first, end) in [(5, 5), (6, 5), (-1, 1), (0, over as i64 + 1), (over as i64, over as i64 + 1)] {
                refuse(
                    json!({ "nodes": [first.to_string(), end.to_string()] }),
                    "a range of nodes that the layout lacks",
                );
            }
        }
    }
}

/// The input of a `generate` case.
#[derive(Clone, Default)]
pub struct Generate {
    pub nodes: (u64, u64),
    pub as_range: bool,
    pub window_ms: Option<(i64, i64)>,
    pub not_before_ms: Option<i64>,
    pub max_wait_ms: Option<i64>,
    /// The rollback policy.
    pub rollback: Option<&'static str>,
    pub clock_ms: Vec<i64>,
}

/// Returns ASCII text with the character at this position replaced.
pub fn with_character(text: &str, position: usize, character: char) -> String {
    text.chars().enumerate().map(|(index, old)| if index == position { character } else { old }).collect()
}
