import BluetoothValues

/// A field of an advertisement (Assigned Numbers, "Common Data Types").
struct AdvertisedField: Hashable {
    var type: UInt8
    var octets: [UInt8]
}

extension SimulatedPeripheral {
    /// The fields of its advertisement and scan response.
    func advertisedFields(at seconds: Double) -> [AdvertisedField] {
        // General discoverable, no BR/EDR.
        var fields = [AdvertisedField(type: 0x01, octets: [0x06])]
        let short = description.advertisedServices.compactMap { uuid in
            uuid.assignedNumber.flatMap { UInt16(exactly: $0) }
        }
        if !short.isEmpty { fields.append(AdvertisedField(type: 0x03, octets: short.flatMap(Self.octets(of:)))) }
        let long = description.advertisedServices.filter { ($0.assignedNumber ?? .max) > 0xFFFF }
        if !long.isEmpty { fields.append(AdvertisedField(type: 0x07, octets: long.flatMap(Self.octets(of:)))) }
        if !name.isEmpty { fields.append(AdvertisedField(type: 0x09, octets: Array(name.utf8))) }
        if let power = description.transmitPower {
            fields.append(AdvertisedField(type: 0x0A, octets: [UInt8(bitPattern: Int8(clamping: power))]))
        }
        if let appearance = description.appearance {
            fields.append(AdvertisedField(type: 0x19, octets: Self.octets(of: appearance)))
        }
        for data in manufacturerData(at: seconds) {
            fields.append(AdvertisedField(type: 0xFF, octets: Self.octets(of: data.company) + data.octets))
        }
        return fields
    }

    private static func octets(of number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }

    /// A UUID on the air, the least octet first.
    private static func octets(of uuid: BluetoothUUID) -> [UInt8] {
        let digits = uuid.fullDescription.utf8.filter { $0 != UInt8(ascii: "-") }
        return (try? Hexadecimal.octets(digits))?.reversed() ?? []
    }
}
