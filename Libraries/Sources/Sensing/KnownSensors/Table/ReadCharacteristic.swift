import VitalDecoders

/// A characteristic that Bedside reads or subscribes to.
public enum ReadCharacteristic: Int, CaseIterable, Hashable, Sendable {
    case temperatureMeasurement
    case intermediateTemperature
    case temperatureType
    case measurementInterval
    case coreBodyTemperature
    case heartRateMeasurement
    case bodySensorLocation
    case pulseOximeterContinuous
    case pulseOximeterSpotCheck
    case pulseOximeterFeatures
    case batteryLevel
    case manufacturerName
    case modelNumber
    case serialNumber
    case firmwareRevision
    case hardwareRevision
    case softwareRevision

    public var uuid: BluetoothUUID { characteristic.uuid }

    /// The characteristic with a UUID, or `nil` when Bedside does not use it.
    public init?(uuid: BluetoothUUID) {
        guard let known = Self.byUUID[uuid] else { return nil }
        self = known
    }

    private static let byUUID = Dictionary(
        allCases.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })

    private var characteristic: CharacteristicType {
        switch self {
        case .temperatureMeasurement: .temperatureMeasurement
        case .intermediateTemperature: .intermediateTemperature
        case .temperatureType: .temperatureType
        case .measurementInterval: .measurementInterval
        case .coreBodyTemperature: .coreBodyTemperature
        case .heartRateMeasurement: .heartRateMeasurement
        case .bodySensorLocation: .bodySensorLocation
        case .pulseOximeterContinuous: .pulseOximeterContinuous
        case .pulseOximeterSpotCheck: .pulseOximeterSpotCheck
        case .pulseOximeterFeatures: .pulseOximeterFeatures
        case .batteryLevel: .batteryLevel
        case .manufacturerName: .manufacturerName
        case .modelNumber: .modelNumber
        case .serialNumber: .serialNumber
        case .firmwareRevision: .firmwareRevision
        case .hardwareRevision: .hardwareRevision
        case .softwareRevision: .softwareRevision
        }
    }
}
