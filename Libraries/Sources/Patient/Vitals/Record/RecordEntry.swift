import Base

/// An entry of the patient's record: a single measured value, or a note.
///
/// A user has typed it, or an episodic sensor has transferred it. It is a spot value: no new value replaces it, so it
/// ages, but is neither stale nor lost. A mistaken entry is retracted, or corrected by another entry, and stays marked
/// as a mistake; no entry is ever deleted.
public struct RecordEntry: Codable, Hashable, Sendable, Identifiable {
    public var content: Content
    /// Its source.
    public var source: Source
    /// What is known of the measurement besides its content, from any source of entries.
    public var facts: EntryFacts
    /// When it was measured, or the blood sample taken.
    public var taken: Moment
    /// When it was typed, or transferred by the sensor; unique for each entry.
    public var enteredAt: Moment
    /// When it was retracted as a mistake; `nil` for a valid entry.
    public var retractedAt: Moment?
    /// Why it was retracted, sanitized and bounded; empty without a reason.
    public private(set) var retractionReason = ""
    /// The mistaken entry that this one corrects; `nil` for most entries.
    public var correction: Correction?
    /// The file that it was imported from; `nil` for any other entry.
    public var origin: ImportOrigin?
    /// The typed text, if it differs from the printed one, such as "5.8 mmol/L"; sanitized and bounded.
    public private(set) var typed: String?

    /// The corrected entry, and the reason.
    public struct Correction: Codable, Hashable, Sendable {
        /// The mistaken entry.
        public var corrected: ID
        /// The reason, sanitized and bounded; empty if none was given.
        public private(set) var reason: String

        public init(of corrected: ID, reason: String = "") {
            self.corrected = corrected
            self.reason = sanitized(reason, limit: RecordEntry.reasonLimit)
        }
    }

    /// The content of an entry.
    public enum Content: Codable, Hashable, Sendable {
        /// A value of a vital, and its site on the body if known.
        case vital(Vital, VitalValue, site: BodySite?)
        case bloodPressure(BloodPressure)
        /// An absolute neutrophil count.
        case neutrophils(NeutrophilCount)
        /// A body weight in kilograms.
        case weight(VitalValue)
        /// A blood count.
        case lab(LabResult)
        /// A given medication.
        case medication(Medication)
        /// A symptom, as the patient rates it.
        case symptom(SymptomRating)
        /// A risk index of a fever with neutropenia.
        case mascc(MASCCIndex)
        /// A calibration of a glucose sensor.
        case calibration(GlucoseCalibration)
        /// A note.
        case note(String)
        /// A sensor's measurement without a usable value, and the reason.
        case noMeasurement(Kind, AbsenceReason)
    }

    /// The source of an entry.
    public enum Source: Codable, Hashable, Sendable {
        /// A user typed it.
        case typed
        /// A sensor has handed it over.
        case sensor(SensorIdentity)
    }

    /// Creates an entry; a note is sanitized and truncated after ``noteLimit`` characters.
    ///
    /// - Parameters:
    ///   - content: What was entered.
    ///   - source: Where it comes from.
    ///   - facts: What is known of the measurement beside its content.
    ///   - taken: When it was measured; a time after `enteredAt` counts as `enteredAt`.
    ///   - enteredAt: When it was entered.
    ///   - retractedAt: When it was retracted as a mistake; `nil` for a valid entry.
    public init(
        _ content: Content, from source: Source = .typed, _ facts: EntryFacts = EntryFacts(), taken: Moment? = nil,
        enteredAt: Moment, retractedAt: Moment? = nil
    ) {
        if case .note(let text) = content {
            self.content = .note(sanitized(text, limit: Self.noteLimit))
        } else {
            self.content = content
        }
        self.source = source
        self.facts = facts
        self.taken = min(taken ?? enteredAt, enteredAt)
        self.enteredAt = enteredAt
        self.retractedAt = retractedAt
    }

    /// The greatest number of characters (Unicode scalars) of a note.
    public static let noteLimit = 200

    /// The greatest number of characters (Unicode scalars) of a reason for a retraction.
    public static let reasonLimit = 80

