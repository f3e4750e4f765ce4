import Vitals

/// What people have measured or noted, and typed, as far as it is kept in memory: the newest entries.
public struct ManualRecord: Codable, Hashable, Sendable {
    /// The entries in the order in which they were measured, those that were taken back among them.
    public private(set) var entries: [ManualEntry] = []
    /// What was measured up to then is not judged for fever any more.
    private(set) var feverStart: Moment?

    /// How many entries are kept in memory; the store keeps all.
    public static let limit = 500
    /// How far back a record reaches into earlier runs of the program: as far as trends do.
    public static let reach = Trend.longestReach

    init() {}

    /// How long a value that was typed says something about the present; after that it is shown as old, and its alarms
    /// end.
    ///
    /// A temperature is taken every four hours where nothing is the matter; rates and saturation change in minutes, and
    /// after an hour nobody should go by them.
    public static func validity(of vital: Vital) -> Duration {
        switch vital {
        case .bodyTemperature, .skinTemperature: .seconds(4 * 3600)
        case .heartRate, .pulseRate, .oxygenSaturation: .seconds(3600)
        }
    }

    /// How long a blood pressure says something about the present.
    public static let pressureValidity = Duration.seconds(4 * 3600)
    /// How long a value that was typed is shown at all in the place of a sensor's.
    public static let shownFor = Duration.seconds(24 * 3600)

    /// The newest value of a vital that holds; `nil` when there is none.
    public func newest(_ vital: Vital) -> Sample? {
        for entry in entries.reversed() where !entry.isRetracted {
            if let sample = entry.sample(of: vital) { return sample }
        }
        return nil
    }

    /// The newest entry of a kind that holds.
    public func newest(_ kind: ManualEntry.Kind) -> ManualEntry? {
        entries.last { !$0.isRetracted && $0.kind == kind }
    }

    /// The values of a vital that hold, the oldest first.
    public func samples(of vital: Vital) -> [Sample] {
        entries.compactMap { $0.isRetracted ? nil : $0.sample(of: vital) }
    }

    /// The entries in the order in which they were typed, the newest first.
    ///
    /// By the wall clock, because entries of earlier runs may be on another monotonic one.
    public var newestFirst: [ManualEntry] {
        entries.sorted { $0.enteredAt.wallMilliseconds > $1.enteredAt.wallMilliseconds }
    }

    /// Takes an entry in at its place; answers whether it is a new one.
    mutating func insert(_ entry: ManualEntry) -> Bool {
        guard !entries.contains(where: { $0.id == entry.id }) else { return false }
        let place = entries.lastIndex { $0.taken <= entry.taken }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
        return true
    }

    /// Marks an entry as a mistake; `nil` when there is none, or it was marked before.
    mutating func retract(_ id: ManualEntry.ID, at moment: Moment) -> ManualEntry? {
        guard let place = entries.firstIndex(where: { $0.id == id && !$0.isRetracted }) else { return nil }
        entries[place].retractedAt = moment
        return entries[place]
    }

    /// Leaves what was measured so far out of the judging of fever.
    mutating func declareFeverOver(at moment: Moment) {
        feverStart = max(feverStart ?? moment, moment)
    }
}
