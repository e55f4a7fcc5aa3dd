/// A half-open interval of integers, `[start, end)`: nodes, or a window of time.
///
/// Unlike Swift's `Range` it accepts any two numbers, so that a mistake in a configuration causes
/// an error of the generator (`NodeOutOfRange`, `InvalidWindow`) and does not end the process.
///
/// ```swift
/// try SnowflakeGenerator(nodes: Interval(0..<64))
/// try SnowflakeGenerator(node: 7, window: Interval(start: startMs, end: endMs))
/// ```
public struct Interval: Hashable, Sendable {
    public let start: Int64
    public let end: Int64

    public init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    public init(_ range: Range<Int64>) {
        self.init(start: range.lowerBound, end: range.upperBound)
    }
}
