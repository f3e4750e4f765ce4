import BlueZ

/// A cuff of which there are three models that are used alike.
struct MyCuff: DeviceDeclaration {
    struct BloodPressure: ServiceDeclaration {
        static let uuid = BluetoothUUID(0x1810)
        let measurement = Declared<[UInt8]>(BluetoothUUID(0x2A35), .notifies)
    }

    static let discovery = DiscoveryCriteria(services: [BloodPressure.uuid])
    static let variants = [
        DeviceVariant("night cuff", DiscoveryCriteria(name: "MyCuff N")),
        DeviceVariant("travel cuff", DiscoveryCriteria(company: 0xFFFF, companyData: [0x02])),
        DeviceVariant("wrist cuff", DiscoveryCriteria(appearance: .wristBloodPressureMonitor)),
    ]
    let bloodPressure = BloodPressure()
}

/// Prints the cuffs that are nearby, the nearest first, by their variants.
func printCuffs(through central: BluetoothCentral, print: @Sendable (String) -> Void) async {
    for cuff in await central.strongestPeripherals(matching: MyCuff.discovery) {
        let variant = MyCuff.variant(of: cuff)?.name ?? "another cuff"
        print("\(variant) at \(cuff.address), looks like \(cuff.appearance?.name ?? "nothing known")")
    }
}
