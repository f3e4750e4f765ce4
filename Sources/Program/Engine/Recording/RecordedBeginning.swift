import EventLoops
import Monitoring
import Recording
import Vitals

/// The stored data from before the program began.
struct RecordedBeginning: Sendable {
    /// The restored trends.
    var trends: RestoredTrends
    /// The time from which data of this patient exist, in milliseconds since 1970 (UTC); `nil` for none.
    var since: Int64?

    /// Reads the store on another thread.
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
