//! Runs the service, from its configuration until the signal that ends it. `saiban serve` calls
//! [`run`].

use crate::config::{Config, ConfigError};
use crate::log::Log;
use crate::observe;
use crate::server::{self, Sockets};
use crate::service::Service;
use crate::signals::{Signal, Signals};
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::runtime::Builder;
use tokio::sync::mpsc::UnboundedReceiver;

/// A loaded configuration, with what belongs to it.
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// The store's URL.
    pub store: String,
    /// Risks that the operator should know. They are logged, and do not prevent the start.
    pub warnings: Vec<String>,
}

/// Why the service could not start, or had to end.
#[derive(Debug)]
pub enum RunError {
    /// The configuration is invalid.
    Config(ConfigError),
    /// The service cannot listen on the address.
    Listen(SocketAddr, std::io::Error),
    /// The system refuses threads or signals.
    System(std::io::Error),
    /// The store refuses a scheme permanently. The text is the name of the scheme.
    Store(String, saiban_coordination::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Config(error) => error.fmt(f),
            RunError::Listen(address, error) => {
                write!(
                    f,
                    "listen: {address} cannot be bound: {error}; give another address, or end the program that uses it"
                )
            }
            RunError::System(error) => write!(f, "the system refused threads or signals: {error}"),
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

/// Runs the service until SIGTERM or SIGINT (on Windows Ctrl+C, Ctrl+Break, the end of the console
/// or of the system). Requests in flight then finish, and the nodes are released. A second signal
/// ends the process at once.
///
/// On SIGHUP, `load` returns the new configuration, and the service applies it. If it is refused,
/// the reason is logged and the running configuration stays. `listening` is called once, with the
/// bound addresses.
///
/// # Errors
/// An invalid configuration, an address in use, or a store that refuses a scheme permanently. If
/// the store does not respond, the service retries.
pub fn run(
    first: Loaded,
    load: impl Fn() -> Result<Loaded, String>,
    listening: impl FnOnce(&[SocketAddr]),
) -> Result<(), RunError> {
    let Loaded { config, store, warnings } = first;
    let log = crate::log::begin(&config.log);
    warn(&warnings);
    let addresses = config.listen.clone();
    server::raise_limit(config.limits.max_connections);
    let runtime =
        Builder::new_multi_thread().enable_all().thread_name("saiban-serve").build().map_err(RunError::System)?;
    // From here on, SIGHUP no longer ends the process.
    let mut signals = {
        let _runtime = runtime.enter();
        Signals::catch().map_err(RunError::System)?
    };
    let service = Arc::new(Service::open(config, &store)?);
    let ended = runtime.block_on(async {
        let sockets = Sockets::bind(&addresses).await.map_err(|(address, error)| RunError::Listen(address, error))?;
        let bound = sockets.addresses();
        let (tls, open) = (service.settings().tls.is_some(), service.settings().auth.is_open());
        tracing::info!(listen = ?bound, store = %service.store_url, tls, open, "serving");
        listening(&bound);
        tokio::spawn(observe::sample(Arc::clone(&service)));
        let mut refused = service.lease_all();
        let mut failure = None;
        let end = async {
            failure = until_end(&mut signals, &mut refused, || reload(&service, &log, &load)).await;
            tokio::spawn(async move {
                let signal = signals.end().await;
                tracing::warn!(signal, "ended at once: nodes that were not released are free when their leases end");
                std::process::exit(1);
            });
        };
        server::serve(&service, sockets, end).await;
        failure.map_or(Ok(()), Err)
    });
    // All requests have finished or were cut off, so no more IDs are issued.
    service.release_all();
    runtime.shutdown_background();
    tracing::info!("ended");
    ended
}

/// Waits for a signal that ends the service, or for a store that refuses a scheme permanently.
/// SIGHUP reloads meanwhile.
async fn until_end(
    signals: &mut Signals,
    refused: &mut UnboundedReceiver<(String, saiban_coordination::Error)>,
    reload: impl Fn(),
) -> Option<RunError> {
    loop {
        tokio::select! {
            signal = signals.next() => match signal {
                Signal::Reload => tokio::task::block_in_place(&reload),
                Signal::End(signal) => {
                    tracing::info!(signal, "ending");
                    return None;
                }
            },
            Some((scheme, error)) = refused.recv() => return Some(RunError::Store(scheme, error)),
        }
    }
}

/// Applies the configuration that `load` returns, or logs why it is refused.
fn reload(service: &Service, log: &Log, load: &impl Fn() -> Result<Loaded, String>) {
    let reloaded = load().and_then(|Loaded { config, store, warnings }| {
        // Each file is warned about once, even if the reload is refused.
        warn(&warnings);
        let level = config.log.level;
        let reloaded = service.reload(config, &store).map_err(|error| error.to_string())?;
        log.set_level(level);
        Ok(reloaded)
    });
    match reloaded {
        Err(error) => tracing::error!("the new configuration is refused, and the old one stays in use: {error}"),
        Ok(reloaded) => {
            for key in reloaded.needs_restart {
                tracing::warn!(key, "changed in the configuration: restart to apply the change");
            }
            tracing::info!(changed = reloaded.changed.join(", "), "reloaded");
        }
    }
}

fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
}
