import Foundation
import Saiban
import Testing

/// Generators with a lease use only its nodes, and report why they have none.
final class LeaseTests: StoreFolder {
    let secret = bytesOfHex("ab5345435245542d4f462d4f555253ef")

    private var file: URL { folder.appendingPathComponent("ids.db") }
    private var url: String { "sqlite://\(file.path)" }

    @Test func leasesOfAFileAreDisjointAndGiveNodesToGenerators() throws {
        try checkStore(url, create: nil)
    }

    @Test(arguments: ["postgres", "mysql", "redis", "etcd", "zookeeper", "saiban"])
    func leasesOfAServerAreDisjointAndGiveNodesToGenerators(kind server: String) throws {
        // ../../test starts the server.
        let url = try #require(ProcessInfo.processInfo.environment["SAIBAN_URL_\(server.uppercased())"])
        // An empty server may mean that data was lost, so it needs `create`.
        let unknown = refused("NAMESPACE_UNKNOWN") { try Lease.acquire(url, namespace: "orders", layout: self.layout) }
        #expect(unknown.contains("\"orders\""), "\(unknown)")
        try checkStore(url, create: true)
    }

    private func checkStore(_ url: String, create: Bool?) throws {
        let one = try Lease.acquire(url, namespace: "orders", nodes: 4, ttlS: 60, layout: layout, create: create)
        let two = try Lease.acquire(url, namespace: "orders", nodes: 3, ttlS: 60, layout: layout)
        let nodes = try [one.nodes(), two.nodes()]
        #expect(nodes.map { $0.end - $0.start } == [4, 3])
        #expect(nodes[0].end <= nodes[1].start || nodes[1].end <= nodes[0].start, "\(nodes)")

        let generators = try [one, two].map { try SnowflakeGenerator(layout: layout, lease: $0) }
        let made = try generators.map { ids in try ids.generateMany(2_000) + [ids.generate()] }
        for (nodes, ids) in zip(nodes, made) {
            let strays = try ids.filter { has(nodes, try generators[0].inspect($0).node) == false }
            #expect(strays.isEmpty)
        }
        #expect(Set(made.joined()).count == 4_002)

        let status = try one.status()
        #expect(status.nodes == nodes[0] && status.state == "active" && status.grants == 1 && status.why == nil)
        #expect(try #require(status.end).timeIntervalSince1970 == Double(status.endMs) / 1_000)
        try one.renew()
        try until("it was renewed") { try one.status().renewals == 1 && one.status().state == "active" }
        #expect(try one.status().endMs >= status.endMs)
        _ = try generators[0].generate()

        try one.release()
        let lost = refused("LEASE_LOST") { try generators[0].generate() }
        #expect(lost.contains("released") && lost.contains("acquire a new one"), "\(lost)")
        refused("LEASE_LOST") { try generators[0].tryGenerate() }
        refused("LEASE_LOST") { try generators[0].generateMany(2) }
        refused("LEASE_LOST") { try generators[0].generateText() }
        refused("LEASE_LOST") {
            var buffer: [Int64] = [0, 0]
            return try generators[0].fill(&buffer)
        }
        refused("LEASE_LOST") { try one.nodes() }
        #expect(try one.status() == LeaseStatus(state: "idle", nodes: nil, endMs: 0, grants: 1, renewals: 1, why: nil))
        #expect(try one.status().end == nil)
        // Reading an ID needs no lease.
        #expect(try generators[0].inspect(made[0][0]).id == made[0][0])
        try one.release()
        _ = try generators[1].generate()
        try two.release()
        refused("LEASE_LOST") { try generators[1].generate() }
    }

