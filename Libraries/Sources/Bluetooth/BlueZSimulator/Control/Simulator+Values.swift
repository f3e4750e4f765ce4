import VitalDecoders

// Values sent by a test, and values written by the program under test.
extension Simulator {
    /// Makes a sensor notify or indicate bytes at once.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - characteristic: Its characteristic.
    ///   - address: The sensor.
    /// - Throws: ``SimulatorError``: `notSubscribed` when no program would receive the value.
    public func send(
        _ octets: [UInt8], from characteristic: BluetoothUUID, of address: BluetoothAddress
    ) throws(SimulatorError) {
        let (device, found) = try find(characteristic, of: address)
        guard device.isConnected, found.isArmed else { throw .notSubscribed }
        device.send(octets, to: found)
    }

    /// Makes a sensor notify or indicate a value of a characteristic type that `VitalDecoders` knows.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - type: Its characteristic.
    ///   - address: The sensor.
    /// - Throws: ``SimulatorError``: `notSubscribed` when no program would receive the value.
    public func send(
        _ octets: [UInt8], from type: CharacteristicType, of address: BluetoothAddress
    ) throws(SimulatorError) {
        try send(octets, from: type.uuid, of: address)
    }

    /// Whether a program is connected to a sensor and subscribed to one of its characteristics.
    ///
    /// - Throws: ``SimulatorError``, but not `notSubscribed`.
    public func isSubscribed(
        to characteristic: BluetoothUUID, of address: BluetoothAddress
    ) throws(SimulatorError) -> Bool {
        do throws(SimulatorError) {
            let (device, found) = try find(characteristic, of: address)
            return device.isConnected && found.isArmed
        } catch .notSubscribed {
            return false
        }
    }

    /// The bytes that a program last wrote to a characteristic of a generic sensor; `nil` before the first write.
    ///
    /// - Throws: ``SimulatorError``, but not `notSubscribed`.
    public func written(
        to characteristic: BluetoothUUID, of address: BluetoothAddress
    ) throws(SimulatorError) -> [UInt8]? {
        try peripheral(address).written[characteristic]
    }

    private func peripheral(_ address: BluetoothAddress) throws(SimulatorError) -> SimulatedPeripheral {
        guard let stage else { throw .notRunning }
        guard let found = stage.air.peripherals.first(where: { BluetoothAddress($0.address) == address }) else {
            throw .unknownSensor(address)
        }
        return found
    }

    private func find(
        _ uuid: BluetoothUUID, of address: BluetoothAddress
    ) throws(SimulatorError) -> (device: Device, characteristic: RemoteCharacteristic) {
        let peripheral = try peripheral(address)
        guard peripheral.database.services.contains(where: { $0.characteristics.contains { $0.uuid == uuid } }) else {
            throw .unknownCharacteristic(uuid)
        }
        // Before the first connection bluetoothd does not know the characteristics.
        guard let device = stage?.device(of: peripheral),
            let found = device.characteristics.first(where: { $0.definition.uuid == uuid })
        else { throw .notSubscribed }
        return (device, found)
    }
}

/// Why the simulator could not carry out a test's request.
public enum SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The simulator was not started, or was stopped.
    case notRunning
    /// The scenario has no sensor with this address.
    case unknownSensor(BluetoothAddress)
    /// The sensor has no characteristic of this type.
    case unknownCharacteristic(BluetoothUUID)
    /// No program is connected and subscribed to the characteristic.
    case notSubscribed
    /// No program advertises, so no central can connect.
    case notAdvertised
    /// The central is not connected.
    case notConnected
    /// The program refused the request of a central; with the error code of the Attribute Protocol.
    case refused(code: UInt8)

    /// What is wrong, a sentence.
    public var description: String {
        switch self {
        case .notRunning: "The simulator does not run."
        case .unknownSensor(let address): "The scenario has no sensor \(address)."
        case .unknownCharacteristic(let uuid): "The sensor has no characteristic \(uuid)."
        case .notSubscribed: "No program is subscribed to the characteristic."
        case .notAdvertised: "No program advertises."
        case .notConnected: "The central is not connected."
        case .refused(let code): "The program refused the request with the code \(code)."
        }
    }
}

