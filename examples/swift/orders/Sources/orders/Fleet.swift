import Foundation

/// The node and scalability id of Swift's example.
let node: Int64 = 5

/// The secret of all examples, 32 hexadecimal digits, or a random one.
func secret() -> Data {
    guard let hex = ProcessInfo.processInfo.environment["SAIBAN_SECRET"] else {
        return Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
    let digits = hex.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return Data(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
}

struct Wrong: Error, CustomStringConvertible {
    let description: String
}
