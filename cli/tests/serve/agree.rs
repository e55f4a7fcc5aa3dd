//! HTTP and gRPC return equal results.

use crate::grpc::{Grpc, INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED};
use crate::http::{Http, metric};
use crate::instance::{Instance, eventually};
use crate::{NAMES, every_scheme};
use saiban_service::grpc::proto::{
    ComposeRequest, ComposeResponse, ConvertRequest, ConvertResponse, GenerateRequest, GenerateResponse,
    InspectAnyRequest, InspectAnyResponse, InspectRequest, InspectResponse, ListSchemesRequest, ListSchemesResponse,
    Parts, StreamRequest, StreamResponse,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Returns the parts as JSON shows them.
fn json_of(parts: &Parts) -> Value {
    const MAX: u64 = 1 << 53;
    let number = |part: Option<u64>| {
        part.map_or(Value::Null, |part| if part <= MAX { part.into() } else { part.to_string().into() })
    };
    let random = parts.random.as_ref().map_or(Value::Null, |random| match random.parse::<u64>() {
        Ok(small) if small <= MAX => small.into(),
        _ => random.as_str().into(),
    });
    json!({
        "scheme": parts.scheme, "layout": parts.layout, "id": parts.id, "bits": parts.bits, "text": parts.text,
        "timestamp_ms": parts.timestamp_ms, "submillisecond_ns": parts.submillisecond_ns,
        "node": number(parts.node), "sequence": number(parts.sequence), "random": random, "rollback": number(parts.rollback),
    })
}

/// Returns the parts as HTTP shows them, without the readable time.
fn without_time(parts: &Value) -> Value {
    let mut parts = parts.as_object().expect("parts").clone();
    assert!(parts.remove("time").is_some());
    Value::Object(parts)
}

fn texts(ids: &Value) -> Vec<String> {
    ids.as_array().expect("an array").iter().map(|id| id.as_str().expect("text").to_owned()).collect()
}

#[test]
fn an_id_is_inspected_and_composed_alike_over_both_protocols() {
    let (instance, _folder) = every_scheme("");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    for name in NAMES {
        let made = http.ask("POST", &format!("/v1/schemes/{name}/ids?count=3"), &[], None).json();
        assert_eq!(made["scheme"], name);
        let ids = texts(&made["ids"]);
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 3, "{made}");
        assert!(name != "customers" || ids.iter().all(|id| id.starts_with("customer_")), "{made}");
        let inspected = http.post(&format!("/v1/schemes/{name}/inspect"), &json!({ "ids": ids })).json();
        let asked = InspectRequest { scheme: name.into(), ids: ids.clone() };
        let by_grpc: InspectResponse = grpc.call("/saiban_id.v1.IdsService/Inspect", &asked).expect("an answer");
        for ((id, by_http), by_grpc) in
            ids.iter().zip(inspected["results"].as_array().expect("results")).zip(&by_grpc.results)
        {
            assert_eq!(
                (&by_http["input"], &by_http["error"], &by_http["parts"]["text"]),
                (&json!(id), &Value::Null, &json!(id))
            );
            let parts = by_grpc.parts.as_ref().expect("parts");
            assert_eq!(without_time(&by_http["parts"]), json_of(parts), "{name}");
            // The ID's parts compose to this ID again.
            let names = ["timestamp_ms", "submillisecond_ns", "node", "sequence", "random", "rollback"];
            let given = names.iter().map(|part| ((*part).to_owned(), by_http["parts"][*part].clone()));
            let given: Map<_, _> = given.filter(|(_, value)| !value.is_null()).collect();
            let composed = http.post(&format!("/v1/schemes/{name}/compose"), &given.clone().into());
            assert_eq!(composed.json(), json!({ "scheme": name, "id": id }), "{given:?}");
            let number = |part: Option<u64>| part.map(|part| i64::try_from(part).expect("63 bits"));
            let asked = ComposeRequest {
                scheme: name.into(),
                timestamp_ms: parts.timestamp_ms,
                submillisecond_ns: parts.submillisecond_ns,
                node: number(parts.node),
                sequence: number(parts.sequence),
                random: parts.random.clone(),
                rollback: number(parts.rollback),
            };
            let composed: ComposeResponse = grpc.call("/saiban_id.v1.IdsService/Compose", &asked).expect("an answer");
            assert_eq!(&composed.id, id, "{name}");
        }
        let any = http.post("/v1/inspect", &json!({ "ids": ids })).json();
        let by_grpc: InspectAnyResponse =
            grpc.call("/saiban_id.v1.IdsService/InspectAny", &InspectAnyRequest { ids }).expect("an answer");
        for (by_http, by_grpc) in any["results"].as_array().expect("results").iter().zip(&by_grpc.results) {
            let by_http = by_http["candidates"].as_array().expect("candidates");
            assert_eq!(by_http.len(), by_grpc.candidates.len(), "{name}");
            for (by_http, by_grpc) in by_http.iter().zip(&by_grpc.candidates) {
                assert_eq!(by_http["id"], by_grpc.parts.as_ref().expect("parts").id, "{name}");
                assert_eq!(
                    (&by_http["score"], &by_http["plausible"]),
                    (&json!(by_grpc.score), &json!(by_grpc.plausible))
                );
                assert_eq!(by_http["why"], json!(by_grpc.why));
            }
        }
    }
    let listed = http.get("/v1/schemes").json();
    let by_grpc: ListSchemesResponse =
        grpc.call("/saiban_id.v1.IdsService/ListSchemes", &ListSchemesRequest {}).expect("an answer");
    for (by_http, by_grpc) in listed["schemes"].as_array().expect("schemes").iter().zip(&by_grpc.schemes) {
        let (nodes, ready) = (by_grpc.nodes, by_grpc.ready);
        let expected = json!({ "name": by_grpc.name, "scheme": by_grpc.scheme, "layout": by_grpc.layout, "bits": by_grpc.bits,
            "encoding": by_grpc.encoding, "prefix": by_grpc.prefix, "namespace": by_grpc.namespace, "nodes": nodes, "ready": ready,
            "fingerprint": by_grpc.fingerprint });
        assert_eq!(by_http, &expected);
        assert_eq!(http.get(&format!("/v1/schemes/{}", by_grpc.name)).json(), expected);
    }
    assert_eq!(by_grpc.schemes.len(), NAMES.len());
}

