//! The memory store keeps every guarantee, on a clock that the test moves.

mod conformance;

use conformance::Subject;
use saiban::ManualClock;
use saiban_coordination::store::{MemoryStore, Store};
use std::sync::Arc;

async fn subject() -> Subject {
    let clock = Arc::new(ManualClock::new(1_800_000_000_000).expect("a time"));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Arc::clone(&clock)));
    let pass = move |time: std::time::Duration| {
        clock.advance(i64::try_from(time.as_millis()).expect("a short time") + 1).expect("a time");
    };
    let same = Arc::clone(&store);
    Subject { store, another: Box::new(move || Arc::clone(&same)), pass: Box::new(pass) }
}

conformance::promises!(subject);
