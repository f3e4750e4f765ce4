import Base

/// An entry of the patient's record: a value that was measured once, or a note.
///
/// A person has typed it, or a sensor that measures now and then has handed it over. It is a spot value: nothing renews
/// it, so it becomes old, but neither stale nor lost. A mistaken entry is retracted, or corrected by another entry, and
/// stays known as a mistake; no entry is ever deleted.
public struct RecordEntry: Codable, Hashable, Sendable, Identifiable {
    /// The content.
    public var content: Content
    /// Where it comes from.
    public var source: Source
    /// When it was measured, or the blood sample taken.
    public var taken: Moment
    /// When it was typed, or came from the sensor; no two entries have the same.
    public var enteredAt: Moment
    /// When it was retracted as a mistake; `nil` for a valid entry.
    public var retractedAt: Moment?
    /// Why it was retracted, sanitized and bounded; empty when nobody said so.
    public private(set) var retractionReason = ""
    /// The mistaken entry that this one corrects; `nil` for most entries.
    public var correction: Correction?
    /// The file that it was imported from; `nil` for what was entered here.
    public var origin: ImportOrigin?
    /// How its content was typed where that is not how it is printed, such as "5.8 mmol/L"; sanitized and bounded.
    public private(set) var typed: String?

    /// Which entry another one corrects, and why.
    public struct Correction: Codable, Hashable, Sendable {
        /// The mistaken entry.
        public var corrected: ID
        /// Why, sanitized and bounded; empty when nobody said so.
        public private(set) var reason: String

        public init(of corrected: ID, reason: String = "") {
            self.corrected = corrected
            self.reason = sanitized(reason, limit: RecordEntry.reasonLimit)
        }
    }

    /// What can be entered.
    public enum Content: Codable, Hashable, Sendable {
        /// A value of a vital, and its site on the body when known.
        case vital(Vital, VitalValue, site: BodySite?)
        /// A blood pressure.
        case bloodPressure(BloodPressure)
        /// An absolute neutrophil count.
        case neutrophils(NeutrophilCount)
        /// A body weight in kilograms.
        case weight(VitalValue)
        /// A blood count.
        case lab(LabResult)
        /// A medication that was given.
        case medication(Medication)
        /// A symptom, as the patient rates it.
        case symptom(SymptomRating)
        /// A risk index of a fever with neutropenia.
        case mascc(MASCCIndex)
        /// Words.
        case note(String)
        /// A measurement that a sensor handed over without a usable value, and why.
        case noMeasurement(Kind, AbsenceReason)
    }

    /// Where an entry comes from.
    public enum Source: Codable, Hashable, Sendable {
        /// A person has typed it.
        case typed
        /// A sensor has handed it over.
        case sensor(SensorIdentity, SensorStamp)
    }

    /// Creates an entry; a note is sanitized and cut after ``noteLimit`` characters.
    ///
    /// - Parameters:
    ///   - content: What was entered.
    ///   - source: Where it comes from.
    ///   - taken: When it was measured; a time after `enteredAt` counts as `enteredAt`.
    ///   - enteredAt: When it was entered.
    ///   - retractedAt: When it was retracted as a mistake; `nil` when it was not.
    public init(
        _ content: Content, from source: Source = .typed, taken: Moment? = nil, enteredAt: Moment,
        retractedAt: Moment? = nil
    ) {
        if case .note(let text) = content {
            self.content = .note(sanitized(text, limit: Self.noteLimit))
        } else {
            self.content = content
        }
        self.source = source
        self.taken = min(taken ?? enteredAt, enteredAt)
        self.enteredAt = enteredAt
        self.retractedAt = retractedAt
    }

    /// The greatest number of characters (Unicode scalars) of a note.
    public static let noteLimit = 200

    /// The greatest number of characters (Unicode scalars) of a reason for a retraction.
    public static let reasonLimit = 80

    /// When something can have been measured, in milliseconds since 1970 (UTC): the years 1900 to 9999.
    ///
    /// Whoever writes times of entries and whoever reads them go by it, so that nothing is accepted in one place and
    /// refused in the next.
    public static let wallTimes: ClosedRange<Int64> = -2_208_988_800_000...253_402_300_799_999

    /// The greatest number of characters (Unicode scalars) of what was typed.
    public static let typedLimit = 200

