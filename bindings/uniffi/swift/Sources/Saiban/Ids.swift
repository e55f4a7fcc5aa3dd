import Foundation

// IDs cross as text: see src/convert.rs for its format.

private let lowestOfEachByte: Int64 = 0x0101_0101_0101_0101

func idsFromText(_ text: String) -> [Int64] {
    var text = text
    return text.withUTF8 { bytes in
        let size = MemoryLayout<Int64>.size
        let words = bytes.count / size
        let count = words * 7 / 8
        // An empty text has no words, and perhaps no base address.
        guard count > 0, let lower = UnsafeRawPointer(bytes.baseAddress) else { return [] }
        let (highest, most) = (lower + count * size, words - count)
        return [Int64](unsafeUninitializedCapacity: count) { ids, written in
            for bit in 0..<7 {
                let first = min(bit * most, count)
                let (part, lower) = (ids.baseAddress! + first, lower + first * size)
                for n in 0..<min(most, count - first) {
                    // The bytes of a short text are not aligned for an Int64. The offsets cannot
                    // overflow, and overflow checks would take as long as the rest of the loop.
                    let highest = highest.loadUnaligned(fromByteOffset: n &* size, as: Int64.self)
                    let lower = lower.loadUnaligned(fromByteOffset: n &* size, as: Int64.self)
                    part[n] = lower | (highest &>> bit & lowestOfEachByte) &<< 7
                }
            }
            written = count
        }
    }
}

func textFromIds(_ ids: [Int64]) -> String {
    fatalError("lists of IDs are results only, not arguments")
}

// Wider IDs cross as bytes, the highest first.

func uuidFromBytes(_ bytes: Data) -> UUID {
    // `UUID()` is not used as a start, since it generates a random UUID.
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
}

func bytesFromUuid(_ uuid: UUID) -> Data {
    withUnsafeBytes(of: uuid.uuid) { Data($0) }
}

func naturalFromBytes(_ bytes: Data) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
}

/// A leading zero byte makes the number unsigned.
func bytesFromNatural(_ number: UInt128) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data([0]) + Data($0) }
}
