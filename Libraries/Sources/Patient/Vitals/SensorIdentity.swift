import Base

/// The identity of a sensor: a peripheral that Bedside knows how to read.
public struct SensorIdentity: Codable, Hashable, Sendable {
    /// The Bluetooth address in upper-case hexadecimal with colons; only this identifies the sensor.
    public var address: String
    /// The name shown, without control characters and bounded in length.
    public var name: String
    public var kind: SensorKind

    /// Creates an identity; the name is sanitized with ``sanitized(_:limit:)``.
    public init(address: String, name: String, kind: SensorKind) {
        self.address = address
        self.name = sanitized(name)
        self.kind = kind
    }
}

extension SensorIdentity {
    /// Its name in at most `limit` characters, or its address if it has none; a suffix of the address that
    /// distinguishes sensors of equal name is kept.
    public func shortName(limit: Int = 24) -> String {
        guard !name.isEmpty else { return address }
        let tail = " \(address.suffix(5))"
        guard name.hasSuffix(tail), name.unicodeScalars.count > limit else { return sanitized(name, limit: limit) }
        return sanitized(String(name.dropLast(tail.count)), limit: max(1, limit - tail.count)) + tail
    }

    /// The source of typed values; no radio has this address.
    public static let manual = SensorIdentity(address: "manual", name: "manual", kind: .manual)
}

/// The kind of a sensor; the raw value is the word in `bedside watch --json`.
public enum SensorKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A thermometer with the Health Thermometer Service.
    case thermometer
    /// A CORE body temperature sensor (greenTEG).
    case core
    /// A heart-rate strap or band with the Heart Rate Service.
    case heartRateStrap = "heart_rate_strap"
    /// A pulse oximeter with the Pulse Oximeter Service.
    case oximeter
    /// A blood-pressure monitor.
    case bloodPressure = "blood_pressure"
    /// A glucose meter.
    case glucose
    /// A continuous glucose monitor, or its transmitter.
    case continuousGlucose = "continuous_glucose"
    case weightScale = "weight_scale"
    /// Any other peripheral.
    case other
    /// No sensor: values that a user measured and typed.
    case manual

    /// Whether Bedside reads this kind of sensor.
    public var isRead: Bool {
        switch self {
        case .thermometer, .core, .heartRateStrap, .oximeter, .bloodPressure, .glucose, .continuousGlucose,
            .weightScale:
            true
        case .other, .manual: false
        }
    }

    /// Whether it sends values continuously once subscribed, so that silence is a fault.
    ///
    /// A thermometer may measure on request only.
    public var isStreaming: Bool {
        switch self {
        case .core, .heartRateStrap, .oximeter: true
        case .thermometer, .bloodPressure, .glucose, .continuousGlucose, .weightScale, .other, .manual: false
        }
    }

    /// Whether it sleeps until a user measures, then is awake for seconds to transfer its records: its absence is
    /// neither a loss nor an alarm.
    public var isEpisodic: Bool {
        switch self {
        case .bloodPressure, .glucose, .weightScale: true
        case .thermometer, .core, .heartRateStrap, .oximeter, .continuousGlucose, .other, .manual: false
        }
    }

    /// Whether its values are entries of the record, each measured once: typed, or transferred by a sensor.
    public var isSpot: Bool { self == .manual || isEpisodic }
}

/// What Bedside remembers about a sensor across starts, because the user connected, named or assigned it.
public struct RememberedSensor: Codable, Hashable, Sendable {
    /// The Bluetooth address in upper-case hexadecimal with colons; only this identifies the sensor.
    public var address: String
    /// The sensor's own name, sanitized and bounded.
    public var name: String
    public var kind: SensorKind
    /// The user's name for it, never blank; `nil` without one.
    public private(set) var label: String?
    /// Whether the user wants it connected.
    ///
    /// `false` holds until the user connects it again; `nil` without a decision.
    public var isWanted: Bool?
    /// The vitals for which the user prefers this sensor over others.
    public var assignedVitals: Set<Vital>

    /// The greatest number of characters (Unicode scalars) of a label.
    public static let labelLimit = 32

    /// Creates an entry; name and label are sanitized with ``sanitized(_:limit:)``.
    public init(
        address: String, name: String, kind: SensorKind, label: String? = nil, isWanted: Bool?,
        assignedVitals: Set<Vital> = []
    ) {
        self.address = address
        self.name = sanitized(name)
        self.kind = kind
        self.isWanted = isWanted
        self.assignedVitals = assignedVitals
        setLabel(label)
    }

    /// Changes the label; blank text removes it.
    public mutating func setLabel(_ text: String?) {
        let blanked = (text ?? "").unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
        var kept = Substring(sanitized(String(String.UnicodeScalarView(blanked)), limit: Self.labelLimit))
        while kept.first?.isWhitespace == true { kept.removeFirst() }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        label = kept.isEmpty ? nil : String(kept)
    }

    /// The identity, named by the label if there is one.
    public var identity: SensorIdentity {
        SensorIdentity(address: address, name: label ?? name, kind: kind)
    }
}
