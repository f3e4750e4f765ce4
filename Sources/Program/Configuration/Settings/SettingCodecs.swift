import Base
import JSON
import Vitals

/// The codecs of settings.
extension SettingCodec {
    /// A decimal number with this many decimals, stored as an integer in the unit of its last decimal.
    static func number(
        _ noun: String, _ range: ClosedRange<Int>, decimals: Int = 0, step: Int = 1
    ) -> SettingCodec<Int> {
        // At least one decimal is shown where decimals are allowed: 38.0.
        let written = { @Sendable (number: Int) in
            ExactDecimal(significand: number, decimals: decimals).shortened(toDecimals: min(1, decimals))
        }
        let expectation = "\(noun) from \(written(range.lowerBound).text) to \(written(range.upperBound).text)"
        return SettingCodec<Int>(
            expectation, unit: units.first { noun.holds($0.word) }?.unit ?? "",
            read: { value throws(SettingError) in
                guard case .number(let number) = value else { throw SettingError(expected: expectation, value) }
                guard let scaled = number.scaled(decimals: decimals) else {
                    throw SettingError(
                        decimals == 0
                            ? "expected \(expectation), without decimals; found \(number.text)"
                            : "expected \(expectation), with at most \(decimals) decimals; found \(number.text)")
                }
                guard range.contains(scaled) else { throw SettingError(expected: expectation, value) }
                return scaled
            },
            write: { .number(written($0)) },
            step: { value, count in
                min(max(range.lowerBound, value.addingReportingOverflow(count * step).partialValue), range.upperBound)
            })
    }

    /// The units of numbers by a word of their noun.
    private static var units: [(word: String, unit: String)] {
        [
            ("°C", " °C"), ("percentage", " %"), ("beats a minute", "/min"), ("dBm", " dBm"), ("days", " days"),
            ("megabytes", " MB"),
        ]
    }

    /// A body temperature in °C, kept in hundredths.
    static func temperature(_ range: ClosedRange<Int>) -> SettingCodec<VitalValue> {
        difference("a temperature in °C", range)
    }

    /// A difference of temperatures, kept in hundredths.
    static func difference(_ noun: String, _ range: ClosedRange<Int>) -> SettingCodec<VitalValue> {
        SettingCodec<Int>.number(noun, range, decimals: 2, step: 10)
            .map({ VitalValue(hundredths: $0) }, from: \.hundredths)
    }

    /// A whole value of a vital, such as a rate or a saturation.
    static func whole(_ noun: String, _ range: ClosedRange<Int>) -> SettingCodec<VitalValue> {
        SettingCodec<Int>.number(noun, range).map({ VitalValue(whole: $0) }, from: { $0.hundredths / 100 })
    }

