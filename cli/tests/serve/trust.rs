//! Which claims of lease holders the service accepts, and when it is ready.

use crate::grpc::Grpc;
use crate::http::{Answer, Http, metric};
use crate::instance::{Instance, eventually, refused};
use saiban_service::grpc::proto::{AcquireRequest, AcquireResponse, acquire_request::Ids};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

const SECOND_US: i64 = 1_000_000;

fn now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time");
    i64::try_from(since.as_micros()).expect("it fits")
}

/// Sends a request with a token.
fn ask(instance: &Instance, token: &str, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("Authorization", format!("Bearer {token}")), ("Content-Type", "application/json".to_owned())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    Http::to(instance.address()).ask(method, path, &headers, Some(body.to_string().as_bytes()))
}

/// An instance with tokens in files: an operator, a worker, and a guest for one scheme only.
fn instance(schemes: &str) -> (Instance, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tokens = String::new();
    for (name, rest) in [
        ("operator", "scopes = [\"admin\"]"),
        ("worker", "scopes = [\"lease\", \"generate\"]"),
        ("guest", "scopes = [\"lease\"]\nschemes = [\"other\"]"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, format!("{name}-{name}-{name}")).expect("a file");
        tokens.push_str(&format!("[[tokens]]\nname = \"{name}\"\ntoken_file = \"{}\"\n{rest}\n", file.display()));
    }
    let leases = "[leases]\ncreate = true\nmax_ttl_s = 600\n";
    let instance = Instance::start_in(folder.path(), "instance", &format!("{leases}{tokens}{schemes}"));
    instance.wait_until_ready();
    (instance, folder)
}

fn token(name: &str) -> String {
    format!("{name}-{name}-{name}")
}

#[test]
fn a_holder_cannot_report_leases_longer_than_the_maximum() {
    let (instance, _folder) =
        instance("[schemes.orders]\nscheme = \"snowflake\"\n[schemes.other]\nscheme = \"ulid\"\n");
    let worker = token("worker");
    let month_us = 30 * 86_400 * SECOND_US;
    let false_lease = json!({ "incarnation": "1", "first": 0, "end": 1, "fence": 1, "token": "1", "end_us": now_us() + month_us,
        "ttl_us": SECOND_US });
    let acquire = json!({ "scheme": "orders", "ttl_us": SECOND_US, "seen": { "incarnation": "1", "first": 0, "end": 1, "fence": 1,
        "token": "1", "end_us": now_us() + month_us } });
    let release = json!({ "first": 0, "end": 1, "fence": 1, "token": "1", "high_water_us": now_us() + month_us });
    let long = json!({ "scheme": "orders", "ttl_us": 601 * SECOND_US });
    for (verb, body) in [("renew", &false_lease), ("acquire", &acquire), ("release", &release), ("acquire", &long)] {
        let answer = ask(&instance, &worker, "POST", &format!("/v1/leases/orders/{verb}"), body);
        assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{verb}");
        assert!(answer.text().contains("leases.max_ttl_s"), "{}", answer.text());
    }
    // The refused requests have not blocked the nodes.
    let granted = ask(
        &instance,
        &worker,
        "POST",
        "/v1/leases/orders/acquire",
        &json!({ "scheme": "orders", "ttl_us": SECOND_US }),
    );
    assert_eq!(granted.status, 200, "{}", granted.text());
    // Longer leases require the `admin` scope.
    let long = ask(&instance, &token("operator"), "POST", "/v1/leases/orders/acquire", &long);
    assert_eq!(long.status, 200, "{}", long.text());
}

#[test]
fn namespaces_of_schemes_are_created_by_operators_and_shown_to_their_users_only() {
    let (instance, _folder) = instance(
        "[schemes.orders]\nscheme = \"snowflake\"\nnamespace = \"numbers\"\n[schemes.other]\nscheme = \"ulid\"\n",
    );
    let terms = json!({ "fingerprint": "flake timestamp:41,epoch=2020-02-02 node:1 sequence:12" });
    let made = |token: &str, name: &str| ask(&instance, token, "PUT", &format!("/v1/leases/{name}"), &terms).status;
    assert_eq!((made(&token("worker"), "numbers"), made(&token("worker"), "workers")), (403, 200));
    // The namespace exists, for other IDs.
    assert_eq!(made(&token("operator"), "numbers"), 409);
    // A token for one scheme shows no nodes of other schemes, even without a list of namespaces.
    for (namespace, status) in [("numbers", 403), ("workers", 200), ("other", 404)] {
        let listed = ask(&instance, &token("guest"), "GET", &format!("/v1/leases/{namespace}"), &Value::Null);
        assert_eq!(listed.status, status, "{namespace}: {}", listed.text());
    }
    let request = json!({ "scheme": "orders", "ttl_us": SECOND_US });
    let refused = ask(&instance, &token("guest"), "POST", "/v1/leases/workers/acquire", &request);
    assert_eq!((refused.status, &*refused.code()), (403, "PERMISSION_DENIED"));
    assert!(!refused.text().contains("timestamp"), "{}", refused.text());
}

