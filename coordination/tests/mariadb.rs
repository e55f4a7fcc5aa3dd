//! The promises of a store, kept in a MariaDB server; and what a server can have against us.

#![cfg(feature = "mysql")]

mod conformance;
mod rectangles;
mod servers;

use conformance::Subject;
use saiban_coordination::store::{StoreUrl, open};
use servers::Server;
use std::sync::LazyLock;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("mysql"));

async fn subject() -> Subject {
    let url = StoreUrl::new(SERVER.url()).expect("a URL");
    Subject { store: open(&url).expect("a store"), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);