    /// A length of time.
    static func duration(_ range: ClosedRange<Duration>) -> SettingCodec<Duration> {
        let expectation =
            "a time from \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        return SettingCodec<Duration>(
            expectation,
            read: { value throws(SettingError) in
                let duration: Duration? =
                    switch value {
                    case .number(let number): DurationText.duration(number.text, allowingZero: true)
                    case .text(let text): DurationText.duration(text, allowingZero: true)
                    default: nil
                    }
                guard let duration, range.contains(duration) else {
                    throw SettingError(expected: "\(expectation), such as \"15s\" or \"2min\"", value)
                }
                return duration
            },
            write: { .text(DurationText.text($0)) },
            step: { value, count in
                let size: Duration =
                    value >= .seconds(600) ? .seconds(60) : value >= .seconds(60) ? .seconds(10) : .seconds(1)
                return min(max(range.lowerBound, value + size * count), range.upperBound)
            })
    }

    static func yesOrNo() -> SettingCodec<Bool> {
        SettingCodec<Bool>(
            "true or false", choices: ["true", "false"],
            read: { value throws(SettingError) in
                switch value {
                case .boolean(let isTrue): return isTrue
                case .text(let text):
                    switch text.lowercased() {
                    case "on", "yes", "true": return true
                    case "off", "no", "false": return false
                    default: throw SettingError(expected: "true or false", value)
                    }
                default: throw SettingError(expected: "true or false", value)
                }
            },
            write: { .boolean($0) },
            step: { value, count in count.isMultiple(of: 2) ? value : !value })
    }

    /// One of the words of an enumeration.
    static func word<Word: RawRepresentable & CaseIterable & Hashable & Sendable>(
        _ type: Word.Type
    ) -> SettingCodec<Word> where Word.RawValue == String {
        let cases = Array(Word.allCases)
        let words = cases.map(\.rawValue)
        let expectation = Self.alternatives(words)
        return SettingCodec<Word>(
            expectation, choices: words,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else { throw SettingError(expected: expectation, value) }
                if let word = Word(rawValue: text.lowercased()) { return word }
                // A number is not a misspelled word: list all choices for 3m.
                let isNumber = text.contains(where: \.isNumber)
                guard !isNumber, let nearest = nearestWord(to: text, among: words) else {
                    throw SettingError(expected: expectation, value)
                }
                throw SettingError("unknown word \(value.shownLiteral); did you mean \"\(nearest)\"?")
            },
            write: { .text($0.rawValue) },
            step: { value, count in
                guard let index = cases.firstIndex(of: value) else { return nil }
                let next = (index + count) % cases.count
                return cases[next < 0 ? next + cases.count : next]
            })
    }

    /// A text of limited length, which may be empty.
    static func text(_ noun: String, limit: Int) -> SettingCodec<String> {
        SettingCodec<String>(
            noun,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else {
                    throw SettingError("expected \(noun) in double quotes, found \(value.text)")
                }
                return try checked(text, noun, limit)
            },
            write: { .text($0) })
    }

    /// A text of limited length that satisfies a condition.
    static func checkedText(
        _ noun: String, limit: Int, where isValid: @escaping @Sendable (String) -> Bool
    ) -> SettingCodec<String> {
        let form = text(noun, limit: limit)
        return SettingCodec<String>(
            noun,
            read: { value throws(SettingError) in
                let text = try form.read(value)
                guard isValid(text) else { throw SettingError(expected: noun, value) }
                return text
            },
            write: { .text($0) })
    }

    /// Several texts.
    static func texts(
        _ noun: String, limit: Int, count: Int, emptyAllowed: Bool = false
    ) -> SettingCodec<[String]> {
        SettingCodec<[String]>(
            noun,
            read: { value throws(SettingError) in
                var texts: [String] = []
                switch value {
                case .text(let text): texts = [text]
                case .list where value.texts != nil: texts = value.texts ?? []
                default: throw SettingError("expected \(noun), such as [\"A\", \"B\"], found \(value.text)")
                }
                if texts.count > count { throw SettingError("expected at most \(count) texts, found \(texts.count)") }
                for text in texts {
                    if text.isEmpty, !emptyAllowed { throw SettingError("remove the empty text from the list") }
                    _ = try checked(text, noun, limit)
                }
                return texts
            },
            write: { .texts($0) })
    }

    /// A time of day in minutes after midnight.
    static func timeOfDay() -> SettingCodec<Int> {
        let expectation = "a time of day from \"00:00\" to \"23:59\""
        return SettingCodec<Int>(
            expectation,
            read: { value throws(SettingError) in
                guard case .text(let text) = value else { throw SettingError(expected: expectation, value) }
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }), parts[1].utf8.count == 2,
                    let hour = UInt(parts[0]), let minute = UInt(parts[1]), hour < 24, minute < 60,
                    !text.hasPrefix("+")
                else { throw SettingError(expected: expectation, value) }
                return Int(hour * 60 + minute)
            },
            write: { .text("\(twoDigits($0 / 60)):\(twoDigits($0 % 60))") },
            step: { value, count in
                let next = (value + count % 96 * 15) % 1440
                return next < 0 ? next + 1440 : next
            })
    }

    private static func alternatives(_ words: [String]) -> String {
        let quoted = words.map { "\"\($0)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}

private func checked(_ text: String, _ noun: String, _ limit: Int) throws(SettingError) -> String {
    if text.unicodeScalars.count > limit {
        throw SettingError("expected \(noun) of at most \(limit) characters, found \(text.unicodeScalars.count)")
    }
    if text.unicodeScalars.contains(where: {
        TOMLScanner.isControl($0) || (0x80..<0xA0).contains($0.value) || $0 == "\t" || $0 == "\n"
    }) {
        throw SettingError("expected \(noun) without control characters")
    }
    return text
}

private func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}
