import Base
import Monitoring
import Vitals
import Wording

/// Reads a typed measurement: "38.4 mouth -15m", "72 03:10", "120/80 pulse 72", a note.
///
/// Impossible values are refused with a sentence. Rare values are confirmed by a question, and so are numbers that are
/// plausible only in the other unit.
public enum ManualReader {
    /// The result of reading an entry.
    public enum Outcome: Hashable, Sendable {
        /// The entry is accepted.
        case entry(RecordEntry)
        /// The entry is accepted if the user answers a question with yes.
        case question(String, RecordEntry)
        /// The previous neutrophil count is withdrawn.
        case withdrawn
    }

    /// Why an entry was refused; the description is a sentence that says what to type instead.
    public struct EntryError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        public init(_ description: String) { self.description = description }

        package init(description: String) { self.description = description }
    }

    /// A value without its time.
    package struct Finding {
        package var content: RecordEntry.Content
        /// The question to ask before it is accepted.
        package var question: String?
    }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - text: The typed text.
    ///   - kind: The kind of the entry.
    ///   - unit: The unit of a temperature typed without one.
    ///   - now: The present, also used as the time of an entry without one.
    ///   - timeZone: The local time's offset from UTC, with its changes within the last two weeks.
    ///   - usual: The time of the measurement if none is typed; `nil` for now.
    /// - Throws: ``EntryError`` with a sentence.
    public static func read(
        _ text: String, as kind: RecordEntry.Kind, unit: TemperatureUnit, now: Moment, timeZone: LocalTimeZone,
        measuredAt usual: Moment? = nil
    ) throws(EntryError) -> Outcome {
        if kind == .neutrophils { return try neutrophils(text, now, timeZone, usual) }
        // "wbc=1.2" means the same as "wbc 1.2", except in a note, whose text is kept unchanged.
        var words = text.split { $0.isWhitespace || $0 == "=" && kind != .note }.map(String.init)
        let group = kind.traits.group
        let clock = ManualTime(now: now, timeZone: timeZone, days: [.vitals, .notes].contains(group) ? 1 : 14)
        let taken =
            switch group {
            case .notes: try clock.takeFirst(of: &words)
            case .labs, .medication, .symptoms: try clock.consumeWithDate(from: &words)
            case .vitals: try clock.consume(from: &words)
            }
        guard !words.isEmpty else {
            throw EntryError(description: "Nothing is typed yet. Type for example \(example(of: kind, unit: unit)).")
        }
        let finding = try finding(words, as: kind, unit: unit)
        var entry = RecordEntry(finding.content, taken: taken ?? usual, enteredAt: now)
        entry.keepTyped(words.joined(separator: " "), DisplayUnits(temperature: unit))
        return finding.question.map { .question($0, entry) } ?? .entry(entry)
    }

    /// Reads an entry without its time, for imported files.
    ///
    /// - Parameters:
    ///   - text: The text, as it would be typed.
    ///   - kind: The kind of the entry; a neutrophil count is read as a blood count.
    ///   - unit: The unit of a temperature given without one.
    /// - Returns: The content, and the question about it if it is rare.
    /// - Throws: ``EntryError`` with a sentence.
    public static func content(
        _ text: String, as kind: RecordEntry.Kind, unit: TemperatureUnit
    ) throws(EntryError) -> (content: RecordEntry.Content, question: String?) {
        let words = text.split { $0.isWhitespace || $0 == "=" && kind != .note }.map(String.init)
        guard !words.isEmpty else {
            throw EntryError(
                description: "There is no value. It would be, for example, \(example(of: kind, unit: unit)).")
        }
        let finding = try finding(words, as: kind == .neutrophils ? .lab : kind, unit: unit)
        return (finding.content, finding.question)
    }

    private static func finding(
        _ words: [String], as kind: RecordEntry.Kind, unit: TemperatureUnit
    ) throws(EntryError) -> Finding {
        switch kind {
        case .bodyTemperature: try temperature(words, unit)
        case .heartRate: try rate(words)
        case .oxygenSaturation: try saturation(words)
        case .bloodPressure: try ManualPressure.read(words)
        case .glucose: try glucose(words)
        case .weight: try weight(words)
        // A count alone is read with its date elsewhere.
        case .lab, .neutrophils: try lab(words)
        case .medication: try medication(words)
        case .symptom: try symptom(words)
        case .calibration: throw EntryError(description: calibrationSentence)
        case .note: Finding(content: .note(words.joined(separator: " ")))
        default: try form(words, kind)
        }
    }

    private static let calibrationSentence =
        "A calibration is not typed: type the value of the meter as glucose, and answer the question of the monitor."

    /// An example of an accepted entry.
    public static func example(of kind: RecordEntry.Kind, unit: TemperatureUnit) -> String {
        EntryPrompt(kind, unit).example
    }

    // MARK: Values

    private static func neutrophils(
        _ text: String, _ now: Moment, _ timeZone: LocalTimeZone, _ usual: Moment?
    ) throws(EntryError) -> Outcome {
        do throws(NeutrophilEntry.EntryError) {
            let entered = try NeutrophilEntry(
                text, now: now, timeZone: timeZone, sampledAt: usual?.wallMilliseconds)
            switch entered {
            case .withdrawn: return .withdrawn
            case .count(let count):
                let age = max(0, now.wallMilliseconds.subtractingSaturated(count.sampledAt))
                let taken = now.advanced(by: Duration.zero - .milliseconds(age))
                var entry = RecordEntry(.neutrophils(count), taken: taken, enteredAt: now)
                entry.keepTyped(NeutrophilEntry.countText(text), DisplayUnits())
                return .entry(entry)
            }
        } catch {
            throw EntryError(description: error.description)
        }
    }

    private static func rate(_ words: [String]) throws(EntryError) -> Finding {
        let value = try whole(words, units: ["/min", "bpm", "min", "beats", "bpm."], kind: .heartRate)
        return Finding(content: .vital(.heartRate, VitalValue(whole: value), site: nil), question: try pulse(value))
    }

    /// The question about a rate.
    static func pulse(_ value: Int) throws(EntryError) -> String? {
        guard Vital.heartRate.isMeasurable(VitalValue(whole: value)) else {
            throw EntryError(
                description: "\(value) /min is not a possible heart rate: \(range(of: .heartRate)) can be entered. "
                    + "If there is no pulse, that is no value to enter but an emergency.")
        }
        return (30...220).contains(value) ? nil : "\(value) /min is unusual. Is it right?"
    }

    private static func saturation(_ words: [String]) throws(EntryError) -> Finding {
        let value = try whole(words, units: ["%", "percent"], kind: .oxygenSaturation)
        guard Vital.oxygenSaturation.isMeasurable(VitalValue(whole: value)) else {
            throw EntryError(
                description: "\(value) % is not a possible SpO₂: \(range(of: .oxygenSaturation)) can be entered.")
        }
        return Finding(
            content: .vital(.oxygenSaturation, VitalValue(whole: value), site: nil),
            question: value < 70 ? "\(value) % is unusual. Is it right?" : nil)
    }

    private static func range(of vital: Vital) -> String {
        "\(vital.measurable.lowerBound / 100) to \(vital.measurable.upperBound / 100)"
    }

    /// A whole number, perhaps with its unit, and nothing else.
    private static func whole(_ words: [String], units: [String], kind: RecordEntry.Kind) throws(EntryError) -> Int {
        let example = example(of: kind, unit: .celsius)
        let number = words[0].prefix { $0.isASCII && $0.isNumber }
        guard let value = digits(number) else {
            throw EntryError(
                description:
                    "“\(sanitized(words[0], limit: 16))” is not a valid \(kind.text). Type for example \(example).")
        }
        let rest = ([String(words[0].dropFirst(number.count))] + words.dropFirst()).filter { !$0.isEmpty }
        if rest.first?.first == "." || rest.first?.first == "," {
            throw EntryError(description: "A whole number is wanted, without a decimal point, such as \(example).")
        }
        if let unknown = rest.first(where: { !units.contains($0.lowercased()) }) { throw stranger(unknown, example) }
        return value
    }

    /// The refusal of an unknown word.
    package static func stranger(_ word: String, _ example: String) -> EntryError {
        EntryError(
            description: "“\(sanitized(word, limit: 16))” means nothing here. Type for example \(example).")
    }

    /// A number of at most four digits.
    package static func digits(_ text: some StringProtocol) -> Int? { wholeNumber(text, digits: 4) }
}

