//! The faults of database servers: common tests for all of them.

use crate::conformance;
use saiban_coordination::lease::protocol::{Acquire, Grant};
use saiban_coordination::store::{Store, StoreUrl, open, sql};
use saiban_coordination::{Error, ErrorKind};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// The first column of the result.
pub type Rows = Pin<Box<dyn Future<Output = Vec<String>> + Send>>;

/// A database for one test.
pub struct Database {
    pub url: String,
    /// Runs SQL as another program would.
    pub run: fn(String, String) -> Rows,
}

/// The common tests of all SQL servers, for this kind: `SERVER` is the server, and `database` makes
/// its databases.
macro_rules! promises {
    ($kind:literal) => {
        #[tokio::test]
        async fn four_processes_on_one_server_never_have_one_node_at_one_time() {
            let terms = conformance::terms("processes");
            let test = "four_processes_on_one_server_never_have_one_node_at_one_time";
            let Some(rectangles) = rectangles::of_processes(test, 4, || SERVER.url().to_owned(), &terms).await else {
                return;
            };
            rectangles::check_disjoint(&rectangles);
            let listing = store(SERVER.url()).list("processes").await.expect("a listing");
            assert_eq!(listing.slots.last().map(|slot| slot.nodes.end), Some(8), "the slots still divide all nodes");
        }

        #[tokio::test]
        async fn every_answer_matches_the_protocol() {
            agreement::check(&store(SERVER.url()), 16).await;
        }

        #[tokio::test]
        async fn rows_that_saiban_cannot_have_written_are_named_and_nothing_is_written() {
            database("corrupt").await.rows_that_saiban_cannot_have_written_are_named_and_nothing_is_written().await;
        }

        #[tokio::test]
        async fn a_newer_version_is_refused_and_left_alone() {
            database("newer").await.a_newer_version_is_refused_and_left_alone().await;
        }

        #[tokio::test]
        async fn a_table_of_another_program_is_left_alone() {
            database("another").await.a_table_of_another_program_is_left_alone().await;
        }

        #[tokio::test]
        async fn tables_made_at_the_same_time_are_made_once() {
            database("at_once").await.tables_made_at_the_same_time_are_made_once().await;
        }

        #[tokio::test]
        async fn a_wrong_password_is_refused_and_not_shown() {
            let database = Database { url: SERVER.url().into(), run };
            database.a_wrong_password_is_refused_and_not_shown().await;
        }

        #[tokio::test]
        async fn a_server_that_cannot_be_reached_is_unavailable_in_bounded_time() {
            database::a_server_that_cannot_be_reached_is_unavailable_in_bounded_time($kind).await;
        }

        #[tokio::test]
        async fn a_store_reconnects_to_a_restarted_server() {
            database::a_store_reconnects_to_a_restarted_server($kind).await;
        }

        #[test]
        fn unknown_parameters_are_refused() {
            database::unknown_parameters_are_refused($kind);
        }
    };
}
pub(crate) use promises;

pub fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}

pub async fn acquire(store: &Arc<dyn Store>) -> Result<Grant, Error> {
    let terms = conformance::terms("orders");
    let request = Acquire {
        nodes: 1,
        // Longer than a test takes on a busy machine.
        ttl_us: 1_800_000_000,
        holder: "test".into(),
        token: 7,
        clock_us: 0,
        max_clock_skew_us: i64::MAX,
        seen: None,
    };
    store.acquire(terms.name(), terms.fingerprint(), &request).await
}

pub async fn create(store: &Arc<dyn Store>) -> Result<(), Error> {
    store.create(&conformance::terms("orders")).await.map(|_| ())
}

/// Returns the URL with another user and password.
pub fn with(url: &str, user: &str, password: &str) -> String {
    let (_, rest) = url.split_once('@').expect("a user");
    let (kind, _) = url.split_once("://").expect("a kind");
    format!("{kind}://{user}:{password}@{rest}")
}

impl Database {
    pub async fn run(&self, sql: &str) -> Vec<String> {
        (self.run)(self.url.clone(), sql.to_owned()).await
    }

