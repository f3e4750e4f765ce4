import Base

/// What a glucose sensor sends that measures no concentration itself.
///
/// In thousandths of the unit in which xDrip computes, which is about a milligram per decilitre: a G4 transmitter's
/// count, or a Libre's count times 117.647.
public struct RawGlucose: Codable, Hashable, Sendable {
    /// The count in thousandths, of any size.
    public var count: Int
    /// The serial number of the transmitter or sensor, sanitized and bounded; `nil` if it sends none.
    public private(set) var serial: String?
    public var method: CalibrationMethod

    public init(count: Int, serial: String?, method: CalibrationMethod) {
        self.count = count
        self.serial = serial.map { sanitized($0, limit: GlucoseCalibration.textLimit) }
        self.method = method
    }

    /// The counts that a working sensor sends, in thousandths: 5 to 1000, as xDrip has it (`SensorSanity`).
    public static let possible = 5000...1_000_000
}

/// How counts become concentrations.
public enum CalibrationMethod: String, Codable, Hashable, Sendable {
    /// By a straight line through the calibrations.
    case line
    /// By adding a number, as the slope of these sensors is known to be 1.
    case offset
}

/// A calibration of a glucose sensor: what a drop of blood had, and the sensor's count at that time.
public struct GlucoseCalibration: Codable, Hashable, Sendable {
    /// The concentration by the meter, in mg/dL.
    public var glucose: VitalValue
    /// The count (``RawGlucose/count``).
    public var count: Int
    /// How fast the count changed, up or down, in hundredths of the unit a minute; `nil` if that was unknown.
    public var change: Int?
    /// The address of the peripheral.
    public private(set) var address: String
    /// The name of the peripheral.
    public private(set) var name: String
    /// The serial number of the transmitter or sensor; `nil` if it sends none.
    public private(set) var serial: String?

    /// Creates a calibration; its texts are sanitized and cut.
    public init(
        glucose: VitalValue, count: Int, change: Int?, address: String, name: String, serial: String?
    ) {
        (self.glucose, self.count, self.change) = (glucose, count, change)
        self.address = sanitized(address, limit: Self.textLimit)
        self.name = sanitized(name, limit: Self.textLimit)
        self.serial = serial.map { sanitized($0, limit: Self.textLimit) }
    }

    /// The greatest number of characters (Unicode scalars) of each text.
    public static let textLimit = 64
    /// The concentrations of a drop of blood that calibrate, in mg/dL: as in xDrip.
    public static let concentrations = VitalValue(whole: 40)...VitalValue(whole: 400)
    /// The greatest change of the count in hundredths of the unit a minute: the blood is ahead of the tissue.
    public static let greatestChange = 200

    /// Whether it is of the sensor that sent a count.
    public func isOf(_ raw: RawGlucose, from address: String) -> Bool {
        self.address == address && serial == raw.serial
    }
}

/// A calibration with its time.
public struct DatedCalibration: Codable, Hashable, Sendable {
    public var calibration: GlucoseCalibration
    /// When the drop of blood was taken, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64

    public init(_ calibration: GlucoseCalibration, wallMilliseconds: Int64) {
        (self.calibration, self.wallMilliseconds) = (calibration, wallMilliseconds)
    }

    /// - Parameter entry: An entry; `nil` for one that is no valid calibration.
    public init?(_ entry: RecordEntry) {
        guard case .calibration(let calibration) = entry.content, !entry.isRetracted else { return nil }
        self.init(calibration, wallMilliseconds: entry.taken.wallMilliseconds)
    }

    /// What is said beside a value that comes from it.
    public var applied: AppliedCalibration {
        AppliedCalibration(glucose: calibration.glucose, wallMilliseconds: wallMilliseconds)
    }
}

/// The calibration that a value comes from: the newest of those that its line goes through.
public struct AppliedCalibration: Codable, Hashable, Sendable {
    /// The concentration by the meter, in mg/dL.
    public var glucose: VitalValue
    /// When the drop of blood was taken, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64