#[test]
fn an_answer_has_the_number_of_its_request() {
    let instance = Instance::ready("[schemes.ulid]\nscheme = \"ulid\"\n");
    let mut http = Http::to(instance.address());
    let mut ask = |accept, number: &str| {
        let headers: &[_] = &[("Accept", accept), ("Saiban-Request", number)];
        http.ask("POST", "/v1/schemes/ulid/ids", headers, None)
    };
    let longest = "0123456789abcdef0123456789ABCDE-";
    for accept in ["application/json", "text/plain", "application/octet-stream"] {
        for number in ["7", longest] {
            let answer = ask(accept, number);
            assert_eq!((answer.status, answer.header("saiban-request")), (200, Some(number)), "{accept}");
        }
        for odd in ["", "a b", "a,b", "ä", "a_b", &format!("{longest}0")] {
            let answer = ask(accept, odd);
            assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{odd:?}");
            assert_eq!(answer.header("saiban-request"), None);
        }
    }
    assert_eq!(http.ask("POST", "/v1/schemes/ulid/ids", &[], None).header("saiban-request"), None);
}

#[test]
fn schemes_without_nodes_are_described_completely_too() {
    let instance = Instance::ready(
        "[schemes.a]\nscheme = \"tick-id\"\n[schemes.b]\nscheme = \"tick-id\"\norder = \"descending\"\n\
         [schemes.c]\nscheme = \"flake\"\nlayout = \"timestamp:41,epoch=2020-01-01 random:22\"\n\
         [schemes.d]\nscheme = \"ulid\"\n",
    );
    let listed = Http::to(instance.address()).get("/v1/schemes").json();
    let fingerprints: Vec<_> =
        listed["schemes"].as_array().expect("schemes").iter().map(|it| it["fingerprint"].clone()).collect();
    assert_eq!(
        json!(fingerprints),
        json!(["tick-id ascending", "tick-id descending", "flake timestamp:41,epoch=2020-01-01 random:22", "ulid"])
    );
}

