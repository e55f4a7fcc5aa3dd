import Foundation
import Saiban
import Testing

/// Every case in the files of the newer schemes, of layouts and of wider encodings. There is one
/// test a file, as in VectorTests.
struct FamilyVectorTests {
    @Test func flakeVectors() throws { try schemes("flake") }

    @Test func flake1Vectors() throws { try schemes("flake-1", "flake") }

    @Test func flake2Vectors() throws { try schemes("flake-2", "flake") }

    @Test func ulidVectors() throws { try schemes("ulid") }

    @Test func uuidVectors() throws { try schemes("uuid") }

    @Test func objectIdVectors() throws { try schemes("objectid") }

    @Test func xidVectors() throws { try schemes("xid") }

    @Test func tickIdVectors() throws { try schemes("tick-id") }

    @Test func rangeVectors() throws {
        try runVectors("range") { of in
            let ids = try family(of.config.text("scheme"), of)
            try of.expectsAll {
                let (first, last) = try ids.range(of.input.int("start_ms")!, of.input.int("end_ms")!)
                return ["first": idOf(first), "first_text": first.text, "last": idOf(last), "last_text": last.text]
            }
        }
    }

    @Test func wideEncodingVectors() throws {
        try runVectors("encoding-wide") { of in
            let (encoding, bits) = (of.input.text("encoding"), of.input["bits"] as! Int)
            let width = of.input["width"] as? Int
            switch of.op {
            case "encode_wide":
                try of.expects("text") {
                    try encodeWide(bytesOf(of.input.text("value")), encoding, width: width, bits: bits)
                }
            case "decode_wide":
                try of.expects("value") {
                    let bytes = try decodeWide(
                        of.input.text("text"), encoding, width: width, lenient: of.input.flag("lenient"), bits: bits)
                    try same(bytes.count, (bits + 7) / 8)
                    return String(bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
                }
            default: throw Mismatch("unknown operation \(of.op)")
            }
        }
    }

    @Test func layoutVectors() throws {
        try runVectors("layout") { of in
            switch of.op {
            case "layout":
                if let out = of.out {
                    try answers(Layout.fromText(of.input.text("text")), out)
                } else {
                    try of.expectsError { _ = try Layout.fromText(of.input.text("text")) }
                }
            case "from_json":
                try of.expects("text") { try Layout.fromJson(of.input.text("json")).toText() }
            case "with_rollback_bits":
                try of.expects("text") {
                    try Layout.fromText(of.input.text("text")).withRollbackBits(of.input["bits"] as! Int).toText()
                }
            case "collision_odds":
                let odds = {
                    try Layout.fromText(of.input.text("text")).collisionOdds(
                        idsPerSecond: Double(of.input.text("ids_per_second"))!, seconds: Double(of.input.text("seconds"))!)
                }
                if let out = of.out {
                    let wanted = out.text("odds")
                    try near(odds(), wanted, wanted == "0" || wanted == "1" ? 0 : 1e-6)
                } else {
                    try of.expectsError { _ = try odds() }
                }
            default: throw Mismatch("unknown operation \(of.op)")
            }
        }
    }

    /// Checks the properties of a layout: all of them, or those in the case.
    private func answers(_ layout: Layout, _ out: Json) throws {
        let capacity = layout.capacity()
        let isWhole = out["json"] != nil
        let got: [String: String?] = [
            "text": layout.toText(), "json": layout.toJson(), "name": layout.name(),
            "epoch_ms": String(layout.epochMs()), "tick_us": String(layout.tickUs()),
            "first_ms": String(layout.firstMs()), "last_ms": String(layout.lastMs()),
            "ids_per_tick": String(capacity.idsPerTick), "ids": String(capacity.ids),
        ]
        for (name, value) in got where isWhole || out[name] != nil { try same(value, out[name] as? String) }
        try same(shownAs("nodes", out.text("nodes")), String(capacity.nodes))
        try same(shownAs("lifetime_ms", out.text("lifetime_ms")), String(layout.lifetimeMs()))
        guard isWhole else { return }
        try same(Int(layout.sizeBits()), out["size_bits"] as? Int)
        try same(Int(capacity.bits), out["bits"] as? Int)
        try same(layout.isUnique(), out["is_unique"] as? Bool)
        try same(layout.isTimeOrdered(), out["is_time_ordered"] as? Bool)
        let places = (out["places"] as! [Json]).map { place in
            Place(
                kind: place.text("kind"), name: place["name"] as? String, bits: Int32(place["bits"] as! Int),
                shift: Int32(place["shift"] as! Int), max: UInt128(place.text("max"))!)
        }
        try same(layout.places(), places)
        try near(layout.idsPerSecond().perNode, out.text("per_node"), 1e-12)
        try near(layout.idsPerSecond().inAll, out.text("in_all"), 1e-12)
        try same(Layout.fromText(layout.toText()), layout)
        try same(Layout.fromJson(layout.toJson()), layout)
        try same(Layout(fields: layout.fields(), epochMs: layout.epochMs(), tickUs: layout.tickUs()), layout)
    }

    private func near(_ got: Double, _ wanted: String, _ tolerance: Double) throws {
        let number = Double(wanted)!
        guard abs(got - number) <= tolerance * abs(number) else { throw Mismatch("got \(got), wanted \(wanted)") }
    }

    private func schemes(_ name: String, _ scheme: String? = nil) throws {
        let scheme = scheme ?? name
        try runVectors(name, scheme) { of in
            switch of.op {
            case "new": try of.expectsError { _ = try family(scheme, of) }
            case "generate": try generates(scheme, of)
            case "compose": try of.expectsAll { idAndText(try family(scheme, of).compose(of.input)) }
            case "inspect":
                let ids = try family(scheme, of)
                if try isId(ids, of) { try of.expectsAll { parts(try ids.inspect(of.input)) } }
            case "to_text":
                let ids = try family(scheme, of)
                if try isId(ids, of) { try of.expects("text") { try ids.toText(of.input) } }
            case "from_text":
                try of.expectsAll {
                    idAndText(try family(scheme, of).fromText(of.input.text("text"), of.input.flag("lenient")))
                }
            case "to_bytes", "to_guid_bytes":
                try of.expects("bytes") { hex(try family(scheme, of).toBytes(of.input.text("text"))) }
            case "from_bytes", "from_guid_bytes":
                try of.expectsAll {
                    let parts = try family(scheme, of).fromBytes(bytesOfHex(of.input.text("bytes")))
                    if of.op == "from_bytes" { try same(hex(parts.idBytes), of.input.text("bytes")) }
                    return idAndText(parts)
                }
            case "round_trips":
                let ids = try family(scheme, of)
                let given = of.input["parts"] as! [Json]
                let made = try given.map { try ids.compose($0) }
                try same(made.map(idOf), of.out!["ids"] as? [String])
                for (given, made) in zip(given, made) {
                    let shown = parts(made)
                    for (name, value) in given { try same(shown[name], shownAs(name, value as! String)) }
                }
            case "limits": try answers(family(scheme, of).layout!, of.out!)
            default: throw Mismatch("unknown operation \(of.op)")
            }
        }
    }

    /// Returns whether an ID can be this number; if not, checks that its text is refused too.
    private func isId(_ ids: Family, _ of: Case) throws -> Bool {
        if ids.holds(of.input) { return true }
        try same(of.error, "ID_OUT_OF_RANGE")
        guard kind({ try ids.fromText(of.input.text("text"), false) }) != nil else { throw Mismatch("its text is read") }
        return false
    }

    /// A case may need several tries: see vectors/README.md.
    private func generates(_ scheme: String, _ of: Case) throws {
        for attempt in 1...3 {
            do {
                return try generatesOnce(scheme, of)
            } catch is UsedUp where attempt < 3 {
                continue
            }
        }
    }

    /// Sets the clock and makes an ID for each entry.
    private func generatesOnce(_ scheme: String, _ of: Case) throws {
        let clocks = (of.input["clock_ms"] as! [String]).map { Int64($0)! }
        let expected = of.out!["ids"] as! [Any]
        try same(clocks.count, expected.count)
        let clock = try ManualClock(timestampMs: clocks[0])
        let ids = try family(scheme, of, clock)
        var last: Parts?
        for (time, want) in zip(clocks, expected) {
            try clock.set(timestampMs: time)
            let got = Result { try ids.generate() }
            let wanted = want as? Json
            if wanted?["new_tick"] as? Bool == false, atItsEnd.contains(kindOf(got)) { throw UsedUp() }
            if let kind = wanted?["error"] as? String {
                try same(kindOf(got), kind)
                continue
            }
            let parts = try got.get()
            if let wanted {
                try checkPredictable(wanted, parts, last, ids.layout)
            } else {
                try same(idOf(parts), want as? String)
            }
            last = parts
        }
    }

    /// Checks the predictable parts of an ID, which may depend on the previous ID.
    private func checkPredictable(_ wanted: Json, _ got: Parts, _ last: Parts?, _ layout: Layout?) throws {
        let shown = parts(got)
        for name in ["timestamp_ms", "node", "sequence"] where wanted[name] != nil {
            try same(shown[name], wanted.text(name))
        }
        let isWithin = wanted["new_tick"] as? Bool == false
        func grew(_ steps: ClosedRange<UInt128>) throws {
            guard let now = got.random, let before = last?.random, now > before, steps.contains(now - before) else {
                throw Mismatch("\(got) after \(last.map { "\($0)" } ?? "nothing")")
            }
        }
        switch got.scheme {
        case "flake" where isWithin:
            let fields = layout!.fields()
            if let step = fields.compactMap(\.step).first { try grew(1...UInt128(step)) }
            if fields.contains(where: { $0.start == "random" }) { try same(got.sequence, last!.sequence! + 1) }
        case "ulid" where isWithin: try grew(1...1)
        case "uuid-v7" where isWithin: try grew(1...(1 << 32))
        case "flake", "ulid", "uuid-v7": break
        case "uuid-v4": try same(got.text == last?.text, false)
        case "uuid-v1":
            let groups = got.text.split(separator: "-")
            let ticks = UInt64(groups[2].dropFirst() + groups[1] + groups[0], radix: 16)!
            try same(String(ticks), wanted.text("ticks"))
            try same(got.node! >> 40 & 1, 1)
            if let last { try same([got.node, got.sequence], [last.node, last.sequence]) }
        case "objectid", "xid":
            if let last {
                try same(got.node, last.node)
                if isWithin { try same(got.sequence, (last.sequence! + 1) % (1 << 24)) }
            }
        case "tick-id":
            let major = Int64(got.text.prefix(19))!
            try same(String(got.layout == "ascending" ? major : .max - major), wanted.text("ticks"))
        default: throw Mismatch("unknown scheme \(got.scheme)")
        }
    }

    private func idOf(_ parts: Parts) -> String { parts.id.map { String($0) } ?? String(parts.number) }

    private func idAndText(_ parts: Parts) -> [String: String] { ["id": idOf(parts), "text": parts.text] }

    private func hex(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
