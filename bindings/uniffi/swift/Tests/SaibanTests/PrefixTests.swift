import Foundation
import Saiban
import Testing

/// Text with a prefix.
struct PrefixTests {
    let timeMs: Int64 = 1_795_219_200_000
    let wide = try! Layout.fromText("timestamp:48 node.region:4 node.host:12 sequence:16 random:48")

    @Test func validTypeIdsAreReadAndWritten() throws {
        let cases = try Vectors.read("typeid")["valid"] as! [Json]
        #expect(cases.count == 9)
        for valid in cases {
            let ids = try UuidGenerator(version: 7, prefix: valid.text("prefix"))
            let uuid = try #require(UUID(uuidString: valid.text("uuid")))
            #expect(try ids.fromText(valid.text("typeid")) == uuid)
            #expect(try ids.toText(uuid) == valid.text("typeid"))
        }
    }

    @Test func invalidTypeIdsAreRefused() throws {
        let cases = try Vectors.read("typeid")["invalid"] as! [Json]
        #expect(cases.count == 19)
        for invalid in cases {
            let text = invalid.text("typeid")
            if let refusal = kind({ try UuidGenerator(version: 7, prefix: invalid.text("prefix")) }) {
                #expect(refusal == "INVALID_ARGUMENT", "\(text)")
            } else {
                let ids = try UuidGenerator(version: 7, prefix: invalid.text("prefix"))
                #expect(kind { try ids.fromText(text) }?.hasPrefix("TEXT_") == true, "\(text)")
            }
        }
    }

    @Test func everySchemeTakesAPrefix() throws {
        let clock = try ManualClock(timestampMs: timeMs)
        let narrow: [any Generator] = [
            try SnowflakeGenerator(node: 1, clock: clock, prefix: "order"),
            try TsidGenerator(node: 1, clock: clock, prefix: "order"),
            try RandflakeGenerator(secret: Data(count: 16), node: 1, clock: clock, prefix: "order"),
            try UlidFlakeGenerator(clock: clock, prefix: "order"),
            try FlakeGenerator(layout: .discord, node: 1, clock: clock, prefix: "order"),
        ]
        for ids in narrow {
            let id = try ids.generate()
            let text = try ids.toText(id)
            #expect(isPrefixed(text))
            #expect(try ids.fromText(text) == id)
            #expect(try ids.inspect(id).text == text)
            #expect(try ids.inspect(text).id == id)
            #expect(try ids.generateText().count == text.count)
            #expect(try ids.toText(id, "hex") == encode(id, "hex"))
        }
        for version in [Int64(1), 4, 7] {
            let ids = try UuidGenerator(version: version, prefix: "order")
            try isReadAndWritten(ids)
            let id = try ids.generate()
            #expect(try ids.toText(id, "hyphenated") == id.uuidString.lowercased())
            #expect(try ids.inspect(ids.toText(id)).text == ids.toText(id))
        }
        let wides = try WideFlakeGenerator(layout: wide, node: 7, clock: clock, prefix: "order")
        try isReadAndWritten(wides)
        let id = try wides.generate()
        #expect(try wides.toText(id, "hex") == encodeWide(id, "hex"))
        #expect(try wides.inspect(wides.toText(id)).text == wides.toText(id))
    }

