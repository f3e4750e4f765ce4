import Dashboard
import Monitoring
import Vitals
import WardMessages

/// The last day of a bed as the collector has stored it: history, of which no number, age or alarm comes.
public struct BedHistory: Hashable, Sendable {
    /// The bed.
    public var bed: WardBed
    /// What was found.
    public var content: Content

    /// What was found in the collector's store.
    public enum Content: Hashable, Sendable {
        /// It is being read.
        case reading
        /// There is none; a clause says why.
        case missing(String)
        /// The trends.
        case trends(PastTrends)
    }

    /// How far back it reaches.
    public static let reach = Duration.seconds(86_400)
    /// How finely it is read: a column of a wide screen.
    public static let finest = Duration.seconds(300)

    public init(_ bed: WardBed, _ content: Content) {
        (self.bed, self.content) = (bed, content)
    }

    /// The trend of a vital; `nil` where nothing was stored.
    func trend(of vital: Vital) -> Trend? {
        guard case .trends(let past) = content else { return nil }
        return past.trend(of: vital)
    }

    /// The end of the newest five minutes in which anything was measured.
    func newest(at now: Moment) -> Moment? {
        let columns = Int(Self.reach.components.seconds / Self.finest.components.seconds)
        let start = now.advanced(by: .zero - Self.reach)
        let last = Vital.allCases.compactMap { vital in
            trend(of: vital)?.samples(from: start, to: now, columns: columns).lastIndex { $0 != nil }
        }.max()
        return last.map { start.advanced(by: Self.finest * ($0 + 1)) }
    }
}
