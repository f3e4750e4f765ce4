import Base
import Entries
import JSON
import Monitoring
import Vitals

/// The contents of entries in files, with the same limits as typed entries.
enum ImportContent {
    /// Reads text in the form of `bedside enter`.
    static func read(
        _ text: String, as kind: RecordEntry.Kind, taken: Int64, unit: TemperatureUnit = .celsius
    ) throws(RefusedEntry) -> (content: RecordEntry.Content, question: String?) {
        if kind == .note { return (try note(text), nil) }
        do throws(ManualReader.EntryError) {
            let words = kind == .neutrophils ? "anc \(text)" : text
            let (content, question) = try ManualReader.content(words, as: kind, unit: unit)
            guard kind == .neutrophils, case .lab(let result) = content else { return (content, question) }
            guard let count = result.neutrophilsPerMicrolitre else {
                throw ManualReader.EntryError("There is no neutrophil count, such as 450/µL.")
            }
            return (.neutrophils(NeutrophilCount(perMicrolitre: count, sampledAt: taken)), question)
        } catch {
            throw RefusedEntry(error.description)
        }
    }

    static func note(_ text: String) throws(RefusedEntry) -> RecordEntry.Content {
        .note(try words(text, limit: RecordEntry.noteLimit, "note"))
    }

    static func medication(
        _ name: String, dose: Medication.Dose?, isAntipyretic: Bool?
    ) throws(RefusedEntry) -> RecordEntry.Content {
        let name = try words(name, limit: Medication.nameLimit, "medication")
        if let dose, !Medication.Dose.possible.contains(dose.thousandths) {
            throw RefusedEntry("A dose of \(dose.text) is none. Look at the number.")
        }
        return .medication(Medication(name, dose: dose, isAntipyretic: isAntipyretic))
    }

    static func symptom(_ name: String, severity: Int) throws(RefusedEntry) -> RecordEntry.Content {
        let name = try words(name, limit: Symptom.textLimit, "symptom")
        guard SymptomRating.severities.contains(severity) else {
            throw RefusedEntry("A symptom is rated from 0 (none) to 10 (the worst): \(severity) is not possible.")
        }
        return .symptom(SymptomRating(Symptom(name), severity: severity))
    }

    /// A text that is neither empty nor truncated.
    private static func words(_ text: String, limit: Int, _ what: String) throws(RefusedEntry) -> String {
        guard !trimmed(text).isEmpty else { throw RefusedEntry("The \(what) has no words.") }
        guard text.unicodeScalars.count <= limit else {
            throw RefusedEntry("A \(what) has at most \(limit) characters. Shorten it.")
        }
        return text
    }

    /// A medication as printed by ``Medication/text``: "paracetamol 500 mg, antipyretic".
    static func medication(printed text: String) throws(RefusedEntry) -> RecordEntry.Content {
        var rest = Substring(text)
        let mark = ", antipyretic"
        let isAntipyretic = rest.hasSuffix(mark)
        if isAntipyretic { rest = rest.dropLast(mark.count) }
        let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
        if parts.count >= 3, let unit = Medication.Unit.allCases.first(where: { $0.text == parts[parts.count - 1] }),
            let amount = thousandths(parts[parts.count - 2])
        {
            let name = parts.dropLast(2).joined(separator: " ")
            return try medication(
                name, dose: Medication.Dose(thousandths: amount, unit: unit), isAntipyretic: isAntipyretic)
        }
        return try medication(String(rest), dose: nil, isAntipyretic: isAntipyretic)
    }

    /// A decimal number with at most three decimals, in thousandths.
    static func thousandths(_ text: some StringProtocol) -> Int? {
        ExactDecimal(text, .typed(digits: 9, decimals: 3))?.scaled(decimals: 3)
    }

    /// A number in thousandths as text, without trailing zeros.
    static func text(thousandths: Int) -> String {
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = String(fraction)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }

