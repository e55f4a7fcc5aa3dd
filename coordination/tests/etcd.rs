//! etcd keeps every promise, and says what is wrong with its servers and records.
#![cfg(feature = "etcd")]

mod conformance;
mod servers;

use base64::{Engine, prelude::BASE64_STANDARD};
use conformance::Subject;
use saiban::{ErrorKind, Layout, Scheme};
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew, Seen};
use saiban_coordination::store::{Store, StoreUrl, open};
use serde_json::{Value, json};
use servers::Server;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("etcd"));

async fn subject() -> Subject {
    Subject { store: store(SERVER.url()), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}

fn terms(name: &str, node_bits: u32) -> Terms {
    let text = format!("timestamp:41@ms,epoch=2024-01-01 node:{node_bits} sequence:8");
    let layout = Layout::from_text(&text).expect("a layout");
    Terms::new(name, Scheme::Flake, &layout, None, 3_600).expect("terms")
}

async fn acquire(store: &dyn Store, terms: &Terms, nodes: i64, token: i64) -> Result<Grant, Error> {
    let clock_us = store.list(terms.name()).await?.now_us;
    let holder = "tests".to_owned();
    let wish =
        Acquire { nodes, ttl_us: 600_000_000, holder, token, clock_us, max_clock_skew_us: 10_000_000, seen: None };
    store.acquire(terms.name(), terms.fingerprint(), &wish).await
}

/// What etcd answers to one of its own requests. A store must have been opened before: that chooses the cryptography of TLS.
async fn ask(server: &Server, path: &str, body: &Value) -> Value {
    let url = format!("http://{}/v3/{path}", server.address());
    let answer = reqwest::Client::new().post(url).json(body).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path} {body}: {}", answer.text().await.expect("a text"));
    answer.json().await.expect("JSON")
}

