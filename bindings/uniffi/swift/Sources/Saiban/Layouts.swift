import Foundation

extension Layout {
    /// Twitter's Snowflake: 1 unused, 41 timestamp (ms since 2010-11-04), 10 node, 12 sequence.
    /// Lasts until 2080.
    public static let twitter = known("twitter")

    /// Discord's: 42 timestamp (ms since 2015-01-01), 10 node, 12 sequence. IDs are negative from
    /// 2084 on.
    public static let discord = known("discord")

    /// Instagram's: 41 timestamp (ms since 2011-08-24), 13 node, 10 sequence. IDs are negative from
    /// 2046 on.
    public static let instagram = known("instagram")

    /// Sonyflake, version 1: 1 unused, 39 timestamp (10 ms since 2014-09-01), 8 sequence, 16 node.
    public static let sonyflake = known("sonyflake")

    /// Sonyflake, version 2: the layout of version 1, with times since 2025-01-01.
    public static let sonyflakeV2 = known("sonyflake_v2")

    /// The default of github.com/bwmarrin/snowflake: Twitter's layout and epoch.
    public static let bwmarrin = known("bwmarrin")

    /// Mastodon's: 48 timestamp (ms since 1970), 16 sequence. For composing and inspecting only:
    /// without a node, two generators repeat each other.
    public static let mastodon = known("mastodon")

    /// Baidu's UidGenerator: 1 unused, 28 timestamp (s since 2016-05-19), 22 node, 13 sequence.
    /// Ended on 2024-11-20: give it a later epoch.
    public static let baidu = known("baidu")

    /// Returns a preset of core. The names are valid: a test checks each.
    private static func known(_ name: String) -> Layout {
        try! preset(name: name)
    }

    /// A layout of these fields, from the highest bit to the lowest: `unused`, `timestamp`, `node`,
    /// `sequence` or `random`, and `rollback` (see `withRollbackBits`), with their widths in bits,
    /// which add up to 16 to 128. `epochMs` is the time of tick 0, Unix milliseconds; a tick is
    /// `tickUs` microseconds long. For options of fields use ``Field``, or the layout's text.
    ///
    /// Errors: `InvalidLayout` with the reason; `UnknownName` for a field of another name.
    ///
    /// ```swift
    /// try Layout(("unused", 1), ("timestamp", 41), ("node", 6), ("sequence", 16), epochMs: 1_577_836_800_000)
    /// ```
    public convenience init(_ fields: (String, Int)..., epochMs: Int64 = 0, tickUs: Int64 = 1_000) throws {
        let fields = fields.map { Field(kind: $0.0, bits: Int32(clamping: $0.1)) }
        try self.init(fields: fields, epochMs: epochMs, tickUs: tickUs)
    }

    /// Reads a layout from its text, or from the name of a known one.
    ///
    /// Errors: `InvalidLayout`, with the part at fault, its limit and what to do; `UnknownName` for
    /// a name that no layout has.
    ///
    /// ```swift
    /// try Layout.fromText("timestamp:48 random:80,step=1").sizeBits()     // 128
    /// ```
    public static func fromText(_ text: String) throws -> Layout {
        try fromText(text: text)
    }

    /// Reads a layout from JSON.
    ///
    /// Errors: `InvalidLayout`, with the item at fault.
    public static func fromJson(_ json: String) throws -> Layout {
        try fromJson(json: json)
    }

    /// Returns this layout with a rollback field of 1 to 4 bits for the clock's steps back, taken
    /// from the low end of the node field: 10 node bits become 8 and 2. Without a node field they
    /// are taken from the high end of the sequence, or of the random part that grows. Each value of
    /// the field is like a node of its own, so a generator continues when the clock steps back.
    ///
    /// Errors: `InvalidLayout` for other than 1 to 4 bits, for a field that is not wider, and where
    /// there is a rollback field.
    ///
    /// ```swift
    /// try Layout.twitter.withRollbackBits(2).maxRollback()        // 3
    /// ```
    public func withRollbackBits(_ bits: Int) throws -> Layout {
        try withRollbackBits(bits: Int32(clamping: bits))
    }
}

extension FlakeGenerator {
    /// Makes the ID of these parts, with the node given as a dictionary of its named parts.
    public func compose(
        timestampMs: Int64, nodeParts: [String: Int64], sequence: Int64 = 0, random: Int64 = 0, rollback: Int64 = 0,
        submillisecondNs: Int64 = 0
    ) throws -> Int64 {
        let node = try layout().nodeOfParts(parts: nodeParts)
        return try compose(
            timestampMs: timestampMs, node: node, sequence: sequence, random: random, rollback: rollback,
            submillisecondNs: submillisecondNs)
    }
}

extension WideFlakeGenerator {
    /// Makes the ID of these parts, with the node given as a dictionary of its named parts.
    public func compose(
        timestampMs: Int64, nodeParts: [String: Int64], sequence: UInt128? = nil, random: UInt128? = nil, rollback: Int64 = 0,
        submillisecondNs: Int64 = 0
    ) throws -> Data {
        let node = try layout().nodeOfParts(parts: nodeParts)
        return try compose(
            timestampMs: timestampMs, node: node, sequence: sequence, random: random, rollback: rollback,
            submillisecondNs: submillisecondNs)
    }
}
