import Foundation

/// Runs a call that waits for a server on a separate thread, not on one of the few threads that all
/// tasks share.
func waitedFor<Answer: Sendable>(_ ask: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result(catching: ask))
        }
    }
}