    /// Keeps how the content was typed, for whoever corrects it; empty words are none.
    public mutating func keep(typed words: String?) {
        typed = words.map { sanitized($0, limit: Self.typedLimit) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The weights that a body can have, in hundredths of a kilogram.
    public static let weights = 20...50_000

    /// When it was typed, or came.
    public var id: Moment { enteredAt }

    /// Whether a person has typed it here, and not a sensor handed it over or a file brought it.
    public var isTypedHere: Bool { source == .typed && origin == nil }

    /// Whether it was retracted as a mistake.
    public var isRetracted: Bool { retractedAt != nil }

    /// Marks it as a mistake; what was retracted before stays as it is.
    ///
    /// - Parameters:
    ///   - moment: When it was retracted.
    ///   - reason: Why.
    public mutating func retract(at moment: Moment, reason: String = "") {
        guard retractedAt == nil else { return }
        retractedAt = moment
        retractionReason = sanitized(reason, limit: Self.reasonLimit)
    }

    /// The absolute neutrophil count (ANC) of its blood sample, with the time of the sample; `nil` when it has none.
    public var neutrophilCount: NeutrophilCount? {
        switch content {
        case .neutrophils(let count): count
        case .lab(let result):
            result.neutrophilsPerMicrolitre.map {
                NeutrophilCount(perMicrolitre: $0, sampledAt: taken.wallMilliseconds)
            }
        case .vital, .bloodPressure, .weight, .medication, .symptom, .mascc, .note, .noMeasurement: nil
        }
    }

    /// Why it has no usable value; `nil` for an entry that has one, and for words.
    public var absence: AbsenceReason? {
        if case .noMeasurement(_, let reason) = content { reason } else { nil }
    }

    /// The quality of its value, as its sensor reports it; what was typed is good.
    public var quality: Reading.Quality { stamp?.quality ?? .good }

    /// The sensor that it is from: ``SensorIdentity/manual`` for what was typed.
    public var sensor: SensorIdentity {
        switch source {
        case .typed: .manual
        case .sensor(let sensor, _): sensor
        }
    }

    /// What its sensor said about it; `nil` for what was typed.
    public var stamp: SensorStamp? {
        switch source {
        case .typed: nil
        case .sensor(_, let stamp): stamp
        }
    }

    /// Whether a sensor has handed over what it had measured before, and knows when: perhaps of somebody else.
    ///
    /// What was measured just now is not, however the clock was set.
    public var isFromMemory: Bool {
        stamp != nil && isTimeKnown && taken.wallMilliseconds < enteredAt.wallMilliseconds
    }

    /// Whether it is known when it was measured; only then is it judged.
    public var isTimeKnown: Bool { stamp?.isTimeKnown ?? true }

    /// Whether it is the same measurement as another one, which the sensor has handed over twice.
    public func isRepeat(of other: RecordEntry) -> Bool {
        guard case .sensor(let sensor, let stamp) = source, case .sensor(let theirs, let otherStamp) = other.source,
            sensor.address == theirs.address, content == other.content
        else { return false }
        // Two equal measurements of a sensor without clock and numbers are told apart by their arrival, which says nothing
        // about one whose time is unknown, or that the sensor may have stored before.
        guard
            stamp.time != nil || stamp.sequence != nil || stamp.mayBeStored && isWithinDay(of: other)
                || !stamp.isTimeKnown && !otherStamp.isTimeKnown
        else { return false }
        return stamp.time == otherStamp.time && stamp.sequence == otherStamp.sequence
    }

    private func isWithinDay(of other: RecordEntry) -> Bool {
        abs(taken.wallMilliseconds.subtractingSaturated(other.taken.wallMilliseconds)) < 86_400_000
    }

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
        /// A glucose concentration of a drop of blood.
        case glucose
        /// A body weight.
        case weight
        /// An absolute neutrophil count.
        case neutrophils
        /// A blood count.
        case lab
        /// A medication that was given.
        case medication
        /// A symptom, as the patient rates it.
        case symptom
        /// A risk index of a fever with neutropenia.
        case mascc
        /// Words.
        case note

        /// The kind of a vital's value; `nil` for vitals that cannot be entered.
        public init?(_ vital: Vital) {
            switch vital {
            case .heartRate: self = .heartRate
            case .oxygenSaturation: self = .oxygenSaturation
            case .bodyTemperature: self = .bodyTemperature
            case .glucose: self = .glucose
            case .pulseRate, .skinTemperature: return nil
            }
        }

        /// The vital, if it is a vital's value.
        public var vital: Vital? {
            switch self {
            case .bodyTemperature: .bodyTemperature
            case .heartRate: .heartRate
            case .oxygenSaturation: .oxygenSaturation
            case .glucose: .glucose
            case .bloodPressure, .weight, .neutrophils, .lab, .medication, .symptom, .mascc, .note: nil
            }
        }
    }

    /// Its kind; `nil` for a value of a vital that cannot be entered.
    public var kind: Kind? {
        switch content {
        case .vital(let vital, _, _): Kind(vital)
        case .bloodPressure: .bloodPressure
        case .neutrophils: .neutrophils
        case .weight: .weight
        case .lab: .lab
        case .medication: .medication
        case .symptom: .symptom
        case .mascc: .mascc
        case .note: .note
        case .noMeasurement(let kind, _): kind
        }
    }
}

/// What a sensor said about a measurement that it handed over.
public struct SensorStamp: Codable, Hashable, Sendable {
    /// The sensor's own time; sensor clocks are often wrong.
    public var time: DeviceTime?
    /// The sensor's number of the measurement.
    public var sequence: Int?
    /// Whether it is known when it was measured: just now, or by a clock that agrees with ours.
    public var isTimeKnown: Bool
    /// The quality of the value.
    public var quality: Reading.Quality
    /// What the sensor noticed while it measured, for people: "irregular pulse".
    public var remark: String?
    /// Whether it came without a time at the beginning of a link, when a sensor hands over what it has stored; it may be
    /// one that it has handed over before.
    public var mayBeStored: Bool

    public init(
        time: DeviceTime? = nil, sequence: Int? = nil, isTimeKnown: Bool = true, quality: Reading.Quality = .good,
        remark: String? = nil, mayBeStored: Bool = false
    ) {
        self.mayBeStored = mayBeStored
        self.time = time
        self.sequence = sequence
        self.isTimeKnown = isTimeKnown
        self.quality = quality
        self.remark = remark.map { sanitized($0, limit: 80) }
    }
}
