//! Reloading: which settings a reload replaces, and which need a restart. `run` calls it on SIGHUP.

use crate::config::{Config, ConfigError};
use crate::metrics::Metrics;
use crate::server::tls;
use crate::service::{Service, check_store, schemes};
use crate::settings::{Settings, check_open};
use std::sync::Arc;

/// The result of a reload, as keys of the configuration.
pub(crate) struct Reloaded {
    /// The settings that the reload changed.
    pub(crate) changed: Vec<String>,
    /// The settings that differ in the new configuration, but change only with a restart.
    pub(crate) needs_restart: Vec<String>,
}

impl Service {
    /// Replaces the settings that may change while the service runs. Open requests and connections
    /// continue, except streams of a token that was changed or removed.
    ///
    /// # Errors
    /// The first error in the configuration, or a configuration that lets every client do
    /// everything if the running one does not. All settings then stay as they were.
    pub(crate) fn reload(&self, config: Config, store: &str) -> Result<Reloaded, ConfigError> {
        let running = self.settings.load_full();
        let store_url = check_store(store)?;
        let is_sqlite = store_url.kind() == "sqlite";
        // Errors are refused even in settings that only a restart would apply.
        let wanted = schemes(&config, is_sqlite, &self.holder, &Metrics::new())?;
        let mut next = config.clone();
        let mut needs_restart = keep_fixed(&running.config, &mut next);
        if store_url != self.store_url {
            needs_restart.push("store".into());
        }
        for (name, scheme) in &wanted {
            let is_same = self.schemes.get(name).is_some_and(|known| known.fingerprint() == scheme.fingerprint());
            let key = format!("schemes.{name}");
            if !is_same && !needs_restart.contains(&key) {
                needs_restart.push(key);
            }
        }
        let mut next = if running.tls.is_some() == config.tls.is_some() {
            Settings::of(next)?
        } else {
            config.tls.as_ref().map(tls).transpose()?;
            // The running TLS files may be gone, because the new configuration does not name them.
            Settings::with_tls(next, running.tls.clone())?
        };
        check_open(&config, &next.auth)?;
        if next.auth.is_open() && !running.auth.is_open() {
            return Err(ConfigError::new(
                "tokens: there are none, so every client could do everything: give some, or restart to serve without \
                 tokens",
            ));
        }
        next.auth.keep(&running.auth);
        let changed = changed(&running, &next);
        let next = Arc::new(next);
        self.settings.store(Arc::clone(&next));
        running.auth.end_others(&next.auth);
        Ok(Reloaded { changed, needs_restart })
    }
}

/// Keeps the running values of the settings that only a restart changes, and returns their keys.
fn keep_fixed(running: &Config, next: &mut Config) -> Vec<String> {
    let mut kept = Vec::new();
    let names = running.schemes.keys().chain(next.schemes.keys().filter(|name| !running.schemes.contains_key(*name)));
    let changed = names.filter(|name| running.schemes.get(*name) != next.schemes.get(*name));
    kept.extend(changed.map(|name| format!("schemes.{name}")));
    next.schemes.clone_from(&running.schemes);
    fn keep<T: Clone + PartialEq>(key: &str, running: &T, next: &mut T, kept: &mut Vec<String>) {
        if running != next {
            next.clone_from(running);
            kept.push(key.into());
        }
    }
    keep("listen", &running.listen, &mut next.listen, &mut kept);
    let (limits, wanted) = (&running.limits, &mut next.limits);
    keep("limits.max_connections", &limits.max_connections, &mut wanted.max_connections, &mut kept);
    keep("limits.max_body_bytes", &limits.max_body_bytes, &mut wanted.max_body_bytes, &mut kept);
    keep("log.format", &running.log.format, &mut next.log.format, &mut kept);
    // Clients expect either TLS or plaintext at an address, so this needs a restart.
    if running.tls.is_some() != next.tls.is_some() {
        next.tls.clone_from(&running.tls);
        kept.push("tls".into());
    }
    kept
}

/// Returns the keys of the settings that differ.
fn changed(running: &Settings, next: &Settings) -> Vec<String> {
    let (before, now) = (&running.config, &next.config);
    let mut changed: Vec<_> =
        running.auth.changed_names(&next.auth).into_iter().map(|name| format!("tokens.{name}")).collect();
    let files = |settings: &Settings| settings.tls.as_ref().map(|tls| tls.digest);
    let mut note = |key: &str, is_changed: bool| {
        if is_changed {
            changed.push(key.into());
        }
    };
    note("tls", before.tls != now.tls || files(running) != files(next));
    note("allow_plaintext", before.allow_plaintext != now.allow_plaintext);
    note("trusted_proxies", before.trusted_proxies != now.trusted_proxies);
    note("leases.enabled", before.leases.enabled != now.leases.enabled);
    note("leases.create", before.leases.create != now.leases.create);
    note("leases.max_ttl_s", before.leases.max_ttl_s != now.leases.max_ttl_s);
    note("log.level", before.log.level != now.log.level);
    let (before, now) = (&before.limits, &now.limits);
    note("limits.max_in_flight", before.max_in_flight != now.max_in_flight);
    note("limits.max_batch", before.max_batch != now.max_batch);
    note("limits.max_streams_per_connection", before.max_streams_per_connection != now.max_streams_per_connection);
    note("limits.header_timeout_s", before.header_timeout_s != now.header_timeout_s);
    note("limits.body_timeout_s", before.body_timeout_s != now.body_timeout_s);
    note("limits.request_timeout_s", before.request_timeout_s != now.request_timeout_s);
    note("limits.idle_timeout_s", before.idle_timeout_s != now.idle_timeout_s);
    note("limits.write_timeout_s", before.write_timeout_s != now.write_timeout_s);
    note("limits.shutdown_timeout_s", before.shutdown_timeout_s != now.shutdown_timeout_s);
    note("limits.max_wait_ms", before.max_wait_ms != now.max_wait_ms);
    changed
}
