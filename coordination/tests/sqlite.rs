//! SQLite keeps every guarantee of a store, and errors name faults of the file.

#![cfg(feature = "sqlite")]

mod agreement;
mod conformance;
mod rectangles;
mod until;

use conformance::Subject;
use saiban_coordination::lease::protocol::{Acquire, Grant};
use saiban_coordination::store::{Store, StoreUrl, open, sql};
use saiban_coordination::{Error, ErrorKind, Lease, LeaseOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};
use std::path::Path;
use std::sync::Arc;
use until::until;

async fn subject() -> Subject {
    let folder = tempfile::tempdir().expect("a folder");
    let url = url(&folder.path().join("leases.db"));
    let another = move || store(&url);
    // The folder exists as long as the test.
    Subject { store: another(), another: Box::new(another), pass: Box::new(move |_| assert!(folder.path().is_dir())) }
}

conformance::promises!(subject);

fn url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}

fn refused(url: &str) -> Error {
    StoreUrl::new(url).and_then(|url| open(&url).map(|_| ())).expect_err("no store")
}

fn request() -> Acquire {
    Acquire {
        nodes: 1,
        ttl_us: 60_000_000,
        holder: "test".into(),
        token: 7,
        clock_us: 0,
        max_clock_skew_us: i64::MAX,
        seen: None,
    }
}

async fn acquire(store: &Arc<dyn Store>) -> Result<Grant, Error> {
    let terms = conformance::terms("orders");
    store.acquire(terms.name(), terms.fingerprint(), &request()).await
}

/// Creates a file with a namespace of eight nodes, one of which is leased.
async fn a_file(path: &Path) -> Arc<dyn Store> {
    let store = store(&url(path));
    store.create(&conformance::terms("orders")).await.expect("a namespace");
    // The namespace begins with node 0, not with a random one, so the damage is next to the
    // requested nodes.
    run(path, "DELETE FROM saiban_slots WHERE nodes_start > 0; UPDATE saiban_slots SET nodes_end = 8").await;
    acquire(&store).await.expect("a lease");
    store
}

async fn has_the_lease(store: &Arc<dyn Store>) -> bool {
    let listing = store.list("orders").await.expect("a listing");
    listing.slots.iter().any(|slot| slot.is_held(listing.now_us) && slot.token == request().token)
}

/// Opens the file as another program would.
async fn raw(path: &Path) -> SqliteConnection {
    let options =
        SqliteConnectOptions::new().filename(path).create_if_missing(true).pragma("ignore_check_constraints", "1");
    options.connect().await.expect("a connection")
}

async fn run(path: &Path, sql: &str) {
    let mut connection = raw(path).await;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("done");
    sqlx::Connection::close(connection).await.expect("closed");
}

#[tokio::test]
async fn four_processes_on_one_file_never_have_one_node_at_one_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = url(&folder.path().join("leases.db"));
    let terms = conformance::terms("processes");
    let test = "four_processes_on_one_file_never_have_one_node_at_one_time";
    let Some(rectangles) = rectangles::of_processes(test, 4, || url.clone(), &terms).await else { return };
    rectangles::check_disjoint(&rectangles);
    let listing = store(&url).list("processes").await.expect("a listing");
    assert_eq!(listing.slots.last().map(|slot| slot.nodes.end), Some(8), "the slots still divide all nodes");
}

#[tokio::test]
async fn every_answer_matches_the_protocol() {
    agreement::check(&subject().await.store, 8).await;
}

