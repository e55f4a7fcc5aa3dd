//! The host and the sender of a request.

use crate::auth::token;
use crate::grpc::{Grpc, INVALID_ARGUMENT, OK, PERMISSION_DENIED, frame};
use crate::http::{Answer, Http, metric};
use crate::instance::{Instance, eventually};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::io::{Read, Write};
use std::net::TcpStream;

const ULID: &str = "[schemes.ulid]\nscheme = \"ulid\"\n";

/// Sends an HTTP/1 head unchanged, and returns the response.
fn head(instance: &Instance, head: &str) -> Answer {
    let mut http = Http::to(instance.address());
    http.send(head.replace('\n', "\r\n").as_bytes()).expect("it is sent");
    http.answer().expect("an answer")
}

#[test]
fn a_request_of_http_1_names_one_host() {
    let instance = Instance::ready(ULID);
    for (lines, status) in [
        ("GET /v1/schemes HTTP/1.1\nHost: localhost\n\n", 200),
        ("GET /v1/schemes HTTP/1.1\nHost: LOCALHOST:7609\n\n", 200),
        ("GET /v1/schemes HTTP/1.1\nHost: [::1]:7609\n\n", 200),
        ("GET http://localhost/v1/schemes HTTP/1.1\nHost: localhost\n\n", 200),
        // The target counts, because an old proxy may have left the Host header unchanged.
        ("GET http://localhost/v1/schemes HTTP/1.1\nHost: other.example\n\n", 200),
        // HTTP/1.0 probes have no Host header.
        ("GET /v1/schemes HTTP/1.0\n\n", 200),
        ("GET /v1/schemes HTTP/1.1\n\n", 400),
        ("GET /healthz HTTP/1.1\n\n", 400),
        ("GET http://localhost/v1/schemes HTTP/1.1\n\n", 400),
        ("GET /v1/schemes HTTP/1.1\nHost: localhost\nHost: localhost\n\n", 400),
        ("GET /healthz HTTP/1.1\nHost: localhost\nHost: evil.example\n\n", 400),
        ("GET /v1/schemes HTTP/1.0\nHost: localhost\nHost: localhost\n\n", 400),
        ("GET /v1/schemes HTTP/1.1\nHost:\n\n", 400),
        ("GET /v1/schemes HTTP/1.1\nHost: a b\n\n", 400),
        ("GET /v1/schemes HTTP/1.1\nHost: user@localhost\n\n", 400),
        ("GET /v1/schemes HTTP/1.1\nHost: localhost/path\n\n", 400),
        ("GET http://user@localhost/v1/schemes HTTP/1.1\nHost: localhost\n\n", 400),
    ] {
        let answer = head(&instance, lines);
        assert_eq!(answer.status, status, "{lines}{answer:?}");
        if status == 400 {
            assert_eq!(answer.code(), "INVALID_ARGUMENT", "{lines}");
            assert!(answer.text().contains("Host header"), "{answer:?}");
        }
    }
}

/// Encodes a header field for HPACK, with the index of its name, without indexing.
fn field(name: u8, value: &str) -> Vec<u8> {
    // An index has four bits; the rest follows.
    let name = if name < 15 { vec![name] } else { vec![15, name - 15] };
    [&name[..], &[u8::try_from(value.len()).expect("a short value")], value.as_bytes()].concat()
}

/// Returns the status of an HTTP/2 GET with these fields, some of which clients refuse to send.
fn http2(instance: &Instance, authority: Option<&str>, hosts: &[&str]) -> u16 {
    const AUTHORITY: u8 = 1;
    const PATH: u8 = 4;
    const HOST: u8 = 38;
    const GET_OVER_HTTP: [u8; 2] = [0x82, 0x86];
    const SETTINGS: u8 = 4;
    const HEADERS: u8 = 1;
    const ALL_OF_IT: u8 = 5;
    let fields = [GET_OVER_HTTP.to_vec(), field(PATH, "/v1/schemes")].into_iter();
    let fields = fields.chain(authority.map(|authority| field(AUTHORITY, authority)));
    let fields = fields.chain(hosts.iter().map(|host| field(HOST, host))).collect::<Vec<_>>().concat();
    let frame = |kind: u8, flags: u8, stream: u8, body: &[u8]| {
        let length = u8::try_from(body.len()).expect("a short frame");
        [&[0, 0, length, kind, flags, 0, 0, 0, stream][..], body].concat()
    };
    let mut stream = TcpStream::connect(instance.address()).expect("it listens");
    let sent =
        [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], &frame(SETTINGS, 0, 0, &[]), &frame(HEADERS, ALL_OF_IT, 1, &fields)];
    stream.write_all(&sent.concat()).expect("it is sent");
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).expect("a frame");
        let mut body = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        stream.read_exact(&mut body).expect("a frame");
        if head[3] == HEADERS {
            // The status comes first, and has its own index.
            return match body[0] {
                0x88 => 200,
                0x8c => 400,
                other => panic!("{other:x}"),
            };
        }
    }
}

