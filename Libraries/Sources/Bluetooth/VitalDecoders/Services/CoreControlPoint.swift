extension CharacteristicType {
    /// Control Point (2102 of CORE, written and indicated).
    public static let coreControlPoint = CharacteristicType(
        BluetoothUUID(high: 0x0000_2102_5B1E_4347, low: 0xB07C_97B5_14DA_E121), "Core Control Point",
        .coreBodyTemperature, CoreControlMessage.self)
}

/// A message on CORE's control point (2102): a command for the sensor, or its answer.
///
/// Only one command may be open at a time, and indications must be enabled before the first one. Source: CORE Body
/// Temperature Service Specification 2.2.
public enum CoreControlMessage: CharacteristicValue {
    /// A command with up to six octets of parameters.
    case command(CoreControlOpcode, parameters: [UInt8])
    /// The answer to a command, with up to 17 octets of data.
    case answer(CoreControlOpcode, CoreControlResult, parameters: [UInt8])

    /// The first octet of an answer; no command has it.
    private static let answerCode: UInt8 = 0x80

    /// Sends the sensor a heart rate measured by another one, in beats a minute; `nil` ends that.
    ///
    /// A rate older than 15 s lowers the quality of the core temperature.
    public static func externalHeartRate(_ rate: UInt8?) -> Self {
        .command(.externalHeartRate, parameters: rate.map { [$0] } ?? [])
    }

    /// Pairs the sensor with a Bluetooth heart-rate sensor by its address, in the order of the address's text.
    public static func addHeartRateSensor(address: [UInt8]) -> Self {
        .command(.addBluetoothHeartRateSensor, parameters: Array(address.prefix(6).reversed()))
    }

    /// The command, or the one that is answered.
    public var opcode: CoreControlOpcode {
        switch self {
        case .command(let opcode, _), .answer(let opcode, _, _): opcode
        }
    }

    /// The parameter of the command or the answer.
    public var parameters: [UInt8] {
        switch self {
        case .command(_, let parameters), .answer(_, _, let parameters): parameters
        }
    }

    /// The result of the command, in an answer.
    public var result: CoreControlResult? {
        guard case .answer(_, let result, _) = self else { return nil }
        return result
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let first: CoreControlOpcode = try reader.assigned("opcode")
        guard first.rawValue == Self.answerCode else {
            self = .command(first, parameters: reader.rest("parameters"))
            return
        }
        reader.explain("answer")
        let opcode: CoreControlOpcode = try reader.assigned("answered opcode")
        let result: CoreControlResult = try reader.assigned("result")
        self = .answer(opcode, result, parameters: reader.rest("parameters"))
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        if case .answer(let opcode, let result, _) = self {
            writer.uint8(Self.answerCode)
            writer.uint8(opcode.rawValue)
            writer.uint8(result.rawValue)
        } else {
            writer.uint8(opcode.rawValue)
        }
        writer.append(contentsOf: parameters)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("is_answer", .bool(result != nil)),
            Field("opcode", FieldValue(opcode.rawValue)),
            Field("opcode_name", .text(opcode.name)),
            Field("result", FieldValue(result?.rawValue)),
            Field("result_name", FieldValue(result?.name)),
            Field("parameters", .list(parameters.map { FieldValue($0) })),
        ]
    }
}

/// A command of CORE's control point.
public struct CoreControlOpcode: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Pairs with a Bluetooth heart-rate sensor.
    public static let addBluetoothHeartRateSensor = Self(rawValue: 0x06)
    /// Sends a heart rate measured by another sensor.
    public static let externalHeartRate = Self(rawValue: 0x13)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreControlOpcode, name: String)] = [
        (.init(rawValue: 0x01), "clear_ant_heart_rate_sensors"), (.init(rawValue: 0x02), "add_ant_heart_rate_sensor"),
        (.init(rawValue: 0x03), "remove_ant_heart_rate_sensor"),
        (.init(rawValue: 0x04), "count_ant_heart_rate_sensors"),
        (.init(rawValue: 0x05), "get_ant_heart_rate_sensor"),
        (addBluetoothHeartRateSensor, "add_ble_heart_rate_sensor"),
        (.init(rawValue: 0x07), "remove_ble_heart_rate_sensor"),
        (.init(rawValue: 0x08), "count_ble_heart_rate_sensors"),
        (.init(rawValue: 0x09), "get_ble_heart_rate_sensor_name"),
        (.init(rawValue: 0x0A), "scan_ant_heart_rate_sensors"),
        (.init(rawValue: 0x0B), "count_scanned_ant_heart_rate_sensors"),
        (.init(rawValue: 0x0C), "get_scanned_ant_heart_rate_sensor"),
        (.init(rawValue: 0x0D), "scan_ble_heart_rate_sensors"),
        (.init(rawValue: 0x0E), "count_scanned_ble_heart_rate_sensors"),
        (.init(rawValue: 0x0F), "get_scanned_ble_heart_rate_sensor_name"),
        (.init(rawValue: 0x10), "get_scanned_ble_heart_rate_sensor_address"),
        (.init(rawValue: 0x11), "clear_ble_heart_rate_sensors"),
        (.init(rawValue: 0x12), "get_ble_heart_rate_sensor_address"), (externalHeartRate, "external_heart_rate"),
    ]
}

/// The result of a command of CORE's control point.
public struct CoreControlResult: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let success = Self(rawValue: 1)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreControlResult, name: String)] = [
        (success, "success"), (.init(rawValue: 2), "opcode_not_supported"),
        (.init(rawValue: 3), "invalid_parameter"), (.init(rawValue: 4), "operation_failed"),
    ]
}
