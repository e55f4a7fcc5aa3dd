import Foundation
import Saiban
import Testing

/// Bad input and the kinds of error that it causes, none of which ends the process.
struct ErrorTests {
    let second: Int64 = 1_763_700_000_000
    let secret = Data((0..<16).map { 0xA0 + UInt8($0) })

    /// Checks that this is refused with a message that contains these words.
    @discardableResult
    private func refuses(
        _ kind: String, _ texts: String..., at location: SourceLocation = #_sourceLocation, run: () throws -> Void
    ) -> SaibanError? {
        do {
            try run()
            Issue.record("not refused", sourceLocation: location)
        } catch let error as SaibanError {
            #expect(error.kind == kind, sourceLocation: location)
            for words in texts {
                #expect(error.message.contains(words), "\(error)", sourceLocation: location)
            }
            #expect(error.localizedDescription == error.message, sourceLocation: location)
            return error
        } catch {
            Issue.record(error, sourceLocation: location)
        }
        return nil
    }

    @Test func noKindIsMissing() {
        let kinds = errorKinds()
        #expect(kinds.count >= 44)
        #expect(Set(kinds.map(\.number)).count == kinds.count)
        for kind in kinds {
            let thrown = refuses(kind.name) { try throwError(kind: kind.name) }
            let camelCase = kind.name.split(separator: "_").map(\.capitalized).joined()
            let name = thrown.flatMap { Mirror(reflecting: $0).children.first?.label }
            #expect(name == camelCase)
            #expect(thrown?.message == kind.meaning)
        }
        refuses("UNKNOWN_NAME", "no kind") { try throwError(kind: "OUT_OF_CHEESE") }
    }

    @Test func secretOfAnotherLengthIsRefused() {
        for length in [0, 15, 17, 32] {
            refuses("INVALID_SECRET", "\(length) bytes", "16") { _ = try RandflakeGenerator(secret: Data(count: length), node: 1) }
        }
        refuses("INVALID_SECRET", "16") { _ = try inspect(1, secret: Data(count: 3)) }
    }

    @Test func nodeOutOfRangeIsRefusedWithTheLimits() {
        refuses("NODE_OUT_OF_RANGE", "1024", "0 to 1023") { _ = try SnowflakeGenerator(node: 1024) }
        refuses("NODE_OUT_OF_RANGE", "-1") { _ = try SnowflakeGenerator(node: -1) }
        refuses("NODE_OUT_OF_RANGE", "131072", "0 to 131071") { _ = try RandflakeGenerator(secret: secret, node: 131_072) }
        refuses("NODE_OUT_OF_RANGE", "32", "0 to 31") { _ = try UlidFlakeGenerator(scalability: 32) }
        refuses("NODE_OUT_OF_RANGE", "1023") { _ = try SnowflakeGenerator(nodes: Interval(1000..<1025)) }
        refuses("NODE_OUT_OF_RANGE") { _ = try SnowflakeGenerator(nodes: Interval(start: 6, end: 5)) }
    }

    @Test func neitherNodeNorNodesIsRefused() {
        refuses("NODE_REQUIRED", "0 to 1023") { _ = try SnowflakeGenerator() }
        refuses("NODE_REQUIRED", "0 to 131071") { _ = try RandflakeGenerator(secret: secret) }
        refuses("INVALID_ARGUMENT", "both") { _ = try SnowflakeGenerator(node: 1, nodes: Interval(1..<3)) }
    }

    @Test func aNodeInUseIsRefused() throws {
        let ids = try SnowflakeGenerator(nodes: Interval(900..<910))
        refuses("NODE_IN_USE", "overlap") { _ = try SnowflakeGenerator(node: 905) }
        #expect(try ids.generate() > 0)
    }

    @Test func negativeAndTooLateTimesAreRefused() throws {
        let ids = try SnowflakeGenerator(node: 1, clock: ManualClock(timestampMs: second))
        refuses("TIMESTAMP_BEFORE_EPOCH", "-1") { _ = try ids.compose(timestampMs: -1, node: 1, sequence: 0) }
        refuses("TIMESTAMP_OVERFLOW", "\(second)0") { _ = try ids.compose(timestampMs: second * 10, node: 1, sequence: 0) }
        refuses("TIMESTAMP_OVERFLOW") { _ = try ids.compose(time: .distantFuture, node: 1, sequence: 0) }
        refuses("TIMESTAMP_OVERFLOW") {
            _ = try ids.compose(time: Date(timeIntervalSince1970: .infinity), node: 1, sequence: 0)
        }
        refuses("CLOCK_UNAVAILABLE", "-5") { _ = try ManualClock(timestampMs: -5) }
        let clock = try ManualClock(timestampMs: 0)
        let other = try SnowflakeGenerator(node: 1, clock: clock)
        refuses("TIMESTAMP_BEFORE_EPOCH") { _ = try other.generate() }
        try clock.set(timestampMs: 9_000_000_000_000)
        refuses("TIMESTAMP_OVERFLOW") { _ = try other.generate() }
    }

