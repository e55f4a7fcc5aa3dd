import Foundation
import Saiban

let many = 1_000
// glibc returns the memory of large lists to the system each time, and requests it again.
let more = 10_000

/// For each path: saiban, and the alternatives.
func cases(_ saiban: String) throws -> [Case] {
    // So many nodes that no tick runs out of IDs; a wait would hide the speed.
    let nodes = Interval(start: 0, end: 1_024)
    let snowflake = try SnowflakeGenerator(nodes: nodes)
    let randflake = try RandflakeGenerator(secret: Data(repeating: 7, count: 16), nodes: nodes)
    let (uuid4, uuid7) = (try UuidGenerator(version: 4), try UuidGenerator(version: 7))
    let bytes = [UInt8](repeating: 7, count: many * MemoryLayout<Int64>.size)
    // As long as the text of `many` IDs.
    let long = [UInt8](repeating: 7, count: (many + (many + 6) / 7) * MemoryLayout<Int64>.size)
    return [
        Case("snowflake.generate", "saiban", saiban) { try snowflake.generate() },
        Case("snowflake.generate", "baseline: Uuid.version(), a call that answers a number", "") { uuid4.version() },
        Case("snowflake.generate_many", "saiban", saiban, per: many) { try snowflake.generateMany(many) },
        Case("snowflake.generate_many", "saiban, 10,000 at a time", saiban, per: more) { try snowflake.generateMany(more) },
        Case("snowflake.generate_many", "baseline: an array copied from bytes in memory", "", per: many) {
            bytes.withUnsafeBytes { [Int64]($0.bindMemory(to: Int64.self)) }
        },
        Case("snowflake.generate_many", "baseline: a text made of bytes in memory", "", per: many) {
            long.withUnsafeBufferPointer { String(bytes: $0, encoding: .utf8)! }
        },
        Case("randflake.generate_many", "saiban", saiban, per: many) { try randflake.generateMany(many) },
        Case("uuid4.generate", "saiban", saiban) { try uuid4.generate() },
        Case("uuid4.generate", "baseline: a UUID of bytes in memory", "") {
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        },
        Case("uuid4.generate", "Foundation's UUID", "") { UUID() },
        Case("uuid7.generate", "saiban", saiban) { try uuid7.generate() },
    ]
}

/// Returns the number after an option.
func after(_ option: String, default: Double) throws -> Double {
    let words = CommandLine.arguments
    guard let place = words.firstIndex(of: option) else { return `default` }
    guard place + 1 < words.count, let number = Double(words[place + 1]) else { throw Wrong("\(option) wants a number") }
    return number
}

struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

let all = try cases(ProcessInfo.processInfo.environment["SAIBAN_VERSION"] ?? "")
print(#"{"machine":{"language":"swift","runtime":"Swift 6.0"}}"#)
try measure(all, rounds: Int(after("--rounds", default: 15)), ms: after("--ms", default: 20))
for one in all {
    let ns = one.ns.map { String(format: "%.3f", $0) }.joined(separator: ",")
    print(#"{"path":"swift.\#(one.path)","who":"\#(one.who)","version":"\#(one.version)","ns":[\#(ns)]}"#)
}
