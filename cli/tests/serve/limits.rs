//! Everything that clients can cause is bounded, and excess is refused with an error.

use crate::grpc::{DEADLINE_EXCEEDED, Grpc, RESOURCE_EXHAUSTED, frame};
use crate::http::{Http, metric};
use crate::instance::{Instance, eventually};
use prost::Message;
use serde_json::json;

const ULID: &str = "[schemes.ulid]\nscheme = \"ulid\"\n";

#[test]
fn a_body_that_is_too_large_or_of_another_type_is_refused() {
    let instance = Instance::ready(&format!("{ULID}[limits]\nmax_body_bytes = 2048\nmax_batch = 100\n"));
    let large = json!({ "ids": [" ".repeat(3_000)] });
    let answer = Http::to(instance.address()).post("/v1/inspect", &large);
    assert_eq!((answer.status, &*answer.code()), (413, "TOO_LARGE"));
    // The body is chunked, so its size is unknown in advance.
    let mut http = Http::to(instance.address());
    let head = "POST /v1/inspect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    http.send(head.as_bytes()).expect("it is sent");
    for _ in 0..5 {
        http.send(format!("200\r\n{}\r\n", " ".repeat(0x200)).as_bytes()).expect("it is sent");
    }
    let answer = http.answer().expect("an answer");
    assert_eq!((answer.status, &*answer.code()), (413, "TOO_LARGE"));
    let refusal = Grpc::to(instance.address())
        .raw("/saiban_id.v1.IdsService/InspectAny", frame(&[0; 3_000]))
        .expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (RESOURCE_EXHAUSTED, "TOO_LARGE"), "{refusal:?}");
    let mut http = Http::to(instance.address());
    for kind in ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""] {
        let answer = http.ask("POST", "/v1/inspect", &[("Content-Type", kind)], Some(b"{\"ids\":[]}"));
        assert_eq!((answer.status, &*answer.code()), (415, "UNSUPPORTED_MEDIA_TYPE"), "{kind}");
    }
    for count in ["-1", "1.5", "many", ""] {
        let answer = http.ask("POST", &format!("/v1/schemes/ulid/ids?count={count}"), &[], None);
        assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{count}");
        assert!(answer.text().contains("give 1 to 100 (limits.max_batch)"), "{}", answer.text());
    }
    for (path, body, status) in [
        ("/v1/schemes/ulid/inspect", Some(json!({ "ids": vec!["1"; 101] })), 400),
        ("/v1/schemes/ulid/inspect", Some(json!({ "ids": vec!["1"; 100] })), 200),
        ("/v1/convert", Some(json!({ "texts": vec!["1"; 101], "from": "hex", "to": "hex" })), 400),
        ("/v1/schemes/ulid/ids?count=101", None, 400),
        ("/v1/schemes/ulid/ids?count=100", None, 200),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        let answer = http.ask("POST", path, &[("Content-Type", "application/json")], body.as_deref());
        assert_eq!(answer.status, status, "{path}");
    }
}

#[test]
fn the_number_of_ids_in_one_inspection_is_limited() {
    // Each ID has many candidates: ten thousand IDs took seconds and half a gigabyte.
    let instance = Instance::ready(ULID);
    let mut http = Http::to(instance.address());
    assert_eq!(http.post("/v1/inspect", &json!({ "ids": vec!["1"; 256] })).status, 200);
    let answer = http.post("/v1/inspect", &json!({ "ids": vec!["1"; 257] }));
    assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"));
    let ids = vec!["1".to_owned(); 257];
    let asked = saiban_service::grpc::proto::InspectAnyRequest { ids };
    let refusal =
        Grpc::to(instance.address()).raw("/saiban_id.v1.IdsService/InspectAny", frame(&asked.encode_to_vec()));
    assert_eq!(refusal.expect_err("it is refused").kind, "INVALID_ARGUMENT");
}

