/// Reads the fields of one characteristic value, in order, little-endian, never past the end.
///
/// The reader is a view: it neither copies nor keeps the octets, and reading numbers allocates nothing. The type of the
/// log decides what happens with the fields' names and meanings; with ``NoFieldLog`` they cost nothing.
public struct OctetReader<Log: FieldLog>: ~Copyable, ~Escapable {
    /// The whole value.
    @usableFromInline
    let octets: Span<UInt8>

    @usableFromInline
    var position: Int

    /// Information from other characteristics of this sensor.
    public let context: DecodingContext

    /// The log of the fields read so far.
    @inlinable
    public var log: Log { listener }

    @usableFromInline
    var listener: Log

    /// Creates a reader at the first octet of a value.
    ///
    /// - Parameters:
    ///   - octets: The value as sent by the sensor, of any length.
    ///   - context: Information from other characteristics of this sensor.
    ///   - log: The log of the fields.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>, context: DecodingContext, log: Log) {
        self.octets = octets
        self.context = context
        listener = log
        position = 0
    }

    /// The offset of the next octet to read; never greater than ``count``.
    @inlinable
    public var offset: Int { position }

    /// The number of unread octets.
    @inlinable
    public var remaining: Int { octets.count &- offset }

    /// The number of octets of the whole value.
    @inlinable
    public var count: Int { octets.count }

    /// Skips the next field and returns its offset.
    @inlinable @inline(__always)
    mutating func consume(
        _ size: Int, _ name: StaticString, _ presence: FieldPresence
    ) throws(MalformedValueError) -> Int {
        let start = offset
        guard remaining >= size else {
            throw .truncated(name, presence: presence, offset: start, needed: size, present: remaining)
        }
        position = start &+ size
        return start
    }

    /// Records a skipped field in the log.
    @inlinable @inline(__always)
    mutating func record(
        _ name: StaticString, _ format: StaticString, at start: Int, _ meaning: @autoclosure () -> String
    ) {
        listener.record(name, format, offset: start, count: offset &- start, meaning)
    }

    /// Explains the last field, if the log records meanings.
    @inlinable @inline(__always)
    public mutating func explain(_ meaning: @autoclosure () -> String) {
        listener.explain(meaning)
    }

    /// An octet of a skipped field, which is inside the value.
    @inlinable @inline(__always)
    func octet(_ place: Int) -> UInt8 {
        octets[unchecked: place]
    }

    @inlinable @inline(__always)
    func word16(at start: Int) -> UInt16 {
        UInt16(octet(start)) | UInt16(octet(start &+ 1)) << 8
    }

    @inlinable @inline(__always)
    func word32(at start: Int) -> UInt32 {
        UInt32(word16(at: start)) | UInt32(word16(at: start &+ 2)) << 16
    }
}

extension OctetReader {
    /// Reads an unsigned octet.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before it.
    @inlinable @inline(__always)
    public mutating func uint8(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt8 {
        let start = try consume(1, name, presence)
        let value = octet(start)
        record(name, "uint8", at: start, "\(value)")
        return value
    }

    /// Reads an unsigned 16-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func uint16(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt16 {
        let start = try consume(2, name, presence)
        let value = word16(at: start)
        record(name, "uint16", at: start, "\(value)")
        return value
    }

