import Foundation
import Saiban

// One of several processes with one node: see tests/faults/processes.py. FAULTS_LIBRARY is the
// scheme.

let node: Int64 = 7
let piece = 10_000

func build(_ scheme: String) throws -> any Generator {
    switch scheme {
    case "snowflake": return try SnowflakeGenerator(node: node)
    case "randflake":
        let secret: [UInt8] = [0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0, 0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5]
        return try RandflakeGenerator(secret: Data(secret), node: node)
    case "ulid-flake": return try UlidFlakeGenerator()
    case "ulid-flake-scalable": return try UlidFlakeGenerator(scalability: node)
    case "flake":
        let layout = try Layout.fromText("unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12")
        return try FlakeGenerator(layout: layout, node: 0)
    default: fatalError("no scheme: \(scheme)")
    }
}

// With libfaketime, CommandLine has no arguments.
let ids = try build(ProcessInfo.processInfo.environment["FAULTS_LIBRARY"] ?? "")
while let line = readLine() {
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    let count = numbers[0]
    let end = ContinuousClock.now + .milliseconds(numbers[1])
    var made: [Int64] = []
    var refused: Int64 = 0
    while made.count < count && (refused == 0 || ContinuousClock.now < end) {
        do {
            made += try ids.generateMany(min(count - made.count, piece))
        } catch is SaibanError {
            refused += 1
        }
    }
    var reply = Data()
    for number in [Int64(made.count), refused] + made {
        withUnsafeBytes(of: number.littleEndian) { reply.append(contentsOf: $0) }
    }
    FileHandle.standardOutput.write(reply)
}
