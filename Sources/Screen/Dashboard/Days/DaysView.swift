import Monitoring
import Vitals

/// What the page of the last days shows, and which day is under its cursor.
public struct DaysView: Hashable, Sendable {
    /// The days as they were read from the store, as far as that has come; `nil` before.
    public var overview: PatientOverview?
    /// Whether they are being read.
    public var reading = Reading.idle
    /// The first millisecond of the day under the cursor; today when it is `nil` or has gone.
    var cursor: Int64?
    /// How many graphs are scrolled past.
    var top = 0

    /// Whether the days are being read.
    public enum Reading: Hashable, Sendable {
        /// They are not: what is shown is all that is known.
        case idle
        /// They are.
        case reading
        /// They cannot be read.
        case failed
        /// There is no store that they could be read from.
        case unavailable
    }

    /// How many days are shown.
    public static let count = 14

    public init() {}

    /// The number of the day under the cursor.
    var place: Int {
        guard let days = overview?.days, !days.isEmpty else { return 0 }
        return days.firstIndex { $0.range.lowerBound == cursor } ?? days.count - 1
    }

    /// The day under the cursor.
    var day: PatientOverview.Day? {
        guard let days = overview?.days, days.indices.contains(place) else { return nil }
        return days[place]
    }

    /// Moves the cursor by days; returns whether it could.
    mutating func move(by step: Int) -> Bool {
        guard let days = overview?.days, days.indices.contains(place + step) else { return false }
        cursor = days[place + step].range.lowerBound
        return true
    }

    /// What has a graph: each vital that was measured, the most important for a fever first, and the neutrophils.
    var graphs: [DayGraph.Content] {
        guard let overview else { return [] }
        var graphs = overview.vitals.map { DayGraph.Content.vital($0) }
        if overview.valid.contains(where: { $0.neutrophilCount != nil }) {
            graphs.insert(.neutrophils, at: min(1, graphs.count))
        }
        return graphs
    }
}
