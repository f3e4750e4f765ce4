import EventLoops
import Monitoring
import Recording
import Vitals

/// What the store knows of the time before the program began.
struct RecordedBeginning: Sendable {
    /// What the trends begin with.
    var trends: RestoredTrends
    /// From when on anything is known of this patient, in milliseconds since 1970 (UTC); `nil` when nothing is.
    var since: Int64?

    /// Reads the store, on a thread of its own.
    ///
    /// - Throws: `StoreError` when the store cannot be read.
    static func read(from path: String, at now: Moment) async throws(StoreError) -> RecordedBeginning {
        let loop = EventLoop()
        loop.startThread(named: "history")
        defer { loop.stop() }
        let reader = PastReader(path: path, loop: loop)
        let past = try await reader.beginning(at: now)
        let trends = await reader.make { RestoredTrends(past.series.map { RecordedTrend($0) }, now: now) }
        return RecordedBeginning(trends: trends, since: past.since)
    }
}
