import Saiban
import Testing

/// Checks that this fails with an error of this kind, and returns its message.
@discardableResult
func refused<T>(_ wanted: String, _ run: () throws -> T) -> String {
    do {
        _ = try run()
        Issue.record("not refused")
    } catch let error as SaibanError {
        #expect(error.kind == wanted, "\(error.message)")
        return error.message
    } catch {
        Issue.record(error)
    }
    return ""
}
