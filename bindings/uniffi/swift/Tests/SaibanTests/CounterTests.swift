import Foundation
import Saiban
import Testing

/// Counters return each number once, from memory and from stores. Inserts are tried again with
/// another ID after a conflict.
final class CounterTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saiban-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func countersOfOneStepShareNoNumber() throws {
        let numbers = try (1...5).flatMap { try Counter(start: $0, step: 5).generateMany(100) }
        #expect(Set(numbers) == Set(1...500))
        let highest = Int64.max
        let last = try Counter(start: highest - 2, step: 2)
        #expect(try last.generateMany(9) == [highest - 2, highest])
        _ = refused("COUNTER_EXHAUSTED") { try last.generate() }
    }

    /// The encoding of a list depends on its length.
    @Test func listsOfAnyLengthHaveTheNumbersOfTheCounter() throws {
        let step: Int64 = 0x0111_9e37_79b9_7f4b
        for count in [Int64](0...30) + [100] {
            let numbers = (0..<count).map { 3 + $0 * step }
            #expect(try Counter(start: 3, step: step).generateMany(count: count) == numbers)
        }
    }

    @Test func aCounterOfAFileCounts() async throws {
        try await checkStore("sqlite://\(folder.appendingPathComponent("counters.db").path)")
    }

    @Test func aCounterInMemoryCounts() async throws {
        try await checkStore("memory:\(folder.lastPathComponent)")
    }

    @Test(arguments: ["postgres", "mysql", "redis"])
    func aCounterOfAServerCounts(kind server: String) async throws {
        // ../../test starts the server.
        try await checkStore(#require(ProcessInfo.processInfo.environment["SAIBAN_URL_\(server.uppercased())"]))
    }

    private func checkStore(_ url: String) async throws {
        let make = { try SharedCounter(url: url, name: "steps", start: 2, step: 5, blockSize: 10, create: true) }
        let (one, other) = (try make(), try make())
        #expect(try one.generate() == 2)
        #expect(try other.generateMany(3) == [52, 57, 62])
        #expect(try one.tryGenerate() == 7)
        #expect(try await one.generateAsync() == 12)
        let status = try one.status()
        #expect([status.prefetched, status.blockSize, status.calls] == [7, 10, 1] && status.why == nil)
        let mismatch = refused("COUNTER_MISMATCH") { try SharedCounter(url: url, name: "steps", start: 2, step: 4).generate() }
        #expect(mismatch.contains("from 2 by 5"))

        let shared = try SharedCounter(url: url, name: "tasks", create: true)
        let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<200 { group.addTask { try await shared.generateAsync() } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(numbers.count == 200)

        let format = "INV {date:%Y-%m-%d} {n:03}"
        let daily = try DailyCounter(url: url, name: "daily", zone: "Asia/Tokyo", format: format, first: 0, create: true)
        let first = try await daily.generateAsync()
        let (year, month, day) = (first.date.year!, first.date.month!, first.date.day!)
        #expect(first.text == String(format: "INV %04d-%02d-%02d 000", year, month, day))
        #expect(try daily.generate() != first)
    }

    @Test func impossibleOptionsAreRefusedWithTheReason() throws {
        #expect(refused("INVALID_ARGUMENT") { try Counter(start: -1) }.contains("start at -1"))
        #expect(refused("INVALID_ARGUMENT") { try Counter(step: 0) }.contains("step by 0"))
        #expect(refused("INVALID_ARGUMENT") { try Counter().generateMany(10_000_001) }.contains("10000000"))
        #expect(refused("INVALID_ARGUMENT") { try SharedCounter(url: "memory:refused", gapless: true) }.contains("rolled back"))
        #expect(refused("INVALID_ARGUMENT") { try DailyCounter(url: "memory:refused", zone: "Mars/Olympus") }.contains("Mars"))
        #expect(refused("INVALID_ARGUMENT") { try DailyCounter(url: "memory:refused", format: "{n}") }.contains("every day"))
        _ = refused("STORE_UNSUPPORTED") { try SharedCounter(url: "etcd://127.0.0.1:1") }
        _ = refused("COUNTER_UNKNOWN") { try SharedCounter(url: "memory:empty", create: false).generate() }
        let away = try SharedCounter(url: "redis://127.0.0.1:1", create: true, waitS: 1)
        #expect(try away.tryGenerate() == nil)
        _ = refused("STORE_UNAVAILABLE") { try away.generate() }
    }

    @Test func scriptsAreWrittenForLayoutsThatScriptsCanCount() throws {
        #expect(try Layout.twitter.redisScript().contains("redis.call"))
        #expect(try Layout.twitter.redisLibrary(name: "ids").hasPrefix("#!lua name=ids\n"))
        #expect(try Layout.twitter.postgresFunction(name: "order_id", node: 5).contains("FUNCTION order_id()"))
        _ = refused("NODE_OUT_OF_RANGE") { try Layout.twitter.postgresFunction(name: "order_id", node: 1024) }
        _ = refused("INVALID_ARGUMENT") { try Layout(("timestamp", 41), ("random", 20)).redisScript() }
    }

    private struct Conflict: Error { let id: Int }
    private struct Full: Error {}

    @Test func anInsertIsTriedAgainAfterAConflictAndAfterNoOtherError() async throws {
        var taken: Set = [1, 2]
        func insert(_ id: Int) throws -> Int {
            if id > 99 { throw Full() }
            if !taken.insert(id).inserted { throw Conflict(id: id) }
            return id
        }
        func from(_ ids: Int...) -> () -> Int {
            var rest = ids[...]
            return { rest.removeFirst() }
        }
        let isConflict = { (error: any Error) in error is Conflict }
        #expect(try insertUnique(generate: from(1, 2, 7), isConflict: isConflict, insert: insert) == 7)
        do {
            _ = try insertUnique(attempts: 2, generate: from(1, 2, 8), isConflict: isConflict, insert: insert)
            Issue.record("there is no room for 1 and 2")
        } catch let last as Conflict {
            #expect(last.id == 2)
        }
        #expect(refused("INVALID_ARGUMENT") { try insertUnique(attempts: 0, generate: from(9), isConflict: isConflict, insert: insert) }.contains("attempts is 0"))
        #expect(throws: Full.self) { try insertUnique(generate: from(100, 9), isConflict: isConflict, insert: insert) }
        let awaited = try await insertUnique(generate: from(1, 8), isConflict: isConflict) { id async throws in id == 1 ? try insert(1) : id }
        #expect(awaited == 8)
    }
}
