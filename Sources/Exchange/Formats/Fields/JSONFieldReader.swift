import Base
import JSON
import VitalDecoders
import Vitals

/// Why an object cannot be used: which field, and what is wrong with it.
public struct JSONFieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The members of an object in a message, each checked when it is read.
///
/// Members are looked up by name, so unknown ones are ignored: a newer version may add some.
package struct JSONFieldReader {
    private let object: JSON5Value

    /// Parses a payload.
    package init(_ payload: [UInt8], atMost limit: Int) throws(JSONFieldError) {
        guard payload.count <= limit else {
            throw JSONFieldError("it has \(payload.count) bytes, and \(limit) are the most")
        }
        let value: JSON5Value
        do {
            value = try JSON5Parser.parse(payload, .json)
        } catch {
            throw JSONFieldError("invalid JSON, \(error)")
        }
        try self.init(value, "message")
    }

    package init(_ value: JSON5Value, _ name: String) throws(JSONFieldError) {
        guard value.members != nil else { throw JSONFieldError("\(name) is \(value.kind), not an object") }
        object = value
    }

    /// The member, unless it is missing or null.
    package func present(_ key: String) -> JSON5Value? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    package func wrong(_ key: String, _ expected: String) -> JSONFieldError {
        JSONFieldError("\(key) is not \(expected)")
    }

    package func required<Value>(_ key: String, _ value: Value?) throws(JSONFieldError) -> Value {
        guard let value else { throw JSONFieldError("\(key) is missing") }
        return value
    }

    package func integer(_ key: String, in range: ClosedRange<Int64>) throws(JSONFieldError) -> Int64? {
        guard let value = present(key) else { return nil }
        guard let whole = value.whole, range.contains(Int64(whole)) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int64(whole)
    }

    package func requiredInteger(_ key: String, in range: ClosedRange<Int64>) throws(JSONFieldError) -> Int64 {
        try required(key, integer(key, in: range))
    }

    /// A value of a vital in hundredths, rounded.
    package func value(_ key: String) throws(JSONFieldError) -> VitalValue? {
        guard let value = present(key) else { return nil }
        return try Self.hundredths(value, key)
    }

    /// A number that is not negative, rounded to a fraction such as hundredths.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - parts: How many parts one has.
    package func parts(_ key: String, of parts: Double) throws(JSONFieldError) -> Int? {
        guard let value = present(key) else { return nil }
        guard let number = value.number, (0...1e9).contains(number) else { throw wrong(key, "a number up to 1e9") }
        return Int((number * parts).rounded())
    }

    package static func hundredths(_ value: JSON5Value, _ key: String) throws(JSONFieldError) -> VitalValue {
        guard let number = value.number, number.isFinite, abs(number) < 100_000 else {
            throw JSONFieldError("\(key) is not a number that a vital has")
        }
        return VitalValue(hundredths: Int((number * 100).rounded()))
    }

    package func flag(_ key: String) throws(JSONFieldError) -> Bool {
        guard let value = present(key) else { return false }
        guard let flag = value.boolean else { throw wrong(key, "true or false") }
        return flag
    }

    /// A text without control characters, cut to a length.
    package func text(_ key: String, limit: Int) throws(JSONFieldError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.text else { throw wrong(key, "a text") }
        return sanitized(text, limit: limit)
    }

    package func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type) throws(JSONFieldError) -> Word?
    where Word.RawValue == String {
        guard let value = present(key) else { return nil }
        guard let text = value.text, let word = Word(rawValue: text) else { throw wrong(key, "one of the known words") }
        return word
    }

    package func requiredWord<Word: RawRepresentable>(_ key: String, _ type: Word.Type) throws(JSONFieldError) -> Word
    where Word.RawValue == String {
        try required(key, word(key, type))
    }

    package func timeIfPresent(_ key: String) throws(JSONFieldError) -> Int64? {
        present(key) == nil ? nil : try time(key)
    }

    package func time(_ key: String) throws(JSONFieldError) -> Int64 {
        let value = try required(key, present(key))
        guard let text = value.text, let time = wallMilliseconds(ofTimestamp: text),
            RecordEntry.wallTimes.contains(time)
        else { throw wrong(key, "a time such as 2026-01-02T03:04:05.678Z") }
        return time
    }

    package func object(_ key: String) throws(JSONFieldError) -> JSONFieldReader? {
        guard let value = present(key) else { return nil }
        return try JSONFieldReader(value, key)
    }

    /// The elements of a list; an absent list is empty.
    package func elements(_ key: String, atMost limit: Int) throws(JSONFieldError) -> [JSON5Value] {
        guard let value = present(key) else { return [] }
        guard let elements = value.elements else { throw wrong(key, "a list") }
        guard elements.count <= limit else {
            throw JSONFieldError("\(key) has \(elements.count) elements, and \(limit) are the most")
        }
        return elements
    }

    /// The elements of a list as objects.
    package func objects(_ key: String, atMost limit: Int) throws(JSONFieldError) -> [JSONFieldReader] {
        var objects: [JSONFieldReader] = []
        for element in try elements(key, atMost: limit) {
            objects.append(try JSONFieldReader(element, "element of \(key)"))
        }
        return objects
    }
}

