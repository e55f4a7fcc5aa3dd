//! The store `saiban://`: leases over HTTP from saiban's own service (`saiban serve`), which has a
//! store itself. The time is that of the service's store.
//!
//! A URL may name several hosts, which are instances with one common store. Any instance can be
//! asked, and those that do not respond are skipped.
//!
//! If the response to a grant is lost, the lease has no holder, and ends after its ttl. To avoid a
//! series of such leases, an acquire request is never retried on one host. It also has the whole
//! call's time limit, even if the URL names several hosts.

mod gateway;
pub mod wire;

pub(crate) use gateway::{Gateway, Question};

use super::calls::in_time;
use super::{Listing, Store, StoreUrl};
use crate::Error;
use crate::lease::protocol::{Acquire, Grant, Release, Renew};
use crate::lease::{Namespace, Terms, quoted};
use async_trait::async_trait;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use saiban::ErrorKind;
use serde_json::Value;

/// The leases of a service.
pub(super) struct Coordinator {
    url: StoreUrl,
    gateway: Gateway,
}

impl Coordinator {
    /// Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL of another form, and for a file that cannot be read.
    pub(super) fn open(url: &StoreUrl) -> Result<Self, Error> {
        Ok(Coordinator { gateway: Gateway::open(url)?, url: url.clone() })
    }

    /// Sends an idempotent request, and parses the response with `read`.
    async fn ask<T>(
        &self,
        method: Method,
        path: String,
        body: Option<Value>,
        read: impl FnOnce(&[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let body = body.as_ref().map(Value::to_string);
        self.answer(&Question { body, ..Question::new(method, &path) }, read).await
    }

    async fn answer<T>(
        &self,
        question: &Question<'_>,
        read: impl FnOnce(&[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        in_time(&self.url, async {
            let answer = self.gateway.ask(question).await?;
            read(&answer.body).map_err(|error| self.gateway.odd(&error.to_string()))
        })
        .await
    }
}

/// Returns the path of a call for a namespace.
fn path(name: &str, call: &str) -> Result<String, Error> {
    // URL parsers remove these segments, even if they are percent-encoded.
    if matches!(name, "" | "." | "..") {
        let message = format!("{} cannot be asked for over HTTP: give the namespace another name", quoted(name));
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(format!("/v1/leases/{}{call}", utf8_percent_encode(name, NON_ALPHANUMERIC)))
}

#[async_trait]
impl Store for Coordinator {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        self.ask(Method::PUT, path(terms.name(), "")?, Some(wire::write_terms(terms)), wire::read_namespace).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        let (path, body) = (path(name, "/acquire")?, wire::write_acquire(fingerprint, request).to_string());
        let question = Question { body: Some(body), is_once: true, ..Question::new(Method::POST, &path) };
        self.answer(&question, wire::read_grant).await
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        self.ask(Method::POST, path(name, "/renew")?, Some(wire::write_renew(request)), wire::read_grant).await
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        self.ask(Method::POST, path(name, "/release")?, Some(wire::write_release(request)), |_| Ok(())).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.ask(Method::GET, path(name, "")?, None, wire::read_listing).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.ask(Method::POST, path(name, "/quarantine")?, None, wire::read_quarantine).await
    }
}