    /// Reads an unsigned 24-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func uint24(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt32 {
        let start = try consume(3, name, presence)
        let value = UInt32(word16(at: start)) | UInt32(octet(start &+ 2)) << 16
        record(name, "uint24", at: start, "\(value)")
        return value
    }

    /// Reads an unsigned 32-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func uint32(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt32 {
        let start = try consume(4, name, presence)
        let value = word32(at: start)
        record(name, "uint32", at: start, "\(value)")
        return value
    }

    /// Reads an unsigned 40-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func uint40(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt64 {
        let start = try consume(5, name, presence)
        let value = UInt64(word32(at: start)) | UInt64(octet(start &+ 4)) << 32
        record(name, "uint40", at: start, "\(value)")
        return value
    }

    /// Reads a signed octet.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before it.
    @inlinable @inline(__always)
    public mutating func int8(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> Int8 {
        let start = try consume(1, name, presence)
        let value = Int8(bitPattern: octet(start))
        record(name, "sint8", at: start, "\(value)")
        return value
    }

    /// Reads an unsigned 64-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func uint64(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> UInt64 {
        let start = try consume(8, name, presence)
        let value = UInt64(word32(at: start)) | UInt64(word32(at: start &+ 4)) << 32
        record(name, "uint64", at: start, "\(value)")
        return value
    }

    /// Reads a signed 16-bit integer.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func int16(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> Int16 {
        let start = try consume(2, name, presence)
        let value = Int16(bitPattern: word16(at: start))
        record(name, "sint16", at: start, "\(value)")
        return value
    }

    /// Reads a 32-bit FLOAT.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func float(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> MedicalFloat {
        let start = try consume(4, name, presence)
        let value = MedicalFloat(bitPattern: word32(at: start))
        record(name, "FLOAT", at: start, value.description)
        return value
    }

    /// Reads a 16-bit SFLOAT.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func shortFloat(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> MedicalShortFloat {
        let start = try consume(2, name, presence)
        let value = MedicalShortFloat(bitPattern: word16(at: start))
        record(name, "SFLOAT", at: start, value.description)
        return value
    }

    /// Reads the seven octets of a Date Time.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it.
    @inlinable @inline(__always)
    public mutating func dateTime(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> DateTime {
        let start = try consume(7, name, presence)
        let value = DateTime(
            year: word16(at: start), month: octet(start &+ 2), day: octet(start &+ 3), hour: octet(start &+ 4),
            minute: octet(start &+ 5), second: octet(start &+ 6))
        record(
            name, "Date Time", at: start, value.isPossible ? value.description : "\(value): no such date or time")
        return value
    }

    /// Reads a number from a list of assigned numbers.
    ///
    /// - Throws: ``MalformedValueError`` when the value ends before it.
    @inlinable @inline(__always)
    public mutating func assigned<Number: AssignedNumber>(
        _ name: StaticString, _ presence: FieldPresence = .required
    ) throws(MalformedValueError) -> Number where Number.RawValue == UInt8 {
        let number = Number(rawValue: try uint8(name, presence))
        explain("\(number.rawValue): \(number.name)")
        return number
    }

    /// Reads up to `limit` uninterpreted octets.
    public mutating func rest(_ name: StaticString, limit: Int = .max) -> [UInt8] {
        let start = offset
        let end = start + min(limit, remaining)
        var result: [UInt8] = []
        guard end > start else { return result }
        result.reserveCapacity(end - start)
        while offset < end {
            result.append(octets[offset])
            position += 1
        }
        record(name, "octets", at: start, "not looked into")
        return result
    }

    /// Reads an E2E-CRC and checks it.
    ///
    /// - Parameter start: The offset of the first octet that it covers; the last one is before the CRC.
    /// - Throws: ``MalformedValueError`` when the value ends before or inside it, or when it is wrong.
    public mutating func endToEndCRC(over start: Int) throws(MalformedValueError) -> UInt16 {
        let place = offset
        let expected = EndToEndCRC.checksum(octets.extracting(start..<place))
        let sent = try uint16("E2E-CRC")
        guard sent == expected else {
            throw MalformedValueError(
                offset: place,
                reason:
                    "the E2E-CRC is \(Self.hexadecimal(sent)), the octets before it give \(Self.hexadecimal(expected))")
        }
        explain("\(sent): right")
        return sent
    }

    /// Checks that the value ends here, as a characteristic of fixed length must.
    ///
    /// - Throws: ``MalformedValueError`` when octets are left over.
    public func expectEnd() throws(MalformedValueError) {
        if remaining > 0 { throw .leftOver(offset: offset, present: count) }
    }

    /// Reads the remaining octets as UTF-8 text, cut at the first NUL.
    ///
    /// - Throws: ``MalformedValueError`` when the text is not UTF-8.
    public mutating func text(_ name: StaticString) throws(MalformedValueError) -> String {
        let start = offset
        var end = start
        while end < octets.count, octets[end] != 0 {
            end += 1
        }
        let text: String
        do throws(UTF8.ValidationError) {
            text = String(copying: try UTF8Span(validating: octets.extracting(start..<end)))
        } catch {
            let place = start + error.byteOffsets.lowerBound
            throw MalformedValueError(
                offset: place, reason: "the \(name) is not UTF-8: \(Self.hexadecimal(octets[place])) cannot stand there"
            )
        }
        position = octets.count
        record(name, "UTF-8", at: start, text)
        return text
    }

    private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
        "0x" + String(number, radix: 16, uppercase: true)
    }
}

/// Information from other characteristics that is needed to decode a sensor's values.
public struct DecodingContext: Hashable, Sendable {
    /// Whether values of the Continuous Glucose Monitoring Service end in an E2E-CRC (CGM Feature, bit 12).
    ///
    /// `nil` when the feature was not read; then exactly two extra octets are taken for the CRC.
    public var endToEndCRC: Bool?

    @inlinable
    public init(endToEndCRC: Bool? = nil) {
        self.endToEndCRC = endToEndCRC
    }
}
