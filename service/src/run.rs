//! The life of the service: from its configuration to the signal that ends it.

use crate::config::{Config, ConfigError};
use crate::observe;
use crate::server::{self, Sockets};
use crate::service::Service;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// Why the service could not begin, or had to end.
#[derive(Debug)]
pub enum RunError {
    /// It is configured wrongly.
    Config(ConfigError),
    /// It cannot listen there.
    Listen(SocketAddr, std::io::Error),
    /// Threads or signals cannot be had.
    System(std::io::Error),
    /// The store says no to a scheme, for good.
    Store(String, saiban_coordination::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Config(error) => error.fmt(f),
            RunError::Listen(address, error) => {
                write!(f, "listen: {address} cannot be listened on: {error}; give another, or end what has it")
            }
            RunError::System(error) => write!(f, "the system gives no threads or signals: {error}"),
            RunError::Store(scheme, error) => write!(f, "schemes.{scheme}: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ConfigError> for RunError {
    fn from(error: ConfigError) -> Self {
        RunError::Config(error)
    }
}

/// Serves until SIGTERM or SIGINT; then requests in flight are answered, and nodes given back. A second signal ends it at once.
///
/// `listening` is told where, once it does.
///
/// # Errors
/// What is configured wrongly, a port that another has, and a store that says no for good. A store that cannot be reached is waited for.
pub fn run(config: Config, store: &str, listening: impl FnOnce(&[SocketAddr])) -> Result<(), RunError> {
    crate::log::begin(&config.log);
    let addresses = config.listen.clone();
    let limits = config.limits.clone();
    server::raise_limit(limits.max_connections);
    let runtime =
        Builder::new_multi_thread().enable_all().thread_name("saiban-serve").build().map_err(RunError::System)?;
    let service = Arc::new(Service::open(config, store)?);
    let tls = service.tls.clone();
    let ended = runtime.block_on(async {
        let sockets = Sockets::bind(&addresses).await.map_err(|(address, error)| RunError::Listen(address, error))?;
        let mut signals = Signals::new().map_err(RunError::System)?;
        let bound = sockets.addresses();
        tracing::info!(listen = ?bound, store = %service.store_url, tls = tls.is_some(), open = service.auth.is_open(), "serving");
        listening(&bound);
        tokio::spawn(observe::sample(Arc::clone(&service)));
        let mut refused = service.lease_all();
        let mut failure = None;
        let end = async {
            tokio::select! {
                signal = signals.next() => tracing::info!(signal, "ending"),
                Some((scheme, error)) = refused.recv() => failure = Some(RunError::Store(scheme, error)),
            }
            tokio::spawn(async move {
                let signal = signals.next().await;
                tracing::warn!(signal, "ended at once: nodes that were not given back are free when their leases end");
                std::process::exit(1);
            });
        };
        server::serve(&service, sockets, tls, end).await;
        failure.map_or(Ok(()), Err)
    });
    // Requests are over, or were given up: nothing is issued any more.
    service.release_all();
    runtime.shutdown_background();
    tracing::info!("ended");
    ended
}

/// The signals that end it.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Signals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