// Glucose and weight, each with its units.
extension ManualReader {
    /// Glucose in mg/dL, or in mmol/L if that unit follows.
    package static func glucose(_ words: [String]) throws(EntryError) -> Finding {
        let (value, unit) = try decimal(words, of: .glucose, units: ["mg/dl", "mmol/l", "mmol"])
        let isMolar = unit?.hasPrefix("mmol") == true
        let typed = isMolar ? GlucoseConcentrationUnit.milligrams(hundredthsOfMillimoles: value) : value
        guard Vital.glucose.isMeasurable(VitalValue(hundredths: typed)) else {
            // A value that is too low in mg/dL usually means mmol/L: ask, do not guess.
            let meant = GlucoseConcentrationUnit.milligrams(hundredthsOfMillimoles: value)
            if unit == nil, Vital.glucose.isMeasurable(VitalValue(hundredths: meant)) {
                return Finding(
                    content: .vital(.glucose, VitalValue(hundredths: meant), site: nil),
                    question: "\(words[0]) mg/dL is not possible. Did you mean \(words[0]) mmol/L?")
            }
            throw EntryError(
                description: "\(words[0]) is not a possible glucose value: 10 to 1000 mg/dL, or 0.6 to 55 mmol/L, can "
                    + "be entered.")
        }
        let isUsual = (4000...40_000).contains(typed)
        return Finding(
            content: .vital(.glucose, VitalValue(hundredths: typed), site: nil),
            question: isUsual ? nil : "\(words[0]) \(isMolar ? "mmol/L" : "mg/dL") is unusual. Is it right?")
    }

