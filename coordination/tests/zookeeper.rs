//! ZooKeeper keeps every guarantee, and errors name faults of servers and records.
#![cfg(feature = "zookeeper")]

mod agreement;
mod conformance;
mod records;
mod rectangles;
mod servers;
mod tls;

use conformance::Subject;
use records::{acquire, one_slot, store, terms};
use saiban::ErrorKind;
use saiban_coordination::lease::protocol::Release;
use saiban_coordination::store::{StoreUrl, open};
use saiban_coordination::{Lease, LeaseOptions};
use servers::Server;
use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("zookeeper"));

async fn subject() -> Subject {
    let another = || store(SERVER.url());
    Subject { store: another(), another: Box::new(another), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

/// Returns the output of ZooKeeper's own client for these commands.
fn output_of(server: &Server, commands: &[String]) -> String {
    let mut client = Command::new("java")
        .args(["-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"])
        .args(["/etc/zookeeper/conf:/usr/share/java/zookeeper.jar", "org.apache.zookeeper.ZooKeeperMain"])
        .args(["-server", server.address()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("java starts");
    let mut input = client.stdin.take().expect("a pipe");
    writeln!(input, "{}\nquit", commands.join("\n")).expect("it reads");
    let output = client.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("text")
}

records::promises!();

#[tokio::test]
async fn four_processes_on_one_server_never_have_one_node_at_one_time() {
    let terms = terms("rectangles", 3);
    let test = "four_processes_on_one_server_never_have_one_node_at_one_time";
    let Some(rectangles) = rectangles::of_processes(test, 4, || SERVER.url().to_owned(), &terms).await else { return };
    rectangles::check_disjoint(&rectangles);
}

/// A server accepts 60 connections from one address by default.
#[test]
fn leases_of_one_process_share_their_connections() {
    let options = LeaseOptions { namespace: "shared".into(), create: Some(true), ..LeaseOptions::default() };
    let leases: Vec<Lease> =
        (0..70).map(|_| Lease::acquire(SERVER.url(), &options).expect("a lease beside the others")).collect();
    let nodes: HashSet<_> = leases.iter().map(|lease| lease.grant().expect("a grant").nodes()).collect();
    assert_eq!(nodes.len(), 70);
    for lease in leases {
        lease.release().expect("given back");
    }
}

#[tokio::test]
async fn records_that_saiban_has_not_written_are_named_and_left_as_they_are() {
    let store = store(SERVER.url());
    let both =
        |(text, kind): (&str, ErrorKind)| ["", "/00000000000000000000"].map(|part| (part, text.to_owned(), kind));
    let mut cases: Vec<_> = records::FOREIGN.into_iter().flat_map(both).collect();
    let slots = records::flawed_slots().into_iter();
    cases.extend(slots.map(|slot| ("/00000000000000000000", slot, ErrorKind::StoreCorrupt)));
    let namespaces = records::flawed_namespaces().into_iter();
    cases.extend(namespaces.map(|namespace| ("", namespace, ErrorKind::StoreCorrupt)));
    let (mut of, mut writes, mut reads) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (part, text, _)) in cases.iter().enumerate() {
        of.push(one_slot(&*store, &format!("foreign{index}")).await);
        writes.push(format!("set /saiban/foreign{index}{part} {text}"));
        reads.push(format!("get /saiban/foreign{index}{part}"));
    }
    let stray = one_slot(&*store, "stray").await;
    writes.push("create /saiban/stray/1 {}".into());
    let timeless = one_slot(&*store, "timeless").await;
    writes.push("delete /saiban/timeless/clock".into());
    output_of(&SERVER, &writes);
    for (of, (_, text, kind)) in of.iter().zip(&cases) {
        records::is_refused(&*store, of, text, *kind).await;
    }
    for (of, path) in [(stray, "/saiban/stray/1"), (timeless, "/saiban/timeless/clock")] {
        let error = acquire(&*store, &of.0, 1, 2).await.expect_err(path);
        assert!(error.kind() == ErrorKind::StoreCorrupt && error.to_string().contains(path), "{error}");
    }
    let kept = output_of(&SERVER, &reads);
    let kept: Vec<&str> = kept.lines().filter(|line| cases.iter().any(|(_, text, _)| line == text)).collect();
    assert_eq!(kept, cases.iter().map(|(_, text, _)| text.as_str()).collect::<Vec<_>>(), "nothing was changed");
}

#[tokio::test]
async fn slots_that_do_not_divide_all_nodes_are_corrupt() {
    let store = store(SERVER.url());
    let (terms, grant) = one_slot(&*store, "gaps").await;
    store.release(terms.name(), &Release { key: grant.key, high_water_us: 0 }).await.expect("given back");
    acquire(&*store, &terms, 3, 2).await.expect("room");
    output_of(&SERVER, &["delete /saiban/gaps/00000000000000000003".into()]);
    let error = store.list(terms.name()).await.expect_err("a gap");
    assert_eq!(error.kind(), ErrorKind::StoreCorrupt);
    assert!(error.to_string().contains("no slot has the node 3, of 8"), "{error}");
}

#[tokio::test]
async fn names_that_no_znode_can_have_may_be_names_of_namespaces() {
    let store = store(SERVER.url());
    for name in [".", "..", "clock", "zookeeper", "a.b"] {
        let terms = terms(name, 3);
        store.create(&terms).await.expect("a new namespace");
        acquire(&*store, &terms, 1, 1).await.expect("room");
    }
}

#[tokio::test]
async fn a_store_reconnects_after_its_session_expired() {
    let server = Server::start("zookeeper");
    let store = store(server.url());
    let (terms, grant) = one_slot(&*store, "silence").await;
    // The server drops a session that is silent for ten seconds.
    tokio::time::sleep(std::time::Duration::from_secs(12)).await;
    store.renew(terms.name(), &records::renewal(&grant, 700_000_000)).await.expect("renewed");
}

#[tokio::test]
async fn the_next_member_is_asked_when_one_does_not_answer() {
    records::the_next_member_is_asked_when_one_does_not_answer("zookeeper", &SERVER).await;
}

#[tokio::test]
async fn an_unreachable_server_is_unavailable_and_its_password_stays_secret() {
    records::an_unreachable_server_is_unavailable_and_its_password_stays_secret("zookeeper", &SERVER).await;
}

#[tokio::test]
async fn a_server_restored_from_a_backup_grants_nothing() {
    records::a_server_restored_from_a_backup_grants_nothing("zookeeper").await;
}

#[tokio::test]
async fn tls_connects_to_trusted_servers_only() {
    tls::tls_connects_to_trusted_servers_only("zookeeper", "/tls", &SERVER).await;
}

#[test]
fn urls_that_cannot_be_used_are_refused_before_anything_is_called() {
    records::urls_that_cannot_be_used_are_refused_before_anything_is_called("zookeeper");
    for url in ["zookeeper://host/a//b", "zookeeper://host/zookeeper/leases", "zookeepers://host"] {
        let error = StoreUrl::new(url).and_then(|url| open(&url).map(|_| ())).expect_err(url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}: {error}");
    }
    let url = "zookeeper://host/zookeeper2";
    assert!(StoreUrl::new(url).and_then(|url| open(&url).map(|_| ())).is_ok(), "it only begins as ZooKeeper's own");
}

#[tokio::test]
async fn a_killed_server_keeps_the_leases_that_it_granted() {
    records::a_killed_server_keeps_the_leases_that_it_granted("zookeeper").await;
}

#[tokio::test]
async fn records_of_a_user_are_accessible_to_that_user_only() {
    let address = SERVER.address();
    let app = store(&format!("zookeeper://app:p%40ss%3Aword@{address}/owned"));
    let (terms, grant) = one_slot(&*app, "secured").await;
    app.renew(terms.name(), &records::renewal(&grant, 700_000_000)).await.expect("renewed");
    let again = store(&format!("zookeeper://app:p%40ss%3Aword@{address}/owned"));
    again.list(terms.name()).await.expect("the same user");
    for login in ["", "app:wrong-secret@", "other:p%40ss%3Aword@"] {
        let error = store(&format!("zookeeper://{login}{address}/owned")).list(terms.name()).await;
        let error = error.expect_err("no entry");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.is_permanent(), "{error}");
        assert!(error.to_string().contains("not authorized") && !error.to_string().contains("wrong-secret"), "{error}");
    }
}
