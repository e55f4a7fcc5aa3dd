import Foundation

/// Writes an ID as text: `decimal` (signed), or the 64 bits as unsigned in `hex`, `binary`,
/// `crockford`, `base32hex`, `base36`, `base58`, `base62` or `base64url`. The text has the
/// encoding's default width, or is padded with zeros to exactly the given width.
///
/// Errors: `UnknownName`; `WidthOutOfRange`.
///
/// ```swift
/// try encode(7, "base62", width: 11)              // 00000000007
/// ```
public func encode(_ value: Int64, _ encoding: String, width: Int? = nil) throws -> String {
    try encode(value: value, encoding: encoding, width: width.map(Int32.init(clamping:)))
}

/// Reads an ID from text, of this width, or of the encoding's default width. Every ID has exactly
/// one text, unless `lenient` accepts the other case, leading zeros, Crockford's aliases and
/// hyphens, and `=` at the end.
///
/// Errors: `UnknownName`, `WidthOutOfRange`; `TextLength`, `TextCharacter`, `TextOverflow`,
/// `TextNotCanonical`.
///
/// ```swift
/// try decode("00CMXB6TAK4SA", "crockford")        // 14246757444195114
/// ```
public func decode(_ text: String, _ encoding: String, width: Int? = nil, lenient: Bool = false) throws -> Int64 {
    try decode(text: text, encoding: encoding, width: width.map(Int32.init(clamping:)), lenient: lenient)
}

/// Encodes an ID of 16 to 128 bits, given as bytes, the highest first. The encodings are
/// those of a number of 64 bits, all of them without a sign, and the forms of a UUID: `hyphenated`,
/// `simple`, `braced` and `urn`.
///
/// Errors: `UnknownName`; `WidthOutOfRange`; `IdOutOfRange` when the number has more bits;
/// `InvalidArgument` for other numbers of bits, or more than 16 bytes.
///
/// ```swift
/// try encodeWide(Data([1, 0]), "crockford", bits: 80)     // 0000000000000080
/// ```
public func encodeWide(_ value: Data, _ encoding: String, width: Int? = nil, bits: Int = 128) throws -> String {
    let (width, bits) = (width.map(Int32.init(clamping:)), Int32(clamping: bits))
    return try encodeWide(value: value, encoding: encoding, width: width, bits: bits)
}

/// Reads an ID of this many bits, 16 to 128, from text: bytes, the highest first, as many as these
/// bits need.
///
/// Errors: those of ``decode(_:_:width:lenient:)``; `InvalidArgument` for other numbers of bits.
///
/// ```swift
/// try decodeWide("01H455VB4PEX5VSKNK084SN02Q", "crockford")    // 16 bytes
/// ```
public func decodeWide(
    _ text: String, _ encoding: String, width: Int? = nil, lenient: Bool = false, bits: Int = 128
) throws -> Data {
    let (width, bits) = (width.map(Int32.init(clamping:)), Int32(clamping: bits))
    return try decodeWide(text: text, encoding: encoding, width: width, lenient: lenient, bits: bits)
}

/// Returns the 16 bytes of a UUID in the order of Microsoft's `GUID` in memory: the first three
/// groups have their lowest byte first.
public func uuidToGuidBytes(_ uuid: UUID) -> Data {
    uuidToGuidBytes(uuid: uuid)
}

/// Returns the UUID of these 16 bytes of a Microsoft `GUID`.
///
/// Errors: `InvalidArgument` for another number of bytes.
public func uuidFromGuidBytes(_ bytes: Data) throws -> UUID {
    try uuidFromGuidBytes(bytes: bytes)
}
