//! Builds HTTP responses. All handlers of this folder use it; `server` builds its own errors with
//! `problem`.

use crate::problem::{Code, Problem};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::json;

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

const PERMANENT: HeaderName = HeaderName::from_static("saiban-permanent");

/// Returns a response with the value as JSON.
pub(super) fn json(answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(text) => of(JSON, text),
        Err(error) => problem(&Problem::new(
            Code::Kind(saiban::ErrorKind::Internal),
            format!("the answer could not be written: {error}"),
        )),
    }
}

/// Returns a response of this content type. It must not be cached, because the next response
/// differs.
pub(super) fn of(content_type: HeaderValue, body: impl Into<Bytes>) -> Response {
    of_body(content_type, Body::from(body.into()))
}

/// Returns a response whose body is generated while it is read. It must not be cached.
pub(super) fn of_body(content_type: HeaderValue, body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the response for a failed request: its status, and the error as JSON.
pub(crate) fn problem(problem: &Problem) -> Response {
    let error = json!({ "code": problem.code().name(), "message": problem.message(), "position": problem.position() });
    let mut response = of(JSON, json!({ "error": error }).to_string());
    *response.status_mut() = problem.code().status();
    let headers = response.headers_mut();
    if problem.is_permanent() {
        headers.insert(PERMANENT, HeaderValue::from_static("true"));
    }
    match problem.code() {
        Code::Unauthenticated => {
            // With the second challenge, browsers ask for a password, so that people can open the
            // status page.
            headers.append(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"saiban\""));
            headers.append(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"saiban: a token as password\""));
        }
        code if code.status() == StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        _ => {}
    }
    response
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        problem(&self)
    }
}
