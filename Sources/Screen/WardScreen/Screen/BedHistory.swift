import Dashboard
import Monitoring
import Vitals
import WardMessages

/// The last day of a bed from the collector's store: history only, never a source of present numbers, ages or alarms.
public struct BedHistory: Hashable, Sendable {
    public var bed: WardBed
    /// The result of reading it.
    public var content: Content

    /// The content of the collector's store.
    public enum Content: Hashable, Sendable {
        /// It is being read.
        case reading
        /// Nothing is stored; a clause states why.
        case missing(String)
        case trends(PastTrends)
    }

    /// The length of the history.
    public static let reach = Duration.seconds(86_400)
    /// The resolution: a column of a wide screen.
    public static let finest = Duration.seconds(300)

    public init(_ bed: WardBed, _ content: Content) {
        (self.bed, self.content) = (bed, content)
    }

    /// The trend of a vital; `nil` if nothing was stored.
    func trend(of vital: Vital) -> Trend? {
        guard case .trends(let past) = content else { return nil }
        return past.trend(of: vital)
    }

    /// The end of the newest five minutes with a measurement.
    func newest(at now: Moment) -> Moment? {
        let columns = Int(Self.reach.components.seconds / Self.finest.components.seconds)
        let start = now.advanced(by: .zero - Self.reach)
        let last = Vital.allCases.compactMap { vital in
            trend(of: vital)?.samples(from: start, to: now, columns: columns).lastIndex { $0 != nil }
        }.max()
        return last.map { start.advanced(by: Self.finest * ($0 + 1)) }
    }
}
