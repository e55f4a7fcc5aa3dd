//! Leases of nodes, for Kotlin and Swift.

use crate::convert::Interval;
use crate::error::{SaibanError, guard};
use crate::layout::Layout;
use saiban::{Scheme, Secret};
use saiban_coordination::LeaseOptions;
use std::sync::Arc;
use zeroize::Zeroizing;

/// A lease of nodes: a range of node ids from a store that the fleet already runs. It is renewed in
/// the background after a third of its time, until it is released. Generators of a lease issue IDs
/// of its nodes, and only within its time.
///
/// If the store does not extend the lease before it ends, or if another holder has the nodes,
/// generators fail with an error that says why. saiban acquires a new lease as soon as possible,
/// perhaps of different nodes, and generators continue by themselves.
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
    /// - `namespace`: generators whose IDs go into one column must use the same: 1 to 64 of the
    ///   characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
    /// - `nodes`: the number of adjacent nodes: 1 to 65,536, by default 1.
    /// - `ttl_s`: the length of the lease, seconds: 1 up to the namespace's maximum, by default
    ///   600.
    /// - `scheme`: the scheme of the IDs, by default `snowflake`: one whose generators take a
    ///   `lease`.
    /// - `layout`: the layout of the IDs, which must have nodes; by default the scheme's own, for
    ///   Snowflake Twitter's. Flake has no default.
    /// - `secret`: 16 bytes, for Randflake only. The store gets only a check number of it.
    /// - `create`: whether to create the namespace if it does not exist. An empty store may mean
    ///   that data was lost, so by default only namespaces in SQLite and in memory are created.
    /// - `max_ttl_s`: the longest lease that a new namespace allows, seconds, which is also how
    ///   long it is in quarantine after a loss; by default 3,600.
    /// - `max_clock_skew_s`: how far this machine's clock may be from the store's, seconds; by
    ///   default 10.
    /// - `holder`: the name of this program in listings, up to 120 characters; by default host and
    ///   process id.
    /// - `wait_s`: how long to wait for a store that cannot be reached, seconds; by default 10.
    ///
    /// Errors: `InvalidArgument` for an invalid URL, name or number; `UnknownName` for a scheme;
    /// `InvalidSecret`; `StoreUnavailable` when the store could not be reached in `wait_s`; at once
    /// `NamespaceUnknown`, `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`,
    /// `ClockSkew`, `StoreCorrupt`, `StoreUnsupported`. No message contains a password.
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

    /// The current nodes, half-open. They can change if the lease was lost or has expired, and in a
    /// forked process.
    ///
    /// Errors: `LeaseLost` without a lease, or the reason, such as `StoreUnavailable`.
    pub fn nodes(&self) -> Result<Interval, SaibanError> {
        guard(|| Ok(Interval(self.0.grant()?.nodes())))
    }

    /// Returns the status of the lease. The store is not contacted, except in a forked process,
    /// which first acquires its own lease.
    ///
    /// Errors: in a forked process those of `acquire`, and `Forked` for a lease of `memory:`.
    pub fn status(&self) -> Result<LeaseStatus, SaibanError> {
        guard(|| Ok(self.0.status()?.into()))
    }

    /// Requests a renewal now instead of after a third of the time. It does not wait for the reply:
    /// see `status`.
    ///
    /// Errors: as `status`.
    pub fn renew(&self) -> Result<(), SaibanError> {
        guard(|| Ok(self.0.renew()?))
    }

    /// Closes every generator of the lease and releases its nodes, which other holders may get at
    /// once. It waits for the store for at most 5 seconds; if the store does not reply the lease
    /// expires. A release is final, and a second call does nothing.
    ///
    /// Errors: `StoreUnavailable` if the store does not reply.
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

/// The status of a lease.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct LeaseStatus {
    /// `idle` (released), `acquiring`, `active`, `renewing`, `draining`, `expired`, `lost` or
    /// `invalid`.
    pub state: String,
    /// The nodes, half-open; absent while there is no lease.
    pub nodes: Option<Interval>,
    /// When the lease ends unless it is renewed, Unix milliseconds; 0 without a lease.
    pub end_ms: i64,
    /// The number of leases so far: more than one if a lease was lost or expired.
    pub grants: i64,
    /// The number of renewals.
    pub renewals: i64,
    /// The error of the last request to the store; absent if it succeeded.
    pub why: Option<String>,
}

impl From<saiban_coordination::Status> for LeaseStatus {
    fn from(status: saiban_coordination::Status) -> Self {
        // None of these numbers exceeds 63 bits in practice.
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
