/// A value of the control point of Polar Measurement Data: the features as read, a command, or the answer to one.
///
/// Indications of the control point *and* notifications of the data must be enabled before the first command: a sensor
/// without them streams and never answers. Source: Polar Measurement Data Specification; reports to the Polar BLE SDK.
public enum PolarMeasurementControl: CharacteristicValue {
    /// What the sensor can measure, as the control point is read.
    case features([UInt8])
    /// A command to the sensor.
    case command(PolarMeasurementCommand, parameters: [UInt8])
    /// The answer to a command: the octet for the type as sent, and what follows the status.
    ///
    /// `hasMore` says that a further indication continues the parameters; `nil` where the answer ends before it.
    case answer(
        PolarMeasurementCommand, type: UInt8, PolarMeasurementStatus, hasMore: Bool?, parameters: [UInt8])

    private static let featuresCode: UInt8 = 0x0F
    private static let answerCode: UInt8 = 0xF0

    /// Asks which settings a stream can have.
    public static func settings(of type: PolarMeasurementType) -> Self {
        .command(.settings, parameters: [type.rawValue])
    }

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - type: What it measures.
    ///   - settings: One value of each kind that the sensor offers; none for the intervals between pulses.
    public static func start(_ type: PolarMeasurementType, _ settings: PolarMeasurementSettings) -> Self {
        .command(.start, parameters: [type.rawValue] + settings.octets)
    }

    /// Stops a stream.
    public static func stop(_ type: PolarMeasurementType) -> Self {
        .command(.stop, parameters: [type.rawValue])
    }

    /// The streams that the features offer; `nil` for a command or an answer.
    public var offered: [PolarMeasurementType]? {
        guard case .features(let octets) = self else { return nil }
        let bits = octets.first.map { $0 & 0b1110_1111 } ?? 0
        return (0..<8).filter { bits & 1 << $0 != 0 }.map(PolarMeasurementType.init(rawValue:))
    }

    /// The streams that the sensor has stopped by itself.
    ///
    /// A sensor says so with the octet of a command, so this is of meaning only for what was received; empty otherwise.
    public var stoppedByItself: [PolarMeasurementType] {
        guard case .command(.settings, let types) = self else { return [] }
        return types.map(PolarMeasurementType.init(rawValue:))
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let first: PolarMeasurementCommand = try reader.assigned("code")
        switch first.rawValue {
        case Self.featuresCode:
            reader.explain("features")
            self = .features(reader.rest("features"))
        case Self.answerCode:
            reader.explain("answer")
            let command: PolarMeasurementCommand = try reader.assigned("answered command")
            let type = try reader.uint8("measurement type")
            reader.explain(PolarMeasurementType(rawValue: type).name)
            let status: PolarMeasurementStatus = try reader.assigned("status")
            let hasMore = reader.remaining == 0 ? nil : try reader.uint8("more") != 0
            self = .answer(command, type: type, status, hasMore: hasMore, parameters: reader.rest("parameters"))
        default:
            self = .command(first, parameters: reader.rest("parameters"))
        }
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        switch self {
        case .features(let octets):
            writer.uint8(Self.featuresCode)
            writer.append(contentsOf: octets)
        case .command(let command, let parameters):
            writer.uint8(command.rawValue)
            writer.append(contentsOf: parameters)
        case .answer(let command, let type, let status, let hasMore, let parameters):
            writer.append(contentsOf: [Self.answerCode, command.rawValue, type, status.rawValue])
            guard let hasMore else { return }
            writer.uint8(hasMore ? 1 : 0)
            writer.append(contentsOf: parameters)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        switch self {
        case .features(let octets):
            return [
                Field("kind", .text("features")), Field("types", .list((offered ?? []).map { .text($0.name) })),
                Field("parameters", .list(octets.map { FieldValue($0) })),
            ]
        case .command(let command, let parameters):
            return [
                Field("kind", .text("command")), Field("command", FieldValue(command.rawValue)),
                Field("command_name", .text(command.name)),
                Field("parameters", .list(parameters.map { FieldValue($0) })),
            ]
        case .answer(let command, let type, let status, let hasMore, let parameters):
            return [
                Field("kind", .text("answer")), Field("command", FieldValue(command.rawValue)),
                Field("command_name", .text(command.name)), Field("type", FieldValue(type)),
                Field("type_name", .text(PolarMeasurementType(rawValue: type).name)),
                Field("status", FieldValue(status.rawValue)), Field("status_name", .text(status.name)),
                Field("has_more", hasMore.map(FieldValue.bool) ?? .absent),
                Field("parameters", .list(parameters.map { FieldValue($0) })),
            ]
        }
    }
}

/// A command of Polar's control point.
public struct PolarMeasurementCommand: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Asks for the settings of a stream; from the sensor, the message that it has stopped streams by itself.
    public static let settings = Self(rawValue: 1)
    /// Starts a stream.
    public static let start = Self(rawValue: 2)
    /// Stops a stream.
    public static let stop = Self(rawValue: 3)
    /// Asks which streams run.
    public static let running = Self(rawValue: 5)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: PolarMeasurementCommand, name: String)] = [
        (settings, "settings"), (start, "start"), (stop, "stop"), (.init(rawValue: 4), "settings_of_sdk_mode"),
        (running, "running"), (.init(rawValue: 6), "sdk_mode"),
    ]
}