    async fn dump(&self) -> Vec<String> {
        let slots = "SELECT concat_ws(' ', namespace, nodes_start, nodes_end, fence, token, start_us, end_us, high_water_us, \
                     holder) FROM saiban_slots ORDER BY 1";
        let spaces = "SELECT concat_ws(' ', name, version, fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us) \
                      FROM saiban_namespaces ORDER BY 1";
        let mut rows = self.run(slots).await;
        rows.extend(self.run(spaces).await);
        rows
    }

    /// Creates a namespace of eight nodes, one of which is leased.
    async fn with_a_lease(&self) -> Arc<dyn Store> {
        let store = store(&self.url);
        create(&store).await.expect("a namespace");
        // All nodes are in one slot, so every request divides a slot, wherever this namespace
        // began.
        self.run("DELETE FROM saiban_slots").await;
        self.run("INSERT INTO saiban_slots VALUES ('orders', 0, 8, 0, 0, 0, 0, 0, '')").await;
        acquire(&store).await.expect("a lease");
        store
    }

    pub async fn rows_that_saiban_cannot_have_written_are_named_and_nothing_is_written(&self) {
        let store = self.with_a_lease().await;
        self.run("ALTER TABLE saiban_slots DROP CONSTRAINT saiban_slots_nodes").await;
        let cases = [
            ("UPDATE saiban_slots SET nodes_end = nodes_start - 1 WHERE fence = 1", "do not cover"),
            ("UPDATE saiban_slots SET nodes_end = nodes_end + 1 WHERE fence = 1", "do not cover"),
            ("DELETE FROM saiban_slots WHERE fence = 1", "do not cover"),
            ("DELETE FROM saiban_slots", "no rows"),
            ("UPDATE saiban_slots SET fence = -1 WHERE end_us = 0", "fence -1"),
            ("UPDATE saiban_slots SET fence = 9223372036854775807 WHERE end_us = 0", "fence 9223372036854775807"),
            ("UPDATE saiban_slots SET high_water_us = 5, end_us = 6 WHERE end_us = 0", "high_water_us 5"),
            // All slots appear to be held.
            ("UPDATE saiban_slots SET end_us = 2000000000000000, high_water_us = 0", "high_water_us 0"),
            ("UPDATE saiban_namespaces SET nodes = 0", "nodes 0"),
            ("UPDATE saiban_namespaces SET max_ttl_us = -1", "max_ttl_us -1"),
            ("UPDATE saiban_namespaces SET max_ttl_us = 9223372036854775807", "max_ttl_us 9223372036854775807"),
            ("UPDATE saiban_slots SET fence = 2305843009213693952 WHERE end_us = 0", "fence 2305843009213693952"),
            ("UPDATE saiban_slots SET start_us = 6, high_water_us = 5 WHERE end_us = 0", "start_us 6"),
        ];
        self.run("CREATE TABLE slots_before AS SELECT * FROM saiban_slots").await;
        self.run("CREATE TABLE spaces_before AS SELECT * FROM saiban_namespaces").await;
        for (damage, why) in cases {
            self.run(damage).await;
            let before = self.dump().await;
            let error = acquire(&store).await.expect_err(damage);
            assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{damage}: {error}");
            assert!(error.to_string().contains(why) && error.to_string().contains("\"orders\""), "{damage}: {error}");
            assert_eq!(store.list("orders").await.expect_err(damage).kind(), ErrorKind::StoreCorrupt, "{damage}");
            assert_eq!(self.dump().await, before, "{damage}");
            self.run("DELETE FROM saiban_slots").await;
            self.run("DELETE FROM saiban_namespaces").await;
            self.run("INSERT INTO saiban_slots SELECT * FROM slots_before").await;
            self.run("INSERT INTO saiban_namespaces SELECT * FROM spaces_before").await;
        }
        acquire(&store).await.expect("all is as it was");
    }

    pub async fn a_newer_version_is_refused_and_left_alone(&self) {
        let store = self.with_a_lease().await;
        self.run("UPDATE saiban_namespaces SET version = 2").await;
        let before = self.dump().await;
        let listed = store.list("orders").await.map(|_| ());
        let quarantined = store.quarantine("orders").await.map(|_| ());
        for answer in [create(&store).await, listed, quarantined, acquire(&store).await.map(|_| ())] {
            let error = answer.expect_err("a newer version");
            assert_eq!(error.kind(), ErrorKind::StoreUnsupported);
            assert!(error.to_string().contains("version 2"), "{error}");
        }
        assert_eq!(self.dump().await, before);
    }

