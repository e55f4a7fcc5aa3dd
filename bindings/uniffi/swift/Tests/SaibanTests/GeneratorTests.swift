import Foundation
import Saiban
import Testing

struct GeneratorTests {
    let timeMs: Int64 = 1_795_219_200_000
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    @Test func publishedExamplesComeOutExactly() throws {
        let clock = try ManualClock(timestampMs: timeMs)
        let randflake = try RandflakeGenerator(secret: secret, node: 0, clock: clock)
        #expect(try randflake.compose(timestampMs: 1_733_706_297_000, node: 42, sequence: 1) == 4_594_531_474_933_654_033)
        #expect(try randflake.toText(4_594_531_474_933_654_033) == "3vgoe12ccb8gh")
        let zero = try RandflakeGenerator(secret: Data(count: 16), node: 0, clock: clock)
        #expect(try zero.toText(zero.compose(timestampMs: 1_730_000_001_000, node: 0, sequence: 0)) == "1qjeojjevu31n")
        let counting = try RandflakeGenerator(secret: Data(0..<16), node: 0, clock: clock)
        #expect(try counting.compose(timestampMs: 1_730_000_123_000, node: 1, sequence: 1) == -232_447_010_193_727_000)
        #expect(try counting.toText(-232_447_010_193_727_000) == "fphhelk04q8f8")

        let parts = try UlidFlakeGenerator(clock: clock).inspect("00CMXB6TAK4SA")
        #expect(parts.id == 14_246_757_444_195_114)
        #expect(parts.time == Date(timeIntervalSince1970: 1_717_653_966.666))
        #expect(parts.random == 627_498)
        #expect(try UlidFlakeGenerator(epochMs: 0, clock: clock).fromText("1J1SMJD9CE74J") == 1_803_467_983_138_790_546)

        // github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java.
        let tsid = try TsidGenerator(node: 7, clock: clock)
        #expect(try tsid.toText(-1) == "FZZZZZZZZZZZZ")
        #expect(try tsid.toText(10) == "000000000000A")
        #expect(try tsid.fromText("0123456789abc") == tsid.fromText("0123456789ABC"))
        #expect(try tsid.inspect(0).timestampMs == 1_577_836_800_000)
        #expect(try tsid.inspect(-1).timestampMs == 1_577_836_800_000 + (1 << 42) - 1)
    }

    @Test func aTsidHasTheNodesAndSequenceOfItsLayout() throws {
        let clock = try ManualClock(timestampMs: 1_763_700_000_000)
        #expect(try TsidGenerator(node: 7, clock: clock).generateText() == "0NMCKTX000W00")
        let presets = [("tsid-256", Int64(256), 16_384), ("tsid-1024", 1_024, 4_096), ("tsid-4096", 4_096, 1_024)]
        for (name, nodes, perTick) in presets {
            let layout = try Layout.preset(name: name)
            let ids = try TsidGenerator(node: nodes - 1, layout: layout, clock: clock)
            var made = [Int64](repeating: 0, count: perTick + 1)
            #expect(try ids.fill(&made) == perTick)
            #expect(try ids.tryGenerate() == nil)
            let parts = try ids.inspect(made[perTick - 1])
            #expect(parts.scheme == "tsid" && parts.timestampMs == 1_763_700_000_000)
            #expect(parts.node == nodes - 1 && parts.sequence == Int64(perTick) - 1)
            let same = try ids.compose(timestampMs: 1_763_700_000_000, node: nodes - 1, sequence: Int64(perTick) - 1)
            #expect(same == parts.id)
            refused("NODE_OUT_OF_RANGE") { try TsidGenerator(node: nodes, layout: layout, clock: clock) }
            refused("NODE_OUT_OF_RANGE") { try ids.compose(timestampMs: 1_763_700_000_000, node: nodes, sequence: 0) }
        }
        refused("INVALID_LAYOUT") { try TsidGenerator(node: 0, layout: .mastodon) }
        #expect(try inspect("0NMCKTX000W00", scheme: "tsid").first?.scheme == "tsid")
    }