    public init(glucose: VitalValue, wallMilliseconds: Int64) {
        (self.glucose, self.wallMilliseconds) = (glucose, wallMilliseconds)
    }

    /// Whether a body can have had such a drop of blood, at a time that can be written.
    public var isPossible: Bool {
        GlucoseCalibration.concentrations.contains(glucose) && RecordEntry.wallTimes.contains(wallMilliseconds)
    }
}

/// Why counts cannot become concentrations.
public enum CalibrationProblem: Error, CaseIterable, Hashable, Sendable {
    /// There is no calibration.
    case missing
    /// The newest one is too old.
    case tooOld
    /// No count was received near the time of the drop of blood.
    case noCount
    /// The count is none that a working sensor sends.
    case impossibleCount
    /// The concentration is too low or too high to calibrate with.
    case impossibleGlucose
    /// The glucose changes too fast.
    case changing
    /// The line through the calibrations is too steep or too flat, or there is none.
    case slope
    /// The calibrations contradict the counts: what must be added is too much.
    case offset
}

extension GlucoseCalibration {
    /// What it was made of, for people: "count 118.25 of C0:52:49:18:00:0A, serial 6ABCD, changing by 0.4 a minute".
    private var details: String {
        let source = serial.map { ", serial \($0)" } ?? ""
        func text(_ number: Int, _ decimals: Int) -> String {
            ExactDecimal(significand: number, decimals: decimals).shortened().text
        }
        let pace = change.map { "changing by \(text($0, 2)) a minute" } ?? "change unknown"
        return "count \(text(count, 3)) of \(address)\(source), \(pace)"
    }

    /// The calibration as a kind of entry.
    static var traits: RecordEntry.Kind.Traits {
        func text(_ name: String, isRequired: Bool, _ part: @escaping @Sendable (Self) -> String?) -> EntryField {
            EntryField(
                name, .text(limit: textLimit), isRequired: isRequired, complaint: "a calibration names its sensor"
            ) { if case .calibration(let calibration) = $0 { part(calibration).map { .text($0) } } else { nil } }
        }
        return RecordEntry.Kind.Traits(
            text: "calibration", shortText: "Cal", event: RecordEntry.Kind.calibration.rawValue, group: .vitals,
            category: .laboratory, isTyped: false,
            details: { if case .calibration(let calibration) = $0 { calibration.details } else { nil } },
            fields: [
                EntryField(
                    "value", .hundredths(concentrations.lowerBound.hundredths...concentrations.upperBound.hundredths),
                    unit: Vital.glucose.unit, role: .value, isRequired: true,
                    complaint: "no such concentration calibrates a sensor", quantity: "calibration_glucose"
                ) {
                    if case .calibration(let calibration) = $0 { .number(calibration.glucose.hundredths) } else { nil }
                },
                EntryField(
                    "raw", .thousandths(RawGlucose.possible), isRequired: true,
                    complaint: "no working sensor sends such a count"
                ) { if case .calibration(let calibration) = $0 { .number(calibration.count) } else { nil } },
                EntryField(
                    "raw_change", .hundredths(0...greatestChange), complaint: "the glucose changes too fast"
                ) {
                    if case .calibration(let calibration) = $0 { calibration.change.map { .number($0) } } else { nil }
                },
                text("calibrated", isRequired: true) { $0.address },
                text("calibrated_name", isRequired: true) { $0.name },
                text("serial", isRequired: false) { $0.serial },
            ]
        ) { values in
            guard let glucose = values.number("value"), let count = values.number("raw"),
                let address = values.text("calibrated"), let name = values.text("calibrated_name")
            else { return nil }
            return .calibration(
                Self(
                    glucose: VitalValue(hundredths: glucose), count: count, change: values.number("raw_change"),
                    address: address, name: name, serial: values.text("serial")))
        }
    }
}
