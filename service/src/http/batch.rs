//! Batches of IDs as their callers read them: text, in pieces, or bytes.

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

/// How many bytes an ID has in a binary answer.
const ID_BYTES: HeaderName = HeaderName::from_static("saiban-id-bytes");

/// What the IDs of a binary answer are, by which a reader knows whether they are still those that it expects.
const FINGERPRINT: HeaderName = HeaderName::from_static("saiban-fingerprint");

/// What the caller reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Lines,
    Bytes,
}

/// What callers name them by.
const FORMS: [(&str, Form); 4] = [
    ("application/octet-stream", Form::Bytes),
    ("text/plain", Form::Lines),
    ("application/json", Form::Json),
    ("*/*", Form::Json),
];

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // The first that there is: programs that want one of them name it first, whatever else they would take.
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

/// Whether it says of a form that it is not wanted: a quality of 0.
fn is_unwanted(parameter: &[u8]) -> bool {
    match parameter {
        [b'q' | b'Q', b'=', quality @ ..] => quality.iter().all(|byte| matches!(byte, b'0' | b'.')),
        _ => false,
    }
}

/// About as many bytes as an ID's text takes.
const TEXT: usize = 24;

/// How many IDs are written at a time: what is not read yet of a large batch is kept as numbers, which take less memory.
const AT_ONCE: usize = 512;

/// A batch as text: between a beginning and an end all texts of IDs, each in quotes, say.
pub(super) struct Texts {
    service: Arc<Service>,
    name: String,
    batch: Batch,
    encoding: Option<Encoding>,
    is_json: bool,
    done: usize,
}

impl Texts {
    /// A batch of this scheme's, in its canonical form if in no other; `is_json`, or one a line.
    pub(super) fn of(
        service: Arc<Service>,
        name: String,
        batch: Batch,
        encoding: Option<Encoding>,
        is_json: bool,
    ) -> Self {
        Texts { service, name, batch, encoding, is_json, done: 0 }
    }

    /// Answers all of it.
    pub(super) fn answer(mut self) -> Answer {
        let kind = if self.is_json { JSON } else { HeaderValue::from_static("text/plain; charset=utf-8") };
        // What no ID can be written in, the first cannot.
        let first = self.next()?;
        if self.done == self.batch.len() {
            return Ok(of(kind, first));
        }
        let rest = stream::iter(std::iter::from_fn(move || (self.done < self.batch.len()).then(|| self.next())));
        let all = stream::iter([Ok(first)]).chain(rest).map_err(|problem| problem.message().to_owned());
        Ok(of_body(kind, Body::from_stream(all)))
    }

    /// The next of them, with what stands before the first and after the last.
    fn next(&mut self) -> Result<Bytes, Problem> {
        let Some(scheme) = self.service.schemes.get(&self.name) else { return Ok(Bytes::new()) };
        let until = (self.done + AT_ONCE).min(self.batch.len());
        let mut text = Vec::with_capacity(64 + self.name.len() + (until - self.done) * TEXT);
        let (open, between, close): (&[u8], &[u8], &[u8]) =
            if self.is_json { (b"\"", b"\",\"", b"\"]}") } else { (b"", b"\n", b"\n") };
        if self.is_json && self.done == 0 {
            // Neither the names of schemes nor the texts of IDs have anything that JSON would write otherwise.
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

/// A batch as numbers: those of up to 64 bits little-endian, wider ones in the order of their text.
pub(super) fn in_bytes(batch: &Batch, fingerprint: &str) -> Answer {
    let (bytes, size) = match batch {
        Batch::Narrow(ids) => (ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>(), "8"),
        Batch::Wide(ids) => (ids.iter().flat_map(|id| id.to_be_bytes()).collect(), "16"),
    };
    let mut response = of(HeaderValue::from_static("application/octet-stream"), bytes);
    // Schemes and layouts are written in ASCII.
    let fingerprint = HeaderValue::from_str(fingerprint).map_err(|error| {
        Problem::new(Code::Kind(ErrorKind::Internal), format!("{fingerprint:?} is no header: {error}"))
    })?;
    response.headers_mut().insert(ID_BYTES, HeaderValue::from_static(size));
    response.headers_mut().insert(FINGERPRINT, fingerprint);
    Ok(response)
}
