import Foundation
import Saiban
import Testing

/// A restarted program repeats no ID: where a new generator begins.
final class RestartTests {
    let now: Int64 = 1_735_689_600_000
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saiban-\(UUID().uuidString)")

    private var state: String { folder.appendingPathComponent("ids.state").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func systemMs() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    @Test func onTheSystemClockAGeneratorBeginsAfterTheTickInWhichItWasMade() throws {
        let nowMs = systemMs()
        let snowflakes = try SnowflakeGenerator(node: 840, scope: .process)
        #expect(try #require(try snowflakes.inspect(snowflakes.generate()).timestampMs) > nowMs)
        let nowS = systemMs() / 1_000
        let ids = try RandflakeGenerator(secret: secret, node: 840, scope: .process)
        // The current second has no ID for the generator without waiting.
        if let first = try ids.tryGenerate() {
            #expect(try #require(try ids.inspect(first).timestampMs) > nowS * 1_000)
        }
        #expect(try #require(try ids.inspect(ids.generate()).timestampMs) > nowS * 1_000)
    }

    @Test func notBeforeIsTheLastTimeThatWasUsed() throws {
        let clock = try ManualClock(timestampMs: now)
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 7, notBefore: now + 1_999, clock: clock),
            try RandflakeGenerator(secret: secret, node: 7, notBefore: now / 1_000 + 1, clock: clock),
            try UlidFlakeGenerator(notBefore: now + 1_999, clock: clock),
        ]
        for ids in generators {
            try clock.set(timestampMs: now + 1_999)
            #expect(["WOULD_WAIT", "LEASE_NOT_BEGUN"].contains(kind { try ids.generate() }))
            try clock.set(timestampMs: now + 2_000)
            #expect(try ids.inspect(ids.generate()).timestampMs == now + 2_000)
        }
    }

    @Test func notBeforeLeavesNothingToWaitForOnceItsTimeIsOver() throws {
        #expect(try SnowflakeGenerator(node: 842, notBefore: systemMs() - 1_000).tryGenerate() != nil)
    }

    @Test func aCustomClockIsNotWaitedFor() throws {
        let clock = try ManualClock(timestampMs: now)
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 7, clock: clock), try RandflakeGenerator(secret: secret, node: 7, clock: clock),
            try UlidFlakeGenerator(clock: clock),
        ]
        for ids in generators {
            let id = try #require(try ids.tryGenerate())
            #expect(try ids.inspect(id).timestampMs == now)
        }
    }

    @Test func aRestartWithTheClockSetBackRepeatsNothing() throws {
        let makers: [(ManualClock) throws -> any Generator] = [
            { try SnowflakeGenerator(node: 7, state: self.state + ".1", clock: $0) },
            { try RandflakeGenerator(secret: self.secret, node: 7, state: self.state + ".2", clock: $0) },
            { try UlidFlakeGenerator(scalability: 7, state: self.state + ".3", clock: $0) },
        ]
        for make in makers {
            let clock = try ManualClock(timestampMs: now)
            var made: [Int64] = []
            var reached: Int64 = 0
            for _ in 0..<5 {
                let ids = try make(clock)
                if reached > 0 {
                    try clock.set(timestampMs: reached - 60_000)
                    #expect(["WOULD_WAIT", "CLOCK_BACKWARD"].contains(kind { try ids.generate() }))
                    try clock.set(timestampMs: reached + 1_000)
                }
                for _ in 0..<10 {
                    made.append(try ids.generate())
                    try clock.advance(deltaMs: 1)
                }
                reached = try #require(try ids.inspect(made.last!).timestampMs)
                try clock.set(timestampMs: now)
            }
            #expect(made.count == 50)
            #expect(Set(made).count == 50)
        }
    }

    @Test func aDroppedGeneratorLeavesNothingToWaitFor() throws {
        let clock = try ManualClock(timestampMs: now)
        func next() throws -> Int64? {
            let ids = try SnowflakeGenerator(node: 7, state: state, clock: clock)
            return try ids.tryGenerate().flatMap { try ids.inspect($0).timestampMs }
        }
        #expect(try next() == now)
        try clock.advance(deltaMs: 1)
        #expect(try next() == now + 1)
    }

    @Test func aStateFileIsForOneGeneratorAtATime() throws {
        let clock = try ManualClock(timestampMs: now)
        func isMade() throws -> Bool { try SnowflakeGenerator(node: 7, state: state, clock: clock).generate() > 0 }
        let ids = try SnowflakeGenerator(node: 7, state: state, clock: clock)
        try withExtendedLifetime(ids) {
            #expect(kind { try isMade() } == "STATE_IN_USE")
            _ = try ids.generate()
        }
    }

    @Test func aStateFileIsForItsOwnNodesAndScheme() throws {
        let clock = try ManualClock(timestampMs: now)
        _ = try SnowflakeGenerator(node: 7, state: state, clock: clock).generate()
        #expect(kind { try SnowflakeGenerator(node: 8, state: state, clock: clock) } == "STATE_MISMATCH")
        #expect(kind { try RandflakeGenerator(secret: secret, node: 7, state: state, clock: clock) } == "STATE_MISMATCH")
        #expect(kind { try SnowflakeGenerator(node: 7, layout: .discord, state: state, clock: clock) } == "STATE_MISMATCH")
    }

    @Test func anImpossibleStateFileIsUnavailable() throws {
        let clock = try ManualClock(timestampMs: now)
        for path in [folder.appendingPathComponent("missing/ids.state").path, folder.path, ""] {
            #expect(kind { try SnowflakeGenerator(node: 7, state: path, clock: clock) } == "STATE_UNAVAILABLE", "\(path)")
        }
        let other = folder.appendingPathComponent("other")
        try Data("not a state file".utf8).write(to: other)
        #expect(kind { try SnowflakeGenerator(node: 7, state: other.path, clock: clock) } == "STATE_MISMATCH")
    }
}
