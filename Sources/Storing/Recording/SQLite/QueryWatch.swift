import CSQLite
import Glibc

/// Ends a query that takes too long, or when the program is asked to end.
///
/// A file is untrusted: a query of a damaged or hostile one may run for hours. While SQLite works, the blocked signals
/// of the program are not read as events, so the query itself checks for them.
final class QueryWatch {
    /// Why a query was ended.
    enum Reason {
        /// The program was asked to end.
        case signal
        /// One step took longer than the limit.
        case tooLong
    }

    /// The time limit of one step of a query, in nanoseconds; a slow disk needs seconds for the largest stores.
    static let usualLimit: Int64 = 60_000_000_000
    /// The time limit of a recorder's step, which may migrate or check the whole file.
    static let patientLimit: Int64 = 900_000_000_000
    /// The number of SQLite instructions between checks: less than a millisecond.
    private static let instructions: Int32 = 10_000

    private let limit: Int64
    private let endsBySignal: Bool
    private var start: Int64?
    /// Why the last query was ended; `nil` if it was not.
    private(set) var reason: Reason?

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - limit: The time limit of one step, in nanoseconds.
    ///   - endsBySignal: Whether a signal ends a query; a recorder that is asked to end still writes waiting items.
    init(limit: Int64 = usualLimit, endsBySignal: Bool = true) {
        self.limit = limit
        self.endsBySignal = endsBySignal
    }

    /// The watch of a recorder.
    static var patient: QueryWatch { QueryWatch(limit: patientLimit, endsBySignal: false) }

    /// Watches a connection, which must not outlive this object.
    func watch(_ connection: OpaquePointer) {
        sqlite3_progress_handler(
            connection, Self.instructions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryWatch>.fromOpaque(context).takeUnretainedValue().mustEnd() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins a step.
    func begin() {
        start = nil
        reason = nil
    }

    private func mustEnd() -> Bool {
        if endsBySignal, Self.isSignalled { reason = .signal }
        let now = Self.now
        // The first check starts the time, because most steps end before it.
        let start = start ?? now
        self.start = start
        if now - start >= limit { reason = .tooLong }
        return reason != nil
    }

    /// Whether a signal that ends the program is pending.
    private static var isSignalled: Bool {
        var pending = sigset_t()
        guard sigpending(&pending) == 0 else { return false }
        return [SIGINT, SIGTERM].contains { sigismember(&pending, $0) == 1 }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
