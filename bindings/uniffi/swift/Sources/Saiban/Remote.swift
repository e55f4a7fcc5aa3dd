import Foundation

extension RemoteGenerator {
    /// Returns an ID like `generate`; if none is prefetched, a separate thread waits for the
    /// service.
    ///
    /// ```swift
    /// let id = try await ids.generateAsync()
    /// ```
    public func generateAsync() async throws -> Int64 {
        if let id = try tryGenerate() { return id }
        return try await waitedFor { try self.generate() }
    }
}

extension RemoteUuidGenerator {
    /// Returns an ID like `generate`; if none is prefetched, a separate thread waits for the
    /// service.
    public func generateAsync() async throws -> UUID {
        if let id = try tryGenerate() { return id }
        return try await waitedFor { try self.generate() }
    }
}

extension RemoteTextGenerator {
    /// Returns an ID like `generate`; if none is prefetched, a separate thread waits for the
    /// service.
    public func generateAsync() async throws -> String {
        if let id = try tryGenerate() { return id }
        return try await waitedFor { try self.generate() }
    }
}