    @Test func everySchemeWithNodesTakesALease() throws {
        let memory = "memory:schemes"
        let snowflake = try Lease.acquire(memory, namespace: "snowflake", nodes: 2, layout: layout)
        try makes(snowflake, SnowflakeGenerator(layout: layout, lease: snowflake))
        // Other tests use Randflake nodes below 4,000.
        var randflake: Lease
        repeat {
            randflake = try Lease.acquire(memory, namespace: "randflake", nodes: 2, scheme: "randflake", secret: secret)
        } while try randflake.nodes().start < 4_000
        try makes(randflake, RandflakeGenerator(secret: secret, lease: randflake))
        let ulid = try Layout(fields: Layout.preset(name: "ulid-flake-scalable").fields(), epochMs: epochMs)
        let ulidFlake = try Lease.acquire(memory, namespace: "ulid-flake", scheme: "ulid-flake", layout: ulid)
        try makes(ulidFlake, UlidFlakeGenerator(epochMs: epochMs, lease: ulidFlake))
        let flake = try Lease.acquire(memory, namespace: "flake", nodes: 2, scheme: "flake", layout: small)
        try makes(flake, FlakeGenerator(layout: small, lease: flake))

        let wider = try Lease.acquire(memory, namespace: "wide", nodes: 2, scheme: "flake", layout: wide)
        let ids = try WideFlakeGenerator(layout: wide, lease: wider)
        for id in try ids.generateMany(100) + [ids.generate(), ids.fromText(ids.generateText())] {
            #expect(has(try wider.nodes(), try ids.inspect(id).node))
        }
        try wider.release()
        refused("LEASE_LOST") { try ids.generate() }
        refused("LEASE_LOST") { try ids.tryGenerate() }
        refused("LEASE_LOST") { try ids.generateMany(2) }
        refused("LEASE_LOST") { try ids.generateText() }
        refused("LEASE_LOST") {
            var buffer = Data(count: 32)
            return try ids.fill(&buffer)
        }
    }

    private func makes(_ lease: Lease, _ ids: any Generator) throws {
        for id in try ids.generateMany(100) + [ids.generate(), ids.fromText(ids.generateText())] {
            #expect(has(try lease.nodes(), try ids.inspect(id).node))
        }
        #expect(try ids.stats().guarantee == .unique)
        try lease.release()
        refused("LEASE_LOST") { try ids.generate() }
    }

    @Test func aLeaseIsForIdsOfOneKind() throws {
        let lease = try Lease.acquire(url, namespace: "orders")
        // The default layout of Snowflake is Twitter's.
        try Lease.acquire(url, namespace: "orders", layout: .twitter).release()
        refused("NAMESPACE_MISMATCH") { try Lease.acquire(self.url, namespace: "orders", layout: .discord) }
        refused("NAMESPACE_MISMATCH") { try Lease.acquire(self.url, namespace: "orders", scheme: "ulid-flake") }
        refused("NAMESPACE_MISMATCH") {
            try Lease.acquire(self.url, namespace: "orders", scheme: "randflake", secret: self.secret)
        }
        refused("NAMESPACE_MISMATCH") { try SnowflakeGenerator(layout: .discord, lease: lease) }
        refused("NAMESPACE_MISMATCH") { try RandflakeGenerator(secret: self.secret, lease: lease) }
        refused("NAMESPACE_MISMATCH") { try UlidFlakeGenerator(lease: lease) }
        refused("NAMESPACE_MISMATCH") { try FlakeGenerator(layout: self.small, lease: lease) }
        refused("NAMESPACE_MISMATCH") { try WideFlakeGenerator(layout: self.wide, lease: lease) }
        // Another secret means another scheme.
        let ours = try Lease.acquire("memory:secrets", scheme: "randflake", secret: secret)
        refused("NAMESPACE_MISMATCH") { try RandflakeGenerator(secret: Data(count: 16), lease: ours) }
        refused("NAMESPACE_MISMATCH") {
            try Lease.acquire("memory:secrets", scheme: "randflake", secret: Data(count: 16))
        }
    }

    @Test func aLeaseIsRefusedBesideNodesOrTimes() throws {
        let lease = try Lease.acquire(url, layout: layout)
        let some = Interval(0..<4)
        refused("INVALID_ARGUMENT") { try SnowflakeGenerator(node: 7, layout: self.layout, lease: lease) }
        refused("INVALID_ARGUMENT") { try SnowflakeGenerator(nodes: some, layout: self.layout, lease: lease) }
        refused("INVALID_ARGUMENT") { try SnowflakeGenerator(layout: self.layout, window: some, lease: lease) }
        refused("INVALID_ARGUMENT") { try SnowflakeGenerator(layout: self.layout, notBefore: 1, lease: lease) }
        refused("INVALID_ARGUMENT") {
            try SnowflakeGenerator(
                layout: self.layout, state: self.folder.appendingPathComponent("state").path, lease: lease)
        }
        _ = try SnowflakeGenerator(layout: layout, shards: 1, maxWaitMs: 50, lease: lease).generate()
        let id = try Lease.acquire("memory:alone", scheme: "ulid-flake")
        refused("INVALID_ARGUMENT") { try UlidFlakeGenerator(scalability: 3, lease: id) }
        refused("INVALID_ARGUMENT") { try UlidFlakeGenerator(allowCollisions: true, lease: id) }
    }

