import Foundation
import Saiban
import Testing

/// Generators with a store's URL have their own lease.
final class StoreTests: StoreFolder {
    private let secret = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
    private var url: String { "sqlite://\(folder.appendingPathComponent("ids.db").path)" }

    @Test func everySchemeWithNodesTakesAStore() throws {
        for store in ["memory:stores", url] {
            try makes { try SnowflakeGenerator(layout: layout, store: store, namespace: "snowflake") }
            let others = try othersNodes(store, "randflake")
            try makes { try RandflakeGenerator(secret: secret, store: store, namespace: "randflake") }
            try others.release()
            try makes { try UlidFlakeGenerator(epochMs: epochMs, store: store, namespace: "ulid-flake") }
            try makes { try FlakeGenerator(layout: layout, store: store, namespace: "flake") }
            try makes { try TsidGenerator(layout: layout, store: store, namespace: "tsid") }
            let generators = try (0..<2).map { _ in try WideFlakeGenerator(layout: wide, store: store, namespace: "wide") }
            let nodes = try generators.map { ids in try nodeOf(ids.lease(), ids.inspect(ids.generate())) }
            #expect(nodes[0] != nodes[1])
            for ids in generators {
                try #require(ids.lease()).release()
                refused("LEASE_LOST") { try ids.generate() }
            }
        }
    }

    private func makes(_ open: () throws -> any Generator) throws {
        let generators = [try open(), try open()]
        let nodes = try generators.map { ids in
            let lease = try #require(ids.lease())
            for id in try ids.generateMany(100) { try nodeOf(lease, ids.inspect(id)) }
            return try nodeOf(lease, ids.inspect(ids.generate()))
        }
        #expect(nodes[0] != nodes[1])
        let status = try #require(generators[0].lease()).status()
        #expect(status.state == "active" && status.grants == 1 && status.why == nil)
        #expect(status.nodes == Interval(start: nodes[0], end: nodes[0] + 1))
        _ = try generators[0].generate()
        try #require(generators[0].lease()).release()
        refused("LEASE_LOST") { try generators[0].generate() }
        #expect(try #require(generators[0].lease()).status().state == "idle")
        _ = try generators[1].generate()
        try #require(generators[1].lease()).release()
    }

    /// Takes the first nodes, which other tests may use: all Randflakes have one layout.
    private func othersNodes(_ store: String, _ namespace: String) throws -> Lease {
        try Lease.acquire(store, namespace: namespace, nodes: 5_000, scheme: "randflake", secret: secret)
    }

    /// Checks that the ID has the only node of the lease, and returns it.
    @discardableResult
    private func nodeOf(_ lease: Lease?, _ parts: Parts) throws -> Int64 {
        let nodes = try #require(lease).nodes()
        #expect(nodes.end == nodes.start + 1 && parts.node == nodes.start)
        return nodes.start
    }

    @Test func aDroppedGeneratorReleasesItsLease() throws {
        var generators = try (0..<2).map { _ in try SnowflakeGenerator(layout: small, store: url) }
        refused("NAMESPACE_FULL") { try SnowflakeGenerator(layout: self.small, store: self.url) }
        // The lease lives as long as it has a holder.
        let kept = try #require(generators[0].lease())
        generators.removeFirst()
        _ = try kept.nodes()
        refused("NAMESPACE_FULL") { try SnowflakeGenerator(layout: self.small, store: self.url) }
        _ = try generators[0].generate()
        generators.removeFirst()
        try until("its node is free") {
            kind { try SnowflakeGenerator(layout: self.small, store: self.url).lease()?.release() } == nil
        }
        try kept.release()
    }

    @Test func theGivenLeaseIsThatOfTheGenerator() throws {
        let lease = try Lease.acquire(url, nodes: 3, layout: layout)
        let ids = try SnowflakeGenerator(layout: layout, lease: lease)
        let found = try #require(ids.lease())
        #expect(try found.nodes() == lease.nodes())
        let others = try SnowflakeGenerator(layout: layout, lease: found)
        _ = try others.generate()
        try found.release()
        refused("LEASE_LOST") { try lease.nodes() }
        refused("LEASE_LOST") { try others.generate() }
        #expect(try SnowflakeGenerator(node: 7, layout: layout).lease() == nil)
        #expect(try FlakeGenerator(layout: layout, node: 7).lease() == nil)
        #expect(try UlidGenerator().lease() == nil)
        #expect(try UuidGenerator(version: 7).lease() == nil)
        let wider: any WideGenerator = try WideFlakeGenerator(layout: wide, store: url, namespace: "wide")
        #expect(wider.lease() != nil)
    }

    @Test func aNamespaceIsForIdsOfOneKind() throws {
        let others = try othersNodes(url, "default")
        let randflake = try RandflakeGenerator(secret: secret, store: url)
        refused("NAMESPACE_MISMATCH") { try SnowflakeGenerator(layout: self.layout, store: self.url) }
        refused("NAMESPACE_MISMATCH") { try SnowflakeGenerator(layout: self.layout, store: self.url, namespace: "default") }
        refused("NAMESPACE_MISMATCH") { try RandflakeGenerator(secret: Data(count: 16), store: self.url) }
        refused("NAMESPACE_MISMATCH") { try Lease.acquire(self.url) }
        _ = try SnowflakeGenerator(layout: layout, store: url, namespace: "orders").generate()
        _ = try randflake.generate()
        try others.release()
    }

    @Test func contradictoryOrIncompleteSourcesOfNodesAreRefused() throws {
        let lease = try Lease.acquire(url, layout: layout)
        let both = refused("INVALID_ARGUMENT") { try SnowflakeGenerator(layout: self.layout, lease: lease, store: self.url) }
        #expect(both.contains("give one of them"), "\(both)")
        let alone = refused("INVALID_ARGUMENT") { try SnowflakeGenerator(namespace: "orders") }
        #expect(alone.contains("store"), "\(alone)")
        let (url, layout, some) = (url, layout, Interval(0..<4))
        let refusals: [() throws -> any Generator] = [
            { try SnowflakeGenerator(node: 7, layout: layout, store: url) },
            { try SnowflakeGenerator(nodes: some, layout: layout, store: url) },
            { try SnowflakeGenerator(layout: layout, window: some, store: url) },
            { try SnowflakeGenerator(layout: layout, notBefore: 1, store: url) },
            { try SnowflakeGenerator(layout: layout, state: "/dev/null/state", store: url) },
            { try UlidFlakeGenerator(scalability: 3, store: url, namespace: "ulid-flake") },
            { try UlidFlakeGenerator(allowCollisions: true, store: url, namespace: "ulid-flake") },
            { try FlakeGenerator(layout: .fromText("timestamp:42 sequence:22"), store: url, namespace: "no-node") },
            { try SnowflakeGenerator(store: "ids.db") },
            { try SnowflakeGenerator(store: url, namespace: "my orders") },
        ]
        for refusal in refusals {
            refused("INVALID_ARGUMENT", refusal)
        }
        // A layout of the other width cannot use the lease.
        refused("INVALID_LAYOUT") { try FlakeGenerator(layout: self.wide, store: url, namespace: "width") }
        refused("NAMESPACE_UNKNOWN") {
            try Lease.acquire(url, namespace: "width", scheme: "flake", layout: self.wide, create: false)
        }
    }

    /// Waits until the condition holds, and fails after a time that is enough on any machine.
    private func until(_ what: String, _ isSo: () throws -> Bool) throws {
        for _ in 0..<3_000 {
            if try isSo() { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        Issue.record("not within a minute: \(what)")
    }
}
