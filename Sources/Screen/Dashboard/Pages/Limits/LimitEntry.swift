import Base
import Entries
import Monitoring
import Vitals
import Wording

/// A typed limit: "90", "off", "38.5 high", "90 medium 15 s"; a rate of change: "20 in 60 s"; the time of a flat line:
/// "5 min".
///
/// Omitted parts stay unchanged.
enum LimitEntry {
    /// Why an entry was refused; the description is a sentence with the expected form.
    struct EntryError: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - text: The typed text; a temperature in the shown unit.
    ///   - present: The present rule.
    static func setting(
        _ text: String, of vital: Vital, present: LimitSetting, unit: DisplayUnits
    ) throws(EntryError) -> LimitSetting {
        let words = text.lowercased().split(separator: " ").map(String.init)
        let isFahrenheit = vital.isTemperature && unit.temperature == .fahrenheit
        let isMolar = vital == .glucose && unit.glucose == .millimolesPerLitre
        switch present {
        case .limit(let kind, var limit):
            let rest = try value(words, of: vital, isMolar: isMolar, &limit.value) {
                isFahrenheit ? celsius($0 - 3200) : isMolar ? milligrams($0) : $0
            }
            try details(rest, example: example(of: present.name), &limit.priority, &limit.delay)
            return .limit(kind, limit)
        case .fall(let fall): return .fall(try change(words, of: vital, fall, isFahrenheit, isMolar))
        case .rise(let rise): return .rise(try change(words, of: vital, rise, isFahrenheit, isMolar))
        case .flatLine: return .flatLine(try flatLine(words))
        }
    }

    /// The permitted forms, for the line above the input.
    static func explanation(of name: LimitSetting.Name) -> String {
        switch name {
        case .severeLow, .low, .high, .severeHigh:
            "A value, or off; optional: a priority and a delay, such as \(example(of: name))."
        case .fall, .rise:
            "By how much and within what time, or off; optional: a priority, such as \(example(of: name))."
        case .flatLine: "How long without any change is too long: \(example(of: name)); or off."
        }
    }

    /// The text that is read as this rule.
    static func text(_ setting: LimitSetting, of vital: Vital, unit: DisplayUnits) -> String {
        switch setting {
        case .limit(_, let limit):
            limit.value.map { ValueText(unit).limit($0, of: vital) } ?? "off"
        case .fall(let change), .rise(let change):
            change.amount.map {
                "\(ValueText(unit).difference($0, of: vital)) in \(time(change.within))"
            } ?? "off"
        case .flatLine(let duration): duration.map(time) ?? "off"
        }
    }

    /// A length of time as it can be typed: "90 s", "5 min".
    static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return seconds >= 120 && seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private static func example(of name: LimitSetting.Name) -> String {
        switch name {
        case .severeLow, .low, .high, .severeHigh: "90 medium 15 s"
        case .fall, .rise: "20 in 60 s high"
        case .flatLine: "5 min"
        }
    }

    // MARK: Parts

    /// Removes the number, or "off", from the beginning.
    private static func value(
        _ words: [String], of vital: Vital, isMolar: Bool, _ value: inout VitalValue?, convert: (Int) -> Int
    ) throws(EntryError) -> ArraySlice<String> {
        guard let first = words.first else { throw EntryError(description: "Type a number, or off.") }
        if first == "off" {
            value = nil
        } else if let hundredths = ExactDecimal(first, .typed(digits: 4, decimals: 2))?.scaled(decimals: 2) {
            // The settings file stores them as whole numbers, too.
            guard vital.isTemperature || isMolar || hundredths.isMultiple(of: 100) else {
                throw EntryError(description: "Rates and saturation are whole numbers. Type for example 90, or off.")
            }
            value = VitalValue(hundredths: convert(hundredths))
        } else {
            throw EntryError(description: "“\(sanitized(first, limit: 16))” is no number. Type for example 90, or off.")
        }
        return words.dropFirst()
    }

    /// Removes a priority and a length of time, in any order.
    private static func details(
        _ words: ArraySlice<String>, example: String, _ priority: inout AlarmPriority, _ time: inout Duration
    ) throws(EntryError) {
        var words = words
        while let word = words.popFirst() {
            if let wanted = AlarmPriority(rawValue: word) {
                priority = wanted
                continue
            }
            guard let length = duration(word, &words) else {
                throw EntryError(
                    description: "“\(sanitized(word, limit: 16))” is neither a priority (low, medium, high) "
                        + "nor a time. Type for example \(example).")
            }
            time = length
        }
    }

    private static func change(
        _ words: [String], of vital: Vital, _ present: ChangeLimit, _ isFahrenheit: Bool, _ isMolar: Bool
    ) throws(EntryError) -> ChangeLimit {
        var change = present
        let rest = try value(words, of: vital, isMolar: isMolar, &change.amount) {
            isFahrenheit ? celsius($0) : isMolar ? milligrams($0) : $0
        }
        let said = rest.filter { $0 != "in" && $0 != "within" }
        try details(said[...], example: example(of: .fall), &change.priority, &change.within)
        return change
    }

    private static func flatLine(_ words: [String]) throws(EntryError) -> Duration? {
        var rest = words[...]
        guard let first = rest.popFirst() else { throw EntryError(description: "Type a time such as 5 min, or off.") }
        if first == "off", rest.isEmpty { return nil }
        guard let length = duration(first, &rest), rest.isEmpty else {
            throw EntryError(
                description: "“\(sanitized(first, limit: 16))” is no time. Type for example 5 min, or off.")
        }
        return length
    }

    /// Converts a difference in hundredths of a degree Fahrenheit to hundredths of a degree Celsius, rounded half away
    /// from zero.
    private static func celsius(_ fahrenheit: Int) -> Int {
        let ninths = fahrenheit * 5
        return (ninths + (ninths < 0 ? -4 : 4)) / 9
    }

    /// Converts hundredths of mmol/L to hundredths of mg/dL, in whole mg/dL.
    private static func milligrams(_ molar: Int) -> Int {
        (GlucoseConcentrationUnit.milligrams(hundredthsOfMillimoles: molar) + 50) / 100 * 100
    }

    /// A duration in one word or two: "15s", "15", "2 min"; removes the second word.
    private static func duration(_ word: String, _ rest: inout ArraySlice<String>) -> Duration? {
        for (unit, seconds) in [("min", 60), ("s", 1)] where word.hasSuffix(unit) {
            return wholeNumber(word.dropLast(unit.count), digits: 4).map { .seconds($0 * seconds) }
        }
        guard let number = wholeNumber(word, digits: 4) else { return nil }
        guard let unit = rest.first, ["s", "min"].contains(unit) else { return .seconds(number) }
        rest.removeFirst()
        return .seconds(number * (unit == "min" ? 60 : 1))
    }
}