#[tokio::test]
async fn a_missing_file_is_made_by_create_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let store = store(&url(&path));
    assert_eq!(acquire(&store).await.expect_err("no namespace").kind(), ErrorKind::NamespaceUnknown);
    assert_eq!(store.list("orders").await.expect_err("no namespace").kind(), ErrorKind::NamespaceUnknown);
    assert!(!path.exists());
    store.create(&conformance::terms("orders")).await.expect("a namespace");
    assert!(path.exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_file_and_its_journals_are_private_and_an_existing_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let beside = |ending: &str| Path::new(&format!("{}{ending}", path.display())).to_path_buf();
    let store = a_file(&path).await;
    assert_eq!(format!("{:o}", mode(&path)), "600");
    let mut connection = raw(&path).await;
    sqlx::raw_sql("BEGIN IMMEDIATE; DELETE FROM saiban_slots").execute(&mut connection).await.expect("begun");
    assert_eq!(format!("{:o}", mode(&beside("-journal"))), "600");
    sqlx::raw_sql("ROLLBACK; PRAGMA journal_mode = wal; DELETE FROM saiban_slots WHERE 0")
        .execute(&mut connection)
        .await
        .expect("done");
    acquire(&store).await.expect("a lease");
    for ending in ["-wal", "-shm"] {
        assert_eq!(format!("{:o}", mode(&beside(ending))), "600", "{ending}");
    }
    // A file that other users may access keeps its mode, and so do the files beside it.
    let shared = folder.path().join("shared.db");
    std::fs::write(&shared, "").expect("a file");
    std::fs::set_permissions(&shared, PermissionsExt::from_mode(0o664)).expect("its mode");
    let _store = a_file(&shared).await;
    assert_eq!(format!("{:o}", mode(&shared)), "664");
    let marks = folder.path().join(".shared.db-saiban-holders");
    assert_eq!(format!("{:o}", mode(&marks)), "775");
    let mark = std::fs::read_dir(&marks).expect("a folder").next().expect("a mark").expect("a mark").path();
    assert_eq!(format!("{:o}", mode(&mark)), "664");
    // The link's target does not exist yet.
    let (link, real) = (folder.path().join("link.db"), folder.path().join("real.db"));
    std::os::unix::fs::symlink("real.db", &link).expect("a link");
    let _linked = a_file(&link).await;
    assert_eq!(format!("{:o}", mode(&real)), "600");
}

#[tokio::test]
async fn a_file_that_was_deleted_is_not_used_any_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let store = a_file(&path).await;
    let first = store.list("orders").await.expect("a listing").namespace;
    std::fs::remove_file(&path).expect("deleted");
    // This process still holds a lease of the deleted file.
    let created = store.create(&conformance::terms("orders")).await.map(|_| ());
    for answer in [created, acquire(&store).await.map(|_| ()), store.list("orders").await.map(|_| ())] {
        assert_eq!(answer.expect_err("leases were lost").kind(), ErrorKind::NamespaceQuarantined);
    }
    drop(store);
    let store = self::store(&url(&path));
    assert_eq!(acquire(&store).await.expect_err("no namespace").kind(), ErrorKind::NamespaceUnknown);
    let second = store.create(&conformance::terms("orders")).await.expect("another one");
    assert_ne!(first.incarnation, second.incarnation);
}

#[tokio::test]
async fn tables_made_by_hand_serve_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let schema = sql::schema("sqlite").expect("SQL");
    run(&path, schema).await;
    let store = a_file(&path).await;
    run(&path, schema).await;
    assert!(has_the_lease(&store).await);
}

#[tokio::test]
async fn a_file_in_wal_mode_stays_in_wal_mode_and_serves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    run(&path, "PRAGMA journal_mode = wal; CREATE TABLE mine (x)").await;
    let store = a_file(&path).await;
    acquire(&store).await.expect("another lease");
    let mut connection = raw(&path).await;
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut connection).await.expect("a mode");
    assert_eq!(mode, "wal");
}

#[test]
fn urls_that_name_no_file_are_refused() {
    for url in
        ["sqlite::memory:", "sqlite://:memory:", "sqlite:///:memory:", "sqlite://?mode=memory", "sqlite:x?mode=memory"]
    {
        let error = refused(url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}");
        assert!(error.to_string().contains("memory"), "{error}");
    }
    for url in [
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite:///folder/",
        "sqlite:file:x",
        "sqlite:x?cache=shared",
        "sqlite:x#y",
    ] {
        assert_eq!(refused(url).kind(), ErrorKind::InvalidArgument, "{url}");
    }
}

