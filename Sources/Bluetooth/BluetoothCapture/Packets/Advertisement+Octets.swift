import VitalDecoders

extension Advertisement {
    /// The limit of services per advertisement; no more fit into the longest one.
    private static let serviceLimit = 128

    /// Reads the structures of advertising data or of a scan response; damaged ones are ignored.
    ///
    /// Source: Core Specification Supplement 11, Part A.
    init(_ octets: ArraySlice<UInt8>, signalStrength: Int8?) {
        // 127 means that no strength is available.
        self.signalStrength = signalStrength.flatMap { $0 == 127 ? nil : Int($0) }
        var cursor = OctetCursor(octets)
        while let length = cursor.uint8(), length > 0 {
            guard let structure = cursor.consume(Int(length)) else { return }
            add(type: structure.first ?? 0, structure.dropFirst())
        }
    }

    private mutating func add(type: UInt8, _ data: ArraySlice<UInt8>) {
        var cursor = OctetCursor(data)
        switch type {
        case 0x02, 0x03:
            while let short = cursor.uint16() { add(BluetoothUUID(short)) }
        case 0x06, 0x07:
            while let octets = cursor.consume(16) { add(BluetoothUUID(littleEndian: octets)) }
        case 0x08 where name == nil, 0x09:
            name = String(decoding: data, as: UTF8.self)
        default: break
        }
    }

    private mutating func add(_ service: BluetoothUUID?) {
        guard let service, services.count < Self.serviceLimit, !services.contains(service) else { return }
        services.append(service)
    }
}

extension BluetoothUUID {
    /// A UUID as transmitted: two or sixteen octets, little-endian; `nil` for any other number of them.
    init?(littleEndian octets: ArraySlice<UInt8>) {
        var cursor = OctetCursor(octets)
        switch octets.count {
        case 2: self.init(cursor.uint16() ?? 0)
        case 16:
            let numbers = Array(octets.reversed())
            self.init(
                high: numbers.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: numbers.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }
}
