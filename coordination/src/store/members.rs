//! An HTTP client for a cluster in which any server can reply: etcd, and instances of saiban's
//! service.

use super::StoreUrl;
use super::calls::{CALL_LIMIT, CONNECT_LIMIT, choose_tls};
use super::endpoints::Cluster;
use crate::Error;
use reqwest::{Certificate, Client, Identity, RequestBuilder, Response, redirect};
use saiban::ErrorKind;
use std::error::Error as _;
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The maximum number of concurrent requests, and of idle connections to each member.
const MAX_CONNECTIONS: usize = 8;

/// The time limit for one of several members. After it the next member is asked.
const MEMBER_LIMIT: Duration = Duration::from_secs(3);

/// The members of a cluster, and the HTTP client for them.
pub(super) struct Members {
    client: Client,
    /// Scheme, host and port of each member.
    addresses: Vec<String>,
    /// The index of the member to ask first: the one that replied last.
    current: AtomicUsize,
    connections: Semaphore,
}

impl Members {
    /// Makes the client. Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for certificates that cannot be read.
    pub(super) fn new(url: &StoreUrl, cluster: &Cluster, is_tls: bool) -> Result<Self, Error> {
        choose_tls();
        let invalid =
            |what: String| Error::new(ErrorKind::InvalidArgument, format!("{url}: {what}: give files in the form PEM"));
        let unread = |what: &str, error: reqwest::Error| invalid(format!("{what} ({})", chain(&error)));
        let mut client = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .timeout(if cluster.endpoints.len() > 1 { MEMBER_LIMIT } else { CALL_LIMIT })
            .pool_max_idle_per_host(MAX_CONNECTIONS);
        if !is_tls {
            // Otherwise the client would read the system's certificates, which it does not need.
            client = client.tls_certs_only([]);
        } else if let Some(ca) = cluster.ca() {
            let certificates = Certificate::from_pem_bundle(ca).map_err(|error| unread("ca cannot be read", error))?;
            if certificates.is_empty() {
                return Err(invalid("ca has no certificate".into()));
            }
            client = client.tls_certs_only(certificates);
        }
        if let Some((cert, key)) = cluster.identity() {
            let both = [cert, b"\n", key].concat();
            let identity = Identity::from_pem(&both).map_err(|error| unread("cert and key do not match", error))?;
            client = client.identity(identity);
        }
        let client = client.build().map_err(|error| unread("its client cannot be made", error))?;
        let scheme = if is_tls { "https" } else { "http" };
        let addresses = cluster.endpoints.iter().map(|(host, port)| format!("{scheme}://{host}:{port}")).collect();
        let connections = Semaphore::new(MAX_CONNECTIONS);
        Ok(Members { client, addresses, current: AtomicUsize::new(0), connections })
    }

    /// Returns the HTTP client.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Asks the members one after the other, beginning with the one that replied last, until `ask`
    /// returns `Ok`.
    ///
    /// # Errors
    /// The error of each member, if none replies.
    pub(super) async fn in_turn<T, W, A>(&self, ask: impl Fn(String) -> A) -> Result<T, Whys<'_, W>>
    where
        A: Future<Output = Result<T, W>>,
    {
        // Cannot fail: the semaphore is never closed.
        let _connection = self.connections.acquire().await;
        let first = self.current.load(Ordering::Relaxed);
        let mut whys = Vec::new();
        for turn in 0..self.addresses.len() {
            let index = (first + turn) % self.addresses.len();
            let address = &self.addresses[index];
            let answer = {
                let _turn = Turn { current: &self.current, index, next: (index + 1) % self.addresses.len() };
                ask(address.clone()).await
            };
            match answer {
                Err(why) => whys.push((address.as_str(), why)),
                Ok(answer) => {
                    self.current.store(index, Ordering::Relaxed);
                    return Ok(answer);
                }
            }
        }
        Err(Whys(whys))
    }
}

/// The member that is being asked. If the request fails or is cancelled, dropping this makes the
/// next member the first to ask.
struct Turn<'a> {
    current: &'a AtomicUsize,
    index: usize,
    next: usize,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // The exchange does nothing if a concurrent request has already chosen another member.
        let _ = self.current.compare_exchange(self.index, self.next, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// The error of each member, with its address.
pub(super) struct Whys<'a, W>(Vec<(&'a str, W)>);

impl<W> Whys<'_, W> {
    /// Returns an iterator over the errors.
    pub(super) fn iter(&self) -> impl Iterator<Item = &W> {
        self.0.iter().map(|(_, why)| why)
    }
}

impl<W: fmt::Display> fmt::Display for Whys<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (address, why)) in self.0.iter().enumerate() {
            let between = if index > 0 { "; " } else { "" };
            write!(f, "{between}{address}: {why}")?;
        }
        Ok(())
    }
}

/// Sends an idempotent request. Retries once, because the server may have closed the idle
/// connection.
pub(super) async fn send(request: RequestBuilder) -> Result<Response, String> {
    let again = request.try_clone();
    match (request.send().await, again) {
        (Err(error), Some(again)) if !error.is_connect() && !error.is_timeout() => again.send().await,
        (sent, _) => sent,
    }
    .map_err(failed)
}

/// Sends a request that is not idempotent: without a retry, and with a time limit longer than that
/// of the whole call.
pub(super) async fn send_once(request: RequestBuilder) -> Result<Response, String> {
    // The limit of the whole call expires first. A shorter one would let the next member be asked,
    // and grant a second lease that has no holder.
    request.timeout(CALL_LIMIT * 2).send().await.map_err(failed)
}

/// Returns the reason that a request failed, without the URL.
pub(super) fn failed(error: reqwest::Error) -> String {
    chain(&error.without_url())
}

/// Returns an error's message with those of its causes, which the client's `Display` omits.
fn chain(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
