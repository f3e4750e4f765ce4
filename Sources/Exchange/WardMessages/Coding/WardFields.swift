import Base
import Formats
import JSON
import Vitals

/// Why a message cannot be used: the field, and the error.
public struct WardMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The members of an object in a message, each checked when it is read.
///
/// Members are looked up by name, so unknown ones are ignored: a newer version may add some.
struct WardFields {
    private let object: JSON5Value

    /// Parses a payload.
    init(_ payload: [UInt8], atMost limit: Int) throws(WardMessageError) {
        guard payload.count <= limit else {
            throw WardMessageError("it has \(payload.count) bytes, and \(limit) are the most")
        }
        let value: JSON5Value
        do {
            value = try JSON5Parser.parse(payload, .json)
        } catch {
            throw WardMessageError("invalid JSON, \(error)")
        }
        try self.init(value, "message")
    }

    init(_ value: JSON5Value, _ name: String) throws(WardMessageError) {
        guard value.members != nil else { throw WardMessageError("\(name) is \(value.kind), not an object") }
        object = value
    }

    /// The member, unless it is missing or null.
    private func present(_ key: String) -> JSON5Value? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    private func wrong(_ key: String, _ expected: String) -> WardMessageError {
        WardMessageError("\(key) is not \(expected)")
    }

    func required<Value>(_ key: String, _ value: Value?) throws(WardMessageError) -> Value {
        guard let value else { throw WardMessageError("\(key) is missing") }
        return value
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(WardMessageError) -> Int64? {
        guard let value = present(key) else { return nil }
        guard let whole = value.whole, range.contains(Int64(whole)) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int64(whole)
    }

    func requiredInteger(_ key: String, in range: ClosedRange<Int64>) throws(WardMessageError) -> Int64 {
        try required(key, integer(key, in: range))
    }

    /// A value of a vital in hundredths, rounded.
    func value(_ key: String) throws(WardMessageError) -> VitalValue? {
        guard let value = present(key) else { return nil }
        return try Self.hundredths(value, key)
    }

    /// A non-negative number in fixed fractions of one, rounded.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - parts: The number of fractions in one.
    func parts(_ key: String, of parts: Double) throws(WardMessageError) -> Int? {
        guard let value = present(key) else { return nil }
        guard let number = value.number, (0...1e9).contains(number) else { throw wrong(key, "a number up to 1e9") }
        return Int((number * parts).rounded())
    }

    static func hundredths(_ value: JSON5Value, _ key: String) throws(WardMessageError) -> VitalValue {
        guard let number = value.number, number.isFinite, abs(number) < 100_000 else {
            throw WardMessageError("\(key) is not a number that a vital has")
        }
        return VitalValue(hundredths: Int((number * 100).rounded()))
    }

    func flag(_ key: String) throws(WardMessageError) -> Bool {
        guard let value = present(key) else { return false }
        guard let flag = value.boolean else { throw wrong(key, "true or false") }
        return flag
    }

    /// A text without control characters, cut to a length.
    func text(_ key: String, limit: Int) throws(WardMessageError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.text else { throw wrong(key, "a text") }
        return sanitized(text, limit: limit)
    }

    func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type) throws(WardMessageError) -> Word?
    where Word.RawValue == String {
        guard let value = present(key) else { return nil }
        guard let text = value.text, let word = Word(rawValue: text) else { throw wrong(key, "one of the known words") }
        return word
    }

    func requiredWord<Word: RawRepresentable>(_ key: String, _ type: Word.Type) throws(WardMessageError) -> Word
    where Word.RawValue == String {
        try required(key, word(key, type))
    }

    func token(_ key: String) throws(WardMessageError) -> WardToken? {
        guard let value = present(key) else { return nil }
        guard let token = value.text.flatMap({ WardToken($0) }) else { throw wrong(key, "a name: \(WardToken.rule)") }
        return token
    }

    func requiredToken(_ key: String) throws(WardMessageError) -> WardToken {
        try required(key, token(key))
    }

    func timeIfPresent(_ key: String) throws(WardMessageError) -> Int64? {
        present(key) == nil ? nil : try time(key)
    }

    func time(_ key: String) throws(WardMessageError) -> Int64 {
        let value = try required(key, present(key))
        guard let text = value.text, let time = wallMilliseconds(ofTimestamp: text),
            WardBounds.wallMilliseconds.contains(time)
        else { throw wrong(key, "a time such as 2026-01-02T03:04:05.678Z") }
        return time
    }

    func object(_ key: String) throws(WardMessageError) -> WardFields? {
        guard let value = present(key) else { return nil }
        return try WardFields(value, key)
    }

    /// The elements of a list; an absent list is empty.
    func elements(_ key: String, atMost limit: Int) throws(WardMessageError) -> [JSON5Value] {
        guard let value = present(key) else { return [] }
        guard let elements = value.elements else { throw wrong(key, "a list") }
        guard elements.count <= limit else {
            throw WardMessageError("\(key) has \(elements.count) elements, and \(limit) are the most")
        }
        return elements
    }

    /// The elements of a list as objects.
    func objects(_ key: String, atMost limit: Int) throws(WardMessageError) -> [WardFields] {
        var objects: [WardFields] = []
        for element in try elements(key, atMost: limit) { objects.append(try WardFields(element, "element of \(key)")) }
        return objects
    }

    /// The key of a recorded row.
    func historyKey(_ key: String) throws(WardMessageError) -> WardHistoryKey {
        let parts = try elements(key, atMost: 3)
        guard parts.count == 3, let store = parts[0].text.flatMap({ WardToken($0) }), let wall = parts[1].whole,
            let number = parts[2].whole, WardBounds.wallMilliseconds.contains(Int64(wall)),
            WardBounds.counts.contains(Int64(number))
        else { throw wrong(key, "the key of a row") }
        return WardHistoryKey(store: store, wallMilliseconds: Int64(wall), number: Int64(number))
    }
}
