//! How answers are written.

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

/// Whatever can be written as JSON.
pub(super) fn json(answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(text) => of(JSON, text),
        Err(error) => problem(&Problem::new(
            Code::Kind(saiban::ErrorKind::Internal),
            format!("the answer could not be written: {error}"),
        )),
    }
}

/// An answer of this type. Nobody keeps it: the next is another.
pub(super) fn of(content_type: HeaderValue, body: impl Into<Bytes>) -> Response {
    of_body(content_type, Body::from(body.into()))
}

/// The same of a body that is made as it is read.
pub(super) fn of_body(content_type: HeaderValue, body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Why there is no answer.
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
            // Browsers ask for a password with the second, and let people see the status page.
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
