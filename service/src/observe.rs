//! Samples the service over time, and builds the view that the status page shows.

use crate::page::view::{self, Readiness};
use crate::problem::Problem;
use crate::scheme::Scheme;
use crate::service::Service;
use saiban::{Clock, SystemClock};
use saiban_coordination::lease::Slot;
use saiban_coordination::store::Listing;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The interval at which the store is asked, in seconds.
const LOOK_EVERY_S: u64 = 15;

/// How long the status page waits for the store.
const PATIENCE: Duration = Duration::from_secs(3);

/// Records the number of issued IDs once a second, and checks schemes that failed. It runs until
/// the process ends.
pub(crate) async fn sample(service: Arc<Service>) {
    let mut every = tokio::time::interval(Duration::from_secs(1));
    for second in 0_u64.. {
        every.tick().await;
        if second % LOOK_EVERY_S == 0 {
            tokio::spawn(check(Arc::clone(&service)));
        }
        let max_wait = service.limits().max_wait();
        service.schemes.values().for_each(|scheme| scheme.check(max_wait));
        for scheme in service.schemes.values() {
            service.observed.issued(scheme.name(), scheme.issued.get());
        }
    }
}

/// Asks the store for a listing, so that the metrics show whether it responds and what its clock
/// is.
async fn check(service: Arc<Service>) {
    if let Some(namespace) = service.schemes.values().find_map(Scheme::namespace) {
        // The metrics record the result.
        let _ = service.kept_listing(namespace).await;
    }
}

impl Service {
    /// Returns what the status page shows.
    pub(crate) async fn status(&self) -> view::Status {
        let now = SystemTime::now();
        let (namespaces, ahead_of_store_ms) = self.namespaces_shown().await;
        let states = self.schemes.values().map(Scheme::state);
        let limits = self.limits();
        view::Status {
            version: env!("CARGO_PKG_VERSION").into(),
            instance: self.holder.clone(),
            now_ms: unix_ms(now),
            started_ms: unix_ms(self.started),
            readiness: self.readiness(),
            store: self.store_url.to_string(),
            schemes: self.schemes.values().map(|scheme| self.scheme_shown(scheme)).collect(),
            namespaces,
            clock: view::Clock {
                ahead_of_store_ms,
                max_skew_ms: Some(saiban_coordination::LeaseOptions::default().max_clock_skew_s * 1_000),
                since_boot_ms: SystemClock.since_boot_ns().and_then(|ns| i64::try_from(ns / 1_000_000).ok()),
                steps_back: states.map(|state| state.rollbacks).max().unwrap_or(0),
                jumps_ahead: self.metrics.jumps(),
            },
            load: view::Load {
                connections: self.metrics.connections.get().unsigned_abs(),
                in_flight: self.in_flight() as u64,
                answered: self.metrics.answered_in_all(),
                overloaded: self.metrics.overloaded.get(),
            },
            limits: view::Limits {
                max_connections: limits.max_connections as u64,
                max_in_flight: limits.max_in_flight as u64,
                max_batch: limits.max_batch as u64,
                max_body_bytes: limits.max_body_bytes as u64,
                request_timeout_ms: (limits.request_timeout_s * 1_000).cast_signed(),
                max_wait_ms: limits.max_wait_ms.cast_signed(),
            },
        }
    }

    /// Returns the known namespaces, and how far this clock is ahead of the store's, in
    /// milliseconds.
    async fn namespaces_shown(&self) -> (Vec<view::Namespace>, Option<i64>) {
        let names: BTreeSet<String> = {
            let of_schemes = self.schemes.values().filter_map(Scheme::namespace).map(str::to_owned);
            of_schemes.chain(self.observed.namespaces()).collect()
        };
        let own: Vec<_> =
            self.schemes.values().filter_map(|scheme| Some((scheme.namespace()?, scheme.status()?.nodes?))).collect();
        let mut namespaces = Vec::new();
        let mut ahead_of_store_ms = None;
        let asked = names.iter().map(|name| self.kept_listing(name));
        for (name, listing) in names.iter().zip(futures_util::future::join_all(asked).await) {
            let is_own =
                |slot: &Slot| own.iter().any(|(namespace, nodes)| *namespace == name.as_str() && *nodes == slot.nodes);
            let listing = match listing {
                Ok((listing, ahead_ms)) => {
                    ahead_of_store_ms = ahead_ms.or(ahead_of_store_ms);
                    Ok(shown(listing, is_own))
                }
                Err(problem) => Err(describe(&problem)),
            };
            namespaces.push(view::Namespace { name: name.clone(), listing });
        }
        (namespaces, ahead_of_store_ms)
    }

