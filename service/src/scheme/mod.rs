//! The schemes that the service makes IDs of.

mod blueprint;
mod compose;
mod issue;
mod reader;

pub(crate) use blueprint::{Either, Ids, Readers};
pub(crate) use issue::{generate, text};
pub use reader::ComposeParts;
pub(crate) use reader::Reader;

use crate::config::{ConfigError, SchemeConfig};
use crate::metrics::{Metrics, SchemeState};
use crate::problem::{Code, Problem};
use blueprint::Blueprint;
use prometheus_client::metrics::counter::Counter;
use saiban::{Encoding, ErrorKind, Layout, Scheme as Family, Secret, Stats, TickOrder};
use saiban_coordination::store::Store;
use saiban_coordination::{Error, Lease, LeaseOptions, Status};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The lease of a scheme that says nothing else, seconds: a killed instance's nodes are free after that.
const TTL_S: i64 = 60;

/// How long to wait before a lease is asked for again that could not be had.
const PAUSE: Duration = Duration::from_millis(500);

/// A scheme of the service's, and its generator once there is a lease.
pub(crate) struct Scheme {
    name: String,
    blueprint: Blueprint,
    lease_options: Option<LeaseOptions>,
    fingerprint: String,
    lease: OnceLock<Lease>,
    ids: OnceLock<Ids>,
    why: Mutex<Option<Error>>,
    /// Whether it made an ID when it was asked last, or could; and why not.
    is_well: AtomicBool,
    unwell: Mutex<Option<Problem>>,
    pub(crate) issued: Counter,
}

