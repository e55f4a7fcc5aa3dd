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
    /// The next numbers, this many, 0 to 10 million; fewer only at the very end.
    ///
    /// Errors: as `generate`; `InvalidArgument` for another number of them.
    public func generateMany(_ count: Int) throws -> [Int64] {
        try generateMany(count: Int64(count))
    }
}

extension SharedCounterProtocol {
    /// The next numbers, this many, 0 to 10 million; fewer only where an error came in between.
    ///
    /// Errors: as `generate` where there was none; `InvalidArgument` for another number of them.
    public func generateMany(_ count: Int) throws -> [Int64] {
        try generateMany(count: Int64(count))
    }
}

extension SharedCounter {
    /// The next number, as `generate`; where none is prefetched a thread of its own waits for the
    /// store.
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
    /// The next number of today, as `generate`; where none is prefetched a thread of its own waits
    /// for the store.
    public func generateAsync() async throws -> DailyNumber {
        if let number = try tryGenerate() { return number }
        return try await waitedFor { try self.generate() }
    }
}

/// Makes an ID and inserts it; where the table has one like it, another, and so on, `attempts`
/// times in all. For IDs that are unique by chance, or for one partition of a table only: tick IDs,
/// UUID v4, short codes. No error but such a conflict is tried again.
///
/// Within a transaction a statement that fails may take the transaction with it (PostgreSQL): let
/// `insert` begin a savepoint, and roll back to it where it fails.
///
/// ```swift
/// let row = try insertUnique(generate: ids.generate, isConflict: { ($0 as? PSQLError)?.serverInfo?[.sqlState] == "23505" }) { key in
///     try insert(key)
/// }
/// ```
///
/// - Parameters:
///   - attempts: at least 1.
///   - generate: makes an ID.
///   - isConflict: whether an error is a conflict.
///   - insert: inserts the ID; its result is returned.
/// - Throws: the last conflict when all attempts met one, every other error as it is;
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

/// The version for an async insert.
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
