//! What the status page tells. The server fills it; nothing here asks anybody.
//!
//! Times are Unix milliseconds. Ranges of nodes are half-open, as everywhere.

use std::ops::Range;

/// The state of one instance.
#[derive(Clone, Debug)]
pub struct Status {
    /// The service's version.
    pub version: String,
    /// Who this instance is, as holder of its leases: host and process.
    pub instance: String,
    /// When this was put together, by the system's clock.
    pub now_ms: i64,
    /// When the service was started.
    pub started_ms: i64,
    /// Whether it can do what it is configured for.
    pub readiness: Readiness,
    /// The store's URL, without its password.
    pub store: String,
    /// The schemes that it serves, in the order of the configuration.
    pub schemes: Vec<Scheme>,
    /// The name spaces of the schemes, and those that others lease from here.
    pub namespaces: Vec<Namespace>,
    /// What is known of the clock.
    pub clock: Clock,
    /// What is going on.
    pub load: Load,
    /// What it was configured to take.
    pub limits: Limits,
}

/// Whether the service can do what it is configured for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Every scheme issues.
    Ready,
    /// Some do not.
    NotReady(Vec<Obstacle>),
    /// It is being shut down: what is under way is finished, and nothing new is taken.
    Stopping,
}

/// Why a scheme does not issue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The scheme's name here.
    pub scheme: String,
    /// The error's code, `STORE_UNAVAILABLE` say.
    pub code: String,
    /// What it says.
    pub message: String,
}

/// One of the schemes that are served.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The name that it is asked for by.
    pub name: String,
    /// What it is: `snowflake`, `uuid-v7`, …
    pub scheme: String,
    /// The layout as text, where it has one.
    pub layout: Option<String>,
    /// How many bits an ID has.
    pub bits: u32,
    /// The name space of its lease, where it has one.
    pub namespace: Option<String>,
    /// Whether it issues now.
    pub is_ready: bool,
    /// The nodes that this instance has, where it has a lease.
    pub nodes: Option<Range<i64>>,
    /// The lease, where the scheme needs one.
    pub lease: Option<Lease>,
    /// How many IDs this instance has issued since it was started.
    pub issued: u64,
    /// How many a second, over the last 10 seconds.
    pub ids_per_second: f64,
    /// What went wrong last.
    pub last_error: Option<LastError>,
}

/// The lease under which a scheme issues.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The holder's state by name: `active`, `renewing`, `acquiring`, `expired`, `lost`, …
    pub state: String,
    /// When it ends unless it is renewed; `None` where it has none.
    pub end_ms: Option<i64>,
    /// How often it was granted: more than once where one was lost or expired.
    pub grants: u64,
}

/// What went wrong, and when.
#[derive(Clone, Debug)]
pub struct LastError {
    /// When.
    pub at_ms: i64,
    /// The error's code.
    pub code: String,
    /// What it said.
    pub message: String,
}

/// Who has which nodes of one name space.
#[derive(Clone, Debug)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// What the store says of it, or why it said nothing.
    pub listing: Result<Listing, Problem>,
}

/// What the store says of a name space.
#[derive(Clone, Debug)]
pub struct Listing {
    /// What the IDs are: scheme, layout and epoch.
    pub fingerprint: String,
    /// How many nodes there are.
    pub nodes: i64,
    /// The longest lease.
    pub max_ttl_ms: i64,
    /// Until when nothing is granted; `None` where there is no quarantine.
    pub quarantine_until_ms: Option<i64>,
    /// The store's clock at the time of the listing, by which leases end.
    pub now_ms: i64,
    /// What the store keeps of the nodes, in their order.
    pub slots: Vec<Slot>,
}

/// Nodes that one lease has, or had.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The nodes.
    pub nodes: Range<i64>,
    /// Who has them, or had them last.
    pub holder: String,
    /// When the lease began.
    pub start_ms: i64,
    /// When it ends; 0 when nobody has the nodes.
    pub end_ms: i64,
    /// Before this time nobody else may begin on them; 0 when there was no lease.
    pub high_water_ms: i64,
    /// Whether this instance has them.
    pub is_own: bool,
}

impl Slot {
    /// Whether somebody has the nodes at this time.
    #[must_use]
    pub fn is_held(&self, now_ms: i64) -> bool {
        now_ms < self.end_ms
    }

    /// Whether nobody has the nodes, and nobody may begin on them yet.
    #[must_use]
    pub fn is_resting(&self, now_ms: i64) -> bool {
        !self.is_held(now_ms) && self.high_water_ms > now_ms
    }

    /// How many nodes there are.
    #[must_use]
    pub fn width(&self) -> i64 {
        self.nodes.end.saturating_sub(self.nodes.start).max(0)
    }
}

/// An error, by its code and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The code, `TEXT_LENGTH` say.
    pub code: String,
    /// What was wrong, the limits, and what to do.
    pub message: String,
}

/// What is known of the clock that IDs are made by.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// By how much it is ahead of the store's, milliseconds, negative where it is behind; `None` while the store has told no time.
    pub ahead_of_store_ms: Option<i64>,
    /// The most that it may differ, milliseconds: with more nothing is granted.
    pub max_skew_ms: Option<i64>,
    /// How long the machine is up, milliseconds; `None` where nobody tells.
    pub since_boot_ms: Option<i64>,
    /// How often it was seen to step back since the service was started.
    pub steps_back: u64,
    /// How often it was seen to jump ahead.
    pub jumps_ahead: u64,
}

/// What is going on.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// Connections that are open.
    pub connections: u64,
    /// Requests that are being answered.
    pub in_flight: u64,
    /// Requests that were answered since the service was started.
    pub answered: u64,
    /// Of these, how many were refused because too much was going on.
    pub overloaded: u64,
}

/// What the service was configured to take.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Connections at the same time.
    pub max_connections: u64,
    /// Requests at the same time.
    pub max_in_flight: u64,
    /// IDs in one request.
    pub max_batch: u64,
    /// Bytes in a request's body.
    pub max_body_bytes: u64,
    /// How long a request may take.
    pub request_timeout_ms: i64,
    /// How long a request waits for its IDs.
    pub max_wait_ms: i64,
}
