import Foundation
import Saiban

/// A file of vectors/, which the tests of all languages use.
struct Vectors {
    let cases: [Case]

    init(_ name: String, _ subject: String) throws {
        let file = try Self.read(name)
        guard file["format"] as? String == "saiban-vectors-1", file["subject"] as? String == subject else {
            throw Mismatch("not the vectors of \(name)")
        }
        let configs = file["configs"] as! [String: Json]
        cases = (file["cases"] as! [Json]).map { Case($0, configs) }
    }

    static func read(_ name: String) throws -> Json {
        let checkout = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../..").standardized
        let folder = ProcessInfo.processInfo.environment["SAIBAN_VECTORS"].map { URL(fileURLWithPath: $0) }
            ?? checkout.appendingPathComponent("vectors")
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
        return try JSONSerialization.jsonObject(with: data) as! Json
    }
}

typealias Json = [String: Any]

/// A case. The file contains integers as decimal text.
struct Case {
    let id: String
    let op: String
    let input: Json
    let out: Json?
    let error: String?
    let position: Int?
    let config: Json

    init(_ json: Json, _ configs: [String: Json]) {
        id = json["id"] as! String
        op = json["op"] as! String
        input = json["in"] as! Json
        out = json["out"] as? Json
        error = json["error"] as? String
        position = json["position"] as? Int
        config = (json["config"] as? String).map { configs[$0]! } ?? [:]
    }
}

/// Thrown if a result differs from that of the case.
struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Json {
    func text(_ name: String) -> String { self[name] as! String }

    func int(_ name: String) -> Int64? { (self[name] as? String).map { Int64($0)! } }

    /// The nanoseconds below the millisecond, or 0.
    var nanoseconds: Int64 { int("submillisecond_ns") ?? 0 }

    func flag(_ name: String) -> Bool { self[name] as? Bool ?? false }

    /// A half-open interval, whose end may be before its start.
    func interval(_ name: String) -> Interval? {
        (self[name] as? [String]).map { Interval(start: Int64($0[0])!, end: Int64($0[1])!) }
    }
}

func bytesOfHex(_ hex: String) -> Data {
    let digits = hex.map { UInt8($0.hexDigitValue!) }
    return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
}

/// Returns the kind of the error that this throws, or nil.
func kind<T>(_ run: () throws -> T) -> String? {
    do {
        _ = try run()
        return nil
    } catch {
        return (error as? SaibanError)?.kind ?? "\(error)"
    }
}
