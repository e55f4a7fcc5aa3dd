import Foundation

/// The interface of generators of IDs wider than 64 bits. The generated classes conform to it.
///
/// It can be shared between threads and tasks. A call blocks for at most `maxWaitMs`.
///
/// ```swift
/// let ids = try UuidGenerator(version: 7)
/// let id = try ids.generate()                     // UUID
/// let batch = try ids.generateMany(1_000)         // [UUID]
/// ```
public protocol WideGenerator: AnyObject, Sendable {
    /// The type of an ID: `Data`, `String` or `UUID`.
    associatedtype ID
    /// The type of an interval's first and last ID.
    associatedtype IDRange

    func generate() throws -> ID
    func tryGenerate() throws -> ID?
    func generateMany(count: Int64) throws -> [ID]
    func generateUpTo(count: Int64) throws -> [ID]
    func generateText(encoding: String?) throws -> String
    func toText(id: ID, encoding: String?) throws -> String
    func fromText(text: String, lenient: Bool) throws -> ID
    func inspect(id: ID) throws -> Parts
    func range(startMs: Int64, endMs: Int64) throws -> IDRange
    func stats() throws -> Stats
    func lease() -> Lease?
}

extension WideGenerator {
    /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
    ///
    /// Errors: as `generate`, and `InvalidArgument` for another count.
    public func generateMany(_ count: Int) throws -> [ID] {
        try generateMany(count: Int64(count))
    }

    /// Makes an ID and writes it as text: canonical text, which begins with the generator's prefix,
    /// if it has one; or the number in this encoding with its default width.
    ///
    /// Errors: as `generate`; `UnknownName`.
    public func generateText(_ encoding: String? = nil) throws -> String {
        try generateText(encoding: encoding)
    }

    /// Writes an ID as text: canonical text, which begins with the generator's prefix, if it has
    /// one; or the number in this encoding with its default width.
    ///
    /// Errors: `IdOutOfRange` when it is not an ID of this scheme and layout; `UnknownName`.
    public func toText(_ id: ID, _ encoding: String? = nil) throws -> String {
        try toText(id: id, encoding: encoding)
    }

    /// Reads an ID from its canonical text, or if lenient also from variants of it. For ULIDs any
    /// case is accepted in both modes, as the specification says. Otherwise, and with a prefix,
    /// each ID has exactly one text.
    ///
    /// Errors: `TextLength`, `TextCharacter` (also for another prefix), `TextOverflow`,
    /// `TextNotCanonical`, `IdOutOfRange`.
    public func fromText(_ text: String, lenient: Bool = false) throws -> ID {
        try fromText(text: text, lenient: lenient)
    }

    /// Takes an ID apart.
    ///
    /// Errors: `IdOutOfRange` when it is not one of this scheme and layout; those of
    /// ``fromText(_:lenient:)`` if an ID is text.
    public func inspect(_ id: ID) throws -> Parts {
        try inspect(id: id)
    }
}

extension WideGenerator where ID == UUID {
    /// Takes apart an ID, given as its canonical text.
    public func inspect(_ text: String) throws -> Parts {
        try inspect(id: fromText(text))
    }
}

extension WideGenerator where ID == Data {
    /// Takes apart an ID, given as its canonical text.
    public func inspect(_ text: String) throws -> Parts {
        try inspect(id: fromText(text))
    }
}

extension BytesSourceProtocol {
    /// Fills a buffer with IDs as bytes, the highest byte of each first, waiting like `generate`;
    /// returns the number of IDs written, at most 10 million a call. A ULID or UUID has 16 bytes,
    /// an ObjectId 12, an ID of your own layout as many as its bits need. It stops early, without
    /// an error, if no more IDs are available after the first.
    ///
    /// Errors: those of `generate` if no ID could be made.
    ///
    /// ```swift
    /// var buffer = Data(count: 16 * 1_000)
    /// let written = try ids.fill(&buffer)
    /// ```
    public func fill(_ buffer: inout Data) throws -> Int {
        let size = bytes(of: bits())
        let ids = try generateBytesUpTo(count: Int64(buffer.count / size))
        buffer.replaceSubrange(buffer.startIndex..<buffer.startIndex + ids.count, with: ids)
        return ids.count / size
    }
}

extension Parts {
    /// The ID's bytes, the highest first: as many as its `bits` need.
    public var idBytes: Data {
        Data(bytesFromNatural(number).suffix(bytes(of: bits)))
    }
}

private func bytes(of bits: Int32) -> Int { (Int(bits) + 7) / 8 }
