import VitalDecoders

/// Follows the attribute protocol between the capturing computer, as the client, and one peripheral.
///
/// Source: Core Specification 5.4, Vol 3 Part F, 3.4. Only one request is open at a time, and the next answer belongs
/// to it.
struct AttributeDialogue: Sendable {
    /// The request that waits for an answer.
    private var request: Request?
    /// The part of a long value that was read so far.
    private var longValue: (handle: UInt16, octets: [UInt8])?
    /// The longest attribute (Vol 3 Part F, 3.2.9).
    private static let valueLimit = 512

    private enum Request: Sendable {
        case readByType(BluetoothUUID?)
        case readByGroupType
        case findByTypeValue(service: BluetoothUUID?)
        case read(UInt16)
        case readBlob(UInt16, offset: Int)
        case other
    }

    /// The result of a frame.
    enum Finding {
        case service(BluetoothUUID)
        case value(handle: UInt16, [UInt8], CaptureEvent.Origin)
    }

    /// Handles a frame.
    ///
    /// - Parameters:
    ///   - direction: Where it goes; an unknown direction allows both.
    ///   - names: The peripheral's handles, updated by the frame.
    ///   - emit: Called with the events of the frame.
    mutating func handle(
        _ frame: ArraySlice<UInt8>, _ direction: HCIPacket.Direction?, names: inout AttributeNames,
        emit: (Finding) -> Void
    ) {
        var cursor = OctetCursor(frame)
        guard let code = cursor.uint8() else { return }
        if code & 0x40 == 0, Self.requests.contains(code) {
            if direction != .received { request = Self.request(code, &cursor) }
        } else if direction != .sent {
            answer(code, &cursor, &names, emit)
        }
    }

    private static let requests: Set<UInt8> = [
        0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20,
    ]

    private static func request(_ code: UInt8, _ cursor: inout OctetCursor) -> Request {
        switch code {
        case 0x06:
            guard cursor.consume(4) != nil, cursor.uint16() == 0x2800 else { return .other }
            return .findByTypeValue(service: BluetoothUUID(littleEndian: cursor.rest))
        case 0x08:
            guard cursor.consume(4) != nil else { return .other }
            return .readByType(BluetoothUUID(littleEndian: cursor.rest))
        case 0x0A: return cursor.uint16().map { .read($0) } ?? .other
        case 0x0C:
            guard let handle = cursor.uint16(), let offset = cursor.uint16() else { return .other }
            return .readBlob(handle, offset: Int(offset))
        case 0x10: return .readByGroupType
        default: return .other
        }
    }

    private mutating func answer(
        _ code: UInt8, _ cursor: inout OctetCursor, _ names: inout AttributeNames, _ emit: (Finding) -> Void
    ) {
        switch code {
        case 0x1B, 0x1D:
            if let handle = cursor.uint16() { emit(.value(handle: handle, Array(cursor.rest), .notified)) }
            return
        case 0x23:
            while let handle = cursor.uint16(), let length = cursor.uint16(), let value = cursor.consume(Int(length)) {
                emit(.value(handle: handle, Array(value), .notified))
            }
            return
        default: break
        }
        let request = request
        self.request = nil
        switch (code, request) {
        case (0x05, _): nameFound(&cursor, &names)
        case (0x07, .findByTypeValue(let service?)):
            if names.add(service) { emit(.service(service)) }
        case (0x09, .readByType(let type)): readByType(type, &cursor, &names, emit)
        case (0x0B, .read(let handle)):
            longValue = (handle, Array(cursor.rest))
            emit(.value(handle: handle, Array(cursor.rest), .read))
        case (0x0D, .readBlob(let handle, let offset)): readBlob(handle, offset, cursor.rest, emit)
        case (0x11, .readByGroupType):
            guard let length = cursor.uint8(), length > 4 else { return }
            while let entry = cursor.consume(Int(length)) {
                guard let service = BluetoothUUID(littleEndian: entry.dropFirst(4)), names.add(service) else {
                    continue
                }
                emit(.service(service))
            }
        default: break
        }
    }

    /// Find Information Response: handles with their types; the handle of a value has its characteristic's type.
    private func nameFound(_ cursor: inout OctetCursor, _ names: inout AttributeNames) {
        guard let format = cursor.uint8(), format == 1 || format == 2 else { return }
        while let handle = cursor.uint16(), let octets = cursor.consume(format == 1 ? 2 : 16) {
            if let type = BluetoothUUID(littleEndian: octets) { names.name(handle, type) }
        }
    }

    private func readByType(
        _ type: BluetoothUUID?, _ cursor: inout OctetCursor, _ names: inout AttributeNames, _ emit: (Finding) -> Void
    ) {
        guard let type, let length = cursor.uint8(), length >= 2 else { return }
        while var entry = cursor.consume(Int(length)).map(OctetCursor.init), let handle = entry.uint16() {
            if type == Self.characteristicDeclaration {
                guard entry.uint8() != nil, let value = entry.uint16(),
                    let characteristic = BluetoothUUID(littleEndian: entry.rest)
                else { continue }
                names.name(value, characteristic)
            } else if !Self.isDeclaration(type) {
                names.name(handle, type)
                emit(.value(handle: handle, Array(entry.rest), .read))
            }
        }
    }

    private static let characteristicDeclaration = BluetoothUUID(0x2803)

    /// Whether a type is one of those that describe a peripheral's database: 2800 to 2803.
    private static func isDeclaration(_ type: BluetoothUUID) -> Bool {
        type.assignedNumber.map { 0x2800...0x2803 ~= $0 } ?? false
    }

    private mutating func readBlob(
        _ handle: UInt16, _ offset: Int, _ part: ArraySlice<UInt8>, _ emit: (Finding) -> Void
    ) {
        guard var known = longValue, known.handle == handle, known.octets.count == offset, !part.isEmpty,
            offset + part.count <= Self.valueLimit
        else { return }
        known.octets += part
        longValue = known
        emit(.value(handle: handle, known.octets, .read))
    }
}

/// The known characteristics of a peripheral's handles.
public struct AttributeNames: Hashable, Sendable {
    /// The greatest number of handles, and of services, kept per peripheral.
    private static let limit = 1024

    private var named: [UInt16: BluetoothUUID] = [:]
    /// The services that the peripheral has.
    public private(set) var services: [BluetoothUUID] = []

    public init() {}

    /// The characteristic of a handle.
    public subscript(handle handle: UInt16) -> BluetoothUUID? { named[handle] }

    public var characteristics: [BluetoothUUID] { Array(named.values) }

    public var isEmpty: Bool { named.isEmpty && services.isEmpty }

    /// Sets the characteristic of a handle; a later one replaces it.
    public mutating func name(_ handle: UInt16, _ characteristic: BluetoothUUID) {
        guard named.count < Self.limit || named[handle] != nil else { return }
        named[handle] = characteristic
    }

    /// Adds a service.
    ///
    /// - Returns: Whether it is a new one.
    mutating func add(_ service: BluetoothUUID) -> Bool {
        guard services.count < Self.limit, !services.contains(service) else { return false }
        services.append(service)
        return true
    }
}
