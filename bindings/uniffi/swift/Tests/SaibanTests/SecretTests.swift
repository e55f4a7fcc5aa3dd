import Foundation
import Saiban
import Testing

/// No output of Swift shows a secret. Inspection can try several secrets.
struct SecretTests {
    let now: Int64 = 1_735_689_600_000
    let ours = bytesOfHex("ab5345435245542d4f462d4f555253ef")
    let old = bytesOfHex("00112233445566778899aabbccddeeff")
    let published = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")

    /// Returns the notations of a secret, and of each half.
    private func forms(_ secret: Data) -> [String] {
        var forms = [secret.base64EncodedString().trimmingCharacters(in: ["="])]
        forms.append(forms[0].replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_"))
        for part in [secret, Data(secret.prefix(8)), Data(secret.suffix(8))] {
            let hex = part.map { String(format: "%02x", $0) }
            for between in ["", " ", ":", "-", ", ", "\\x"] {
                forms.append(hex.joined(separator: between))
                forms.append(hex.joined(separator: between).uppercased())
            }
            for between in [",", ", ", " ", "\n"] {
                forms.append(part.map { "\($0)" }.joined(separator: between))
                forms.append(part.map { "\(Int8(bitPattern: $0))" }.joined(separator: between))
            }
            forms.append(String(decoding: part, as: UTF8.self))
            forms.append(String(part.map { Character(UnicodeScalar($0)) }))
        }
        return forms
    }

    /// Returns all texts in which Swift shows a value.
    private func shown(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let described = ["\(value)", String(reflecting: value), dumped]
        return described + fields(of: value, depth: 3)
    }

    /// Returns the texts of the properties of a value, recursively.
    private func fields(of value: Any, depth: Int) -> [String] {
        Mirror(reflecting: value).children.flatMap { child in
            ["\(child.label ?? "") \(child.value)"] + (depth > 0 ? fields(of: child.value, depth: depth - 1) : [])
        }
    }

    private func refused<T>(_ run: () throws -> T) -> [String] {
        do {
            _ = try run()
            Issue.record("not refused")
            return []
        } catch {
            let bridged = error as NSError
            let descriptions = [error.localizedDescription, "\(bridged)", "\(bridged.userInfo)", bridged.debugDescription]
            return shown(error) + descriptions + ((error as? SaibanError).map { [$0.kind, $0.message, $0.description] } ?? [])
        }
    }

    private func everything() throws -> [String] {
        let clock = try ManualClock(timestampMs: now)
        let ids = try RandflakeGenerator(
            secret: ours, nodes: Interval(0..<9), notBefore: 5, rollback: .error, shards: 3, clock: clock)
        let id = try ids.generate()
        var all = [try ids.toText(id), try ids.generateText("hex")]
        for value in [ids, try ids.stats(), try ids.inspect(id), clock, errorKinds()] as [Any] { all += shown(value) }
        for parts in try inspect(id, secret: ours, oldSecrets: [old, old]) { all += shown(parts) }
        for parts in try inspect(ids.toText(id), secret: ours, oldSecrets: [old]) { all += shown(parts) }
        try clock.advance(deltaMs: -5_000)
        all += refused { try ids.generate() }
        all += refused { try ids.fromText("not ours") }
        for wrong in [ours + ours, Data(ours.prefix(9)), ours + [1]] {
            all += refused { try RandflakeGenerator(secret: wrong, node: 9) }
            all += refused { try inspect(id, secret: wrong) }
            all += refused { try inspect(id, secret: ours, oldSecrets: [old, wrong]) }
        }
        all += refused { try inspect(id, secret: ours, oldSecrets: [Data](repeating: old, count: 20)) }
        all += refused { try inspect(id, oldSecrets: [old]) }
        all += refused { try inspect(id, secret: ours, scheme: "friendster") }
        all += refused { try RandflakeGenerator(secret: ours, node: 1 << 17) }
        all += refused { try RandflakeGenerator(secret: ours, node: 1, rollback: .bits) }
        all += refused { try RandflakeGenerator(secret: ours, node: 1, state: "/nowhere/at all") }
        return all
    }

    @Test func swiftShowsASecretNowhere() throws {
        let hidden = forms(ours) + forms(old)
        let all = try everything()
        #expect(all.count > 200)
        // The message must not contain the secret.
        for form in hidden { #expect(!all.contains { $0.contains(form) } as Bool, "a secret is shown") }
        // Checks that the search itself works.
        for text in shown([UInt8](ours)).prefix(2) + ["\(ours.base64EncodedString())"] {
            #expect(hidden.contains { text.contains($0) } as Bool)
        }
    }

    @Test func inspectShowsWhichOfSeveralSecretsFitted() throws {
        let clock = try ManualClock(timestampMs: now)
        for (index, under) in [ours, old, published].enumerated() {
            let ids = try RandflakeGenerator(secret: under, node: 42, clock: clock)
            // With the wrong secrets these IDs have times from 2044 on, which stay implausible
            // until then.
            let id = try ids.compose(timestampMs: now, node: 42, sequence: 21)
            for found in [
                try inspect(id, secret: ours, oldSecrets: [old, published], scheme: "randflake"),
                try inspect(ids.toText(id), secret: ours, oldSecrets: [old, published], scheme: "randflake"),
                try inspect(
                    withUnsafeBytes(of: id.bigEndian) { Data($0) }, secret: ours, oldSecrets: [old, published],
                    scheme: "randflake"),
            ] {
                let parts = try #require(found.first)
                #expect(parts.scheme == "randflake" && parts.id == id && parts.secretIndex == Int64(index))
                #expect(parts.timestampMs == now && parts.node == 42 && parts.sequence == 21)
                #expect(Set(found.map(\.secretIndex)) == [0, 1, 2])
            }
        }
    }

    @Test func inspectShowsNoIndexOfASingleSecret() throws {
        let found = try inspect(4_594_531_474_933_654_033, secret: published, oldSecrets: [], scheme: "randflake")
        #expect(found.map(\.node) == [42])
        #expect(found.first?.secretIndex == nil)
    }

    @Test func bytesAreReadFromTheGivenEpochLikeTheirNumber() throws {
        let (id, epochMs): (Int64, Int64) = (1_741_610_183_685_074_944, 1_700_000_000_000)
        let bytes = withUnsafeBytes(of: id.bigEndian) { Data($0) }
        let wanted = try inspect(id, scheme: "snowflake", epochMs: epochMs)
        #expect(try inspect(bytes, scheme: "snowflake", epochMs: epochMs) == wanted)
        #expect(try inspect(bytes, scheme: "snowflake") != wanted)
        #expect(throws: SaibanError.self) { try candidates(bytes, oldSecrets: [old]) }
    }

    @Test func eightSecretsCanBeTried() throws {
        let others = (0..<7).map { Data(repeating: $0, count: 16) }
        let found = try inspect(4_594_531_474_933_654_033, secret: published, oldSecrets: others, scheme: "randflake")
        #expect(found.count == 8)
        #expect(found.first { $0.secretIndex == 0 }?.node == 42)
    }
}
