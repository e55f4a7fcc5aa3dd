//! The gRPC service `LeasesService`: leases of other programs.
//!
//! Each message is converted to JSON and parsed like a body of the HTTP API, so that both protocols
//! check requests alike. This costs little, because requests for leases are rare.

use super::proto::leases_service_server::LeasesService;
use super::proto::{self, acquire_request::Ids};
use super::{Grpc, access};
use crate::metrics::{Operation, Protocol};
use crate::problem::Problem;
use saiban_coordination::lease::protocol::Grant;
use saiban_coordination::lease::{Namespace, Slot};
use saiban_coordination::store::wire;
use serde_json::{Value, json};
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// Returns the JSON form of a lease that its holder knows.
fn seen(seen: &proto::Seen) -> Value {
    json!({
        "incarnation": seen.incarnation.to_string(),
        "first": seen.first,
        "end": seen.end,
        "fence": seen.fence,
        "token": seen.token.to_string(),
        "end_us": seen.end_us,
    })
}

fn acquire_body(asked: &proto::AcquireRequest) -> Value {
    let mut body = json!({
        "nodes": asked.nodes.max(1),
        "ttl_us": asked.ttl_us,
        "holder": asked.holder,
        "seen": asked.seen.as_ref().map(seen),
    });
    match &asked.ids {
        Some(Ids::Fingerprint(fingerprint)) => body["fingerprint"] = fingerprint.as_str().into(),
        Some(Ids::Scheme(scheme)) => body["scheme"] = scheme.as_str().into(),
        None => {}
    }
    if asked.nodes < 0 {
        body["nodes"] = asked.nodes.into();
    }
    if asked.token != 0 {
        body["token"] = asked.token.to_string().into();
    }
    if let Some(clock_us) = asked.clock_us {
        body["clock_us"] = clock_us.into();
        if asked.max_clock_skew_us != 0 {
            body["max_clock_skew_us"] = asked.max_clock_skew_us.into();
        }
    }
    body
}

fn bytes(body: &Value) -> Vec<u8> {
    body.to_string().into_bytes()
}

impl From<Grant> for proto::Grant {
    fn from(grant: Grant) -> Self {
        proto::Grant {
            incarnation: grant.incarnation,
            first: grant.key.nodes.start,
            end: grant.key.nodes.end,
            fence: grant.key.fence,
            token: grant.key.token,
            start_us: grant.start_us,
            end_us: grant.end_us,
            now_us: grant.now_us,
        }
    }
}

impl From<Namespace> for proto::Namespace {
    fn from(namespace: Namespace) -> Self {
        let Namespace { fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us } = namespace;
        proto::Namespace { fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us }
    }
}

fn slot(slot: Slot, with_token: bool) -> proto::Slot {
    proto::Slot {
        first: slot.nodes.start,
        end: slot.nodes.end,
        fence: slot.fence,
        token: if with_token { slot.token } else { 0 },
        start_us: slot.start_us,
        end_us: slot.end_us,
        high_water_us: slot.high_water_us,
        holder: slot.holder,
    }
}

#[tonic::async_trait]
impl LeasesService for Grpc {
    async fn acquire(&self, request: Request<proto::AcquireRequest>) -> Answer<proto::AcquireResponse> {
        let access = access(&request)?;
        let asked = request.into_inner();
        let work = async {
            let request = wire::read_acquire(&bytes(&acquire_body(&asked)))?;
            let grant = self.0.lease_acquire(&access, &asked.namespace, request).await?;
            Ok(Response::new(proto::AcquireResponse { grant: Some(grant.into()) }))
        };
        Ok(self.0.measure(Operation::LeaseAcquire, Protocol::Grpc, work).await?)
    }

    async fn renew(&self, request: Request<proto::RenewRequest>) -> Answer<proto::RenewResponse> {
        let access = access(&request)?;
        let asked = request.into_inner();
        let work = async {
            let lease = asked
                .seen
                .as_ref()
                .ok_or_else(|| Problem::input("seen is missing: give the lease that is to be renewed"))?;
            let mut body = seen(lease);
            body["ttl_us"] = asked.ttl_us.into();
            let request = wire::read_renew(&bytes(&body))?;
            let grant = self.0.lease_renew(&access, &asked.namespace, request).await?;
            Ok(Response::new(proto::RenewResponse { grant: Some(grant.into()) }))
        };
        Ok(self.0.measure(Operation::LeaseRenew, Protocol::Grpc, work).await?)
    }

    async fn release(&self, request: Request<proto::ReleaseRequest>) -> Answer<proto::ReleaseResponse> {
        let access = access(&request)?;
        let asked = request.into_inner();
        let work = async {
            let request = wire::read_release(&bytes(&json!({
                "first": asked.first,
                "end": asked.end,
                "fence": asked.fence,
                "token": asked.token.to_string(),
                "high_water_us": asked.high_water_us,
            })))?;
            self.0.lease_release(&access, &asked.namespace, request).await?;
            Ok(Response::new(proto::ReleaseResponse {}))
        };
        Ok(self.0.measure(Operation::LeaseRelease, Protocol::Grpc, work).await?)
    }

    async fn list(&self, request: Request<proto::ListRequest>) -> Answer<proto::ListResponse> {
        let access = access(&request)?;
        let proto::ListRequest { namespace } = request.into_inner();
        let work = async {
            let (listing, with_tokens) = self.0.lease_list(&access, &namespace).await?;
            Ok(Response::new(proto::ListResponse {
                namespace: Some(listing.namespace.into()),
                slots: listing.slots.into_iter().map(|one| slot(one, with_tokens)).collect(),
                now_us: listing.now_us,
            }))
        };
        Ok(self.0.measure(Operation::LeaseList, Protocol::Grpc, work).await?)
    }

    async fn create(&self, request: Request<proto::CreateRequest>) -> Answer<proto::CreateResponse> {
        let access = access(&request)?;
        let proto::CreateRequest { namespace, fingerprint, nodes, max_ttl_us } = request.into_inner();
        let work = async {
            let mut body = json!({ "fingerprint": fingerprint });
            if nodes != 0 {
                body["nodes"] = nodes.into();
            }
            if max_ttl_us != 0 {
                body["max_ttl_us"] = max_ttl_us.into();
            }
            let terms = wire::read_terms(&namespace, &bytes(&body))?;
            let namespace = self.0.lease_create(&access, terms).await?;
            Ok(Response::new(proto::CreateResponse { namespace: Some(namespace.into()) }))
        };
        Ok(self.0.measure(Operation::LeaseCreate, Protocol::Grpc, work).await?)
    }

    async fn quarantine(&self, request: Request<proto::QuarantineRequest>) -> Answer<proto::QuarantineResponse> {
        let access = access(&request)?;
        let proto::QuarantineRequest { namespace } = request.into_inner();
        let work = async {
            let quarantine_until_us = self.0.lease_quarantine(&access, &namespace).await?;
            Ok(Response::new(proto::QuarantineResponse { quarantine_until_us }))
        };
        Ok(self.0.measure(Operation::LeaseQuarantine, Protocol::Grpc, work).await?)
    }
}
