import Foundation
import Saiban

/// A generator in the terms of the vectors, which hides Swift's type of IDs.
struct Family {
    /// The layout of a Flake.
    var layout: Layout?
    let generate: () throws -> Parts
    let compose: (Json) throws -> Parts
    let inspect: (Json) throws -> Parts
    let toText: (Json) throws -> String
    let fromText: (String, Bool) throws -> Parts
    let range: (Int64, Int64) throws -> (Parts, Parts)
    var toBytes: (String) throws -> Data = { _ in throw Mismatch("no bytes") }
    var fromBytes: (Data) throws -> Parts = { _ in throw Mismatch("no bytes") }
    /// Returns whether Swift's type of IDs can hold the number of a case.
    var holds: (Json) -> Bool = { _ in true }
}

extension Json {
    fileprivate func natural(_ name: String) -> UInt128? { (self[name] as? String).map { UInt128($0)! } }

    fileprivate func nodeParts() -> [String: Int64]? {
        (self["node_parts"] as? [String: String])?.mapValues { Int64($0)! }
    }
}

/// A generator of IDs of up to 64 bits.
private func narrow(
    _ ids: any Generator, _ layout: Layout? = nil, compose: @escaping (Json) throws -> Int64
) -> Family {
    Family(
        layout: layout,
        generate: { try ids.inspect(ids.generate()) },
        compose: { try ids.inspect(compose($0)) },
        inspect: { try ids.inspect($0.int("id")!) },
        toText: { try ids.toText($0.int("id")!, $0["encoding"] as? String) },
        fromText: { try ids.inspect(ids.fromText($0, lenient: $1)) },
        range: {
            let range = try ids.range(startMs: $0, endMs: $1)
            return (try ids.inspect(range.first), try ids.inspect(range.last))
        })
}

/// A generator of wider IDs.
private func wide<G: WideGenerator>(
    _ ids: G, ends: @escaping (G.IDRange) -> (G.ID, G.ID), compose: @escaping (Json) throws -> G.ID,
    ofCase: ((Json) throws -> G.ID)? = nil
) -> Family {
    let ofCase = ofCase ?? { try ids.fromText($0.text("text")) }
    return Family(
        generate: { try ids.inspect(ids.generate()) },
        compose: { try ids.inspect(compose($0)) },
        inspect: { try ids.inspect(ofCase($0)) },
        toText: { try ids.toText(ofCase($0), $0["encoding"] as? String) },
        fromText: { try ids.inspect(ids.fromText($0, lenient: $1)) },
        range: {
            let (first, last) = ends(try ids.range(startMs: $0, endMs: $1))
            return (try ids.inspect(first), try ids.inspect(last))
        })
}

private func flake(_ of: Case, _ clock: ManualClock) throws -> Family {
    // A layout in the case overrides that of the config.
    let layout = try Layout.fromText(of.input["layout"] as? String ?? of.config.text("layout"))
    let anyNode: Int64? = of.takesAnyNode && layout.maxNode() > 0 ? 0 : nil
    let node = of.takesAnyNode ? anyNode : of.input.int("node")
    let (nodes, window) = (of.input.interval("nodes"), of.input.interval("window"))
    let (notBefore, maxWaitMs) = (of.input.int("not_before"), of.input.int("max_wait_ms"))
    if layout.sizeBits() <= 64 {
        let ids = try FlakeGenerator(
            layout: layout, node: node, nodes: nodes, window: window, notBefore: notBefore, rollback: of.policy(),
            clock: clock, maxWaitMs: maxWaitMs)
        return narrow(ids, layout) { input in
            let timestampMs = input.int("timestamp_ms")!
            let (sequence, random) = (input.int("sequence") ?? 0, input.int("random") ?? 0)
            let rollback = input.int("rollback") ?? 0
            if let parts = input.nodeParts() {
                return try ids.compose(
                    timestampMs: timestampMs, nodeParts: parts, sequence: sequence, random: random, rollback: rollback,
                    submillisecondNs: input.nanoseconds)
            }
            return try ids.compose(
                timestampMs: timestampMs, node: input.int("node") ?? 0, sequence: sequence, random: random,
                rollback: rollback, submillisecondNs: input.nanoseconds)
        }
    }
    let ids = try WideFlakeGenerator(
        layout: layout, node: node, nodes: nodes, window: window, notBefore: notBefore, rollback: of.policy(),
        clock: clock, maxWaitMs: maxWaitMs)
    let size = (Int(layout.sizeBits()) + 7) / 8
    var family = wide(
        ids, ends: { ($0.first, $0.last) },
        compose: { input in
            let timestampMs = input.int("timestamp_ms")!
            let (sequence, random) = (input.natural("sequence"), input.natural("random"))
            let rollback = input.int("rollback") ?? 0
            if let parts = input.nodeParts() {
                return try ids.compose(
                    timestampMs: timestampMs, nodeParts: parts, sequence: sequence, random: random, rollback: rollback,
                    submillisecondNs: input.nanoseconds)
            }
            return try ids.compose(
                timestampMs: timestampMs, node: input.int("node") ?? 0, sequence: sequence, random: random,
                rollback: rollback, submillisecondNs: input.nanoseconds)
        },
        ofCase: { Data(bytesOf($0.text("id")).suffix(size)) })
    family.layout = layout
    family.holds = { input in
        guard let id = UInt128(input.text("id")) else { return false }
        return size == 16 || id >> UInt128(8 * size) == 0
    }
    return family
}

