import Base
import Vitals

/// A typed neutrophil count: "450/µL 2026-11-18", "0.45 10^9/L today".
///
/// The unit is required if a number is plausible in both: 4 per µL is profound neutropenia, 4 × 10⁹/L is normal.
public enum NeutrophilEntry: Hashable, Sendable {
    case count(NeutrophilCount)
    /// The earlier count is withdrawn.
    case withdrawn

    /// Why an entry was refused; the description is a sentence with the expected form.
    public struct EntryError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - text: The typed text.
    ///   - now: The present, for "today" and to refuse future or expired times.
    ///   - timeZone: The local time's offset from UTC, with its changes within the last week.
    ///   - usual: The time of the sample without a typed date, in milliseconds since 1970 (UTC); `nil` if a date is required.
    ///   - enteredBy: Who typed it.
    /// - Throws: ``EntryError`` with a sentence.
    public init(
        _ text: String, now: Moment, timeZone: LocalTimeZone, sampledAt usual: Int64? = nil, enteredBy: String = ""
    ) throws(EntryError) {
        let words = text.prefix(Self.lengthLimit + 1).split(separator: " ", omittingEmptySubsequences: true)
        guard text.count <= Self.lengthLimit else {
            throw EntryError(description: "That is too long. Type a count and a date, such as \(Self.example).")
        }
        if words.count == 1, ["none", "unknown", "off"].contains(words[0].lowercased()) {
            self = .withdrawn
            return
        }
        let dateStart = words.firstIndex { SampleDate.isDate($0) }
        guard dateStart != nil || usual != nil else {
            throw EntryError(
                description: "When was the blood taken? Type the date behind the count, such as \(Self.example).")
        }
        let perMicrolitre = try Self.count(Self.countText(text))
        let sampledAt =
            if let dateStart {
                try SampleDate.milliseconds(words[dateStart...], now: now, timeZone: timeZone)
            } else {
                usual ?? now.wallMilliseconds
            }
        let count = NeutrophilCount(perMicrolitre: perMicrolitre, sampledAt: sampledAt, enteredBy: enteredBy)
        guard count.isValid(at: now) else {
            throw EntryError(
                description: "That blood was taken more than 7 days ago. A count so old says nothing; type a newer one."
            )
        }
        self = .count(count)
    }

    /// An entry that would be accepted.
    public static let example = "450/µL 2026-11-18"
    private static let lengthLimit = 64

    /// The words of an entry before its date.
    public static func countText(_ text: String) -> String {
        text.split(separator: " ").prefix { !SampleDate.isDate($0) }.joined(separator: " ")
    }

    /// The count per µL, typed without its date.
    ///
    /// - Throws: ``EntryError`` with a sentence.
    public static func count(_ text: String) throws(EntryError) -> Int {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        guard let first = number.first, first.isNumber, let parsed = Thousandths(number) else {
            throw EntryError(
                description: "A neutrophil count begins with a number. Type for example 450/µL or 0.45 10^9/L.")
        }
        let unit = text.dropFirst(number.count)
        switch CellCountUnit(unit) {
        case .perMicrolitre:
            guard !parsed.hasFraction else {
                throw EntryError(
                    description: "A count per µL is a whole number without separators, such as 450/µL.")
            }
            return try plausible(parsed.value.map { $0 / 1000 })
        case .billionsPerLitre:
            // 10⁹/L are thousands per µL, so thousandths of the former are whole numbers of the latter.
            return try plausible(parsed.value)
        case .missing where !parsed.hasFraction && parsed.value == 0:
            return 0
        case .missing where !parsed.hasFraction && (parsed.value ?? .max) >= 100_000:
            // A hundred or more cannot be 10⁹/L.
            return try plausible(parsed.value.map { $0 / 1000 })
        case .missing:
            let shown = String(number)
            throw EntryError(description: "\(shown) of what? Type \(shown)/µL or \(shown) 10^9/L.")
        case .unknown:
            throw EntryError(
                description: "“\(sanitized(String(unit), limit: 16))” is not a unit of a neutrophil count. "
                    + "Type for example 450/µL or 0.45 10^9/L.")
        }
    }

    private static func plausible(_ count: Int?) throws(EntryError) -> Int {
        guard let count else {
            throw EntryError(
                description: "That number has more digits than a count has. Type for example 450/µL or 0.45 10^9/L.")
        }
        guard count <= NeutrophilCount.greatest else {
            throw EntryError(
                description: "\(count) per µL is more than anybody has. Look at the unit: 0.45 10^9/L are 450/µL.")
        }
        return count
    }

