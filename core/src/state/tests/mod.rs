//! Tests of state files: on real files, with real forks, and on a model of a disk that loses power.
//!
//! The crate's integration tests kill real processes (`state_crash.rs`).

mod files;
#[cfg(unix)]
mod forked;
mod power;
mod promises;

use super::{Identity, slots};
use crate::layout::Layout;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Node 7 of Twitter's layout, which has ticks of one millisecond.
const NODE_7: Identity<'static> =
    Identity { scheme: "snowflake", layout: &Layout::TWITTER, first_node: 7, end_node: 8 };

/// Creates a temporary folder. Returns it with the path of a state file that does not exist yet.
fn new_place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("orders.state");
    (folder, path)
}

/// Returns the end that the file on disk states: ticks below it may have been used.
fn end_in_file(path: &Path) -> u64 {
    slots::newest(&std::fs::read(path).expect("a file")).expect("a whole slot").record.end
}
