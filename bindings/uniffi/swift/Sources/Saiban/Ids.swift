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
