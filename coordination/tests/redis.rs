//! Redis keeps every guarantee, saiban detects losses, and errors name the fault.
#![cfg(feature = "redis")]

mod conformance;
mod servers;

use conformance::Subject;
use redis::Commands;
use saiban::ErrorKind;
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use saiban_coordination::store::{Store, StoreUrl, open};
use servers::Server;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("redis"));

async fn subject() -> Subject {
    let another = || store(SERVER.url());
    Subject { store: another(), another: Box::new(another), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

fn store(url: &str) -> Arc<dyn Store> {
    open(&StoreUrl::new(url).expect("a URL")).expect("a store")
}

async fn acquire(store: &dyn Store, terms: &Terms) -> Result<Grant, Error> {
    let clock_us = store.list(terms.name()).await?.now_us;
    let request = Acquire {
        nodes: 2,
        ttl_us: 60_000_000,
        holder: "somebody".into(),
        token: 7,
        clock_us,
        max_clock_skew_us: 1_000_000,
        seen: None,
    };
    store.acquire(terms.name(), terms.fingerprint(), &request).await
}

fn renewal(Grant { incarnation, key, end_us, .. }: &Grant) -> Renew {
    let seen = LastSeen { incarnation: *incarnation, key: key.clone(), end_us: *end_us };
    Renew { seen, ttl_us: 120_000_000 }
}

/// Connects to the server directly.
fn connect(url: &str) -> redis::Connection {
    redis::Client::open(url).and_then(|client| client.get_connection()).expect("a connection")
}

fn everything(connection: &mut redis::Connection, name: &str) -> BTreeMap<String, Vec<u8>> {
    let keys: Vec<String> = connection.keys(format!("saiban:{{{name}}}:*")).expect("keys");
    let dump = |key: String| {
        let content = redis::cmd("DUMP").arg(&key).query(connection).expect("a dump");
        (key, content)
    };
    keys.into_iter().map(dump).collect()
}

#[tokio::test]
async fn a_server_that_was_restarted_grants_nothing_but_renews() {
    let mut server = Server::start("redis");
    for order in ["restart", "kill"] {
        let store = store(server.url());
        let terms = conformance::terms(order);
        store.create(&terms).await.expect("a new namespace");
        let grant = acquire(&*store, &terms).await.expect("room");
        let other = acquire(&*store, &terms).await.expect("room");
        server.order(order);
        server.order("start");
        let refusal = acquire(&*store, &terms).await.expect_err("a quarantine");
        assert_eq!(refusal.kind(), ErrorKind::NamespaceQuarantined, "{refusal}");
        let listing = store.list(order).await.expect("a listing");
        let left_us = listing.namespace.quarantine_until_us - listing.now_us;
        assert!(left_us > terms.max_ttl_us() - 60_000_000 && left_us <= terms.max_ttl_us());
        let renewed = store.renew(order, &renewal(&grant)).await.expect("what the store knows is renewed");
        assert_eq!(renewed.key, grant.key);
        assert!(renewed.end_us > grant.end_us);
        store.release(order, &Release { key: other.key, high_water_us: 0 }).await.expect("given back");
        assert_eq!(acquire(&*store, &terms).await.expect_err("still").kind(), ErrorKind::NamespaceQuarantined);
        let until_us = store.list(order).await.expect("a listing").namespace.quarantine_until_us;
        assert_eq!(until_us, listing.namespace.quarantine_until_us, "one restart is one quarantine");
    }
}

#[tokio::test]
async fn a_server_restored_from_an_older_backup_grants_nothing() {
    let mut server = Server::start("redis");
    let store = store(server.url());
    let terms = conformance::terms("rewound");
    store.create(&terms).await.expect("a new namespace");
    let early = acquire(&*store, &terms).await.expect("room");
    server.order("save a");
    // The server was stopped for the copy. The test resets the resulting quarantine, as if it were
    // over.
    store.list("rewound").await.expect("a listing");
    let mut connection = connect(server.url());
    let _: () =
        connection.hset("saiban:{rewound}:namespace", "quarantine_until_us", format!("{:019}", 0)).expect("a write");
    let late = acquire(&*store, &terms).await.expect("room");
    server.order("rewind a");
    assert_eq!(acquire(&*store, &terms).await.expect_err("a quarantine").kind(), ErrorKind::NamespaceQuarantined);
    store.renew("rewound", &renewal(&early)).await.expect("what the store knows is renewed");
    let refusal = store.renew("rewound", &renewal(&late)).await.expect_err("forgotten");
    assert_eq!(refusal.kind(), ErrorKind::LeaseLost, "{refusal}");
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_no_password_is_shown() {
    let address = SERVER.address();
    let right = format!("redis://:open-sesame@{address}");
    assert_eq!(SERVER.url(), right);
    for wrong in ["redis://:sk%40ttle@", "redis://someone:sk%40ttle@", "redis://"] {
        let url = StoreUrl::new(&format!("{wrong}{address}")).expect("a URL");
        let error = open(&url).expect("a store").list("any").await.expect_err("a refusal");
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
        assert!(error.is_permanent(), "{error}");
        let message = error.to_string();
        assert!(message.contains(address) && message.to_lowercase().contains("auth"), "{message}");
        assert!(!message.contains("sk%40ttle") && !message.contains("sk@ttle"), "{message}");
    }
}

#[tokio::test]
async fn an_unreachable_server_is_unavailable() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let error = store(&format!("redis://:hush@{nobody}")).list("any").await.expect_err("nobody is there");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert!(error.to_string().contains(&format!("redis://:***@{nobody}")) && !error.is_permanent(), "{error}");
}

#[tokio::test]
async fn a_server_that_never_answers_is_unavailable_in_time() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("redis://{}", silent.local_addr().expect("an address"));
    // This far exceeds the time of any call on any machine.
    let store = store(&url);
    let answer = tokio::time::timeout(Duration::from_secs(300), store.list("any")).await.expect("an answer");
    assert_eq!(answer.expect_err("nobody answers").kind(), ErrorKind::StoreUnavailable);
}

#[tokio::test]
async fn a_server_without_tls_is_unavailable_over_tls() {
    let error = store(&format!("rediss://{}", SERVER.address())).list("any").await.expect_err("no TLS");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
}

#[tokio::test]
async fn a_url_that_names_no_server_is_invalid() {
    for url in ["redis://host/one", "redis:///", "redis://:hush@host?protocol=seven"] {
        let error = open(&StoreUrl::new(url).expect("a URL")).err().expect(url);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(!error.to_string().contains("hush"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_write_is_unavailable_and_grants_nothing() {
    let mut server = Server::start("redis");
    let store = store(server.url());
    let terms = conformance::terms("readonly");
    store.create(&terms).await.expect("a new namespace");
    let mut connection = connect(server.url());
    let before = everything(&mut connection, "readonly");
    let config = |connection: &mut redis::Connection, name: &str, value: &str| {
        let _: () = redis::cmd("CONFIG").arg("SET").arg(name).arg(value).query(connection).expect("a setting");
    };
    // No memory is left, even if the first write needs none.
    config(&mut connection, "maxmemory", "1");
    let full = conformance::terms("no-memory");
    assert_eq!(store.create(&full).await.expect_err("no memory").kind(), ErrorKind::StoreUnavailable);
    config(&mut connection, "maxmemory", "0");
    assert_eq!(everything(&mut connection, "no-memory"), BTreeMap::new(), "no half of a namespace");
    // The server becomes a replica of an unreachable server.
    let _: () = redis::cmd("REPLICAOF").arg("127.0.0.1").arg(1).query(&mut connection).expect("a replica");
    let error = acquire_blindly(&*store, &terms).await.expect_err("a replica");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    assert!(error.is_permanent(), "{error}");
    let _: () = redis::cmd("REPLICAOF").arg("NO").arg("ONE").query(&mut connection).expect("a primary");
    assert_eq!(everything(&mut connection, "readonly"), before);
    // The server was a replica meanwhile, so another server may have granted leases that it lacks.
    let error = acquire(&*store, &terms).await.expect_err("it may have lost leases");
    assert_eq!(error.kind(), ErrorKind::NamespaceQuarantined, "{error}");
    let new = conformance::terms("new");
    store.create(&new).await.expect("a new namespace");
    acquire(&*store, &new).await.expect("room");
    server.order("stop");
    assert_eq!(acquire(&*store, &terms).await.expect_err("stopped").kind(), ErrorKind::StoreUnavailable);
}

#[tokio::test]
async fn records_that_saiban_did_not_write_are_named_and_left_alone() {
    type Spoil = fn(&mut redis::Connection, &str) -> redis::RedisResult<()>;
    let spoils: [(&str, &str, Spoil); 12] = [
        ("type-namespace", "namespace", |connection, key| connection.del(key).and_then(|()| connection.set(key, "x"))),
        ("type-slots", "slots", |connection, key| connection.del(key).and_then(|()| connection.set(key, "x"))),
        ("type-index", "index", |connection, key| connection.del(key).and_then(|()| connection.set(key, "x"))),
        ("gone-slots", "slots", |connection, key| connection.del(key)),
        ("gone-index", "index", |connection, key| connection.del(key)),
        ("gone-namespace", "slots", |connection, _| connection.del("saiban:{gone-namespace}:namespace")),
        ("text", "namespace", |connection, key| connection.hset(key, "nodes", "8 or so")),
        ("no-nodes", "namespace", |connection, key| connection.hset(key, "nodes", "0".repeat(19))),
        ("long-leases", "namespace", |connection, key| connection.hset(key, "max_ttl_us", i64::MAX)),
        ("long-quarantine", "namespace", |connection, key| connection.hset(key, "quarantine_until_us", i64::MAX)),
        ("no-version", "namespace", |connection, key| connection.hset(key, "version", "0")),
        ("many-members", "index", |connection, key| connection.zadd(key, "f:1:2:3", 0)),
    ];
    let store = store(SERVER.url());
    let mut connection = connect(SERVER.url());
    for (name, part, spoil) in spoils {
        let terms = conformance::terms(name);
        store.create(&terms).await.expect("a new namespace");
        let grant = acquire(&*store, &terms).await.expect("room");
        let key = format!("saiban:{{{name}}}:{part}");
        spoil(&mut connection, &key).expect(name);
        let before = everything(&mut connection, name);
        let release = Release { key: grant.key.clone(), high_water_us: 0 };
        let errors = if name == "gone-namespace" {
            vec![store.create(&terms).await.expect_err(name)]
        } else {
            vec![
                store.create(&terms).await.expect_err(name),
                store.acquire(name, terms.fingerprint(), &request(&grant)).await.expect_err(name),
                store.renew(name, &renewal(&grant)).await.expect_err(name),
                store.release(name, &release).await.expect_err(name),
                store.list(name).await.expect_err(name),
                store.quarantine(name).await.expect_err(name),
            ]
        };
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{name}: {error}");
            assert!(error.to_string().contains(&key), "{name}: {error}");
        }
        assert_eq!(everything(&mut connection, name), before, "{name}");
    }
}

fn request(grant: &Grant) -> Acquire {
    Acquire {
        nodes: 3,
        ttl_us: 1_000_000,
        holder: String::new(),
        token: 1,
        clock_us: grant.now_us,
        max_clock_skew_us: i64::MAX,
        seen: None,
    }
}

#[tokio::test]
async fn a_slot_that_saiban_did_not_write_is_named_and_left_alone() {
    // Each case spoils a slot, whose parts are end node, fence, token, start, end, high-water mark
    // and holder.
    type Spoil = fn(&mut [String], &str);
    let spoiled: [(&str, Spoil); 10] = [
        ("slot-text", |parts, _| parts[0] = "who knows".into()),
        ("slot-empty", |parts, first| parts[0] = format!("{:019}", first.parse::<i64>().expect("a number"))),
        ("slot-wide", |parts, _| parts[0] = format!("{:019}", 9)),
        ("slot-negative", |parts, _| parts[1] = "-000000000000000001".into()),
        ("slot-large", |parts, _| parts[1] = "9".repeat(19)),
        ("slot-last-fence", |parts, _| parts[1] = i64::MAX.to_string()),
        ("slot-high-fence", |parts, _| parts[1] = "2305843009213693952".into()),
        ("slot-high-water", |parts, _| (parts[4], parts[5]) = ("0".repeat(19), i64::MAX.to_string())),
        ("slot-start", |parts, _| (parts[3], parts[5]) = (format!("{:019}", 9), format!("{:019}", 8))),
        ("slot-mark", |parts, _| (parts[4], parts[5]) = (format!("{:019}", 5), format!("{:019}", 4))),
    ];
    let store = store(SERVER.url());
    let mut connection = connect(SERVER.url());
    for (name, spoil) in spoiled {
        let terms = conformance::terms(name);
        store.create(&terms).await.expect("a new namespace");
        let key = format!("saiban:{{{name}}}:slots");
        // All slots are changed, so that a request cannot miss the changed one.
        let slots: BTreeMap<String, String> = connection.hgetall(&key).expect("slots");
        for (first, text) in slots {
            let mut parts: Vec<String> = text.splitn(7, ' ').map(str::to_owned).collect();
            spoil(&mut parts, &first);
            let _: () = connection.hset(&key, first, parts.join(" ")).expect("a write");
        }
        let before = everything(&mut connection, name);
        let errors = [acquire_blindly(&*store, &terms).await.expect_err(name), store.list(name).await.expect_err(name)];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::StoreCorrupt, "{name}: {error}");
            assert!(error.to_string().contains(&key), "{name}: {error}");
        }
        assert_eq!(everything(&mut connection, name), before, "{name}");
    }
}

async fn acquire_blindly(store: &dyn Store, terms: &Terms) -> Result<Grant, Error> {
    let request = Acquire {
        nodes: 1,
        ttl_us: 1_000_000,
        holder: String::new(),
        token: 1,
        clock_us: 0,
        max_clock_skew_us: i64::MAX,
        seen: None,
    };
    store.acquire(terms.name(), terms.fingerprint(), &request).await
}

#[tokio::test]
async fn records_of_a_newer_saiban_are_left_alone() {
    let store = store(SERVER.url());
    let mut connection = connect(SERVER.url());
    let terms = conformance::terms("newer");
    store.create(&terms).await.expect("a new namespace");
    let grant = acquire(&*store, &terms).await.expect("room");
    let _: () = connection.hset("saiban:{newer}:namespace", "version", 2).expect("a write");
    let before = everything(&mut connection, "newer");
    let errors = [
        store.create(&terms).await.expect_err("newer"),
        acquire_blindly(&*store, &terms).await.expect_err("newer"),
        store.renew("newer", &renewal(&grant)).await.expect_err("newer"),
        store.release("newer", &Release { key: grant.key, high_water_us: 0 }).await.expect_err("newer"),
        store.list("newer").await.expect_err("newer"),
        store.quarantine("newer").await.expect_err("newer"),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::StoreUnsupported, "{error}");
        assert!(error.to_string().contains("saiban:{newer}:namespace"), "{error}");
    }
    assert_eq!(everything(&mut connection, "newer"), before);
}

/// A cluster of two servers, each with half of the keys.
struct Cluster {
    servers: [Server; 2],
}

impl Cluster {
    fn start() -> Self {
        let servers = [Server::start("redis-of-cluster"), Server::start("redis-of-cluster")];
        let [mut one, mut two] = [connect(servers[0].url()), connect(servers[1].url())];
        let cluster = |arguments: &[&str]| redis::cmd("CLUSTER").arg(arguments).to_owned();
        let _: () = cluster(&["ADDSLOTSRANGE", "0", "8191"]).query(&mut one).expect("slots");
        let _: () = cluster(&["ADDSLOTSRANGE", "8192", "16383"]).query(&mut two).expect("slots");
        let _: () = cluster(&["SET-CONFIG-EPOCH", "1"]).query(&mut one).expect("an epoch");
        let config = |connection: &mut redis::Connection| -> BTreeMap<String, String> {
            redis::cmd("CONFIG").arg("GET").arg("cluster-port").query(connection).expect("a setting")
        };
        let bus = &config(&mut two)["cluster-port"];
        let port = servers[1].address().rsplit_once(':').expect("a port").1;
        let _: () = cluster(&["MEET", "127.0.0.1", port, bus]).query(&mut one).expect("a neighbour");
        let is_whole = |connection: &mut redis::Connection| {
            let state: String = cluster(&["INFO"]).query(connection).expect("information");
            state.contains("cluster_state:ok") && state.contains("cluster_slots_assigned:16384")
        };
        let has_met = (0..1_000).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            is_whole(&mut one) && is_whole(&mut two)
        });
        assert!(has_met, "the servers make a cluster");
        Cluster { servers }
    }
}

#[tokio::test]
async fn a_cluster_serves_every_namespace_by_the_server_that_has_it() {
    let cluster = Cluster::start();
    let store = store(cluster.servers[0].url());
    let names: Vec<String> = (0..8).map(|number| format!("cluster-{number}")).collect();
    for name in &names {
        let terms = conformance::terms(name);
        store.create(&terms).await.expect("a new namespace");
        let grant = acquire(&*store, &terms).await.expect("room");
        let renewed = store.renew(name, &renewal(&grant)).await.expect("renewed");
        store.release(name, &Release { key: renewed.key, high_water_us: 0 }).await.expect("given back");
    }
    let counts = cluster.servers.each_ref().map(|server| {
        let count: usize = redis::cmd("DBSIZE").query(&mut connect(server.url())).expect("a count");
        assert_ne!(count, 0);
        assert_eq!(count % 3, 0, "each namespace is whole");
        count
    });
    assert_eq!(counts.iter().sum::<usize>(), 3 * names.len());
}
