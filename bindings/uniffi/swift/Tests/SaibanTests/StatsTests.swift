import Foundation
import Saiban
import Testing

/// The statistics of a generator.
struct StatsTests {
    let now: Int64 = 1_735_689_600_000
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    @Test func statsCountWhatWasIssued() throws {
        let clock = try ManualClock(timestampMs: now)
        let generators: [any Generator] = [
            try SnowflakeGenerator(nodes: Interval(0..<2), clock: clock), try RandflakeGenerator(secret: secret, node: 7, clock: clock),
        ]
        for ids in generators {
            #expect(try ids.stats().issued == 0)
            _ = try ids.generate()
            _ = try ids.tryGenerate()
            _ = try ids.generateMany(8)
            var buffer = [Int64](repeating: 0, count: 20)
            _ = try ids.fill(&buffer)
            try clock.advance(deltaMs: 1_000)
            _ = try ids.generateText()
            #expect(try ids.stats().issued == 31)
            // Statistics, inspection and composition issue no ID.
            _ = try ids.inspect(ids.toText(1))
            #expect(try ids.stats() == ids.stats())
        }
    }

    @Test func statsCountRandomIdsToo() throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try UlidFlakeGenerator(clock: clock)
        for count in Int64(1)...9 {
            try clock.advance(deltaMs: 1)
            _ = try ids.generate()
            #expect(try ids.stats().issued == count)
        }
    }

    @Test func generatorsThatShareACursorCountTheSameIds() throws {
        // A layout of this test alone, because IDs of a node under other tests' leases count too.
        let layout = try Layout.fromText("unused:1 timestamp:41,epoch=2022-04-04 node:10 sequence:12")
        let first = try SnowflakeGenerator(node: 850, layout: layout)
        let second = try SnowflakeGenerator(node: 850, layout: layout)
        _ = try first.generateMany(10)
        _ = try second.generateMany(10)
        #expect(try first.stats().issued == 20)
        #expect(try second.stats().issued == 20)
    }

    @Test func statsCountStepsBackAndEachOnce() throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(node: 7, clock: clock)
        for count in Int64(1)...3 {
            _ = try ids.generate()
            try clock.advance(deltaMs: -10)
            for _ in 0..<5 { _ = try ids.generate() }
            #expect(try ids.stats().rollbacks == count)
            try clock.advance(deltaMs: 20)
            _ = try ids.generate()
        }
    }

    @Test func statsCountWaits() throws {
        // A tick of 10 ms has only 256 IDs.
        let ids = try SnowflakeGenerator(node: 851, layout: .sonyflake)
        _ = try ids.generateMany(1_024)
        #expect(try ids.stats().issued == 1_024)
        #expect(try ids.stats().waits >= 3)
    }

    @Test func theTimeLeftIsTheWindowsOrTheFormats() throws {
        let clock = try ManualClock(timestampMs: now)
        func all(_ ms: Interval?, _ s: Interval?) throws -> [any Generator] {
            [
                try SnowflakeGenerator(node: 7, window: ms, clock: clock),
                try RandflakeGenerator(secret: secret, node: 7, window: s, clock: clock),
                try UlidFlakeGenerator(window: ms, clock: clock),
            ]
        }
        let ends: [Int64] = [Layout.twitter.lastMs() + 1, 2_803_741_824_000, 1_704_067_200_000 + (1 << 43)]
        #expect(try all(nil, nil).map { try $0.stats().timeLeftMs } == ends.map { $0 - now })
        let windowed = try all(
            Interval(now - 5_000..<now + 9_000), Interval(now / 1_000 - 5..<now / 1_000 + 9))
        #expect(try windowed.map { try $0.stats().timeLeftMs } == [9_000, 9_000, 9_000])
        try clock.advance(deltaMs: 10_000)
        for ids in windowed {
            #expect(try ids.stats().timeLeftMs == 0)
            #expect(kind { try ids.generate() } == "LEASE_EXPIRED")
        }
    }

    @Test func generatorsReportTheGuaranteeOfTheirIds() throws {
        let clock = try ManualClock(timestampMs: now)
        let promises: [(any Generator, Guarantee)] = [
            (try SnowflakeGenerator(node: 7, clock: clock), .unique),
            (try RandflakeGenerator(secret: secret, node: 7, clock: clock), .unique),
            (try UlidFlakeGenerator(scalability: 7, clock: clock), .unique),
            (try UlidFlakeGenerator(clock: clock), .uniqueInProcess),
            (try UlidFlakeGenerator(clock: clock, allowCollisions: true), .probable),
        ]
        for (ids, promise) in promises {
            #expect(try ids.stats().guarantee == promise)
        }
    }

    @Test func statsAreValues() throws {
        let stats = try SnowflakeGenerator(node: 7, clock: ManualClock(timestampMs: now)).stats()
        let wanted = Stats(
            issued: 0, waits: 0, rollbacks: 0, timeLeftMs: Layout.twitter.lastMs() + 1 - now, guarantee: .unique,
            scope: .process)
        #expect(stats == wanted)
        #expect(Set([stats]) == [wanted])
    }
}
