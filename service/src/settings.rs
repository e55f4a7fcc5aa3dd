//! The settings that a reload replaces while the service runs.

use crate::auth::Auth;
use crate::config::{Config, ConfigError};
use crate::server::{Tls, tls};
use bytes::Bytes;

/// The settings of new requests and connections.
pub(crate) struct Settings {
    pub(crate) config: Config,
    pub(crate) auth: Auth,
    pub(crate) tls: Option<Tls>,
    /// The OpenAPI document, with the limits of this instance.
    pub(crate) openapi: Bytes,
}

impl Settings {
    /// Reads the files that the configuration names: tokens and certificates.
    ///
    /// # Errors
    /// A file that cannot be read or is invalid, or the errors of [`check_open`].
    pub(crate) fn of(config: Config) -> Result<Self, ConfigError> {
        let tls = config.tls.as_ref().map(tls).transpose()?;
        Settings::with_tls(config, tls)
    }

    pub(crate) fn with_tls(config: Config, tls: Option<Tls>) -> Result<Self, ConfigError> {
        let auth = Auth::of(&config, tls.as_ref().and_then(|tls| tls.client_ca))?;
        check_open(&config, &auth)?;
        let openapi = crate::http::openapi(&config.limits).into();
        Ok(Settings { config, auth, tls, openapi })
    }
}

/// Refuses configurations that would expose the service by accident.
///
/// # Errors
/// An address that is not loopback, without tokens, or without TLS and `allow_plaintext`.
pub(crate) fn check_open(config: &Config, auth: &Auth) -> Result<(), ConfigError> {
    let Some(address) = config.listen.iter().find(|address| !address.ip().is_loopback()) else { return Ok(()) };
    if auth.is_open() {
        return Err(ConfigError::new(format!(
            "listen: {address} can be reached from other machines, and without tokens every client may do \
             everything: give tokens, or listen on 127.0.0.1"
        )));
    }
    if config.tls.is_none() && !config.allow_plaintext {
        return Err(ConfigError::new(format!(
            "listen: {address} can be reached from other machines, and without TLS tokens can be read on the way: \
             give tls, or allow_plaintext = true behind a proxy with TLS"
        )));
    }
    Ok(())
}
