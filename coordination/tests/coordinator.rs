//! The store `saiban://` keeps every guarantee with a real service, and handles lost, late or
//! invalid responses.
#![cfg(feature = "coordinator")]

mod agreement;
mod conformance;
mod injector;
mod records;
mod rectangles;
mod servers;
mod tls;

use conformance::Subject;
use injector::{Asked, Fate, Injector, unused_address};
use records::store;
use saiban::{ErrorKind, Layout, Scheme};
use saiban_coordination::lease::protocol::{Acquire, Grant, LastSeen, Release, Renew};
use saiban_coordination::lease::{SlotKey, Terms};
use saiban_coordination::store::{Store, StoreUrl, open, wire};
use saiban_coordination::{CounterOptions, Error, Lease, LeaseOptions, SharedCounter};
use servers::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("saiban"));

async fn subject() -> Subject {
    let another = || store(SERVER.url());
    Subject { store: another(), another: Box::new(another), pass: Box::new(|_| ()) }
}

conformance::promises!(subject);

records::promises!();

#[tokio::test]
async fn four_processes_on_one_service_never_have_one_node_at_one_time() {
    let terms = Terms::new("rectangles", Scheme::Snowflake, &Layout::TWITTER, None, 3_600).expect("terms");
    let test = "four_processes_on_one_service_never_have_one_node_at_one_time";
    let Some(rectangles) = rectangles::of_processes(test, 4, || SERVER.url().to_owned(), &terms).await else { return };
    rectangles::check_disjoint(&rectangles);
}

#[tokio::test]
async fn tls_connects_to_trusted_servers_only() {
    tls::tls_connects_to_trusted_servers_only("saiban", "", &SERVER).await;
}