    @Test func sequenceAndRandomOutOfRangeAreRefused() throws {
        let clock = try ManualClock(timestampMs: second)
        refuses("SEQUENCE_OUT_OF_RANGE", "4096", "0 to 4095") {
            _ = try SnowflakeGenerator(node: 1, clock: clock).compose(timestampMs: second, node: 1, sequence: 4096)
        }
        refuses("RANDOM_OUT_OF_RANGE", "1048576", "0 to 1048575") {
            _ = try UlidFlakeGenerator(clock: clock).compose(timestampMs: second, random: 1_048_576)
        }
    }

    @Test func windowOverOrNotBegunIsRefused() throws {
        let clock = try ManualClock(timestampMs: second)
        refuses("LEASE_NOT_BEGUN", "\(second + 60_000)") {
            _ = try SnowflakeGenerator(node: 1, window: Interval(second + 60_000..<second + 90_000), clock: clock).generate()
        }
        refuses("LEASE_EXPIRED", "\(second)") {
            _ = try SnowflakeGenerator(node: 1, window: Interval(second - 60_000..<second), clock: clock).generate()
        }
        let seconds = second / 1000
        refuses("LEASE_EXPIRED") {
            _ = try RandflakeGenerator(secret: secret, node: 1, window: Interval(seconds - 60..<seconds), clock: clock).generate()
        }
        refuses("INVALID_WINDOW", "start < end") { _ = try SnowflakeGenerator(node: 1, window: Interval(second..<second)) }
    }

    @Test func aManualClockNeverWaits() throws {
        let clock = try ManualClock(timestampMs: second)
        let ids = try SnowflakeGenerator(node: 1, clock: clock)
        #expect(try Set(ids.generateMany(4096)).count == 4096)
        refuses("WOULD_WAIT", "1 ms") { _ = try ids.generate() }
        #expect(try ids.tryGenerate() == nil)
        try clock.advance(deltaMs: -10_000)
        refuses("CLOCK_BACKWARD", "10 s") { _ = try ids.generate() }
    }

    @Test func badTextIsRefusedAtItsPosition() throws {
        let ids = try RandflakeGenerator(secret: secret, node: 1, clock: ManualClock(timestampMs: second))
        for k in 0...12 {
            var text = Array("3vgoe12ccb8gh")
            text[k] = "!"
            let error = refuses("TEXT_CHARACTER", "position \(k)") { _ = try ids.fromText(String(text)) }
            #expect(error?.position == k)
        }
        #expect(refuses("TEXT_NOT_CANONICAL") { _ = try ids.fromText("03vgoe12ccb8") }?.position == 0)
        let empty = refuses("TEXT_LENGTH", "0 characters") { _ = try ids.fromText("") }
        #expect(empty != nil && empty?.position == nil)
        refuses("TEXT_OVERFLOW", "64 bits") { _ = try ids.fromText("vvvvvvvvvvvvv") }
        refuses("ID_OUT_OF_RANGE", "snowflake") {
            _ = try SnowflakeGenerator(node: 1, clock: ManualClock(timestampMs: 0)).fromText("-1")
        }
    }

    @Test func unknownNamesAndWidthsAreRefused() {
        refuses("UNKNOWN_NAME", "base62") { _ = try encode(1, "base63") }
        refuses("UNKNOWN_NAME", "discord") { _ = try Layout.preset(name: "friendster") }
        refuses("UNKNOWN_NAME", "sequence") { _ = try Layout(("time", 64)) }
        refuses("UNKNOWN_NAME", "ulid-flake") { _ = try inspect(1, scheme: "friendster") }
        refuses("WIDTH_OUT_OF_RANGE", "hex", "1 to 16") { _ = try encode(1, "hex", width: 17) }
        refuses("WIDTH_OUT_OF_RANGE", "hex") { _ = try encode(1, "hex", width: .max) }
        refuses("WIDTH_OUT_OF_RANGE", "needs 4") { _ = try encode(4096, "hex", width: 2) }
    }

