import Base
import Vitals

/// The newest manual entries, kept in memory.
public struct PatientRecord: Codable, Hashable, Sendable {
    /// The entries in the order of measurement, including retracted ones.
    public private(set) var entries: [RecordEntry] = []
    /// Temperatures measured up to then are no longer evaluated for fever.
    private(set) var feverStart: Moment?

    /// The number of entries in memory; the store keeps all.
    public static let limit = 500
    /// How far back the values of vitals reach into earlier runs: like the trends.
    public static let reach = Trend.longestReach
    /// How far back all other entries reach into earlier runs: two weeks, and the day on which they begin.
    public static let longestReach = Duration.seconds(15 * 86_400)

    /// How far back entries of a kind reach into earlier runs.
    public static func reach(of kind: RecordEntry.Kind?) -> Duration {
        kind?.traits.reachesFar == true ? longestReach : reach
    }

    init() {}

    /// How long a blood pressure is valid.
    public static let pressureValidity = Duration.seconds(4 * 3600)
    /// How long a typed value is shown without a sensor.
    public static let shownFor = Duration.seconds(24 * 3600)

    /// The newest valid value of a vital; `nil` without one.
    ///
    /// An entry of unknown time is listed, but neither evaluated nor shown as the newest; the same is true of history.
    public func newest(_ vital: Vital) -> Sample? {
        for entry in entries.reversed() where entry.isEvaluated {
            if let sample = entry.sample(of: vital) { return sample }
        }
        return nil
    }

    /// The newest valid entry of a vital beyond its meter's range; `nil` if a value followed it.
    public func newestBeyondRange(_ vital: Vital) -> RecordEntry? {
        for entry in entries.reversed() where entry.isEvaluated {
            if entry.sample(of: vital) != nil { return nil }
            if entry.absence?.beyondRange != nil, entry.kind?.vital == vital { return entry }
        }
        return nil
    }

    /// The newest valid entry of a kind that has a value.
    public func newest(_ kind: RecordEntry.Kind) -> RecordEntry? {
        entries.last { !$0.isRetracted && $0.kind == kind && $0.absence == nil }
    }

    /// The newest absolute neutrophil count, by the time of the blood sample.
    public var newestNeutrophils: NeutrophilCount? {
        for entry in entries.reversed() where !entry.isRetracted {
            if let count = entry.neutrophilCount { return count }
        }
        return nil
    }

    /// The entry that replaced a corrected one, retracted or not; `nil` without a correction.
    public func correction(of id: RecordEntry.ID) -> RecordEntry? {
        entries.last { $0.correction?.corrected == id }
    }

    /// The valid values of a vital, the oldest first.
    public func samples(of vital: Vital) -> [Sample] {
        entries.compactMap { $0.isRetracted || !$0.facts.isTimeKnown ? nil : $0.sample(of: vital) }
    }

    /// The entries in the order in which they were typed, the newest first.
    ///
    /// By the wall clock, because the monotonic clock of earlier runs may differ.
    public var newestFirst: [RecordEntry] {
        entries.sorted { $0.enteredAt.wallMilliseconds > $1.enteredAt.wallMilliseconds }
    }

    /// Inserts an entry in order; returns whether it is new.
    mutating func insert(_ entry: RecordEntry) -> Bool {
        let key = entry.origin?.key
        guard !entries.contains(where: { $0.id == entry.id || key != nil && $0.origin?.key == key }) else {
            return false
        }
        let place = entries.lastIndex { $0.taken <= entry.taken }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        // What a sensor had stored, perhaps hundreds of measurements, displaces nothing that is evaluated; what waits for
        // somebody is dropped last, because only what is in memory can be confirmed.
        if entries.count > Self.limit {
            let first = entries.firstIndex { $0.isHistory && !$0.isUnconfirmed }
            entries.remove(at: first ?? entries.firstIndex { !$0.isUnconfirmed } ?? 0)
        }
        return true
    }

    /// Marks an entry as a mistake; `nil` if it does not exist, or was marked before.
    mutating func retract(_ id: RecordEntry.ID, reason: String = "", at moment: Moment) -> RecordEntry? {
        guard let place = entries.firstIndex(where: { $0.id == id && !$0.isRetracted }) else { return nil }
        entries[place].retract(at: moment, reason: reason)
        return entries[place]
    }

    /// Marks an entry as confirmed; `nil` if it does not exist, or does not wait for that.
    mutating func confirm(_ id: RecordEntry.ID, at moment: Moment) -> RecordEntry? {
        guard let place = entries.firstIndex(where: { $0.id == id && $0.isUnconfirmed }) else { return nil }
        entries[place].confirm(at: moment)
        return entries[place]
    }

    /// The measurements that wait for somebody who confirms or discards them, the newest first as ``newestFirst``.
    public var unconfirmed: [RecordEntry] { newestFirst.filter(\.isUnconfirmed) }

    /// Excludes the measurements so far from the evaluation of fever.
    mutating func declareFeverOver(at moment: Moment) {
        feverStart = max(feverStart ?? moment, moment)
    }
}

extension PatientRecord {
    /// How long an antipyretic may hide a fever: most are given every four to eight hours.
    public static let antipyreticEffect = Duration.seconds(8 * 3600)

    /// The newest antipyretic that may still hide a fever; `nil` for none.
    ///
    /// It is shown beside the temperature, and changes no rule.
    public func antipyretic(at now: Moment) -> (medication: Medication, given: Moment)? {
        for entry in entries.reversed() where !entry.isRetracted {
            guard case .medication(let medication) = entry.content, medication.isAntipyretic else { continue }
            return now.since(entry.taken) < Self.antipyreticEffect ? (medication, entry.taken) : nil
        }
        return nil
    }
}

extension RecordEntry {
    /// Whether it may count as a present value.
    fileprivate var isEvaluated: Bool { !isRetracted && facts.isTimeKnown && !isHistory }
}

/// A contact: shown with a fever, and never dialled.
public struct Contact: Codable, Hashable, Sendable {
    /// The name, sanitized and bounded.
    public private(set) var name: String
    /// The role of the person or place, sanitized and bounded; may be empty.
    public private(set) var role: String
    /// The telephone number as a user dials it, sanitized and bounded.
    public private(set) var number: String
    /// When a call is answered, sanitized and bounded; may be empty.
    public private(set) var hours: String

    /// The greatest number of characters (Unicode scalars) of each text.
    public static let textLimit = 40

    /// Creates a contact; its texts are sanitized and cut.
    public init(name: String, role: String = "", number: String, hours: String = "") {
        self.name = sanitized(name, limit: Self.textLimit)
        self.role = sanitized(role, limit: Self.textLimit)
        self.number = sanitized(number, limit: Self.textLimit)
        self.hours = sanitized(hours, limit: Self.textLimit)
    }

    /// The name and the number, which are never separated: "Ward 7 +49 351 1234".
    public var shortText: String { "\(name) \(number)" }
}

/// The pressure in a measuring cuff.
public struct CuffPressure: Codable, Hashable, Sendable {
    /// The blood-pressure monitor.
    public var sensor: SensorIdentity
    /// In whole mmHg.
    public var pressure: Int
    /// When it arrived.
    public var moment: Moment

    /// How long it is shown; a measuring cuff sends it several times a second.
    public static let shownFor = Duration.seconds(10)
}
