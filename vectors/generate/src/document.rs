//! A file of vectors: collects cases, computes their expected results with saiban, and writes one
//! case a line.

use crate::run;
use saiban::{Entropy, Error};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Entropy for Ulid-Flake: all zeros. The results in a file do not depend on the random numbers.
struct Zeros;

impl Entropy for Zeros {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        bytes.fill(0);
        Ok(())
    }
}

/// A case without its expected result.
pub struct Case {
    config: Option<String>,
    op: &'static str,
    given: Value,
    flags: Vec<&'static str>,
    comment: Option<String>,
    source: Option<String>,
}

impl Case {
    pub fn new(op: &'static str, given: Value) -> Self {
        Case { config: None, op, given, flags: Vec::new(), comment: None, source: None }
    }

    pub fn config(mut self, name: &str) -> Self {
        self.config = Some(name.into());
        self
    }

    pub fn flag(mut self, flag: &'static str) -> Self {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
        self
    }

    pub fn comment(mut self, comment: impl Into<String>) -> Self {
        self.comment = Some(comment.into());
        self
    }

    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self.flag("published")
    }
}

/// A file of vectors.
pub struct Document {
    pub subject: &'static str,
    /// The file's name without its extension. A subject may have several files.
    pub name: String,
    sources: &'static [&'static str],
    configs: Map<String, Value>,
    lines: Vec<String>,
    counts: BTreeMap<&'static str, u32>,
    seen: std::collections::BTreeSet<String>,
}

impl Document {
    pub fn new(subject: &'static str, sources: &'static [&'static str]) -> Self {
        Document {
            subject,
            name: subject.into(),
            sources,
            configs: Map::new(),
            lines: Vec::new(),
            counts: BTreeMap::new(),
            seen: std::collections::BTreeSet::new(),
        }
    }

    /// Returns the document as one of several files of its subject.
    pub fn part(mut self, number: usize) -> Self {
        self.name = format!("{}-{number}", self.subject);
        self
    }

    pub fn config(&mut self, name: &str, config: Value) {
        self.configs.insert(name.into(), config);
    }

    /// Adds a case, unless the file has it already: edges and random values may coincide.
    pub fn add(&mut self, case: Case) {
        let question = format!("{:?} {} {}", case.config, case.op, written(&case.given));
        if !self.seen.insert(question) {
            return;
        }
        let count = self.counts.entry(case.op).or_default();
        *count += 1;
        let id = format!("{}/{}/{count:04}", self.name, case.op);
        let answer = self.ask(&case);
        assert!(case.op != "new" || answer.get("error").is_some(), "{id}: {} can be built", case.given);
        let mut fields = vec![("id", json!(id))];
        if let Some(config) = &case.config {
            fields.push(("config", json!(config)));
        }
        fields.push(("op", json!(case.op)));
        fields.push(("in", case.given));
        for name in ["out", "error", "position"] {
            if let Some(value) = answer.get(name) {
                fields.push((name, value.clone()));
            }
        }
        if !case.flags.is_empty() {
            fields.push(("flags", json!(case.flags)));
        }
        if let Some(comment) = case.comment {
            fields.push(("comment", json!(comment)));
        }
        if let Some(source) = case.source {
            fields.push(("source", json!(source)));
        }
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}: {}", written(&json!(name)), written(value))).collect();
        self.lines.push(format!("{{{}}}", fields.join(", ")));
    }

    /// Returns the result of a case, and does not add the case.
    pub fn ask(&self, case: &Case) -> Value {
        let question = json!({ "config": case.config, "op": case.op, "in": case.given });
        run::answer(self.subject, &Value::Object(self.configs.clone()), &question, &Zeros)
    }

    pub fn cases(&self) -> usize {
        self.lines.len()
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let lines = |items: Vec<String>| match items.len() {
            0 => String::new(),
            _ => format!("\n    {}\n  ", items.join(",\n    ")),
        };
        let sources = lines(self.sources.iter().map(|source| written(&json!(source))).collect());
        let mut configs: Vec<_> = self.configs.iter().collect();
        configs.sort_by_key(|(name, _)| name.as_str());
        let configs = lines(
            configs.iter().map(|(name, config)| format!("{}: {}", written(&json!(name)), written(config))).collect(),
        );
        format!(
            "{{\n  \"format\": \"saiban-vectors-1\",\n  \"subject\": {},\n  \"sources\": [{sources}],\n  \"configs\": {{{configs}}},\n  \"cases\": [\n{}\n  ]\n}}\n",
            written(&json!(self.subject)),
            self.lines.join(",\n"),
        )
    }
}

/// Returns JSON on one line with sorted names, whatever order the features of `serde_json` choose.
/// Text is not escaped beyond JSON's needs: it is UTF-8.
fn written(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut names: Vec<_> = map.keys().collect();
            names.sort();
            let fields: Vec<_> =
                names.iter().map(|name| format!("{}: {}", json!(name), written(&map[*name]))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        leaf => leaf.to_string(),
    }
}
