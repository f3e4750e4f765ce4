import Base
import Vitals

/// The last days of a patient at a glance: each vital day by day, with the record and the fevers beside it.
///
/// The source of the page of the days and of `bedside report` as text, JSON lines and HTML.
public struct PatientOverview: Hashable, Sendable {
    /// The days, the oldest first, without a gap.
    public var days: [Day]
    /// The record of these days in the order of measurement, including retracted entries.
    public var entries: [RecordedEntry]
    /// The newest blood count and risk index from before these days.
    public var earlier: [RecordedEntry]
    /// The fevers of these days, the oldest first.
    public var fevers: [FeverEpisode]

    /// A day of local time.
    public struct Day: Hashable, Sendable {
        /// From midnight to midnight, in milliseconds since 1970 (UTC): 23 or 25 hours when the clocks were changed.
        public var range: Range<Int64>
        /// The figures of each measured vital, in the order of vitals.
        public var vitals: [VitalDay]
        /// Whether the figures were read.
        public var isRead: Bool

        public init(_ range: Range<Int64>, vitals: [VitalDay] = [], isRead: Bool = true) {
            self.range = range
            self.vitals = vitals
            self.isRead = isRead
        }

        /// The figures of a vital; `nil` if it was not measured.
        public subscript(vital: Vital) -> VitalDay? { vitals.first { $0.vital == vital } }

        /// The share of the day that has passed at a time, from 0 to 1.
        public func share(at wall: Int64) -> Double {
            let length = max(1, range.upperBound.subtractingSaturated(range.lowerBound))
            return min(max(0, Double(wall.subtractingSaturated(range.lowerBound)) / Double(length)), 1)
        }
    }

    public init(
        days: [Day], entries: [RecordedEntry] = [], earlier: [RecordedEntry] = [], fevers: [FeverEpisode] = []
    ) {
        self.days = days
        self.entries = entries
        self.earlier = earlier
        self.fevers = fevers
    }

    /// From the first midnight to the last.
    public var range: Range<Int64> {
        let start = days.first?.range.lowerBound ?? 0
        return start..<max(start, days.last?.range.upperBound ?? 0)
    }

    /// Whether there are no data for these days.
    public var isEmpty: Bool {
        entries.isEmpty && earlier.isEmpty && fevers.isEmpty && days.allSatisfy { $0.vitals.isEmpty }
    }

    /// The vitals measured in these days, the most important for a fever first.
    public var vitals: [Vital] {
        let measured = Set(days.flatMap { $0.vitals.map(\.vital) })
        let order = [.bodyTemperature] + Vital.allCases.filter { $0 != .bodyTemperature }
        return order.filter(measured.contains)
    }

    /// The valid entries of these days.
    public var valid: [RecordEntry] { entries.map(\.entry).filter { !$0.isRetracted } }

    /// The day of a time; `nil` outside of the days.
    public func index(ofDayAt wall: Int64) -> Int? { days.firstIndex { $0.range.contains(wall) } }

    /// The position of a time on an axis with equally long days, in days from the first midnight; `nil` outside.
    public func place(of wall: Int64) -> Double? {
        index(ofDayAt: wall).map { Double($0) + days[$0].share(at: wall) }
    }
}

// The figures that are asked for on the telephone.
extension PatientOverview {
    /// The highest body temperature and its day, by a sensor or typed; skin temperatures do not count.
    public var highestTemperature: (value: VitalValue, day: Day)? {
        let found = days.compactMap { day in day[.bodyTemperature]?.maximum.map { (value: $0, day: day) } }
        return found.reduce(nil) { best, next in best.map { next.value > $0.value } ?? true ? next : best }
    }

    /// The newest neutrophil count, also from before these days.
    public var neutrophils: NeutrophilCount? { newest { $0.neutrophilCount } }

    /// The newest risk index with its time, also from before these days.
    public var riskIndex: (index: MASCCIndex, at: Moment)? {
        newest { entry in
            if case .mascc(let index) = entry.content { (index, entry.taken) } else { nil }
        }
    }

    /// The fever without a recorded end.
    public var openFever: FeverEpisode? { fevers.last.flatMap { $0.ending == .open ? $0 : nil } }

    /// The antipyretics of these days, which may hide a fever, with their times.
    public var antipyretics: [(medication: Medication, at: Moment)] {
        valid.compactMap { entry in
            guard case .medication(let medication) = entry.content, medication.isAntipyretic else { return nil }
            return (medication, entry.taken)
        }
    }

    private func newest<Answer>(_ answer: (RecordEntry) -> Answer?) -> Answer? {
        for recorded in entries.reversed() + earlier.reversed() where !recorded.entry.isRetracted {
            if let found = answer(recorded.entry) { return found }
        }
        return nil
    }
}