    @Test func impossibleOptionsAreRefusedAndShowNoSecret() throws {
        let password = "correct-horse"
        let refusals: [() throws -> Lease] = [
            { try Lease.acquire(self.url, ttlS: 0) },
            { try Lease.acquire(self.url, ttlS: -1) },
            { try Lease.acquire(self.url, ttlS: 3_601) },
            { try Lease.acquire(self.url, nodes: 0) },
            { try Lease.acquire(self.url, nodes: 1_025) },
            { try Lease.acquire(self.url, namespace: "") },
            { try Lease.acquire(self.url, namespace: "my orders") },
            { try Lease.acquire(self.url, maxTtlS: 0) },
            { try Lease.acquire(self.url, scheme: "uuid-v7") },
            { try Lease.acquire(self.url, scheme: "flake") },
            { try Lease.acquire(self.url, layout: .mastodon) },
            { try Lease.acquire(self.url, secret: self.secret) },
            { try Lease.acquire(self.url, scheme: "randflake") },
            { try Lease.acquire("") },
            { try Lease.acquire("ids.db") },
            { try Lease.acquire("oracle://shop:\(password)@localhost/ids") },
            { try Lease.acquire("postgres://shop:\(password)@[localhost/ids") },
        ]
        for refusal in refusals {
            let message = refused("INVALID_ARGUMENT", refusal)
            #expect(!message.contains(password), "\(message)")
        }
        refused("UNKNOWN_NAME") { try Lease.acquire(self.url, scheme: "friendster") }
        refused("INVALID_SECRET") {
            try Lease.acquire(self.url, scheme: "randflake", secret: Data(self.secret.prefix(15)))
        }
        let lease = try Lease.acquire("memory:shown", scheme: "randflake", secret: secret)
        var dumped = ""
        dump(lease, to: &dumped)
        let hex = secret.map { String(format: "%02x", $0) }.joined()
        let forms = [hex, [UInt8](secret).map { "\($0)" }.joined(separator: ", "), secret.base64EncodedString()]
        for shown in ["\(lease)", String(reflecting: lease), dumped, "\(try lease.status())"] {
            for form in forms { #expect(!shown.contains(form)) }
        }
    }

    // No server listens at port 1.
    @Test(arguments: [
        "postgres://shop:correct-horse@127.0.0.1:1/0", "mysql://shop:correct-horse@127.0.0.1:1/0", "redis://shop:correct-horse@127.0.0.1:1/0",
        "etcd://shop:correct-horse@127.0.0.1:1/0", "zookeeper://shop:correct-horse@127.0.0.1:1/0", "saiban://:correct-horse@127.0.0.1:1",
    ])
    func anUnreachableServerIsUnavailable(url server: String) {
        let message = refused("STORE_UNAVAILABLE") {
            try Lease.acquire(server, waitS: 1)
        }
        #expect(message.contains("127.0.0.1") && !message.contains("correct-horse"), "\(message)")
    }

    @Test func aPathWhereNoFileCanBeIsUnavailableAndAForeignFileIsCorrupt() throws {
        for path in ["/proc/ids.db", folder.path, folder.appendingPathComponent("missing/ids.db").path] {
            refused("STORE_UNAVAILABLE") { try Lease.acquire("sqlite://\(path)", waitS: 1) }
        }
        try Data(String(repeating: "not a database, but long enough to be one. ", count: 100).utf8).write(to: file)
        refused("STORE_CORRUPT") { try Lease.acquire(self.url, waitS: 1) }
        try FileManager.default.removeItem(at: file)
        refused("NAMESPACE_UNKNOWN") { try Lease.acquire(self.url, create: false) }
    }

    @Test func anUnreferencedLeaseIsReleased() throws {
        func leaseAllAndDropThem() throws {
            // The generator keeps the lease.
            let ids = try SnowflakeGenerator(layout: small, lease: Lease.acquire(url, nodes: 2, layout: small))
            _ = try ids.generate()
            refused("NAMESPACE_FULL") { try Lease.acquire(self.url, layout: self.small) }
            _ = try ids.generate()
        }
        try leaseAllAndDropThem()
        try until("the nodes are back") {
            kind { try Lease.acquire(self.url, nodes: 2, layout: self.small).release() } == nil
        }
    }

    @Test func aLeaseThatTheStoreDoesNotRenewReportsWhyAndIsFollowedByANewOne() throws {
        // A store that was restored without known leases is quarantined for the maximum lease time,
        // so keep that short.
        try Lease.acquire(url, ttlS: 4, layout: layout, maxTtlS: 4).release()
        let kept = try Data(contentsOf: file)
        let lease = try Lease.acquire(url, nodes: 2, ttlS: 4, layout: layout)
        let ids = try SnowflakeGenerator(layout: layout, lease: lease)
        let before = try ids.generateMany(100)
        // Write into the existing file, which the store has open.
        let handle = try FileHandle(forWritingTo: file)
        func put(_ content: Data) throws {
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: content)
            try handle.truncate(atOffset: UInt64(content.count))
        }
        var last = ""
        try until("it is over, and why is known") {
            try put(Data(repeating: 0x2a, count: kept.count))
            do {
                _ = try ids.generate()
            } catch let error as SaibanError {
                #expect(["LEASE_EXPIRED", "LEASE_LOST"].contains(error.kind), "\(error)")
                last = error.message
            }
            return last.contains("there is no lease at the moment")
        }
        #expect(try lease.status().nodes == nil)
        #expect(last.contains(try #require(try lease.status().why)), "\(last)")
        #expect(kind { try lease.nodes() } != nil)
        try put(kept)
        try until("there is a new one") { kind { try ids.generate() } == nil }
        #expect(try lease.status().grants >= 2)
        let after = try ids.generateMany(100)
        #expect(Set(before + after).count == 200)
    }

