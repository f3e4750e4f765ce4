import Base
import VitalDecoders
import Vitals

/// The maker's details of a sensor (Device Information Service, 180A); every text is sanitized.
public struct SensorDetails: Hashable, Sendable {
    public internal(set) var manufacturerName: String?
    public internal(set) var modelNumber: String?
    public internal(set) var serialNumber: String?
    public internal(set) var firmwareRevision: String?
    public internal(set) var hardwareRevision: String?
    public internal(set) var softwareRevision: String?

    /// Stores one of the texts; other characteristics are ignored.
    mutating func set(_ characteristic: ReadCharacteristic, to value: DeviceInformationText) {
        let text = sanitized(value.text)
        switch characteristic {
        case .manufacturerName: manufacturerName = text
        case .modelNumber: modelNumber = text
        case .serialNumber: serialNumber = text
        case .firmwareRevision: firmwareRevision = text
        case .hardwareRevision: hardwareRevision = text
        case .softwareRevision: softwareRevision = text
        default: break
        }
    }
}