impl Scheme {
    /// Checks what was configured. No store is asked.
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
            let what = "namespace, nodes, ttl_s, max_ttl_s and create are for schemes with nodes, and this has none: leave them out";
            return Err(wrong(&what));
        }
        let lease_options = blueprint.is_leased.then(|| LeaseOptions {
            namespace: config.namespace.clone().unwrap_or_else(|| name.into()),
            nodes: config.nodes.unwrap_or(1),
            ttl_s: config.ttl_s.unwrap_or(TTL_S),
            scheme: blueprint.family,
            // The scheme's own where it has one.
            layout: matches!(blueprint.family, Family::Snowflake | Family::Flake).then_some(blueprint.layout).flatten(),
            secret: blueprint.secret.clone(),
            create: Some(config.create.unwrap_or(is_sqlite)),
            max_ttl_s: config
                .max_ttl_s
                .unwrap_or_else(|| LeaseOptions::default().max_ttl_s.max(config.ttl_s.unwrap_or(TTL_S))),
            holder: Some(holder.to_owned()),
            ..LeaseOptions::default()
        });
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
            let ids = (scheme.blueprint.build)(None).map_err(|error| wrong(&error))?;
            let _ = scheme.ids.set(ids);
        }
        Ok(scheme)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn family(&self) -> Family {
        self.blueprint.family
    }

    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.blueprint.layout.as_ref()
    }

    /// The order of tick IDs, which takes the place of a layout in what is told of them.
    pub(crate) fn order(&self) -> Option<&'static str> {
        self.blueprint.order.map(TickOrder::name)
    }

    pub(crate) fn is_leased(&self) -> bool {
        self.blueprint.is_leased
    }

    /// All of what its IDs are, in ASCII: where they have nodes, as a name space of leases remembers it.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The name space of its lease.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.lease_options.as_ref().map(|options| options.namespace.as_str())
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.family().encoding()
    }

    pub(crate) fn bits(&self) -> u32 {
        match &self.blueprint.reader {
            Either::Narrow(ids) => ids.bits(),
            Either::Wide(ids) => ids.bits(),
        }
    }

    /// What takes IDs apart, and composes them.
    pub(crate) fn reader(&self) -> &Readers {
        &self.blueprint.reader
    }

    /// The generator.
    ///
    /// # Errors
    /// Before there is a lease why there is none.
    pub(crate) fn ids(&self) -> Result<&Ids, Problem> {
        self.ids.get().ok_or_else(|| {
            let why = self.why().map_or_else(|| "the store has not answered yet".to_owned(), |why| why.to_string());
            let what = format!(
                "the scheme {:?} has no nodes yet: {why}. They are asked for again and again; other instances may have some",
                self.name
            );
            Problem::new(Code::Kind(ErrorKind::StoreUnavailable), what)
        })
    }

    /// Why there is no lease, as far as it is known.
    pub(crate) fn why(&self) -> Option<Error> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why it makes no IDs at the moment, as far as it is known.
    pub(crate) fn trouble(&self) -> Option<Problem> {
        let of_lease = self.why().or_else(|| self.status().and_then(|status| status.why));
        of_lease.map(Problem::from).or_else(|| {
            let is_well = self.is_well.load(Ordering::Relaxed);
            if is_well { None } else { self.unwell.lock().unwrap_or_else(PoisonError::into_inner).clone() }
        })
    }

    /// How its lease is doing, once there is one.
    pub(crate) fn status(&self) -> Option<Status> {
        self.lease.get().and_then(|lease| lease.status().ok())
    }

    /// Whether it can issue at the moment, by all that is known here.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_well.load(Ordering::Relaxed)
            && self.ids.get().is_some()
            && (!self.is_leased() || self.status().is_some_and(|status| status.nodes.is_some()))
    }

    /// It made IDs.
    pub(crate) fn went_well(&self) {
        // Hardly ever was it otherwise.
        if !self.is_well.load(Ordering::Relaxed) {
            self.is_well.store(true, Ordering::Relaxed);
        }
    }

    /// It did not, and why.
    pub(crate) fn failed(&self, why: &Problem) {
        *self.unwell.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        self.is_well.store(false, Ordering::Relaxed);
    }

    /// Looks whether it makes IDs again: who is told that it is not ready asks it for none. A lease may begin later than it was granted, and a clock be
    /// far off.
    pub(crate) fn look(&self, max_wait: Duration) {
        if self.is_well.load(Ordering::Relaxed) {
            return;
        }
        let looked = match self.ids.get() {
            Some(Either::Narrow(ids)) => {
                ids.try_generate_within(max_wait).map(drop).map_err(|error| ids.explain(error))
            }
            Some(Either::Wide(ids)) => ids.try_generate_within(max_wait).map(drop).map_err(|error| ids.explain(error)),
            None => return,
        };
        match looked {
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
            Either::Narrow(ids) => ids.stats().ok(),
            Either::Wide(ids) => ids.stats().ok(),
        }
    }

    /// Asks for nodes until there are some; for a thread of its own. Answers an error that waiting does not mend.
    pub(crate) fn lease(
        &self,
        store: &Arc<dyn Store>,
        max_wait: Duration,
        is_ending: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Some(options) = &self.lease_options else { return Ok(()) };
        while !is_ending() {
            let error = match Lease::with_store(Arc::clone(store), options) {
                Ok(lease) => match (self.blueprint.build)(Some(&lease)) {
                    Ok(ids) => {
                        self.keep(lease, ids);
                        self.look(max_wait);
                        // Who gives all nodes back may have found none here yet.
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

    fn keep(&self, lease: Lease, ids: Ids) {
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
        // Until it is looked at.
        self.is_well.store(false, Ordering::Relaxed);
        let _ = self.lease.set(lease);
        let _ = self.ids.set(ids);
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Gives the nodes back; may wait for the store for some seconds.
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

    /// The same without waiting: nothing is issued any more. Answers whether it had nodes until now.
    pub(crate) fn let_go(&self) -> bool {
        let had_nodes = self.status().is_some_and(|status| status.nodes.is_some());
        if let Some(lease) = self.lease.get() {
            lease.let_go();
        }
        had_nodes
    }
}

/// Whether asking again does not mend it: somebody has to.
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

/// A secret as `saiban secret` writes it. No part of it is in an error.
fn read_secret(path: &Path) -> Result<Secret, String> {
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("the secret cannot be read from {shown}: {error}"))?;
    Secret::from_hex(text.trim()).map_err(|error| format!("the secret in {shown}: {error}"))
}