/// The state of the sensors as JSON, in the same form as the virtual machine with the real bluetoothd.
enum StateReport {
    static func text(_ stage: Stage?) -> String {
        guard let stage else { return "{}" }
        let (air, bluetoothd) = (stage.air, stage.bluetoothd)
        var members = ["\"adapter\": \(air.isAdapterPlugged)", "\"bluetoothd\": \(bluetoothd != nil)"]
        var keys: Set<String> = []
        for peripheral in air.peripherals {
            var key = self.key(peripheral.description.kind) ?? peripheral.address
            if !keys.insert(key).inserted { key = peripheral.address }
            members.append("\(string(key)): \(sensor(peripheral, bluetoothd?.adapter?.devices ?? [], air.clock.now))")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// The newest events as a list of texts.
    static func events(_ stage: Stage?, _ count: Int) -> String {
        "[" + (stage?.air.log.newest(count) ?? []).map(string).joined(separator: ", ") + "]"
    }

    /// The counts of radio operations.
    static func statistics(_ stage: Stage?) -> String {
        let counts = (stage?.air.counts ?? [:]).sorted { $0.key < $1.key }
        return "{" + counts.map { "\(string($0.key)): \($0.value)" }.joined(separator: ", ") + "}"
    }

    private static func key(_ kind: SensorDescription.Kind) -> String? {
        switch kind {
        case .thermometer, .core: "temp"
        case .heartRateStrap: "hr"
        case .oximeter: "spo2"
        default: nil
        }
    }

    private static func sensor(_ peripheral: SimulatedPeripheral, _ devices: [Device], _ now: Double) -> String {
        let device = devices.first { $0.peripheral === peripheral && $0.isConnected }
        let subscribed = (device?.characteristics ?? []).filter(\.isArmed).map { characteristic in
            let word = characteristic.definition.flags.contains(.notify) ? "notify" : "indicate"
            return "\(string(characteristic.shortUUID)): \(string(word))"
        }
        let sent = peripheral.sent.sorted { $0.key < $1.key }.map { "\(string($0.key)): \($0.value)" }
        let streams = peripheral.streams.running.map { string($0.kind.name) }.joined(separator: ", ")
        let hasStreams = peripheral.vitals.electrocardiogram != nil
        let nights = peripheral.conversation.nights.map { ", \"files\": \(files($0.counts))" } ?? ""
        let isLinked = device != nil || peripheral.isHeldByKernel
        return """
            {"name": \(string(peripheral.name)), "address": \(string(peripheral.address)), \
            "connected": \(isLinked), \
            "connecting": \(devices.contains { $0.peripheral === peripheral && $0.isConnecting }), \
            "advertising": \(peripheral.isAdvertising && !isLinked), \
            "in_range": \(peripheral.isInRange), "subscribed": {\(subscribed.joined(separator: ", "))}, \
            "sent": {\(sent.joined(separator: ", "))}, \
            "battery": \(peripheral.battery(at: now)), "rssi": \(peripheral.signalStrength), \
            "talking": \(peripheral.isTalking), "on_body": \(peripheral.isOnBody)\(hasStreams ? ", \"streams\": [\(streams)]" : "")\(nights)}
            """
    }

    /// What a ring was asked for.
    private static func files(_ counts: StoredNights.Counts) -> String {
        let forbidden = counts.forbidden.map { string(Hexadecimal.text(UInt64($0), digits: 2)) }
        return """
            {"opened": \(counts.opened), "closed": \(counts.closed), "chunks": \(counts.chunks), \
            "forbidden": [\(forbidden.joined(separator: ", "))]}
            """
    }

    /// A JSON string; everything but plain ASCII is escaped.
    private static func string(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return result + "\""
    }
}
