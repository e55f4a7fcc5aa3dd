//! Handlers that inspect, compose and convert IDs.

use super::answer::json;
use super::body::{self, Number};
use super::named::Named;
use crate::auth::Access;
use crate::metrics::{Operation, Protocol};
use crate::ops::{CandidateView, Conversion, ErrorView, PartsView};
use crate::problem::Problem;
use crate::service::Service;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::Request;
use saiban::ComposeParts;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

type Caller = Extension<Arc<Access>>;
type Answer = Result<Response, Problem>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IdsBody {
    ids: Vec<String>,
}

/// One result for each text. It is serialized directly, because a JSON tree of ten thousand results
/// would need many times the memory.
#[derive(Serialize)]
struct Results<T> {
    results: Vec<T>,
}

#[derive(Serialize)]
struct Inspected<'t> {
    input: &'t str,
    parts: Option<PartsView>,
    error: Option<ErrorView>,
}

/// `POST /v1/schemes/{scheme}/inspect`.
pub(super) async fn inspect(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    Named(name): Named,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::Inspect, Protocol::Http, async {
            let IdsBody { ids } = body::json(&service, request).await?;
            let results = service.inspect(&access, &name, &ids)?;
            let shown = ids.iter().zip(&results).map(|(input, result)| Inspected {
                input,
                parts: result.as_ref().ok().cloned(),
                error: result.as_ref().err().map(ErrorView::from),
            });
            Ok(json(&Results { results: shown.collect() }))
        })
        .await
}

#[derive(Serialize)]
struct Candidates<'t> {
    input: &'t str,
    candidates: Vec<CandidateView>,
    near_miss: Option<ErrorView>,
    error: Option<ErrorView>,
}

/// `POST /v1/inspect`.
pub(super) async fn inspect_any(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::Inspect, Protocol::Http, async {
            let IdsBody { ids } = body::json(&service, request).await?;
            let (inspector, results) = service.inspect_any(&access, &ids).await?;
            let shown = ids.iter().zip(&results).map(|(input, result)| match result {
                Ok(found) => Candidates {
                    input,
                    candidates: CandidateView::all(&inspector, &found.candidates),
                    near_miss: found.near_miss.as_ref().map(ErrorView::from),
                    error: None,
                },
                Err(error) => Candidates { input, candidates: Vec::new(), near_miss: None, error: Some(error.into()) },
            });
            Ok(json(&Results { results: shown.collect() }))
        })
        .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComposeBody {
    timestamp_ms: Option<Number>,
    submillisecond_ns: Option<Number>,
    node: Option<Number>,
    sequence: Option<Number>,
    random: Option<Number>,
    rollback: Option<Number>,
}

/// `POST /v1/schemes/{scheme}/compose`.
pub(super) async fn compose(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    Named(name): Named,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::Compose, Protocol::Http, async {
            let body: ComposeBody = body::json(&service, request).await?;
            let signed = |name, number: Option<Number>| number.map(|number| number.signed(name)).transpose();
            let mut parts = ComposeParts::default();
            parts.timestamp_ms = signed("timestamp_ms", body.timestamp_ms)?;
            parts.submillisecond_ns = signed("submillisecond_ns", body.submillisecond_ns)?;
            parts.node = signed("node", body.node)?;
            parts.sequence = signed("sequence", body.sequence)?.map(i128::from);
            if let Some(random) = body.random {
                parts = parts.random(random.unsigned("random")?);
            }
            parts.rollback = signed("rollback", body.rollback)?;
            let id = service.compose(&access, &name, &parts)?;
            Ok(json(&json!({ "scheme": name, "id": id })))
        })
        .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConvertBody {
    texts: Vec<String>,
    from: String,
    to: String,
    bits: Option<u32>,
    width: Option<i64>,
    from_width: Option<i64>,
    #[serde(default)]
    lenient: bool,
}

#[derive(Serialize)]
struct ConvertedView<'t> {
    from: &'t str,
    id: Option<String>,
    text: Option<String>,
    error: Option<ErrorView>,
}

/// `POST /v1/convert`.
pub(super) async fn convert(
    State(service): State<Arc<Service>>,
    Extension(access): Caller,
    request: Request<Body>,
) -> Answer {
    service
        .measure(Operation::Convert, Protocol::Http, async {
            let body: ConvertBody = body::json(&service, request).await?;
            let ConvertBody { texts, from, to, bits, width, from_width, lenient } = body;
            let conversion = Conversion::of(&from, &to, bits, width, from_width, lenient)?;
            let results = service.convert(&access, &conversion, &texts)?;
            let shown = texts.iter().zip(&results).map(|(from, result)| ConvertedView {
                from,
                id: result.as_ref().ok().map(|converted| converted.id.to_string()),
                text: result.as_ref().ok().map(|converted| converted.text.as_str().to_owned()),
                error: result.as_ref().err().map(ErrorView::from),
            });
            Ok(json(&Results { results: shown.collect() }))
        })
        .await
}
