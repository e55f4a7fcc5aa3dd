import Saiban
import Testing

/// Every case in the files that all languages are tested with. There is one test a file, which
/// names each case that differs, and prints how many agree. ../../test counts them.
struct VectorTests {
    @Test func snowflakeVectors() throws {
        try runVectors("snowflake") { try scheme($0, snowflake) }
    }

    @Test func randflakeVectors() throws {
        try runVectors("randflake") { try scheme($0, randflake) }
    }

    @Test func ulidFlakeVectors() throws {
        try runVectors("ulid-flake") { try scheme($0, ulidFlake) }
    }

    @Test func tsidVectors() throws {
        try runVectors("tsid") { try scheme($0, tsid) }
    }

    @Test func encodingVectors() throws {
        try runVectors("encoding") { of in
            let encoding = of.input.text("encoding")
            let width = of.input["width"] as? Int
            switch of.op {
            case "encode":
                try of.expects("text") { try encode(of.input.int("value")!, encoding, width: width) }
            case "decode":
                try of.expects("value") {
                    String(
                        try decode(of.input.text("text"), encoding, width: width, lenient: of.input.flag("lenient")))
                }
            default: throw Mismatch("unknown operation \(of.op)")
            }
        }
    }

    private func scheme(_ of: Case, _ make: Make) throws {
        switch of.op {
        case "new":
            try of.expectsError { _ = try make(of, nil) }
        case "generate":
            try generates(of, make)
        case "compose":
            let ids = try make(of, nil)
            try of.expects("id") { String(try compose(ids, of.input)) }
            if let out = of.out { try same(try ids.toText(out.int("id")!), out.text("text")) }
        case "inspect":
            let ids = try make(of, nil)
            if let out = of.out {
                try same(parts(try ids.inspect(of.input.int("id")!)), out as? [String: String])
            } else {
                try of.expectsError { _ = try ids.inspect(of.input.int("id")!) }
            }
        case "inspect_secrets":
            let inspected = {
                let oldSecrets = (of.input["old_secrets"] as! [String]).map(bytesOfHex)
                let found = try inspect(
                    of.input.int("id")!, secret: bytesOfHex(of.config.text("secret")), oldSecrets: oldSecrets,
                    scheme: "randflake")
                try same(found.count, 1 + oldSecrets.count)
                return parts(found[0])
            }
            if let out = of.out {
                try same(try inspected(), out as? [String: String])
            } else {
                try of.expectsError { _ = try inspected() }
            }
        case "to_text":
            let ids = try make(of, nil)
            try of.expects("text") { try ids.toText(of.input.int("id")!) }
        case "from_text":
            let ids = try make(of, nil)
            try of.expects("id") {
                String(try ids.fromText(of.input.text("text"), lenient: of.input.flag("lenient")))
            }
        default: throw Mismatch("unknown operation \(of.op)")
        }
    }

    /// A case of Ulid-Flake may need several tries: see vectors/README.md.
    private func generates(_ of: Case, _ make: Make) throws {
        for attempt in 1...3 {
            do {
                return try generatesOnce(of, make)
            } catch is UsedUp where attempt < 3 {
                continue
            }
        }
    }

    /// Sets the clock and makes an ID for each entry.
    private func generatesOnce(_ of: Case, _ make: Make) throws {
        let clocks = (of.input["clock_ms"] as! [String]).map { Int64($0)! }
        let expected = of.out!["ids"] as! [Any]
        try same(clocks.count, expected.count)
        let clock = try ManualClock(timestampMs: clocks[0])
        let ids = try make(of, clock)
        var last: Parts?
        for (time, want) in zip(clocks, expected) {
            try clock.set(timestampMs: time)
            let got = Result { try ids.generate() }
            guard let wanted = want as? Json else {
                try same(try got.get(), Int64(want as! String))
                continue
            }
            if let kind = wanted["error"] as? String {
                try same(kindOf(got), kind)
                continue
            }
            let growing = !(wanted["new_tick"] as! Bool)
            if growing && atItsEnd.contains(kindOf(got)) { throw UsedUp() }
            let parts = try ids.inspect(try got.get())
            try same(parts.timestampMs, wanted.int("timestamp_ms"))
            try same(parts.node, wanted.int("node"))
            if growing {
                let largest = Int64(1) << (8 * (of.config["entropy_size"] as! Int)) - 1
                let step = Int64(parts.random!) - Int64(last!.random!)
                guard (1...largest).contains(step) else { throw Mismatch("grew by \(step)") }
            }
            last = parts
        }
    }
}
