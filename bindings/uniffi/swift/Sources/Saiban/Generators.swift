/// The interface of generators of IDs of up to 64 bits, of every scheme. Generators of wider IDs
/// are ``WideGenerator``s.
///
/// It can be shared between threads and tasks. A call blocks for at most `maxWaitMs`.
///
/// ```swift
/// let ids: any Generator = try SnowflakeGenerator(node: 7)
/// let id = try ids.generate()                     // Int64
/// let batch = try ids.generateMany(1_000)         // [Int64]
/// ```
public typealias Generator = AnyGeneratorProtocol

extension AnyGeneratorProtocol {
    /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
    ///
    /// Errors: as `generate`, and `InvalidArgument` for another count.
    public func generateMany(_ count: Int) throws -> [Int64] {
        try generateMany(count: Int64(count))
    }

    /// Fills a buffer with IDs, waiting like `generate`; returns the number of IDs written, at most
    /// 10 million a call. It stops early, without an error, if no more IDs are available after the
    /// first.
    ///
    /// Errors: those of `generate` if no ID could be made.
    ///
    /// ```swift
    /// var buffer = [Int64](repeating: 0, count: 1_000)
    /// let written = try ids.fill(&buffer)
    /// ```
    public func fill(_ buffer: inout [Int64]) throws -> Int {
        let ids = try generateUpTo(count: Int64(buffer.count))
        buffer.replaceSubrange(0..<ids.count, with: ids)
        return ids.count
    }

    /// Makes an ID and writes it as text: canonical text, which begins with the generator's prefix,
    /// if it has one; or the number in this encoding with its default width.
    ///
    /// Errors: as `generate`; `UnknownName`.
    ///
    /// ```swift
    /// try UlidFlakeGenerator().generateText()                  // 00CMXB6TAK4SA
    /// ```
    public func generateText(_ encoding: String? = nil) throws -> String {
        try generateText(encoding: encoding)
    }

    /// Writes an ID as text: canonical text, which begins with the generator's prefix, if it has
    /// one; or the number in this encoding with its default width.
    ///
    /// Errors: `IdOutOfRange` when it is not an ID of this scheme and layout; `UnknownName`.
    public func toText(_ id: Int64, _ encoding: String? = nil) throws -> String {
        try toText(id: id, encoding: encoding)
    }

    /// Reads an ID from its canonical text, or if lenient also from variants of it. For Ulid-Flake
    /// IDs any case is accepted in both modes, as the specification says. Otherwise, and with a
    /// prefix, each ID has exactly one text.
    ///
    /// Errors: `TextLength`, `TextCharacter` (also for another prefix), `TextOverflow`,
    /// `TextNotCanonical`, `IdOutOfRange`.
    public func fromText(_ text: String, lenient: Bool = false) throws -> Int64 {
        try fromText(text: text, lenient: lenient)
    }

    /// Takes an ID apart.
    ///
    /// Errors: `IdOutOfRange` when it is not one of this scheme and layout.
    public func inspect(_ id: Int64) throws -> Parts {
        try inspect(id: id)
    }

    /// Takes apart an ID, given as its canonical text.
    ///
    /// Errors: as ``fromText(_:lenient:)``.
    public func inspect(_ text: String) throws -> Parts {
        try inspect(id: fromText(text))
    }
}
