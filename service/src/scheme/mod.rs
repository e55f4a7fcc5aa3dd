//! The configured schemes, with their leases and generators. `service` holds them, and `ops`
//! generates IDs with them.

mod blueprint;
mod issue;

use issue::explain;
pub(crate) use issue::generate;

use crate::config::{ConfigError, SchemeConfig};
use crate::metrics::{Metrics, SchemeState};
use crate::problem::{Code, Problem};
use blueprint::Blueprint;
use prometheus_client::metrics::counter::Counter;
use saiban::{AnyGenerator, Encoding, ErrorKind, Layout, Prefix, Scheme as Family, Secret, Stats};
use saiban_coordination::store::Store;
use saiban_coordination::{AnyIssuer, Error, Lease, LeaseOptions, Status};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The default duration of a lease, in seconds. The nodes of a killed instance are free after that
/// time.
const TTL_S: i64 = 60;

/// The pause before another attempt to acquire a lease.
const PAUSE: Duration = Duration::from_millis(500);

/// A configured scheme, and its generator once it has a lease.
pub(crate) struct Scheme {
    name: String,
    blueprint: Blueprint,
    lease_options: Option<LeaseOptions>,
    fingerprint: String,
    lease: OnceLock<Lease>,
    ids: OnceLock<AnyIssuer>,
    why: Mutex<Option<Error>>,
    /// Whether the last attempt to generate an ID succeeded. `true` before the first attempt,
    /// except under a new lease. `unwell` holds the reason of a failure.
    is_well: AtomicBool,
    unwell: Mutex<Option<Problem>>,
    pub(crate) issued: Counter,
}

impl Scheme {
    /// Reads and checks the configuration of a scheme. It does not contact the store.
    pub(crate) fn of(
        name: &str,
        config: &SchemeConfig,
        is_sqlite: bool,
        holder: &str,
        metrics: &Metrics,
    ) -> Result<Self, ConfigError> {
        let wrong = |what: &dyn std::fmt::Display| ConfigError::new(format!("schemes.{name}: {what}"));
        let secret = config.secret_file.as_deref().map(read_secret).transpose().map_err(|why| wrong(&why))?;
        let blueprint = Blueprint::of(config, secret).map_err(|error| wrong(&error))?;
        let is_about_leases =
            config.namespace.is_some() || config.nodes.is_some() || config.ttl_s.is_some() || config.create.is_some();
        if !blueprint.is_leased && (is_about_leases || config.max_ttl_s.is_some()) {
            let what = "namespace, nodes, ttl_s, max_ttl_s and create are for schemes with nodes, and this scheme \
                        has none: leave them out";
            return Err(wrong(&what));
        }
        let lease_options = LeaseOptions {
            namespace: config.namespace.clone().unwrap_or_else(|| name.into()),
            nodes: config.nodes.unwrap_or(1),
            ttl_s: config.ttl_s.unwrap_or(TTL_S),
            create: Some(config.create.unwrap_or(is_sqlite)),
            max_ttl_s: config
                .max_ttl_s
                .unwrap_or_else(|| LeaseOptions::default().max_ttl_s.max(config.ttl_s.unwrap_or(TTL_S))),
            holder: Some(holder.to_owned()),
            ..LeaseOptions::default()
        };
        let lease_options = blueprint.is_leased.then(|| lease_options.of_spec(&blueprint.spec)).transpose();
        let lease_options = lease_options.map_err(|error| wrong(&error))?;
        let terms = lease_options.as_ref().map(LeaseOptions::check).transpose();
        let terms = terms.map_err(|error| wrong(&error))?;
        let issued = metrics.ids_of(name);
        let scheme = Scheme {
            name: name.into(),
            lease_options,
            fingerprint: terms.map_or_else(|| blueprint.fingerprint(), |(terms, _)| terms.fingerprint().to_owned()),
            lease: OnceLock::new(),
            ids: OnceLock::new(),
            why: Mutex::new(None),
            is_well: AtomicBool::new(true),
            unwell: Mutex::new(None),
            issued,
            blueprint,
        };
        if !scheme.blueprint.is_leased {
            let ids = scheme.blueprint.build(None).map_err(|error| wrong(&error))?;
            let _ = scheme.ids.set(ids);
        }
        Ok(scheme)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn family(&self) -> Family {
        self.blueprint.spec.scheme
    }

    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.blueprint.layout.as_ref()
    }

