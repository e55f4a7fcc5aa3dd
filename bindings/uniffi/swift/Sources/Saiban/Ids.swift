import Foundation
import SaibanFFI

/// Makes IDs with this generator, in the memory of the array.
func made(by ids: AnyObject, _ handle: UInt64, _ count: Int64, isExact: Bool) throws -> [Int64] {
    try withExtendedLifetime(ids) {
        try [Int64](unsafeUninitializedCapacity: Int(saiban_swift_room(count, isExact))) { array, written in
            written = try Int(rustCallWithError(FfiConverterTypeSaibanError_lift) {
                saiban_swift_fill(handle, count, isExact, array.baseAddress, $0)
            })
        }
    }
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
