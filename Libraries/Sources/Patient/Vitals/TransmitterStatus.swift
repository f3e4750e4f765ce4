import Base

/// What a transmitter reports of itself, and of the glucose sensor that it is on.
public struct TransmitterStatus: Codable, Hashable, Sendable {
    /// The version of its firmware, sanitized and bounded; `nil` if it does not send one.
    public var firmware: String? { didSet { firmware = Self.bounded(firmware) } }
    /// The version of its hardware, sanitized and bounded; `nil` if it does not send one.
    public var hardware: String? { didSet { hardware = Self.bounded(hardware) } }
    /// The serial number of the sensor that it is on, sanitized and bounded; `nil` if it is not known.
    public var sensorSerial: String? { didSet { sensorSerial = Self.bounded(sensorSerial) } }
    /// How long ago that sensor was started, in minutes from 0 to 65535, when the transmitter last read it.
    public var sensorMinutes: Int?
    /// What is to become of a new sensor that it has detected; `nil` for none.
    public var newSensor: NewSensor?

    /// A new sensor that a transmitter sends no values of before it is accepted.
    public enum NewSensor: String, CaseIterable, Codable, Hashable, Sendable {
        /// Somebody has to say whether it is accepted.
        case asked
        /// Somebody has said that it is not; the question can be answered again.
        case declined
        /// The settings say that it is never accepted.
        case refused

        /// Whether somebody may say now whether it is accepted.
        public var isOpen: Bool { self != .refused }
    }

    public init(
        firmware: String? = nil, hardware: String? = nil, sensorSerial: String? = nil, sensorMinutes: Int? = nil,
        newSensor: NewSensor? = nil
    ) {
        self.firmware = Self.bounded(firmware)
        self.hardware = Self.bounded(hardware)
        self.sensorSerial = Self.bounded(sensorSerial)
        self.sensorMinutes = sensorMinutes
        self.newSensor = newSensor
    }

    /// The possible minutes since a sensor was started: two octets of its memory.
    public static let minutes = 0...Int(UInt16.max)

    /// Whether everything in it is possible and bounded, also when it came from another program.
    public var isCoherent: Bool {
        [firmware, hardware, sensorSerial].allSatisfy { Self.bounded($0) == $0 }
            && sensorMinutes.map { Self.minutes.contains($0) } ?? true
    }

    private static func bounded(_ text: String?) -> String? { text.map { sanitized($0, limit: 32) } }
}

/// Whether a transmitter may use a new sensor that it has detected; the raw value is the word of the setting.
public enum NewSensorPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// Somebody is asked.
    case ask
    /// It may.
    case always
    /// It may not.
    case never
}
