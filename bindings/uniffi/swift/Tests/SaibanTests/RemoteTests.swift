import Foundation
import Saiban
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// IDs from a real service, and leases of its store.
struct RemoteTests {
    /// The service that ../../test has started.
    private let url: String

    init() throws {
        url = try #require(ProcessInfo.processInfo.environment["SAIBAN_URL_SAIBAN"])
    }

    /// With limits that even a slow machine does not reach.
    private func numbers(block: Int64 = 100) throws -> RemoteGenerator {
        try RemoteGenerator(url: url, scheme: "snowflake", block: block, maxAgeMs: 3_600_000, waitS: 60)
    }

    /// Repeats until an ID is prefetched.
    private func prefetched<ID>(_ tryGenerate: () throws -> ID?) throws -> ID {
        while true {
            if let id = try tryGenerate() { return id }
        }
    }

    @Test func anIdIsOfTheServicesSchemeInEveryForm() async throws {
        let ids = try numbers(block: 10)
        #expect(ids.name() == "snowflake")
        #expect("\(try #require(ids.layout()))" == "\(Layout.twitter)")
        #expect(try ids.status() == RemoteStatus(prefetched: 0, dropped: 0, calls: 0, why: nil))
        let id: Int64 = try ids.generate()
        let parts = try ids.inspect(id)
        #expect(parts.scheme == "snowflake" && parts.layout == "twitter" && parts.id == id)
        #expect(try ids.fromText(ids.toText(id)) == id)
        #expect(try ids.inspect(ids.toText(id)) == parts)
        var buffer = [Int64](repeating: 0, count: 25)
        #expect(try ids.fill(&buffer) == 25)
        let one = try [id, ids.fromText(ids.generateText()), await ids.generateAsync(), prefetched(ids.tryGenerate)]
        #expect(try Set(one + buffer + ids.generateMany(25)).count == 54)
        let time = try #require(parts.time)
        let range = try ids.range(start: time, end: time + 0.001)
        #expect(range.first <= id && id <= range.last)
        let stats = try ids.stats()
        #expect(stats.issued == 54 && stats.guarantee == .unique)
        let status = try ids.status()
        #expect(status.prefetched > 0 && status.calls >= 6 && status.dropped == 0 && status.why == nil, "\(status)")
    }

    @Test func uuidsAreUuids() async throws {
        let keys = try RemoteUuidGenerator(url: url, scheme: "uuid-v7", block: 100, maxAgeMs: 3_600_000, waitS: 60)
        let key: UUID = try keys.generate()
        #expect(try keys.inspect(key).scheme == "uuid-v7")
        #expect(try keys.toText(key) == key.uuidString.lowercased())
        #expect(try keys.fromText(key.uuidString.lowercased()) == key)
        #expect(try keys.inspect(key.uuidString.lowercased()) == keys.inspect(key))
        var buffer = Data(count: 16 * 30)
        #expect(try keys.fill(&buffer) == 30)
        let filled = try stride(from: 0, to: buffer.count, by: 16).map { try keys.fromBytes(bytes: buffer[$0..<$0 + 16]) }
        let one = try [key, keys.fromText(keys.generateText()), await keys.generateAsync(), prefetched(keys.tryGenerate)]
        #expect(try Set(one + filled + keys.generateMany(100)).count == 134)
        let time = try #require(try keys.inspect(key).time)
        let range = try keys.range(start: time, end: time + 0.001)
        #expect(range.first.uuidString <= key.uuidString && key.uuidString <= range.last.uuidString)
        #expect(keys.layout() == nil)
        // For a column of UUIDs, ULIDs have the bytes of UUIDs.
        let ulids = try RemoteUuidGenerator(url: url, scheme: "ulid", waitS: 60)
        #expect(try ulids.inspect(ulids.generate()).scheme == "ulid")
    }

    @Test(arguments: [("ulid", 26), ("objectid", 24), ("uuid-v4", 36)])
    func otherWideIdsAreText(scheme: String, length: Int) async throws {
        let ids = try RemoteTextGenerator(url: url, scheme: scheme, block: 100, maxAgeMs: 3_600_000, waitS: 60)
        let id: String = try ids.generate()
        #expect(id.count == length)
        #expect(try ids.inspect(id).scheme == scheme)
        #expect(try ids.fromText(ids.toText(id)) == id)
        let size = (Int(ids.bits()) + 7) / 8
        var buffer = Data(count: size * 30)
        #expect(try ids.fill(&buffer) == 30)
        let filled = try stride(from: 0, to: buffer.count, by: size).map { try ids.fromBytes(bytes: buffer[$0..<$0 + size]) }
        let one = try [id, ids.generateText(encoding: nil), await ids.generateAsync(), prefetched(ids.tryGenerate)]
        #expect(try Set(one + filled + ids.generateMany(100)).count == 134)
        #expect(try ids.stats().issued == 134)
    }