    @Test func impossibleLayoutsAndSizesAreRefused() {
        refuses("INVALID_LAYOUT", "15 bits") { _ = try Layout(("timestamp", 11), ("node", 2), ("sequence", 2)) }
        refuses("INVALID_LAYOUT", "tick") {
            _ = try Layout(("timestamp", 42), ("node", 10), ("sequence", 12), tickUs: -1)
        }
        refuses("INVALID_LAYOUT") { _ = try Layout(("timestamp", 42), ("node", -10), ("sequence", 12)) }
        refuses("INVALID_LAYOUT", "node") {
            _ = try SnowflakeGenerator(node: 0, layout: Layout(("unused", 1), ("timestamp", 43), ("random", 20)))
        }
        refuses("INVALID_ENTROPY_SIZE", "1 to 3") { _ = try UlidFlakeGenerator(entropySize: 4) }
        refuses("INVALID_ENTROPY_SIZE", "1 to 2") { _ = try UlidFlakeGenerator(scalability: 1, entropySize: 3) }
    }

    @Test func impossibleCountsAndWaitsAreRefused() throws {
        let ids = try SnowflakeGenerator(node: 1, clock: ManualClock(timestampMs: second))
        refuses("INVALID_ARGUMENT", "10000000") { _ = try ids.generateMany(10_000_001) }
        refuses("INVALID_ARGUMENT") { _ = try ids.generateMany(-1) }
        refuses("INVALID_ARGUMENT", "negative") { _ = try ids.generateUpTo(count: -1) }
        refuses("INVALID_ARGUMENT", "negative") { _ = try SnowflakeGenerator(node: 1, maxWaitMs: -1) }
    }

    @Test func optionsForClocksAndRestartsHaveLimits() throws {
        let clock = try ManualClock(timestampMs: second)
        for shards in [0, 5, -1, Int64.min, Int64.max] {
            refuses("NODE_OUT_OF_RANGE", "\(shards) shards", "1 to 4") {
                _ = try SnowflakeGenerator(nodes: Interval(8..<12), shards: shards, clock: clock)
            }
        }
        refuses("NODE_OUT_OF_RANGE", "2 shards", "1 to 1") {
            _ = try RandflakeGenerator(secret: secret, node: 7, shards: 2, clock: clock)
        }
        for jump in [0, -1, Int64.min] {
            refuses("INVALID_ARGUMENT", "max_jump_s", "1") { _ = try SnowflakeGenerator(node: 7, maxJumpS: jump) }
        }
        refuses("INVALID_LAYOUT", "with_rollback_bits") { _ = try SnowflakeGenerator(node: 7, rollback: .bits, clock: clock) }
        refuses("INVALID_LAYOUT", "rollback") {
            _ = try RandflakeGenerator(secret: secret, node: 7, rollback: .bits, clock: clock)
        }
        refuses("INVALID_LAYOUT", "rollback") { _ = try UlidFlakeGenerator(rollback: .bits, clock: clock) }
        refuses("INVALID_WINDOW", "start < end") { _ = try SnowflakeGenerator(node: 7, notBefore: .max, clock: clock) }
        refuses("INVALID_WINDOW", "[\(second), \(second))") {
            _ = try SnowflakeGenerator(node: 7, window: Interval(second - 9..<second), notBefore: second - 1, clock: clock)
        }
    }

    @Test func rollbackBitsThatAreNotPossibleAreRefusedWithTheReason() throws {
        for (bits, text) in [(0, "0 bits"), (-1, "0 bits"), (5, "5 bits: give 1 to 4"), (Int.max, "give 1 to 4")] {
            refuses("INVALID_LAYOUT", text) { _ = try Layout.twitter.withRollbackBits(bits) }
        }
        let once = try Layout.twitter.withRollbackBits(1)
        refuses("INVALID_LAYOUT", "twice") { _ = try once.withRollbackBits(1) }
        let clock = try ManualClock(timestampMs: second)
        let ids = try SnowflakeGenerator(node: 0, layout: once, clock: clock)
        for rollback in [2, -1, Int64.min] {
            refuses("ROLLBACK_OUT_OF_RANGE", "\(rollback)", "0 to 1") {
                _ = try ids.compose(timestampMs: second, node: 1, sequence: 0, rollback: rollback)
            }
        }
        refuses("ROLLBACK_OUT_OF_RANGE", "0 to 0") {
            _ = try SnowflakeGenerator(node: 0, clock: clock).compose(timestampMs: second, node: 1, sequence: 0, rollback: 1)
        }
    }

    @Test func secretsThatCannotBeTriedAreRefused() {
        refuses("INVALID_ARGUMENT", "at most 8") {
            _ = try inspect(1, secret: secret, oldSecrets: [Data](repeating: secret, count: 8))
        }
        refuses("INVALID_ARGUMENT", "old secrets", "secret") { _ = try inspect("1", oldSecrets: [secret]) }
        refuses("INVALID_SECRET", "15 bytes") {
            _ = try inspect(1, secret: secret, oldSecrets: [Data(secret.prefix(15))])
        }
    }
}
