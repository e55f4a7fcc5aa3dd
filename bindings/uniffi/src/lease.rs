//! Leases: nodes that nobody else has, for Kotlin and Swift.

use crate::convert::Interval;
use crate::error::{SaibanError, guard};
use crate::layout::Layout;
use saiban::{Scheme, Secret};
use saiban_coordination::LeaseOptions;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Nodes that nobody else has: a range of node ids from a store that the fleet has already, renewed
/// in the background after a third of its time, and given back when it is released. Generators that
/// are made with it issue IDs of its nodes and its time only.
///
/// Where the store gives no more time before the lease ends, or says that it is another's,
/// generators stop with an error that says why, and a new lease is acquired as soon as there is
/// one: its nodes may be others, and generators go on by themselves.
///
/// ```kotlin
/// Lease.acquire("sqlite:///var/lib/shop/ids.db", namespace = "orders", nodes = 4).use { lease ->
///     val ids = SnowflakeGenerator(lease = lease)
///     ids.generate()
/// }                                            // released
/// ```
/// ```swift
/// let lease = try Lease.acquire("sqlite:///var/lib/shop/ids.db", namespace: "orders", nodes: 4)
/// let ids = try SnowflakeGenerator(lease: lease)
/// try ids.generate()
/// try lease.release()
/// ```
#[derive(uniffi::Object)]
pub struct Lease(saiban_coordination::Lease);