#[test]
fn a_request_of_http_2_names_one_host() {
    let instance = Instance::ready(ULID);
    for (authority, hosts, status) in [
        (Some("localhost"), &[][..], 200),
        (Some("localhost"), &["localhost"], 200),
        (Some("localhost:80"), &["LocalHost"], 200),
        (None, &["localhost"], 200),
        (None, &[], 400),
        (None, &[""], 400),
        (Some("localhost"), &["evil.example"], 400),
        (Some("localhost"), &["localhost:7609"], 400),
        (Some("localhost"), &["localhost", "localhost"], 400),
        (Some("localhost"), &[""], 400),
        (Some("user@localhost"), &[], 400),
    ] {
        assert_eq!(http2(&instance, authority, hosts), status, "{authority:?} {hosts:?}");
    }
}

#[test]
fn any_header_of_a_proxy_is_refused_without_tokens() {
    let instance = Instance::ready(ULID);
    let mut http = Http::to(instance.address());
    for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"] {
        let answer = http.ask("GET", "/v1/schemes", &[(name, "203.0.113.9")], None);
        assert_eq!((answer.status, &*answer.code()), (403, "PERMISSION_DENIED"), "{name}");
        assert!(answer.text().contains(&name.to_ascii_lowercase()), "{answer:?}");
    }
    let metrics = http.get("/metrics").text();
    assert_eq!(metric(&metrics, "saiban_denied_total{reason=\"proxy\"}"), 6.0, "{metrics}");
}

const ADMIN: &str = "admin-token-0123456789";
const SHOP: &str = "shop-token-0123456789";

/// Returns the log lines about requests that were denied for this reason.
fn denied(instance: &Instance, reason: &str) -> Vec<String> {
    let log = instance.log();
    let lines = log.lines().filter(|line| line.contains("denied") && line.contains(&format!("reason=\"{reason}\"")));
    lines.map(str::to_owned).collect()
}

