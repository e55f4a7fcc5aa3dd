//! The system's clock with an offset that the harness may change. It is for a store whose time is
//! the machine's (SQLite), because libfaketime would change both clocks.

use saiban::{Clock, Error, SystemClock};
use std::fs::read_to_string;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct OffClock {
    /// The file that contains the offset, in seconds.
    path: Option<PathBuf>,
    off_ns: Arc<AtomicI64>,
}

impl OffClock {
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        OffClock { path, off_ns: Arc::default() }
    }

    /// Reads the offset from the file.
    pub(crate) fn refresh(&self) {
        let content = self.path.as_ref().and_then(|path| read_to_string(path).ok());
        if let Some(seconds) = content.and_then(|text| text.trim().parse::<i64>().ok()) {
            self.off_ns.store(seconds * 1_000_000_000, Ordering::Relaxed);
        }
    }
}

impl Clock for OffClock {
    fn now_ns(&self) -> Result<u64, Error> {
        SystemClock.now_ns()?.checked_add_signed(self.off_ns.load(Ordering::Relaxed)).ok_or(Error::ClockUnavailable)
    }

    fn wait(&self, duration: Duration) -> bool {
        SystemClock.wait(duration)
    }

    fn is_process_time(&self) -> bool {
        SystemClock.is_process_time()
    }

    fn since_boot_ns(&self) -> Option<u64> {
        SystemClock.since_boot_ns()
    }
}
