//! Lists the presets with their sources.

use saiban::Layout;
use serde_json::json;

/// Where each preset was published.
const SOURCES: [(&str, &str); 10] = [
    ("twitter", "github.com/twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala"),
    ("discord", "Discord developer documentation, \"Snowflakes\""),
    ("instagram", "Instagram Engineering, \"Sharding & IDs at Instagram\" (2012)"),
    ("sonyflake", "github.com/sony/sonyflake, README and sonyflake.go"),
    ("sonyflake_v2", "github.com/sony/sonyflake, v2/sonyflake.go"),
    ("mastodon", "github.com/mastodon/mastodon, lib/mastodon/snowflake.rb"),
    ("baidu", "github.com/baidu/uid-generator, README and DefaultUidGenerator.java"),
    ("bwmarrin", "github.com/bwmarrin/snowflake, snowflake.go; the same as twitter"),
    ("ulid-flake", "github.com/ulid-flake/spec, stand-alone version"),
    ("ulid-flake-scalable", "github.com/ulid-flake/spec, scalable version"),
];

/// Returns each name that is read as a layout, with its text and its source.
pub(super) fn lines(json: bool) -> impl Iterator<Item = String> {
    SOURCES.iter().filter_map(move |(name, source)| {
        let layout = Layout::preset(name).ok()?;
        Some(if json {
            json!({ "name": name, "text": layout.to_string(), "source": source }).to_string()
        } else {
            format!("{name:<19} {layout}\n{:<19} {source}", "")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_source() {
        for (name, _) in Layout::PRESETS {
            assert!(SOURCES.iter().any(|(of, _)| *of == name), "{name}");
        }
        assert!(SOURCES.iter().all(|(name, _)| Layout::preset(name).is_ok()));
        assert_eq!(lines(false).count(), SOURCES.len());
    }
}
