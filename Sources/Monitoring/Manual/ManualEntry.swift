import Vitals

/// A manual entry: a value or a note that a person has typed.
///
/// It is a spot value: nothing renews it, so it becomes old, but neither stale nor lost. A mistaken entry is retracted
/// and stays known as a mistake; no entry is ever deleted.
public struct ManualEntry: Codable, Hashable, Sendable, Identifiable {
    /// The content.
    public var content: Content
    /// When it was measured, or the blood sample taken.
    public var taken: Moment
    /// When it was typed; no two entries have the same.
    public var enteredAt: Moment
    /// When it was retracted as a mistake; `nil` for a valid entry.
    public var retractedAt: Moment?

    /// What can be entered.
    public enum Content: Codable, Hashable, Sendable {
        /// A value of a vital, and its site on the body when known.
        case vital(Vital, VitalValue, site: BodySite?)
        /// A blood pressure.
        case bloodPressure(BloodPressure)
        /// An absolute neutrophil count.
        case neutrophils(NeutrophilCount)
        /// Words.
        case note(String)
    }

    /// Creates an entry; a note is sanitized and cut after ``noteLimit`` characters.
    ///
    /// - Parameters:
    ///   - content: What was entered.
    ///   - taken: When it was measured; a time after `enteredAt` counts as `enteredAt`.
    ///   - enteredAt: When it was entered.
    ///   - retractedAt: When it was retracted as a mistake; `nil` when it was not.
    public init(_ content: Content, taken: Moment? = nil, enteredAt: Moment, retractedAt: Moment? = nil) {
        if case .note(let text) = content {
            self.content = .note(sanitized(text, limit: Self.noteLimit))
        } else {
            self.content = content
        }
        self.taken = min(taken ?? enteredAt, enteredAt)
        self.enteredAt = enteredAt
        self.retractedAt = retractedAt
    }

    /// The greatest number of characters (Unicode scalars) of a note.
    public static let noteLimit = 200

    /// When it was typed.
    public var id: Moment { enteredAt }

    /// Whether it was retracted as a mistake.
    public var isRetracted: Bool { retractedAt != nil }

    /// The kind of an entry; the raw value is its name in the store and in exports.
    public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// A body temperature.
        case bodyTemperature = "body_temperature"
        /// A heart rate, counted or read from another device.
        case heartRate = "heart_rate"
        /// An oxygen saturation, read from another device.
        case oxygenSaturation = "spo2"
        /// A blood pressure.
        case bloodPressure = "blood_pressure"
        /// An absolute neutrophil count.
        case neutrophils
        /// Words.
        case note

        /// The kind of a vital's value; `nil` for vitals that cannot be entered.
        public init?(_ vital: Vital) {
            switch vital {
            case .heartRate: self = .heartRate
            case .oxygenSaturation: self = .oxygenSaturation
            case .bodyTemperature: self = .bodyTemperature
            case .pulseRate, .skinTemperature: return nil
            }
        }

        /// The vital, if it is a vital's value.
        public var vital: Vital? {
            switch self {
            case .bodyTemperature: .bodyTemperature
            case .heartRate: .heartRate
            case .oxygenSaturation: .oxygenSaturation
            case .bloodPressure, .neutrophils, .note: nil
            }
        }
    }

    /// Its kind; `nil` for a value of a vital that cannot be entered.
    public var kind: Kind? {
        switch content {
        case .vital(let vital, _, _): Kind(vital)
        case .bloodPressure: .bloodPressure
        case .neutrophils: .neutrophils
        case .note: .note
        }
    }

    /// Its value of a vital, as a sample; `nil` when it has none.
    ///
    /// The pulse counted by a cuff is a heart rate.
    public func sample(of vital: Vital) -> Sample? {
        func sample(_ value: VitalValue, _ site: BodySite? = nil) -> Sample {
            Sample(value: value, quality: .good, moment: taken, sensor: .manual, site: site)
        }
        switch content {
        case .vital(vital, let value, let site): return sample(value, site)
        case .bloodPressure(let pressure) where vital == .heartRate:
            return pressure.pulse.map { sample(VitalValue(whole: $0)) }
        case .vital, .bloodPressure, .neutrophils, .note: return nil
        }
    }
}

/// A blood pressure in whole millimetres of mercury.
public struct BloodPressure: Codable, Hashable, Sendable {
    /// The pressure while the heart contracts.
    public var systolic: Int
    /// The pressure between two beats; lower than the systolic one.
    public var diastolic: Int
    /// The mean arterial pressure, when the device reports it.
    public var mean: Int?
    /// The pulse in beats a minute, when it was counted along with it.
    public var pulse: Int?

    public init(systolic: Int, diastolic: Int, mean: Int? = nil, pulse: Int? = nil) {
        self.systolic = systolic
        self.diastolic = diastolic
        self.mean = mean
        self.pulse = pulse
    }

    /// The printed numbers: "120/80", "120/80/93".
    public var digits: String {
        "\(systolic)/\(diastolic)" + (mean.map { "/\($0)" } ?? "")
    }
}
