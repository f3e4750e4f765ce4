import Monitoring
import Vitals

/// What somebody typed as a limit: "90", "off", "38.5 high", "90 medium 15 s".
///
/// What is not said stays as it is.
enum LimitEntry {
    /// Why an entry was refused; the description is a sentence that says what to type instead.
    struct Refusal: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - text: What was typed; a temperature in the unit that is shown.
    ///   - present: The limit that holds.
    static func limit(
        _ text: String, of vital: Vital, present: AlarmLimit, unit: TemperatureUnit
    ) throws(Refusal) -> AlarmLimit {
        var words = text.lowercased().split(separator: " ").map(String.init)
        guard !words.isEmpty else { throw Refusal(description: "Type a number, or off.") }
        var limit = present
        let first = words.removeFirst()
        if first == "off" {
            limit.value = nil
        } else if let hundredths = hundredths(first) {
            let isFahrenheit = vital.isTemperature && unit == .fahrenheit
            limit.value = VitalValue(hundredths: isFahrenheit ? celsius(hundredths) : hundredths)
        } else {
            throw Refusal(description: "“\(harmlessText(first, limit: 16))” is no number. Type for example 90, or off.")
        }
        while !words.isEmpty {
            let word = words.removeFirst()
            if let priority = AlarmPriority(rawValue: word) {
                limit.priority = priority
                continue
            }
            let next = words.first.flatMap { ["s", "min"].contains($0) ? $0 : nil }
            guard let delay = delay(word, unit: next) else {
                throw Refusal(
                    description: "“\(harmlessText(word, limit: 16))” is neither a priority (low, medium, high) "
                        + "nor a delay. Type for example 90 medium 15 s.")
            }
            if next != nil { words.removeFirst() }
            limit.delay = delay
        }
        return limit
    }

    /// The text that gives a limit back.
    static func text(_ limit: AlarmLimit, of vital: Vital, unit: TemperatureUnit) -> String {
        limit.value.map { ValueText(temperatureUnit: unit).limit($0, of: vital) } ?? "off"
    }

    /// A number with at most two decimals, with a point or a comma, in hundredths.
    private static func hundredths(_ word: String) -> Int? {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard parts.count <= 2, let whole = digits(parts[0], atMost: 4) else { return nil }
        guard parts.count == 2 else { return whole * 100 }
        guard let fraction = digits(parts[1], atMost: 2) else { return nil }
        return whole * 100 + (parts[1].count == 1 ? fraction * 10 : fraction)
    }

    /// Hundredths of a degree Celsius, rounded half away from zero, of hundredths of a degree Fahrenheit.
    private static func celsius(_ fahrenheit: Int) -> Int {
        let ninths = (fahrenheit - 3200) * 5
        return (ninths + (ninths < 0 ? -4 : 4)) / 9
    }

    private static func delay(_ word: String, unit: String?) -> Duration? {
        if unit == nil, word.hasSuffix("min") { return delay(String(word.dropLast(3)), unit: "min") }
        if unit == nil, word.hasSuffix("s") { return delay(String(word.dropLast()), unit: "s") }
        return digits(word[...], atMost: 4).map { .seconds(unit == "min" ? $0 * 60 : $0) }
    }

    private static func digits(_ text: Substring, atMost limit: Int) -> Int? {
        guard (1...limit).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(text)
    }
}
