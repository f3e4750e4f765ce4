/// The service of CORE sensors (greenTEG): core and skin temperature.
///
/// The core temperature is better with a heart rate, which the sensor gets from a strap that it is paired with, or from
/// this computer (`setExternalHeartRate(_:)` of ``control``). Source: CORE Body Temperature Service Specification 2.2.
public struct CoreTemperatures: ServiceDeclaration {
    /// The UUID of the service.
    public static let uuid = CoreBodyTemperatureService.uuid
    /// Both temperatures with their quality, the heart rate and the heat strain index.
    public let measurement = Declared<CoreBodyTemperature>(.coreBodyTemperature, .notifies)
    /// Commands and their answers; old firmware lacks it.
    public let control = Declared<CoreControlMessage>(.coreControlPoint, .isOptional)

    public init() {}
}

/// A CORE, which estimates the core body temperature from the skin (greenTEG).
public struct CoreSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [CoreTemperatures.uuid])
    /// The temperatures.
    public let temperatures = CoreTemperatures()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

extension DeviceCharacteristic where Value == CoreControlMessage {
    /// Tells the sensor a heart rate that another sensor has measured.
    ///
    /// One that is older than 15 s lowers the quality of the core temperature, so tell it at least as often.
    ///
    /// - Parameter rate: Beats a minute; `nil` when there is none any more.
    /// - Throws: ``CoreControlError``.
    public func setExternalHeartRate(_ rate: UInt8?) async throws(CoreControlError) {
        try await perform(.externalHeartRate(rate))
    }

    /// Pairs the sensor with a Bluetooth heart-rate sensor.
    ///
    /// - Parameter address: The heart-rate sensor.
    /// - Throws: ``CoreControlError``.
    public func addHeartRateSensor(_ address: BluetoothAddress) async throws(CoreControlError) {
        let octets = (0..<6).reversed().map { UInt8(truncatingIfNeeded: address.rawValue >> (8 * UInt64($0))) }
        try await perform(.addHeartRateSensor(address: octets))
    }

    /// Sends a command, and waits for its answer; the sensor handles one at a time.
    ///
    /// - Parameter command: The command.
    /// - Returns: The data of the answer, at most 17 octets.
    /// - Throws: ``CoreControlError``.
    @discardableResult
    public func perform(_ command: CoreControlMessage) async throws(CoreControlError) -> [UInt8] {
        let answer: CoreControlMessage
        do throws(DeviceError) {
            answer = try await request(command, answeredBy: CoreControlMessage.self) {
                $0.result != nil && $0.opcode == command.opcode
            }
        } catch {
            throw .device(error)
        }
        if let result = answer.result, result != .success { throw .refused(result) }
        return answer.parameters
    }
}

/// Why a CORE did not carry out a command.
public enum CoreControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device could not be used, or did not answer.
    case device(DeviceError)
    /// The sensor refused the command.
    case refused(CoreControlResult)

    /// What happened, as a sentence.
    public var description: String {
        switch self {
        case .device(let error): error.description
        case .refused(let result):
            "The sensor refused the command: \(result.name.split(separator: "_").joined(separator: " "))."
        }
    }
}
