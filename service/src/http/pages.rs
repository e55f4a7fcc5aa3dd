//! Handlers for the pages of `page`: the status page and the inspector.

use super::answer::of;
use super::query::Parameters;
use crate::auth::{Access, Scope};
use crate::metrics::{Operation, Protocol};
use crate::page::{self, Inspection};
use crate::problem::Problem;
use crate::service::Service;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use http::{HeaderMap, HeaderValue};
use std::sync::Arc;

type Caller = Extension<Arc<Access>>;
type Answer = Result<Response, Problem>;

/// `GET /`.
pub(super) async fn status(State(service): State<Arc<Service>>, Extension(access): Caller) -> Answer {
    service
        .measure(Operation::Status, Protocol::Http, async {
            access.check(Scope::Admin)?;
            Ok(html(page::status(&service.status().await)))
        })
        .await
}

/// `GET /inspect?id=…`.
pub(super) async fn inspector(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    query: Result<Parameters, Problem>,
) -> Answer {
    service
        .measure(Operation::Inspect, Protocol::Http, async {
            access.check(Scope::Inspect)?;
            let query = query?;
            let layouts: Vec<_> =
                service.own_layouts(&access).map(|(name, layout)| (name.to_owned(), *layout)).collect();
            let inspection =
                Inspection::of(&service.inspector(&access)?, query.get("id")?.unwrap_or_default(), &layouts);
            Ok(html(page::inspector(&inspection)))
        })
        .await
}

/// `GET /page.css`.
pub(super) async fn css() -> Response {
    file("text/css; charset=utf-8", page::STYLE)
}

/// `GET /page.js`.
pub(super) async fn js() -> Response {
    file("text/javascript; charset=utf-8", page::SCRIPT)
}

/// `GET /icon.svg`.
pub(super) async fn icon() -> Response {
    file("image/svg+xml", page::ICON)
}

fn html(text: String) -> Response {
    let mut response = of(HeaderValue::from_static("text/html; charset=utf-8"), text);
    guard(response.headers_mut());
    response
}

/// Returns a file that changes only with the version of the service.
fn file(kind: &'static str, text: &'static str) -> Response {
    let mut response = of(HeaderValue::from_static(kind), text);
    let headers = response.headers_mut();
    guard(headers);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=300"));
    response
}

/// Sets the headers that keep pages from loading resources of other sites, and from being embedded
/// in other pages.
fn guard(headers: &mut HeaderMap) {
    let policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // The URL of the inspector contains an ID.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
