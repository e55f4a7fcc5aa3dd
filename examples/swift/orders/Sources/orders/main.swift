import Foundation
import Saiban

/// A short story of one order: its ID in a database, in a URL, and as parts.
func show() throws {
    let orders = try SnowflakeGenerator(node: node)
    let id = try orders.generate()
    let text = try encode(id, "base62")
    print("an order's ID, for a BIGINT column: \(id)")
    print("the same in a URL:                  \(text)")
    guard try decode(text, "base62") == id else { throw Wrong(description: "\(text) is not \(id)") }
    let parts = try orders.inspect(id)
    guard let time = parts.time, let node = parts.node else { throw Wrong(description: "a Snowflake has a time and a node") }
    print("it was made at \(time.formatted(.iso8601)) on node \(node)")

    let customers = try RandflakeGenerator(secret: secret(), node: node)
    let batch = try customers.generateMany(10_000)
    guard Set(batch).count == batch.count else { throw Wrong(description: "two IDs are equal") }
    let some = try batch.prefix(3).map { try customers.toText($0) }
    print("10000 customers' IDs, which tell others nothing: \(some.joined(separator: ", ")), …")

    let today = try orders.range(start: Date(timeIntervalSinceNow: -86_400), end: Date(timeIntervalSinceNow: 1))
    guard (today.first...today.last).contains(id) else { throw Wrong(description: "\(id) is not of today") }
    print("a day's orders, by primary key:     BETWEEN \(today.first) AND \(today.last)")

    let invoices = try UuidGenerator(version: 7)
    let invoice = try invoices.generate()
    print("an invoice, for a UUID column:      \(invoice), made at \(try invoices.inspect(invoice).timestampMs ?? 0) ms")

    let ours = try Layout.fromText("unused:1 timestamp:39@10ms,epoch=2025-01-01 node.shop:8 node.till:4 sequence:12")
    let receipts = try FlakeGenerator(layout: ours, node: ours.nodeOfParts(parts: ["shop": node, "till": 2]))
    let receipt = try receipts.inspect(receipts.generate())
    let years = ours.lifetimeMs() / 31_557_600_000
    print("a receipt, in a layout of our own:  shop \(receipt.nodeParts["shop"] ?? -1), for \(years) years")

    // A leased node, from a store that all processes share, instead of a configured one.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("deliveries-\(UUID().uuidString).db")
    defer { try? FileManager.default.removeItem(at: file) }
    let lease = try Lease.acquire("sqlite://\(file.path)", namespace: "deliveries", scheme: "ulid-flake")
    let delivery = try UlidFlakeGenerator(lease: lease).generateText()
    guard let until = try lease.status().end else { throw Wrong(description: "a lease that has no end") }
    print("a delivery, of a node on lease:     \(delivery); node \(try lease.nodes().start) is ours until \(until), or longer")
    try lease.release()

    do {
        _ = try SnowflakeGenerator()
    } catch SaibanError.NodeRequired(let message) {
        print("without a node: \(message)")
    }
}

do {
    switch CommandLine.arguments.dropFirst().first {
    case "show":
        try readme()
        try show()
    case "emit": try emit()
    case "read": try read()
    default: throw Wrong(description: "usage: show | emit | read")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