#[test]
fn unknown_paths_and_unsupported_methods_have_different_errors() {
    let instance = Instance::ready(ULID);
    let mut http = Http::to(instance.address());
    for path in ["/nowhere", "/v1", "/v1/schemes/ulid/ids/1", "/v1/schemes/", "/V1/schemes", "//", "/openapi"] {
        let answer = http.get(path);
        assert_eq!((answer.status, &*answer.code()), (404, "NOT_FOUND"), "{path}");
    }
    for (method, path, allowed) in [
        ("GET", "/v1/schemes/ulid/ids", "POST"),
        ("DELETE", "/v1/leases/shop", "GET,HEAD,PUT"),
        ("POST", "/v1/schemes", "GET,HEAD"),
        ("TRACE", "/healthz", "GET,HEAD"),
        ("OPTIONS", "/v1/inspect", "POST"),
        ("PATCH", "/", "GET,HEAD"),
    ] {
        let answer = http.ask(method, path, &[], None);
        assert_eq!((answer.status, &*answer.code()), (405, "METHOD_NOT_ALLOWED"), "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
    }
    let mut http = Http::to(instance.address());
    let long = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "x".repeat(20_000));
    // The service may close the connection before everything is sent.
    let _ = http.send(long.as_bytes());
    if let Ok(answer) = http.answer() {
        assert_eq!(answer.status, 431);
    }
    assert_eq!(Http::to(instance.address()).get("/healthz").status, 200);
}

#[test]
fn a_request_that_is_sent_too_slowly_times_out() {
    let instance = Instance::ready(&format!("{ULID}[limits]\nheader_timeout_s = 1\nbody_timeout_s = 1\n"));
    let mut http = Http::to(instance.address());
    let head = "POST /v1/inspect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    http.send(head.as_bytes()).expect("it is sent");
    let answer = http.answer().expect("an answer");
    assert_eq!((answer.status, &*answer.code()), (408, "TIMEOUT"));
    // The rest of the body would be read as the next request.
    assert!(http.answer().is_err(), "the connection is closed");
    let mut http = Http::to(instance.address());
    http.send(b"GET /healthz HTTP/1.1\r\nHost: lo").expect("it is sent");
    assert!(http.answer().is_err(), "the connection is closed");
}

#[test]
fn a_request_that_takes_too_long_is_refused_with_retry_after() {
    // A store that accepts connections and never replies.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let store = format!("store = \"postgres://saiban@{}/ids\"\n", silent.local_addr().expect("an address"));
    let instance = Instance::ready(&format!("{store}{ULID}[limits]\nrequest_timeout_s = 1\n"));
    let answer = Http::to(instance.address()).get("/v1/leases/shop");
    assert_eq!((answer.status, &*answer.code(), answer.header("retry-after")), (503, "TIMEOUT", Some("1")));
    let asked = saiban_service::grpc::proto::ListRequest { namespace: "shop".into() };
    let refusal = Grpc::to(instance.address()).raw("/saiban_id.v1.LeasesService/List", frame(&asked.encode_to_vec()));
    let refusal = refusal.expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (DEADLINE_EXCEEDED, "TIMEOUT"), "{refusal:?}");
}

