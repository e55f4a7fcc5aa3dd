//! Helpers for the files of Flake, ULID, UUID, ObjectId, XID and tick IDs.

use crate::document::{Case, Document};
use crate::rng::Rng;
use serde_json::{Value, json};
use std::path::Path;

/// Returns a random number of at most `bits` bits.
pub fn random(rng: &mut Rng, bits: u32) -> u128 {
    let word = u128::from(rng.next()) << 64 | u128::from(rng.next());
    if bits == 0 { 0 } else { word >> (128 - bits) }
}

/// Returns the largest number of `bits` bits.
pub fn most(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}

/// The parts of an ID by name. The cases write them as decimal text.
pub type Parts<'a> = &'a [(&'static str, i128)];

/// Adds the cases of one config.
pub struct Writer<'a> {
    pub document: &'a mut Document,
    pub config: String,
    /// Whether the IDs have a byte form.
    pub bytes: bool,
}

impl Writer<'_> {
    pub fn case(&self, op: &'static str, given: Value) -> Case {
        Case::new(op, given).config(&self.config)
    }

    fn compose_case(&self, parts: Parts) -> Case {
        let given = parts.iter().map(|(name, value)| ((*name).to_owned(), value.to_string().into()));
        self.case("compose", Value::Object(given.collect()))
    }

    /// Adds a case that composes an ID. If an ID results, adds cases of all other operations for
    /// it. For a published ID, `comment` is the source.
    pub fn compose(&mut self, parts: Parts, flags: &[&'static str], comment: &str) {
        let case = self.compose_case(parts);
        let made = self.document.ask(&case)["out"].clone();
        let flagged = |case: Case| {
            let case = flags.iter().fold(case, |case, &flag| case.flag(flag));
            if flags.contains(&"published") { case.source(comment) } else { case }
        };
        let is_plain = comment.is_empty() || flags.contains(&"published");
        let own = flagged(case);
        self.document.add(if is_plain { own } else { own.comment(comment) });
        if made.is_object() {
            self.all_ways(&made, flagged);
        }
    }

    /// Adds cases that take an ID apart, write it and read it.
    pub fn all_ways(&mut self, made: &Value, flagged: impl Fn(Case) -> Case) {
        let bytes = self.document.ask(&self.case("to_bytes", made.clone()))["out"]["bytes"].clone();
        for case in [
            self.case("inspect", made.clone()),
            self.case("to_text", made.clone()),
            self.case("from_text", json!({ "text": made["text"] })),
        ] {
            self.document.add(flagged(case));
        }
        if self.bytes {
            self.document.add(flagged(self.case("to_bytes", made.clone())));
            self.document.add(flagged(self.case("from_bytes", json!({ "bytes": bytes }))));
        }
    }

    pub fn read(&mut self, text: &str, comment: &str) {
        for lenient in [false, true] {
            self.read_as(text, lenient, comment);
        }
    }

    pub fn read_as(&mut self, text: &str, lenient: bool, comment: &str) {
        let given = if lenient { json!({ "text": text, "lenient": true }) } else { json!({ "text": text }) };
        self.document.add(self.case("from_text", given).flag("edge").comment(comment));
    }

    /// Adds a case that inspects an ID, which need not be valid for this config.
    pub fn inspect(&mut self, id: impl ToString, text: &str, flag: &'static str, comment: &str) {
        let case = self.case("inspect", json!({ "id": id.to_string(), "text": text })).flag(flag);
        self.document.add(if comment.is_empty() { case } else { case.comment(comment) });
    }

    /// Adds cases that write an ID in these encodings.
    pub fn encodings(&mut self, made: &Value, encodings: &[&str]) {
        for encoding in encodings {
            let given = json!({ "id": made["id"], "text": made["text"], "encoding": encoding });
            self.document.add(self.case("to_text", given).flag("edge"));
        }
    }

    pub fn made(&self, parts: Parts) -> Value {
        let made = self.document.ask(&self.compose_case(parts))["out"].clone();
        assert!(made.is_object(), "{parts:?} make an ID");
        made
    }

    /// Adds a case of a generator whose clock shows these times.
    pub fn generate(&mut self, mut given: Value, clock_ms: &[i64], comment: &str) {
        given["clock_ms"] = clock_ms.iter().map(i64::to_string).collect();
        self.document.add(self.case("generate", given).flag("edge").comment(comment));
    }

    pub fn refuse(&mut self, given: Value, comment: &str) {
        self.document.add(self.case("new", given).flag("edge").comment(comment));
    }

    /// Adds cases that read and inspect the IDs that `published.json` has of this scheme.
    pub fn published(&mut self, scheme: &str, layout: Option<&str>, most: usize) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../published.json");
        let text = std::fs::read_to_string(path).expect("published.json");
        let corpus: Value = serde_json::from_str(&text).expect("JSON");
        let entries = corpus["entries"].as_array().expect("entries").iter();
        let of_it = entries.filter(|entry| {
            entry["scheme"] == scheme
                && entry["layout"].as_str() == layout
                && entry["kind"] == "published"
                && entry.get("parts").is_some()
        });
        for entry in of_it.take(most) {
            let source = entry["source"].as_str().expect("a source");
            let strict = json!({ "text": entry["text"] });
            let lenient = json!({ "text": entry["text"], "lenient": true });
            for given in [strict, lenient] {
                let case = self.case("from_text", given);
                let made = self.document.ask(&case)["out"].clone();
                self.document.add(case.source(source));
                if made.is_object() {
                    self.document.add(self.case("inspect", made).source(source));
                }
            }
        }
    }
}

/// Adds cases of invalid windows. All times have the unit of windows: `first` and `end` delimit the
/// layout's time, and `ticks` is the length of a tick.
pub fn bad_windows(writer: &mut Writer, given: &Value, first: i64, end: i64, ticks: i64) {
    for (start, after, comment) in [
        (first + ticks, first + ticks, "an empty window"),
        (first + 2 * ticks, first + ticks, "a window that ends before it begins"),
        (first - ticks, first + ticks, "a window from before the epoch"),
        (first, end.saturating_add(ticks), "a window past the last tick"),
        (i64::MIN, i64::MAX, "a window of all integers"),
    ] {
        let mut given = given.clone();
        given["window"] = json!([start.to_string(), after.to_string()]);
        writer.refuse(given, comment);
    }
    let mut given = given.clone();
    given["rollback"] = json!("bits");
    writer.refuse(given, "a step back counted, without bits for it");
}
