import Monitoring
import Vitals

/// The content of the page of the last days, and the day under its cursor.
public struct DaysView: Hashable, Sendable {
    /// The days from the store, as far as they were read; `nil` before.
    public var overview: PatientOverview?
    /// Whether they are being read.
    public var reading = Reading.idle
    /// The first millisecond of the day under the cursor; `nil` for today, also if the day is no longer shown.
    var cursor: Int64?
    /// The number of graphs scrolled past.
    var top = 0

    /// Whether the days are being read.
    public enum Reading: Hashable, Sendable {
        /// Not reading: all known days are shown.
        case idle
        /// Reading.
        case reading
        /// Reading failed.
        case failed
        /// There is no store to read from.
        case unavailable
    }

    /// The number of days.
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

    /// The graphs: each measured vital, the most important for a fever first, and the neutrophils.
    var graphs: [DayGraph.Content] {
        guard let overview else { return [] }
        var graphs = overview.vitals.map { DayGraph.Content.vital($0) }
        if overview.valid.contains(where: { $0.neutrophilCount != nil }) {
            graphs.insert(.neutrophils, at: min(1, graphs.count))
        }
        return graphs
    }
}