#[test]
fn every_form_and_format_shows_the_ids_that_were_made() {
    let (instance, _folder) = every_scheme("");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    for name in NAMES {
        let described = http.get(&format!("/v1/schemes/{name}")).json();
        let bits = described["bits"].as_u64().expect("bits");
        let path = format!("/v1/schemes/{name}/ids?count=5");
        let lines = http.ask("POST", &path, &[("Accept", "text/plain")], None);
        assert_eq!(lines.header("content-type"), Some("text/plain; charset=utf-8"));
        let lines = lines.text().lines().map(str::to_owned).collect::<Vec<_>>();
        let bytes = http.ask("POST", &path, &[("Accept", "application/octet-stream, */*;q=0.1")], None);
        let size = if bits > 64 { 16 } else { 8 };
        assert_eq!((bytes.header("saiban-id-bytes"), bytes.body.len()), (Some(&*size.to_string()), 5 * size), "{name}");
        assert_eq!(bytes.header("saiban-fingerprint"), described["fingerprint"].as_str(), "{name}");
        assert!(described["fingerprint"].as_str().is_some_and(|text| text.is_ascii() && !text.is_empty()), "{name}");
        let numbers: Vec<String> = match size {
            8 => bytes.body.chunks(8).map(|id| i64::from_le_bytes(id.try_into().expect("8")).to_string()).collect(),
            _ => bytes.body.chunks(16).map(|id| u128::from_be_bytes(id.try_into().expect("16")).to_string()).collect(),
        };
        let asked = GenerateRequest { scheme: name.into(), count: 5 };
        let by_grpc: GenerateResponse = grpc.call("/saiban_id.v1.IdsService/Generate", &asked).expect("an answer");
        assert_eq!((by_grpc.ids.len(), by_grpc.wide_ids.len()), if size == 8 { (5, 0) } else { (0, 80) }, "{name}");
        let wide = by_grpc.wide_ids.chunks(16).map(|id| u128::from_be_bytes(id.try_into().expect("16")).to_string());
        let by_grpc: Vec<_> = by_grpc.ids.iter().map(i64::to_string).chain(wide).collect();
        let mut seen = HashSet::new();
        for (ids, are_numbers) in [(lines, false), (numbers, true), (by_grpc, true)] {
            let results = http.post(&format!("/v1/schemes/{name}/inspect"), &json!({ "ids": ids })).json();
            for (id, result) in ids.iter().zip(results["results"].as_array().expect("results")) {
                let inspected = if are_numbers { &result["parts"]["id"] } else { &result["parts"]["text"] };
                assert_eq!(inspected, id, "{name}: {result}");
                assert!(seen.insert(result["parts"]["id"].to_string()), "{name}: {id} came twice");
            }
        }
        let plain = ["decimal", "hex", "binary", "crockford", "base32hex", "base36", "base58", "base62", "base64url"];
        let forms = ["hyphenated", "simple", "braced", "urn"];
        for format in plain.iter().chain(if bits == 128 { &forms[..] } else { &[] }) {
            let made = http.ask("POST", &format!("/v1/schemes/{name}/ids?count=2&format={format}"), &[], None).json();
            let texts = texts(&made["ids"]);
            let request = json!({ "texts": texts, "from": format, "to": "decimal", "bits": bits });
            let converted = http.post("/v1/convert", &request).json();
            let asked = ConvertRequest {
                texts: texts.clone(),
                from: (*format).into(),
                to: "decimal".into(),
                bits: Some(bits as u32),
                ..ConvertRequest::default()
            };
            let by_grpc: ConvertResponse = grpc.call("/saiban_id.v1.IdsService/Convert", &asked).expect("an answer");
            for (result, by_grpc) in converted["results"].as_array().expect("results").iter().zip(&by_grpc.results) {
                assert_eq!(result["error"], Value::Null, "{name} {format}: {made}");
                assert_eq!(result["text"], result["id"]);
                assert_eq!(
                    (&result["from"], &result["id"], &result["text"]),
                    (&json!(by_grpc.from), &json!(by_grpc.id), &json!(by_grpc.text))
                );
            }
            let ids: Vec<_> =
                converted["results"].as_array().expect("results").iter().map(|one| one["id"].clone()).collect();
            let inspected = http.post(&format!("/v1/schemes/{name}/inspect"), &json!({ "ids": ids })).json();
            assert!(
                inspected["results"].as_array().expect("results").iter().all(|one| one["error"].is_null()),
                "{name} {format}: {inspected}"
            );
        }
    }
}

