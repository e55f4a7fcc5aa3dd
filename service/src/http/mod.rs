//! The HTTP half: JSON for all, bytes for batches.

mod answer;
mod batch;
mod body;
mod ids;
mod inspect;
mod leases;
mod named;
mod operations;
mod pages;
mod query;

pub(crate) use answer::problem as problem_response;

use crate::config::Limits;
use crate::ops::MOST_INSPECTED;
use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::Router;
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use http::Method;
use std::sync::Arc;

/// The document that describes all of it.
pub const OPENAPI: &str = include_str!("../../openapi.json");

/// The document with the limits of this instance in place of those by default.
pub(crate) fn openapi(limits: &Limits) -> String {
    let batch = limits.max_batch;
    let inspected = batch.min(MOST_INSPECTED);
    OPENAPI
        .replace("\"maximum\": 10000,", &format!("\"maximum\": {batch},"))
        .replace("\"maxItems\": 10000\n", &format!("\"maxItems\": {batch}\n"))
        .replace("\"maxItems\": 256\n", &format!("\"maxItems\": {inspected}\n"))
}

/// What needs no token: whoever asks learns that the service lives, and no more.
pub(crate) const OPEN_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// A path, a method that it takes, and what answers.
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

/// All that there is; openapi.json describes each, and a test compares the two.
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

/// What answers requests that are not gRPC's.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let router = routes().into_iter().fold(Router::new(), |router, (_, path, answer)| router.route(path, answer));
    let not_found = || async {
        let what = "there is no such path: /openapi.json has all that there are";
        answer::problem(&Problem::new(Code::NotFound, what))
    };
    let not_allowed = || async {
        let what = "the path takes another method: /openapi.json has all that there are";
        answer::problem(&Problem::new(Code::MethodNotAllowed, what))
    };
    router.fallback(not_found).method_not_allowed_fallback(not_allowed).with_state(Arc::clone(service))
}

#[cfg(test)]
mod tests;
