//! Tokens, scopes and permissions.

use crate::grpc::{Grpc, PERMISSION_DENIED, UNAUTHENTICATED};
use crate::http::{Http, metric};
use crate::instance::{Instance, refused};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use saiban_service::grpc::proto::{GenerateRequest, GenerateResponse};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::process::Command;

const ADMIN: &str = "admin-token-0123456789";
const SHOP: &str = "shop-token-0123456789";
const GONE: &str = "gone-token-0123456789";

pub fn token(name: &str, token: &str, more: &str) -> String {
    let hash: String = Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("[[tokens]]\nname = \"{name}\"\ntoken_sha256 = \"{hash}\"\n{more}\n")
}

/// Returns tokens: an admin, a shop with one scheme and one namespace, and an expired one.
fn three() -> String {
    [
        "[schemes.orders]\nscheme = \"snowflake\"\n[schemes.users]\nscheme = \"ulid\"\n".to_owned(),
        token("operator", ADMIN, "scopes = [\"admin\"]"),
        token("shop", SHOP, "scopes = [\"generate\", \"lease\"]\nschemes = [\"orders\"]\nnamespaces = [\"shop\"]"),
        token("gone", GONE, "scopes = [\"admin\"]\nexpires = 2020-01-01T00:00:00Z"),
    ]
    .concat()
}

const FINGERPRINT: &str = "flake timestamp:41,epoch=2020-02-02 node:1 sequence:12";

const GENERATE: &str = "/saiban_id.v1.IdsService/Generate";

fn generate(scheme: &str) -> GenerateRequest {
    GenerateRequest { scheme: scheme.into(), count: 1 }
}

#[test]
fn a_missing_or_unknown_token_is_refused_and_counted() {
    let instance = Instance::ready(&three());
    let mut http = Http::to(instance.address());
    let path = "/v1/schemes/orders/ids";
    for (header, words) in [
        (None, "needs a token"),
        (Some("Bearer nobody-token-0123456789"), "the token is unknown"),
        (Some("Bearer"), "the token is unknown"),
        (Some("Token shop-token-0123456789"), "the token is unknown"),
        (Some(&*format!("Bearer {GONE}")), "expired"),
    ] {
        let headers: Vec<_> = header.map(|header| ("Authorization", header)).into_iter().collect();
        let answer = http.ask("POST", path, &headers, None);
        assert_eq!((answer.status, &*answer.code()), (401, "UNAUTHENTICATED"), "{header:?}");
        assert!(answer.text().contains(words), "{answer:?}");
        assert_eq!(answer.headers.iter().filter(|(name, _)| name == "www-authenticate").count(), 2, "{answer:?}");
    }
    for token in [None, Some("nobody-token-0123456789"), Some(GONE)] {
        let mut grpc =
            token.map_or_else(|| Grpc::to(instance.address()), |token| Grpc::with_token(instance.address(), token));
        let refusal = grpc.call::<GenerateResponse>(GENERATE, &generate("orders")).expect_err("it is refused");
        assert_eq!((refusal.code, &*refusal.kind), (UNAUTHENTICATED, "UNAUTHENTICATED"), "{refusal:?}");
    }
    let metrics = http.ask("GET", "/metrics", &[("Authorization", &format!("Bearer {ADMIN}"))], None).text();
    for (reason, times) in [("no_token", 2.0), ("unknown_token", 4.0), ("expired_token", 2.0)] {
        assert_eq!(
            metric(&metrics, &format!("saiban_denied_total{{reason=\"{reason}\"}}")),
            times,
            "{reason}\n{metrics}"
        );
    }
    assert_eq!(metric(&metrics, "saiban_denied_total{reason=\"scope\"}"), 0.0);
}

