import DBus

/// The options of a central's read or write (`ReadValue` and `WriteValue` of `org.bluez.GattCharacteristic`).
struct AttributeRequest: Hashable {
    /// The object of the central, where the daemon names it.
    private(set) var device: ObjectPath?
    /// How many octets to leave out at the beginning.
    private(set) var offset = 0
    /// The ATT MTU of the link in octets, where the daemon names it.
    private(set) var transferUnit: Int?
    /// How the value is written.
    private(set) var mode = WriteMode.withResponse
    /// Whether the daemon only asks for permission to prepare a write.
    private(set) var isPreparation = false

    /// Reads the options; unknown ones are ignored.
    ///
    /// - Throws: ``AttributeRefusal``: `invalidOffset` beyond the end of any value, `unlikelyError` for a wrong type.
    init(_ options: DBusValue?) throws(AttributeRefusal) {
        guard let values = options?.namedValues else { throw .unlikelyError }
        for (name, value) in values {
            switch (name, value) {
            case ("device", .objectPath(let path)): device = path
            case ("offset", .uint16(let octets)):
                guard Int(octets) <= InputBounds.valueLength else { throw .invalidOffset }
                offset = Int(octets)
            case ("mtu", .uint16(let octets)): transferUnit = max(Characteristic.leastTransferUnit, Int(octets))
            case ("type", .string(let text)): mode = WriteMode(rawValue: text) ?? .withResponse
            case ("prepare-authorize", .boolean(let isTrue)): isPreparation = isTrue
            case ("device", _), ("offset", _), ("mtu", _), ("type", _), ("prepare-authorize", _): throw .unlikelyError
            default: continue
            }
        }
    }

    /// The octets from the offset on.
    func rest(of octets: [UInt8]) throws(AttributeRefusal) -> [UInt8] {
        guard offset <= octets.count else { throw .invalidOffset }
        return Array(octets.dropFirst(offset))
    }
}

/// The values that centrals are reading in several requests, so that all parts come from one value.
///
/// A central reads a value that is longer than a packet by an offset of what it has already (Core Specification, Vol 3
/// Part G, 4.8.3). It has one such read at a time.
struct LongReads {
    private struct LongRead {
        let device: ObjectPath
        let key: CharacteristicKey
        let octets: [UInt8]
    }

    /// The most reads; an older one begins again in the middle of the newest value.
    static let capacity = 16

    private var reads: [LongRead] = []

    /// Records a value that was read from its beginning.
    mutating func begin(_ key: CharacteristicKey, _ octets: [UInt8], for request: AttributeRequest) {
        guard let device = request.device else { return }
        end(device)
        // A packet carries one octet less than the transfer unit; a value that fills it may go on, too.
        guard octets.count >= (request.transferUnit ?? Characteristic.leastTransferUnit) - 1 else { return }
        if reads.count == Self.capacity { reads.removeFirst() }
        reads.append(LongRead(device: device, key: key, octets: octets))
    }

    /// The value that a central has read the beginning of.
    func value(of key: CharacteristicKey, for request: AttributeRequest) -> [UInt8]? {
        reads.first { $0.device == request.device && $0.key == key }?.octets
    }

    /// Forgets what a central reads.
    mutating func end(_ device: ObjectPath) {
        reads.removeAll { $0.device == device }
    }

    mutating func endAll() { reads = [] }
}
