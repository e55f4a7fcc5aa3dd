//! Inspection identifies published IDs and IDs of other libraries, at the rates in
//! `docs/inspect.md`.
//!
//! The weights were tuned on the entries of even index; the entries of odd index verify them. This
//! test writes the table in the page: `SAIBAN_WRITE_DOCS=1 cargo test -p saiban --test
//! inspect_published`.

mod published_ids;

use published_ids::{Entry, entries};
use saiban::inspect::{Candidate, Candidates};
use saiban::{Inspector, Layout, Scheme, Secret};
use std::collections::BTreeMap;
use std::fmt::Write;

/// 2026-11-21, when the last of these IDs were made.
const NOW_MS: i64 = 1_795_305_600_000;
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/inspect.md");

/// The verdicts on an entry.
struct Judged {
    index: usize,
    entry: Entry,
    /// The verdict from the text alone.
    alone: Verdict,
    /// The verdict with the secret, the epoch or the layout, which the owner of the ID may know.
    informed: Verdict,
}

#[derive(Clone, Copy)]
struct Verdict {
    /// The first candidate is of the right scheme.
    scheme: bool,
    /// The first candidate is also of the right preset or version, so its time is right.
    layout: bool,
}

fn family(scheme: Scheme) -> Scheme {
    if scheme == Scheme::Flake { Scheme::Snowflake } else { scheme }
}

impl Entry {
    fn is_scheme(&self, candidate: &Candidate) -> bool {
        let parts = candidate.parts();
        match self.scheme.as_str() {
            "uuid-v1" | "uuid-v4" | "uuid-v7" => parts.scheme.name() == self.scheme,
            other => match other.strip_prefix("uuid-") {
                Some(version) => parts.scheme == Scheme::Uuid && parts.layout == Some(version),
                None => family(parts.scheme).name() == other,
            },
        }
    }

    fn is_layout(&self, candidate: &Candidate) -> bool {
        let parts = candidate.parts();
        self.is_scheme(candidate)
            && match self.layout.as_deref() {
                Some("scalable") => parts.node.is_some(),
                None if self.scheme == "ulid-flake" => parts.node.is_none(),
                None => true,
                Some(layout) if self.own_layout().is_some() => {
                    let known = Layout::from_text(layout).expect("a layout").name();
                    candidate.layout_index() == Some(0) || known.is_some() && parts.layout == known
                }
                Some(name) => parts.layout == Some(name),
            }
    }

    /// Returns the layout of a Snowflake that is not a preset.
    fn own_layout(&self) -> Option<Layout> {
        let text = self.layout.as_deref().filter(|layout| layout.contains(':'))?;
        Some(Layout::from_text(text).expect("a layout"))
    }

    fn needs_more(&self) -> bool {
        self.secret.is_some() || self.epoch_ms.is_some() || self.own_layout().is_some()
    }

    fn alone(&self) -> Candidates {
        Inspector::at(NOW_MS).inspect_text(&self.text).expect("text of an ID")
    }

    fn informed(&self) -> Candidates {
        let mut inspector = Inspector::at(NOW_MS);
        if let Some(secret) = &self.secret {
            inspector = inspector.secret(&Secret::from_hex(secret).expect("a secret")).expect("one secret");
        }
        if let Some(epoch_ms) = self.epoch_ms {
            inspector = inspector.epoch_ms(epoch_ms).expect("an epoch");
        }
        if let Some(layout) = self.own_layout() {
            inspector = inspector.layout(&layout).expect("one layout");
        }
        inspector.inspect_text(&self.text).expect("text of an ID")
    }

    fn judge(&self, found: &Candidates) -> Verdict {
        let first = found.ranked().next();
        let is = |right: fn(&Entry, &Candidate) -> bool| first.is_some_and(|candidate| right(self, candidate));
        Verdict { scheme: is(Entry::is_scheme), layout: is(Entry::is_layout) }
    }

    /// Returns the name of the entry's row in the table.
    fn row(&self) -> String {
        match self.layout.as_deref() {
            Some(_) if self.own_layout().is_some() => format!("{}, layouts of its users' own", self.scheme),
            Some(layout) if self.scheme == "snowflake" => format!("{}, {layout}", self.scheme),
            _ if self.scheme == "ulid-flake" && self.text.len() == 13 => "ulid-flake, as text".into(),
            _ if self.scheme == "ulid-flake" => "ulid-flake, as a number".into(),
            _ => match self.scheme.strip_prefix("uuid-") {
                Some("v3" | "v5" | "v6" | "v8" | "nil" | "max") => "uuid, other versions".into(),
                _ => self.scheme.clone(),
            },
        }
    }
}

fn judged() -> Vec<Judged> {
    let judge = |(index, entry): (usize, Entry)| {
        let (alone, informed) = (entry.judge(&entry.alone()), entry.judge(&entry.informed()));
        Judged { index, alone, informed, entry }
    };
    entries().into_iter().enumerate().map(judge).collect()
}

/// The number of entries, and of those that are right.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: usize,
    all: usize,
}

impl Tally {
    fn of<'j>(judged: impl IntoIterator<Item = &'j Judged>, is_right: impl Fn(&Judged) -> bool) -> Self {
        judged.into_iter().fold(Tally::default(), |tally, judged| Tally {
            right: tally.right + usize::from(is_right(judged)),
            all: tally.all + 1,
        })
    }

    fn percent(self) -> f64 {
        100.0 * self.right as f64 / self.all as f64
    }
}