    @Test func tasksAndGeneratorsGetDifferentIds() async throws {
        let generators = try [numbers(block: 50), numbers(block: 50)]
        let made = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for task in 0..<4 {
                let ids = generators[task % 2]
                group.addTask {
                    var mine: [Int64] = []
                    for _ in 0..<200 { mine.append(try await ids.generateAsync()) }
                    for _ in 0..<4 { mine += try ids.generateMany(200) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(made.count == 4_000 && Set(made).count == 4_000)
    }

    @Test func noIdIsOlderThanItsMaximumAge() async throws {
        let maxAgeMs: Int64 = 200
        let ids = try RemoteGenerator(url: url, scheme: "snowflake", block: 10, maxAgeMs: maxAgeMs, waitS: 60)
        for round in 0..<12 {
            let before = Int64(Date().timeIntervalSince1970 * 1_000)
            let id = try ids.generate()
            let timestampMs = try #require(try ids.inspect(id).timestampMs)
            #expect(timestampMs >= before - maxAgeMs - 50, "\(id) after \(before)")
            try await Task.sleep(for: .milliseconds(round % 3 * 150))
        }
        #expect(try ids.status().dropped > 0)
    }

    @Test func theNextHostIsAskedWhenOneIsGone() throws {
        let hosts = url.replacingOccurrences(of: "://", with: "://127.0.0.1:1,")
        let ids = try RemoteTextGenerator(url: hosts, scheme: "ulid", block: 10, waitS: 60)
        #expect(try Set(ids.generateMany(100)).count == 100)
    }

    @Test func errorsOfTheServiceAreThrownByTheirKind() async throws {
        let unknown = refused("UNKNOWN_NAME") { try RemoteGenerator(url: url, scheme: "nonsense") }
        #expect(unknown.contains("nonsense") && unknown.contains("snowflake"), "\(unknown)")
        let large = try numbers(block: 20_000)
        #expect(refused("INVALID_ARGUMENT") { try large.generate() }.contains("10000"))
        #expect(refused("INVALID_ARGUMENT") { try large.generateText() }.contains("10000"))
        #expect(refused("INVALID_ARGUMENT") { try large.generateMany(2) }.contains("10000"))
        let wide = try RemoteTextGenerator(url: url, scheme: "ulid", block: 20_000, waitS: 60)
        #expect(refused("INVALID_ARGUMENT") { try wide.generate() }.contains("10000"))
        #expect(refused("INVALID_ARGUMENT") { try wide.generateBytes() }.contains("10000"))
        #expect(refused("INVALID_ARGUMENT") { try RemoteGenerator(url: url, scheme: "ulid") }.contains("RemoteTextGenerator"))
        #expect(refused("INVALID_ARGUMENT") { try RemoteTextGenerator(url: url, scheme: "snowflake") }.contains("RemoteGenerator"))
        #expect(refused("INVALID_ARGUMENT") { try RemoteUuidGenerator(url: url, scheme: "objectid") }.contains("RemoteTextGenerator"))
        refused("INVALID_ARGUMENT") { try numbers().generateMany(10_000_001) }
    }

    @Test func impossibleOptionsAreRefusedAndShowNoToken() throws {
        let unreachable = "saiban://:correct-horse@127.0.0.1:1"
        let refusals = [
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: unreachable, scheme: "snowflake", block: 0) },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: unreachable, scheme: "snowflake", block: 100_001) },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: unreachable, scheme: "snowflake", maxAgeMs: 0) },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: unreachable, scheme: "snowflake", waitS: 0) },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: unreachable, scheme: "") },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: "redis://:correct-horse@h", scheme: "snowflake") },
            refused("INVALID_ARGUMENT") { try RemoteGenerator(url: "saiban://me:correct-horse@h", scheme: "snowflake") },
            refused("STORE_UNAVAILABLE") { try RemoteGenerator(url: unreachable, scheme: "snowflake", waitS: 1) },
        ]
        #expect(refusals.allSatisfy { !$0.contains("correct-horse") }, "\(refusals)")
    }

    @Test func aLeaseOfTheServiceIsRenewedAndReleased() async throws {
        let isHeld = {
            let listing = try #require(URL(string: url.replacingOccurrences(of: "saiban:", with: "http:") + "/v1/leases/remote"))
            let answer = try JSONSerialization.jsonObject(with: Data(contentsOf: listing)) as? [String: Any]
            let slots = try #require(answer?["slots"] as? [[String: Any]])
            let ours = try #require(slots.first { $0["holder"] as? String == "a-program-in-swift" })
            return try #require(ours["end_us"] as? NSNumber).int64Value > 0
        }
        let lease = try await Lease.acquire(url, namespace: "remote", ttlS: 60, create: true, holder: "a-program-in-swift")
        let ids = try SnowflakeGenerator(lease: lease)
        let node = try #require(try ids.inspect(ids.generate()).node)
        let nodes = try lease.nodes()
        #expect(nodes.start <= node && node < nodes.end)
        #expect(try isHeld())
        try lease.renew()
        for _ in 0..<3_000 where try lease.status().renewals == 0 { try await Task.sleep(for: .milliseconds(20)) }
        let status = try lease.status()
        #expect(status.grants == 1 && status.renewals >= 1 && status.why == nil)
        try await lease.release()
        #expect(try !isHeld())
    }
}
