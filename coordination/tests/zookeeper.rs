//! ZooKeeper keeps every promise, and says what is wrong with its servers and records.
#![cfg(feature = "zookeeper")]

mod conformance;
mod servers;

use conformance::Subject;
use saiban_coordination::store::{Store, StoreUrl, open};
use servers::Server;
use std::sync::{Arc, LazyLock};

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("zookeeper"));

async fn subject() -> Subject {
    Subject { store: store(SERVER.url()), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}
