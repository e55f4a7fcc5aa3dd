//! Whatever a client sends over gRPC, the service replies, and never with an internal error.

use crate::every_scheme;
use crate::fuzz::{damage, damaged, is_well, runner};
use crate::grpc::{Grpc, INTERNAL, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, Refusal, UNIMPLEMENTED, UNKNOWN, frame};
use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::handshake;
use hyper_util::rt::{TokioExecutor, TokioIo};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use prost::Message;
use saiban_service::grpc::proto::acquire_request::Ids;
use saiban_service::grpc::proto::{
    AcquireRequest, ComposeRequest, ConvertRequest, CreateRequest, GenerateRequest, InspectAnyRequest, InspectRequest,
    ListRequest, ReleaseRequest, RenewRequest, Seen, StreamRequest,
};
use std::cell::{Cell, RefCell};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use tokio::io::AsyncReadExt;

/// Returns valid calls.
fn calls() -> Vec<(&'static str, Vec<u8>)> {
    let fingerprint = "snowflake unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";
    let ids = vec!["1741610183685074945".to_owned(), "01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned()];
    let seen = Seen { incarnation: 5, first: 5, end: 6, fence: 3, token: 7, end_us: 1_704_067_800_000_000 };
    let acquire = AcquireRequest {
        namespace: "shop".into(),
        ids: Some(Ids::Fingerprint(fingerprint.into())),
        nodes: 1,
        ttl_us: 1_000,
        holder: "shop".into(),
        token: 9,
        clock_us: Some(5),
        max_clock_skew_us: i64::MAX,
        seen: Some(seen),
    };
    let compose = ComposeRequest {
        scheme: "uuid-v7".into(),
        timestamp_ms: Some(1_704_067_200_000),
        random: Some("5".into()),
        ..ComposeRequest::default()
    };
    let convert = ConvertRequest {
        texts: ids.clone(),
        from: "decimal".into(),
        to: "hex".into(),
        bits: Some(64),
        width: Some(20),
        from_width: Some(5),
        lenient: true,
    };
    let create = CreateRequest {
        namespace: "shop".into(),
        fingerprint: fingerprint.into(),
        nodes: 1_024,
        max_ttl_us: 60_000_000,
    };
    let release = ReleaseRequest { namespace: "shop".into(), first: 5, end: 6, fence: 3, token: 7, high_water_us: 5 };
    vec![
        ("/saiban_id.v1.IdsService/Generate", GenerateRequest { scheme: "snowflake".into(), count: 3 }.encode_to_vec()),
        (
            "/saiban_id.v1.IdsService/Stream",
            StreamRequest { scheme: "ulid".into(), count: 30, batch: 10 }.encode_to_vec(),
        ),
        (
            "/saiban_id.v1.IdsService/Inspect",
            InspectRequest { scheme: "randflake".into(), ids: ids.clone() }.encode_to_vec(),
        ),
        ("/saiban_id.v1.IdsService/InspectAny", InspectAnyRequest { ids }.encode_to_vec()),
        ("/saiban_id.v1.IdsService/Compose", compose.encode_to_vec()),
        ("/saiban_id.v1.IdsService/Convert", convert.encode_to_vec()),
        ("/saiban_id.v1.IdsService/ListSchemes", Vec::new()),
        ("/saiban_id.v1.LeasesService/Acquire", acquire.encode_to_vec()),
        (
            "/saiban_id.v1.LeasesService/Renew",
            RenewRequest { namespace: "shop".into(), seen: Some(seen), ttl_us: 5_000 }.encode_to_vec(),
        ),
        ("/saiban_id.v1.LeasesService/Release", release.encode_to_vec()),
        ("/saiban_id.v1.LeasesService/List", ListRequest { namespace: "shop".into() }.encode_to_vec()),
        ("/saiban_id.v1.LeasesService/Create", create.encode_to_vec()),
        ("/grpc.health.v1.Health/Check", b"\x0a\x17saiban_id.v1.IdsService".to_vec()),
        ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", b"\x3a\x00".to_vec()),
    ]
}

fn judge(answer: Result<Vec<Bytes>, Refusal>) -> Result<(), TestCaseError> {
    let Err(refusal) = answer else { return Ok(()) };
    prop_assert!(refusal.code > 0 && ![INTERNAL, UNKNOWN].contains(&refusal.code), "{:?}", refusal);
    Ok(())
}

#[test]
fn no_message_and_no_frame_breaks_the_service() {
    let (mut instance, _folder) = every_scheme("");
    let grpc = RefCell::new(Grpc::to(instance.address()));
    let calls = calls();
    let ask = |path: &str, body: Vec<u8>| judge(grpc.borrow_mut().raw(path, body));
    for (path, message) in &calls {
        ask(path, frame(message)).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    // The message is damaged, and its frame is valid.
    runner(3_000)
        .run(&(any::<Index>(), damage()), |(which, damage)| {
            let (path, message) = which.get(&calls);
            ask(path, frame(&damaged(message, &damage)))
        })
        .unwrap_or_else(|error| panic!("{error}"));
    // The frame is damaged: its flag, its length, or its content.
    runner(2_000)
        .run(&(any::<Index>(), damage()), |(which, damage)| {
            let (path, message) = which.get(&calls);
            ask(path, damaged(&frame(message), &damage))
        })
        .unwrap_or_else(|error| panic!("{error}"));
    runner(1_000)
        .run(&(any::<Index>(), any::<u8>(), any::<u32>(), vec(any::<u8>(), 0..100)), |(which, flag, length, bytes)| {
            let mut body = vec![flag];
            body.extend_from_slice(&length.to_be_bytes());
            body.extend_from_slice(&bytes);
            ask(which.get(&calls).0, body)
        })
        .unwrap_or_else(|error| panic!("{error}"));
    // The message belongs to another method, or the method does not exist.
    runner(1_000)
        .run(
            &(any::<Index>(), any::<Index>(), "[ -~&&[^#?%<>\"`{} \\\\^|]]{0,30}", any::<bool>()),
            |(which, other, text, is_there)| {
                let path = if is_there { other.get(&calls).0.to_owned() } else { format!("/{text}") };
                ask(&path, frame(&which.get(&calls).1))
            },
        )
        .unwrap_or_else(|error| panic!("{error}"));
    is_well(&mut instance);
}

/// Returns the bytes of a connection that makes this call.
fn recorded(path: &str, message: &[u8]) -> Vec<u8> {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let (client, mut wire) = tokio::io::duplex(1 << 16);
        let (mut sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(client)).await.expect("HTTP/2");
        tokio::spawn(connection);
        let request = http::Request::post(format!("http://localhost{path}")).header("content-type", "application/grpc");
        let body = frame(message);
        let request = request.body(Full::new(Bytes::from(body.clone()))).expect("a request");
        tokio::spawn(sender.send_request(request));
        let mut bytes = Vec::new();
        while !bytes.windows(body.len()).any(|some| some == body) {
            assert!(wire.read_buf(&mut bytes).await.expect("it is sent") > 0);
        }
        bytes
    })
}

