import JSON

/// Writes and reads values as lines of JSON whose numbers are whole: all that Bedside's own words consist of.
///
/// Foundation's coder would double the program's memory and start-up time; and its numbers are not sure to be exact
/// beyond 2⁵³, which nanoseconds are.
public enum LinkCoder {
    /// Writes a value as one line, without the line feed at its end.
    ///
    /// - Throws: `EncodingError` for a number of a type that none of ours has.
    public static func line(_ value: some Encodable) throws -> [UInt8] {
        let slot = LinkSlot()
        try value.encode(to: LinkEncoder(slot: slot, codingPath: []))
        var writer = JSONWriter()
        slot.write(to: &writer)
        return writer.octets
    }

    /// Writes a value as one line with the line feed at its end, to be sent.
    ///
    /// - Returns: The octets; a line without a word for a value that ``line(_:)`` refuses, which nothing of ours is.
    public static func endedLine(_ value: some Encodable) -> [UInt8] {
        ((try? line(value)) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Reads a value from one line.
    ///
    /// - Throws: ``LinkError`` for what is no JSON of this kind, `DecodingError` for what is another value's.
    public static func value<Value: Decodable>(_ type: Value.Type, _ line: some Sequence<UInt8>) throws -> Value {
        let node = try LinkParser.parse(Array(line))
        return try Value(from: LinkDecoder(node: node, codingPath: []))
    }
}

/// Why a line cannot be read.
public struct LinkError: Error, Hashable, CustomStringConvertible {
    /// The offset of the octet in question.
    public var offset: Int
    /// What is wrong there.
    public var reason: String

    /// The mistake in one line.
    public var description: String { "octet \(offset): \(reason)" }
}

/// A key or a place within a value, for errors.
struct LinkKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