    @Test func idsThatAreTextHaveThePrefixEverywhere() throws {
        let clock = try ManualClock(timestampMs: timeMs)
        try isText(UlidGenerator(clock: clock, prefix: "order"))
        try isText(ObjectIdGenerator(clock: clock, prefix: "order"))
        try isText(XidGenerator(clock: clock, prefix: "order"))
        for order in [TickOrder.ascending, .descending] {
            try isText(TickIdGenerator(order: order, clock: clock, prefix: "order"))
        }

        let ulids = try UlidGenerator(prefix: "order")
        let ulid = "order_01arz3ndektsv4rrffq69g5fav"
        let parts = try UlidGenerator().inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        let composed = try ulids.compose(timestampMs: #require(parts.timestampMs), random: #require(parts.random))
        #expect(composed == ulid)
        #expect(try ulids.toBytes(id: ulid) == parts.idBytes)
        #expect(try ulids.fromBytes(bytes: parts.idBytes) == ulid)
        #expect(try ulids.fromUuid(uuid: ulids.toUuid(id: ulid)) == ulid)
        #expect(try ulids.toText(ulid, "crockford") == "01ARZ3NDEKTSV4RRFFQ69G5FAV")
        let objectIds = try ObjectIdGenerator(prefix: "order")
        let objectId = try objectIds.fromBytes(bytes: bytesOfHex("507f1f77bcf86cd799439011"))
        #expect(try objectIds.toText(objectId, "hex") == "507f1f77bcf86cd799439011")
    }

    @Test func aTypeIdMayBeOfAnyVersion() throws {
        let ids = try UuidGenerator(version: 7, prefix: "order")
        let v4 = try #require(UUID(uuidString: "919108F7-52D1-4320-9BAC-F847DB4148A8"))
        #expect(try ids.fromText(ids.toText(v4)) == v4)
        #expect(kind { try ids.inspect(v4) } == "ID_OUT_OF_RANGE")
        #expect(try inspect("order_01h455vb4pex5vsknk084sn02q").first?.scheme == "uuid-v7")
    }

    @Test func aLeasedGeneratorHasThePrefix() throws {
        // The epoch makes the layout unique to this test.
        let layout = try Layout(("timestamp", 42), ("node", 10), ("sequence", 12), epochMs: 1_500_000_000_007)
        let lease = try Lease.acquire("memory:prefixes", layout: layout)
        let ids = try SnowflakeGenerator(layout: layout, lease: lease, prefix: "order")
        let text = try ids.generateText()
        #expect(isPrefixed(text))
        #expect(try ids.toText(ids.fromText(text)) == text)
        try lease.release()
    }

    @Test func anotherPrefixIsRefused() throws {
        let ids = try UuidGenerator(version: 7, prefix: "order")
        let texts: [(String, Int?)] = [
            ("user_01h455vb4pex5vsknk084sn02q", nil), ("01h455vb4pex5vsknk084sn02q", nil),
            ("order01h455vb4pex5vsknk084sn02q", nil), ("order_01h455vb4pex5vsknk084sn02Q", 31),
            ("order_01h455vb4pex5vsknk084sn0!q", 30),
        ]
        for (text, position) in texts {
            do {
                _ = try ids.fromText(text)
                Issue.record("not refused: \(text)")
            } catch let error as SaibanError {
                #expect(error.kind == "TEXT_CHARACTER" && error.position == position, "\(text): \(error)")
            }
        }
        let lenient = try ids.fromText("order_O1H455VB4PEX5VSKNKO84SNO2Q", lenient: true)
        #expect(try ids.fromText("order_01h455vb4pex5vsknk084sn02q") == lenient)
        for prefix in ["Order", "order_", "_order", "order2", "örder", String(repeating: "a", count: 64)] {
            refused("INVALID_ARGUMENT") { try UlidGenerator(prefix: prefix) }
        }
        _ = try UlidGenerator(prefix: String(repeating: "a", count: 63))
    }

    private func isPrefixed(_ text: String) -> Bool { text.wholeMatch(of: /order_[0-9a-z]+/) != nil }

    private func isReadAndWritten<G: WideGenerator>(_ ids: G) throws where G.ID: Equatable {
        let id = try ids.generate()
        let text = try ids.toText(id)
        #expect(isPrefixed(text))
        #expect(try ids.fromText(text) == id)
        #expect(try ids.inspect(id).text == text)
        #expect(try ids.generateText().count == text.count)
    }

    private func isText<G: WideGenerator>(_ ids: G) throws where G.ID == String, G.IDRange == TextRange {
        let range = try ids.range(startMs: timeMs, endMs: timeMs + 60_000)
        var made = try ids.generateMany(3) + ids.generateUpTo(count: 3)
        made += [try ids.generate(), try ids.generateText(), try #require(try ids.tryGenerate())]
        for id in made {
            #expect(isPrefixed(id))
            #expect(try ids.toText(id) == id)
            #expect(try ids.fromText(id) == id)
            #expect(try ids.inspect(id).text == id)
            #expect((range.first...range.last).contains(id))
        }
        refused("TEXT_CHARACTER") { try ids.inspect(String(made[0].dropFirst("order_".count))) }
    }
}
