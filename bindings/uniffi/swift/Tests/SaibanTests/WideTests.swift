import Foundation
import Saiban
import Testing

/// Flake, ULID, UUID, ObjectId, XID and tick IDs.
struct WideTests {
    let timeMs: Int64 = 1_795_219_200_000
    let wide = try! Layout.fromText("timestamp:48 node.region:4 node.host:12 sequence:16 random:48")

    @Test func publishedExamplesComeOutExactly() throws {
        // RFC 9562, appendix A.
        let v7 = try UuidGenerator(version: 7)
        let id = try #require(UUID(uuidString: "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"))
        let random: UInt128 = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F
        let time = Date(timeIntervalSince1970: 1_645_557_742)
        #expect(try v7.compose(time: time, random: random) == id)
        #expect(try v7.inspect(id).time == time)
        #expect(try v7.inspect("017f22e2-79b0-7cc3-98c4-dc0c0c07398f").random == random)
        #expect(try v7.fromText("URN:UUID:017F22E2-79B0-7CC3-98C4-DC0C0C07398F", lenient: true) == id)
        let v1 = try #require(UUID(uuidString: "C232AB00-9414-11EC-B3C8-9F6BDECED846"))
        let node: Int64 = 0x9F6B_DECE_D846
        #expect(try UuidGenerator(version: 1).compose(time: time, clockSequence: 0x33C8, node: node) == v1)
        #expect(try UuidGenerator(version: 1).inspect(v1).node == node)
        let v4 = try UuidGenerator(version: 4).inspect(#require(UUID(uuidString: "919108F7-52D1-4320-9BAC-F847DB4148A8")))
        #expect(v4.time == nil && v4.scheme == "uuid-v4")

        // The specification of ULID, and MongoDB's manual.
        #expect(try UlidGenerator().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").timestampMs == 1_469_922_850_259)
        let objectId = try ObjectIdGenerator().inspect("507f1f77bcf86cd799439011")
        #expect(objectId.timestampMs == 1_350_508_407_000 && objectId.sequence == 0x439011)

        // github.com/rs/xid, id_test.go.
        let xids = try XidGenerator()
        let xid = try xids.inspect("9m4e2mr0ui3e8a215n4g")
        #expect(xid.scheme == "xid" && xid.timestampMs == 1_300_816_219_000)
        #expect(xid.node == 0x60_F486_E428 && xid.sequence == 4_271_561)
        #expect(xid.idBytes == bytesOfHex("4d88e15b60f486e428412dc9"))
        let sameXid = try xids.compose(timestampMs: 1_300_816_219_000, node: 0x60_F486_E428, sequence: 4_271_561)
        #expect(sameXid == "9m4e2mr0ui3e8a215n4g")
        #expect(try inspect("9m4e2mr0ui3e8a215n4g").first?.scheme == "xid")
        refused("TEXT_LENGTH") { try xids.fromText("9m4e2mr0ui3e8a215n4") }
        refused("TEXT_NOT_CANONICAL") { try xids.fromText("9M4E2MR0UI3E8A215N4G") }
        refused("TEXT_NOT_CANONICAL") { try xids.fromText("c6e52g2mrqcjl44hf179", lenient: true) }
        refused("NODE_OUT_OF_RANGE") { try xids.compose(timestampMs: 0, node: 1 << 40, sequence: 0) }

        let ticks = try TickIdGenerator().compose(timestampMs: 1_764_074_400_000, random: 42)
        #expect(ticks == "0638996712000000000_0042")
    }

    @Test func idsOfShortTicksAreComposedAgainFromTheirParts() throws {
        let v1 = try UuidGenerator(version: 1)
        for _ in 0..<20 {
            let id = try v1.generate()
            let parts = try v1.inspect(id)
            let same = try v1.compose(
                timestampMs: parts.timestampMs, clockSequence: parts.sequence, node: parts.node,
                submillisecondNs: parts.submillisecondNs)
            #expect(same == id)
        }
        for order in [TickOrder.ascending, .descending] {
            let ids = try TickIdGenerator(order: order)
            let id = try ids.generate()
            let parts = try ids.inspect(id)
            let same = try ids.compose(
                timestampMs: #require(parts.timestampMs), random: Int64(#require(parts.random)),
                submillisecondNs: #require(parts.submillisecondNs))
            #expect(same == id)
        }
        let ticks = try TickIdGenerator(order: .ascending)
        #expect(throws: SaibanError.self) { try ticks.compose(timestampMs: 0, random: 0, submillisecondNs: 1_000_000) }
    }

    @Test func aDateIsTakenToTheMicrosecond() throws {
        let ticks = try TickIdGenerator(order: .ascending)
        let id = try ticks.compose(time: Date(timeIntervalSince1970: 1_764_079_890.123456), random: 42)
        #expect(id == "0638996766901234560_0042")
        #expect(try abs(#require(ticks.inspect(id).time).timeIntervalSince1970 - 1_764_079_890.123456) < 1e-6)
        let micros = try FlakeGenerator(layout: .fromText("unused:1 timestamp:51@us node:12"), node: 1)
        let parts = try micros.inspect(micros.compose(time: Date(timeIntervalSince1970: 1_764_079_890.123456), node: 7))
        #expect(parts.timestampMs == 1_764_079_890_123 && parts.submillisecondNs == 456_000)
        // Whole milliseconds stay exact, although few of them are exact as a Date.
        for first: Int64 in [-12_219_292_800_000, -5_000, 0, 1_764_079_890_000, 253_402_300_799_000] {
            for ms in first..<first + 1_000 {
                let date = Date(timeIntervalSince1970: Double(ms) / 1_000)
                let parts = try ticks.inspect(ticks.compose(time: date, random: 0))
                #expect(parts.timestampMs == ms && parts.submillisecondNs == 0)
            }
        }
    }

    @Test func generatorsOnTheSystemClockTellTheTime() throws {
        // An ID with whole seconds may be a second older than now, and 10 ms more, because the
        // kernel's coarse clock lags.
        let before = Date(timeIntervalSinceNow: -1.01)
        // UUID v1 and tick IDs may be a millisecond ahead of the clock.
        func isNow(_ parts: Parts) throws {
            #expect(try (before...Date(timeIntervalSinceNow: 0.002)).contains(#require(parts.time)))
        }
        let ulids = try UlidGenerator()
        let ulid = try ulids.generate()
        try isNow(ulids.inspect(ulid))
        #expect(try ulids.inspect(ulid).text == ulid)
        #expect(try ulids.fromText(ulid.lowercased()) == ulid)
        #expect(try ulids.fromBytes(bytes: ulids.toBytes(id: ulid)) == ulid)
        #expect(try ulids.inspect(ulid).idBytes == ulids.toBytes(id: ulid))
        #expect(try ulids.fromUuid(uuid: ulids.toUuid(id: ulid)) == ulid)
        #expect(try ulids.toUuid(id: ulid).uuidString.lowercased() == ulids.toText(ulid, "hyphenated"))
        #expect(try ulids.generateBytes().count == 16)
        #expect(try #require(try ulids.tryGenerate()) > ulid)
        for version in Int64(1)...7 where [1, 4, 7].contains(version) {
            let ids = try UuidGenerator(version: version)
            let id = try ids.generate()
            #expect(id.uuid.6 >> 4 == UInt8(version) && id.uuid.8 >> 6 == 2)
            #expect(ids.version() == Int32(version))
            if version == 4 {
                #expect(try ids.inspect(id).timestampMs == nil)
            } else {
                try isNow(ids.inspect(id))
            }
            #expect(try ids.fromText(ids.toText(id)) == id)
            #expect(try ids.toText(id) == id.uuidString.lowercased())
            #expect(try ids.fromText(ids.toText(id, "braced"), lenient: true) == id)
            #expect(try ids.fromBytes(bytes: ids.toBytes(id: id)) == id)
            #expect(try uuidFromGuidBytes(uuidToGuidBytes(id)) == id)
            #expect(try ids.tryGenerate() != id)
            #expect(try ids.generateText("simple").count == 32)
        }
        let objectIds = try ObjectIdGenerator()
        let objectId = try objectIds.generate()
        try isNow(objectIds.inspect(objectId))
        #expect(objectId.count == 24)
        #expect(try objectIds.fromBytes(bytes: objectIds.toBytes(id: objectId)) == objectId)
        #expect(try objectIds.generateBytes().count == 12)
        let xids = try XidGenerator()
        let xid = try xids.generate()
        try isNow(xids.inspect(xid))
        #expect(xid.count == 20)
        #expect(try xids.fromBytes(bytes: xids.toBytes(id: xid)) == xid)
        #expect(try xids.generateBytes().count == 12)
        for (order, name) in [(TickOrder.ascending, "ascending"), (.descending, "descending")] {
            let ids = try TickIdGenerator(order: order)
            let id = try ids.generate()
            try isNow(ids.inspect(id))
            #expect(try ids.inspect(id).layout == name)
            #expect(try ids.fromText(id) == id)
        }
        let wides = try WideFlakeGenerator(layout: wide, node: 7)
        let id = try wides.generate()
        try isNow(wides.inspect(id))
        #expect(try wides.inspect(id).nodeParts == ["region": 0, "host": 7])
        #expect(try wides.fromText(wides.toText(id)) == id)
        #expect(try wides.inspect(id).idBytes == id)
        #expect(try encodeWide(id, "crockford") == wides.toText(id, "crockford"))
        #expect(try decodeWide(wides.toText(id, "crockford"), "crockford") == id)
    }

    @Test func fillWritesIdsOneAfterTheOther() throws {
        let clock = try ManualClock(timestampMs: timeMs)
        let ulids = try UlidGenerator(clock: clock)
        var buffer = Data(count: 16 * 100 + 15)
        #expect(try ulids.fill(&buffer) == 100)
        #expect(buffer.count == 16 * 100 + 15)
        let texts = try (0..<100).map { try ulids.fromBytes(bytes: Data(buffer[16 * $0..<16 * $0 + 16])) }
        #expect(texts == texts.sorted() && Set(texts).count == 100)
        #expect(try ulids.stats().issued == 100 && ulids.stats().guarantee == .probable)
        var thirtySix = Data(count: 36)
        #expect(try ObjectIdGenerator(clock: clock).fill(&thirtySix) == 3)
        #expect(try UuidGenerator(version: 7, clock: clock).fill(&thirtySix) == 2)
        let narrow = try WideFlakeGenerator(layout: .fromText("timestamp:60 sequence:5"), clock: clock)
        // In every language, IDs of 96 bits have 12 bytes in a buffer.
        let wider = try WideFlakeGenerator(layout: .fromText("timestamp:48 node:16 sequence:32"), node: 7, clock: clock)
        var wides = Data(count: 36)
        #expect(try wider.fill(&wides) == 3)
        #expect(try (0..<3).map { try wider.inspect(Data(wides[12 * $0..<12 * $0 + 12])).sequence } == [0, 1, 2])
        // A tick has 32 IDs.
        var many = Data(count: 9 * 40)
        #expect(try narrow.fill(&many) == 32)
        #expect(kind { try narrow.fill(&many) } == "WOULD_WAIT")
        var few = Data(count: 8)
        #expect(try narrow.fill(&few) == 0)
    }

    @Test func idsOfFourThreadsAreDistinct() throws {
        try areDistinct(UlidGenerator())
        for version in [1, 4, 7] { try areDistinct(UuidGenerator(version: Int64(version))) }
        try areDistinct(ObjectIdGenerator())
        try areDistinct(WideFlakeGenerator(layout: wide, nodes: Interval(16..<32)))
        let flake = try FlakeGenerator(layout: .fromText("timestamp:44 random:20,step=9"))
        try areDistinct { try flake.generateMany(1_000) }
    }

    private func areDistinct<G: WideGenerator>(_ ids: G) throws where G.ID: Hashable & Sendable {
        try areDistinct { try ids.generateMany(1_000) }
    }

    private func areDistinct<I: Hashable & Sendable>(_ make: @Sendable () throws -> [I]) throws {
        let all = Distinct<I>()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                for _ in 0..<25 { all.add(try make()) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(all.count == 100_000)
    }

    @Test func idsOfOneGeneratorAscend() throws {
        let texts = try UlidGenerator().generateMany(10_000)
        #expect(texts == texts.sorted())
        let uuids = try UuidGenerator(version: 7).generateMany(10_000).map(\.uuidString)
        #expect(uuids == uuids.sorted())
        let newestFirst = try TickIdGenerator(order: .descending).generateMany(1_000)
        #expect(newestFirst == newestFirst.sorted(by: >))
    }

    @Test func aLayoutIsTextJsonAndFields() throws {
        let text = "unused:1 timestamp:41@10ms,epoch=2020-02-02 node.datacenter:5 node.worker:5 sequence:12,start=random"
        let layout = try Layout.fromText(text)
        #expect(layout.toText() == text && "\(layout)" == text)
        #expect(try Layout.fromJson(layout.toJson()) == layout)
        let fields = [
            Field(kind: "unused", bits: 1), Field(kind: "timestamp", bits: 41),
            Field(kind: "node", bits: 5, name: "datacenter"), Field(kind: "node", bits: 5, name: "worker"),
            Field(kind: "sequence", bits: 12, start: "random"),
        ]
        #expect(try Layout(fields: fields, epochMs: 1_580_601_600_000, tickUs: 10_000) == layout)
        #expect(try Layout.fromText("twitter") == .twitter)
        #expect([Layout.bwmarrin, .mastodon, .baidu].map { $0.name() } == ["twitter", "mastodon", "baidu"])
        #expect(wide.sizeBits() == 128 && wide.isUnique() && wide.isTimeOrdered())
        let step = try Layout(fields: [
            Field(kind: "timestamp", bits: 48), Field(kind: "constant", bits: 4, value: 7),
            Field(kind: "random", bits: 60, step: 255),
        ])
        #expect(step.toText() == "timestamp:48 constant:4,value=7 random:60,step=255")
    }

    @Test func theNodesPartsHaveNames() throws {
        let layout = try Layout.fromText("timestamp:42 node.datacenter:5 node.worker:5 sequence:12")
        let node = try layout.nodeOfParts(parts: ["datacenter": 2, "worker": 3])
        let ids = try FlakeGenerator(layout: layout, node: node, clock: ManualClock(timestampMs: timeMs))
        let parts = try ids.inspect(ids.generate())
        #expect(parts.node == 67 && parts.nodeParts == ["datacenter": 2, "worker": 3])
        #expect(try ids.compose(timestampMs: timeMs, nodeParts: parts.nodeParts) == parts.id)
        #expect(ids.layout() == layout)
        let snowflake = try SnowflakeGenerator(node: 1, clock: ManualClock(timestampMs: 0))
        #expect(try snowflake.inspect(1).nodeParts.isEmpty)
    }

    @Test func aRangeHoldsTheIdsOfItsInterval() throws {
        let clock = try ManualClock(timestampMs: timeMs)
        let snowflakes = try SnowflakeGenerator(node: 9, clock: clock)
        let millisecond = try snowflakes.range(start: clock.now, end: clock.now + 0.001)
        #expect((millisecond.first...millisecond.last).contains(try snowflakes.generate()))
        // Bounds between two milliseconds are rounded outwards.
        let two = try snowflakes.range(startMs: timeMs, endMs: timeMs + 2)
        #expect(try snowflakes.range(start: clock.now + 0.0004, end: clock.now + 0.0014) == two)
        #expect(try snowflakes.range(start: clock.now + 0.0006, end: clock.now + 0.0016) == two)
        #expect(try snowflakes.range(start: clock.now, end: clock.now + 0.002) == two)
        let day = try UlidGenerator(clock: clock).range(start: clock.now, end: clock.now + 86_400)
        #expect((day.first...day.last).contains(try UlidGenerator(clock: clock).generate()))
        let newestFirst = try TickIdGenerator(order: .descending, clock: clock).range(startMs: timeMs, endMs: timeMs + 1_000)
        #expect(newestFirst.first < newestFirst.last)
        let hidden = try RandflakeGenerator(secret: Data(count: 16), node: 1, clock: clock)
        let below = try FlakeGenerator(layout: .fromText("node:10 timestamp:42 sequence:12"), node: 1, clock: clock)
        #expect(kind { try hidden.range(startMs: 0, endMs: 1) } == "NOT_TIME_ORDERED")
        #expect(kind { try below.range(startMs: 0, endMs: 1) } == "NOT_TIME_ORDERED")
        #expect(kind { try UuidGenerator(version: 4).range(startMs: 0, endMs: 1) } == "NOT_TIME_ORDERED")
        #expect(kind { try UuidGenerator(version: 1).range(startMs: 0, endMs: 1) } == "NOT_TIME_ORDERED")
        #expect(kind { try UlidGenerator().range(startMs: 5, endMs: 5) } == "INVALID_WINDOW")
        let late = clock.now + 0.0006
        for end in [late, late - 0.0002, late - 0.0004] {
            #expect(kind { try snowflakes.range(start: late, end: end) } == "INVALID_WINDOW")
            #expect(kind { try UuidGenerator(version: 7).range(start: late, end: end) } == "INVALID_WINDOW")
        }
        #expect(try snowflakes.range(start: late - 0.0004, end: late) == millisecond)
    }

    @Test func anIdOfUnknownOriginIsInspectedInEveryForm() throws {
        let uuid = try #require(UUID(uuidString: "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"))
        let first = try #require(try candidates(uuid).first)
        #expect(first.parts.scheme == "uuid-v7" && first.isPlausible)
        #expect(first.reasons.contains { $0.name == "version_bits" })
        #expect(first.reasons.allSatisfy { !$0.text.isEmpty })
        #expect(try inspect(uuid.uuidString).first == first.parts)
        #expect(try inspect(UuidGenerator(version: 7).toBytes(id: uuid)).first == first.parts)
        #expect(try inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").first?.scheme == "ulid")
        #expect(try inspect(ObjectIdGenerator().toBytes(id: "507f1f77bcf86cd799439011")).first?.scheme == "objectid")
        let layout = try Layout.fromText("timestamp:42,epoch=2024-01-01 node.rack:4 node.slot:6 sequence:12")
        let ours = try #require(try candidates(151_819_733_950_271_234, layouts: [.discord, layout]).first)
        #expect(ours.parts.scheme == "flake" && ours.layoutIndex == 1)
        #expect(try layout.nodeParts(node: #require(ours.parts.node)) == ours.parts.nodeParts)
        #expect(try inspect("1J1SMJD9CE74J", epochMs: 0).first?.timestampMs == 1_719_921_095_980)
        #expect(try inspect(uuid, scheme: "uuid-v4").isEmpty)
        #expect(kind { try inspect(Data(count: 17)) } == "INVALID_ARGUMENT")
        #expect(kind { try inspect(Data(count: 1)) } == "INVALID_ARGUMENT")
        #expect(kind { try inspect(1, layouts: [Layout](repeating: layout, count: 5)) } == "INVALID_ARGUMENT")
        #expect(kind { try inspect(Data([1, 0, 0]), bits: 16) } == "ID_OUT_OF_RANGE")
    }

    @Test func badInputIsRefusedWithItsKind() throws {
        func refuses(_ wanted: String, _ texts: String..., run: () throws -> Void) {
            do {
                try run()
                Issue.record("not refused: \(wanted) \(texts)")
            } catch let error as SaibanError {
                #expect(error.kind == wanted)
                for words in texts { #expect(error.message.contains(words), "\(error)") }
            } catch {
                Issue.record(error)
            }
        }
        let clock = try ManualClock(timestampMs: 0)
        let time = Field(kind: "timestamp", bits: 48)
        refuses("INVALID_LAYOUT", "node.worker", "200") { _ = try Layout.fromText("timestamp:42 node.worker:200") }
        refuses("INVALID_LAYOUT", "129 bits") { _ = try Layout.fromText("timestamp:42 random:87") }
        refuses("INVALID_LAYOUT") { _ = try Layout(fields: [time, Field(kind: "node", bits: 8, name: "Worker")]) }
        refuses("INVALID_LAYOUT", "step") { _ = try Layout(fields: [time, Field(kind: "random", bits: 20, step: 0)]) }
        refuses("INVALID_LAYOUT", "step") { _ = try Layout(fields: [time, Field(kind: "node", bits: 20, step: 3)]) }
        refuses("INVALID_LAYOUT", "zero", "random") {
            _ = try Layout(fields: [time, Field(kind: "sequence", bits: 20, start: "zero")])
        }
        refuses("INVALID_LAYOUT") { _ = try Layout.fromJson("{") }
        refuses("INVALID_LAYOUT", "128 bits") { _ = try FlakeGenerator(layout: wide, node: 1) }
        refuses("INVALID_LAYOUT", "64 bits") { _ = try WideFlakeGenerator(layout: .twitter, node: 1) }
        refuses("NODE_REQUIRED") { _ = try WideFlakeGenerator(layout: wide) }
        refuses("INVALID_ARGUMENT", "node") { _ = try FlakeGenerator(layout: .mastodon, node: 1) }
        refuses("INVALID_ARGUMENT", "1, 4 and 7") { _ = try UuidGenerator(version: 6) }
        refuses("INVALID_ARGUMENT", "no options") { _ = try UuidGenerator(version: 4, notBefore: 1) }
        refuses("INVALID_ARGUMENT") { _ = try UuidGenerator(version: 7).compose(timestampMs: 1) }
        refuses("INVALID_ARGUMENT", "negative") { _ = try UlidGenerator().generateUpTo(count: -1) }
        refuses("INVALID_ARGUMENT", "bytes") { _ = try UlidGenerator().fromBytes(bytes: Data(count: 15)) }
        refuses("INVALID_ARGUMENT", "bytes") {
            _ = try WideFlakeGenerator(layout: wide, node: 1, clock: clock).inspect(Data(count: 15))
        }
        refuses("RANDOM_OUT_OF_RANGE", "1208925819614629174706176") {
            _ = try UlidGenerator().compose(timestampMs: 0, random: 1 << 80)
        }
        refuses("RANDOM_OUT_OF_RANGE") { _ = try UuidGenerator(version: 4).compose(random: .max) }
        refuses("INVALID_ARGUMENT", "sequence", "negative") {
            _ = try FlakeGenerator(layout: .mastodon, clock: clock).compose(timestampMs: 0, sequence: -1)
        }
        refuses("TIMESTAMP_OVERFLOW") { _ = try UlidGenerator().compose(time: .init(timeIntervalSince1970: .infinity), random: 1) }
        refuses("TEXT_OVERFLOW", "128 bits") { _ = try UlidGenerator().fromText("8ZZZZZZZZZZZZZZZZZZZZZZZZZ") }
        refuses("TEXT_LENGTH") { _ = try ObjectIdGenerator().fromText("507f1f77bcf86cd79943901") }
        refuses("TEXT_CHARACTER", "position 19") { _ = try TickIdGenerator(order: .ascending).fromText("0638996712000000000-0042") }
        refuses("ID_OUT_OF_RANGE", "version 7") { _ = try UuidGenerator(version: 7).inspect(UUID()) }
        refuses("ID_OUT_OF_RANGE") { _ = try encodeWide(Data([1, 0, 0]), "hex", bits: 16) }
        refuses("INVALID_ARGUMENT", "16") { _ = try encodeWide(Data(count: 17), "hex") }
        refuses("INVALID_ARGUMENT") { _ = try decodeWide("0", "hex", bits: 129) }
        refuses("UNKNOWN_NAME") { _ = try wide.nodeOfParts(parts: ["rack": 1]) }
        refuses("INVALID_ARGUMENT", "region") { _ = try wide.nodeOfParts(parts: ["host": 1]) }
        refuses("NODE_OUT_OF_RANGE", "node 1024 ", "0 to 1023") { _ = try Layout.twitter.nodeParts(node: 1_024) }
        refuses("NODE_OUT_OF_RANGE", "node -1 ") { _ = try wide.nodeParts(node: -1) }
    }
}

/// The set of IDs of several threads.
private final class Distinct<I: Hashable & Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var ids: Set<I> = []

    func add(_ more: [I]) {
        lock.withLock { ids.formUnion(more) }
    }

    var count: Int { lock.withLock { ids.count } }
}