    /// A text without the apostrophe that prevents a spreadsheet from reading it as a formula.
    static func unescaped(_ text: String) -> String {
        guard text.first == "'",
            let next = text.dropFirst().unicodeScalars.first(where: { !$0.properties.isWhitespace }),
            CSVField.formulaBeginnings.contains(next)
        else { return text }
        return String(text.dropFirst())
    }
}

/// The names that users have for the kinds of entries.
public enum EntryNames {
    private static let others: [String: RecordEntry.Kind] = [
        "temperature": .bodyTemperature, "rate": .heartRate, "pulse": .heartRate, "saturation": .oxygenSaturation,
        "pressure": .bloodPressure, "anc": .neutrophils,
    ]

    /// All names.
    public static let all = RecordEntry.Kind.typed.map(\.rawValue) + others.keys.sorted()

    /// The name that help and completions give each kind.
    public static let usual = RecordEntry.Kind.typed.map { kind in
        ["temperature", "pressure"].first { others[$0] == kind } ?? kind.rawValue
    }

    /// The kind with a name; `nil` where there is none.
    public static func find(_ name: String) -> RecordEntry.Kind? {
        let word = name.lowercased().exchanging("-", for: "_")
        return others[word] ?? RecordEntry.Kind(rawValue: word)
    }

    static func kind(_ name: String) throws(RefusedEntry) -> RecordEntry.Kind {
        guard let kind = find(name.exchanging(" ", for: "_")) else {
            throw RefusedEntry(
                "“\(sanitized(name, limit: 32))” is no kind of entry; there are \(all.joined(separator: ", ")).")
        }
        return kind
    }
}

/// Times of entries in files.
enum ImportTime {
    /// How far ahead another computer's clock may be, in milliseconds.
    static let tolerance: Int64 = 60_000
    private static let dayFirstForm = TextForm("([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4}),? +([0-9]{1,2}:[0-9]{2}.*)")

    /// Reads the time of a measurement: `2026-11-18T07:30:00Z`, `2026-11-18 07:30` in local time, `18.11.2026 07:30`.
    static func read(_ text: some StringProtocol, now: Moment) throws(RefusedEntry) -> Int64 {
        guard let wall = wall(String(text), now, allowsSkipped: false) else {
            if wall(String(text), now, allowsSkipped: true) != nil {
                throw RefusedEntry(
                    "There was no \(sanitized(String(text), limit: 32)): the clocks were set forward. Look at the time."
                )
            }
            throw RefusedEntry(
                "“\(sanitized(String(text), limit: 32))” is not a date with a time of day, such as 2026-11-18 07:30.")
        }
        guard wall <= now.wallMilliseconds + tolerance else {
            throw RefusedEntry("Its time, \(sanitized(String(text), limit: 32)), is yet to come. Look at the date.")
        }
        guard wall >= RecordEntry.wallTimes.lowerBound else {
            throw RefusedEntry("Its time, \(sanitized(String(text), limit: 32)), is before 1900. Look at the date.")
        }
        return wall
    }

    /// Reads another time, such as that of a retraction; `nil` for none.
    static func other(_ text: some StringProtocol, now: Moment) -> Int64? {
        wall(String(text), now, allowsSkipped: true)
    }

    private static func wall(_ text: String, _ now: Moment, allowsSkipped: Bool) -> Int64? {
        guard text.utf8.count <= 40, text.contains(":") else { return nil }
        var text = text
        if let match = dayFirstForm.groups(of: text)?.map({ $0 ?? "" }) {
            let (day, month, time) = (padded(match[1]), padded(match[2]), match[4])
            text = "\(match[3])-\(month)-\(day) \(time.count > 4 && time.dropFirst().first == ":" ? "0" : "")\(time)"
        }
        // A time of day alone, or a length of time, is no date.
        guard text.utf8.count >= 16, text.utf8.dropFirst(4).first == UInt8(ascii: "-") else { return nil }
        return PointInTime.wallMilliseconds(text, now: now.wallMilliseconds, as: .end, allowsSkipped: allowsSkipped)
    }

    private static func padded(_ digits: Substring) -> String { digits.count == 1 ? "0\(digits)" : String(digits) }
}