#[uniffi::export]
impl Lease {
    /// Acquires a lease from the store that this URL names, and waits for it: `sqlite:///path`
    /// (`sqlite:path` from the program's folder), `postgres://…`, `mysql://…`, `redis://…`,
    /// `etcd://…`, `zookeeper://…`, `saiban://…`, or `memory:NAME`, which is in this process alone.
    ///
    /// - `namespace`: generators whose IDs go into one column have one: 1 to 64 of the characters
    ///   A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
    /// - `nodes`: how many, next to each other: 1 to 65,536, by default 1.
    /// - `ttl_s`: for how long at a time, seconds: 1 up to what the namespace allows, by default
    ///   600.
    /// - `scheme`: of the IDs, `snowflake` by default: one whose generators take a `lease`.
    /// - `layout`: theirs, which must have nodes; by default the scheme's own, of a Snowflake
    ///   Twitter's. A Flake has none of its own.
    /// - `secret`: 16 bytes, of a Randflake and only of one. The store is told a number that tells
    ///   secrets apart, and nothing else of it.
    /// - `create`: whether the namespace is made where there is none. An empty store is not proof
    ///   that nobody has nodes: by default only SQLite's, where trying it out is one line, is made,
    ///   and one in memory.
    /// - `max_ttl_s`: the longest lease that a namespace made so allows, seconds, which is also how
    ///   long it is in quarantine after a loss; by default 3,600.
    /// - `max_clock_skew_s`: how far this machine's clock may be from the store's, seconds; by
    ///   default 10.
    /// - `holder`: who holds it, for people, up to 120 characters; by default host and process id.
    /// - `wait_s`: how long to wait for a store that cannot be reached, seconds; by default 10.
    ///
    /// Errors: `InvalidArgument` for a URL, a name or numbers that cannot be; `UnknownName` for a
    /// scheme; `InvalidSecret`; `StoreUnavailable` when the store could not be reached in `wait_s`;
    /// at once `NamespaceUnknown`, `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`,
    /// `ClockSkew`, `StoreCorrupt`, `StoreUnsupported`. No message holds a password.
    #[uniffi::constructor(name = "new", default(
        namespace = None, nodes = None, ttl_s = None, scheme = None, layout = None, secret = None, create = None,
        max_ttl_s = None, max_clock_skew_s = None, holder = None, wait_s = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "named arguments in Kotlin and Swift")]
    pub fn acquire(
        url: String,
        namespace: Option<String>,
        nodes: Option<i64>,
        ttl_s: Option<i64>,
        scheme: Option<String>,
        layout: Option<Arc<Layout>>,
        secret: Option<Vec<u8>>,
        create: Option<bool>,
        max_ttl_s: Option<i64>,
        max_clock_skew_s: Option<i64>,
        holder: Option<String>,
        wait_s: Option<i64>,
    ) -> Result<Self, SaibanError> {
        guard(|| {
            let secret = secret.map(Zeroizing::new);
            let by_default = LeaseOptions::default();
            let options = LeaseOptions {
                namespace: namespace.unwrap_or(by_default.namespace),
                nodes: nodes.unwrap_or(by_default.nodes),
                ttl_s: ttl_s.unwrap_or(by_default.ttl_s),
                scheme: scheme.as_deref().map_or(Ok(by_default.scheme), Scheme::from_name)?,
                layout: layout.map(|layout| layout.to_core()),
                secret: secret.as_deref().map(|secret| Secret::from_slice(secret)).transpose()?,
                create,
                max_ttl_s: max_ttl_s.unwrap_or(by_default.max_ttl_s),
                max_clock_skew_s: max_clock_skew_s.unwrap_or(by_default.max_clock_skew_s),
                holder,
                wait_s: wait_s.unwrap_or(by_default.wait_s),
            };
            Ok(Lease(saiban_coordination::Lease::acquire(&url, &options)?))
        })
    }

    /// The nodes that it has now, half-open. Those of a lease that follows a lost one may be
    /// others.
    ///
    /// Errors: `LeaseLost` while there is no lease, or why there is none, `StoreUnavailable` say.
    pub fn nodes(&self) -> Result<Interval, SaibanError> {
        guard(|| Ok(Interval(self.0.grant()?.nodes())))
    }

    /// How it is doing.
    ///
    /// Errors: in a copy of the process made by fork, which acquires a lease of its own first, as
    /// `acquire`; `Forked` there for one of `memory:`.
    pub fn status(&self) -> Result<LeaseStatus, SaibanError> {
        guard(|| Ok(self.0.status()?.into()))
    }

    /// Asks for more time now instead of after a third of it. How that goes `status` tells.
    ///
    /// Errors: as `status`.
    pub fn renew(&self) -> Result<(), SaibanError> {
        guard(|| Ok(self.0.renew()?))
    }

    /// Closes every generator of the lease and gives its nodes back, which others may have at once.
    /// Waits for at most 5 seconds for the store; where it cannot be told the lease ends by itself.
    /// Once released it stays so; released again it does nothing.
    ///
    /// Errors: `StoreUnavailable` when the store could not be told.
    pub fn release(&self) -> Result<(), SaibanError> {
        guard(|| Ok(self.0.release()?))
    }
}

impl Lease {
    pub(crate) fn of(core: saiban_coordination::Lease) -> Self {
        Lease(core)
    }

    pub(crate) fn to_core(&self) -> &saiban_coordination::Lease {
        &self.0
    }
}

/// How a lease is doing.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct LeaseStatus {
    /// `idle` (released), `acquiring`, `active`, `renewing`, `draining`, `expired`, `lost` or
    /// `invalid`.
    pub state: String,
    /// The nodes, half-open; absent while there is no lease.
    pub nodes: Option<Interval>,
    /// When the lease ends unless it is renewed, Unix milliseconds; 0 without a lease.
    pub end_ms: i64,
    /// How many leases there were: more than one, when one was lost, or expired.
    pub grants: i64,
    /// How often it was renewed.
    pub renewals: i64,
    /// What went wrong when the store was asked last; absent where nothing did.
    pub why: Option<String>,
}

impl From<saiban_coordination::Status> for LeaseStatus {
    fn from(status: saiban_coordination::Status) -> Self {
        // Nobody lives to see one of these overflow.
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        LeaseStatus {
            state: status.state.name().into(),
            nodes: status.nodes.map(Interval),
            end_ms: status.end_ms,
            grants: signed(status.grants),
            renewals: signed(status.renewals),
            why: status.why.map(|why| why.to_string()),
        }
    }
}
