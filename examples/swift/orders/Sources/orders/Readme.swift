import Foundation
import Saiban

/// The lines that the README shows.
func readme() throws {
    let ids = try SnowflakeGenerator(node: 7)  // node 7, which no other machine has
    let id = try ids.generate()                // Int64
    print(id, try ids.toText(id: id, encoding: "base62"), try ids.inspect(id).time!)

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try leased(store: "sqlite://\(folder.path)/ids.db")
}

private func leased(store: String) throws {
    let ids = try SnowflakeGenerator(store: store)  // a node that no other process of this machine has
    let lease = ids.lease()!
    print(try ids.generate(), try lease.nodes(), try lease.status().state)
    try lease.release()
}
