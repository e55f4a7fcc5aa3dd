/// A measured case: a loop that makes something a number of times, and the number of IDs each time.
final class Case {
    let path: String
    let who: String
    let version: String
    let per: Int
    let loop: (Int) throws -> Void
    var count = 0
    var ns: [Double] = []

    /// Inlining gives each case its own compiled loop.
    @inline(__always)
    init<Made>(_ path: String, _ who: String, _ version: String, per: Int = 1, _ make: @escaping () throws -> Made) {
        (self.path, self.who, self.version, self.per) = (path, who, version, per)
        loop = { count in
            for _ in 0..<count { keep(try make()) }
        }
    }

    func timed(_ count: Int) throws -> Double {
        let clock = ContinuousClock()
        return try clock.measure { try loop(count) } / .nanoseconds(1)
    }
}

/// Hides the use from the compiler, so that the value is made.
@inline(never)
func keep<Made>(_ made: Made) {}

/// Returns the number of repetitions that take about this long.
private func calibrated(_ one: Case, ms: Double) throws -> Int {
    // A generator's first ID may wait for the next tick.
    try one.loop(1)
    var count = 1
    while true {
        // The faster of two: a sample that other work delayed means nothing.
        let ns = min(try one.timed(count), try one.timed(count))
        if ns >= ms * 1e6 { return max(1, Int(Double(count) * ms * 1e6 / ns)) }
        count *= 2
    }
}

/// Measures the cases in rounds; every second round runs them in reverse order.
func measure(_ cases: [Case], rounds: Int, ms: Double) throws {
    for one in cases { one.count = try calibrated(one, ms: ms) }
    for round in 0..<rounds {
        for one in round % 2 == 0 ? cases : cases.reversed() {
            one.ns.append(try one.timed(one.count) / Double(one.count * one.per))
        }
    }
}
