/// Which sensor something is about: a peripheral that we know how to read.
public struct SensorIdentity: Codable, Hashable, Sendable {
    /// The Bluetooth address in upper-case hexadecimal with colons; the only part that identifies.
    public var address: String
    /// What to call it on a screen: free of control characters and bounded in length.
    public var name: String
    /// What it is.
    public var kind: SensorKind

    /// Makes an identity; the name is made harmless with ``sanitized(_:limit:)``.
    public init(address: String, name: String, kind: SensorKind) {
        self.address = address
        self.name = sanitized(name)
        self.kind = kind
    }
}

extension SensorIdentity {
    /// Its name in at most so many characters, or its address when it has none; the end of the address that tells it
    /// apart from a namesake is not cut off.
    public func shortName(limit: Int = 24) -> String {
        guard !name.isEmpty else { return address }
        let tail = " \(address.suffix(5))"
        guard name.hasSuffix(tail), name.unicodeScalars.count > limit else { return sanitized(name, limit: limit) }
        return sanitized(String(name.dropLast(tail.count)), limit: max(1, limit - tail.count)) + tail
    }

    /// What stands in the place of a sensor where a person has measured and typed; no radio has this address.
    public static let manual = SensorIdentity(address: "manual", name: "manual", kind: .manual)
}

/// What a sensor is; the raw value is the word in `bedside watch --json`.
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
    /// A glucose meter or continuous glucose monitor.
    case glucose
    /// Anything else.
    case other
    /// No sensor: a person has measured and typed.
    case manual

    /// Whether Bedside makes readings of what such a sensor sends.
    public var isRead: Bool {
        switch self {
        case .thermometer, .core, .heartRateStrap, .oximeter: true
        case .bloodPressure, .glucose, .other, .manual: false
        }
    }

    /// Whether it sends values without pause once it is subscribed to, so that silence means something.
    ///
    /// A thermometer may measure on request only.
    public var isStreaming: Bool {
        switch self {
        case .core, .heartRateStrap, .oximeter: true
        case .thermometer, .bloodPressure, .glucose, .other, .manual: false
        }
    }
}
