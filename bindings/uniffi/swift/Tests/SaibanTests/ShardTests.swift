import Foundation
import Saiban
import Testing

/// Node ranges, with and without shards: threads that share a generator share no ID.
struct ShardTests {
    let now: Int64 = 1_735_689_600_000
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    /// Returns the IDs that each of four threads makes at one time.
    private func onThreads(_ ids: any Generator, _ each: Int) -> [[Int64]] {
        let made = Made()
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<4 {
            Thread {
                do {
                    made.add(try ids.generateMany(each))
                } catch {
                    Issue.record(error)
                }
                done.signal()
            }.start()
        }
        for _ in 0..<4 { done.wait() }
        return made.all
    }

    @Test(arguments: [1, 4] as [Int64])
    func aMillionIdsOfANodeRangeOnFourThreadsAreDistinct(shards: Int64) throws {
        let first = 2_000 + 100 * shards
        let ids = try RandflakeGenerator(secret: secret, nodes: Interval(first..<first + 64), shards: shards)
        // A lease of another test may have used one of these nodes.
        let before = try ids.stats().issued
        let made = onThreads(ids, 250_000).flatMap { $0 }.sorted()
        #expect(made.count == 1_000_000)
        #expect(!zip(made, made.dropFirst()).contains { $0 == $1 }, "two IDs are equal")
        for index in stride(from: 0, to: made.count, by: 97) {
            let node = try ids.inspect(made[index]).node!
            guard first..<first + 64 ~= node else { Issue.record("\(node)"); break }
        }
        #expect(try ids.stats().issued == before + 1_000_000)
    }

    @Test func eachThreadKeepsToOneShardAndItsIdsAreOrdered() throws {
        let ids = try SnowflakeGenerator(nodes: Interval(16..<20), shards: 4, clock: ManualClock(timestampMs: now))
        // Threads of other tests also get shards in turn, so two of these four may get the same
        // one.
        let made = onThreads(ids, 1_000)
        #expect(made.count == 4)
        for part in made {
            let nodes = try Set(part.map { try ids.inspect($0).node! })
            #expect(nodes.count == 1 && nodes.isSubset(of: 16...19), "\(nodes)")
            #expect(part == part.sorted())
        }
        #expect(Set(made.flatMap { $0 }).count == 4_000)
        #expect(try ids.stats().issued == 4_000)
    }
}

/// Collects the IDs of several threads, by thread.
private final class Made: @unchecked Sendable {
    private let lock = NSLock()
    private var parts: [[Int64]] = []

    func add(_ part: [Int64]) {
        lock.withLock { parts.append(part) }
    }

    var all: [[Int64]] { lock.withLock { parts } }
}