    /// The possible times of a measurement, in milliseconds since 1970 (UTC): the years 1900 to 9999.
    ///
    /// All readers and writers of entries use this range, so that none accepts what another refuses.
    public static let wallTimes: ClosedRange<Int64> = -2_208_988_800_000...253_402_300_799_999

    /// The greatest number of characters (Unicode scalars) of the typed text.
    public static let typedLimit = 200

    /// Stores the typed text, for a later correction; empty text is ignored.
    public mutating func keep(typed words: String?) {
        typed = words.map { sanitized($0, limit: Self.typedLimit) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The possible weights of a body, in hundredths of a kilogram.
    public static let weights = 20...50_000

    /// When it was typed or transferred.
    public var id: Moment { enteredAt }

    /// Whether a user typed it here, instead of a sensor or an import.
    public var isTypedHere: Bool { source == .typed && origin == nil }

    /// Whether it was retracted as a mistake.
    public var isRetracted: Bool { retractedAt != nil }

    /// Whether it waits for somebody who confirms or discards it.
    public var isUnconfirmed: Bool { facts.confirmation == .awaited && !isRetracted }

    /// When somebody confirmed it; `nil` where nobody had to, or nobody has.
    public var confirmedAt: Moment? {
        if case .given(let moment) = facts.confirmation { moment } else { nil }
    }

    /// Marks it as confirmed; an entry that does not wait for that stays unchanged.
    public mutating func confirm(at moment: Moment) {
        if isUnconfirmed { facts.confirmation = .given(moment) }
    }

    /// The reason of a retraction that discards a measurement which nobody had confirmed.
    public static let discarded = "discarded"

    /// Marks it as a mistake; a retracted entry stays unchanged.
    ///
    /// - Parameters:
    ///   - moment: When it was retracted.
    ///   - reason: Why.
    public mutating func retract(at moment: Moment, reason: String = "") {
        guard retractedAt == nil else { return }
        retractedAt = moment
        retractionReason = sanitized(reason, limit: Self.reasonLimit)
    }

    /// The absolute neutrophil count (ANC) of its blood sample, with the time of the sample; `nil` without one.
    public var neutrophilCount: NeutrophilCount? {
        switch content {
        case .neutrophils(let count): count
        case .lab(let result):
            result.neutrophilsPerMicrolitre.map {
                NeutrophilCount(perMicrolitre: $0, sampledAt: taken.wallMilliseconds)
            }
        default: nil
        }
    }

    /// Why it has no usable value; `nil` for an entry with one, and for a note.
    public var absence: AbsenceReason? {
        if case .noMeasurement(_, let reason) = content { reason } else { nil }
    }

    /// The sensor that it is from: ``SensorIdentity/manual`` for what was typed.
    public var sensor: SensorIdentity {
        switch source {
        case .typed: .manual
        case .sensor(let sensor): sensor
        }
    }

    /// Whether a sensor has handed over what it had measured before, and knows when: perhaps of another person.
    ///
    /// A measurement of just now is not from memory, even if the clock was set.
    public var isFromMemory: Bool {
        source != .typed && facts.isTimeKnown && taken.wallMilliseconds < enteredAt.wallMilliseconds
    }

    /// Whether it is history only: a sensor that streams its present values has handed over what it had stored before.
    ///
    /// However young, it is never the present value, and raises no alarm.
    public var isHistory: Bool { sensor.kind.isStreaming }

    /// Whether it is the same measurement as another one, which the sensor has handed over twice.
    public func isRepeat(of other: RecordEntry) -> Bool {
        guard case .sensor(let sensor) = source, case .sensor(let theirs) = other.source,
            sensor.address == theirs.address, content == other.content
        else { return false }
        // Two equal measurements of a sensor without clock and numbers are distinguished by their arrival, which says
        // nothing if the time is unknown or the sensor may have stored the value.
        guard
            facts.deviceTime != nil || facts.sequence != nil || facts.mayBeStored && isWithinDay(of: other)
                || !facts.isTimeKnown && !other.facts.isTimeKnown
        else { return false }
        return facts.deviceTime == other.facts.deviceTime && facts.sequence == other.facts.sequence
            && facts.user == other.facts.user
    }

    private func isWithinDay(of other: RecordEntry) -> Bool {
        abs(taken.wallMilliseconds.subtractingSaturated(other.taken.wallMilliseconds)) < 86_400_000
    }
}

/// What is known of a measurement besides its value, entered by a person, a sensor or a file.
///
/// Every output shows each of these facts, or is listed in the tests with the reason why it cannot.
public struct EntryFacts: Codable, Hashable, Sendable {
    /// The time by the clock of the device, with the device's own offset; such clocks are often wrong.
    public var deviceTime: DeviceTime?
    /// The device's number of the measurement.
    public var sequence: Int?
    /// Whether the time of the measurement is known (now, or by a correct clock); only then is it evaluated.
    public var isTimeKnown: Bool
    /// The quality of the value.
    public var quality: Reading.Quality
    /// A remark about the measurement, sanitized and bounded: "irregular pulse".
    public private(set) var remark: String?
    /// The number of the person, on a device for several persons; ``unknownUser`` where the device does not know it, and
    /// `nil` where it has no such numbers.
    public var user: Int?
    /// Whether it came without a time at the beginning of a link, when a sensor hands over what it has stored; it may be
    /// one that it has handed over before.
    public var mayBeStored: Bool
    /// Whether somebody must confirm that it is this patient's and was measured well, or has done so; `nil` where nobody
    /// is asked.
    public var confirmation: Confirmation?

    /// The confirmation of a measurement that a sensor has handed over.
    public enum Confirmation: Codable, Hashable, Sendable {
        /// Nobody has confirmed it yet; it counts, and is marked.
        case awaited
        /// Somebody confirmed it then.
        case given(Moment)
    }

    /// The greatest number of characters (Unicode scalars) of a remark.
    public static let remarkLimit = 80
    /// The numbers of persons.
    public static let users = 0...255
    /// The number of a person that the device does not know (2A35, 2A36, 2A9D).
    public static let unknownUser = 255

    public init(
        deviceTime: DeviceTime? = nil, sequence: Int? = nil, isTimeKnown: Bool = true,
        quality: Reading.Quality = .good, remark: String? = nil, user: Int? = nil, mayBeStored: Bool = false,
        confirmation: Confirmation? = nil
    ) {
        self.deviceTime = deviceTime
        self.sequence = sequence
        self.isTimeKnown = isTimeKnown
        self.quality = quality
        self.remark = remark.map { sanitized($0, limit: Self.remarkLimit) }.flatMap { $0.isEmpty ? nil : $0 }
        self.user = user
        self.mayBeStored = mayBeStored
        self.confirmation = confirmation
    }

    /// The number of the person as text: "user 2", "user unknown"; `nil` where there is none.
    public var userText: String? { user.map { $0 == Self.unknownUser ? "user unknown" : "user \($0)" } }
}

/// Where an imported entry comes from.
public struct ImportOrigin: Codable, Hashable, Sendable {
    /// The entry's identifier in every file that contains it, sanitized and bounded: the same key is imported once.
    public private(set) var key: String
    /// The file and its format, sanitized and bounded: "labs.csv (csv)".
    public private(set) var source: String
    /// When it was entered in its original system, in milliseconds since 1970-01-01T00:00:00Z; `nil` if the file does
    /// not contain that.
    public var enteredAt: Int64?

    /// The greatest number of characters (Unicode scalars) of a key.
    public static let keyLimit = 64
    /// The greatest number of characters (Unicode scalars) of a source.
    public static let sourceLimit = 60

    /// Creates an origin; its texts are sanitized and cut.
    public init(key: String, source: String, enteredAt: Int64? = nil) {
        self.key = sanitized(key, limit: Self.keyLimit)
        self.source = sanitized(source, limit: Self.sourceLimit)
        self.enteredAt = enteredAt
    }
}

/// A stored manual entry.
public struct RecordedEntry: Hashable, Sendable {
    /// The entry; its times are on the monotonic clock of its run.
    public var entry: RecordEntry
    /// The number of the program's run in which it was typed.
    public var run: Int64

    public init(_ entry: RecordEntry, run: Int64) {
        self.entry = entry
        self.run = run
    }
}
