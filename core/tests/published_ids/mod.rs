//! Reads `vectors/published.json`.

use serde_json::Value;
use std::collections::BTreeMap;

/// A published ID of another library.
pub struct Entry {
    pub text: String,
    pub scheme: String,
    pub layout: Option<String>,
    pub epoch_ms: Option<i64>,
    pub secret: Option<String>,
    pub parts: BTreeMap<String, i128>,
}

impl Entry {
    fn read(entry: &Value) -> Self {
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        let parts = entry["parts"].as_object().into_iter().flatten();
        let number = |value: &Value| value.as_str().and_then(|text| text.parse().ok()).expect("decimal text");
        Entry {
            text: text("text").expect("a text"),
            scheme: text("scheme").expect("a scheme"),
            layout: text("layout"),
            epoch_ms: text("epoch_ms").map(|text| text.parse().expect("a number")),
            secret: text("secret"),
            parts: parts.map(|(name, value)| (name.clone(), number(value))).collect(),
        }
    }
}

/// Returns all entries in the file's order.
pub fn entries() -> Vec<Entry> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/published.json");
    let text = std::fs::read_to_string(path).expect("the file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    file["entries"].as_array().expect("entries").iter().map(Entry::read).collect()
}
