//! saiban's own service (`saiban serve`): leases over HTTP, from whatever store the service has. Its time is that store's.
//!
//! Several hosts are instances of one fleet, with one store behind them: any may be asked, and who does not answer is passed over.
//! A grant whose answer was lost nobody knows of; it ends by itself, as in every store. So that it is one and not several, a wish for nodes is sent
//! to a host once, and waited for as long as to a host alone.

mod gateway;
pub mod wire;

pub(crate) use gateway::{Gateway, Question};

use super::{Listing, Store, StoreUrl, in_time};
use crate::Error;
use crate::lease::protocol::{Acquire, Grant, Release, Renew};
use crate::lease::{Namespace, Terms, quoted};
use async_trait::async_trait;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use saiban::ErrorKind;
use serde_json::Value;

/// Leases that a service hands out.
pub(super) struct Coordinator {
    url: StoreUrl,
    gateway: Gateway,
}

impl Coordinator {
    /// Asks nobody.
    ///
    /// # Errors
    /// `InvalidArgument` for what cannot be read.
    pub(super) fn open(url: &StoreUrl) -> Result<Self, Error> {
        Ok(Coordinator { gateway: Gateway::open(url)?, url: url.clone() })
    }

    /// What the service answers, read; to a question that may be asked twice.
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

/// Where a name space is, and what is asked of it.
fn path(name: &str, call: &str) -> Result<String, Error> {
    // Nobody who reads URLs takes these for names, however they are written.
    if matches!(name, "" | "." | "..") {
        let message = format!("{} cannot be asked for over HTTP: give the name space another name", quoted(name));
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(format!("/v1/leases/{}{call}", utf8_percent_encode(name, NON_ALPHANUMERIC)))
}

#[async_trait]
impl Store for Coordinator {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        self.ask(Method::PUT, path(terms.name(), "")?, Some(wire::write_terms(terms)), wire::read_namespace).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, wish: &Acquire) -> Result<Grant, Error> {
        let (path, body) = (path(name, "/acquire")?, wire::write_acquire(fingerprint, wish).to_string());
        let question = Question { body: Some(body), is_once: true, ..Question::new(Method::POST, &path) };
        self.answer(&question, wire::read_grant).await
    }

    async fn renew(&self, name: &str, wish: &Renew) -> Result<Grant, Error> {
        self.ask(Method::POST, path(name, "/renew")?, Some(wire::write_renew(wish)), wire::read_grant).await
    }

    async fn release(&self, name: &str, wish: &Release) -> Result<(), Error> {
        self.ask(Method::POST, path(name, "/release")?, Some(wire::write_release(wish)), |_| Ok(())).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.ask(Method::GET, path(name, "")?, None, wire::read_listing).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.ask(Method::POST, path(name, "/quarantine")?, None, wire::read_quarantine).await
    }
}
