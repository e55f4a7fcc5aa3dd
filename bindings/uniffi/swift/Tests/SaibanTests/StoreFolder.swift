import Foundation
import Saiban

/// A folder for the stores of one test, and layouts of this test alone.
///
/// Their epoch makes them unique. Stores are independent, so leases of one layout from two of them
/// may overlap in one process.
class StoreFolder {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saiban-\(UUID().uuidString)")
    let layout: Layout
    /// The layout with two nodes: one lease can have both.
    let small: Layout
    let wide: Layout
    let epochMs: Int64

    init() throws {
        let epochMs = Int64.random(in: 1_400_000_000_000..<1_700_000_000_000)
        layout = try Layout(("unused", 1), ("timestamp", 41), ("node", 10), ("sequence", 12), epochMs: epochMs)
        small = try Layout(("timestamp", 42), ("node", 1), ("sequence", 12), epochMs: epochMs)
        wide = try Layout(("timestamp", 48), ("node", 16), ("sequence", 16), ("random", 48), epochMs: epochMs)
        self.epochMs = epochMs
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