/// Returns the 16 bytes of a number.
func bytesOf(_ number: String) -> Data {
    withUnsafeBytes(of: UInt128(number)!.bigEndian) { Data($0) }
}

private func ulid(_ of: Case, _ clock: ManualClock) throws -> Family {
    let ids = try UlidGenerator(
        window: of.input.interval("window"), notBefore: of.input.int("not_before"), rollback: of.policy(), clock: clock,
        maxWaitMs: of.input.int("max_wait_ms"))
    var family = wide(ids, ends: { ($0.first, $0.last) }) {
        try ids.compose(timestampMs: $0.int("timestamp_ms")!, random: $0.natural("random")!)
    }
    family.toBytes = { try ids.toBytes(id: $0) }
    family.fromBytes = { try ids.inspect(ids.fromBytes(bytes: $0)) }
    return family
}

private func uuid(_ of: Case, _ clock: ManualClock) throws -> Family {
    let ids = try UuidGenerator(
        version: Int64(of.input["version"] as? Int ?? of.config["version"] as! Int), window: of.input.interval("window"),
        notBefore: of.input.int("not_before"), rollback: of.policy(), clock: clock,
        maxWaitMs: of.input.int("max_wait_ms"))
    var family = wide(ids, ends: { ($0.first, $0.last) }) {
        try ids.compose(
            timestampMs: $0.int("timestamp_ms"), random: $0.natural("random"), clockSequence: $0.int("clock_sequence"),
            node: $0.int("node"), submillisecondNs: $0.int("submillisecond_ns"))
    }
    if of.op.contains("guid") {
        family.toBytes = { uuidToGuidBytes(try ids.fromText($0)) }
        family.fromBytes = { try ids.inspect(uuidFromGuidBytes($0)) }
    } else {
        family.toBytes = { try ids.toBytes(id: ids.fromText($0)) }
        family.fromBytes = { try ids.inspect(ids.fromBytes(bytes: $0)) }
    }
    return family
}

private func objectId(_ of: Case, _ clock: ManualClock) throws -> Family {
    let ids = try ObjectIdGenerator(
        window: of.input.interval("window"), notBefore: of.input.int("not_before"), rollback: of.policy(), clock: clock,
        maxWaitMs: of.input.int("max_wait_ms"))
    var family = wide(ids, ends: { ($0.first, $0.last) }) {
        try ids.compose(timestampMs: $0.int("timestamp_ms")!, node: $0.int("node")!, sequence: $0.int("sequence")!)
    }
    family.toBytes = { try ids.toBytes(id: $0) }
    family.fromBytes = { try ids.inspect(ids.fromBytes(bytes: $0)) }
    return family
}

private func xid(_ of: Case, _ clock: ManualClock) throws -> Family {
    let ids = try XidGenerator(
        window: of.input.interval("window"), notBefore: of.input.int("not_before"), rollback: of.policy(), clock: clock,
        maxWaitMs: of.input.int("max_wait_ms"))
    var family = wide(ids, ends: { ($0.first, $0.last) }) {
        try ids.compose(timestampMs: $0.int("timestamp_ms")!, node: $0.int("node")!, sequence: $0.int("sequence")!)
    }
    family.toBytes = { try ids.toBytes(id: $0) }
    family.fromBytes = { try ids.inspect(ids.fromBytes(bytes: $0)) }
    return family
}

private func tickId(_ of: Case, _ clock: ManualClock) throws -> Family {
    let ids = try TickIdGenerator(
        order: of.config.text("order") == "ascending" ? .ascending : .descending, window: of.input.interval("window"),
        notBefore: of.input.int("not_before"), rollback: of.policy(), clock: clock,
        maxWaitMs: of.input.int("max_wait_ms"))
    return wide(ids, ends: { ($0.first, $0.last) }) {
        try ids.compose(
            timestampMs: $0.int("timestamp_ms")!, random: $0.int("random")!, submillisecondNs: $0.nanoseconds)
    }
}

/// Returns the generator of this scheme for a case, with a clock at 0 by default.
func family(_ scheme: String, _ of: Case, _ clock: ManualClock? = nil) throws -> Family {
    let clock = try clock ?? ManualClock(timestampMs: 0)
    switch scheme {
    case "flake": return try flake(of, clock)
    case "ulid": return try ulid(of, clock)
    case "uuid": return try uuid(of, clock)
    case "objectid": return try objectId(of, clock)
    case "xid": return try xid(of, clock)
    case "tick-id": return try tickId(of, clock)
    default:
        let make = ["snowflake": snowflake, "randflake": randflake, "ulid-flake": ulidFlake, "tsid": tsid][scheme]
        guard let ids = try make?(of, clock) else { throw Mismatch("unknown scheme \(scheme)") }
        return narrow(ids) { try compose(ids, $0) }
    }
}
