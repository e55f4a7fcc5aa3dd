//! Redis keeps every promise, and notices that it may have forgotten.
#![cfg(feature = "redis")]

mod conformance;
mod servers;

use conformance::Subject;
use saiban_coordination::store::{StoreUrl, open};
use servers::Server;
use std::sync::LazyLock;

async fn subject() -> Subject {
    static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("redis"));
    let url = StoreUrl::new(SERVER.url()).expect("a URL");
    Subject { store: open(&url).expect("a store"), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);
