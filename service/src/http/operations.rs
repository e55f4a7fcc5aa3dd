//! Handlers for operators: health, readiness, metrics and the OpenAPI document.

use super::answer::{self, JSON, json, of};
use crate::auth::{Access, Scope};
use crate::metrics::{Operation, Protocol};
use crate::problem::Problem;
use crate::service::Service;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;

type Caller = Extension<Arc<Access>>;
type Answer = Result<Response, Problem>;

/// `GET /healthz`: returns 200 while the process responds.
pub(super) async fn health() -> Response {
    json(&json!({ "status": "ok" }))
}

/// `GET /readyz`: returns 200 if every scheme can issue IDs, else 503. For a caller with access,
/// the response lists the schemes that cannot, among those that the token is for.
pub(super) async fn ready(State(service): State<Arc<Service>>, access: Option<Caller>) -> Response {
    let not_ready: Vec<_> = service.schemes.values().filter(|scheme| !scheme.is_ready()).collect();
    let is_ready = not_ready.is_empty() && !service.is_ending();
    let mut body = json!({ "ready": is_ready });
    if let Some(Extension(access)) = access {
        let not_ready = not_ready.iter().filter(|scheme| access.check_known(scheme.name()).is_ok());
        let why = |scheme: &crate::scheme::Scheme| scheme.trouble().map_or(Value::Null, |why| why.message().into());
        body["ending"] = service.is_ending().into();
        body["not_ready"] = not_ready.map(|scheme| (scheme.name().to_owned(), why(scheme))).collect();
    }
    let mut response = answer::json(&body);
    if !is_ready {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    response
}

/// `GET /metrics`.
pub(super) async fn metrics(State(service): State<Arc<Service>>, Extension(access): Caller) -> Answer {
    service
        .measure(Operation::Status, Protocol::Http, async {
            access.check(Scope::Admin)?;
            for scheme in service.schemes.values() {
                service.metrics.report_scheme(scheme.name(), &scheme.state());
            }
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            Ok(of(HeaderValue::from_static(kind), service.metrics.text()))
        })
        .await
}

/// `GET /openapi.json`.
pub(super) async fn openapi(State(service): State<Arc<Service>>) -> Response {
    of(JSON, service.settings().openapi.clone())
}