#[test]
fn a_token_is_limited_to_its_scopes_schemes_and_namespaces() {
    let instance = Instance::ready(&three());
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::with_token(instance.address(), SHOP));
    let shop = format!("Bearer {SHOP}");
    let headers = [("Authorization", &*shop), ("Content-Type", "application/json")];
    let fingerprint = "snowflake unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";
    let request = json!({ "fingerprint": fingerprint, "ttl_us": 60_000_000 }).to_string();
    let terms = json!({ "fingerprint": fingerprint }).to_string();
    let ids = json!({ "ids": [] }).to_string();
    for (method, path, body, status) in [
        ("POST", "/v1/schemes/orders/ids", None, 200),
        ("GET", "/v1/schemes/orders", None, 200),
        ("PUT", "/v1/leases/shop", Some(&terms), 200),
        ("POST", "/v1/leases/shop/acquire", Some(&request), 200),
        ("POST", "/v1/schemes/users/ids", None, 403),
        ("GET", "/v1/schemes/users", None, 403),
        // The response does not reveal whether the scheme exists.
        ("GET", "/v1/schemes/none", None, 403),
        ("POST", "/v1/schemes/orders/inspect", Some(&ids), 403),
        ("POST", "/v1/inspect", Some(&ids), 403),
        ("POST", "/v1/schemes/orders/compose", Some(&"{}".to_owned()), 403),
        ("GET", "/v1/leases/orders", None, 403),
        ("PUT", "/v1/leases/other", Some(&terms), 403),
        ("POST", "/v1/leases/orders/acquire", Some(&request), 403),
        ("POST", "/v1/leases/shop/quarantine", None, 403),
        ("GET", "/metrics", None, 403),
    ] {
        let answer = http.ask(method, path, &headers, body.map(|body| body.as_bytes()));
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
        if status == 403 {
            assert_eq!(answer.code(), "PERMISSION_DENIED", "{path}");
        }
    }
    let listed = http.ask("GET", "/v1/schemes", &headers, None).json();
    assert_eq!(listed["schemes"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed["schemes"][0]["name"], "orders");
    assert_eq!(grpc.call::<GenerateResponse>(GENERATE, &generate("orders")).expect("an ID").ids.len(), 1);
    let refusal = grpc.call::<GenerateResponse>(GENERATE, &generate("users")).expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (PERMISSION_DENIED, "PERMISSION_DENIED"));
    let metrics = http.ask("GET", "/metrics", &[("Authorization", &format!("Bearer {ADMIN}"))], None).text();
    assert_eq!(metric(&metrics, "saiban_denied_total{reason=\"scope\"}"), 12.0, "{metrics}");
}

#[test]
fn a_browser_gives_the_token_as_a_password() {
    let instance = Instance::ready(&three());
    let mut http = Http::to(instance.address());
    for (login, status) in [(format!("anybody:{ADMIN}"), 200), (format!(":{ADMIN}"), 200), (ADMIN.to_owned(), 401)] {
        let header = format!("Basic {}", BASE64_STANDARD.encode(&login));
        assert_eq!(http.ask("GET", "/v1/schemes", &[("Authorization", &header)], None).status, status, "{login}");
    }
}

#[test]
fn liveness_is_public_and_the_reason_for_not_ready_needs_a_token() {
    let instance = Instance::ready(&three());
    let mut http = Http::to(instance.address());
    assert_eq!(http.get("/healthz").status, 200);
    assert_eq!(http.get("/readyz").json(), json!({ "ready": true }));
    let known = http.ask("GET", "/readyz", &[("Authorization", &format!("Bearer {SHOP}"))], None).json();
    assert_eq!(known, json!({ "ready": true, "ending": false, "not_ready": {} }));
    for path in ["/", "/metrics", "/openapi.json", "/v1/schemes", "/nowhere", "/inspect"] {
        assert_eq!(http.get(path).status, 401, "{path}");
    }
}

#[test]
fn a_service_that_is_not_ready_shows_the_reason_only_with_a_token() {
    let instance = Instance::start(&format!("store = \"postgres://saiban@127.0.0.1:1/ids\"\n{}", three()));
    let mut http = Http::to(instance.address());
    let unknown = http.get("/readyz");
    assert_eq!((unknown.status, unknown.json()), (503, json!({ "ready": false })));
    let known = http.ask("GET", "/readyz", &[("Authorization", &format!("Bearer {SHOP}"))], None);
    assert_eq!(known.status, 503);
    let names: Vec<_> = known.json()["not_ready"].as_object().expect("schemes").keys().cloned().collect();
    assert_eq!(names, ["orders"]);
}

#[test]
fn public_addresses_need_tokens_and_tls_or_allow_plaintext() {
    let tokens = token("operator", ADMIN, "scopes = [\"admin\"]");
    for (configuration, words) in [
        ("listen = [\"0.0.0.0:0\"]\n".to_owned(), "without tokens every client may do everything"),
        ("listen = [\"127.0.0.1:0\", \"[::]:0\"]\n".to_owned(), "without tokens every client may do everything"),
        (
            "listen = [\"0.0.0.0:0\"]\nallow_plaintext = true\n".to_owned(),
            "without tokens every client may do everything",
        ),
        (format!("listen = [\"0.0.0.0:0\"]\n{tokens}"), "give tls, or allow_plaintext"),
    ] {
        let output = refused(&configuration);
        assert_eq!(output.status.code(), Some(2), "{configuration}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{configuration}\n{output:?}");
    }
}

