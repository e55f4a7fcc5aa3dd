//! `saiban nodes`, and nodes that several commands use.

#![cfg(any(target_os = "linux", target_vendor = "apple"))]

mod common;

use common::{refused, saiban, stdout};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use tempfile::TempDir;

/// Returns the output of a command with its cursor files in this folder.
fn on(machine: &Path, arguments: &[&str]) -> String {
    let output = saiban(arguments).env("SAIBAN_RUN_DIR", machine).assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn listed(machine: &Path) -> Value {
    serde_json::from_str(&on(machine, &["nodes", "--json"])).expect("JSON")
}

#[test]
fn commands_with_one_node_repeat_nothing() {
    let folder = TempDir::new().expect("a folder");
    let mut all = HashSet::new();
    for arguments in [&["new", "snowflake", "--node", "7", "--count", "9000"][..]; 4] {
        for id in on(folder.path(), arguments).lines() {
            assert!(all.insert(id.to_owned()), "{id} comes twice");
        }
    }
    assert_eq!(all.len(), 36_000);
}

#[test]
fn nodes_that_were_used_are_listed_and_cleared() {
    let folder = TempDir::new().expect("a folder");
    let machine = folder.path();
    assert_eq!(listed(machine), Value::Array(Vec::new()));
    assert!(on(machine, &["nodes"]).contains("no nodes were used"));
    on(machine, &["new", "snowflake", "--node", "7"]);
    on(machine, &["new", "snowflake", "--nodes", "16..32"]);
    let spaces = listed(machine);
    let file = spaces[0]["file"].as_str().expect("a file");
    assert!(Path::new(file).starts_with(machine));
    assert_eq!((&spaces[0]["tick_ns"], &spaces[0]["epoch_ms"]), (&1_000_000.into(), &1_288_834_974_657_u64.into()));
    let ranges = spaces[0]["ranges"].as_array().expect("ranges");
    assert_eq!(ranges.len(), 2);
    assert_eq!((&ranges[1]["first"], &ranges[1]["end"], &ranges[1]["open"]), (&16.into(), &32.into(), &false.into()));
    let table = on(machine, &["nodes"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], file);
    assert!(
        lines[1].starts_with("NODES") && lines[2].starts_with("7  ") && lines[3].starts_with("16..32  -"),
        "{table}"
    );
    assert_eq!(on(machine, &["nodes", "clear", file, "--node", "20"]), "1 range cleared\n");
    assert_eq!(on(machine, &["nodes", "clear", file]), "1 range cleared\n");
    assert_eq!(listed(machine)[0]["ranges"], Value::Array(Vec::new()));
    refused(&["nodes", "clear", file, "--nodes", "5..5"], &["5..5 has no nodes"]);
    refused(&["nodes", "clear", file, "--node", "-1"], &["-1"]);
    assert!(stdout(&["nodes", "--help"]).contains("SAIBAN_RUN_DIR"));
    let missing = format!("{file}0");
    let failed = saiban(&["nodes", "clear", &missing]).assert().failure().get_output().clone();
    assert!(String::from_utf8_lossy(&failed.stderr).contains(&missing), "{failed:?}");
}
