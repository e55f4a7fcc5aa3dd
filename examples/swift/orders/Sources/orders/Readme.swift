import Foundation
import Saiban

/// The lines that the README shows.
func readme() throws {
    let ids = try Snowflake(node: 7)           // node 7, which no other machine has
    let id = try ids.generate()                // Int64
    print(id, try ids.generateText("base62"), try ids.inspect(id).time!)

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try leased(store: "sqlite://\(folder.path)/ids.db")
}

private func leased(store: String) throws {
    let lease = try Lease.acquire(store)       // a node that no other process of this machine has
    let ids = try Snowflake(lease: lease)
    print(try ids.generate(), try lease.nodes(), try lease.status().state)
    try lease.release()
}