    @Test func twoLeasesAndTheirThreadsRepeatNothing() throws {
        let leases = try (0..<2).map { _ in try Lease.acquire(url, namespace: "orders", nodes: 4, layout: layout) }
        let generators = try leases.map { try SnowflakeGenerator(layout: layout, shards: 2, lease: $0) }
        nonisolated(unsafe) var made = [[Int64]](repeating: [], count: 4)
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            do {
                let mine = try (0..<20).flatMap { _ in try generators[index % 2].generateMany(500) }
                lock.withLock { made[index] = mine }
            } catch {
                Issue.record(error)
            }
        }
        #expect(Set(made.joined()).count == 40_000)
    }

    @Test func aLeaseCanBeAwaited() async throws {
        let lease = try await Lease.acquire(url, namespace: "orders", nodes: 2, layout: layout)
        let ids = try SnowflakeGenerator(layout: layout, lease: lease)
        #expect(has(try lease.nodes(), try ids.inspect(ids.generate()).node))
        try await lease.release()
        refused("LEASE_LOST") { try ids.generate() }
        await #expect(throws: SaibanError.self) { try await Lease.acquire(self.url, nodes: 0) }
    }

    @Test func aCancelledTaskReleasesItsLease() async throws {
        let (url, layout) = (url, small)
        let task = Task { try await Lease.acquire(url, nodes: 2, layout: layout) }
        task.cancel()
        // If the cancellation came too late, release the lease.
        if case .success(let lease) = await task.result { try await lease.release() }
        for _ in 0..<3_000 {
            do {
                return try await Lease.acquire(url, nodes: 2, layout: layout).release()
            } catch SaibanError.NamespaceFull {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        Issue.record("not within a minute: the nodes are back")
    }

    private func has(_ nodes: Interval, _ node: Int64?) -> Bool {
        node.map { nodes.start <= $0 && $0 < nodes.end } ?? false
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
