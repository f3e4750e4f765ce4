import Dashboard
import Engine
import EventLoops
import Monitoring
import Recording
import Vitals

/// Loads the past from the store for the screen, in the background.
@ScreenActor
final class PastLoader {
    /// How long to wait after a failure before the store is asked again, in nanoseconds.
    private static let retryDelay: Int64 = 5_000_000_000

    /// The loaded part of the past.
    struct Found: Sendable {
        var trends: PastTrends
        /// The start of this patient's record, in milliseconds since 1970; `nil` without a record.
        var since: Int64?
    }

    private let loop = EventLoop()
    let reader: PastReader
    private var isReading = false
    private var retryAt = Int64.min
    /// Earlier data belong to another patient; the store records that a little later.
    private(set) var patientSince: Moment?

    /// Creates a loader; the store is opened at the first load.
    init(path: String) {
        loop.startThread(named: "history")
        reader = PastReader(path: path, loop: loop)
    }

    deinit {
        loop.stop()
    }

    /// Discards data from before a moment, including those being loaded.
    func patientChanged(at now: Moment) {
        patientSince = now
    }

    /// Starts to load missing data of a screen, unless a load is in progress or has just failed.
    ///
    /// - Parameter done: Called on the screen's thread with the result; the screen may need other data by then.
    /// - Returns: Whether a load was started.
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

    /// - Returns: `nil` when the data belong to another patient by now.
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
