import JSON
import Vitals

/// Encodes and decodes messages as lines of JSON, whose times are plausible.
public enum LinkCoder {
    /// Encodes a value as one line without a line feed.
    ///
    /// - Throws: `EncodingError` for a number that is not an integer of a supported type.
    public static func line(_ value: some Encodable) throws -> [UInt8] {
        try JSONCoder.encode(value)
    }

    /// Encodes a value as one line with a line feed, for sending.
    ///
    /// - Returns: The bytes; an empty line for a value that ``line(_:)`` refuses, which no message does.
    public static func endedLine(_ value: some Encodable) -> [UInt8] {
        ((try? line(value)) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Decodes a value from one line.
    ///
    /// - Throws: `JSON5Error` for invalid JSON, `DecodingError` for JSON of another type or an implausible time.
    public static func value<Value: Decodable>(_ type: Value.Type, _ line: some Sequence<UInt8>) throws -> Value {
        try JSONCoder.decode(type, from: Array(line), isPlausible: LinkBounds.contains)
    }
}

/// The plausible times in a line; a line from another process may contain any number.
enum LinkBounds {
    /// A century, in milliseconds.
    private static let century: Int64 = 100 * 366 * 86_400_000
    private static let durations = Duration.milliseconds(-century)...Duration.milliseconds(century)
    // Some moments are calculated back from the present, to before the computer started.
    private static let nanoseconds = -century * 1_000_000...century * 1_000_000
    private static let milliseconds = -century...(3 * century)

    static func contains(_ moment: Moment) -> Bool {
        nanoseconds.contains(moment.monotonicNanoseconds) && milliseconds.contains(moment.wallMilliseconds)
    }

    /// Whether a value is a plausible time, or no time at all, so that calculations with it cannot overflow.
    static func contains(_ value: any Decodable) -> Bool {
        switch value {
        case let moment as Moment: contains(moment)
        case let duration as Duration: durations.contains(duration)
        default: true
        }
    }
}
