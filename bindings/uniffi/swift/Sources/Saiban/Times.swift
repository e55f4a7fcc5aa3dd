import Foundation

extension Parts {
    /// When the ID's tick began.
    public var time: Date { Date(timeIntervalSince1970: Double(timestampMs) / 1_000) }
}

extension ManualClock {
    /// A clock that shows this time, to the nearest millisecond, until it is set or advanced.
    ///
    /// Errors: `ClockUnavailable` when no clock can show it.
    public convenience init(_ time: Date) throws {
        try self.init(timestampMs: time.unixMs)
    }

    /// The time that it shows.
    public var now: Date { Date(timeIntervalSince1970: Double(nowMs()) / 1_000) }

    /// Shows this time from now on, to the nearest millisecond.
    ///
    /// Errors: `ClockUnavailable` when no clock can show it; the old one stays.
    public func set(_ time: Date) throws {
        try set(timestampMs: time.unixMs)
    }
}

extension Snowflake {
    /// Makes the ID of these parts, as with milliseconds; the time is taken to the nearest one.
    public func compose(time: Date, node: Int64, sequence: Int64, rollback: Int64 = 0) throws -> Int64 {
        try compose(timestampMs: time.unixMs, node: node, sequence: sequence, rollback: rollback)
    }
}

extension Randflake {
    /// Makes the ID of these parts, as with milliseconds; the time is taken to the nearest one, then rounded down to the second.
    public func compose(time: Date, node: Int64, sequence: Int64) throws -> Int64 {
        try compose(timestampMs: time.unixMs, node: node, sequence: sequence)
    }
}

extension UlidFlake {
    /// Makes the ID of these parts, as with milliseconds; the time is taken to the nearest one.
    public func compose(time: Date, random: Int64, scalability: Int64? = nil) throws -> Int64 {
        try compose(timestampMs: time.unixMs, random: random, scalability: scalability)
    }
}

extension Date {
    /// Unix milliseconds; a time that 64 bits cannot tell becomes the nearest that they can, for core to refuse.
    fileprivate var unixMs: Int64 {
        // A Date counts seconds in binary: a whole millisecond is rarely exact, but always the nearest.
        let ms = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: ms) ?? (ms < 0 ? .min : .max)
    }
}
