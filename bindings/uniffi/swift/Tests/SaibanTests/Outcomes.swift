import Saiban
import Testing

// Runs the cases of vectors/ and compares their results.

/// Runs every case in a file, names each that differs, and prints how many agree, which ../../test
/// counts.
func runVectors(_ name: String, _ subject: String? = nil, _ test: (Case) throws -> Void) throws {
    let cases = try Vectors(name, subject ?? name).cases
    #expect(cases.count >= 100)
    var differ = 0
    for of in cases {
        do {
            try test(of)
        } catch {
            differ += 1
            Issue.record("\(of.id): \(error)")
        }
    }
    print("vectors \(name) agree: \(cases.count - differ) differ: \(differ)")
}

/// Thrown if the random part began so near the end of its field that the tick had no further ID.
struct UsedUp: Error {}

/// What refuses such an ID. The clock of a case may be behind.
let atItsEnd: [String?] = ["WOULD_WAIT", "CLOCK_BACKWARD"]

func same<T: Equatable>(_ got: T?, _ wanted: T?) throws {
    guard got == wanted else {
        throw Mismatch("got \(got.map { "\($0)" } ?? "nothing"), wanted \(wanted.map { "\($0)" } ?? "nothing")")
    }
}

func kindOf<T>(_ result: Result<T, any Error>) -> String? {
    if case .failure(let error) = result { (error as? SaibanError)?.kind } else { nil }
}

/// Returns all parts that are present, under the vectors' names.
func parts(_ parts: Parts) -> [String: String] {
    let all = [
        "timestamp_ms": parts.timestampMs, "submillisecond_ns": parts.submillisecondNs, "node": parts.node,
        "sequence": parts.sequence, "rollback": parts.rollback, "secret_index": parts.secretIndex,
    ]
    var shown = all.compactMapValues { $0.map { String($0) } }
    shown["random"] = parts.random.map { String($0) }
    if !parts.nodeParts.isEmpty { shown["node_parts"] = shownAs("node_parts", parts.nodeParts.mapValues { String($0) }) }
    return shown
}

/// Swift returns larger values of these as the largest Int64.
func shownAs(_ name: String, _ number: String) -> String {
    ["sequence", "nodes", "lifetime_ms"].contains(name) ? String(min(UInt128(number)!, UInt128(Int64.max))) : number
}

private func shownAs(_ name: String, _ parts: [String: String]) -> String {
    parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
}

extension Case {
    func expectsAll(_ run: () throws -> [String: String]) throws {
        guard let out else { return try expectsError { _ = try run() } }
        var wanted: [String: String] = [:]
        for (name, value) in out {
            wanted[name] = (value as? [String: String]).map { shownAs(name, $0) } ?? shownAs(name, value as! String)
        }
        try same(try run(), wanted)
    }

    func expects(_ name: String, _ run: () throws -> String) throws {
        if let out {
            try same(try run(), out.text(name))
        } else {
            try expectsError { _ = try run() }
        }
    }

    func expectsError(_ run: () throws -> Void) throws {
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