/// The status in an answer of Polar's control point.
public struct PolarMeasurementStatus: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let success = Self(rawValue: 0)
    /// The stream runs, or has stopped, already: as good as success.
    public static let alreadyInState = Self(rawValue: 6)
    /// The connection carries too few octets in a packet; seen right after a reconnection, so worth a second try.
    public static let maximumTransmissionUnitTooSmall = Self(rawValue: 10)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: PolarMeasurementStatus, name: String)] = [
        (success, "success"), (.init(rawValue: 1), "invalid_command"), (.init(rawValue: 2), "invalid_type"),
        (.init(rawValue: 3), "not_supported"), (.init(rawValue: 4), "invalid_length"),
        (.init(rawValue: 5), "invalid_parameter"), (alreadyInState, "already_in_state"),
        (.init(rawValue: 7), "invalid_resolution"), (.init(rawValue: 8), "invalid_sample_rate"),
        (.init(rawValue: 9), "invalid_range"), (maximumTransmissionUnitTooSmall, "mtu_too_small"),
        (.init(rawValue: 11), "invalid_channels"), (.init(rawValue: 12), "invalid_state"),
        (.init(rawValue: 13), "in_charger"), (.init(rawValue: 14), "disk_full"),
    ]

    /// Whether the sensor is now in the state that was asked for.
    public var isAsAsked: Bool { self == .success || self == .alreadyInState }
}

/// The settings of a stream: what a sensor offers, or what is chosen from that.
///
/// A list of kinds with their values, in the order of the octets. A kind that is not known here ends the list, because
/// the length of its values is unknown; so does a list that is cut short.
public struct PolarMeasurementSettings: Hashable, Sendable {
    /// A kind of setting, by its number on the wire.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Samples a second.
        case sampleRate = 0
        /// Bits of a sample.
        case resolution = 1
        /// The range, in the unit of the measurement, such as g.
        case range = 2
        /// The range in thousandths of that unit.
        case rangeInThousandths = 3
        /// Values in a sample.
        case channels = 4
        /// The factor of compressed samples, as the bits of a Float.
        case factor = 5

        /// The octets of a value.
        var size: Int {
            switch self {
            case .sampleRate, .resolution, .range: 2
            case .rangeInThousandths, .factor: 4
            case .channels: 1
            }
        }
    }

    /// A kind with its values.
    public struct Entry: Hashable, Sendable {
        /// The kind.
        public var kind: Kind
        /// Its values, at most 255.
        public var values: [UInt32]

        public init(_ kind: Kind, _ values: [UInt32]) {
            (self.kind, self.values) = (kind, values)
        }
    }

    /// The entries, in order.
    public var entries: [Entry]

    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Reads the parameters of an answer, as far as they are known.
    public init(octets: [UInt8]) {
        entries = []
        var place = 0
        while place + 2 <= octets.count, let kind = Kind(rawValue: octets[place]) {
            let end = place + 2 + Int(octets[place + 1]) * kind.size
            guard end <= octets.count else { return }
            let values = stride(from: place + 2, to: end, by: kind.size).map { start in
                (0..<kind.size).reduce(UInt32(0)) { $0 | UInt32(octets[start + $1]) << (8 * $1) }
            }
            entries.append(Entry(kind, values))
            place = end
        }
    }

    /// The settings as they are written.
    public var octets: [UInt8] {
        entries.flatMap { entry in
            [entry.kind.rawValue, UInt8(clamping: entry.values.count)]
                + entry.values.prefix(255).flatMap { value in
                    (0..<entry.kind.size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
                }
        }
    }

    /// The values of a kind; empty if the kind is not there.
    public func values(of kind: Kind) -> [UInt32] { entries.first { $0.kind == kind }?.values ?? [] }

    /// The factor by which compressed samples are multiplied; `nil` without one.
    public var factor: Float? { values(of: .factor).first.map(Float.init(bitPattern:)) }

    /// One value of each offered kind: the wanted one, or the first that is offered.
    ///
    /// - Parameter wanted: The wanted values; one that is not offered is not taken.
    public func choosing(_ wanted: [Kind: UInt32]) -> PolarMeasurementSettings {
        PolarMeasurementSettings(
            entries.compactMap { entry in
                let choice = wanted[entry.kind].flatMap { entry.values.contains($0) ? $0 : nil } ?? entry.values.first
                return choice.map { Entry(entry.kind, [$0]) }
            })
    }
}