#[tokio::test]
async fn a_path_in_a_url_is_percent_decoded_and_may_be_relative() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a b")).expect("a folder");
    let path = folder.path().join("a b").join("é#?.db");
    let written = format!("sqlite://{}/a b/%C3%A9%23%3F.db", folder.path().display());
    store(&written).create(&conformance::terms("orders")).await.expect("a namespace");
    assert!(path.exists());
    // The path is relative to the working directory, with and without slashes.
    let relative = format!("{}/relative.db", env!("CARGO_TARGET_TMPDIR"));
    let up = "../".repeat(std::env::current_dir().expect("a folder").components().count() - 1);
    for begin in ["sqlite:", "sqlite://"] {
        let _ = std::fs::remove_file(&relative);
        let url = format!("{begin}{}{}", up, relative.trim_start_matches('/'));
        store(&url).create(&conformance::terms("orders")).await.expect("a namespace");
        assert!(Path::new(&relative).exists(), "{url}");
    }
    std::fs::remove_file(&relative).expect("deleted");
}

#[tokio::test]
async fn a_file_that_cannot_be_made_is_unavailable_and_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        (folder.path().join("none").join("leases.db"), "make its folder"),
        (folder.path().to_path_buf(), "it is a folder"),
        // No user can create files there, not even root.
        (Path::new("/proc/leases.db").to_path_buf(), "check that this user may"),
    ];
    for (path, why) in cases {
        let error = store(&url(&path)).create(&conformance::terms("orders")).await.expect_err("no file");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[tokio::test]
async fn a_file_opened_for_reading_is_listed_and_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    a_file(&path).await;
    let before = std::fs::read(&path).expect("the file");
    let store = store(&format!("{}?mode=ro", url(&path)));
    assert!(has_the_lease(&store).await);
    let error = acquire(&store).await.expect_err("nothing is written");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("cannot be written") && error.is_permanent(), "{error}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_corrupt_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    let letter = "Dear reader, this is no database. ".repeat(100);
    std::fs::write(&path, &letter).expect("a letter");
    let store = store(&url(&path));
    let created = store.create(&conformance::terms("orders")).await.map(|_| ());
    for answer in [created, acquire(&store).await.map(|_| ())] {
        let error = answer.expect_err("not a database");
        assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{error}");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the letter"), letter);
}

#[tokio::test]
async fn a_table_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.db");
    run(&path, "CREATE TABLE saiban_namespaces (id INTEGER PRIMARY KEY, title TEXT)").await;
    let before = std::fs::read(&path).expect("the file");
    let error = store(&url(&path)).create(&conformance::terms("orders")).await.expect_err("another's");
    assert_eq!(error.kind(), ErrorKind::StoreCorrupt);
    assert!(error.to_string().contains("not saiban's"), "{error}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);
}

/// Replaces the table by a copy without constraints on types, as another program might.
const LOOSE: &str = "CREATE TABLE copy AS SELECT * FROM saiban_slots; DROP TABLE saiban_slots; \
    ALTER TABLE copy RENAME TO saiban_slots;";

#[tokio::test]
async fn rows_that_saiban_cannot_have_written_are_named_and_nothing_is_written() {
    let cases = [
        ("UPDATE saiban_slots SET nodes_end = nodes_start - 1 WHERE fence = 1", "nodes_start"),
        ("UPDATE saiban_slots SET nodes_end = nodes_end + 1 WHERE fence = 1", "nodes_start"),
        ("DELETE FROM saiban_slots WHERE fence = 1", "do not cover"),
        ("DELETE FROM saiban_slots", "no rows"),
        ("UPDATE saiban_slots SET fence = -1 WHERE end_us = 0", "fence -1"),
        ("UPDATE saiban_slots SET fence = 9223372036854775807 WHERE end_us = 0", "fence 9223372036854775807"),
        ("UPDATE saiban_slots SET high_water_us = 5, end_us = 6 WHERE end_us = 0", "high_water_us 5"),
        ("UPDATE saiban_slots SET fence = 'many' WHERE end_us = 0", "fence is the text \"many\""),
        ("UPDATE saiban_slots SET token = 1.5 WHERE end_us = 0", "token is not a whole number"),
        ("UPDATE saiban_slots SET holder = NULL WHERE end_us = 0", "holder is no text"),
        // All slots appear to be held.
        ("UPDATE saiban_slots SET end_us = 2000000000000000, high_water_us = 0", "high_water_us 0"),
        ("UPDATE saiban_namespaces SET nodes = 0", "nodes 0"),
        ("UPDATE saiban_namespaces SET max_ttl_us = -1", "max_ttl_us -1"),
        ("UPDATE saiban_namespaces SET max_ttl_us = 9223372036854775807", "max_ttl_us 9223372036854775807"),
        ("UPDATE saiban_slots SET fence = 2305843009213693952 WHERE end_us = 0", "fence 2305843009213693952"),
        ("UPDATE saiban_slots SET start_us = 6, high_water_us = 5 WHERE end_us = 0", "start_us 6"),
    ];
    for (damage, why) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("leases.db");
        let store = a_file(&path).await;
        run(&path, LOOSE).await;
        run(&path, damage).await;
        let before = std::fs::read(&path).expect("the file");
        let error = acquire(&store).await.expect_err(damage);
        assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{damage}: {error}");
        assert!(error.to_string().contains(why), "{damage}: {error}");
        assert!(error.to_string().contains("\"orders\""), "{damage}: {error}");
        if !damage.contains("DELETE FROM saiban_slots") {
            assert_eq!(store.list("orders").await.expect_err(damage).kind(), ErrorKind::StoreCorrupt, "{damage}");
        }
        assert_eq!(std::fs::read(&path).expect("the file"), before, "{damage}");
    }
}

