//! The metrics of the service, which Prometheus scrapes from `/metrics`.
//!
//! `ops` counts requests and IDs, and `server` counts connections.

use crate::auth::Reason;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use saiban::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

saiban::named_enum! {
    /// What a request does, as a label.
    pub(crate) enum Operation {
        Generate "generate",
        Stream "stream",
        Inspect "inspect",
        Compose "compose",
        Convert "convert",
        Schemes "schemes",
        LeaseAcquire "lease_acquire",
        LeaseRenew "lease_renew",
        LeaseRelease "lease_release",
        LeaseList "lease_list",
        LeaseCreate "lease_create",
        LeaseQuarantine "lease_quarantine",
        Status "status",
        Other "other",
    }
}

/// The protocol of a request, as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Protocol {
    Http,
    Grpc,
}

impl Protocol {
    const fn name(self) -> &'static str {
        match self {
            Protocol::Http => "http",
            Protocol::Grpc => "grpc",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    operation: &'static str,
    protocol: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct NoLabels {}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabel {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct SchemeLabel {
    scheme: String,
}

/// The counters and gauges, and their registry.
pub(crate) struct Metrics {
    registry: Registry,
    ids: Family<SchemeLabel, Counter>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<OperationLabel, Histogram, fn() -> Histogram>,
    /// Histograms by operation. This field and `done` are looked up once, because a lookup for each
    /// request would take a lock.
    seconds: Vec<Histogram>,
    /// Counters of successful requests, by protocol and operation.
    done: [Vec<Counter>; 2],
    denied: Family<ReasonLabel, Counter>,
    pub(crate) overloaded: Counter,
    pub(crate) connections: Gauge,
    pub(crate) connections_accepted: Counter,
    pub(crate) connections_refused: Counter,
    pub(crate) in_flight: Gauge,
    ready: Family<SchemeLabel, Gauge>,
    lease_end: Family<SchemeLabel, Gauge<f64, AtomicU64>>,
    lease_grants: Family<SchemeLabel, Gauge>,
    lease_renewals: Family<SchemeLabel, Gauge>,
    waits: Family<SchemeLabel, Gauge>,
    rollbacks: Family<SchemeLabel, Gauge>,
    /// Without a sample until the store has been asked for the first time.
    store_clock: Family<NoLabels, Gauge<f64, AtomicU64>>,
    store_up: Family<NoLabels, Gauge>,
    answered: AtomicU64,
    jumps: AtomicU64,
}

/// The state of a scheme, for the gauges.
pub(crate) struct SchemeState {
    pub(crate) ready: bool,
    pub(crate) lease_end_ms: Option<i64>,
    pub(crate) grants: u64,
    pub(crate) renewals: u64,
    pub(crate) rollbacks: u64,
    pub(crate) waits: u64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("saiban");
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The version that runs", build);
        // The buckets range from 16 µs to half a second.
        let histogram = || Histogram::new(exponential_buckets(0.000_016, 2.0, 16));
        let durations = Family::new_with_constructor(histogram as fn() -> Histogram);
        let each = Operation::ALL.iter().map(|operation| operation.name());
        let seconds =
            each.clone().map(|operation| durations.get_or_create_owned(&OperationLabel { operation })).collect();
        let requests = Family::<RequestLabels, Counter>::default();
        let done = [Protocol::Http, Protocol::Grpc].map(|protocol| {
            let labels = |operation| RequestLabels { operation, protocol: protocol.name(), code: "OK" };
            each.clone().map(|operation| requests.get_or_create_owned(&labels(operation))).collect()
        });
        let metrics = Metrics {
            ids: Family::default(),
            requests,
            done,
            durations,
            seconds,
            denied: Family::default(),
            overloaded: Counter::default(),
            connections: Gauge::default(),
            connections_accepted: Counter::default(),
            connections_refused: Counter::default(),
            in_flight: Gauge::default(),
            ready: Family::default(),
            lease_end: Family::default(),
            lease_grants: Family::default(),
            lease_renewals: Family::default(),
            waits: Family::default(),
            rollbacks: Family::default(),
            store_clock: Family::default(),
            store_up: Family::default(),
            answered: AtomicU64::new(0),
            jumps: AtomicU64::new(0),
            registry,
        };
        // Each reason has a sample from the start, because rates need the initial 0. There are few
        // reasons.
        for reason in Reason::ALL {
            drop(metrics.denied.get_or_create(&ReasonLabel { reason: reason.name() }));
        }
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        registry.register("ids", "IDs issued, by scheme", self.ids.clone());
        registry.register(
            "requests",
            "Requests answered, by operation, protocol and code (OK or the error)",
            self.requests.clone(),
        );
        let help = "How long requests took to answer, by operation";
        registry.register_with_unit("request_duration", help, Unit::Seconds, self.durations.clone());
        registry.register("denied", "Requests refused by authentication, by reason", self.denied.clone());
        registry.register("overloaded", "Requests refused because too many were in flight", self.overloaded.clone());
        registry.register("connections", "Connections that are open", self.connections.clone());
        registry.register("connections_accepted", "Connections that were accepted", self.connections_accepted.clone());
        registry.register(
            "connections_refused",
            "Connections refused because too many were open",
            self.connections_refused.clone(),
        );
        registry.register("requests_in_flight", "Requests in flight", self.in_flight.clone());
        registry.register("scheme_ready", "1 if the scheme can issue IDs", self.ready.clone());
        registry.register(
            "scheme_lease_end_timestamp_seconds",
            "When the scheme's lease ends unless it is renewed, Unix time",
            self.lease_end.clone(),
        );
        registry.register(
            "scheme_lease_grants",
            "Leases of the scheme so far: more than one if one was lost or expired",
            self.lease_grants.clone(),
        );
        registry.register("scheme_lease_renewals", "Renewals of the scheme's lease", self.lease_renewals.clone());
        registry.register("scheme_waits", "How often the scheme's generator waited", self.waits.clone());
        registry.register(
            "scheme_clock_rollbacks",
            "How often the scheme's generator found the clock behind its last ID",
            self.rollbacks.clone(),
        );
        registry.register(
            "store_clock_difference_seconds",
            "By how much this machine's clock is ahead of the store's, at the last request",
            self.store_clock.clone(),
        );
        registry.register("store_up", "1 if the store replied to the last request", self.store_up.clone());
        self
    }

    /// Returns the counter of a scheme's IDs, which the scheme keeps.
    pub(crate) fn ids_of(&self, scheme: &str) -> Counter {
        self.ids.get_or_create_owned(&of(scheme))
    }

    /// Counts a request and its duration. `code` is `None` for success.
    pub(crate) fn answered(
        &self,
        operation: Operation,
        protocol: Protocol,
        code: Option<&'static str>,
        took: Duration,
    ) {
        self.answered.fetch_add(1, Ordering::Relaxed);
        if code == Some(ErrorKind::ClockJumped.name()) {
            self.jumps.fetch_add(1, Ordering::Relaxed);
        }
        let index = operation as usize;
        self.seconds[index].observe(took.as_secs_f64());
        match code {
            None => self.done[protocol as usize][index].inc(),
            Some(code) => {
                let labels = RequestLabels { operation: operation.name(), protocol: protocol.name(), code };
                self.requests.get_or_create(&labels).inc()
            }
        };
    }

    /// Counts a denied request.
    pub(crate) fn denied(&self, reason: Reason) {
        self.denied.get_or_create(&ReasonLabel { reason: reason.name() }).inc();
    }

    pub(crate) fn report_scheme(&self, name: &str, state: &SchemeState) {
        let label = of(name);
        self.ready.get_or_create(&label).set(state.ready.into());
        if let Some(end_ms) = state.lease_end_ms {
            self.lease_end.get_or_create(&label).set(end_ms as f64 / 1_000.0);
            self.lease_grants.get_or_create(&label).set(signed(state.grants));
            self.lease_renewals.get_or_create(&label).set(signed(state.renewals));
        }
        self.waits.get_or_create(&label).set(signed(state.waits));
        self.rollbacks.get_or_create(&label).set(signed(state.rollbacks));
    }

    /// Records whether the store responded, and how far this clock is ahead of the store's, if that
    /// is known.
    pub(crate) fn report_store(&self, is_up: bool, ahead_us: Option<i64>) {
        self.store_up.get_or_create(&NoLabels {}).set(is_up.into());
        if let Some(ahead_us) = ahead_us {
            self.store_clock.get_or_create(&NoLabels {}).set(ahead_us as f64 / 1e6);
        }
    }

    /// Returns how far this machine's clock was ahead of the store's at the last request to the
    /// store, in milliseconds.
    pub(crate) fn store_ahead_ms(&self) -> Option<i64> {
        self.store_clock.get(&NoLabels {}).map(|clock| (clock.get() * 1e3) as i64)
    }

    /// Returns how many requests have been answered, with success or error.
    pub(crate) fn answered_in_all(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// Returns how often IDs could not be generated because the clock had jumped ahead.
    pub(crate) fn jumps(&self) -> u64 {
        self.jumps.load(Ordering::Relaxed)
    }

    /// Returns all metrics in the OpenMetrics text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` never fails.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn of(scheme: &str) -> SchemeLabel {
    SchemeLabel { scheme: scheme.into() }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