    pub async fn a_table_of_another_program_is_left_alone(&self) {
        self.run("CREATE TABLE saiban_namespaces (id BIGINT PRIMARY KEY, title TEXT)").await;
        let error = create(&store(&self.url)).await.expect_err("another's");
        assert_eq!(error.kind(), ErrorKind::StoreCorrupt);
        assert!(error.to_string().contains("not saiban's"), "{error}");
    }

    pub async fn tables_made_at_the_same_time_are_made_once(&self) {
        let subject = conformance::Subject {
            store: store(&self.url),
            another: Box::new({
                let url = self.url.clone();
                move || store(&url)
            }),
            pass: Box::new(|_| ()),
        };
        conformance::a_namespace_created_by_many_at_the_same_time_is_created_once(&subject).await;
    }

    pub async fn tables_made_by_hand_need_no_right_to_make_them(&self, kind: &str, grants: &[&str]) {
        let schema = sql::schema(kind).expect("SQL");
        self.run(schema).await;
        self.run(schema).await;
        for grant in grants {
            self.run(grant).await;
        }
        let store = store(&with(&self.url, "clerk", "clerk"));
        create(&store).await.expect("a namespace");
        acquire(&store).await.expect("a lease");
    }

    /// Checks the rights of the user `reader`, who may connect and read after `grants`.
    pub async fn a_user_who_may_only_read_lists_and_writes_nothing(&self, grants: &[&str]) {
        self.with_a_lease().await;
        for grant in grants {
            self.run(grant).await;
        }
        let before = self.dump().await;
        let store = store(&with(&self.url, "reader", "reader"));
        assert_eq!(store.list("orders").await.expect("a listing").slots.last().map(|slot| slot.nodes.end), Some(8));
        let error = acquire(&store).await.expect_err("no right");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
        assert!(error.to_string().contains("rights") && error.is_permanent(), "{error}");
        assert_eq!(self.dump().await, before);
    }

    pub async fn a_wrong_password_is_refused_and_not_shown(&self) {
        let store = store(&with(&self.url, "saiban", "hunter2-not-it"));
        for answer in [create(&store).await, acquire(&store).await.map(|_| ())] {
            let error = answer.expect_err("no entry");
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
            assert!(error.to_string().contains("saiban:***@"), "{error}");
            assert!(error.is_permanent(), "who asks again may lock the account: {error}");
        }
    }
}

/// Tests an address without a listener, and a listener that never replies.
pub async fn a_server_that_cannot_be_reached_is_unavailable_in_bounded_time(kind: &str) {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent_port = silent.local_addr().expect("an address").port();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let closed_port = closed.local_addr().expect("an address").port();
    drop(closed);
    for port in [silent_port, closed_port] {
        let store = store(&format!("{kind}://user:hunter2@127.0.0.1:{port}/ids"));
        let error = acquire(&store).await.expect_err("nobody there");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
        assert!(error.to_string().contains("127.0.0.1") && !error.to_string().contains("hunter2"), "{error}");
    }
}

/// A closed connection is detected and opened again.
pub async fn a_store_reconnects_to_a_restarted_server(kind: &str) {
    let mut server = crate::servers::Server::start(kind);
    let store = store(server.url());
    create(&store).await.expect("a namespace");
    let first = acquire(&store).await.expect("a lease");
    server.order("restart");
    let second = acquire(&store).await.expect("another");
    assert_ne!(first.key.nodes, second.key.nodes, "the first is still held");
    server.order("stop");
    assert_eq!(acquire(&store).await.expect_err("nobody there").kind(), ErrorKind::StoreUnavailable);
    server.order("start");
    acquire(&store).await.expect("a third");
}

/// A misspelt parameter is refused, and a secret in a parameter is not shown.
pub fn unknown_parameters_are_refused(kind: &str) {
    let url = StoreUrl::new(&format!("{kind}://user:hunter2@127.0.0.1/ids?sslmod=require&x=hunter3")).expect("a URL");
    let error = open(&url).map(|_| ()).expect_err("a parameter that is not known");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("\"sslmod\"") && !error.to_string().contains("hunter"), "{error}");
}
