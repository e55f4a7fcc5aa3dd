import Foundation

// What can this ID be? In every form that an ID has: with why, or the parts alone.

/// What a number of unknown origin can be, the most plausible first: an ID of every scheme of 64
/// bits and every preset, of Randflake with the secret (16 bytes). With a scheme it looks for that
/// one only.
///
/// `oldSecrets`, at most 7, were in use before. There is a reading under each; the most plausible
/// time comes first, and `secretIndex` tells which secret that was: 0 for `secret`, 1 and up for
/// these. That is no proof. With `layouts`, at most 4, it looks for theirs too, and takes presets
/// among them for likelier. With `epochMs`, Unix milliseconds, presets and Ulid-Flake are counted
/// from it instead of from their own.
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

/// What a text of unknown origin can be, the most plausible first: what a scheme writes, a decimal
/// number of up to 128 bits, a UUID in any of its forms, letters in either case, a hexadecimal
/// number after `0x`, and, less likely, text with a prefix (a TypeID, say) and a number in any
/// other encoding. As with a number else; the scheme `uuid` means every version.
///
/// Errors: when no scheme reads the text, that of the form that the text is most like; else as of a
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

/// What a UUID of unknown origin can be: of the version that its bits say, a ULID, one of these
/// layouts of 128 bits.
public func inspect(_ id: UUID, scheme: String? = nil, layouts: [Layout] = []) throws -> [Parts] {
    try candidates(id, scheme: scheme, layouts: layouts).map(\.parts)
}

/// What an ID of so many bits can be, given as bytes, the highest first: 128 bits (ULID, UUID), 96
/// (ObjectId), or as many as one of these layouts has; by default 8 for each byte. 8 bytes are a
/// number of 64 bits, and `secret`, `oldSecrets` and `epochMs` count as with one.
///
/// Errors: `IdOutOfRange` when the number has more bits; `InvalidArgument` for other than 16 to 128
/// bits; else as of a number.
public func inspect(
    _ id: Data, bits: Int? = nil, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil,
    layouts: [Layout] = [], epochMs: Int64? = nil
) throws -> [Parts] {
    try candidates(
        id, bits: bits, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs
    ).map(\.parts)
}

/// What `inspect` finds, with why.
public func candidates(
    _ id: Int64, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil, layouts: [Layout] = [],
    epochMs: Int64? = nil
) throws -> [Candidate] {
    try candidatesOfId(
        id: id, secret: secret, oldSecrets: oldSecrets, scheme: scheme, layouts: layouts, epochMs: epochMs)
}

/// What `inspect` finds in a text, with why.
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

/// What `inspect` finds in a UUID, with why.
public func candidates(_ id: UUID, scheme: String? = nil, layouts: [Layout] = []) throws -> [Candidate] {
    try candidates(bytesFromUuid(id), scheme: scheme, layouts: layouts)
}

/// What `inspect` finds in bytes, with why.
public func candidates(
    _ id: Data, bits: Int? = nil, secret: Data? = nil, oldSecrets: [Data] = [], scheme: String? = nil,
    layouts: [Layout] = [], epochMs: Int64? = nil
) throws -> [Candidate] {
    try candidatesOfBytes(
        id: id, bits: bits.map(Int32.init(clamping:)), secret: secret, oldSecrets: oldSecrets, scheme: scheme,
        layouts: layouts, epochMs: epochMs)
}
