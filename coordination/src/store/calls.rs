//! Time limits and the choice of TLS cryptography, for the calls of all stores that use a network.

use super::StoreUrl;
use super::errors::unavailable;
use crate::Error;
use std::future::Future;
use std::time::Duration;

/// The time limit for connecting to a server.
pub(super) const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for a whole call, retries included.
pub(super) const CALL_LIMIT: Duration = Duration::from_secs(10);

/// Awaits a call for at most [`CALL_LIMIT`].
///
/// # Errors
/// The call's own; `StoreUnavailable` after the limit.
pub(super) async fn in_time<T>(url: &StoreUrl, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(CALL_LIMIT, call).await.unwrap_or_else(|_| {
        let limit_s = CALL_LIMIT.as_secs();
        Err(unavailable(url, &format!("it did not answer within {limit_s} s")))
    })
}

/// Installs ring as rustls's default cryptography provider, for clients that bring none. A provider
/// that the program has installed before stays.
#[cfg(any(feature = "redis", feature = "etcd", feature = "coordinator"))]
pub(super) fn choose_tls() {
    // An error means that a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
