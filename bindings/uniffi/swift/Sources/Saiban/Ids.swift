import Foundation

// IDs cross as bytes of this machine's order, at one copy each way.

func idsFromBytes(_ bytes: Data) -> [Int64] {
    let count = bytes.count / MemoryLayout<Int64>.size
    return [Int64](unsafeUninitializedCapacity: count) { buffer, written in
        written = bytes.copyBytes(to: buffer) / MemoryLayout<Int64>.size
    }
}

func bytesFromIds(_ ids: [Int64]) -> Data {
    ids.withUnsafeBytes { Data($0) }
}

// Wider ones as bytes, the highest first.

func uuidFromBytes(_ bytes: Data) -> UUID {
    // Not `UUID()` to begin with: that draws a random one.
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
}

func bytesFromUuid(_ uuid: UUID) -> Data {
    withUnsafeBytes(of: uuid.uuid) { Data($0) }
}

func naturalFromBytes(_ bytes: Data) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
}

/// A byte of zeros says that the number has no sign.
func bytesFromNatural(_ number: UInt128) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data([0]) + Data($0) }
}
