import Foundation

extension Parts {
    /// When the ID's tick began, to about a microsecond, the precision of a Date:
    /// `submillisecondNs` is exact. Nil if the scheme has no time (UUID v4).
    public var time: Date? {
        timestampMs.map { Date(timeIntervalSince1970: Double($0) / 1_000 + Double(submillisecondNs ?? 0) / 1_000_000_000) }
    }
}

extension LeaseStatus {
    /// When the lease ends unless it is renewed; nil without a lease.
    public var end: Date? { nodes.map { _ in Date(timeIntervalSince1970: Double(endMs) / 1_000) } }
}

extension ManualClock {
    /// A clock that shows this time, to the nearest millisecond, until it is set or advanced.
    ///
    /// Errors: `ClockUnavailable` when no clock can show it.
    public convenience init(_ time: Date) throws {
        try self.init(timestampMs: time.unixMs)
    }

    /// The time that the clock shows.
    public var now: Date { Date(timeIntervalSince1970: Double(nowMs()) / 1_000) }

    /// Sets the time that the clock shows, to the nearest millisecond.
    ///
    /// Errors: `ClockUnavailable` when no clock can show it; the clock then keeps its time.
    public func set(_ time: Date) throws {
        try set(timestampMs: time.unixMs)
    }
}

extension AnyGeneratorProtocol {
    /// The smallest and the largest ID that can have been made from `start` on and before `end`.
    /// Between two milliseconds the interval is rounded outwards, so that no ID of it is missed.
    ///
    /// ```swift
    /// let day = try ids.range(start: midnight, end: midnight + 86_400)
    /// // SELECT … WHERE id BETWEEN first AND last
    /// ```
    public func range(start: Date, end: Date) throws -> IdRange {
        try range(startMs: start.unixMs(.down), endMs: end.unixMs(endOf: start))
    }
}

extension WideGenerator {
    /// The first and the last ID that can have been made from `start` on and before `end`. Between
    /// two milliseconds the interval is rounded outwards, so that no ID of it is missed.
    public func range(start: Date, end: Date) throws -> IDRange {
        try range(startMs: start.unixMs(.down), endMs: end.unixMs(endOf: start))
    }
}

extension Date {
    /// Unix milliseconds; a time beyond 64 bits becomes the nearest, which core refuses.
    var unixMs: Int64 {
        // A Date is a binary fraction of seconds: a whole millisecond is rarely exact, but always
        // nearer to its own value than to the next.
        let ms = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: ms) ?? (ms < 0 ? .min : .max)
    }

    /// Unix milliseconds, rounded down or up. A time within a microsecond of a whole millisecond,
    /// the precision of a Date, counts as whole.
    fileprivate func unixMs(_ rule: FloatingPointRoundingRule) -> Int64 {
        let ms = timeIntervalSince1970 * 1_000
        if abs(ms - ms.rounded()) <= max(0.001, 4 * ms.ulp) { return unixMs }
        return Int64(exactly: ms.rounded(rule)) ?? (ms < 0 ? .min : .max)
    }

    /// The end of an interval: rounded up. An empty interval is rounded down like its start, so
    /// that core refuses it.
    fileprivate func unixMs(endOf start: Date) -> Int64 {
        unixMs(start >= self ? .down : .up)
    }

    /// Unix milliseconds and the nanoseconds after them, to the microsecond. The nanoseconds are 0
    /// if the time is as near to a whole millisecond as a Date can be.
    var unixMsAndNs: (Int64, Int64) {
        let seconds = timeIntervalSince1970
        let nearest = (seconds * 1_000).rounded()
        // A Date counts seconds from 2001, so near 1970 it is less precise than a Double that
        // counts from 1970.
        let finest = max(seconds.ulp, timeIntervalSinceReferenceDate.ulp)
        if abs(nearest / 1_000 - seconds) <= 2 * finest { return (unixMs, 0) }
        let ms = (seconds * 1_000).rounded(.down)
        guard let whole = Int64(exactly: ms) else { return (unixMs, 0) }
        let us = ((seconds - ms / 1_000) * 1_000_000).rounded()
        return (whole, Int64(min(max(us, 0), 999)) * 1_000)
    }
}
