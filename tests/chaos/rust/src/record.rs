//! What a worker writes: every ID that it got, and the times without IDs, with the errors.

use rustix::time::{ClockId, clock_gettime};
use saiban_coordination::Error;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// The shortest time without IDs that is recorded.
const GAP_NS: i64 = 100_000_000;

pub(crate) struct Record {
    ids: File,
    events: File,
    is_child: bool,
    /// When the last IDs came. Before the first ID, when the record began.
    last_ns: i64,
    count: u64,
    node: Option<u64>,
    /// The number of errors since the last ID by kind. `message` is that of the last error.
    errors: Map<String, Value>,
    message: String,
}

impl Record {
    /// Begins the record of this process. The files of a child process have their own names, next
    /// to those of its parent.
    pub(crate) fn begin(path: &Path, parent: Option<u32>) -> io::Result<Self> {
        let path = parent.map_or_else(|| path.to_owned(), |_| suffixed(path, &format!("-{}", process::id())));
        let create = |suffix| File::create_new(suffixed(&path, suffix));
        let mut record = Record {
            ids: create(".ids")?,
            events: create(".events")?,
            is_child: parent.is_some(),
            last_ns: now_ns(),
            count: 0,
            node: None,
            errors: Map::new(),
            message: String::new(),
        };
        let at_ns = record.last_ns;
        record.write_event(&json!({ "event": "start", "at": at_ns, "pid": process::id(), "parent": parent }))?;
        Ok(record)
    }

    pub(crate) fn is_child(&self) -> bool {
        self.is_child
    }

    /// Records that these IDs were returned. The last one is of this node.
    pub(crate) fn made(&mut self, ids: &[i64], node: u64) -> io::Result<()> {
        let now_ns = now_ns();
        let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        self.ids.write_all(&bytes)?;
        let is_first = self.count == 0;
        if is_first || now_ns - self.last_ns >= GAP_NS {
            let event = if is_first { "first" } else { "gap" };
            let (from, errors) = (self.last_ns, std::mem::take(&mut self.errors));
            let message = std::mem::take(&mut self.message);
            self.write_event(
                &json!({ "event": event, "from": from, "to": now_ns, "node": node, "errors": errors, "message": message }),
            )?;
        } else if self.node != Some(node) {
            self.write_event(&json!({ "event": "node", "at": now_ns, "node": node }))?;
        }
        self.errors.clear();
        self.node = Some(node);
        self.count += ids.len() as u64;
        self.last_ns = now_ns;
        Ok(())
    }

    /// Records that there was an error instead of IDs.
    pub(crate) fn failed(&mut self, error: &Error) -> io::Result<()> {
        let kind = error.kind().name();
        let count = self.errors.get(kind).and_then(Value::as_u64).unwrap_or(0);
        if count == 0 {
            let (at, message) = (now_ns(), error.to_string());
            self.write_event(&json!({ "event": "error", "at": at, "kind": kind, "message": message }))?;
        }
        self.errors.insert(kind.into(), (count + 1).into());
        self.message = error.to_string();
        Ok(())
    }

    /// Records that the process ends regularly.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let (at, from, count) = (now_ns(), self.last_ns, self.count);
        self.write_event(&json!({ "event": "end", "at": at, "from": from, "ids": count }))
    }

    fn write_event(&mut self, event: &Value) -> io::Result<()> {
        self.events.write_all(format!("{event}\n").as_bytes())
    }
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Returns a monotonic time. All processes of the machine read the same clock, and setting the
/// system's time does not change it.
fn now_ns() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}
