//! Leases for other programs, over both protocols.

use crate::grpc::Grpc;
use crate::http::Http;
use crate::instance::Instance;
use saiban_service::grpc::proto::acquire_request::Ids;
use saiban_service::grpc::proto::{
    AcquireRequest, AcquireResponse, CreateRequest, CreateResponse, ListRequest, ListResponse, QuarantineRequest,
    QuarantineResponse, ReleaseRequest, ReleaseResponse, RenewRequest, RenewResponse, Seen,
};
use serde_json::{Value, json};

const FINGERPRINT: &str = "flake timestamp:41,epoch=2020-02-02 node:1 sequence:12";
const MINUTE_US: i64 = 60_000_000;

fn number(value: &Value) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{value} is no number"))
}

fn request() -> AcquireRequest {
    AcquireRequest {
        namespace: "shop".into(),
        ids: Some(Ids::Fingerprint(FINGERPRINT.into())),
        nodes: 2,
        ttl_us: MINUTE_US,
        holder: "over gRPC".into(),
        ..AcquireRequest::default()
    }
}

#[test]
fn a_lease_of_one_protocol_is_known_to_the_other() {
    let instance = Instance::ready("[schemes.ulid]\nscheme = \"ulid\"\n");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    let none = http.get("/v1/leases/shop");
    assert_eq!((none.status, &*none.code()), (404, "NAMESPACE_UNKNOWN"));
    let terms = json!({ "fingerprint": FINGERPRINT, "nodes": 2, "max_ttl_us": MINUTE_US });
    let made =
        http.ask("PUT", "/v1/leases/shop", &[("Content-Type", "application/json")], Some(terms.to_string().as_bytes()));
    let made = made.json();
    let asked =
        CreateRequest { namespace: "shop".into(), fingerprint: FINGERPRINT.into(), nodes: 2, max_ttl_us: MINUTE_US };
    let again: CreateResponse = grpc.call("/saiban_id.v1.LeasesService/Create", &asked).expect("an answer");
    let again = again.namespace.expect("a namespace");
    assert_eq!(number(&made["incarnation"]), again.incarnation, "it stays as it is");
    assert_eq!((made["nodes"].as_i64(), again.nodes, again.max_ttl_us), (Some(2), 2, MINUTE_US));
    // The lease is acquired over HTTP, listed and renewed over gRPC, and released over HTTP.
    let wished = json!({ "fingerprint": FINGERPRINT, "nodes": 2, "ttl_us": MINUTE_US / 2, "holder": "over HTTP" });
    let grant = http.post("/v1/leases/shop/acquire", &wished).json();
    let seen: ListResponse =
        grpc.call("/saiban_id.v1.LeasesService/List", &ListRequest { namespace: "shop".into() }).expect("an answer");
    assert_eq!(
        (seen.slots.len(), &*seen.slots[0].holder, seen.slots[0].token),
        (1, "over HTTP", number(&grant["token"]))
    );
    let known = Seen {
        incarnation: number(&grant["incarnation"]),
        first: 0,
        end: 2,
        fence: number(&grant["fence"]),
        token: number(&grant["token"]),
        end_us: number(&grant["end_us"]),
    };
    let asked = RenewRequest { namespace: "shop".into(), seen: Some(known), ttl_us: MINUTE_US };
    let renewed: RenewResponse = grpc.call("/saiban_id.v1.LeasesService/Renew", &asked).expect("an answer");
    let renewed = renewed.grant.expect("a grant");
    assert_eq!((renewed.fence, renewed.token), (known.fence, known.token));
    assert!(renewed.end_us > known.end_us);
    let full = http.post("/v1/leases/shop/acquire", &wished);
    assert_eq!((full.status, &*full.code()), (409, "NAMESPACE_FULL"));
    assert_eq!(
        grpc.call::<AcquireResponse>("/saiban_id.v1.LeasesService/Acquire", &request()).expect_err("it is full").kind,
        "NAMESPACE_FULL"
    );
    let body = json!({ "first": 0, "end": 2, "fence": known.fence, "token": known.token.to_string(), "high_water_us": renewed.start_us });
    assert_eq!(http.post("/v1/leases/shop/release", &body).json(), json!({}));
    // The next lease has a higher fence.
    let next: AcquireResponse = grpc.call("/saiban_id.v1.LeasesService/Acquire", &request()).expect("an answer");
    let next = next.grant.expect("a grant");
    assert!(next.fence > known.fence, "{next:?}");
    let late = json!({ "incarnation": known.incarnation.to_string(), "first": 0, "end": 2, "fence": known.fence,
        "token": known.token.to_string(), "end_us": renewed.end_us, "ttl_us": MINUTE_US });
    let lost = http.post("/v1/leases/shop/renew", &late);
    assert_eq!((lost.status, &*lost.code()), (409, "LEASE_LOST"));
    let listed = http.get("/v1/leases/shop").json();
    assert_eq!(
        (number(&listed["slots"][0]["fence"]), &listed["slots"][0]["holder"]),
        (next.fence, &json!("over gRPC"))
    );
    let asked = ReleaseRequest {
        namespace: "shop".into(),
        first: next.first,
        end: next.end,
        fence: next.fence,
        token: next.token,
        high_water_us: next.end_us,
    };
    let _: ReleaseResponse = grpc.call("/saiban_id.v1.LeasesService/Release", &asked).expect("an answer");
    // In quarantine no lease is granted.
    let quarantine: QuarantineResponse = grpc
        .call("/saiban_id.v1.LeasesService/Quarantine", &QuarantineRequest { namespace: "shop".into() })
        .expect("an answer");
    let again = http.ask("POST", "/v1/leases/shop/quarantine", &[], None).json();
    assert!(number(&again["quarantine_until_us"]) >= quarantine.quarantine_until_us);
    let refused = http.post("/v1/leases/shop/acquire", &wished);
    assert_eq!((refused.status, &*refused.code()), (409, "NAMESPACE_QUARANTINED"));
    let refused = grpc
        .call::<AcquireResponse>("/saiban_id.v1.LeasesService/Acquire", &request())
        .expect_err("it is in quarantine");
    assert_eq!(refused.kind, "NAMESPACE_QUARANTINED");
}

