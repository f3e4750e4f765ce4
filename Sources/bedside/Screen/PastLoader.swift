import Dashboard
import Monitor
import EventLoops
import Monitoring
import Recording
import Vitals

/// Brings stretches of the past from the store to the screen, which never waits for it.
@ScreenActor
final class PastLoader {
    /// How long to wait after a failure before the store is asked again, in nanoseconds.
    private static let retryDelay: Int64 = 5_000_000_000

    /// What was found of a stretch of the past.
    struct Found: Sendable {
        var trends: PastTrends
        /// From when on anything is known of this patient, in milliseconds since 1970; `nil` when nothing is.
        var since: Int64?
    }

    private let loop = EventLoop()
    private let reader: PastReader
    private var isReading = false
    private var retryAt = Int64.min
    /// What was recorded before is about somebody else; the store learns that a little later.
    private var patientSince: Moment?

    /// Makes a loader that has not touched the store yet.
    init(path: String) {
        loop.startThread(named: "history")
        reader = PastReader(path: path, loop: loop)
    }

    deinit {
        loop.stop()
    }

    /// Loads nothing from before a moment any more, not even what is being loaded.
    func patientChanged(at now: Moment) {
        patientSince = now
    }

    /// Begins to load what a screen misses, unless something is being loaded or could not be a moment ago.
    ///
    /// - Parameter done: Called on the screen's thread with what was found; the screen may miss something else by then.
    /// - Returns: Whether it is being loaded.
    func load(
        _ missing: MissingPast, _ done: @escaping @ScreenActor @Sendable (Result<Found, StoreError>) -> Void
    ) -> Bool {
        if isReading { return true }
        if Timestamp.monotonicNow() < retryAt { return false }
        isReading = true
        Task(executorPreference: ScreenActor.loop) { await self.report(missing, done) }
        return true
    }

    private func report(
        _ missing: MissingPast, _ done: @ScreenActor @Sendable (Result<Found, StoreError>) -> Void
    ) async {
        if let result = await read(missing) { done(result) }
    }

    /// - Returns: `nil` when it is about somebody else by now.
    private func read(_ missing: MissingPast) async -> Result<Found, StoreError>? {
        defer { isReading = false }
        let since = patientSince
        do throws(StoreError) {
            let past = try await reader.past(
                from: missing.from, to: missing.to, finest: missing.finest, patientSince: since)
            let trends = await reader.make {
                PastTrends(
                    from: missing.from, to: missing.to, past.series.map { RecordedTrend($0) }, alarms: past.alarms)
            }
            return since == patientSince ? .success(Found(trends: trends, since: past.since)) : nil
        } catch {
            retryAt = Timestamp.monotonicNow() + Self.retryDelay
            return .failure(error)
        }
    }
}
