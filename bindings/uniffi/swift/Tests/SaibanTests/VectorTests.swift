import Saiban
import Testing

/// Every case of the files that all languages are tested against. One test a file; it names each case that differs and
/// prints how many agree, which ../../test counts.
struct VectorTests {
    @Test func snowflakeVectors() throws {
        try run("snowflake") { try scheme($0, snowflake) }
    }

    @Test func randflakeVectors() throws {
        try run("randflake") { try scheme($0, randflake) }
    }

    @Test func ulidFlakeVectors() throws {
        try run("ulid-flake") { try scheme($0, ulidFlake) }
    }

    @Test func encodingVectors() throws {
        try run("encoding") { of in
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

    private func run(_ subject: String, _ test: (Case) throws -> Void) throws {
        let cases = try Vectors(subject).cases
        #expect(cases.count >= 200)
        var differ = 0
        for of in cases {
            do {
                try test(of)
            } catch {
                differ += 1
                Issue.record("\(of.id): \(error)")
            }
        }
        print("vectors \(subject) agree: \(cases.count - differ) differ: \(differ)")
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

    /// A case of Ulid-Flake may have to run anew: see vectors/README.md.
    private func generates(_ of: Case, _ make: Make) throws {
        for attempt in 1...3 {
            do {
                return try generatesOnce(of, make)
            } catch is UsedUp where attempt < 3 {
                continue
            }
        }
    }

    /// The random part began at the very end of its field, so that no other ID fitted into the tick.
    private struct UsedUp: Error {}

    /// Sets the clock, generates once, for each entry.
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
            if growing && kindOf(got) == "WOULD_WAIT" { throw UsedUp() }
            let parts = try ids.inspect(try got.get())
            try same(parts.timestampMs, wanted.int("timestamp_ms"))
            try same(parts.node, wanted.int("node"))
            if growing {
                let largest = Int64(1) << (8 * (of.config["entropy_size"] as! Int)) - 1
                let step = parts.random! - last!.random!
                guard (1...largest).contains(step) else { throw Mismatch("grew by \(step)") }
            }
            last = parts
        }
    }
}

private func same<T: Equatable>(_ got: T?, _ wanted: T?) throws {
    guard got == wanted else {
        throw Mismatch("got \(got.map { "\($0)" } ?? "nothing"), wanted \(wanted.map { "\($0)" } ?? "nothing")")
    }
}

private func kindOf<T>(_ result: Result<T, any Error>) -> String? {
    if case .failure(let error) = result { (error as? SaibanError)?.kind } else { nil }
}

/// All parts that are there, under the vectors' names.
private func parts(_ parts: Parts) -> [String: String] {
    let all = [
        "timestamp_ms": parts.timestampMs, "node": parts.node, "sequence": parts.sequence, "random": parts.random,
        "rollback": parts.rollback, "secret_index": parts.secretIndex,
    ]
    return all.compactMapValues { $0.map { String($0) } }
}

extension Case {
    fileprivate func expects(_ name: String, _ run: () throws -> String) throws {
        if let out {
            try same(try run(), out.text(name))
        } else {
            try expectsError { _ = try run() }
        }
    }

    fileprivate func expectsError(_ run: () throws -> Void) throws {
        do {
            try run()
        } catch let thrown as SaibanError {
            try same(thrown.kind, error)
            if position != nil { try same(thrown.position, position) }
            return
        }
        throw Mismatch("no error, wanted \(error ?? "one")")
    }
}
