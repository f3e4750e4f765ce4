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

    /// What is wrong, a sentence.
    public var description: String {
        switch self {
        case .notRunning: "The simulator does not run."
        case .unknownSensor(let address): "The scenario has no sensor \(address)."
        case .unknownCharacteristic(let uuid): "The sensor has no characteristic \(uuid)."
        case .notSubscribed: "No program is subscribed to the characteristic."
        }
    }
}
