//! The HTTP API: JSON, and bytes for batches of IDs.
//!
//! `server` uses its router, and `settings` its OpenAPI document.

mod answer;
mod batch;
mod body;
mod ids;
mod inspect;
mod leases;
mod named;
mod openapi;
mod operations;
mod pages;
mod query;

pub(crate) use answer::problem as problem_response;
pub use openapi::OPENAPI;
pub(crate) use openapi::openapi;

use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::Router;
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use http::Method;
use std::sync::Arc;

/// The paths that need no token. Without one, they return only whether the service runs and is
/// ready.
pub(crate) const OPEN_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// A method, a path, and the handler.
type Route = (Method, &'static str, MethodRouter<Arc<Service>>);

fn get<H: Handler<T, Arc<Service>>, T: 'static>(path: &'static str, handler: H) -> Route {
    (Method::GET, path, routing::get(handler))
}

fn post<H: Handler<T, Arc<Service>>, T: 'static>(path: &'static str, handler: H) -> Route {
    (Method::POST, path, routing::post(handler))
}

fn put<H: Handler<T, Arc<Service>>, T: 'static>(path: &'static str, handler: H) -> Route {
    (Method::PUT, path, routing::put(handler))
}

/// Returns all routes. A test compares them with `openapi.json`.
fn routes() -> Vec<Route> {
    vec![
        get("/v1/schemes", ids::schemes),
        get("/v1/schemes/{scheme}", ids::scheme),
        post("/v1/schemes/{scheme}/ids", ids::generate),
        post("/v1/schemes/{scheme}/inspect", inspect::inspect),
        post("/v1/schemes/{scheme}/compose", inspect::compose),
        post("/v1/inspect", inspect::inspect_any),
        post("/v1/convert", inspect::convert),
        get("/v1/leases/{namespace}", leases::list),
        put("/v1/leases/{namespace}", leases::create),
        post("/v1/leases/{namespace}/acquire", leases::acquire),
        post("/v1/leases/{namespace}/renew", leases::renew),
        post("/v1/leases/{namespace}/release", leases::release),
        post("/v1/leases/{namespace}/quarantine", leases::quarantine),
        get("/healthz", operations::health),
        get("/readyz", operations::ready),
        get("/metrics", operations::metrics),
        get("/openapi.json", operations::openapi),
        get("/", pages::status),
        get("/inspect", pages::inspector),
        get("/page.css", pages::css),
        get("/page.js", pages::js),
        get("/icon.svg", pages::icon),
    ]
}

/// Returns the router for all requests that are not gRPC.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let router = routes().into_iter().fold(Router::new(), |router, (_, path, answer)| router.route(path, answer));
    let not_found = || async {
        let what = "there is no such path: see /openapi.json";
        answer::problem(&Problem::new(Code::NotFound, what))
    };
    let not_allowed = || async {
        let what = "the path takes another method: see /openapi.json";
        answer::problem(&Problem::new(Code::MethodNotAllowed, what))
    };
    router.fallback(not_found).method_not_allowed_fallback(not_allowed).with_state(Arc::clone(service))
}

#[cfg(test)]
mod tests;
