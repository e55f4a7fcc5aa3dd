//! The gRPC half.

mod ids;
mod lasting;
mod leases;
mod reflection;
mod stream;

/// What `service/generate` wrote from `service/proto`.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
#[rustfmt::skip]
pub mod proto {
    include!("proto/saiban_id.v1.rs");

    /// The descriptors, for reflection.
    pub const DESCRIPTORS: &[u8] = include_bytes!("proto/saiban_id.v1.bin");
}

use crate::auth::Access;
use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::Router;
use axum::body::Body;
use lasting::Lasting;
use proto::ids_service_server::IdsServiceServer;
use proto::leases_service_server::LeasesServiceServer;
use reflection::Reflection;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tonic::codegen::Service as _;
use tonic::service::Routes;
use tonic::{Request, Status};
use tonic_reflection::pb::v1::server_reflection_server::ServerReflectionServer;
use tower::ServiceExt;

/// The call that asks how the service is.
pub(crate) const HEALTH: &str = "/grpc.health.v1.Health/Check";

/// What health may be asked, bytes: a service's name. It needs no token.
const MOST_HEALTH_BYTES: usize = 1 << 10;

/// How often health is looked at.
const HEALTH_EVERY: Duration = Duration::from_secs(1);

/// Answers gRPC's requests.
#[derive(Clone)]
struct Grpc(Arc<Service>);

/// What answers requests that are gRPC's.
#[derive(Clone)]
pub(crate) struct Answerer {
    ids: IdsServiceServer<Grpc>,
    all: Router,
}

impl Answerer {
    /// Calls for IDs, which are most, go past the router: finding them in it costs a tenth of what they cost in all.
    pub(crate) async fn answer(&self, request: http::Request<Body>) -> Result<http::Response<Body>, Infallible> {
        if request.uri().path().starts_with(IDS) {
            return Ok(self.ids.clone().call(request).await?.map(Body::new));
        }
        let access =
            is_watch(request.uri().path()).then(|| request.extensions().get::<Arc<Access>>().cloned()).flatten();
        let response = self.all.clone().oneshot(request).await?;
        Ok(match access {
            Some(access) => response.map(|body| Lasting::body(body, access)),
            None => response,
        })
    }
}

/// Where the paths of calls for IDs begin.
const IDS: &str = "/saiban_id.v1.IdsService/";

/// The same of calls for leases.
pub(crate) const LEASES: &str = "/saiban_id.v1.LeasesService/";

/// The call that makes IDs for as long as the caller likes.
pub(crate) const STREAM: &str = "/saiban_id.v1.IdsService/Stream";

/// Whether a call, one of a library's own, goes on for as long as the caller likes.
pub(crate) fn is_watch(path: &str) -> bool {
    path == "/grpc.health.v1.Health/Watch" || path.starts_with("/grpc.reflection.")
}

pub(crate) fn answerer(service: &Arc<Service>) -> Answerer {
    let most = service.limits().max_body_bytes;
    let grpc = Grpc(Arc::clone(service));
    let (reporter, health) = tonic_health::server::health_reporter();
    tokio::spawn(tell_health(Arc::clone(service), reporter));
    let ids = IdsServiceServer::new(grpc.clone()).max_decoding_message_size(most);
    let mut routes = Routes::new(ids.clone())
        .add_service(LeasesServiceServer::new(grpc).max_decoding_message_size(most))
        .add_service(health.max_decoding_message_size(MOST_HEALTH_BYTES));
    match Reflection::new() {
        Ok(reflection) => {
            routes = routes.add_service(ServerReflectionServer::new(reflection).max_decoding_message_size(most));
        }
        // Descriptors are made with the code; a test asks for them.
        Err(error) => tracing::error!("gRPC has no reflection: {error}"),
    }
    Answerer { ids, all: routes.prepare().into_axum_router() }
}

/// Keeps telling whether it can issue.
async fn tell_health(service: Arc<Service>, reporter: tonic_health::server::HealthReporter) {
    loop {
        let is_ready = !service.is_ending() && service.schemes.values().all(crate::scheme::Scheme::is_ready);
        let status =
            if is_ready { tonic_health::ServingStatus::Serving } else { tonic_health::ServingStatus::NotServing };
        for name in ["", "saiban_id.v1.IdsService", "saiban_id.v1.LeasesService"] {
            reporter.set_service_status(name, status).await;
        }
        tokio::time::sleep(HEALTH_EVERY).await;
    }
}

/// What the caller may do, as the front found out.
fn access<T>(request: &Request<T>) -> Result<Arc<Access>, Status> {
    request.extensions().get::<Arc<Access>>().cloned().ok_or_else(|| {
        Problem::new(Code::Unauthenticated, "this needs a token: send the metadata authorization: Bearer TOKEN").into()
    })
}
