import Saiban

/// Builds the generator for a case, with a clock at 0 by default.
typealias Make = (Case, ManualClock?) throws -> any Generator

extension Case {
    /// Only `new` and `generate` give a node; the other operations work with any.
    var takesAnyNode: Bool { op != "new" && op != "generate" }

    fileprivate var node: Int64? { takesAnyNode ? 0 : input.int("node") }

    fileprivate var scalability: Int64? { takesAnyNode && config.flag("scalable") ? 0 : input.int("scalability") }

    /// The rollback policy. In `compose`, the name means a number.
    func policy() throws -> Rollback? {
        if takesAnyNode { return nil }
        switch input["rollback"] as? String {
        case nil: return nil
        case "hold": return .hold
        case "error": return .error
        case "bits": return .bits
        case let other?: throw Mismatch("unknown policy \(other)")
        }
    }
}

func snowflake(_ of: Case, _ clock: ManualClock?) throws -> any Generator {
    try SnowflakeGenerator(
        node: of.node,
        nodes: of.input.interval("nodes"),
        layout: layout(of.input["layout"] ?? of.config["layout"]!),
        window: of.input.interval("window"),
        notBefore: of.input.int("not_before"),
        rollback: try of.policy(),
        clock: clock ?? ManualClock(timestampMs: 0),
        maxWaitMs: of.input.int("max_wait_ms"))
}

func tsid(_ of: Case, _ clock: ManualClock?) throws -> any Generator {
    try TsidGenerator(
        node: of.node,
        nodes: of.input.interval("nodes"),
        layout: try (of.input["layout"] ?? of.config["layout"]).map(layout),
        window: of.input.interval("window"),
        notBefore: of.input.int("not_before"),
        rollback: try of.policy(),
        clock: clock ?? ManualClock(timestampMs: 0),
        maxWaitMs: of.input.int("max_wait_ms"))
}

func randflake(_ of: Case, _ clock: ManualClock?) throws -> any Generator {
    try RandflakeGenerator(
        secret: bytesOfHex(of.input["secret"] as? String ?? of.config.text("secret")),
        node: of.node,
        nodes: of.input.interval("nodes"),
        window: of.input.interval("window"),
        notBefore: of.input.int("not_before"),
        rollback: try of.policy(),
        clock: clock ?? ManualClock(timestampMs: 0),
        maxWaitMs: of.input.int("max_wait_ms"))
}

func ulidFlake(_ of: Case, _ clock: ManualClock?) throws -> any Generator {
    try UlidFlakeGenerator(
        scalability: of.scalability,
        entropySize: Int64(of.input["entropy_size"] as? Int ?? of.config["entropy_size"] as! Int),
        epochMs: of.config.int("epoch_ms"),
        window: of.input.interval("window"),
        notBefore: of.input.int("not_before"),
        rollback: try of.policy(),
        clock: clock ?? ManualClock(timestampMs: 0),
        maxWaitMs: of.input.int("max_wait_ms"))
}

func layout(_ json: Any) throws -> Layout {
    if let name = json as? String { return try Layout.preset(name: name) }
    let spec = json as! Json
    let fields = (spec["fields"] as! [[Any]]).map { Field(kind: $0[0] as! String, bits: Int32($0[1] as! Int)) }
    return try Layout(fields: fields, epochMs: spec.int("epoch_ms")!, tickUs: spec.int("tick_us")!)
}

func compose(_ ids: any Generator, _ input: Json) throws -> Int64 {
    let timestampMs = input.int("timestamp_ms")!
    switch ids {
    case let ids as SnowflakeGenerator:
        return try ids.compose(
            timestampMs: timestampMs, node: input.int("node")!, sequence: input.int("sequence")!,
            rollback: input.int("rollback") ?? 0, submillisecondNs: input.nanoseconds)
    case let ids as TsidGenerator:
        return try ids.compose(
            timestampMs: timestampMs, node: input.int("node")!, sequence: input.int("sequence")!,
            rollback: input.int("rollback") ?? 0, submillisecondNs: input.nanoseconds)
    case let ids as RandflakeGenerator:
        return try ids.compose(timestampMs: timestampMs, node: input.int("node")!, sequence: input.int("sequence")!)
    case let ids as UlidFlakeGenerator:
        return try ids.compose(
            timestampMs: timestampMs, random: input.int("random")!, scalability: input.int("scalability"))
    default:
        throw Mismatch("unknown generator")
    }
}
