//! etcd keeps every guarantee, and errors name faults of servers and records.
#![cfg(feature = "etcd")]

mod agreement;
mod conformance;
mod records;
mod rectangles;
mod servers;
mod tls;

use base64::{Engine, prelude::BASE64_STANDARD};
use conformance::Subject;
use records::{acquire, one_slot, store, terms};
use saiban::ErrorKind;
use saiban_coordination::lease::protocol::Release;
use serde_json::{Value, json};
use servers::Server;
use std::sync::LazyLock;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("etcd"));

async fn subject() -> Subject {
    let another = || store(SERVER.url());
    Subject { store: another(), another: Box::new(another), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

/// Sends a request to etcd itself, and returns the response. A store must have been opened before,
/// which selects the crypto provider of TLS.
async fn ask(server: &Server, path: &str, body: &Value) -> Value {
    let url = format!("http://{}/v3/{path}", server.address());
    let answer = reqwest::Client::new().post(url).json(body).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path} {body}: {}", answer.text().await.expect("a text"));
    answer.json().await.expect("JSON")
}

fn coded(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

async fn put(key: &str, value: &str) {
    ask(&SERVER, "kv/put", &json!({ "key": coded(key), "value": coded(value) })).await;
}

async fn delete(key: &str) {
    ask(&SERVER, "kv/deleterange", &json!({ "key": coded(key) })).await;
}

records::promises!();

#[tokio::test]
async fn four_processes_on_one_server_never_have_one_node_at_one_time() {
    // A node is free again only in the next second of the clock, so many nodes keep the workers'
    // waits short.
    let terms = terms("rectangles", 6);
    let test = "four_processes_on_one_server_never_have_one_node_at_one_time";
    let Some(rectangles) = rectangles::of_processes(test, 4, || SERVER.url().to_owned(), &terms).await else { return };
    rectangles::check_disjoint(&rectangles);
}

#[tokio::test]
async fn thousands_of_slots_are_read_and_listed() {
    let terms = terms("thousands", 13);
    let store = store(SERVER.url());
    store.create(&terms).await.expect("a new namespace");
    for slot in store.list(terms.name()).await.expect("a listing").slots {
        delete(&format!("/saiban/thousands/slots/{:020}", slot.nodes.start)).await;
    }
    // The slots are those that 5000 successive holders leave.
    let put = |first: i64| {
        let slot = json!({
            "version": 1, "first_node": first, "end_node": if first == 4_999 { 8_192 } else { first + 1 },
            "fence": 2, "token": 7, "start_us": 1, "end_us": 0, "high_water_us": 9, "holder": "",
        });
        let key = coded(&format!("/saiban/thousands/slots/{first:020}"));
        json!({ "request_put": { "key": key, "value": coded(&slot.to_string()) } })
    };
    let slots: Vec<Value> = (0..5_000).map(put).collect();
    for some in slots.chunks(100) {
        ask(&SERVER, "kv/txn", &json!({ "success": some })).await;
    }
    assert_eq!(store.list(terms.name()).await.expect("a listing").slots.len(), 5_000);
    let grant = acquire(&*store, &terms, 1, 8).await.expect("room");
    assert_eq!(grant.key.fence, 3);
}

#[tokio::test]
async fn records_that_saiban_has_not_written_are_named_and_left_as_they_are() {
    let store = store(SERVER.url());
    let both = |(text, kind): (&str, ErrorKind)| {
        ["namespace", "slots/00000000000000000000"].map(|part| (part, text.to_owned(), kind))
    };
    let mut cases: Vec<_> = records::FOREIGN.into_iter().flat_map(both).collect();
    let slots = records::flawed_slots().into_iter();
    cases.extend(slots.map(|slot| ("slots/00000000000000000000", slot, ErrorKind::StoreCorrupt)));
    let namespaces = records::flawed_namespaces().into_iter();
    cases.extend(namespaces.map(|namespace| ("namespace", namespace, ErrorKind::StoreCorrupt)));
    for (index, (part, text, kind)) in cases.into_iter().enumerate() {
        let of = one_slot(&*store, &format!("foreign{index}")).await;
        let key = format!("/saiban/foreign{index}/{part}");
        put(&key, &text).await;
        records::is_refused(&*store, &of, &text, kind).await;
        let kept = ask(&SERVER, "kv/range", &json!({ "key": coded(&key) })).await;
        assert_eq!(kept["kvs"][0]["value"], coded(&text), "nothing was changed");
    }
    let of = one_slot(&*store, "stray").await;
    put("/saiban/stray/slots/1", "{}").await;
    let error = acquire(&*store, &of.0, 1, 2).await.expect_err("a stray key");
    assert!(error.kind() == ErrorKind::StoreCorrupt && error.to_string().contains("/saiban/stray/slots/1"), "{error}");
}

#[tokio::test]
async fn slots_that_do_not_divide_all_nodes_are_corrupt() {
    let store = store(SERVER.url());
    let (terms, grant) = one_slot(&*store, "gaps").await;
    store.release(terms.name(), &Release { key: grant.key, high_water_us: 0 }).await.expect("given back");
    acquire(&*store, &terms, 3, 2).await.expect("room");
    delete("/saiban/gaps/slots/00000000000000000003").await;
    let error = store.list(terms.name()).await.expect_err("a gap");
    assert_eq!(error.kind(), ErrorKind::StoreCorrupt);
    assert!(error.to_string().contains("no slot has the node 3, of 8"), "{error}");
    // The namespace was deleted, but not its slots.
    delete("/saiban/gaps/namespace").await;
    assert_eq!(store.create(&terms).await.expect_err("slots are left").kind(), ErrorKind::StoreCorrupt);
}

#[tokio::test]
async fn a_prefix_may_have_the_name_of_the_slots() {
    for prefix in ["slots", "slots/slots", "a/slots/b"] {
        let store = store(&format!("{}/{prefix}", SERVER.url()));
        for name in ["a", "slots", "b"] {
            let terms = terms(name, 3);
            store.create(&terms).await.expect("a new namespace");
            acquire(&*store, &terms, 1, 1).await.expect("room");
        }
        for name in ["a", "slots", "b"] {
            let slots = store.list(name).await.expect("a listing").slots;
            assert_eq!(slots.iter().filter(|slot| slot.fence > 0).count(), 1, "{prefix} {name}: its own");
        }
    }
}

#[tokio::test]
async fn the_next_member_is_asked_when_one_does_not_answer() {
    records::the_next_member_is_asked_when_one_does_not_answer("etcd", &SERVER).await;
}

#[tokio::test]
async fn an_unreachable_server_is_unavailable_and_its_password_stays_secret() {
    records::an_unreachable_server_is_unavailable_and_its_password_stays_secret("etcd", &SERVER).await;
    let error = store(&SERVER.url().replace("etcd:", "etcds:")).list("any").await.expect_err("no TLS there");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
}

#[tokio::test]
async fn a_server_restored_from_a_backup_grants_nothing() {
    records::a_server_restored_from_a_backup_grants_nothing("etcd").await;
}

#[tokio::test]
async fn tls_connects_to_trusted_servers_only() {
    tls::tls_connects_to_trusted_servers_only("etcd", "/tls", &SERVER).await;
}

#[test]
fn urls_that_cannot_be_used_are_refused_before_anything_is_called() {
    records::urls_that_cannot_be_used_are_refused_before_anything_is_called("etcd");
}

#[tokio::test]
async fn a_killed_server_keeps_the_leases_that_it_granted() {
    records::a_killed_server_keeps_the_leases_that_it_granted("etcd").await;
}

#[tokio::test]
async fn a_user_with_a_password_is_accepted_and_others_are_refused() {
    let mut server = Server::start("etcd");
    let address = server.address().to_owned();
    let without_login = store(server.url());
    for (path, body) in [
        ("auth/user/add", json!({ "name": "root", "password": "open sesame/1" })),
        ("auth/role/add", json!({ "name": "root" })),
        ("auth/user/grant", json!({ "user": "root", "role": "root" })),
        ("auth/user/add", json!({ "name": "app", "password": "p@ss:word" })),
        ("auth/role/add", json!({ "name": "leases" })),
        (
            "auth/role/grant",
            json!({
                "name": "leases",
                "perm": { "permType": "READWRITE", "key": coded("/saiban/"), "range_end": coded("/saiban0") },
            }),
        ),
        ("auth/user/grant", json!({ "user": "app", "role": "leases" })),
        ("auth/enable", json!({})),
    ] {
        ask(&server, path, &body).await;
    }
    let app = store(&format!("etcd://app:p%40ss%3Aword@{address}"));
    let (terms, grant) = one_slot(&*app, "secured").await;
    // A restarted server no longer knows its tokens.
    server.order("restart");
    app.renew(terms.name(), &records::renewal(&grant, 700_000_000)).await.expect("renewed");
    let wrong = store(&format!("etcd://app:wrong-secret@{address}"));
    let elsewhere = store(&format!("etcd://app:p%40ss%3Aword@{address}/elsewhere"));
    for store in [without_login, wrong, elsewhere] {
        let error = store.list(terms.name()).await.expect_err("no entry");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(!error.to_string().contains("wrong-secret") && error.is_permanent(), "{error}");
    }
}
