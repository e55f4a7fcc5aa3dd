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
    /// What an ID is: `Data`, `String` or `UUID`.
    associatedtype ID
    /// The first and the last ID of an interval.
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
    /// Errors: as `generate`; `InvalidArgument` for another number of them.
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
    /// Errors: `IdOutOfRange` when it is not one of this scheme and layout; of text as
    /// ``fromText(_:lenient:)``.
    public func inspect(_ id: ID) throws -> Parts {
        try inspect(id: id)
    }
}

extension WideGenerator where ID == UUID {
    /// Takes an ID apart that is given as its canonical text.
    public func inspect(_ text: String) throws -> Parts {
        try inspect(id: fromText(text))
    }
}

extension WideGenerator where ID == Data {
    /// Takes an ID apart that is given as its canonical text.
    public func inspect(_ text: String) throws -> Parts {
        try inspect(id: fromText(text))
    }
}

extension BytesSourceProtocol {
    /// Fills a buffer with the bytes of IDs, of each the highest first: 16 of a ULID or UUID, 12 of
    /// an ObjectId, of a layout of your own as many as its bits need. Waits as `generate` does;
    /// returns how many IDs it wrote, at most 10 million a call. It stops early, without an error,
    /// if no more IDs are available after the first.
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
