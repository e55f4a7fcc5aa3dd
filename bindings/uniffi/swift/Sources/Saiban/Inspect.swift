import Foundation

// Functions that return what an ID of unknown origin can be, one for each form of an ID:
// `candidates` with reasons, `inspect` the parts alone.

/// Returns what a number of unknown origin can be, the most plausible first: an ID of any 64-bit
/// scheme and preset, and of Randflake with the secret (16 bytes). With a scheme only that scheme
/// is considered.
///
/// `oldSecrets` are earlier secrets, at most 7. There is one candidate for each secret, the most
/// plausible time first, and `secretIndex` is the secret's position: 0 for `secret`, 1 and up for
/// these. With `layouts`, at most 4, these are considered too, and presets among them rank higher.
/// With `epochMs`, Unix milliseconds, presets and Ulid-Flake count from it instead of from their
/// own epochs.
///
/// Errors: `InvalidSecret`, `UnknownName`; `InvalidLayout` for an epoch too far away;
/// `InvalidArgument` for too many secrets or layouts, or old ones without `secret`.
public func inspect(
    _ id: Int64, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil, layouts: [Layout] = [],
    epochMs: Int64? = nil
) throws -> [Parts] {
    try candidates(
        id, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs
    ).map(\.parts)
}

/// Returns what a text of unknown origin can be, the most plausible first: the text of a scheme, a
/// decimal number of up to 128 bits, a UUID in any form, in either case, a hexadecimal number after
/// `0x`, and, less likely, prefixed text such as a TypeID, and a number in any other encoding. The
/// scheme `uuid` means every version. For the rest see the version for numbers.
///
/// Errors: if no scheme reads the text, the error of the most similar form; otherwise those for a
/// number.
///
/// ```swift
/// try inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").first?.time      // 2016-07-30 23:54:10 +0000
/// ```
public func inspect(
    _ text: String, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil, layouts: [Layout] = [],
    epochMs: Int64? = nil
) throws -> [Parts] {
    try candidates(
        text, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs
    ).map(\.parts)
}

/// Returns what a UUID of unknown origin can be: a UUID of its version, a ULID, or an ID of one of
/// these layouts of 128 bits.
public func inspect(_ id: UUID, scheme: String? = nil, layouts: [Layout] = []) throws -> [Parts] {
    try candidates(id, scheme: scheme, layouts: layouts).map(\.parts)
}

/// Returns what an ID of this many bits, given as bytes, the highest first, can be: 128 bits (ULID,
/// UUID), 96 (ObjectId), or the bits of one of these layouts; by default 8 bits a byte. 8 bytes are
/// a 64-bit number, for which `secret`, `oldSecrets` and `epochMs` are used.
///
/// Errors: `IdOutOfRange` when the number has more bits; `InvalidArgument` for other than 16 to 128
/// bits; otherwise those for a number.
public func inspect(
    _ id: Data, bits: Int? = nil, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil,
    layouts: [Layout] = [], epochMs: Int64? = nil
) throws -> [Parts] {
    try candidates(
        id, bits: bits, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs
    ).map(\.parts)
}

/// Returns what a number of unknown origin can be, like `inspect`, with reasons.
public func candidates(
    _ id: Int64, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil, layouts: [Layout] = [],
    epochMs: Int64? = nil
) throws -> [Candidate] {
    try candidatesOfId(
        id: id, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs)
}

/// Returns what a text of unknown origin can be, like `inspect`, with reasons.
///
/// ```swift
/// try candidates("01ARZ3NDEKTSV4RRFFQ69G5FAV").first?.reasons.last?.text      // time is plausible: 10 years ago
/// ```
public func candidates(
    _ text: String, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil, layouts: [Layout] = [],
    epochMs: Int64? = nil
) throws -> [Candidate] {
    try candidatesOfText(
        text: text, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs)
}

/// Returns what a UUID of unknown origin can be, like `inspect`, with reasons.
public func candidates(_ id: UUID, scheme: String? = nil, layouts: [Layout] = []) throws -> [Candidate] {
    try candidates(bytesFromUuid(id), scheme: scheme, layouts: layouts)
}

/// Returns what bytes of unknown origin can be, like `inspect`, with reasons.
public func candidates(
    _ id: Data, bits: Int? = nil, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil,
    layouts: [Layout] = [], epochMs: Int64? = nil
) throws -> [Candidate] {
    try candidatesOfBytes(
        id: id, bits: bits.map(Int32.init(clamping:)), secret: secret, oldSecrets: oldSecrets, scheme: scheme,
        layouts: layouts, epochMs: epochMs)
}