#[tokio::test]
async fn a_newer_version_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let store = a_file(&path).await;
    run(&path, "UPDATE saiban_namespaces SET version = 2").await;
    let before = std::fs::read(&path).expect("the file");
    let created = store.create(&conformance::terms("orders")).await.map(|_| ());
    let listed = store.list("orders").await.map(|_| ());
    let quarantined = store.quarantine("orders").await.map(|_| ());
    for answer in [created, listed, quarantined, acquire(&store).await.map(|_| ())] {
        let error = answer.expect_err("a newer version");
        assert_eq!(error.kind(), ErrorKind::StoreUnsupported);
        assert!(error.to_string().contains("version 2"), "{error}");
    }
    assert_eq!(std::fs::read(&path).expect("the file"), before);
}

#[tokio::test]
async fn a_file_that_others_hold_is_unavailable_in_bounded_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let store = a_file(&path).await;
    let mut other = raw(&path).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut other).await.expect("held");
    let error = acquire(&store).await.expect_err("held by another");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains("was locked by others"), "{error}");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.expect("let go");
    acquire(&store).await.expect("a lease");
}

/// A file that is created again may have other terms: leases of the deleted file block its nodes
/// until they end, and their holders stop.
#[tokio::test]
async fn a_file_that_was_deleted_and_created_again_with_shorter_leases_grants_nothing_that_is_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("leases.db");
    let (url, options) = (url(&path), LeaseOptions { ttl_s: 60, wait_s: 1, ..LeaseOptions::default() });
    let acquire = move |options: &LeaseOptions| Lease::acquire(&url, options);
    let again = LeaseOptions { ttl_s: 2, max_ttl_s: 2, ..options.clone() };
    tokio::task::spawn_blocking(move || {
        let held = [acquire(&options).expect("a lease"), acquire(&options).expect("another")];
        std::fs::remove_file(&path).expect("deleted");
        let is_lost = |why: &str| {
            let error = acquire(&again).expect_err("the nodes of both may be in use");
            assert_eq!(error.kind(), ErrorKind::NamespaceQuarantined, "{error}");
            assert!(error.to_string().contains(why), "{error}");
        };
        is_lost("Stop those processes");
        held[0].renew().expect("asked");
        // The error is first that the namespace does not exist, and then the quarantine, for the
        // next lease.
        until("the holder is told", || {
            let why = held[0].status().expect("a status").why;
            why.is_some_and(|why| why.kind() == ErrorKind::NamespaceQuarantined) && held[0].grant().is_err()
        });
        assert_eq!(held[0].status().expect("a status").grants, 1);
        is_lost("Stop those processes");
        assert!(held[1].grant().is_ok(), "who has not asked goes on");
        // The last holder creates the file again, and starts its quarantine.
        held[1].renew().expect("asked");
        until("there is a file again", || path.exists() && held[1].grant().is_err());
        until("the quarantine has begun", || {
            let why = held[1].status().expect("a status").why.map(|why| why.to_string());
            why.is_some_and(|why| why.contains("restored from a backup"))
        });
        is_lost("restored from a backup");
    })
    .await
    .expect("done");
}
