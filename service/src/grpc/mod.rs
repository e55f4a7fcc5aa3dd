//! The gRPC API.
//!
//! `server` calls `answerer`; [`proto`] is public, for clients and tests in Rust.

mod ids;
mod lasting;
mod leases;
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod proto;
mod reflection;
mod stream;

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

/// The path of the health check, which needs no token.
pub(crate) const HEALTH: &str = "/grpc.health.v1.Health/Check";

/// The maximum size of a message to the health service, in bytes. It contains the name of a
/// service.
const MAX_HEALTH_BYTES: usize = 1 << 10;

/// The interval at which health is updated.
const HEALTH_EVERY: Duration = Duration::from_secs(1);

/// The implementation of the gRPC services.
#[derive(Clone)]
struct Grpc(Arc<Service>);

/// Dispatches gRPC requests to the services.
#[derive(Clone)]
pub(crate) struct Answerer {
    ids: IdsServiceServer<Grpc>,
    all: Router,
}

impl Answerer {
    /// Dispatches a request. Requests for IDs, which are the most frequent, bypass the router:
    /// routing would take a tenth of their time.
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

/// The prefix of the paths of `IdsService`.
const IDS: &str = "/saiban_id.v1.IdsService/";

/// The prefix of the paths of `LeasesService`.
pub(crate) const LEASES: &str = "/saiban_id.v1.LeasesService/";

/// The path of the call that streams IDs without an end of its own.
pub(crate) const STREAM: &str = "/saiban_id.v1.IdsService/Stream";

/// Returns whether the path is a stream that a library implements, and that lasts until the client
/// ends it.
pub(crate) fn is_watch(path: &str) -> bool {
    path == "/grpc.health.v1.Health/Watch" || path.starts_with("/grpc.reflection.")
}

pub(crate) fn answerer(service: &Arc<Service>) -> Answerer {
    let most = service.limits().max_body_bytes;
    let grpc = Grpc(Arc::clone(service));
    let (reporter, health) = tonic_health::server::health_reporter();
    tokio::spawn(report_health(Arc::clone(service), reporter));
    let ids = IdsServiceServer::new(grpc.clone()).max_decoding_message_size(most);
    let mut routes = Routes::new(ids.clone())
        .add_service(LeasesServiceServer::new(grpc).max_decoding_message_size(most))
        .add_service(health.max_decoding_message_size(MAX_HEALTH_BYTES));
    match Reflection::new() {
        Ok(reflection) => {
            routes = routes.add_service(ServerReflectionServer::new(reflection).max_decoding_message_size(most));
        }
        // The descriptors are generated with the code, and a test reads them.
        Err(error) => tracing::error!("gRPC has no reflection: {error}"),
    }
    Answerer { ids, all: routes.prepare().into_axum_router() }
}

/// Updates the health service until the process ends.
async fn report_health(service: Arc<Service>, reporter: tonic_health::server::HealthReporter) {
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

/// Returns the access of the caller, which the front stored in the request.
fn access<T>(request: &Request<T>) -> Result<Arc<Access>, Status> {
    request.extensions().get::<Arc<Access>>().cloned().ok_or_else(|| {
        Problem::new(Code::Unauthenticated, "this needs a token: send the metadata authorization: Bearer TOKEN").into()
    })
}
