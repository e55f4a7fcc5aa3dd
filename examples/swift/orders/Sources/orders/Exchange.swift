import Foundation
import Saiban

// Makes IDs for the other languages, and reads theirs: lines of language, scheme, the ID as a
// decimal number, and its text, separated by tabs.

/// The functions of a generator, for any type of ID: making an ID as text, and reading one.
struct Exchanged {
    let make: () throws -> String
    let read: (String) throws -> Parts

    init(_ ids: any Generator) {
        make = { try ids.generateText() }
        read = { try ids.inspect(ids.fromText($0)) }
    }

    init(_ ids: some WideGenerator) {
        make = { try ids.generateText(encoding: nil) }
        read = { try ids.inspect(ids.fromText($0)) }
    }
}

func exchanged() throws -> [(scheme: String, ids: Exchanged)] {
    guard let layout = ProcessInfo.processInfo.environment["SAIBAN_LAYOUT"] else {
        throw Wrong(description: "SAIBAN_LAYOUT must hold the layout of \"flake\"")
    }
    return [
        ("snowflake", Exchanged(try SnowflakeGenerator(node: node))),
        ("randflake", Exchanged(try RandflakeGenerator(secret: secret(), node: node))),
        ("ulid-flake", Exchanged(try UlidFlakeGenerator())),
        ("ulid-flake-scalable", Exchanged(try UlidFlakeGenerator(scalability: node))),
        ("flake", Exchanged(try FlakeGenerator(layout: .fromText(layout), node: node))),
        ("uuid-v7", Exchanged(try UuidGenerator(version: 7))),
        ("ulid", Exchanged(try UlidGenerator())),
        ("objectid", Exchanged(try ObjectIdGenerator())),
    ]
}

extension Parts {
    /// The ID as a number, signed up to 64 bits like a BIGINT column.
    var decimal: String { id.map { String($0) } ?? String(number) }
}

/// Prints one ID of each scheme.
func emit() throws {
    for (scheme, ids) in try exchanged() {
        let text = try ids.make()
        print("swift\t\(scheme)\t\(try ids.read(text).decimal)\t\(text)")
    }
}

/// Prints the parts of all languages' IDs: lines of `emit` from standard input.
func read() throws {
    let exchanged = Dictionary(uniqueKeysWithValues: try exchanged().map { ($0.scheme, $0.ids) })
    while let line = readLine() {
        let fields = line.split(separator: "\t").map(String.init)
        guard fields.count == 4, let ids = exchanged[fields[1]] else { throw Wrong(description: "no ID: \(line)") }
        let parts = try ids.read(fields[3])
        guard parts.decimal == fields[2] else {
            throw Wrong(description: "\(fields[3]) is \(parts.decimal), not \(fields[2])")
        }
        let numbers = [parts.timestampMs, parts.node, parts.sequence].map { $0.map { String($0) } ?? "-" }
        let random = parts.random.map { String($0) } ?? "-"
        print((["swift", fields[0], fields[1], fields[2]] + numbers + [random]).joined(separator: "\t"))
    }
}
