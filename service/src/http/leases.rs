//! Handlers for leases of other programs.
//!
//! The bodies are those that the store `saiban://` writes and reads.

use super::answer::json;
use super::body;
use super::named::Named;
use crate::auth::Access;
use crate::metrics::{Operation, Protocol};
use crate::problem::Problem;
use crate::service::Service;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::Request;
use saiban_coordination::store::wire;
use serde_json::json;
use std::sync::Arc;

/// The extractors of each handler: the service, the access of the caller, and the namespace.
type Call = (State<Arc<Service>>, Extension<Arc<Access>>, Named);
type Answer = Result<Response, Problem>;

/// `GET /v1/leases/{namespace}`.
pub(super) async fn list((State(service), Extension(access), Named(namespace)): Call) -> Answer {
    service
        .measure(Operation::LeaseList, Protocol::Http, async {
            let (listing, with_tokens) = service.lease_list(&access, &namespace).await?;
            Ok(json(&wire::write_listing(&listing, with_tokens)))
        })
        .await
}

/// `PUT /v1/leases/{namespace}`.
pub(super) async fn create(
    (State(service), Extension(access), Named(namespace)): Call,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::LeaseCreate, Protocol::Http, async {
            let terms = wire::read_terms(&namespace, &body::bytes(&service, request).await?)?;
            Ok(json(&wire::write_namespace(&service.lease_create(&access, terms).await?)))
        })
        .await
}

/// `POST /v1/leases/{namespace}/acquire`.
pub(super) async fn acquire(
    (State(service), Extension(access), Named(namespace)): Call,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::LeaseAcquire, Protocol::Http, async {
            let request = wire::read_acquire(&body::bytes(&service, request).await?)?;
            Ok(json(&wire::write_grant(&service.lease_acquire(&access, &namespace, request).await?)))
        })
        .await
}

/// `POST /v1/leases/{namespace}/renew`.
pub(super) async fn renew(
    (State(service), Extension(access), Named(namespace)): Call,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::LeaseRenew, Protocol::Http, async {
            let request = wire::read_renew(&body::bytes(&service, request).await?)?;
            Ok(json(&wire::write_grant(&service.lease_renew(&access, &namespace, request).await?)))
        })
        .await
}

/// `POST /v1/leases/{namespace}/release`.
pub(super) async fn release(
    (State(service), Extension(access), Named(namespace)): Call,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::LeaseRelease, Protocol::Http, async {
            let request = wire::read_release(&body::bytes(&service, request).await?)?;
            service.lease_release(&access, &namespace, request).await?;
            Ok(json(&json!({})))
        })
        .await
}

/// `POST /v1/leases/{namespace}/quarantine`.
pub(super) async fn quarantine((State(service), Extension(access), Named(namespace)): Call) -> Answer {
    service
        .measure(Operation::LeaseQuarantine, Protocol::Http, async {
            Ok(json(&wire::write_quarantine(service.lease_quarantine(&access, &namespace).await?)))
        })
        .await
}
