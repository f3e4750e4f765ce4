import Base
import JSON

/// Reads, prints, checks and steps the values of a setting.
public struct SettingCodec<Value: Hashable & Sendable>: Sendable {
    /// The allowed values, for messages and documents, such as `a whole number from 1 to 60`.
    let expectation: String
    /// The allowed words, if only words are allowed.
    let choices: [String]
    /// The unit of numbers, as shown; may be empty.
    let unit: String
    /// Reads a value from a file.
    let read: @Sendable (ConfigurationValue) throws(SettingError) -> Value
    /// The form of a value in a file.
    let write: @Sendable (Value) -> ConfigurationValue
    /// The value some steps further, within the allowed range; `nil` without steps.
    let step: @Sendable (Value, Int) -> Value?

    init(
        _ expectation: String, choices: [String] = [], unit: String = "",
        read: @escaping @Sendable (ConfigurationValue) throws(SettingError) -> Value,
        write: @escaping @Sendable (Value) -> ConfigurationValue,
        step: @escaping @Sendable (Value, Int) -> Value? = { _, _ in nil }
    ) {
        self.expectation = expectation
        self.choices = choices
        self.unit = unit
        self.read = read
        self.write = write
        self.step = step
    }

    /// The same codec for another type.
    func map<Other: Hashable & Sendable>(
        _ to: @escaping @Sendable (Value) -> Other, from: @escaping @Sendable (Other) -> Value
    ) -> SettingCodec<Other> {
        SettingCodec<Other>(
            expectation, choices: choices, unit: unit,
            read: { [read] value throws(SettingError) in to(try read(value)) },
            write: { [write] in write(from($0)) },
            step: { [step] value, count in step(from(value), count).map(to) })
    }

    /// The same codec, or the word `off` for no value.
    func orOff() -> SettingCodec<Value?> {
        SettingCodec<Value?>(
            "\(expectation), or \"off\"", choices: choices.isEmpty ? [] : choices + ["off"], unit: unit,
            read: { [self] value throws(SettingError) in
                if case .text(let text) = value, text.lowercased() == "off" { return nil }
                if case .boolean(false) = value {
                    throw SettingError("write \"off\" to switch it off, not false")
                }
                do throws(SettingError) {
                    return try read(value)
                } catch {
                    throw SettingError(unlessExpected: "\(expectation), or \"off\"", value, error)
                }
            },
            write: { [write] in $0.map(write) ?? .text("off") },
            step: { [step] value, count in value.map { step($0, count) } ?? nil })
    }
}

extension SettingCodec {
    /// The same codec with an additional word, such as `same`, for a value that is set elsewhere.
    func or(_ word: String) -> SettingCodec<Value?> {
        let expectation = "\(expectation), or \"\(word)\""
        return SettingCodec<Value?>(
            expectation, choices: choices.isEmpty ? [] : choices + [word], unit: unit,
            read: { [self] value throws(SettingError) in
                if case .text(let text) = value, text.lowercased() == word { return nil }
                do throws(SettingError) {
                    return try read(value)
                } catch {
                    throw SettingError(unlessExpected: expectation, value, error)
                }
            },
            write: { [write] in $0.map(write) ?? .text(word) },
            step: { [step] value, count in value.map { step($0, count) } ?? nil })
    }
}

/// Why a value is not allowed for a setting.
struct SettingError: Error, Hashable {
    /// The problem and the expected values, without a full stop.
    var reason: String
    /// Whether the sentence only names the expected values.
    private var isPlain = false

    init(_ reason: String) {
        self.reason = reason
    }

    init(expected: String, _ value: ConfigurationValue) {
        reason = "expected \(expected), found \(value.text)"
        isPlain = true
    }

    /// An unknown word, with the most similar allowed word, or else all of them.
    init(unknown what: String, _ word: String, among words: [String], expected: String) {
        let literal = ConfigurationValue.text(word).shownLiteral
        if let nearest = nearestWord(to: word, among: words) {
            self.init("there is no \(what) \(literal); did you mean \"\(nearest)\"?")
        } else {
            self.init("expected \(expected); found \(literal)")
        }
    }

    /// The same error with a wider expectation.
    init(unlessExpected expected: String, _ value: ConfigurationValue, _ refusal: SettingError) {
        self = refusal.isPlain ? SettingError(expected: expected, value) : refusal
    }
}
