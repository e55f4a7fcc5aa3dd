//! What a service is asked: which IDs a scheme has, and for some of them.

use super::form::{Form, Width};
use crate::store::{Gateway, Question, StoreUrl, draw};
use crate::{Error, runtime};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use saiban::ErrorKind;
use std::sync::mpsc;
use std::time::Duration;

/// How long to wait before a service that could not be asked is asked again: the first time, and at most.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(100);
pub(super) const LAST_PAUSE: Duration = Duration::from_secs(3);

/// How many bytes each ID of an answer has.
const ID_BYTES: HeaderName = HeaderName::from_static("saiban-id-bytes");

/// What was drawn for a question, in it and in its answer.
const REQUEST: HeaderName = HeaderName::from_static("saiban-request");

/// What the IDs of an answer are.
const FINGERPRINT: HeaderName = HeaderName::from_static("saiban-fingerprint");

const BINARY: &str = "application/octet-stream";

/// A scheme of a service, in the process that asks.
pub(super) struct Service {
    gateway: Gateway,
    path: String,
}

impl Service {
    /// Asks nobody.
    pub(super) fn new(url: &StoreUrl, name: &str) -> Result<Self, Error> {
        // Nobody who reads URLs takes these for names, however they are written.
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

    /// What its IDs are; waited for at most so long.
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
            // Who asked is still there.
            let _ = answer.send(asked.unwrap_or_else(|_| Err(why.unwrap_or_else(|| late(wait)))));
        });
        answered.recv().unwrap_or_else(|_| Err(late(wait)))
    }

    async fn ask_form(&self) -> Result<Form, Error> {
        let answer = self.gateway.ask(&Question::new(Method::GET, &self.path)).await?;
        Form::read(&answer.body).map_err(|what| {
            let message = format!(
                "the service's scheme {} is none that this saiban knows ({what}): update saiban here, or use a scheme that it knows",
                self.path
            );
            Error::new(ErrorKind::StoreUnsupported, message)
        })
    }

    /// Some IDs, this many at most. They are this process's, whether or not the answer comes.
    ///
    /// # Errors
    /// As the service; `StoreUnavailable` for an answer to another question, and `NamespaceMismatch` for IDs that are not of this form.
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
                "IDs of {} bytes were asked for, and it gave {:?} of {:?}",
                I::BYTES,
                header(CONTENT_TYPE),
                header(ID_BYTES)
            );
            return Err(self.gateway.odd(&what));
        }
        if answer.headers.get(REQUEST) != Some(&number) {
            let what = "its header Saiban-Request is not the question's: something between repeats answers, a cache say, which would give IDs twice, or leaves headers out";
            return Err(self.gateway.odd(what));
        }
        if header(FINGERPRINT) != form.fingerprint {
            return Err(self.mismatch(header(FINGERPRINT), form));
        }
        let ids: Option<Box<[I]>> = answer.body.chunks(I::BYTES).map(|bytes| I::of_bytes(bytes, form.bits)).collect();
        match ids {
            Some(ids) if !ids.is_empty() && ids.len() as u64 <= count => Ok(ids),
            Some(ids) => Err(self.gateway.odd(&format!("{count} IDs were asked for, and it gave {}", ids.len()))),
            None => Err(self.gateway.odd("its IDs are not of the scheme's width")),
        }
    }

    fn mismatch(&self, given: &str, form: &Form) -> Error {
        let message = format!(
            "the service's scheme {} makes IDs of {given:?}, and made those of {:?} when it was first asked: they could be equal to each other's. \
             See that all its instances have one configuration; open the generator anew where these are what you want",
            self.path, form.fingerprint
        );
        Error::new(ErrorKind::NamespaceMismatch, message)
    }
}

/// Whether asking again may help, soon.
pub(super) fn is_passing(error: &Error) -> bool {
    error.kind() == ErrorKind::StoreUnavailable && !error.is_permanent()
}

/// Nobody has answered in this time.
pub(super) fn late(wait: Duration) -> Error {
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the service has not answered within {} s (wait_s), and no IDs are in hand: see that it runs and can be reached from here",
            wait.as_secs()
        ),
    )
}

/// A block came when its IDs could be handed out no more.
pub(super) fn too_old(age_ns: u64, max_age_ns: u64) -> Error {
    const MS: u64 = 1_000_000;
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the service's IDs came {} ms after they were asked for, and may be handed out for {} ms (max_age_ms): allow more, or see why it takes so long",
            age_ns / MS,
            max_age_ns / MS
        ),
    )
}

/// The next block has not come, and nobody waits for it any longer.
pub(super) fn would_wait(wait: Duration) -> Error {
    Error::new(
        ErrorKind::WouldWait,
        format!(
            "no ID is in hand, and the next have not come within {} ms: ask again, wait for longer (in Node generateAsync does, without blocking), \
             or take larger blocks (block)",
            wait.as_millis()
        ),
    )
}
