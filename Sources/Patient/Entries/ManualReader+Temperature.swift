import Base
import Monitoring
import Vitals
import Wording

// Temperatures, in the unit of the settings or in a typed one.
extension ManualReader {
    /// What can be entered, and what is entered without a question, in hundredths of a degree Celsius.
    private static let possible = Vital.bodyTemperature.measurable
    private static let usual = 3400...4100

    /// A temperature with or without its unit, and the site of the measurement.
    package static func temperature(_ words: [String], _ shown: TemperatureUnit) throws(EntryError) -> Finding {
        let example = example(of: .bodyTemperature, unit: shown)
        let number = words[0].prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        guard let value = hundredths(number) else {
            throw EntryError(
                description: "“\(sanitized(words[0], limit: 16))” is not a temperature. Type for example \(example).")
        }
        var unit: TemperatureUnit?
        var site: BodySite?
        for word in [String(words[0].dropFirst(number.count))] + words.dropFirst() where !word.isEmpty {
            if let named = Self.unit(word), unit == nil {
                unit = named
            } else if let named = Self.site(word), site == nil {
                site = named
            } else {
                throw stranger(word, example)
            }
        }
        return try evaluate(value, unit: unit ?? shown, isSaid: unit != nil, site: site)
    }

    private static func evaluate(
        _ value: Int, unit: TemperatureUnit, isSaid: Bool, site: BodySite?
    ) throws(EntryError) -> Finding {
        func finding(_ celsius: Int, _ question: String?) -> Finding {
            Finding(
                content: .vital(.bodyTemperature, VitalValue(hundredths: celsius), site: site), question: question)
        }
        let typed = "\(text(value)) \(unit.sign)"
        let celsius = unit == .celsius ? value : self.celsius(value)
        if possible.contains(celsius) {
            return finding(celsius, usual.contains(celsius) ? nil : "\(typed) is unusual. Is it right?")
        }
        if !isSaid {
            // The number is plausible in the other unit: ask, do not guess.
            let other = unit.other
            let meant = other == .celsius ? value : self.celsius(value)
            if possible.contains(meant) {
                let shown = ValueText(DisplayUnits(temperature: unit)).digits(
                    VitalValue(hundredths: meant), of: .bodyTemperature)
                return finding(
                    meant,
                    "\(typed) is not possible. Did you mean \(text(value)) \(other.sign) (\(shown) \(unit.sign))?")
            }
            let tenth = unit == .celsius ? value / 10 : self.celsius(value / 10)
            if value % 100 == 0, possible.contains(tenth) {
                return finding(tenth, "\(typed) is not possible. Did you mean \(text(value / 10)) \(unit.sign)?")
            }
        }
        let ends = [possible.lowerBound, possible.upperBound].map {
            ValueText(DisplayUnits(temperature: unit)).digits(VitalValue(hundredths: $0), of: .bodyTemperature)
        }
        throw EntryError(
            description:
                "\(typed) is not a possible body temperature: \(ends[0]) to \(ends[1]) \(unit.sign) can be "
                + "entered.")
    }

    private static func unit(_ word: String) -> TemperatureUnit? {
        switch word.lowercased() {
        case "c", "°c", "celsius": .celsius
        case "f", "°f", "fahrenheit": .fahrenheit
        default: nil
        }
    }

    /// The site of a temperature in common nursing terms.
    private static func site(_ word: String) -> BodySite? {
        switch word.lowercased() {
        case "mouth", "oral", "m": .mouth
        case "armpit", "axilla", "axillary", "a": .armpit
        case "ear", "e": .ear
        case "tympanum", "tympanic": .tympanum
        case "rectum", "rectal", "r": .rectum
        case "skin": .skin
        case "forehead", "temporal", "other": .other
        default: nil
        }
    }

    /// A number with at most two decimals, with a point or a comma, in hundredths.
    package static func hundredths(_ word: some StringProtocol) -> Int? {
        ExactDecimal(word, .typed(digits: 4, decimals: 2))?.scaled(decimals: 2)
    }

    /// Converts hundredths of a degree Fahrenheit to Celsius, rounded half away from zero.
    private static func celsius(_ fahrenheit: Int) -> Int {
        let ninefold = (fahrenheit - 3200) * 5
        return (ninefold + (ninefold < 0 ? -4 : 4)) / 9
    }

    /// A number in its typed form, with at least one decimal.
    private static func text(_ hundredths: Int) -> String {
        let rest = hundredths % 10
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(rest == 0 ? "" : "\(rest)")"
    }
}
