import Foundation

extension DailyNumber {
    /// The day: year, month and day of the Gregorian calendar.
    public var date: DateComponents {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        let midnight = Date(timeIntervalSince1970: Double(day) * 86_400)
        return calendar.dateComponents([.year, .month, .day], from: midnight)
    }
}

extension CounterProtocol {
    /// Returns this many numbers, 0 to 10 million; fewer only if the counter runs out of numbers.
    ///
    /// Errors: as `generate`, and `InvalidArgument` for another count.
    public func generateMany(_ count: Int) throws -> [Int64] {
        try generateMany(count: Int64(count))
    }
}

extension SharedCounterProtocol {
    /// Returns this many numbers, 0 to 10 million; fewer only if an error occurs after the first.
    ///
    /// Errors: those of `generate` if there was no number; `InvalidArgument` for another count.
    public func generateMany(_ count: Int) throws -> [Int64] {
        try generateMany(count: Int64(count))
    }
}

extension SharedCounter {
    /// Returns the next number like `generate`; if none is prefetched, a separate thread waits for
    /// the store.
    ///
    /// ```swift
    /// let number = try await invoices.generateAsync()
    /// ```
    public func generateAsync() async throws -> Int64 {
        if let number = try tryGenerate() { return number }
        return try await waitedFor { try self.generate() }
    }
}

extension DailyCounter {
    /// Returns the next number of today like `generate`; if none is prefetched, a separate thread
    /// waits for the store.
    public func generateAsync() async throws -> DailyNumber {
        if let number = try tryGenerate() { return number }
        return try await waitedFor { try self.generate() }
    }
}

/// Makes an ID and inserts it. If the table already has the ID, it makes and inserts another one,
/// at most `attempts` times in all. It is for IDs that are unique by chance, or only in one
/// partition of a table: tick IDs, UUID v4, short codes. Other errors are not retried.
///
/// In a transaction, a failed statement can abort the transaction (PostgreSQL): let `insert` begin
/// a savepoint, and roll back to it if it fails.
///
/// ```swift
/// let row = try insertUnique(generate: ids.generate, isConflict: { ($0 as? PSQLError)?.serverInfo?[.sqlState] == "23505" }) { key in
///     try insert(key)
/// }
/// ```
///
/// - Parameters:
///   - attempts: the number of IDs to try, at least 1.
///   - generate: makes an ID.
///   - isConflict: decides which errors are conflicts.
///   - insert: inserts the ID; its result is returned.
/// - Throws: the last conflict if all attempts met one; every other error as it is;
///   `SaibanError.InvalidArgument` for attempts below 1.
public func insertUnique<ID, Inserted>(
    attempts: Int = 5,
    generate: () throws -> ID,
    isConflict: (any Error) -> Bool,
    insert: (ID) throws -> Inserted
) throws -> Inserted {
    for _ in 1..<(try checked(attempts)) {
        let id = try generate()
        do {
            return try insert(id)
        } catch where isConflict(error) {}
    }
    return try insert(generate())
}

/// Makes an ID and inserts it like the other `insertUnique`, with an async `insert`.
public func insertUnique<ID, Inserted>(
    attempts: Int = 5,
    generate: () throws -> ID,
    isConflict: (any Error) -> Bool,
    insert: (ID) async throws -> Inserted
) async throws -> Inserted {
    for _ in 1..<(try checked(attempts)) {
        let id = try generate()
        do {
            return try await insert(id)
        } catch where isConflict(error) {}
    }
    return try await insert(generate())
}

private func checked(_ attempts: Int) throws -> Int {
    guard attempts >= 1 else {
        throw SaibanError.InvalidArgument(message: "attempts is \(attempts): give 1 or more")
    }
    return attempts
}
