//! PostgreSQL keeps every guarantee of a store, and errors name faults of the server.

#![cfg(feature = "postgres")]

mod agreement;
mod conformance;
mod database;
mod rectangles;
mod servers;

use conformance::Subject;
use database::{Database, Rows, store};
use saiban_coordination::ErrorKind;
use saiban_coordination::lease::protocol::{LastSeen, Release, Renew};
use servers::Server;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row};
use std::sync::LazyLock;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("postgres"));

async fn subject() -> Subject {
    let another = || store(SERVER.url());
    Subject { store: another(), another: Box::new(another), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

/// Creates a database on the server.
async fn database(name: &str) -> Database {
    run(SERVER.url().into(), format!("CREATE DATABASE {name}")).await;
    let (server, _) = SERVER.url().rsplit_once('/').expect("a database");
    Database { url: format!("{server}/{name}"), run }
}

fn run(url: String, sql: String) -> Rows {
    Box::pin(async move {
        let mut connection = PgConnection::connect(&url).await.expect("a connection");
        let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("done");
        let column = rows.iter().map(|row| row.try_get::<String, _>(0).unwrap_or_default()).collect();
        connection.close().await.expect("closed");
        column
    })
}

database::promises!("postgres");

#[tokio::test]
async fn tables_made_by_hand_need_no_right_to_make_them() {
    let grants = [
        "CREATE ROLE clerk LOGIN PASSWORD 'clerk'",
        "REVOKE CREATE ON SCHEMA public FROM public",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON saiban_namespaces, saiban_slots TO clerk",
    ];
    database("by_hand").await.tables_made_by_hand_need_no_right_to_make_them("postgres", &grants).await;
}

#[tokio::test]
async fn a_user_who_may_only_read_lists_and_writes_nothing() {
    let grants =
        ["CREATE ROLE reader LOGIN PASSWORD 'reader'", "GRANT SELECT ON saiban_namespaces, saiban_slots TO reader"];
    database("reading").await.a_user_who_may_only_read_lists_and_writes_nothing(&grants).await;
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_the_url_asks_for_it() {
    let store = store(&format!("{}?sslmode=require", SERVER.url()));
    let error = database::acquire(&store).await.expect_err("no TLS");
    assert_eq!(error.kind(), saiban_coordination::ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("TLS"), "{error}");
}

#[tokio::test]
async fn a_database_that_may_not_be_written_is_unavailable() {
    let database = database("frozen").await;
    database::create(&store(&database.url)).await.expect("a namespace");
    let store = store(&format!("{}?options=-c%20default_transaction_read_only%3Don", database.url));
    let error = database::acquire(&store).await.expect_err("nothing is written");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("cannot be written") && error.is_permanent(), "{error}");
    store.list("orders").await.expect("a listing");
}

#[tokio::test]
async fn requests_on_the_fast_path_do_not_wait_for_the_lock_of_the_namespace() {
    let database = database("quick").await;
    let store = store(&database.url);
    database::create(&store).await.expect("a namespace");
    // The release leaves a slot of exactly this width.
    let grant = database::acquire(&store).await.expect("a lease");
    store.release("orders", &Release { key: grant.key, high_water_us: 0 }).await.expect("given back");
    let mut other = PgConnection::connect(&database.url).await.expect("a connection");
    sqlx::raw_sql("BEGIN; SELECT * FROM saiban_namespaces FOR UPDATE").execute(&mut other).await.expect("held");
    let grant = database::acquire(&store).await.expect("a lease");
    let seen = LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
    let renewed = store.renew("orders", &Renew { seen, ttl_us: 3_600_000_000 }).await.expect("renewed");
    assert!(renewed.end_us > grant.end_us);
    store.release("orders", &Release { key: grant.key, high_water_us: 0 }).await.expect("given back");
    // A call that needs the lock fails in bounded time, and names the lock as the cause.
    let error = store.quarantine("orders").await.expect_err("held by another");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("was locked by others"), "{error}");
}

#[tokio::test]
async fn a_slot_that_overlaps_its_neighbour_is_not_granted_on_the_fast_path() {
    let database = database("overlap").await;
    let store = store(&database.url);
    database::create(&store).await.expect("a namespace");
    database.run("DELETE FROM saiban_slots").await;
    for nodes in ["0, 3", "2, 3", "3, 8"] {
        database.run(&format!("INSERT INTO saiban_slots VALUES ('orders', {nodes}, 0, 0, 0, 0, 0, '')")).await;
    }
    assert_eq!(database::acquire(&store).await.expect_err("two slots have node 2").kind(), ErrorKind::StoreCorrupt);
}

/// The slot has exactly the requested width, so the fast path finds it; the slow path reports what
/// is wrong with it.
#[tokio::test]
async fn an_impossible_number_is_not_granted_renewed_or_released_on_the_fast_path() {
    let database = database("absurd").await;
    let store = store(&database.url);
    database::create(&store).await.expect("a namespace");
    let grant = database::acquire(&store).await.expect("a lease");
    let rest = format!("DELETE FROM saiban_slots WHERE nodes_start <> {}", grant.key.nodes.start);
    let others = (0..8).filter(|node| *node != grant.key.nodes.start);
    let others: Vec<_> = others.map(|node| format!("('orders', {node}, {}, 0, 0, 0, 0, 0, '')", node + 1)).collect();
    database.run(&format!("{rest}; INSERT INTO saiban_slots VALUES {}", others.join(", "))).await;
    let seen = LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
    for (damage, repair) in [
        (
            "UPDATE saiban_namespaces SET max_ttl_us = 9223372036854775807",
            "UPDATE saiban_namespaces SET max_ttl_us = 3600000000",
        ),
        (
            "UPDATE saiban_slots SET fence = fence + 2305843009213693952",
            "UPDATE saiban_slots SET fence = fence - 2305843009213693952",
        ),
        (
            "UPDATE saiban_slots SET start_us = start_us + 2305843009213693952",
            "UPDATE saiban_slots SET start_us = start_us - 2305843009213693952",
        ),
    ] {
        database.run(damage).await;
        let mut seen = seen.clone();
        if damage.contains("fence") {
            seen.key.fence += 2_305_843_009_213_693_952;
        }
        let release = Release { key: seen.key.clone(), high_water_us: 0 };
        let renew = Renew { seen, ttl_us: 3_600_000_000 };
        for refused in [
            database::acquire(&store).await.map(|_| ()),
            store.renew("orders", &renew).await.map(|_| ()),
            store.release("orders", &release).await,
        ] {
            assert_eq!(refused.expect_err(damage).kind(), ErrorKind::StoreCorrupt, "{damage}");
        }
        database.run(repair).await;
    }
    store.renew("orders", &Renew { seen, ttl_us: 3_600_000_000 }).await.expect("all is as it was");
}
