import Base
import VitalDecoders
import Vitals

/// The maker's details of a sensor (Device Information Service, 180A); every text is sanitized.
public struct SensorDetails: Hashable, Sendable {
    /// Manufacturer Name String (2A29).
    public internal(set) var manufacturerName: String?
    /// Model Number String (2A24).
    public internal(set) var modelNumber: String?
    /// Serial Number String (2A25).
    public internal(set) var serialNumber: String?
    /// Firmware Revision String (2A26).
    public internal(set) var firmwareRevision: String?
    /// Hardware Revision String (2A27).
    public internal(set) var hardwareRevision: String?
    /// Software Revision String (2A28).
    public internal(set) var softwareRevision: String?

    /// Takes in one of the texts; other characteristics are ignored.
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