extension JSONFieldReader: FieldCoder {
    package func missing(_ key: String) throws(JSONFieldError) { throw JSONFieldError("\(key) is missing") }

    package func text(_ key: String, _ value: inout String?, limit: Int) throws(JSONFieldError) {
        value = try text(key, limit: limit)
    }

    package func integer(
        _ key: String, _ value: inout Int64?, in range: ClosedRange<Int64>
    ) throws(JSONFieldError) {
        value = try integer(key, in: range)
    }

    package func flag(_ key: String, _ value: inout Bool) throws(JSONFieldError) { value = try flag(key) }

    package func word<Word: RawRepresentable>(_ key: String, _ value: inout Word?) throws(JSONFieldError)
    where Word.RawValue == String {
        value = try word(key, Word.self)
    }

    package func value(_ key: String, _ value: inout VitalValue?) throws(JSONFieldError) {
        value = try self.value(key)
    }

    package func time(_ key: String, _ value: inout Int64?) throws(JSONFieldError) { value = try timeIfPresent(key) }

    package func object<Value: FieldCodable>(_ key: String, _ value: inout Value?) throws(JSONFieldError) {
        value = try object(key).map { (fields) throws(JSONFieldError) in try fields.read(Value.self) }
    }

    /// Reads a value from the fields of this object.
    package func read<Value: FieldCodable>(_ type: Value.Type) throws(JSONFieldError) -> Value {
        var (fields, value) = (self, Value.unread)
        try value.code(&fields)
        return value
    }
}

extension JSONWriter {
    /// Writes the fields of a decoded value as an object.
    public mutating func fields(_ fields: [Field]) {
        beginObject()
        for field in fields {
            key(field.name)
            value(field.value)
        }
        endObject()
    }

    /// Writes the value of a field; an absent one is `null`.
    public mutating func value(_ value: FieldValue) {
        switch value {
        case .absent: null()
        case .bool(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .decimal(let number): decimal(number)
        case .text(let text): string(text)
        case .list(let values):
            beginArray()
            for element in values {
                self.value(element)
            }
            endArray()
        case .object(let members): fields(members)
        }
    }
}

extension JSONWriter {
    /// Writes a decimal number exactly, without trailing zeros.
    public mutating func decimal(_ number: DecimalNumber) {
        verbatimNumber { number.appendText(to: &$0) }
    }

    /// Writes an integer of hundredths as a number, such as `37.6` for 3760.
    public mutating func hundredths(_ number: Int) {
        decimal(DecimalNumber(Int64(number), exponent: -2))
    }

    /// Writes an integer of thousandths as a number, such as `12.5` for 12500.
    public mutating func thousandths(_ number: Int) {
        decimal(DecimalNumber(Int64(number), exponent: -3))
    }
}
