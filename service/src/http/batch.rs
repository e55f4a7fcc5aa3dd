//! Batches of IDs in the form that the client accepts: JSON, lines of text, or bytes.

use super::answer::{JSON, of, of_body};
use crate::ops::Batch;
use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use http::header::ACCEPT;
use http::request::Parts;
use http::{HeaderName, HeaderValue};
use saiban::{Encoding, ErrorKind};
use std::convert::Infallible;
use std::sync::Arc;

type Answer = Result<Response, Problem>;

/// The header with the size of each ID in a binary response, in bytes.
const ID_BYTES: HeaderName = HeaderName::from_static("saiban-id-bytes");

/// The header with the fingerprint of the IDs in a binary response. If it changes, new IDs may be
/// equal to old ones.
const FINGERPRINT: HeaderName = HeaderName::from_static("saiban-fingerprint");

/// The form of a response with IDs, from the `Accept` header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Lines,
    Bytes,
}

/// The media types of the forms.
const FORMS: [(&str, Form); 4] = [
    ("application/octet-stream", Form::Bytes),
    ("text/plain", Form::Lines),
    ("application/json", Form::Json),
    ("*/*", Form::Json),
];

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // The first known media type counts, not the highest quality. Programs that want a certain
        // type name it first.
        let kinds = parts.headers.get(ACCEPT).map_or(b"".as_slice(), HeaderValue::as_bytes).split(|byte| *byte == b',');
        let form = |kind: &[u8]| {
            let mut kind = kind.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
            let name = kind.next()?;
            let (_, form) = FORMS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()))?;
            (!kind.any(is_unwanted)).then_some(*form)
        };
        Ok(kinds.filter_map(form).next().unwrap_or(Form::Json))
    }
}

/// Returns whether the parameter is a quality of 0, which means "not acceptable".
fn is_unwanted(parameter: &[u8]) -> bool {
    match parameter {
        [b'q' | b'Q', b'=', quality @ ..] => quality.iter().all(|byte| matches!(byte, b'0' | b'.')),
        _ => false,
    }
}

/// The approximate size of an ID's text, in bytes, to allocate buffers.
const TEXT: usize = 24;

/// The number of IDs in one piece of the body. The rest of a large batch stays as numbers until it
/// is read, because these need less memory than text.
const AT_ONCE: usize = 512;

/// A batch as text, generated in pieces: JSON, or one ID a line.
pub(super) struct Texts {
    service: Arc<Service>,
    name: String,
    batch: Batch,
    encoding: Option<Encoding>,
    is_json: bool,
    done: usize,
}

impl Texts {
    /// Prepares a batch of the scheme `name`. Without an encoding, the texts are canonical.
    pub(super) fn of(
        service: Arc<Service>,
        name: String,
        batch: Batch,
        encoding: Option<Encoding>,
        is_json: bool,
    ) -> Self {
        Texts { service, name, batch, encoding, is_json, done: 0 }
    }

    /// Returns the response. A batch of more than one piece is streamed.
    pub(super) fn answer(mut self) -> Answer {
        let kind = if self.is_json { JSON } else { HeaderValue::from_static("text/plain; charset=utf-8") };
        // If these IDs cannot be written in the encoding, this fails for the first piece already,
        // before the response starts.
        let first = self.next()?;
        if self.done == self.batch.len() {
            return Ok(of(kind, first));
        }
        let rest = stream::iter(std::iter::from_fn(move || (self.done < self.batch.len()).then(|| self.next())));
        let all = stream::iter([Ok(first)]).chain(rest).map_err(|problem| problem.message().to_owned());
        Ok(of_body(kind, Body::from_stream(all)))
    }

    /// Returns the next piece. The first piece starts with the text before all IDs, and the last
    /// ends with the text after them.
    fn next(&mut self) -> Result<Bytes, Problem> {
        let Some(scheme) = self.service.schemes.get(&self.name) else { return Ok(Bytes::new()) };
        let until = (self.done + AT_ONCE).min(self.batch.len());
        let mut text = Vec::with_capacity(64 + self.name.len() + (until - self.done) * TEXT);
        let (open, between, close): (&[u8], &[u8], &[u8]) =
            if self.is_json { (b"\"", b"\",\"", b"\"]}") } else { (b"", b"\n", b"\n") };
        if self.is_json && self.done == 0 {
            // Neither names of schemes nor texts of IDs contain characters that JSON escapes.
            text.extend_from_slice(b"{\"scheme\":\"");
            text.extend_from_slice(self.name.as_bytes());
            text.extend_from_slice(b"\",\"ids\":[");
        }
        let mut before = if self.done == 0 { open } else { between };
        scheme.texts(&self.batch, self.done..until, self.encoding, |id| {
            text.extend_from_slice(before);
            text.extend_from_slice(id.as_bytes());
            before = between;
        })?;
        if until == self.batch.len() {
            text.extend_from_slice(close);
        }
        self.done = until;
        Ok(text.into())
    }
}

/// Returns a binary response. IDs of up to 64 bits are little-endian, wider ones big-endian, like
/// UUIDs and ULIDs.
pub(super) fn in_bytes(batch: &Batch, fingerprint: &str) -> Answer {
    let (bytes, size) = match batch {
        Batch::Narrow(ids) => (ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>(), "8"),
        Batch::Wide(ids) => (ids.iter().flat_map(|id| id.to_be_bytes()).collect(), "16"),
    };
    let mut response = of(HeaderValue::from_static("application/octet-stream"), bytes);
    // Fingerprints are ASCII.
    let fingerprint = HeaderValue::from_str(fingerprint).map_err(|error| {
        Problem::new(Code::Kind(ErrorKind::Internal), format!("{fingerprint:?} is not a valid header: {error}"))
    })?;
    response.headers_mut().insert(ID_BYTES, HeaderValue::from_static(size));
    response.headers_mut().insert(FINGERPRINT, fingerprint);
    Ok(response)
}
