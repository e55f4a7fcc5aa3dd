import Dispatch
import Foundation

extension Lease {
    /// Acquires a lease from the store that this URL names, and waits for it: `sqlite:///path`
    /// (`sqlite:path` from the program's folder), `postgres://…`, `mysql://…`, `redis://…`,
    /// `etcd://…`, `zookeeper://…`, `saiban://…`, or `memory:NAME`, which is in this process alone.
    ///
    /// The lease is released by `release()`, or when the last reference to it and to its generators
    /// is gone.
    ///
    /// - Parameters:
    ///   - namespace: generators whose IDs go into one column must use the same: 1 to 64 of the
    ///   characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`.
    ///   - nodes: the number of adjacent nodes: 1 to 65,536, by default 1.
    ///   - ttlS: the length of the lease, seconds: 1 up to the namespace's maximum, by default 600.
    ///   - scheme: the scheme of the IDs, by default `snowflake`: one whose generators take a
    ///   `lease`.
    ///   - layout: the layout of the IDs, which must have nodes; by default the scheme's own, for
    ///   Snowflake Twitter's. Flake has no default.
    ///   - secret: 16 bytes, for Randflake only. The store gets only a check number of it.
    ///   - create: whether to create the namespace if it does not exist. An empty store may mean
    ///   that data was lost, so by default only namespaces in SQLite and in memory are created.
    ///   - maxTtlS: the longest lease that a new namespace allows, seconds, which is also how long
    ///   it is in quarantine after a loss; by default 3,600.
    ///   - maxClockSkewS: how far this machine's clock may be from the store's, seconds; by default
    ///   10.
    ///   - holder: the name of this program in listings, up to 120 characters; by default host and
    ///   process id.
    ///   - waitS: how long to wait for a store that cannot be reached, seconds; by default 10.
    ///
    /// Errors: `InvalidArgument` for an invalid URL, name or number; `UnknownName` for a scheme;
    /// `InvalidSecret`; `StoreUnavailable` when the store could not be reached in `waitS`; at once
    /// `NamespaceUnknown`, `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`,
    /// `ClockSkew`, `StoreCorrupt`, `StoreUnsupported`. No message contains a password.
    ///
    /// ```swift
    /// let lease = try Lease.acquire("sqlite:///var/lib/shop/ids.db", namespace: "orders", nodes: 4)
    /// let ids = try SnowflakeGenerator(lease: lease)
    /// ```
    public static func acquire(
        _ url: String, namespace: String? = nil, nodes: Int64? = nil, ttlS: Int64? = nil, scheme: String? = nil,
        layout: Layout? = nil, secret: Data? = nil, create: Bool? = nil, maxTtlS: Int64? = nil, maxClockSkewS: Int64? = nil,
        holder: String? = nil, waitS: Int64? = nil
    ) throws -> Lease {
        try Lease(
            url: url, namespace: namespace, nodes: nodes, ttlS: ttlS, scheme: scheme, layout: layout, secret: secret,
            create: create, maxTtlS: maxTtlS, maxClockSkewS: maxClockSkewS, holder: holder, waitS: waitS)
    }

    /// Acquires a lease without blocking other tasks. If the task is cancelled, the lease is
    /// released.
    ///
    /// Errors: those of the `acquire` that is not async; `CancellationError`.
    ///
    /// ```swift
    /// let lease = try await Lease.acquire("sqlite:///var/lib/shop/ids.db", namespace: "orders", nodes: 4)
    /// ```
    public static func acquire(
        _ url: String, namespace: String? = nil, nodes: Int64? = nil, ttlS: Int64? = nil, scheme: String? = nil,
        layout: Layout? = nil, secret: Data? = nil, create: Bool? = nil, maxTtlS: Int64? = nil, maxClockSkewS: Int64? = nil,
        holder: String? = nil, waitS: Int64? = nil
    ) async throws -> Lease {
        let lease = try await onAThread {
            try Lease(
                url: url, namespace: namespace, nodes: nodes, ttlS: ttlS, scheme: scheme, layout: layout, secret: secret,
                create: create, maxTtlS: maxTtlS, maxClockSkewS: maxClockSkewS, holder: holder, waitS: waitS)
        }
        try Task.checkCancellation()
        return lease
    }

    /// Releases the nodes like the `release` that is not async, without blocking other tasks.
    ///
    /// Errors: `StoreUnavailable` if the store does not reply.
    public func release() async throws {
        try await onAThread { try self.release() }
    }
}

/// Runs a call that waits for a server on a thread other than the few that all tasks share.
private func onAThread<T: Sendable>(_ run: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: run)) }
    }
}