#[test]
fn no_frame_of_http_2_breaks_the_service() {
    let (mut instance, _folder) = every_scheme("");
    let address = instance.address();
    let connections: Vec<_> = calls().iter().map(|(path, message)| recorded(path, message)).collect();
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len();
    let answered = Cell::new(0);
    runner(2_000)
        .run(&(any::<Index>(), damage()), |(which, damage)| {
            // The damage follows the HTTP/2 preface, without which the connection is not HTTP/2.
            let (preface, frames) = which.get::<Vec<u8>>(&connections).split_at(preface);
            let mut stream = TcpStream::connect(address).expect("it listens");
            if stream.write_all(&[preface, &damaged(frames, &damage)].concat()).is_ok() {
                let _ = stream.shutdown(Shutdown::Write);
                let mut received = Vec::new();
                // A reset connection is a valid outcome too.
                let _ = stream.read_to_end(&mut received);
                answered.set(answered.get() + usize::from(!received.is_empty()));
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(answered.get() > 1_000, "{answered:?}");
    is_well(&mut instance);
}

#[test]
fn an_unreadable_message_is_the_callers_error() {
    let (mut instance, _folder) = every_scheme("");
    let mut grpc = Grpc::to(instance.address());
    let path = "/saiban_id.v1.IdsService/Generate";
    let message = calls().remove(0).1;
    let with_flag = |flag: u8| [&[flag], &frame(&message)[1..]].concat();
    for (what, body, code) in [
        ("nothing", Vec::new(), INVALID_ARGUMENT),
        ("no message", frame(&message)[..3].to_vec(), INVALID_ARGUMENT),
        ("half a message", frame(&message)[..8].to_vec(), INVALID_ARGUMENT),
        ("no fields", frame(b"\xff\xff\xff"), INVALID_ARGUMENT),
        ("no UTF-8", frame(b"\x0a\x02\xff\xfe"), INVALID_ARGUMENT),
        ("compressed, nobody says how", with_flag(1), INVALID_ARGUMENT),
        ("a flag that there is not", with_flag(7), INVALID_ARGUMENT),
        ("4 GiB", [b"\0\xff\xff\xff\xff".as_slice(), &message].concat(), RESOURCE_EXHAUSTED),
    ] {
        let refusal = grpc.raw(path, body).expect_err(what);
        assert_eq!(refusal.code, code, "{what}: {refusal:?}");
        assert!(["INVALID_ARGUMENT", "TOO_LARGE"].contains(&&*refusal.kind), "{what}: {refusal:?}");
    }
    let refusal = grpc.raw("/saiban_id.v1.IdsService/Generated", frame(&message)).expect_err("there is none");
    assert_eq!((refusal.code, &*refusal.kind), (UNIMPLEMENTED, "NOT_FOUND"));
    for (kind, status) in [
        ("application/grpc+proto", 200),
        ("application/grpc; charset=x", 200),
        ("application/grpc-web", 404),
        ("application/grpc+json", 404),
    ] {
        let mut http = crate::http::Http::to(instance.address());
        let answer = http.ask("POST", path, &[("Content-Type", kind)], Some(&frame(&message)));
        assert_eq!(answer.status, status, "{kind}");
    }
    // The status also works without HTTP/2, where trailers are missing.
    let mut http = crate::http::Http::to(instance.address());
    let answer = http.ask("POST", path, &[("Content-Type", "application/grpc")], Some(b"\0"));
    assert_eq!(answer.header("grpc-status"), Some("3"), "{answer:?}");
    is_well(&mut instance);
}
