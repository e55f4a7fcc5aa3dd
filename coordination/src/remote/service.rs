//! Requests to a service: for the form of a scheme's IDs, and for IDs.

use super::form::{Form, Width};
use crate::pool::retry::{FIRST_PAUSE, LAST_PAUSE, is_passing};
use crate::store::{Gateway, Question, StoreUrl, draw};
use crate::{Error, runtime};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use saiban::ErrorKind;
use std::sync::mpsc;
use std::time::Duration;

/// The header with the number of bytes of each ID in a reply.
const ID_BYTES: HeaderName = HeaderName::from_static("saiban-id-bytes");

/// The header with a random number, which a request and its reply share.
const REQUEST: HeaderName = HeaderName::from_static("saiban-request");

/// The header with the fingerprint of the IDs in a reply.
const FINGERPRINT: HeaderName = HeaderName::from_static("saiban-fingerprint");

const BINARY: &str = "application/octet-stream";

/// A client for one scheme of a service.
pub(super) struct Service {
    gateway: Gateway,
    path: String,
}

impl Service {
    /// Creates a client. Sends no request.
    pub(super) fn new(url: &StoreUrl, name: &str) -> Result<Self, Error> {
        // URL parsers do not keep these as path segments, even if they are percent-encoded.
        if matches!(name, "" | "." | "..") {
            let message = format!("{name:?} is no name of a scheme: give one that the service has, as orders");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        if !matches!(url.kind(), "saiban" | "saibans") {
            let message =
                format!("{url} is no service that makes IDs: give saiban://host[:port][,host…], or saibans:// for TLS");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let path = format!("/v1/schemes/{}", utf8_percent_encode(name, NON_ALPHANUMERIC));
        Ok(Service { gateway: Gateway::open(url)?, path })
    }

    /// Returns the form of the scheme's IDs. Waits for the service for at most `wait`.
    pub(super) fn form(self, wait: Duration) -> Result<Form, Error> {
        let (answer, answered) = mpsc::channel();
        runtime::handle()?.spawn(async move {
            let mut why = None;
            let asked = tokio::time::timeout(wait, async {
                let mut pause = FIRST_PAUSE;
                loop {
                    match self.ask_form().await {
                        Err(error) if is_passing(&error) => why = Some(error),
                        answer => return answer,
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LAST_PAUSE);
                }
            })
            .await;
            // The receiver still exists: it waits below.
            let _ = answer.send(asked.unwrap_or_else(|_| Err(why.unwrap_or_else(|| late(wait)))));
        });
        answered.recv().unwrap_or_else(|_| Err(late(wait)))
    }

    async fn ask_form(&self) -> Result<Form, Error> {
        let answer = self.gateway.ask(&Question::new(Method::GET, &self.path)).await?;
        Form::read(&answer.body).map_err(|what| {
            let message = format!(
                "this version of saiban does not know the service's scheme {} ({what}): update saiban here, or use \
                 another scheme",
                self.path
            );
            Error::new(ErrorKind::StoreUnsupported, message)
        })
    }

    /// Fetches at most `count` IDs. They belong to this process, whether or not the reply arrives.
    ///
    /// # Errors
    /// The service's error; `StoreUnavailable` for a reply to another request; `NamespaceMismatch`
    /// for IDs that are not of this form.
    pub(super) async fn ids<I: Width>(&self, count: u64, form: &Form) -> Result<Box<[I]>, Error> {
        let path = format!("{}/ids?count={count}", self.path);
        let number = HeaderValue::from_str(&format!("{:016x}", draw()?))
            .map_err(|error| self.gateway.odd(&error.to_string()))?;
        let header = Some((REQUEST, number.clone()));
        let question = Question { accept: BINARY, header, ..Question::new(Method::POST, &path) };
        let answer = self.gateway.ask(&question).await?;
        let header =
            |name: HeaderName| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if header(CONTENT_TYPE) != BINARY || header(ID_BYTES) != I::BYTES.to_string() {
            let what = format!(
                "IDs of {} bytes were requested, and it returned {:?} of {:?}",
                I::BYTES,
                header(CONTENT_TYPE),
                header(ID_BYTES)
            );
            return Err(self.gateway.odd(&what));
        }
        if answer.headers.get(REQUEST) != Some(&number) {
            let what = "its header Saiban-Request does not match the request: an intermediary replays responses, as \
                        a cache does, which would repeat IDs, or removes headers";
            return Err(self.gateway.odd(what));
        }
        if header(FINGERPRINT) != form.fingerprint {
            return Err(self.mismatch(header(FINGERPRINT), form));
        }
        let ids: Option<Box<[I]>> = answer.body.chunks(I::BYTES).map(|bytes| I::of_bytes(bytes, form.bits)).collect();
        match ids {
            Some(ids) if !ids.is_empty() && ids.len() as u64 <= count => Ok(ids),
            Some(ids) => Err(self.gateway.odd(&format!("{count} IDs were requested, and it returned {}", ids.len()))),
            None => Err(self.gateway.odd("its IDs are not of the scheme's width")),
        }
    }

    fn mismatch(&self, given: &str, form: &Form) -> Error {
        let message = format!(
            "the service's scheme {} makes IDs of {given:?}, and made those of {:?} at first: their IDs could be \
             equal. Check that all instances have the same configuration; to use the new IDs, open a new generator",
            self.path, form.fingerprint
        );
        Error::new(ErrorKind::NamespaceMismatch, message)
    }
}

/// Returns the error for a service that did not reply in time.
pub(super) fn late(wait: Duration) -> Error {
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the service has not answered within {} s (wait_s), and no IDs are prefetched: check that it runs and \
             can be reached from here",
            wait.as_secs()
        ),
    )
}

/// Returns the error for a block whose IDs had expired when it arrived.
pub(super) fn too_old(age_ns: u64, max_age_ns: u64) -> Error {
    const MS: u64 = 1_000_000;
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the service's IDs arrived {} ms after the request, and may be used for {} ms (max_age_ms): raise \
             max_age_ms, or check why the service is slow",
            age_ns / MS,
            max_age_ns / MS
        ),
    )
}

/// Returns the error for a caller that waits no longer for the next block.
pub(super) fn would_wait(wait: Duration) -> Error {
    Error::new(
        ErrorKind::WouldWait,
        format!(
            "no ID is prefetched, and the next did not arrive within {} ms: try again, wait longer (in Node with \
             generateAsync, which does not block), or use larger blocks (block)",
            wait.as_millis()
        ),
    )
}