#[test]
fn errors_have_one_code_over_both_protocols() {
    let (instance, _folder) = every_scheme("");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    let unknown = http.ask("POST", "/v1/schemes/none/ids", &[], None);
    assert_eq!((unknown.status, &*unknown.code()), (404, "UNKNOWN_NAME"));
    let refusal = grpc.call::<GenerateResponse>(
        "/saiban_id.v1.IdsService/Generate",
        &GenerateRequest { scheme: "none".into(), count: 1 },
    );
    let refusal = refusal.expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (NOT_FOUND, "UNKNOWN_NAME"), "{refusal:?}");
    for count in ["0", "10001", "-1", "x", "", "1&count=2", "99999999999999999999", "1&node=5"] {
        let answer = http.ask("POST", &format!("/v1/schemes/ulid/ids?count={count}"), &[], None);
        assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{count}");
    }
    let refusal = grpc.call::<GenerateResponse>(
        "/saiban_id.v1.IdsService/Generate",
        &GenerateRequest { scheme: "ulid".into(), count: 10_001 },
    );
    let refusal = refusal.expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (INVALID_ARGUMENT, "INVALID_ARGUMENT"), "{refusal:?}");
    // An unknown encoding is bad input, not an unknown path.
    let request = json!({ "texts": [], "from": "base1", "to": "hex" });
    let answer = http.post("/v1/convert", &request);
    assert_eq!((answer.status, &*answer.code()), (400, "UNKNOWN_NAME"));
    let asked = ConvertRequest { from: "base1".into(), to: "hex".into(), ..ConvertRequest::default() };
    let refusal = grpc.call::<ConvertResponse>("/saiban_id.v1.IdsService/Convert", &asked).expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (INVALID_ARGUMENT, "UNKNOWN_NAME"), "{refusal:?}");
    for body in ["", "[]", "{}", "{\"ids\":[1]}", "{\"ids\":[],\"node\":1}", "{\"ids\":[]", "\u{0}"] {
        let headers = [("Content-Type", "application/json; charset=utf-8")];
        let answer = http.ask("POST", "/v1/schemes/ulid/inspect", &headers, Some(body.as_bytes()));
        assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "{body}");
    }
    for digits in ["+5", "007", "-0", " 5", "", "5.0"] {
        let answer =
            http.post("/v1/schemes/snowflake/compose", &json!({ "timestamp_ms": digits, "node": 1, "sequence": 1 }));
        assert_eq!(answer.status, 400, "{digits:?} is read in the one way of writing it");
    }
    let answer = http
        .post("/v1/schemes/ulid/compose", &json!({ "timestamp_ms": 1_700_000_000_000_i64, "node": 1, "random": 1 }));
    assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "a ULID has no node");
    let answer = http.ask("POST", "/v1/schemes/%FF/ids", &[], None);
    assert_eq!((answer.status, &*answer.code()), (400, "INVALID_ARGUMENT"), "a path that is no text");
    for path in ["/saiban_id.v1.IdsService/Nothing", "/saiban_id.v2.IdsService/Generate", "/"] {
        let refusal = grpc.raw(path, crate::grpc::frame(b"")).expect_err("it is refused");
        assert_eq!((refusal.code, &*refusal.kind), (UNIMPLEMENTED, "NOT_FOUND"), "{path} {refusal:?}");
    }
}

