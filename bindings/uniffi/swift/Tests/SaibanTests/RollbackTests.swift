import Foundation
import Saiban
import Testing

/// Clock steps back: the policies, and layouts with rollback bits.
struct RollbackTests {
    let now: Int64 = 1_735_689_600_000
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")
    let bits: Layout
    /// A layout with two rollback values, and four IDs for each in a millisecond.
    let small: Layout

    init() throws {
        bits = try Layout.twitter.withRollbackBits(2)
        small = try Layout(
            ("unused", 18), ("timestamp", 41), ("node", 2), ("rollback", 1), ("sequence", 2), epochMs: now - 10_000)
    }

    @Test func thePolicyErrorRefusesASteppedBackClockAtOnceAndContinuesWhenItReturns() throws {
        let clock = try ManualClock(timestampMs: now)
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 7, rollback: .error, clock: clock),
            try RandflakeGenerator(secret: secret, node: 7, rollback: .error, clock: clock),
            try UlidFlakeGenerator(rollback: .error, clock: clock),
        ]
        for ids in generators {
            try clock.set(timestampMs: now)
            let before = try ids.generate()
            try clock.advance(deltaMs: -5_000)
            #expect(kind { try ids.generate() } == "CLOCK_BACKWARD")
            #expect(kind { try ids.tryGenerate() } == "CLOCK_BACKWARD")
            #expect(kind { try ids.generateMany(2) } == "CLOCK_BACKWARD")
            try clock.set(timestampMs: now + 1)
            #expect(try ids.generate() != before)
        }
    }

    @Test(arguments: [Rollback.hold, nil])
    func thePolicyHoldContinuesInTheReachedTickAndThenRefuses(policy: Rollback?) throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(node: 7, rollback: policy, clock: clock)
        var made = [try ids.generate()]
        try clock.advance(deltaMs: -5_000)
        made += try ids.generateMany(4_095)
        #expect(Set(made).count == 4_096)
        #expect(try made.allSatisfy { try ids.inspect($0).timestampMs == now })
        #expect(kind { try ids.generate() } == "CLOCK_BACKWARD")
        try clock.set(timestampMs: now + 1)
        #expect(try ids.inspect(ids.generate()).timestampMs == now + 1)
    }

    @Test(arguments: [Rollback.bits, nil])
    func rollbackBitsDistinguishIdsBeforeAndAfterAStepBack(policy: Rollback?) throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(node: 7, layout: bits, rollback: policy, clock: clock)
        let times = [now - 5_000, now, now - 5_000]
        let made = try times.map { time in
            try clock.set(timestampMs: time)
            return try ids.generate()
        }
        #expect(Set(made).count == 3)
        let found = try made.map { try ids.inspect($0) }
        #expect(found.map(\.rollback) == [0, 0, 1])
        // The generator continues at the clock's time, not in the last tick.
        #expect(found.compactMap(\.timestampMs) == times)
        #expect(try ids.stats().rollbacks == 1)
    }

    @Test func pastItsLastValueARollbackFieldHoldsInsteadOfRepeating() throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(node: 1, layout: small, clock: clock)
        var made = try ids.generateMany(4)
        try clock.advance(deltaMs: -1_000)
        made += try ids.generateMany(4)
        #expect(try made.map { try ids.inspect($0).rollback } == [0, 0, 0, 0, 1, 1, 1, 1])
        // Both rollback values have used the earlier ticks. One bit covers 2^1 − 1 steps back, and
        // this is the second.
        try clock.advance(deltaMs: -1_000)
        #expect(["WOULD_WAIT", "CLOCK_BACKWARD"].contains(kind { try ids.generate() }))
        try clock.set(timestampMs: now - 999)
        made += try ids.generateMany(4)
        #expect(Set(made).count == 12)
    }

    @Test func noTraceOfTheClockRepeatsAnIdOfARollbackLayout() throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(nodes: Interval(0..<2), layout: small, clock: clock)
        var made: [Int64] = []
        var highest = now
        for _ in 0..<10_000 {
            highest += Int64.random(in: 0...2)
            try clock.set(timestampMs: highest - Int64.random(in: 0...5))
            do {
                made.append(try ids.generate())
            } catch SaibanError.WouldWait, SaibanError.ClockBackward {
                continue
            }
        }
        #expect(made.count > 2_000)
        #expect(Set(made).count == made.count)
        #expect(try Set(made.map { try ids.inspect($0).rollback }) == [0, 1])
    }

    @Test func aRollbackLayoutSplitsIdsAsItJoinsThem() throws {
        let clock = try ManualClock(timestampMs: now)
        let ids = try SnowflakeGenerator(node: 0, layout: bits, clock: clock)
        for rollback in Int64(0)...3 {
            let id = try ids.compose(timestampMs: now, node: 200, sequence: 9, rollback: rollback)
            let parts = try ids.inspect(id)
            #expect(parts.scheme == "snowflake" && parts.id == id && parts.timestampMs == now)
            #expect(parts.node == 200 && parts.sequence == 9 && parts.random == nil && parts.rollback == rollback)
            #expect(try ids.inspect(ids.toText(id)) == parts)
            #expect(try ids.compose(time: #require(parts.time), node: 200, sequence: 9, rollback: rollback) == id)
        }
        let plain = try ids.compose(timestampMs: now, node: 200, sequence: 9)
        #expect(try ids.compose(timestampMs: now, node: 200, sequence: 9, rollback: 0) == plain)
        // The two rollback bits are the lowest bits of Twitter's node.
        #expect(try SnowflakeGenerator(node: 0, clock: clock).inspect(plain).node == 800)
    }

    @Test func aLayoutGivesUpNodeBitsForTheRollbackField() throws {
        let fields = bits.fields()
        #expect(fields.map(\.kind) == ["unused", "timestamp", "node", "rollback", "sequence"])
        #expect(fields.map(\.bits) == [1, 41, 8, 2, 12])
        #expect(bits.maxNode() == 255)
        #expect(bits.maxRollback() == 3)
        #expect(bits.name() == nil)
        #expect(bits.epochMs() == Layout.twitter.epochMs())
        #expect(Layout.twitter.maxRollback() == 0)
        #expect(try Layout(fields: fields, epochMs: bits.epochMs()) == bits)
    }

    @Test func idsOfLayoutsWithoutRollbackBitsHaveNoRollbackValue() throws {
        let clock = try ManualClock(timestampMs: now)
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 7, clock: clock), try RandflakeGenerator(secret: secret, node: 7, clock: clock),
            try UlidFlakeGenerator(clock: clock),
        ]
        for ids in generators {
            let parts = try ids.inspect(ids.generate())
            #expect(parts.rollback == nil)
            #expect(parts.secretIndex == nil)
        }
    }
}