#[test]
fn a_page_of_another_site_is_refused_without_tokens() {
    let instance = Instance::ready("[schemes.users]\nscheme = \"ulid\"\n");
    let mut http = Http::to(instance.address());
    let post = |http: &mut Http, headers: &[(&str, &str)]| http.ask("POST", "/v1/schemes/users/ids", headers, None);
    assert_eq!(post(&mut http, &[("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")]).status, 200);
    for headers in [
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
    ] {
        let answer = post(&mut http, &headers);
        assert_eq!((answer.status, &*answer.code()), (403, "PERMISSION_DENIED"), "{headers:?}");
    }
    for (host, status) in [
        ("localhost", 200),
        ("localhost:7609", 200),
        ("127.0.0.1", 200),
        ("[::1]:7609", 200),
        ("evil.example", 403),
        ("evil.example:7609", 403),
        ("localhost.evil.example", 403),
        ("10.0.0.1", 403),
    ] {
        http.send(format!("GET /v1/schemes HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).expect("it is sent");
        assert_eq!(http.answer().expect("an answer").status, status, "{host:?}");
    }
    // A forwarded request may come from anywhere, whatever its host name.
    for (name, value) in [("Forwarded", "for=10.0.0.1"), ("X-Forwarded-For", "10.0.0.1"), ("Via", "1.1 proxy")] {
        let answer = post(&mut http, &[(name, value)]);
        assert_eq!((answer.status, &*answer.code()), (403, "PERMISSION_DENIED"), "{name}");
        assert!(answer.text().contains("configure tokens"), "{name}: {}", answer.text());
    }
    let metrics = http.get("/metrics").text();
    for (reason, times) in [("origin", 4.0), ("host", 4.0), ("proxy", 3.0)] {
        let sample = format!("saiban_denied_total{{reason=\"{reason}\"}}");
        assert_eq!(metric(&metrics, &sample), times, "{reason}: {metrics}");
    }
}

#[test]
fn a_token_for_some_schemes_learns_nothing_of_others() {
    const LAYOUT: &str = "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12";
    // No server listens at this address, so schemes with leased nodes are not ready.
    let configuration = [
        "store = \"postgres://saiban@127.0.0.1:1/ids\"\n".to_owned(),
        format!("[schemes.backoffice]\nscheme = \"flake\"\nlayout = \"{LAYOUT}\"\n"),
        "[schemes.orders]\nscheme = \"snowflake\"\n".to_owned(),
        token("operator", ADMIN, "scopes = [\"admin\"]"),
        token("shop", SHOP, "scopes = [\"inspect\"]\nschemes = [\"orders\"]"),
    ];
    let instance = Instance::start(&configuration.concat());
    let mut http = Http::to(instance.address());
    let ids = json!({ "ids": ["1000000000000000000"] }).to_string();
    for (token, knows) in [(ADMIN, true), (SHOP, false)] {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", &*bearer), ("Content-Type", "application/json")];
        let ready = http.ask("GET", "/readyz", &headers, None).json();
        assert_eq!(ready["not_ready"].get("backoffice").is_some(), knows, "{ready}");
        assert!(ready["not_ready"].get("orders").is_some(), "{ready}");
        let page = http.ask("GET", "/inspect?id=1000000000000000000", &headers, None).text();
        assert_eq!(page.contains("backoffice"), knows, "{page}");
        let text = http.ask("POST", "/v1/inspect", &headers, Some(ids.as_bytes())).text();
        assert_eq!(text.contains("\"scheme\":\"flake\""), knows, "{text}");
    }
}

#[test]
fn releasing_nodes_by_hand_needs_a_token_that_shows_their_holder() {
    let instance = Instance::ready(&three());
    let mut http = Http::to(instance.address());
    let admin = format!("Bearer {ADMIN}");
    let headers = [("Authorization", &*admin), ("Content-Type", "application/json")];
    let request = json!({ "fingerprint": FINGERPRINT, "nodes": 1, "ttl_us": 600_000_000, "holder": "a worker" });
    let terms = json!({ "fingerprint": FINGERPRINT, "nodes": 2, "max_ttl_us": 3_600_000_000_u64 });
    assert_eq!(http.ask("PUT", "/v1/leases/shop", &headers, Some(terms.to_string().as_bytes())).status, 200);
    let acquired = http.ask("POST", "/v1/leases/shop/acquire", &headers, Some(request.to_string().as_bytes()));
    let node = acquired.json()["first"].to_string();
    let release = |token: &str| {
        let url = format!("saiban://:{token}@{}", instance.address());
        Command::new(env!("CARGO_BIN_EXE_saiban"))
            .args(["lease", "release", "--store", &url, "--namespace", "shop", "--node", &node, "--yes"])
            .output()
            .expect("the program runs")
    };
    let slot = |http: &mut Http| http.ask("GET", "/v1/leases/shop", &headers, None).json()["slots"][0].clone();
    let held = slot(&mut http);
    let refused = release(SHOP);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!((refused.status.code(), stderr.contains("only to the scope admin")), (Some(2), true), "{refused:?}");
    assert_eq!(slot(&mut http), held, "nothing was done");
    let released = release(ADMIN);
    assert!(released.status.success(), "{released:?}");
    assert_ne!(slot(&mut http)["fence"], held["fence"]);
}