    fn readiness(&self) -> Readiness {
        if self.is_ending() {
            return Readiness::Stopping;
        }
        let obstacles = self.schemes.values().filter(|scheme| !scheme.is_ready()).map(|scheme| {
            let why = scheme.trouble();
            let code = why.as_ref().map_or("STORE_UNAVAILABLE", |why| why.code().name());
            let message = why.as_ref().map_or("the store has not answered yet", Problem::message).to_owned();
            view::Obstacle { scheme: scheme.name().into(), code: code.into(), message }
        });
        let obstacles: Vec<_> = obstacles.collect();
        if obstacles.is_empty() { Readiness::Ready } else { Readiness::NotReady(obstacles) }
    }

    fn scheme_shown(&self, scheme: &Scheme) -> view::Scheme {
        let status = scheme.status();
        let failure = self.observed.failure(scheme.name());
        let last_error = failure.map(|(at, problem)| {
            let view::Problem { code, message } = describe(&problem);
            view::LastError { at_ms: unix_ms(at), code, message }
        });
        view::Scheme {
            name: scheme.name().into(),
            scheme: scheme.family().name().into(),
            layout: scheme.layout().map(ToString::to_string),
            bits: scheme.bits(),
            namespace: scheme.namespace().map(str::to_owned),
            is_ready: scheme.is_ready(),
            nodes: status.as_ref().and_then(|status| status.nodes.clone()),
            lease: scheme.is_leased().then(|| view::Lease {
                state: status.as_ref().map_or("acquiring", |status| status.state.name()).into(),
                end_ms: status.as_ref().map(|status| status.end_ms).filter(|end_ms| *end_ms > 0),
                grants: status.as_ref().map_or(0, |status| status.grants),
            }),
            issued: scheme.issued.get(),
            ids_per_second: self.observed.rate(scheme.name(), scheme.issued.get()),
            last_error,
        }
    }

    /// Returns a listing of at most 2 s of age, and how far this clock was ahead of the store's at
    /// the last request.
    ///
    /// # Errors
    /// The error of the store, or `TIMEOUT` after `PATIENCE`.
    async fn kept_listing(&self, name: &str) -> Result<(Listing, Option<i64>), Problem> {
        if let Some(listing) = self.observed.listing(name) {
            return listing.map(|listing| (listing, self.metrics.store_ahead_ms()));
        }
        let asked = tokio::time::timeout(PATIENCE, self.listing(name)).await;
        let listing = asked.unwrap_or_else(|_| {
            self.metrics.report_store(false, None);
            let what = format!("the store did not answer within {} s", PATIENCE.as_secs());
            Err(Problem::new(crate::problem::Code::Timeout, what))
        });
        self.observed.keep(name, listing.clone());
        listing.map(|listing| (listing, self.metrics.store_ahead_ms()))
    }
}

fn shown(listing: Listing, is_own: impl Fn(&Slot) -> bool) -> view::Listing {
    let now_us = listing.now_us;
    let quarantine_us = listing.namespace.quarantine_until_us;
    view::Listing {
        fingerprint: listing.namespace.fingerprint,
        nodes: listing.namespace.nodes,
        max_ttl_ms: listing.namespace.max_ttl_us / 1_000,
        quarantine_until_ms: (quarantine_us > now_us).then_some(quarantine_us / 1_000),
        now_ms: now_us / 1_000,
        slots: listing
            .slots
            .iter()
            .map(|slot| view::Slot {
                nodes: slot.nodes.clone(),
                holder: slot.holder.clone(),
                start_ms: slot.start_us / 1_000,
                end_ms: slot.end_us / 1_000,
                high_water_ms: slot.high_water_us / 1_000,
                is_own: slot.is_held(now_us) && is_own(slot),
            })
            .collect(),
    }
}

fn describe(problem: &Problem) -> view::Problem {
    view::Problem { code: problem.code().name().into(), message: problem.message().into() }
}

fn unix_ms(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