#[test]
fn requests_over_the_limit_are_refused_with_retry_after() {
    let limits = "[limits]\nmax_in_flight = 1\nmax_connections = 3\nbody_timeout_s = 60\n";
    let instance = Instance::ready(&format!("{ULID}{limits}"));
    let mut http = Http::to(instance.address());
    // The connection that waited for readiness is closed, but may still be counted.
    eventually("nobody else is connected", || metric(&http.get("/metrics").text(), "saiban_connections") == 1.0);
    let head = "POST /v1/inspect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\
                Expect: 100-continue\r\n\r\n";
    let mut slow = Http::to(instance.address());
    // The request gets 100 Continue when it is in flight. The place of the previous request may not
    // be free yet.
    eventually("the first is in flight", || {
        slow.send(head.as_bytes()).expect("it is sent");
        let status = slow.answer().expect("an answer").status;
        if status != 100 {
            slow = Http::to(instance.address());
        }
        status == 100
    });
    eventually("no third is connected", || metric(&http.get("/metrics").text(), "saiban_connections") == 2.0);
    let answer = http.get("/v1/schemes");
    assert_eq!((answer.status, &*answer.code(), answer.header("retry-after")), (503, "OVERLOADED", Some("1")));
    // Health requests still succeed.
    assert_eq!(http.get("/healthz").status, 200);
    let mut grpc = Grpc::to(instance.address());
    let refusal = grpc.raw("/saiban_id.v1.IdsService/ListSchemes", frame(b"")).expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (RESOURCE_EXHAUSTED, "OVERLOADED"), "{refusal:?}");
    let mut fourth = Http::to(instance.address());
    let answer = fourth.answer().expect("an answer");
    assert_eq!((answer.status, &*answer.code(), answer.header("retry-after")), (503, "OVERLOADED", Some("1")));
    slow.send(b"{\"ids\":[]}").expect("it is sent");
    assert_eq!(slow.answer().expect("an answer").status, 200);
    let metrics = http.get("/metrics").text();
    assert!(metric(&metrics, "saiban_overloaded_total") >= 2.0, "{metrics}");
    assert_eq!(metric(&metrics, "saiban_connections_refused_total"), 1.0, "{metrics}");
}

#[test]
fn metrics_are_as_prometheus_reads_them() {
    let instance = Instance::ready("[schemes.ulid]\nscheme = \"ulid\"\n[schemes.orders]\nscheme = \"snowflake\"\n");
    let mut http = Http::to(instance.address());
    http.ask("POST", "/v1/schemes/ulid/ids?count=7", &[], None);
    http.ask("POST", "/v1/schemes/orders/ids?count=5", &[], None);
    http.ask("POST", "/v1/schemes/orders/ids?count=0", &[], None);
    let answer = http.get("/metrics");
    assert_eq!(answer.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let text = answer.text();
    assert!(text.ends_with("# EOF\n"), "{text}");
    let mut families = std::collections::HashMap::new();
    for line in text.lines().filter(|line| *line != "# EOF") {
        if let Some(comment) = line.strip_prefix("# ") {
            let (what, rest) = comment.split_once(' ').expect("what is told");
            let (name, value) = rest.split_once(' ').expect("a name");
            assert!(["HELP", "TYPE", "UNIT"].contains(&what), "{line}");
            if what == "TYPE" {
                assert!(families.insert(name.to_owned(), value.to_owned()).is_none(), "{line} comes twice");
            }
            continue;
        }
        // name{label="value",…} number
        let (sample, value) = line.rsplit_once(' ').expect("a number");
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let name = sample.split('{').next().expect("a name");
        assert!(sample == name || sample.ends_with('}'), "{line}");
        let family = families.iter().find(|(family, kind)| {
            let endings: &[&str] = match kind.as_str() {
                "counter" => &["_total"],
                "histogram" => &["_bucket", "_sum", "_count"],
                "info" => &["_info"],
                _ => &[""],
            };
            endings.iter().any(|ending| name.strip_suffix(ending) == Some(family))
        });
        assert!(family.is_some(), "{line} is of no family");
    }
    for (sample, value) in [
        ("saiban_ids_total{scheme=\"ulid\"}", 7.0),
        ("saiban_ids_total{scheme=\"orders\"}", 5.0),
        ("saiban_requests_total{operation=\"generate\",protocol=\"http\",code=\"OK\"}", 2.0),
        ("saiban_requests_total{operation=\"generate\",protocol=\"http\",code=\"INVALID_ARGUMENT\"}", 1.0),
        ("saiban_request_duration_seconds_count{operation=\"generate\"}", 3.0),
        ("saiban_scheme_ready{scheme=\"orders\"}", 1.0),
        ("saiban_scheme_lease_grants{scheme=\"orders\"}", 1.0),
    ] {
        assert_eq!(metric(&text, sample), value, "{sample}\n{text}");
    }
}
