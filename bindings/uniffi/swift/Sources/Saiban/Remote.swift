import Foundation

extension RemoteGenerator {
    /// An ID, as `generate`; where none is prefetched a thread of its own waits for the service.
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
    /// An ID, as `generate`; where none is prefetched a thread of its own waits for the service.
    public func generateAsync() async throws -> UUID {
        if let id = try tryGenerate() { return id }
        return try await waitedFor { try self.generate() }
    }
}

extension RemoteTextGenerator {
    /// An ID, as `generate`; where none is prefetched a thread of its own waits for the service.
    public func generateAsync() async throws -> String {
        if let id = try tryGenerate() { return id }
        return try await waitedFor { try self.generate() }
    }
}
