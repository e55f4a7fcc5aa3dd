//! Handlers that generate IDs and describe schemes.

use super::answer::json;
use super::batch::{Form, Texts, in_bytes};
use super::named::Named;
use super::query::Parameters;
use crate::auth::Access;
use crate::metrics::{Operation, Protocol};
use crate::problem::Problem;
use crate::scheme::Scheme;
use crate::service::Service;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};
use saiban::Encoding;
use serde_json::json;
use std::sync::Arc;

type Caller = Extension<Arc<Access>>;
type Answer = Result<Response, Problem>;

/// The header with a random text that the client sends, and that the response repeats. If the texts
/// differ, the response belongs to another request, for example from a cache.
const REQUEST: HeaderName = HeaderName::from_static("saiban-request");

/// The maximum length of the value of `REQUEST`, in characters.
const LONGEST_REQUEST: usize = 32;

/// `GET /v1/schemes`.
pub(super) async fn schemes(State(service): State<Arc<Service>>, Extension(access): Caller) -> Answer {
    service
        .measure(Operation::Schemes, Protocol::Http, async {
            Ok(json(&json!({ "schemes": service.describe_all(&access) })))
        })
        .await
}

/// `GET /v1/schemes/{scheme}`.
pub(super) async fn scheme(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    Named(name): Named,
) -> Answer {
    service.measure(Operation::Schemes, Protocol::Http, async { Ok(json(&service.describe(&access, &name)?)) }).await
}

/// `POST /v1/schemes/{scheme}/ids`.
pub(super) async fn generate(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    Named(name): Named,
    query: Result<Parameters, Problem>,
    form: Form,
    headers: HeaderMap,
) -> Answer {
    service
        .measure(Operation::Generate, Protocol::Http, async {
            let number = request_number(&headers)?;
            let query = query?;
            query.only(&["count", "format"])?;
            let encoding = query.get("format")?.map(Encoding::from_name).transpose()?;
            if encoding.is_some() && form == Form::Bytes {
                return Err(Problem::input("format is for text, and bytes were asked for: leave one of them out"));
            }
            let count = query.get("count")?.map_or(Ok(1), |count| read_count(count, service.limits().max_batch))?;
            let batch = service.generate(&access, &name, count).await?;
            let mut answer = if form == Form::Bytes {
                let fingerprint = service.schemes.get(&name).map(Scheme::fingerprint).unwrap_or_default();
                in_bytes(&batch, fingerprint)?
            } else {
                Texts::of(Arc::clone(&service), name, batch, encoding, form == Form::Json).answer()?
            };
            if let Some(number) = number {
                answer.headers_mut().insert(REQUEST, number);
            }
            Ok(answer)
        })
        .await
}

fn read_count(text: &str, most: usize) -> Result<usize, Problem> {
    text.parse().map_err(|_| Problem::input(format!("count is {text:?}: give 1 to {most} (limits.max_batch)")))
}

/// Returns the value of the header `REQUEST`, if the client sent it.
///
/// # Errors
/// `INVALID_ARGUMENT` for other characters, or for more than `LONGEST_REQUEST`.
fn request_number(headers: &HeaderMap) -> Result<Option<HeaderValue>, Problem> {
    let Some(number) = headers.get(REQUEST) else { return Ok(None) };
    let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if !(1..=LONGEST_REQUEST).contains(&number.len()) || !number.as_bytes().iter().all(is_known) {
        let what = format!(
            "Saiban-Request is not a valid request number: give 1 to {LONGEST_REQUEST} of the characters 0-9, A-Z, \
             a-z and -"
        );
        return Err(Problem::input(what));
    }
    Ok(Some(number.clone()))
}
