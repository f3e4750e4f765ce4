import HealthDevices

/// A strap that is recognised by its service and its name, with two standard services and one of its maker.
struct MyStrap: DeviceDeclaration {
    struct Firmware: ServiceDeclaration {
        static let uuid = BluetoothUUID(0xFEEA)
        let build = Declared<UInt32>(BluetoothUUID(0xFEEB), .isRead, .isOptional)
    }

    static let discovery = DiscoveryCriteria(services: [StandardService.HeartRate.uuid], name: "MyStrap")
    let heartRate = StandardService.HeartRate()
    let battery = StandardService.Battery()
    let firmware = Firmware()
}