    /// Returns the order of tick IDs, which descriptions show in place of a layout.
    pub(crate) fn order(&self) -> Option<&'static str> {
        self.blueprint.order()
    }

    pub(crate) fn is_leased(&self) -> bool {
        self.blueprint.is_leased
    }

    /// Returns the fingerprint of the IDs, in ASCII. For IDs with nodes, it is that of the
    /// namespace.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the namespace of the lease, or `None` if the scheme needs no nodes.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.lease_options.as_ref().map(|options| options.namespace.as_str())
    }

    pub(crate) fn encoding(&self) -> Encoding {
        match self.reader() {
            AnyGenerator::Narrow(ids) => ids.encoding(),
            AnyGenerator::Wide(ids) => ids.encoding(),
        }
    }

    /// Returns the prefix of the IDs' text.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.blueprint.spec.prefix.as_ref().map(Prefix::as_str)
    }

    pub(crate) fn bits(&self) -> u32 {
        match &self.blueprint.reader {
            AnyGenerator::Narrow(ids) => ids.bits(),
            AnyGenerator::Wide(ids) => ids.bits(),
        }
    }

    /// Returns the generator that inspects and composes IDs. It needs no lease.
    pub(crate) fn reader(&self) -> &AnyGenerator {
        &self.blueprint.reader
    }

    /// Returns the generator.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE`: there is no lease yet. The message contains the reason.
    pub(crate) fn ids(&self) -> Result<&AnyIssuer, Problem> {
        self.ids.get().ok_or_else(|| {
            let why = self.why().map_or_else(|| "the store has not answered yet".to_owned(), |why| why.to_string());
            let what = format!(
                "the scheme {:?} has no nodes yet: {why}. saiban retries; other instances may have nodes",
                self.name
            );
            Problem::new(Code::Kind(ErrorKind::StoreUnavailable), what)
        })
    }

    /// Returns why there is no lease, if that is known.
    pub(crate) fn why(&self) -> Option<Error> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns why the scheme cannot generate IDs now, if that is known.
    pub(crate) fn trouble(&self) -> Option<Problem> {
        let of_lease = self.why().or_else(|| self.status().and_then(|status| status.why));
        of_lease.map(Problem::from).or_else(|| {
            let is_well = self.is_well.load(Ordering::Relaxed);
            if is_well { None } else { self.unwell.lock().unwrap_or_else(PoisonError::into_inner).clone() }
        })
    }

    /// Returns the status of the lease, once there is one.
    pub(crate) fn status(&self) -> Option<Status> {
        self.lease.get().and_then(|lease| lease.status().ok())
    }

    /// Returns whether the scheme can issue IDs now, as far as is known.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_well.load(Ordering::Relaxed)
            && self.ids.get().is_some()
            && (!self.is_leased() || self.status().is_some_and(|status| status.nodes.is_some()))
    }

    /// Records that the scheme generated IDs.
    pub(crate) fn went_well(&self) {
        // The value is almost always `true` already, and reading it is cheaper than writing it.
        if !self.is_well.load(Ordering::Relaxed) {
            self.is_well.store(true, Ordering::Relaxed);
        }
    }

    /// Records why the scheme could not generate IDs.
    pub(crate) fn failed(&self, why: &Problem) {
        *self.unwell.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        self.is_well.store(false, Ordering::Relaxed);
    }

    /// Tries to generate an ID if the last attempt failed, and discards the ID.
    ///
    /// While a scheme is not ready, clients may send no requests, which would show that it has
    /// recovered. For example, a lease may begin later than it was granted, or the clock may have
    /// been far off.
    pub(crate) fn check(&self, max_wait: Duration) {
        if self.is_well.load(Ordering::Relaxed) {
            return;
        }
        let checked = match self.ids.get() {
            Some(AnyIssuer::Narrow(ids)) => {
                ids.try_generate_within(max_wait).map(drop).map_err(|error| explain(ids, error))
            }
            Some(AnyIssuer::Wide(ids)) => {
                ids.try_generate_within(max_wait).map(drop).map_err(|error| explain(ids, error))
            }
            None => return,
        };
        match checked {
            Ok(()) => self.went_well(),
            Err(why) => self.failed(&why),
        }
    }

    pub(crate) fn state(&self) -> SchemeState {
        let status = self.status();
        let stats = self.stats();
        SchemeState {
            ready: self.is_ready(),
            lease_end_ms: status.as_ref().map(|status| status.end_ms),
            grants: status.as_ref().map_or(0, |status| status.grants),
            renewals: status.as_ref().map_or(0, |status| status.renewals),
            rollbacks: stats.map_or(0, |stats| stats.rollbacks),
            waits: stats.map_or(0, |stats| stats.waits),
        }
    }

    fn stats(&self) -> Option<Stats> {
        match self.ids.get()? {
            AnyIssuer::Narrow(ids) => ids.stats().ok(),
            AnyIssuer::Wide(ids) => ids.stats().ok(),
        }
    }

    /// Acquires a lease, and retries until it succeeds or the service ends. It blocks, so it needs
    /// a thread of its own.
    ///
    /// # Errors
    /// An error that waiting does not solve.
    pub(crate) fn lease(
        &self,
        store: &Arc<dyn Store>,
        max_wait: Duration,
        is_ending: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Some(options) = &self.lease_options else { return Ok(()) };
        while !is_ending() {
            let error = match Lease::with_store(Arc::clone(store), options) {
                Ok(lease) => match self.blueprint.build(Some(&lease)) {
                    Ok(ids) => {
                        self.keep(lease, ids);
                        self.check(max_wait);
                        // `release_all` may have run before the lease was stored, and so missed it.
                        if is_ending() {
                            self.release(true);
                        }
                        return Ok(());
                    }
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if is_final(&error) {
                return Err(error);
            }
            let before = self.why.lock().unwrap_or_else(PoisonError::into_inner).replace(error.clone());
            if before.as_ref() != Some(&error) {
                tracing::warn!(scheme = self.name, code = error.kind().name(), "no lease yet: {error}");
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn keep(&self, lease: Lease, ids: AnyIssuer) {
        let nodes = lease.grant().map(|grant| grant.nodes()).unwrap_or_default();
        tracing::info!(scheme = self.name, first = nodes.start, end = nodes.end, "leased nodes");
        let name = self.name.clone();
        let _ = lease.on_change(move |status| match (&status.why, &status.nodes) {
            (Some(why), nodes) => {
                let (state, code) = (status.state.name(), why.kind().name());
                tracing::warn!(scheme = name, state, code, has_nodes = nodes.is_some(), "lease: {why}");
            }
            (None, nodes) => {
                let nodes = nodes.clone().unwrap_or_default();
                tracing::debug!(
                    scheme = name,
                    state = status.state.name(),
                    first = nodes.start,
                    end = nodes.end,
                    "lease"
                );
            }
        });
        // `look` checks the scheme next.
        self.is_well.store(false, Ordering::Relaxed);
        let _ = self.lease.set(lease);
        let _ = self.ids.set(ids);
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Releases the nodes. It may wait some seconds for the store.
    pub(crate) fn release(&self, had_nodes: bool) {
        let Some(lease) = self.lease.get() else { return };
        match lease.release() {
            Ok(()) if had_nodes => tracing::info!(scheme = self.name, "released nodes"),
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(scheme = self.name, code = error.kind().name(), "nodes were not released: {error}")
            }
        }
    }

    /// Starts to release the nodes without waiting for the store; no more IDs are issued. Returns
    /// whether the scheme had nodes until now.
    pub(crate) fn abandon(&self) -> bool {
        let had_nodes = self.status().is_some_and(|status| status.nodes.is_some());
        if let Some(lease) = self.lease.get() {
            lease.abandon();
        }
        had_nodes
    }
}

/// Returns whether a retry does not solve the error, so that an operator must act.
fn is_final(error: &Error) -> bool {
    let kind = error.kind();
    error.is_permanent()
        || !matches!(
            kind,
            ErrorKind::StoreUnavailable
                | ErrorKind::NamespaceFull
                | ErrorKind::NamespaceQuarantined
                | ErrorKind::ClockSkew
                | ErrorKind::ClockUnavailable
                | ErrorKind::ClockJumped
                | ErrorKind::LeaseLost
                | ErrorKind::LeaseExpired
                | ErrorKind::EntropyUnavailable
        )
}

/// Reads a secret as `saiban secret` writes it. Errors contain no part of it.
fn read_secret(path: &Path) -> Result<Secret, String> {
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("the secret cannot be read from {shown}: {error}"))?;
    Secret::from_hex(text.trim()).map_err(|error| format!("the secret in {shown}: {error}"))
}