fn half(judged: &[Judged], odd: usize) -> impl Iterator<Item = &Judged> {
    judged.iter().filter(move |judged| judged.index % 2 == odd)
}

#[test]
fn at_least_95_in_100_are_named_rightly_first() {
    let judged = judged();
    assert!(judged.len() >= 200);
    for (name, found) in [
        ("tuned on", Tally::of(half(&judged, 0), |judged| judged.informed.scheme)),
        ("not tuned on", Tally::of(half(&judged, 1), |judged| judged.informed.scheme)),
    ] {
        assert!(found.percent() >= 95.0, "{name}: {} of {}", found.right, found.all);
    }
    let without_hints: Vec<&Judged> = judged.iter().filter(|judged| !judged.entry.needs_more()).collect();
    let alone = Tally::of(without_hints.iter().copied(), |judged| judged.alone.scheme);
    assert!(alone.percent() >= 95.0, "without secret, epoch or layout: {} of {}", alone.right, alone.all);
}

#[test]
fn every_published_part_is_shown_wherever_the_candidate_ranks() {
    let mut compared = 0;
    for entry in entries() {
        let found = entry.informed();
        let Some(candidate) = found.ranked().find(|candidate| entry.is_layout(candidate)) else {
            panic!("{} is not among the candidates for {}", entry.scheme, entry.text)
        };
        let parts = candidate.parts();
        let shown = [
            ("timestamp_ms", parts.timestamp_ms.map(i128::from)),
            ("node", parts.node.map(i128::from)),
            ("sequence", parts.sequence.map(i128::from)),
            ("random", parts.random.and_then(|random| i128::try_from(random).ok())),
        ];
        for (name, value) in shown {
            if let Some(stated) = entry.parts.get(name) {
                assert_eq!(value, Some(*stated), "{name} of {}", entry.text);
                compared += 1;
            }
        }
    }
    assert!(compared > 700, "{compared}");
}

#[test]
fn the_page_has_the_measured_error_rates() {
    let (begin, end) = ("<!-- table: begin -->\n", "<!-- table: end -->\n");
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let (head, rest) = page.split_once(begin).expect("where the table begins");
    let (table, tail) = rest.split_once(end).expect("where the table ends");
    let measured = measured_table(&judged());
    if std::env::var_os("SAIBAN_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, format!("{head}{begin}{measured}{end}{tail}")).expect("the page written");
    } else {
        assert_eq!(table, measured, "the page is out of date: run this test with SAIBAN_WRITE_DOCS=1");
    }
}

fn measured_table(judged: &[Judged]) -> String {
    let mut rows: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        rows.entry(one.entry.row()).or_default().push(one);
    }
    let mut out = String::from(
        "\n| IDs | number | right scheme first | and preset or version | of these with the text alone |\n|---|---|---|---|---|\n",
    );
    let line = |name: &str, judged: &[&Judged]| {
        let [scheme, layout, alone] = [
            |judged: &Judged| judged.informed.scheme,
            |judged: &Judged| judged.informed.layout,
            |judged: &Judged| judged.alone.scheme,
        ]
        .map(|is_right| Tally::of(judged.iter().copied(), is_right));
        format!("| {name} | {} | {} | {} | {} |\n", scheme.all, scheme.right, layout.right, alone.right)
    };
    for (name, judged) in &rows {
        out += &line(name, judged);
    }
    let all: Vec<&Judged> = judged.iter().collect();
    out += &line("**all**", &all);
    for (name, odd) in [("even index, tuned on", 0), ("odd index, not tuned on", 1)] {
        out += &line(name, &half(judged, odd).collect::<Vec<_>>());
    }
    let scheme = Tally::of(all.iter().copied(), |judged| judged.informed.scheme);
    let layout = Tally::of(all.iter().copied(), |judged| judged.informed.layout);
    let alone = Tally::of(all.iter().copied(), |judged| judged.alone.scheme);
    let without_hints: Vec<&Judged> = judged.iter().filter(|judged| !judged.entry.needs_more()).collect();
    let fair = Tally::of(without_hints.iter().copied(), |judged| judged.alone.scheme);
    writeln!(
        out,
        "\nThe right scheme comes first for {:.1} % of them, the right preset or version for {:.1} %; with the text alone the right \
         scheme for {:.1} %,\nand for {:.1} % of the {} that need no secret, epoch or layout.\n\nWrong:\n",
        scheme.percent(),
        layout.percent(),
        alone.percent(),
        fair.percent(),
        fair.all
    )
    .expect("a line");
    for one in judged.iter().filter(|one| !one.informed.layout) {
        let found = one.entry.informed();
        let first = found.ranked().next().expect("a candidate");
        let named =
            |scheme: &str, layout: Option<&str>| layout.map_or(scheme.into(), |layout| format!("{scheme}, {layout}"));
        let label = named(first.parts().scheme.name(), first.parts().layout);
        let is = named(&one.entry.scheme, one.entry.layout.as_deref());
        writeln!(out, "- `{}` is {is}; named first: {label}", one.entry.text).expect("a line");
    }
    out
}