#[test]
fn nodes_of_a_scheme_are_leased_in_its_own_namespace_only() {
    let instance = Instance::ready("[schemes.orders]\nscheme = \"snowflake\"\n");
    let mut http = Http::to(instance.address());
    let request = json!({ "scheme": "orders", "ttl_us": SECOND_US });
    // In another namespace it is unknown which nodes the service itself holds.
    let refused = http.post("/v1/leases/workers/acquire", &request);
    assert_eq!((refused.status, &*refused.code()), (409, "NAMESPACE_MISMATCH"), "{}", refused.text());
    for (nodes, ttl_us) in [(0, SECOND_US), (1, 0), (1, -1)] {
        let request = json!({ "scheme": "orders", "nodes": nodes, "ttl_us": ttl_us });
        let refused = http.post("/v1/leases/workers/acquire", &request);
        assert_eq!((refused.status, &*refused.code()), (400, "INVALID_ARGUMENT"), "{}", refused.text());
    }
    assert_eq!(http.post("/v1/leases/orders/acquire", &request).status, 200);
}

#[test]
fn a_namespace_cannot_be_configured_for_two_kinds_of_ids() {
    let flake = "layout = \"timestamp:41 node:10 sequence:12\"\n";
    let output = refused(&format!(
        "[schemes.a]\nscheme = \"snowflake\"\n[schemes.b]\nscheme = \"flake\"\nnamespace = \"a\"\n{flake}"
    ));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("schemes.a and schemes.b"), "{text}");
    // Two schemes of equal IDs lease different nodes.
    let both = Instance::ready(
        "[schemes.a]\nscheme = \"snowflake\"\n[schemes.b]\nscheme = \"snowflake\"\nnamespace = \"a\"\n",
    );
    let listed = Http::to(both.address()).get("/v1/leases/a").json();
    let held = listed["slots"].as_array().expect("a list").iter().filter(|slot| slot["end_us"] != 0).count();
    assert_eq!(held, 2, "{listed}");
}

#[test]
fn a_grpc_request_without_a_clock_skew_limit_gets_the_limit_of_http() {
    let instance = Instance::ready("[schemes.orders]\nscheme = \"snowflake\"\n");
    let request = AcquireRequest {
        namespace: "orders".into(),
        ids: Some(Ids::Scheme("orders".into())),
        ttl_us: SECOND_US,
        clock_us: Some(now_us() - 3 * SECOND_US),
        ..AcquireRequest::default()
    };
    let granted: AcquireResponse =
        Grpc::to(instance.address()).call("/saiban_id.v1.LeasesService/Acquire", &request).expect("3 s are allowed");
    let granted = granted.grant.expect("a grant");
    assert!(granted.end_us > granted.start_us);
    let far = AcquireRequest { clock_us: Some(now_us() - 30 * SECOND_US), ..request };
    let refused = Grpc::to(instance.address())
        .call::<AcquireResponse>("/saiban_id.v1.LeasesService/Acquire", &far)
        .expect_err("30 s are not");
    assert_eq!(refused.kind, "CLOCK_SKEW");
}

#[test]
fn the_service_is_ready_when_it_makes_ids_not_when_its_lease_is_granted() {
    let folder = tempfile::tempdir().expect("a folder");
    let orders =
        "[schemes.orders]\nscheme = \"flake\"\nlayout = \"timestamp:41,epoch=2020-02-02 node:1 sequence:12\"\n";
    // All nodes cool down for some seconds, because a holder's clock was ahead.
    {
        let other = Instance::start_in(folder.path(), "other", "[schemes.ulid]\nscheme = \"ulid\"\n");
        other.wait_until_ready();
        let mut http = Http::to(other.address());
        let terms = json!({ "fingerprint": "flake timestamp:41,epoch=2020-02-02 node:1 sequence:12" });
        let made = http.ask(
            "PUT",
            "/v1/leases/orders",
            &[("Content-Type", "application/json")],
            Some(terms.to_string().as_bytes()),
        );
        assert_eq!(made.status, 200, "{}", made.text());
        let request = json!({ "fingerprint": terms["fingerprint"], "nodes": 2, "ttl_us": 90 * SECOND_US });
        let grant = http.post("/v1/leases/orders/acquire", &request).json();
        let mut release = grant.clone();
        release
            .as_object_mut()
            .expect("an object")
            .retain(|name, _| ["first", "end", "fence", "token"].contains(&&**name));
        release["high_water_us"] = (now_us() + 30 * SECOND_US).into();
        assert_eq!(http.post("/v1/leases/orders/release", &release).status, 200);
    }
    let instance = Instance::start_in(folder.path(), "late", orders);
    eventually("it has a lease", || instance.log().contains("leased nodes"));
    let mut http = Http::to(instance.address());
    let refused = http.ask("POST", "/v1/schemes/orders/ids", &[], None);
    assert_eq!((refused.status, &*refused.code()), (503, "LEASE_NOT_BEGUN"));
    let answer = http.get("/readyz");
    assert!(answer.status == 503 && answer.json()["not_ready"]["orders"].is_string(), "{}", answer.text());
    assert_eq!(metric(&http.get("/metrics").text(), "saiban_scheme_ready{scheme=\"orders\"}"), 0.0);
    instance.wait_until_ready();
    let made = Http::to(instance.address()).ask("POST", "/v1/schemes/orders/ids", &[], None);
    assert_eq!(made.status, 200, "{}", made.text());
}
