//! Checks that `packaging/saiban.toml` matches the configuration.

use super::{Config, read_file};
use crate::config::Limits;
use std::path::Path;

const PACKAGED: &str = include_str!("../../../../packaging/saiban.toml");

/// Returns the packaged file with all commented keys and tables uncommented. Those start with a
/// single `#`.
fn uncommented() -> String {
    let is_key = |line: &str| line.starts_with(|character: char| character == '[' || character.is_ascii_lowercase());
    let lines = PACKAGED.lines().map(|line| line.strip_prefix('#').filter(|rest| is_key(rest)).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_packaged_file_is_a_configuration_as_it_is_and_with_every_example() {
    let as_it_is: Config = toml::from_str(PACKAGED).expect("a configuration");
    assert_eq!(format!("{as_it_is:?}"), format!("{:?}", Config::default()));
    let text = uncommented();
    let all: Config = toml::from_str(&text).expect("a configuration");
    assert_eq!(format!("{:?}", all.limits), format!("{:?}", Limits::default()));
    assert_eq!(all.listen, Config::default().listen);
    assert_eq!((all.schemes.len(), all.tokens.len()), (6, 1));
    // Loads the whole file, without the key `store_file`, because `store` is set too.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("saiban.toml");
    std::fs::write(&file, text.replace("\nstore_file", "\n#store_file")).expect("a file");
    Config::load(Some(&file), [], &[]).expect("a configuration");
}

#[test]
fn a_missing_file_is_named() {
    let error = read_file(Path::new("/none/saiban.toml")).expect_err("there is none").to_string();
    assert!(error.contains("/none/saiban.toml"), "{error}");
}