    /// A weight in kilograms, or in pounds if that unit follows.
    package static func weight(_ words: [String]) throws(EntryError) -> Finding {
        let (value, unit) = try decimal(words, of: .weight, units: ["kg", "lb", "lbs"])
        let weight = unit?.hasPrefix("lb") == true ? (value * 45_359 + 50_000) / 100_000 : value
        guard RecordEntry.weights.contains(weight) else {
            throw EntryError(description: "\(words[0]) is not a possible weight: 0.2 to 500 kg can be entered.")
        }
        return Finding(
            content: .weight(VitalValue(hundredths: weight)),
            question: (3000...20_000).contains(weight) ? nil : "\(words[0]) is unusual. Is it right?")
    }

    /// A number with at most two decimals, in hundredths, with or without its unit.
    private static func decimal(
        _ words: [String], of kind: RecordEntry.Kind, units: [String]
    ) throws(EntryError) -> (value: Int, unit: String?) {
        let example = example(of: kind, unit: .celsius)
        let number = words[0].prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        guard let value = hundredths(number) else {
            throw EntryError(
                description:
                    "“\(sanitized(words[0], limit: 16))” is not a valid \(kind.text). Type for example \(example).")
        }
        let rest = ([String(words[0].dropFirst(number.count))] + words.dropFirst()).filter { !$0.isEmpty }
        if let unknown = rest.first(where: { !units.contains($0.lowercased()) }) { throw stranger(unknown, example) }
        return (value, rest.first?.lowercased())
    }
}

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

/// A typed decimal number, with a point or a comma, in exact thousandths.
package struct ManualNumber: Hashable {
    package let thousandths: Int
    /// The typed text.
    package let text: String

    /// Whether it was typed without a separator; 1.000 was not, whatever its value.
    package var isWrittenWhole: Bool { !text.contains { $0 == "." || $0 == "," } }

    /// Whether its separator may also separate thousands, as in 1.250, but not in 0.125 or 1.25.
    package var maySeparateThousands: Bool {
        let parts = text.split { $0 == "." || $0 == "," }
        return parts.count == 2 && parts[1].count == 3 && parts[0].contains { $0 != "0" }
    }

    /// Reads the number at the beginning of a word, and returns it with the rest of the word.
    ///
    /// - Returns: `nil` without a number, or when it has more than seven digits or three decimals.
    package static func read(_ word: String) -> (number: ManualNumber, rest: Substring)? {
        let text = word.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
        guard let number = ExactDecimal(text, .typed(digits: 7, decimals: 3))?.scaled(decimals: 3) else { return nil }
        return (ManualNumber(thousandths: number, text: String(text)), word.dropFirst(text.count))
    }
}