#[test]
fn a_stream_ends_with_its_count_or_with_its_reader() {
    let (instance, _folder) = every_scheme("");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    for (scheme, count, batch, messages) in [("snowflake", 25_000, 1_000, 25), ("ulid", 10, 0, 1), ("wide", 5, 2, 3)] {
        let asked = StreamRequest { scheme: scheme.into(), count, batch };
        let made: Vec<StreamResponse> = grpc.stream("/saiban_id.v1.IdsService/Stream", &asked).expect("batches");
        assert_eq!(made.len(), messages, "{scheme}");
        let narrow = made.iter().flat_map(|batch| batch.ids.iter().map(|id| i128::from(*id)));
        let wide = made
            .iter()
            .flat_map(|batch| batch.wide_ids.chunks(16))
            .map(|id| i128::from_be_bytes(id.try_into().expect("16")));
        let ids: HashSet<_> = narrow.chain(wide).collect();
        assert_eq!(ids.len() as u64, count, "{scheme}");
    }
    let asked = StreamRequest { scheme: "ulid".into(), count: 1, batch: 10_001 };
    let refusal = grpc.stream::<StreamResponse>("/saiban_id.v1.IdsService/Stream", &asked).expect_err("it is refused");
    assert_eq!((refusal.code, &*refusal.kind), (INVALID_ARGUMENT, "INVALID_ARGUMENT"));
    // Without a count the stream continues until its reader has enough.
    let asked = StreamRequest { scheme: "ulid".into(), count: 0, batch: 1_000 };
    let made: Vec<StreamResponse> = grpc.stream("/saiban_id.v1.IdsService/Stream", &asked).expect("batches");
    assert!(made.len() > 100, "{}", made.len());
    // The request for metrics counts too.
    eventually("nothing is in flight", || metric(&http.get("/metrics").text(), "saiban_requests_in_flight") == 1.0);
}

#[test]
fn health_needs_no_token_and_reflection_has_every_service() {
    use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
    use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};

    let (instance, folder) = every_scheme("");
    let mut grpc = Grpc::to(instance.address());
    let asked = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..ServerReflectionRequest::default()
    };
    let answer: ServerReflectionResponse =
        grpc.call("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", &asked).expect("an answer");
    let Some(MessageResponse::ListServicesResponse(services)) = answer.message_response else { panic!("{answer:?}") };
    let services: HashSet<_> = services.service.iter().map(|service| service.name.as_str()).collect();
    for name in ["saiban_id.v1.IdsService", "saiban_id.v1.LeasesService", "grpc.health.v1.Health"] {
        assert!(services.contains(name), "{name}: {services:?}");
    }
    let hash = "0".repeat(64);
    let token = format!("[[tokens]]\nname = \"nobody\"\ntoken_sha256 = \"{hash}\"\nscopes = [\"admin\"]\n");
    let closed = crate::instance::Instance::start_in(
        folder.path(),
        "closed",
        &format!("[schemes.ulid]\nscheme = \"ulid\"\n{token}"),
    );
    let mut grpc = Grpc::to(closed.address());
    for service in ["", "saiban_id.v1.IdsService", "saiban_id.v1.LeasesService"] {
        let asked = HealthCheckRequest { service: service.into() };
        eventually("it serves", || {
            let answer: HealthCheckResponse = grpc.call("/grpc.health.v1.Health/Check", &asked).expect("an answer");
            answer.status == 1
        });
    }
}
