/// Names of what Bedside does not decode, for people who look at a device.
///
/// Source: Bluetooth SIG, Assigned Numbers, 3.4 (services), 3.7 (descriptors), 3.8 (characteristics), 7.1
/// (companies); greenTEG for CORE's. Only those that are met around sensors; appearances are `BluetoothAppearance`.
public enum AssignedNames {
    /// The name of a service.
    public static func service(_ uuid: BluetoothUUID) -> String? { services[uuid] }

    /// The name of a characteristic, decoded or not.
    public static func characteristic(_ uuid: BluetoothUUID) -> String? {
        CharacteristicType.with(uuid: uuid)?.name ?? characteristics[uuid]
    }

    /// The name of a descriptor.
    public static func descriptor(_ uuid: BluetoothUUID) -> String? {
        uuid.assignedNumber.flatMap { descriptors[$0] }
    }

    /// The name of a company.
    public static func company(_ identifier: UInt16) -> String? { companies[identifier] }

    /// The names of the flags in an advertisement, by the bit.
    ///
    /// Source: Core Specification Supplement 11, Part A, 1.3.
    public static func flags(_ octets: [UInt8]) -> [String] {
        let names = [
            "limited discoverable", "general discoverable", "BR/EDR not supported",
            "LE and BR/EDR at once (controller)", "LE and BR/EDR at once (host)",
        ]
        return names.enumerated().compactMap { bit, name in
            (octets.first ?? 0) >> UInt8(bit) & 1 == 1 ? name : nil
        }
    }

    private static let services: [BluetoothUUID: String] = byUUID([
        0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1805: "Current Time", 0x1808: "Glucose",
        0x1809: "Health Thermometer", 0x180A: "Device Information", 0x180D: "Heart Rate", 0x180F: "Battery",
        0x1810: "Blood Pressure", 0x1816: "Cycling Speed and Cadence", 0x1818: "Cycling Power", 0x181C: "User Data",
        0x181D: "Weight Scale", 0x181F: "Continuous Glucose Monitoring", 0x1822: "Pulse Oximeter",
        0x1826: "Fitness Machine",
    ]).merging([
        CoreBodyTemperatureService.uuid: "CORE Body Temperature",
        CoreBodyTemperatureService.legacyUUID: "CORE Body Temperature (former)",
    ]) { name, _ in name }

    private static let characteristics: [BluetoothUUID: String] = byUUID([
        0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A04: "Preferred Connection Parameters",
        0x2A05: "Service Changed", 0x2AA6: "Central Address Resolution", 0x2B29: "Client Supported Features",
        0x2B2A: "Database Hash", 0x2B3A: "Server Supported Features", 0x2A39: "Heart Rate Control Point",
    ])

    private static let descriptors: [UInt32: String] = [
        0x2900: "Extended Properties", 0x2901: "User Description", 0x2902: "Client Configuration",
        0x2903: "Server Configuration", 0x2904: "Presentation Format", 0x2906: "Valid Range",
        0x2908: "Report Reference",
    ]

    private static let companies: [UInt16: String] = [
        0x0002: "Intel", 0x0006: "Microsoft", 0x000D: "Texas Instruments", 0x000F: "Broadcom", 0x004C: "Apple",
        0x0059: "Nordic Semiconductor", 0x005D: "Realtek", 0x0065: "HP", 0x0069: "A&D",
        CompanyIdentifier.polar: "Polar Electro", 0x0075: "Samsung", 0x0087: "Garmin", 0x009F: "Suunto",
        0x00C4: "LG Electronics", 0x00D0: "Dexcom", 0x00D1: "Polar Electro Europe", 0x00E0: "Google",
        0x012D: "Sony", 0x0131: "Cypress", 0x0157: "Huami", 0x0167: "Ascensia", 0x016D: "LifeScan",
        0x0170: "Roche Diabetes Care", 0x0171: "Amazon", 0x01DD: "Philips", 0x01F9: "Medtronic",
        0x01FC: "Wahoo Fitness", 0x020E: "Omron Healthcare", 0x0211: "Telink", 0x0243: "Masimo", 0x027D: "Huawei",
        0x02A6: "Bosch", 0x02B2: "Oura Health", 0x02D5: "Omron", 0x02E5: "Espressif", 0x02FF: "Silicon Labs",
        0x0360: "Insulet", 0x038F: "Xiaomi", 0x03BB: "Abbott", 0x03FF: "Withings", 0x0499: "Ruuvi",
        0x04CB: "Novo Nordisk", 0x059D: "Tandem Diabetes Care", 0x0611: "Beurer", 0x063C: "Contec",
        0x067C: "Tile", 0x0791: "Scosche", 0x0804: "Andon Health", 0x089E: "i-SENS", 0x0B18: "Decathlon",
        CompanyIdentifier.greenTEG: "greenTEG", 0x0F75: "Senseonics",
    ]

    private static func byUUID(_ names: [UInt16: String]) -> [BluetoothUUID: String] {
        Dictionary(uniqueKeysWithValues: names.map { (BluetoothUUID($0.key), $0.value) })
    }
}