    @Test func generatorsOnTheSystemClockTellTheTime() throws {
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 7), try RandflakeGenerator(secret: secret, node: 7), try UlidFlakeGenerator(),
            try UlidFlakeGenerator(scalability: 7), try TsidGenerator(node: 7),
        ]
        for ids in generators {
            // An ID with whole seconds may be a second older than now, and 10 ms more, because the
            // kernel's coarse clock lags.
            let before = Date(timeIntervalSinceNow: -1.01)
            let id = try ids.generate()
            let parts = try ids.inspect(id)
            #expect(try (before...Date()).contains(#require(parts.time)))
            #expect(parts.id == id)
            #expect(try ids.fromText(ids.toText(id)) == id)
            #expect(try ids.inspect(ids.toText(id)) == parts)
            #expect(try ids.toText(id, "hex") == encode(id, "hex"))
            #expect(parts.node == nil || parts.node == 7)
            #expect(try ids.tryGenerate() != id)
            #expect(try Set(ids.generateMany(1000)).count == 1000)
            #expect(try ids.generateText() != ids.generateText())
            #expect(try ids.generateText("base64url").count == 11)
        }
    }

    @Test func fillStopsWhenNoMoreIdsAreAvailable() throws {
        let ids = try SnowflakeGenerator(node: 7, clock: ManualClock(timestampMs: 1_704_067_200_000))
        var buffer = [Int64](repeating: 0, count: 5000)
        #expect(try ids.fill(&buffer) == 4096)
        #expect(buffer.count == 5000)
        #expect(buffer[0] == 1_741_610_183_685_074_944)
        #expect(buffer[4095] == 1_741_610_183_685_074_944 + 4095)
        #expect(buffer[4096] == 0)
        var empty: [Int64] = []
        #expect(try ids.fill(&empty) == 0)
    }

    @Test func aGeneratorSeesItsClockMove() throws {
        let clock = try ManualClock(Date(timeIntervalSince1970: 1_795_219_200.007))
        #expect(clock.nowMs() == timeMs + 7)
        let ids = try UlidFlakeGenerator(scalability: 31, entropySize: 2, clock: clock)
        #expect(try ids.inspect(ids.generate()).timestampMs == timeMs + 7)
        try clock.advance(deltaMs: 5)
        #expect(try ids.inspect(ids.generate()).time == clock.now)
        try clock.set(Date(timeIntervalSince1970: 1_795_219_209))
        #expect(try ids.inspect(ids.generate()).timestampMs == timeMs + 9_000)
    }

    @Test func aRangeOfNodesIsUsedWhole() throws {
        let ids = try SnowflakeGenerator(nodes: Interval(4..<6), clock: ManualClock(timestampMs: timeMs))
        let nodes = try ids.generateMany(8192).map { try ids.inspect($0).node }
        #expect(nodes.filter { $0 == 4 }.count == 4096)
        #expect(nodes.filter { $0 == 5 }.count == 4096)
    }

    @Test func layoutsAreValues() throws {
        let ours = try Layout(("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16), epochMs: 1_577_836_800_000)
        let same = try Layout(fields: ours.fields(), epochMs: 1_577_836_800_000)
        #expect(ours == same)
        #expect(ours.hashValue == same.hashValue)
        #expect(ours != .twitter)
        #expect(ours.name() == nil)
        #expect(ours.maxNode() == 63)
        #expect(ours.maxSequence() == 65_535)
        #expect("\(ours)" == "unused:1 timestamp:41,epoch=2020-01-01 node:6 sequence:16")
        let presets: [Layout] = [.twitter, .discord, .instagram, .sonyflake, .sonyflakeV2]
        #expect(presets.map { $0.name() } == ["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2"])
        let ids = try SnowflakeGenerator(node: 63, layout: ours, clock: ManualClock(timestampMs: timeMs))
        #expect(try ids.inspect(ids.generate()).node == 63)
    }

    @Test func anIdOfUnknownOriginIsInspected() throws {
        let found = try inspect("175928847299117063")
        #expect(found.contains { $0.layout == "discord" && $0.timestampMs == 1_462_015_105_796 })
        #expect(try inspect("00CMXB6TAK4SA").first?.scheme == "ulid-flake")
        let withSecret = try inspect(4_594_531_474_933_654_033, secret: secret, scheme: "randflake")
        let parts = try #require(withSecret.first)
        #expect(withSecret.count == 1 && Set(withSecret) == [parts])
        #expect(parts.scheme == "randflake" && parts.text == "3vgoe12ccb8gh" && parts.random == nil)
        #expect(parts.timestampMs == 1_733_706_297_000 && parts.node == 42 && parts.sequence == 1)
    }

    @Test func encodingsRoundTrip() throws {
        #expect(encodings().count == 9)
        for encoding in encodings() {
            for value in [0, 1, -1, Int64.max, Int64.min] {
                #expect(try decode(encode(value, encoding), encoding) == value)
            }
        }
        #expect(try encode(7, "base62", width: 11) == "00000000007")
        #expect(try decode("00000000007", "base62", width: 11) == 7)
        #expect(try decode("1L", "crockford", lenient: true) == decode("0000000000011", "crockford"))
    }

    @Test func aMillionSnowflakesOnFourThreadsAreDistinctWhileTheClockJumps() throws {
        try areDistinct(tickMs: 1) { try SnowflakeGenerator(node: 7, clock: $0) }
    }

    @Test func aMillionRandflakesOnFourThreadsAreDistinctWhileTheClockJumps() throws {
        try areDistinct(tickMs: 1000) { try RandflakeGenerator(secret: secret, nodes: Interval(0..<8), clock: $0) }
    }

    @Test func aMillionUlidFlakesOnFourThreadsAreDistinctWhileTheClockJumps() throws {
        try areDistinct(tickMs: 1) { try UlidFlakeGenerator(clock: $0) }
    }

    @Test func aMillionScalableUlidFlakesOnFourThreadsAreDistinctWhileTheClockJumps() throws {
        try areDistinct(tickMs: 1) { try UlidFlakeGenerator(scalability: 3, clock: $0) }
    }

    private func areDistinct(tickMs: Int64, _ make: (ManualClock) throws -> any Generator) throws {
        let clock = try ManualClock(timestampMs: timeMs)
        let ids = try make(clock)
        let each = 250_000
        let all = Collected()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            var mine: [Int64] = []
            mine.reserveCapacity(each)
            do {
                while mine.count < each {
                    // More steps forward than back, or the generator would run out of IDs.
                    try clock.advance(deltaMs: Int64.random(in: -4...8) * tickMs)
                    do {
                        mine += try ids.generateUpTo(count: Int64(min(Int.random(in: 1...3_000), each - mine.count)))
                    } catch SaibanError.WouldWait, SaibanError.ClockBackward {
                        continue
                    }
                }
            } catch {
                Issue.record(error)
            }
            all.add(mine)
        }
        let sorted = all.sorted()
        #expect(sorted.count == 4 * each)
        #expect(!zip(sorted, sorted.dropFirst()).contains { $0 == $1 }, "two IDs are equal")
    }
}

/// IDs from several threads.
private final class Collected: @unchecked Sendable {
    private let lock = NSLock()
    private var ids: [Int64] = []

    func add(_ more: [Int64]) {
        lock.withLock { ids += more }
    }

    func sorted() -> [Int64] {
        lock.withLock { ids.sorted() }
    }
}
