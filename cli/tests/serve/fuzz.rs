//! Whatever a client sends over HTTP, the service replies or closes the connection, never fails
//! with an internal error, and serves the next request.

use crate::every_scheme;
use crate::http::{Answer, Http};
use crate::instance::Instance;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::net::SocketAddr;

/// The number of inputs for each property, unless SAIBAN_FUZZ_INPUTS is set.
pub fn runner(inputs: u32) -> TestRunner {
    let wanted = std::env::var("SAIBAN_FUZZ_INPUTS").ok().and_then(|wanted| wanted.parse().ok());
    let config = Config {
        cases: wanted.unwrap_or(inputs),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    TestRunner::new(config)
}

/// A change to bytes in transit.
#[derive(Clone, Debug)]
pub enum Damage {
    Flip(Index, u8),
    Put(Index, Vec<u8>),
    Drop(Index, usize),
    Twice(Index, usize),
    Cut(Index),
}

pub fn damage() -> impl Strategy<Value = Vec<Damage>> {
    // Bytes with a special meaning to parsers are frequent.
    const WORDS: [&[u8]; 16] = [
        b"\"",
        b"{",
        b"]",
        b"null",
        b"-1",
        b"1e999",
        b"9223372036854775808",
        b"\\ud800",
        b"\0",
        b"\xff",
        b"\r\n",
        b":",
        b"%",
        b"chunked",
        b"99999999999",
        b"0x",
    ];
    let word = proptest::sample::select(&WORDS[..]).prop_map(<[u8]>::to_vec);
    let one = prop_oneof![
        (any::<Index>(), 1_u8..).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        (any::<Index>(), prop_oneof![word, vec(any::<u8>(), 1..8)]).prop_map(|(at, bytes)| Damage::Put(at, bytes)),
        (any::<Index>(), 1_usize..16).prop_map(|(at, count)| Damage::Drop(at, count)),
        (any::<Index>(), 1_usize..64).prop_map(|(at, count)| Damage::Twice(at, count)),
        any::<Index>().prop_map(Damage::Cut),
    ];
    vec(one, 1..4)
}

pub fn damaged(bytes: &[u8], damage: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for one in damage {
        let place = |at: &Index| at.index(bytes.len() + 1);
        match one {
            Damage::Flip(at, bits) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            Damage::Flip(..) => {}
            Damage::Put(at, more) => {
                let at = place(at);
                bytes.splice(at..at, more.iter().copied());
            }
            Damage::Drop(at, count) => {
                let at = place(at);
                bytes.drain(at..bytes.len().min(at + count));
            }
            Damage::Twice(at, count) => {
                let at = place(at);
                let again = bytes[at..bytes.len().min(at + count)].to_vec();
                bytes.splice(at..at, again);
            }
            Damage::Cut(at) => bytes.truncate(place(at)),
        }
    }
    bytes
}

/// Returns valid requests.
fn requests() -> Vec<(&'static str, &'static str, String)> {
    let fingerprint = "snowflake unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";
    let seen = json!({ "incarnation": "5", "first": 5, "end": 6, "fence": 3, "token": "7", "end_us": 1_704_067_800_000_000_i64 });
    let mut renew = seen.clone();
    renew["ttl_us"] = json!(60_000_000);
    let acquire = json!({ "fingerprint": fingerprint, "nodes": 1, "ttl_us": 1_000, "holder": "shop", "token": "9", "clock_us": 5,
        "max_clock_skew_us": 9_007_199_254_740_991_i64, "seen": seen });
    let release = json!({ "first": 5, "end": 6, "fence": 3, "token": "7", "high_water_us": 5 });
    let convert = json!({ "texts": ["255", "-1", "zz"], "from": "decimal", "to": "hex", "bits": 64, "width": 20, "from_width": null, "lenient": true });
    let compose = json!({ "timestamp_ms": 1_704_067_200_000_i64, "node": 5, "sequence": "1" });
    let random = json!({ "timestamp_ms": "1704067200000", "random": "79228162514264337593543950335" });
    let ids = json!({ "ids": ["1741610183685074945", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "é"] });
    vec![
        ("POST", "/v1/inspect", ids.to_string()),
        ("POST", "/v1/schemes/randflake/inspect", ids.to_string()),
        ("POST", "/v1/schemes/tick-id/inspect", ids.to_string()),
        ("POST", "/v1/schemes/snowflake/compose", compose.to_string()),
        ("POST", "/v1/schemes/wide/compose", compose.to_string()),
        ("POST", "/v1/schemes/ulid/compose", random.to_string()),
        ("POST", "/v1/convert", convert.to_string()),
        (
            "PUT",
            "/v1/leases/shop",
            json!({ "fingerprint": fingerprint, "nodes": 1_024, "max_ttl_us": 60_000_000 }).to_string(),
        ),
        ("POST", "/v1/leases/shop/acquire", acquire.to_string()),
        ("POST", "/v1/leases/shop/acquire", json!({ "scheme": "snowflake", "ttl_us": 1_000_000 }).to_string()),
        ("POST", "/v1/leases/shop/renew", renew.to_string()),
        ("POST", "/v1/leases/shop/release", release.to_string()),
        ("POST", "/v1/schemes/snowflake/ids?count=10&format=hex", String::new()),
        ("GET", "/inspect?id=1741610183685074945", String::new()),
        ("GET", "/v1/leases/shop", String::new()),
        ("GET", "/v1/schemes/snowflake", String::new()),
    ]
}

/// Checks that no input causes an internal error; a used-up tick is allowed.
fn judge(answer: &Answer) -> Result<(), TestCaseError> {
    let is_used_up = answer.status == 503 && answer.text().contains("WOULD_WAIT");
    prop_assert!(answer.status < 500 || is_used_up, "{:?}\n{}", answer, String::from_utf8_lossy(&answer.body));
    if answer.status >= 400 && !answer.body.is_empty() {
        let error: serde_json::Value = serde_json::from_slice(&answer.body)
            .map_err(|error| TestCaseError::fail(format!("{error}: {answer:?}")))?;
        prop_assert!(error["error"]["code"].is_string(), "{error}");
    }
    Ok(())
}

/// The memory limit of an instance after all these requests: far less than thousands of stored
/// requests would take.
pub const MAX_MEMORY_KIB: u64 = 256 << 10;

/// Checks that the instance runs, stores nothing, reports no defect, and replies correctly.
pub fn is_well(instance: &mut Instance) {
    assert!(instance.is_running());
    assert!(instance.memory_kib() < MAX_MEMORY_KIB, "{} KiB", instance.memory_kib());
    let mut http = Http::to(instance.address());
    let made = http.ask("POST", "/v1/schemes/snowflake/ids", &[], None).json();
    let inspected = http.post("/v1/schemes/snowflake/inspect", &json!({ "ids": made["ids"] })).json();
    assert_eq!(inspected["results"][0]["parts"]["text"], made["ids"][0]);
    assert!(http.get("/readyz").status == 200);
    let log = instance.log();
    assert!(!log.contains("ERROR") && !log.contains("panicked"), "{log}");
}

/// Returns the responses to these bytes: none, one, or several.
fn all_answers(address: SocketAddr, bytes: &[u8]) -> Vec<Answer> {
    let mut http = Http::to(address);
    let mut answers = Vec::new();
    if http.send(bytes).is_err() {
        return answers;
    }
    // An incomplete request stays incomplete.
    http.shut();
    while let Ok(answer) = http.answer() {
        answers.push(answer);
    }
    answers
}

#[test]
fn no_body_breaks_the_service() {
    let (mut instance, _folder) = every_scheme("");
    let http = RefCell::new(Http::to(instance.address()));
    let requests = requests();
    let ask = |method: &str, path: &str, body: &[u8]| {
        let mut http = http.borrow_mut();
        let answer = http.ask(method, path, &[("Content-Type", "application/json")], Some(body));
        if answer.header("connection") == Some("close") {
            *http = Http::to(instance.address());
        }
        judge(&answer)
    };
    runner(4_000)
        .run(&(any::<Index>(), damage()), |(which, damage)| {
            let (method, path, body) = which.get(&requests);
            ask(method, path, &damaged(body.as_bytes(), &damage))
        })
        .unwrap_or_else(|error| panic!("{error}"));
    runner(2_000)
        .run(&(any::<Index>(), vec(any::<u8>(), 0..200)), |(which, body)| {
            let (method, path, _) = which.get(&requests);
            ask(method, path, &body)
        })
        .unwrap_or_else(|error| panic!("{error}"));
    // The JSON has the right form, with arbitrary values.
    let value = prop_oneof![
        any::<i64>().prop_map(|number| json!(number)),
        any::<u64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<i64>().prop_map(|number| json!(number.to_string())),
        any::<u128>().prop_map(|number| json!(number.to_string())),
        ".{0,20}".prop_map(|text| json!(text)),
        Just(json!(null)),
        Just(json!(["1"])),
    ];
    runner(4_000)
        .run(&(any::<Index>(), any::<Index>(), value), |(which, member, value)| {
            let (method, path, body) = which.get(&requests);
            let Ok(mut body) = serde_json::from_str::<serde_json::Value>(body) else { return Ok(()) };
            let members = body.as_object_mut().expect("an object");
            let name = members.keys().nth(member.index(members.len())).expect("a member").clone();
            members.insert(name, value);
            ask(method, path, body.to_string().as_bytes())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    is_well(&mut instance);
}

#[test]
fn no_path_and_no_query_breaks_the_service() {
    let (mut instance, _folder) = every_scheme("");
    let http = RefCell::new(Http::to(instance.address()));
    let requests = requests();
    let methods =
        proptest::sample::select(vec!["GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PROPFIND", "TRACE"]);
    let ask = |method: &str, path: &[u8]| {
        let mut http = http.borrow_mut();
        // Line breaks would end the path.
        let path: Vec<u8> =
            path.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && !byte.is_ascii_control()).collect();
        let bytes =
            [method.as_bytes(), b" /", &path, b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"].concat();
        http.send(&bytes).expect("it is sent");
        let answer = if method == "HEAD" { Err(std::io::ErrorKind::Other.into()) } else { http.answer() };
        match answer {
            Ok(answer) => {
                if answer.header("connection") == Some("close") || answer.body.is_empty() {
                    *http = Http::to(instance.address());
                }
                judge(&answer)
            }
            Err(_) => {
                *http = Http::to(instance.address());
                Ok(())
            }
        }
    };
    runner(3_000)
        .run(&(any::<Index>(), methods.clone(), damage()), |(which, method, damage)| {
            ask(method, &damaged(&which.get(&requests).1.as_bytes()[1..], &damage))
        })
        .unwrap_or_else(|error| panic!("{error}"));
    // Arbitrary bytes, percent-encoded.
    runner(3_000)
        .run(&(0_usize..4, methods, vec(any::<u8>(), 0..40)), |(place, method, bytes)| {
            let text: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
            let path = match place {
                0 => format!("v1/schemes/{text}/ids"),
                1 => format!("v1/leases/{text}"),
                2 => format!("inspect?id={text}"),
                _ => format!("v1/schemes/ulid/ids?count={text}&format={text}"),
            };
            ask(method, path.as_bytes())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    is_well(&mut instance);
}

#[test]
fn no_bytes_break_the_service() {
    let (mut instance, _folder) = every_scheme("");
    let address = instance.address();
    let whole: Vec<Vec<u8>> = requests()
        .into_iter()
        .flat_map(|(method, path, body)| {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
            let (half, rest) = body.split_at(body.len() / 2);
            let half = if half.is_empty() { String::new() } else { format!("{:x}\r\n{half}\r\n", half.len()) };
            let rest = if rest.is_empty() { String::new() } else { format!("{:x};x=y\r\n{rest}\r\n", rest.len()) };
            [
                format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()),
                format!("{head}Transfer-Encoding: chunked\r\n\r\n{half}{rest}0\r\nX: y\r\n\r\n"),
            ]
        })
        .map(String::into_bytes)
        .chain([b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec()])
        .collect();
    let (sent, answered) = (Cell::new(0), Cell::new(0));
    let send = |bytes: &[u8]| {
        let answers = all_answers(address, bytes);
        sent.set(sent.get() + 1);
        answered.set(answered.get() + usize::from(!answers.is_empty()));
        answers.iter().try_for_each(judge)
    };
    runner(3_000)
        .run(&(any::<Index>(), damage()), |(which, damage)| send(&damaged(which.get::<Vec<u8>>(&whole), &damage)))
        .unwrap_or_else(|error| panic!("{error}"));
    // Otherwise hardly any response would have been checked.
    assert!(answered.get() > sent.get() / 3, "{answered:?} of {sent:?}");
    runner(1_000).run(&vec(any::<u8>(), 0..300), |bytes| send(&bytes)).unwrap_or_else(|error| panic!("{error}"));
    is_well(&mut instance);
}