/// Renews a lease, with the instance that replies.
fn renew(lease: &Lease) {
    let before = lease.status().expect("a status").renewals;
    while lease.status().expect("a status").renewals == before {
        lease.renew().expect("no copy");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_lease_goes_on_with_another_instance_and_after_a_restart() {
    let mut one = Server::start("saiban");
    let folder = tempfile::tempdir().expect("a folder");
    let shared = format!("SAIBAN_STORE=sqlite://{}/leases.db", folder.path().display());
    let two = Server::start_in("saiban", std::slice::from_ref(&shared));
    let mut three = Server::start_in("saiban", &[shared]);
    let url = format!("saiban://{},{}", three.address(), two.address());
    let options = LeaseOptions { create: Some(true), ..LeaseOptions::default() };
    let lease = Lease::acquire(&url, &options).expect("a lease");
    three.order("kill");
    renew(&lease);
    let other = Lease::acquire(&url, &options).expect("another lease");
    assert_ne!(lease.grant().expect("nodes").nodes(), other.grant().expect("nodes").nodes());
    three.order("start");
    other.release().expect("given back");
    lease.release().expect("given back");
    // The store's only instance restarts.
    let lease = Lease::acquire(one.url(), &options).expect("a lease");
    one.order("restart");
    renew(&lease);
    lease.release().expect("given back");
}

fn of(servers: &[&str]) -> Arc<dyn Store> {
    store(&format!("saiban://{}", servers.join(",")))
}

fn request() -> Acquire {
    let holder = "a test".to_owned();
    Acquire { nodes: 1, ttl_us: 60_000_000, holder, token: 77, clock_us: 5, max_clock_skew_us: 10, seen: None }
}

fn grant() -> Grant {
    let key = SlotKey { nodes: 3..4, fence: 9, token: 77 };
    Grant { incarnation: i64::MAX, key, start_us: 5, end_us: 60_000_005, now_us: 5 }
}

async fn acquire(store: &Arc<dyn Store>) -> Result<Grant, Error> {
    store.acquire("orders", "flake timestamp:41 node:10 sequence:12", &request()).await
}

/// Replies with a grant.
fn granting(_: &Asked) -> Fate {
    Fate::json(200, &wire::write_grant(&grant()).to_string())
}

/// Starts a service with this first response, which then grants leases.
fn first(fate: impl Fn() -> Fate + Send + Sync + 'static) -> Injector {
    let count = AtomicUsize::new(0);
    Injector::start(move |asked| if count.fetch_add(1, Ordering::Relaxed) == 0 { fate() } else { granting(asked) })
}

#[tokio::test]
async fn each_call_follows_the_contract() {
    let service = Injector::start(granting);
    let store = of(&[service.address()]);
    let key = grant().key;
    let seen = LastSeen { incarnation: i64::MAX, key: key.clone(), end_us: 60_000_005 };
    acquire(&store).await.expect("a grant");
    store.renew("orders", &Renew { seen, ttl_us: 60_000_000 }).await.expect("a grant");
    store.release("orders", &Release { key, high_water_us: 9 }).await.expect("given back");
    let terms = Terms::new("orders", Scheme::Snowflake, &Layout::TWITTER, None, 60).expect("terms");
    // A grant's response is not a namespace.
    assert_eq!(store.create(&terms).await.expect_err("odd").kind(), ErrorKind::StoreUnavailable);
    assert_eq!(store.list("a b/%").await.expect_err("odd").kind(), ErrorKind::StoreUnavailable);
    assert_eq!(store.quarantine("orders").await.expect_err("odd").kind(), ErrorKind::StoreUnavailable);
    let asked: Vec<_> = service.asked().into_iter().map(|asked| (asked.method, asked.path)).collect();
    let calls = asked.iter().map(|(method, path)| format!("{method} {path}")).collect::<Vec<_>>();
    assert_eq!(
        calls,
        [
            "POST /v1/leases/orders/acquire",
            "POST /v1/leases/orders/renew",
            "POST /v1/leases/orders/release",
            "PUT /v1/leases/orders",
            "GET /v1/leases/a%20b%2F%25",
            "POST /v1/leases/orders/quarantine",
        ]
    );
    // A client would not send these names in URLs.
    for name in ["", ".", ".."] {
        assert_eq!(store.list(name).await.expect_err("no name").kind(), ErrorKind::InvalidArgument);
    }
}

fn renewal() -> Renew {
    Renew { seen: LastSeen { incarnation: i64::MAX, key: grant().key, end_us: 60_000_005 }, ttl_us: 60_000_000 }
}

#[tokio::test]
async fn an_unanswered_request_is_repeated_if_it_is_idempotent() {
    let service = first(|| Fate::Lost);
    let store = of(&[service.address()]);
    assert_eq!(store.renew("orders", &renewal()).await, Ok(grant()));
    let asked = service.asked();
    assert_eq!((asked.len(), &asked[0].body), (2, &asked[1].body));
}

#[tokio::test]
async fn an_unanswered_request_for_nodes_is_not_repeated() {
    // Each received request grants nodes; if the response is lost, no client knows of them.
    let service = first(|| Fate::Lost);
    let store = of(&[service.address()]);
    assert_eq!(acquire(&store).await.expect_err("lost").kind(), ErrorKind::StoreUnavailable);
    let asked = service.asked();
    assert_eq!(asked.len(), 1);
    let body = wire::read_acquire(asked[0].body.as_bytes()).expect("a body").into_request().expect("a request");
    assert_eq!(body.1, request());
    // Each of several hosts has the timeout of a single host.
    let slow = || Injector::start(|asked| Fate::Late(Duration::from_secs(5), Box::new(granting(asked))));
    let (one, two) = (slow(), slow());
    assert_eq!(acquire(&of(&[one.address(), two.address()])).await, Ok(grant()));
    assert_eq!(one.asked().len() + two.asked().len(), 1);
}

/// Returns the response of the server at this address.
fn forwarded(address: &str, asked: &Asked) -> Fate {
    let Asked { method, path, body, .. } = asked;
    let mut stream = TcpStream::connect(address).expect("a server");
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    let of_body = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all((head + &of_body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    Fate::json(head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), body)
}

#[tokio::test]
async fn each_lost_answer_leaves_one_lease_without_a_holder() {
    let terms = Terms::new("lost", Scheme::Snowflake, &Layout::TWITTER, None, 3_600).expect("terms");
    let direct = store(SERVER.url());
    direct.create(&terms).await.expect("a namespace");
    let lossy = Injector::start(|asked| {
        let answer = forwarded(SERVER.address(), asked);
        if asked.path.ends_with("/acquire") { Fate::Lost } else { answer }
    });
    let request = Acquire { max_clock_skew_us: i64::MAX, ..request() };
    for lost in 1..=3 {
        let answer = of(&[lossy.address()]).acquire("lost", terms.fingerprint(), &request).await;
        assert_eq!(answer.expect_err("lost").kind(), ErrorKind::StoreUnavailable);
        let listing = direct.list("lost").await.expect("a listing");
        assert_eq!(listing.slots.iter().filter(|slot| slot.is_held(listing.now_us)).count(), lost);
    }
}

#[tokio::test]
async fn the_next_host_is_asked_when_one_fails_and_is_remembered() {
    for fate in [
        || Fate::error(503, "OVERLOADED", "too much at once"),
        || Fate::error(503, "STORE_UNAVAILABLE", "not a database"),
        || Fate::error(408, "TIMEOUT", "slow"),
        || Fate::json(502, "<html>a proxy's</html>"),
        || Fate::Lost,
    ] {
        let (bad, good) = (Injector::start(move |_| fate()), Injector::start(granting));
        let store = of(&[&unused_address(), bad.address(), good.address()]);
        assert_eq!(acquire(&store).await, Ok(grant()));
        let asked = bad.asked().len();
        assert_eq!(acquire(&store).await, Ok(grant()));
        assert_eq!((bad.asked().len(), good.asked().len()), (asked, 2));
    }
}

#[tokio::test]
async fn the_next_host_is_asked_when_one_accepts_a_request_and_never_answers() {
    let (bad, good) = (Injector::start(|_| Fate::Never), Injector::start(granting));
    let hosts = [bad.address(), good.address()];
    // A renewal is sent to the next host at once; a request for nodes fails, and the next one goes
    // there.
    assert_eq!(of(&hosts).renew("orders", &renewal()).await, Ok(grant()));
    let store = of(&hosts);
    assert_eq!(acquire(&store).await.expect_err("nothing").kind(), ErrorKind::StoreUnavailable);
    assert_eq!(acquire(&store).await, Ok(grant()));
    assert_eq!((bad.asked().len(), good.asked().len()), (2, 2));
}

#[tokio::test]
async fn a_store_of_which_no_host_answers_is_unavailable() {
    let busy = Injector::start(|_| Fate::error(503, "OVERLOADED", "too much at once"));
    let (gone, name) = (unused_address(), busy.address().to_owned());
    let error = acquire(&of(&[&gone, &name])).await.expect_err("nobody");
    assert_eq!((error.kind(), error.is_permanent()), (ErrorKind::StoreUnavailable, false));
    for part in ["the service saiban://", &gone, &name, "too much at once", "HTTP 503"] {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}

#[tokio::test]
async fn errors_of_the_service_keep_their_kind() {
    for (status, kind) in [
        (404, ErrorKind::NamespaceUnknown),
        (409, ErrorKind::NamespaceMismatch),
        (409, ErrorKind::NamespaceFull),
        (409, ErrorKind::NamespaceQuarantined),
        (409, ErrorKind::ClockSkew),
        (409, ErrorKind::LeaseLost),
        (400, ErrorKind::InvalidArgument),
        (500, ErrorKind::StoreCorrupt),
        (500, ErrorKind::StoreUnsupported),
    ] {
        let service = Injector::start(move |_| Fate::error(status, kind.name(), "why it is so"));
        let error = acquire(&of(&[service.address()])).await.expect_err("no");
        let expected = format!("the service saiban://{} says: why it is so", service.address());
        assert_eq!((error.kind(), error.to_string()), (kind, expected));
        assert_eq!(service.asked().len(), 1, "{kind}: it is told once, and by one");
    }
}

#[tokio::test]
async fn errors_that_a_retry_cannot_resolve_are_permanent() {
    let permanent = || {
        let body =
            b"{\"error\":{\"code\":\"STORE_UNAVAILABLE\",\"message\":\"its password is wrong\",\"position\":null}}";
        Fate::Answer(503, vec![("Saiban-Permanent", "true".into())], body.to_vec())
    };
    for fate in [
        permanent,
        || Fate::error(401, "UNAUTHENTICATED", "who are you"),
        || Fate::error(403, "PERMISSION_DENIED", "not you"),
        || Fate::error(405, "METHOD_NOT_ALLOWED", "not so"),
        || Fate::json(404, "a page of some other server"),
        || Fate::json(301, ""),
    ] {
        let service = Injector::start(move |_| fate());
        let error = acquire(&of(&[service.address(), &unused_address()])).await.expect_err("no");
        assert_eq!((error.kind(), error.is_permanent()), (ErrorKind::StoreUnavailable, true), "{error}");
    }
}

#[tokio::test]
async fn answers_that_are_not_the_services_are_refused() {
    for body in ["", "{}", "[]", "<html>", "{\"incarnation\":5}", "{\"first\":1e3}"] {
        let service = Injector::start(move |_| Fate::json(200, body));
        let error = acquire(&of(&[service.address()])).await.expect_err("odd");
        assert_eq!((error.kind(), error.is_permanent()), (ErrorKind::StoreUnavailable, false));
        assert!(error.to_string().contains("not one of saiban serve's"), "{error}");
    }
}

#[tokio::test]
async fn a_token_is_sent_to_the_service_and_shown_nowhere_else() {
    let is_known = |asked: &Asked| asked.headers.get("authorization").map(String::as_str) == Some("Bearer s3cret/+x");
    let service = Injector::start(move |asked| {
        if is_known(asked) { granting(asked) } else { Fate::error(401, "UNAUTHENTICATED", "who are you") }
    });
    let address = service.address();
    let url = |login: &str| format!("saiban://{login}{address}");
    assert_eq!(acquire(&store(&url(":s3cret%2F+x@"))).await, Ok(grant()));
    for login in ["", ":s3cret@"] {
        let error = acquire(&store(&url(login))).await.expect_err("another token");
        let text = format!("{error} {error:?}");
        assert!(text.contains("token_file=") && !text.contains("s3cret"), "{text}");
    }
}

#[tokio::test]
async fn a_token_that_was_replaced_in_its_file_is_read_again() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "old\n").expect("a token");
    let service = Injector::start(|asked| match asked.headers.get("authorization").map(String::as_str) {
        Some("Bearer new") => granting(asked),
        _ => Fate::error(401, "UNAUTHENTICATED", "it has expired"),
    });
    let store = store(&format!("saiban://{}?token_file={}", service.address(), file.path().display()));
    assert!(acquire(&store).await.is_err_and(|error| error.is_permanent()));
    std::fs::write(file.path(), "new\n").expect("a token");
    assert_eq!(acquire(&store).await, Ok(grant()));
    assert_eq!(acquire(&store).await, Ok(grant()));
    assert_eq!(service.asked().len(), 4, "the old one is not shown again");
}

#[test]
fn urls_that_cannot_be_used_are_refused_before_anything_is_called() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let path = file.path().display();
    for (rest, why) in [
        ("://s3cret@host".into(), "after a colon"),
        ("://user:s3cret@host".into(), "after a colon"),
        ("://host/path".into(), "path"),
        ("://:s3cret%20@host".into(), "visible ASCII"),
        ("://:s3cret%0Ax@host".into(), "visible ASCII"),
        ("://host?token_file=/nowhere/s3".into(), "token_file cannot be read"),
        (format!("://host?token_file={path}"), "empty"),
        (format!("://:s3cret@host?token_file={path}"), "give one of them"),
        (format!("://host?ca={path}"), "TLS"),
        ("://host?token=s3cret".into(), "no option"),
        ("://host,".into(), "list of hosts"),
        ("://".into(), "list of hosts"),
    ] {
        let url = StoreUrl::new(&format!("saiban{rest}"));
        let error = url.and_then(|url| open(&url).map(drop)).expect_err(&rest);
        let text = error.to_string();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{text}");
        assert!(text.contains(why) && text.contains("saiban:") && !text.contains("s3cret"), "{rest}: {text}");
    }
}

#[test]
fn counters_are_not_served() {
    let error = SharedCounter::open("saiban://127.0.0.1", &CounterOptions::default()).expect_err("no counters");
    assert_eq!(error.kind(), ErrorKind::StoreUnsupported);
    assert!(error.to_string().contains("sqlite:, postgres:, mysql:, redis:"), "{error}");
}
