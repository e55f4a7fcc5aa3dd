//! MariaDB keeps every guarantee of a store, and errors name faults of the server.

#![cfg(feature = "mysql")]

mod agreement;
mod conformance;
mod database;
mod rectangles;
mod servers;

use conformance::Subject;
use database::{Database, Rows, store};
use servers::Server;
use sqlx::mysql::MySqlConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row};
use std::sync::LazyLock;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("mysql"));

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
        let mut connection = MySqlConnection::connect(&url).await.expect("a connection");
        let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("done");
        let column = rows.iter().map(|row| row.try_get::<String, _>(0).unwrap_or_default()).collect();
        connection.close().await.expect("closed");
        column
    })
}

database::promises!("mysql");

#[tokio::test]
async fn tables_made_by_hand_need_no_right_to_make_them() {
    let grants = [
        "CREATE USER clerk@'127.0.0.1' IDENTIFIED BY 'clerk'",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON by_hand.* TO clerk@'127.0.0.1'",
    ];
    database("by_hand").await.tables_made_by_hand_need_no_right_to_make_them("mysql", &grants).await;
}

#[tokio::test]
async fn a_user_who_may_only_read_lists_and_writes_nothing() {
    let grants =
        ["CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'reader'", "GRANT SELECT ON reading.* TO reader@'127.0.0.1'"];
    database("reading").await.a_user_who_may_only_read_lists_and_writes_nothing(&grants).await;
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_the_url_asks_for_it() {
    let store = store(&format!("{}?sslmode=REQUIRED", SERVER.url()));
    let error = database::acquire(&store).await.expect_err("no TLS");
    assert_eq!(error.kind(), saiban_coordination::ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("TLS"), "{error}");
}