#[test]
fn requests_for_leases_are_refused_where_leases_are_disabled() {
    let instance = Instance::ready("[schemes.ulid]\nscheme = \"ulid\"\n[leases]\nenabled = false\n");
    let (mut http, mut grpc) = (Http::to(instance.address()), Grpc::to(instance.address()));
    let answer = http.get("/v1/leases/shop");
    assert_eq!((answer.status, &*answer.code()), (403, "PERMISSION_DENIED"));
    let refused =
        grpc.call::<AcquireResponse>("/saiban_id.v1.LeasesService/Acquire", &request()).expect_err("it is refused");
    assert_eq!(refused.kind, "PERMISSION_DENIED");
}

#[test]
fn nodes_are_leased_for_a_scheme_of_the_service() {
    let instance = Instance::ready("[schemes.orders]\nscheme = \"snowflake\"\n");
    let mut http = Http::to(instance.address());
    let grant = http.post("/v1/leases/orders/acquire", &json!({ "scheme": "orders", "ttl_us": MINUTE_US })).json();
    assert_eq!(number(&grant["end"]) - number(&grant["first"]), 1, "{grant}");
    for (scheme, status) in [("none", 404), ("", 404)] {
        let answer = http.post("/v1/leases/orders/acquire", &json!({ "scheme": scheme, "ttl_us": MINUTE_US }));
        assert_eq!((answer.status, &*answer.code()), (status, "UNKNOWN_NAME"), "{scheme:?}");
    }
    // A clock with a large error is refused, if the request states it.
    let answer =
        http.post("/v1/leases/orders/acquire", &json!({ "scheme": "orders", "ttl_us": MINUTE_US, "clock_us": 1 }));
    assert_eq!((answer.status, &*answer.code()), (409, "CLOCK_SKEW"));
}
