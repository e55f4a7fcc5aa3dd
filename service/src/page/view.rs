//! The data of the status page. `observe` fills it; this module does no I/O.
//!
//! Times are Unix milliseconds. Ranges of nodes are half-open.

use std::ops::Range;

/// The state of one instance.
#[derive(Clone, Debug)]
pub struct Status {
    /// The version of the service.
    pub version: String,
    /// The name of this instance as holder of its leases: host and process.
    pub instance: String,
    /// The time of this view, by the system's clock.
    pub now_ms: i64,
    /// The time at which the service started.
    pub started_ms: i64,
    /// Whether the service is ready.
    pub readiness: Readiness,
    /// The store's URL, without its password.
    pub store: String,
    /// The configured schemes, sorted by name.
    pub schemes: Vec<Scheme>,
    /// The namespaces of the schemes, and those from which other programs lease.
    pub namespaces: Vec<Namespace>,
    /// The state of the clock.
    pub clock: Clock,
    /// The current load.
    pub load: Load,
    /// The configured limits.
    pub limits: Limits,
}

/// Whether the service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Every scheme can issue IDs.
    Ready,
    /// Some schemes cannot issue IDs.
    NotReady(Vec<Obstacle>),
    /// The service is stopping: requests in progress continue, and no new connections are accepted.
    Stopping,
}

/// Why a scheme cannot issue IDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The name of the scheme in the configuration.
    pub scheme: String,
    /// The code of the error, such as `STORE_UNAVAILABLE`.
    pub code: String,
    /// The message of the error.
    pub message: String,
}

/// A configured scheme.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The name that clients use in requests.
    pub name: String,
    /// The format of the IDs: `snowflake`, `uuid-v7`, …
    pub scheme: String,
    /// The layout as text, or `None` if the scheme has none.
    pub layout: Option<String>,
    /// The number of bits of an ID.
    pub bits: u32,
    /// The namespace of its lease, or `None` if it needs no nodes.
    pub namespace: Option<String>,
    /// Whether the scheme can issue IDs.
    pub is_ready: bool,
    /// The nodes that this instance has leased.
    pub nodes: Option<Range<i64>>,
    /// The lease, or `None` if the scheme needs none.
    pub lease: Option<Lease>,
    /// The number of IDs that this instance has issued since it started.
    pub issued: u64,
    /// The rate of the last 10 seconds.
    pub ids_per_second: f64,
    /// The last error.
    pub last_error: Option<LastError>,
}

/// The lease of a scheme.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The state of the holder by name: `active`, `renewing`, `acquiring`, `expired`, `lost`, …
    pub state: String,
    /// The time at which the lease ends unless it is renewed, or `None` if there is none.
    pub end_ms: Option<i64>,
    /// The number of grants. It is more than 1 if a lease was lost or expired.
    pub grants: u64,
}

/// An error, and its time.
#[derive(Clone, Debug)]
pub struct LastError {
    /// The time of the error.
    pub at_ms: i64,
    /// The code of the error.
    pub code: String,
    /// The message of the error.
    pub message: String,
}

/// A namespace, and the holders of its nodes.
#[derive(Clone, Debug)]
pub struct Namespace {
    /// The name of the namespace.
    pub name: String,
    /// The listing from the store, or why there is none.
    pub listing: Result<Listing, Problem>,
}

/// The content of a namespace.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The fingerprint of the IDs: scheme, layout and, for a Randflake, a number that stands for
    /// the secret.
    pub fingerprint: String,
    /// The number of nodes.
    pub nodes: i64,
    /// The longest lease.
    pub max_ttl_ms: i64,
    /// The time until which nothing is granted, or `None` if there is no quarantine.
    pub quarantine_until_ms: Option<i64>,
    /// The store's clock at the time of the listing. Leases end by this clock.
    pub now_ms: i64,
    /// The slots, in the order of their nodes.
    pub slots: Vec<Slot>,
}

/// A range of nodes, and its current or last lease.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The nodes.
    pub nodes: Range<i64>,
    /// The current holder, or the last one.
    pub holder: String,
    /// The time at which the lease began.
    pub start_ms: i64,
    /// The time at which the lease ends; 0 if the nodes are not held.
    pub end_ms: i64,
    /// The high-water mark: no new lease begins before this time. 0 if there was no lease.
    pub high_water_ms: i64,
    /// Whether this instance is the holder.
    pub is_own: bool,
}

impl Slot {
    /// Returns whether the nodes are held at this time.
    #[must_use]
    pub fn is_held(&self, now_ms: i64) -> bool {
        now_ms < self.end_ms
    }

    /// Returns whether the nodes are cooling down: they have no holder, and a new lease cannot
    /// begin yet.
    #[must_use]
    pub fn is_cooling_down(&self, now_ms: i64) -> bool {
        !self.is_held(now_ms) && self.high_water_ms > now_ms
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn width(&self) -> i64 {
        self.nodes.end.saturating_sub(self.nodes.start).max(0)
    }
}

/// An error, by its code and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The code, such as `TEXT_LENGTH`.
    pub code: String,
    /// The message: what was wrong, the limits, and what to do.
    pub message: String,
}

/// The state of the clock by which IDs are generated.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// How far the clock is ahead of the store's, in milliseconds. Negative if it is behind; `None`
    /// until the store has responded.
    pub ahead_of_store_ms: Option<i64>,
    /// The maximum difference, in milliseconds. Beyond it, the store grants nothing.
    pub max_skew_ms: Option<i64>,
    /// The time since boot, in milliseconds, or `None` if it is unknown.
    pub since_boot_ms: Option<i64>,
    /// How often a generator found the clock behind its last ID: the maximum of all schemes.
    pub steps_back: u64,
    /// How often IDs could not be generated because the clock had jumped ahead.
    pub jumps_ahead: u64,
}

/// The current load.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// Open connections.
    pub connections: u64,
    /// Requests in flight.
    pub in_flight: u64,
    /// Requests answered since the service started, with success or error.
    pub answered: u64,
    /// Of these, those refused because too many were in flight.
    pub overloaded: u64,
}

/// The configured limits.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Open connections.
    pub max_connections: u64,
    /// Requests in flight.
    pub max_in_flight: u64,
    /// IDs in one request.
    pub max_batch: u64,
    /// The size of a request's body, in bytes.
    pub max_body_bytes: u64,
    /// The time for the service to respond, in milliseconds.
    pub request_timeout_ms: i64,
    /// The time that a request waits for IDs, in milliseconds.
    pub max_wait_ms: i64,
}