    /// A decimal number in exact thousandths, with a point or a comma before at most three decimals.
    private struct Thousandths {
        /// The thousandths; `nil` if they are not whole or too many.
        var value: Int?
        var hasFraction: Bool

        init?(_ text: Substring) {
            let parts = text.split(separator: text.contains(",") ? "," : ".", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
                return nil
            }
            hasFraction = parts.count == 2
            // Zeros after the third decimal are redundant.
            var fraction = hasFraction ? parts[1] : ""
            while fraction.count > 3, fraction.last == "0" { fraction.removeLast() }
            guard parts[0].count <= 9, fraction.count <= 3 else { return }
            let padded = fraction + String(repeating: "0", count: 3 - fraction.count)
            value = (Int(parts[0]) ?? 0) * 1000 + (Int(padded) ?? 0)
        }
    }
}

/// The units that laboratories use for blood cell counts.
public enum CellCountUnit: Hashable, Sendable {
    /// Per µL, equal to per mm³.
    case perMicrolitre
    /// 10⁹/L, equal to 10³/µL.
    case billionsPerLitre
    /// No unit.
    case missing
    /// Another unit.
    case unknown

    /// Finds the unit that a text names, in any notation.
    public init(_ text: Substring) {
        // "× 10⁹ / L", "x10^9/l", "10*9/L" and "10E9/L" are equal once spaces and operators are removed.
        var word = ""
        for character in text.lowercased() where !" ^*×x·".contains(character) {
            switch character {
            case "⁹": word += "9"
            case "³": word += "3"
            case "µ", "μ": word += "u"
            default: word.append(character)
            }
        }
        switch word {
        case "": self = .missing
        case "/ul", "/mm3", "/mcl", "cells/ul", "cells/mm3", "cells/mcl": self = .perMicrolitre
        case "109/l", "10e9/l", "e9/l", "g/l", "gpt/l", "/nl", "103/ul", "10e3/ul", "103/mm3", "10e3/mm3", "k/ul":
            self = .billionsPerLitre
        default: self = .unknown
        }
    }
}

/// The grade of neutropenia; the raw value is the name in files and `bedside watch --json`.
///
/// The grades follow the thresholds 1500, 1000 and 500 per µL of the Common Terminology Criteria for Adverse Events;
/// below 100 it is profound by the guideline for febrile neutropenia (IDSA 2010).
public enum NeutropeniaGrade: String, CaseIterable, Hashable, Sendable {
    /// Fewer than 100 per µL.
    case profound
    /// Fewer than 500 per µL.
    case severe
    /// Fewer than 1000 per µL.
    case moderate
    /// Fewer than 1500 per µL.
    case mild
    /// 1500 per µL or more.
    case normal
    /// No count was entered, or it is older than seven days.
    case unknown

    /// The grade of a count at a moment.
    public init(_ count: NeutrophilCount?, at moment: Moment) {
        guard let count, count.isValid(at: moment) else {
            self = .unknown
            return
        }
        self.init(perMicrolitre: count.perMicrolitre)
    }

    /// The grade of a count, however old it is.
    public init(perMicrolitre count: Int) {
        switch count {
        case ..<100: self = .profound
        case ..<500: self = .severe
        case ..<1000: self = .moderate
        case ..<1500: self = .mild
        default: self = .normal
        }
    }

    /// The grade in plain text.
    public var text: String {
        switch self {
        case .profound: "profound neutropenia"
        case .severe: "severe neutropenia"
        case .moderate: "moderate neutropenia"
        case .mild: "mild neutropenia"
        case .normal: "not neutropenic"
        case .unknown: "neutrophils unknown"
        }
    }
}

/// The meaning of a fever with the neutrophil count.
public enum FeverRisk: String, CaseIterable, Codable, Hashable, Sendable {
    /// Fever with fewer than 500 neutrophils per µL.
    case febrileNeutropenia = "febrile_neutropenia_risk"
    /// Fever with an unknown neutrophil count.
    case countUnknown = "fever_anc_unknown"
    /// Fever with 500 neutrophils per µL or more.
    case fever

    /// The risk of a fever at a moment.
    public init(_ count: NeutrophilCount?, at moment: Moment) {
        switch NeutropeniaGrade(count, at: moment) {
        case .profound, .severe: self = .febrileNeutropenia
        case .unknown: self = .countUnknown
        case .moderate, .mild, .normal: self = .fever
        }
    }

    /// How soon a response is needed.
    public var priority: AlarmPriority { self == .fever ? .medium : .high }

    /// Its title: "Fever, neutrophils unknown".
    public var title: String {
        switch self {
        case .febrileNeutropenia: "Febrile neutropenia risk"
        case .countUnknown: "Fever, neutrophils unknown"
        case .fever: "Fever"
        }
    }
}
