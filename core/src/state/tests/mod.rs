//! The promises of a state file, kept on real files, through real forks, and on a model of a disk that loses power. Real kills
//! are in the crate's tests (`state_crash.rs`).

mod files;
#[cfg(unix)]
mod forked;
mod power;
mod promises;

use super::{Identity, slots};
use crate::layout::Layout;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Node 7 of Twitter's layout, whose ticks are milliseconds.
const NODE_7: Identity<'static> =
    Identity { scheme: "snowflake", layout: &Layout::TWITTER, first_node: 7, end_node: 8 };

/// A folder of its own, and the path of a state file in it that is not there yet.
fn new_place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("orders.state");
    (folder, path)
}

/// What the file says on disk: ticks below this may have been used.
fn said(path: &Path) -> u64 {
    slots::newest(&std::fs::read(path).expect("a file")).expect("a whole slot").record.end
}