#[test]
fn denied_requests_are_logged_with_the_address_and_counted_by_the_reason() {
    let tokens = [
        token("operator", ADMIN, "scopes = [\"admin\"]"),
        token("shop", SHOP, "scopes = [\"generate\"]"),
        token("gone", "gone-token-0123456789", "scopes = [\"admin\"]\nexpires = 2020-01-01T00:00:00Z"),
    ]
    .concat();
    let proxies = "trusted_proxies = [\"127.0.0.0/8\", \"10.0.0.0/8\"]\n";
    let direct = Instance::ready(&format!("{ULID}{tokens}"));
    let proxied = Instance::ready(&format!("{proxies}{ULID}{tokens}"));
    for (instance, forwarded) in [(&direct, None), (&proxied, Some("203.0.113.9"))] {
        let mut http = Http::to(instance.address());
        let client = ("X-Forwarded-For", "6.6.6.6, 203.0.113.9, 10.0.0.7");
        let shop = format!("Bearer {SHOP}");
        for (reason, headers) in [
            ("no_token", vec![client]),
            ("unknown_token", vec![client, ("Authorization", "Bearer nobody-token-0123456789")]),
            ("expired_token", vec![client, ("Authorization", "Bearer gone-token-0123456789")]),
            ("scope", vec![client, ("Authorization", &shop)]),
            ("origin", vec![client, ("Sec-Fetch-Site", "cross-site"), ("Authorization", &shop)]),
        ] {
            let answer = http.ask(
                "POST",
                "/v1/schemes/ulid/compose",
                &[&headers[..], &[("Content-Type", "application/json")]].concat(),
                Some(b"{}"),
            );
            assert!([401, 403].contains(&answer.status), "{reason}: {answer:?}");
            eventually("it is logged", || !denied(instance, reason).is_empty());
            let line = denied(instance, reason).remove(0);
            assert!(line.contains("peer=127.0.0.1:") && line.contains("/v1/schemes/ulid/compose"), "{line}");
            match forwarded {
                Some(address) => assert!(line.contains(&format!("forwarded={address}")), "{line}"),
                None => assert!(!line.contains("forwarded") && !line.contains("203.0.113.9"), "{line}"),
            }
        }
        let mut grpc = Grpc::with_token(instance.address(), SHOP);
        let refused = grpc.raw(crate::LIST, frame(b"")).expect_err("it is refused");
        assert_eq!(refused.code, PERMISSION_DENIED);
        let admin = format!("Bearer {ADMIN}");
        let metrics = http.ask("GET", "/metrics", &[("Authorization", &admin)], None).text();
        let counted = ["no_token", "unknown_token", "expired_token", "scope", "origin", "host", "proxy"]
            .map(|reason| metric(&metrics, &format!("saiban_denied_total{{reason=\"{reason}\"}}")));
        assert_eq!(counted, [1.0, 1.0, 1.0, 2.0, 1.0, 0.0, 0.0], "{metrics}");
        assert_eq!(metrics.lines().filter(|line| line.starts_with("saiban_denied_total{")).count(), 7, "{metrics}");
        assert!(!metrics.contains("127.0.0.1") && !metrics.contains("203.0.113.9"), "addresses are for logs only");
    }
}

#[test]
fn errors_of_queries_have_saibans_own_messages() {
    let instance = Instance::ready(ULID);
    let mut http = Http::to(instance.address());
    for (query, words) in [
        ("cuont=3", "there is no parameter \\\"cuont\\\": give count or format"),
        ("count=1&count=2", "count is given more than once: give it once"),
        ("count=many", "count is \\\"many\\\": give 1 to"),
    ] {
        let answer = http.ask("POST", &format!("/v1/schemes/ulid/ids?{query}"), &[], None);
        assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{query}");
        assert!(answer.text().contains(words), "{query}: {}", answer.text());
    }
    for (path, method) in [
        ("/v1/schemes/ulid/ids?cuont=3", "POST"),
        ("/inspect?id=1&id=2", "GET"),
        ("/v1/schemes/%ff/ids", "POST"),
        ("/v1/schemes/%ff", "GET"),
    ] {
        let answer = http.ask(method, path, &[], None);
        assert_eq!(answer.status, 400, "{path}");
        for word in ["eserialize", "unknown field", "duplicate field", "Invalid UTF-8", "Invalid URL", "extract"] {
            assert!(!answer.text().contains(word), "{path}: {}", answer.text());
        }
    }
}

#[test]
fn calls_of_grpc_name_one_host_too() {
    let instance = Instance::ready(ULID);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    let status = |host: Option<&'static str>| {
        runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(instance.address()).await.expect("it listens");
            let handshake = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
            let (mut sender, connection) = handshake.expect("HTTP/2");
            tokio::spawn(connection);
            let mut request = http::Request::post(format!("http://localhost{}", crate::SCHEMES_CALL));
            request = request.header("content-type", "application/grpc").header("te", "trailers");
            if let Some(host) = host {
                request = request.header("host", host);
            }
            let body = http_body_util::Full::new(Bytes::from(frame(b"")));
            let response = sender.send_request(request.body(body).expect("a request")).await.expect("an answer");
            let (head, body) = response.into_parts();
            let trailers = body.collect().await.expect("a body").trailers().cloned().unwrap_or_default();
            let of = head.headers.get("grpc-status").or_else(|| trailers.get("grpc-status")).expect("a status");
            of.to_str().expect("text").parse::<i32>().expect("a number")
        })
    };
    assert_eq!([None, Some("localhost"), Some("evil.example")].map(status), [OK, OK, INVALID_ARGUMENT]);
}