fn coded(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

#[tokio::test]
async fn two_stores_that_race_get_different_nodes() {
    let terms = terms("race", 5);
    let stores = [store(SERVER.url()), store(SERVER.url())];
    stores[0].create(&terms).await.expect("a new name space");
    let mut tasks = Vec::new();
    for token in 0..32 {
        let (store, terms) = (Arc::clone(&stores[token % 2]), terms.clone());
        let token = i64::try_from(token).expect("small") + 1;
        tasks.push(tokio::spawn(async move { acquire(&*store, &terms, 1, token).await }));
    }
    let mut nodes = BTreeSet::new();
    for task in tasks {
        let grant = task.await.expect("no panic").expect("room for all");
        assert!(nodes.insert(grant.key.nodes.start), "{grant:?} was granted before");
    }
    assert_eq!(nodes.len(), 32);
}

#[tokio::test]
async fn a_lease_may_be_wider_than_what_one_transaction_joins() {
    let terms = terms("joins", 9);
    let store = store(SERVER.url());
    store.create(&terms).await.expect("a new name space");
    let mut grants = Vec::new();
    for token in 1..=300 {
        grants.push(acquire(&*store, &terms, 1, token).await.expect("room"));
    }
    for grant in &grants {
        let release = Release { key: grant.key.clone(), high_water_us: grant.start_us + 5 };
        store.release(terms.name(), &release).await.expect("given back");
    }
    let wide = acquire(&*store, &terms, 500, 301).await.expect("all that are left");
    assert_eq!(wide.key.nodes.end - wide.key.nodes.start, 500);
    let taken = |grant: &&Grant| wide.key.nodes.contains(&grant.key.nodes.start);
    let over_us = grants.iter().filter(taken).map(|grant| grant.start_us + 5).max().expect("some");
    assert!(wide.start_us >= over_us, "it begins after what was reserved");
    // Who had one of them, and did not hear that it was given back, is told so, and nothing is amiss.
    let grant = &grants[0];
    let seen = Seen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
    let late = store.renew(terms.name(), &Renew { seen, ttl_us: 1_000_000 }).await;
    assert_eq!(late.expect_err("over").kind(), ErrorKind::LeaseLost);
}

#[tokio::test]
async fn thousands_of_slots_are_read_and_listed() {
    let terms = terms("thousands", 13);
    let store = store(SERVER.url());
    store.create(&terms).await.expect("a new name space");
    let namespace = store.list(terms.name()).await.expect("a listing");
    for slot in namespace.slots {
        let key = format!("/saiban/thousands/slots/{:020}", slot.nodes.start);
        ask(&SERVER, "kv/deleterange", &json!({ "key": coded(&key) })).await;
    }
    // As 5000 holders one after the other leave it.
    let slots: Vec<Value> = (0..5_000)
        .map(|first| {
            let end = if first == 4_999 { 8_192 } else { first + 1 };
            let slot = json!({
                "version": 1, "first_node": first, "end_node": end, "fence": 2, "token": 7,
                "start_us": 1, "end_us": 0, "high_water_us": 9, "holder": "",
            });
            let key = coded(&format!("/saiban/thousands/slots/{first:020}"));
            json!({ "request_put": { "key": key, "value": coded(&slot.to_string()) } })
        })
        .collect();
    for some in slots.chunks(100) {
        ask(&SERVER, "kv/txn", &json!({ "success": some })).await;
    }
    let listing = store.list(terms.name()).await.expect("a listing");
    assert_eq!(listing.slots.len(), 5_000);
    let grant = acquire(&*store, &terms, 1, 8).await.expect("room");
    assert_eq!(grant.key.fence, 3);
}

#[tokio::test]
async fn records_that_saiban_has_not_written_are_named_and_left_as_they_are() {
    let store = store(SERVER.url());
    for (index, (what, kind)) in [
        ("nonsense", ErrorKind::StoreCorrupt),
        ("{\"version\":1}", ErrorKind::StoreCorrupt),
        ("{\"version\":\"1\"}", ErrorKind::StoreCorrupt),
        ("{\"version\":0}", ErrorKind::StoreCorrupt),
        ("{\"version\":1.5}", ErrorKind::StoreCorrupt),
        ("{\"version\":2}", ErrorKind::StoreUnsupported),
    ]
    .into_iter()
    .enumerate()
    {
        for part in ["namespace", "slots/00000000000000000000"] {
            let terms = terms(&format!("corrupt{index}{}", &part[..1]), 3);
            store.create(&terms).await.expect("a new name space");
            let grant = acquire(&*store, &terms, 8, 1).await.expect("all nodes");
            let key = format!("/saiban/{}/{part}", terms.name());
            ask(&SERVER, "kv/put", &json!({ "key": coded(&key), "value": coded(what) })).await;
            let seen = Seen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
            let refusals = [
                acquire(&*store, &terms, 1, 2).await.map(|_| ()),
                store.renew(terms.name(), &Renew { seen, ttl_us: 1_000_000 }).await.map(|_| ()),
                store.release(terms.name(), &Release { key: grant.key, high_water_us: 0 }).await,
                store.quarantine(terms.name()).await.map(|_| ()),
                store.create(&terms).await.map(|_| ()),
            ];
            for refusal in refusals {
                let error = refusal.expect_err(what);
                assert_eq!(error.kind(), kind, "{error}");
                assert!(error.to_string().contains(&key), "{error}");
            }
            let kept = ask(&SERVER, "kv/range", &json!({ "key": coded(&key) })).await;
            assert_eq!(kept["kvs"][0]["value"], coded(what), "nothing was changed");
        }
    }
}

#[tokio::test]
async fn slots_that_do_not_divide_all_nodes_are_corrupt() {
    let store = store(SERVER.url());
    let terms = terms("gaps", 3);
    store.create(&terms).await.expect("a new name space");
    let grant = acquire(&*store, &terms, 8, 1).await.expect("all nodes");
    store.release(terms.name(), &Release { key: grant.key, high_water_us: 0 }).await.expect("given back");
    acquire(&*store, &terms, 3, 2).await.expect("room");
    ask(&SERVER, "kv/deleterange", &json!({ "key": coded("/saiban/gaps/slots/00000000000000000003") })).await;
    let error = store.list(terms.name()).await.expect_err("a gap");
    assert_eq!(error.kind(), ErrorKind::StoreCorrupt);
    assert!(error.to_string().contains("no slot has the node 3, of 8"), "{error}");
    // A name space that was removed, and its slots not.
    ask(&SERVER, "kv/deleterange", &json!({ "key": coded("/saiban/gaps/namespace") })).await;
    assert_eq!(store.create(&terms).await.expect_err("slots are left").kind(), ErrorKind::StoreCorrupt);
}

#[tokio::test]
async fn the_next_member_is_asked_when_one_does_not_answer() {
    let terms = terms("next", 3);
    let (away, there) = ("127.0.0.1:9", SERVER.address());
    for hosts in [format!("{away},{there}"), format!("[::1]:9,{there},{away}")] {
        let store = store(&format!("etcd://{hosts}/several"));
        store.create(&terms).await.expect("a name space");
        store.list(terms.name()).await.expect("a listing");
    }
    let here = store(&format!("etcd://{there}/several/"));
    here.list(terms.name()).await.expect("the same");
    let elsewhere = store(SERVER.url()).list(terms.name()).await;
    assert_eq!(elsewhere.expect_err("another prefix").kind(), ErrorKind::NamespaceUnknown);
}

#[tokio::test]
async fn who_is_not_there_or_is_no_etcd_is_unavailable_and_the_password_stays_secret() {
    let url = "etcd://user:hidden@127.0.0.1:9,127.0.0.1:10/here";
    let error = store(url).list("any").await.expect_err("nobody listens");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    let text = error.to_string();
    assert!(text.contains("etcd://user:***@127.0.0.1:9,127.0.0.1:10/here"), "{text}");
    assert!(text.contains("127.0.0.1:10: ") && !text.contains("hidden"), "{text}");
    let error = store(&SERVER.url().replace("etcd:", "etcds:")).list("any").await.expect_err("no TLS there");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
}

#[tokio::test]
async fn urls_that_cannot_be_used_are_refused_before_anything_is_called() {
    for url in [
        "etcd://",
        "etcd://a,,b",
        "etcd://a:1:2,b",
        "etcd://a,b:99999",
        "etcd://user@host",
        "etcd://host/?ttl=3",
        "etcd://host/?ca=/tmp/ca.pem",
        "etcds://host/?ca=/nowhere/ca.pem",
        "etcds://host/?cert=/dev/null",
        "etcds://host/?cert=/dev/null&key=/dev/null",
    ] {
        let error = StoreUrl::new(url).and_then(|url| open(&url).map(|_| ())).expect_err(url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}: {error}");
    }
}

#[tokio::test]
async fn a_user_with_a_password_is_let_in_and_others_are_not() {
    let mut server = Server::start("etcd");
    let address = server.address().to_owned();
    let anybody = store(&format!("etcd://{address}"));
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
    let terms = terms("secured", 3);
    let app = store(&format!("etcd://app:p%40ss%3Aword@{address}"));
    app.create(&terms).await.expect("a new name space");
    // Its tokens are not known any more to a server that was started anew.
    server.order("restart");
    acquire(&*app, &terms, 1, 1).await.expect("room");
    assert_eq!(anybody.list(terms.name()).await.expect_err("no entry").kind(), ErrorKind::StoreUnavailable);
    for url in [format!("etcd://app:wrong-secret@{address}"), format!("etcd://app:p%40ss%3Aword@{address}/elsewhere")] {
        let error = store(&url).list(terms.name()).await.expect_err("no entry");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{url}: {error}");
        assert!(!error.to_string().contains("wrong-secret"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_was_killed_remembers_what_it_granted() {
    let mut server = Server::start("etcd");
    let store = store(server.url());
    let terms = terms("killed", 3);
    store.create(&terms).await.expect("a new name space");
    let grant = acquire(&*store, &terms, 8, 1).await.expect("all nodes");
    server.order("kill");
    let seen = Seen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
    let renew = Renew { seen, ttl_us: 700_000_000 };
    let error = store.renew(terms.name(), &renew).await.expect_err("it is dead");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    server.order("start");
    let renewed = store.renew(terms.name(), &renew).await.expect("renewed");
    assert_eq!(renewed.key, grant.key);
    assert!(renewed.end_us > grant.end_us);
}
