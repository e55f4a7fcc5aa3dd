import Foundation
import Saiban
import Testing

/// Generators that share a node, and whether they share a cursor.
final class ScopeTests {
    let secret = bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saiban-\(UUID().uuidString)")

    /// A layout of this test alone.
    private let layout: Layout

    init() throws {
        layout = try Layout.fromText("unused:1 timestamp:41,epoch=2022-05-05 node:10 sequence:12")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func generatorsWithNodesShareTheMachinesCursorByDefault() throws {
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 860, layout: layout), try RandflakeGenerator(secret: secret, node: 860), try UlidFlakeGenerator(scalability: 30),
            try FlakeGenerator(layout: layout, node: 861),
        ]
        for ids in generators {
            #expect(try ids.stats().scope == .machine)
        }
    }

    @Test func theScopeOfOneProcessIsChosen() throws {
        let generators: [any Generator] = [
            try SnowflakeGenerator(node: 862, layout: layout, scope: .process),
            try RandflakeGenerator(secret: secret, node: 862, scope: .process),
            try UlidFlakeGenerator(scalability: 29, scope: .process),
            try FlakeGenerator(layout: layout, node: 863, scope: .process),
        ]
        for ids in generators {
            #expect(try ids.stats().scope == .process)
        }
    }

    @Test func theScopeIsTheProcesssWhereTheMachinesIsUnavailable() throws {
        let clock = try ManualClock(timestampMs: 1_735_689_600_000)
        let wide = try Layout.fromText("timestamp:48 node:16 sequence:64")
        #expect(try SnowflakeGenerator(node: 7, clock: clock).stats().scope == .process)
        #expect(try UlidGenerator().stats().scope == .process)
        #expect(try WideFlakeGenerator(layout: wide, node: 7).stats().scope == .process)
        #expect(kind { try SnowflakeGenerator(node: 7, clock: clock, scope: .machine) } == "STATE_UNAVAILABLE")
        #expect(kind { try WideFlakeGenerator(layout: wide, node: 7, scope: .machine) } == "STATE_UNAVAILABLE")
    }

    @Test func bothScopesAreNotInUseAtOnce() throws {
        let ids = try SnowflakeGenerator(node: 864, layout: layout)
        withExtendedLifetime(ids) {
            #expect(kind { try SnowflakeGenerator(node: 864, layout: self.layout, scope: .process) } == "NODE_IN_USE")
        }
    }

    /// The other processes run only this test, which makes their IDs when the variable is set.
    @Test func processesWithOneNodeRepeatNothing() throws {
        let ids = try SnowflakeGenerator(node: 865, layout: layout)
        if let path = ProcessInfo.processInfo.environment["SAIBAN_TEST_IDS"] {
            let made = try (0..<100).flatMap { _ in try ids.generateMany(1_000) }
            try made.map(String.init).joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            return
        }
        let paths = (0..<2).map { folder.appendingPathComponent("\($0)").path }
        let processes = try paths.map { path in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["--testing-library", "swift-testing", "--filter", "ScopeTests/processesWithOneNodeRepeatNothing"]
            process.environment = ProcessInfo.processInfo.environment.merging(["SAIBAN_TEST_IDS": path]) { $1 }
            // The other processes' test results must not be counted.
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
        var made: [Int64] = []
        while processes.contains(where: { $0.isRunning }) {
            made += try ids.generateMany(100)
            Thread.sleep(forTimeInterval: 0.000_5)
        }
        for (process, path) in zip(processes, paths) {
            #expect(process.terminationStatus == 0)
            let others = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { Int64($0) }
            #expect(others.count == 100_000)
            made += others
        }
        #expect(Set(made).count == made.count)
    }
}
