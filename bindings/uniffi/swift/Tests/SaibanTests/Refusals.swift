import Saiban
import Testing

/// The message of what must be an error of this kind.
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
