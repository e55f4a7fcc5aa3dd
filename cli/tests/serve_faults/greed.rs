//! Clients that take more than their share of places, memory, time and log lines.

use saiban_service::grpc::proto::StreamRequest;
use std::process::Command;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::caller::{self, Channel, ask, get};
use crate::frames::{Frames, PREFACE, RESET};
use crate::instance::{Instance, until};

/// The limit for any expected event.
const PATIENCE: Duration = Duration::from_secs(60);

const IN_FLIGHT: &str = "saiban_requests_in_flight";

/// `StreamRequest { scheme: "wide", .. }`
const STREAM_OF_WIDE: &[u8] = b"\x0a\x04wide";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_streams_end_and_leave_room_for_other_requests() {
    let limits = "[limits]\nmax_in_flight = 64\nwrite_timeout_s = 3\n[schemes.wide]\nscheme = \"uuid-v7\"\n";
    let instance = Instance::start(limits);
    instance.ready().await;
    let address = instance.address();
    let mut frames = Frames::connect(address, 0).await;
    for _ in 0..100 {
        frames.call("/saiban_id.v1.IdsService/Stream", STREAM_OF_WIDE).await;
    }
    frames.begun(100).await;
    // Streams have half of the places, and the request for metrics has one.
    assert_eq!(instance.metric(IN_FLIGHT).await, 33.0);
    assert_eq!(ask(address, "POST", "/v1/schemes/wide/ids", "").await.expect("an answer").status, 200);
    // One stream is read slowly and continues; the others are reset, while their connection stays
    // open.
    let mut resets = 0;
    while resets < 31 {
        frames.widen(1, 1_000).await;
        let frame = timeout(PATIENCE, frames.next()).await.expect("in time").expect("the connection lives");
        if frame.kind == RESET {
            assert_ne!(frame.stream, 1, "it is read");
            resets += 1;
        } else if frame.stream == 1 {
            sleep(Duration::from_millis(50)).await;
        }
    }
    until("room", async || instance.metric(IN_FLIGHT).await == 2.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unread_answer_over_http2_stays_counted_as_in_flight() {
    let instance = Instance::start("[schemes.wide]\nscheme = \"uuid-v7\"\n");
    instance.ready().await;
    let mut frames = Frames::connect(instance.address(), 1).await;
    for _ in 0..20 {
        let accept = [("accept", "application/octet-stream")];
        frames.ask("/v1/schemes/wide/ids?count=10000", &accept, true).await;
    }
    frames.begun(20).await;
    assert_eq!(instance.metric(IN_FLIGHT).await, 21.0);
    // A small response does not keep a place.
    frames.ask("/v1/schemes/wide/ids?count=1", &[], true).await;
    frames.begun(1).await;
    assert_eq!(instance.metric(IN_FLIGHT).await, 21.0);
    for stream in 0..20 {
        frames.widen(1 + 2 * stream, 160_000).await;
    }
    // The first byte of each response arrived before.
    let mut bytes = 0;
    while bytes < 20 * 159_999 {
        let frame = timeout(PATIENCE, frames.next()).await.expect("in time").expect("the connection lives");
        bytes += if frame.kind == 0 && frame.stream < 40 { frame.length } else { 0 };
    }
    until("their end", async || instance.metric(IN_FLIGHT).await == 1.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leases_and_probes_are_served_when_other_requests_fill_the_limit() {
    let instance = Instance::start("[limits]\nmax_in_flight = 4\nbody_timeout_s = 600\nrequest_timeout_s = 600\n");
    instance.ready().await;
    let address = instance.address();
    let mut slow = Vec::new();
    for _ in 0..4 {
        slow.push(caller::slow(address).await);
    }
    until("no room", async || ask(address, "POST", "/v1/schemes/ulid/ids", "").await.is_ok_and(|it| it.status == 503))
        .await;
    let lease = r#"{"scheme":"snowflake","ttl_us":60000000}"#;
    for (method, path, body) in [
        ("POST", "/v1/leases/snowflake/acquire", lease),
        ("GET", "/v1/leases/snowflake", ""),
        ("GET", "/metrics", ""),
        ("GET", "/", ""),
    ] {
        let answer = ask(address, method, path, body).await.expect("an answer");
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    assert_eq!(get(address, "/v1/schemes").await.expect("an answer").code(), "OVERLOADED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_for_health_are_small_and_few_at_a_time_and_take_no_room_of_others() {
    let instance = Instance::start("[limits]\nrequest_timeout_s = 600\nmax_streams_per_connection = 1000\n");
    instance.ready().await;
    let address = instance.address();
    let connection = Channel::connect(address).await.expect("a connection");
    let mut client = HealthClient::with_origin(connection, format!("http://{address}").parse().expect("a URL"));
    let check = |service: String| HealthCheckRequest { service };
    assert_eq!(client.check(check("x".repeat(500))).await.expect_err("there is none").code(), Code::NotFound);
    let refused = client.check(check("x".repeat(2_000))).await.expect_err("it is too large");
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
    let mut frames = Frames::connect(address, 1_000).await;
    for _ in 0..300 {
        // The request has neither an end nor a message.
        frames
            .ask("/grpc.health.v1.Health/Check", &[("content-type", "application/grpc"), ("te", "trailers")], false)
            .await;
    }
    timeout(PATIENCE, frames.begun(44)).await.expect("those that are too many are refused");
    assert_eq!(client.check(check(String::new())).await.expect_err("no room").code(), Code::ResourceExhausted);
    assert_eq!(get(address, "/healthz").await.expect("an answer").status, 200);
    assert_eq!(instance.metric(IN_FLIGHT).await, 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_is_closed_whatever_its_protocol() {
    let instance = Instance::start("[limits]\nidle_timeout_s = 3\nheader_timeout_s = 1\n");
    instance.ready().await;
    let address = instance.address();
    // This client replies to pings, and sends no request.
    let mut frames = Frames::connect(address, 1_000).await;
    let end = async { while frames.next().await.is_some() {} };
    timeout(PATIENCE, end).await.expect("it is closed");
    let mut silent = TcpStream::connect(address).await.expect("a connection");
    let read = timeout(PATIENCE, silent.read(&mut [0; 9])).await.expect("it is closed");
    assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_limits_of_a_head_and_of_an_http2_preface_begin_with_the_first_byte() {
    let instance = Instance::start("[limits]\nidle_timeout_s = 600\nheader_timeout_s = 1\n");
    instance.ready().await;
    let address = instance.address();
    for part in [b"GET /healthz HT".as_slice(), &PREFACE[..8], &PREFACE[..20]] {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(part).await.expect("it is taken");
        let read = timeout(PATIENCE, stream.read(&mut [0; 9])).await.expect("it is closed");
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
    }
    let mut kept = caller::Http::connect(address).await.expect("a connection");
    for _ in 0..2 {
        assert_eq!(kept.ask("GET", "/healthz", "*/*", "").await.expect("an answer").status, 200);
        sleep(Duration::from_secs(2)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_and_is_counted_as_unauthenticated_when_its_token_expires() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = "[schemes.wide]\nscheme = \"uuid-v7\"\n".to_owned();
    let expires = Command::new("date").args(["-u", "-d", "+5 seconds", "+%FT%TZ"]).output().expect("a time").stdout;
    let expires = String::from_utf8(expires).expect("text");
    for (name, scope, more) in
        [("short", "generate", format!("expires = \"{}\"\n", expires.trim())), ("operator", "admin", String::new())]
    {
        let file = folder.path().join(name);
        std::fs::write(&file, format!("{name}-0123456789abcdef")).expect("a file");
        let file = file.display();
        config += &format!("[[tokens]]\nname = \"{name}\"\ntoken_file = \"{file}\"\nscopes = [\"{scope}\"]\n{more}");
    }
    let instance = Instance::start(&config);
    let mut ids = caller::ids(instance.address()).await.expect("a connection");
    let mut request = tonic::Request::new(StreamRequest { scheme: "wide".into(), count: 0, batch: 10 });
    let bearer = "Bearer short-0123456789abcdef".parse().expect("a header");
    request.metadata_mut().insert("authorization", bearer);
    let mut stream = ids.stream(request).await.expect("a stream").into_inner();
    let reading = async {
        loop {
            match stream.message().await {
                Ok(batch) => assert!(batch.is_some(), "it does not end as if it were all"),
                Err(status) => break status,
            }
        }
    };
    let status = timeout(PATIENCE, reading).await.expect("it ends");
    assert_eq!(status.code(), Code::Unauthenticated, "{status}");
    assert!(status.message().contains("expired"), "{status}");
    let metrics = || async {
        let mut stream = TcpStream::connect(instance.address()).await.expect("a connection");
        let head = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer operator-0123456789abcdef\r\n\r\n";
        stream.write_all(head.as_bytes()).await.expect("a head");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("an answer");
        text
    };
    let of = |code: &str| format!("saiban_requests_total{{operation=\"stream\",protocol=\"grpc\",code=\"{code}\"}}");
    until("its count", async || metrics().await.contains(&format!("{} 1", of("UNAUTHENTICATED")))).await;
    assert!(metrics().await.contains(&format!("{} 0", of("OK"))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_without_a_token_do_not_fill_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, "operator-0123456789abcdef").expect("a file");
    let token = format!("name = \"operator\"\ntoken_file = \"{}\"\nscopes = [\"admin\"]\n", file.display());
    let instance = Instance::start(&format!("[schemes.wide]\nscheme = \"uuid-v7\"\n[[tokens]]\n{token}"));
    let path = "x".repeat(10_000);
    for _ in 0..50 {
        let mut stream = TcpStream::connect(instance.address()).await.expect("a connection");
        let head =
            format!("GET /{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer wrong\r\n\r\n");
        stream.write_all(head.as_bytes()).await.expect("a head");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("an answer");
        assert!(text.starts_with("HTTP/1.1 401"), "{text}");
    }
    instance.logs("denied").await;
    let log = instance.log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("denied")).collect();
    // The log has one line every ten seconds, and the requests may take a while.
    assert!(lines.len() <= 10 && lines.iter().all(|line| line.len() < 400), "{}", lines.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_address_of_both_families_can_be_listened_on_with_one_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, "operator-0123456789abcdef").expect("a file");
    let free = std::net::TcpListener::bind("[::]:0").expect("a port").local_addr().expect("an address").port();
    let _instance = Instance::start(&format!(
        "listen = [\"0.0.0.0:{free}\", \"[::]:{free}\"]\nallow_plaintext = true\n[schemes.wide]\nscheme = \"uuid-v7\"\n\
         [[tokens]]\nname = \"operator\"\ntoken_file = \"{}\"\nscopes = [\"admin\"]\n",
        file.display()
    ));
    for address in [format!("127.0.0.1:{free}"), format!("[::1]:{free}")] {
        let answer = get(address.parse().expect("an address"), "/healthz").await.expect("an answer");
        assert_eq!(answer.status, 200, "{address}");
    }
}
