import Base
import JSON
import Vitals

/// The names that users have for the kinds of entries.
public enum EntryNames {
    private static let others: [String: RecordEntry.Kind] = [
        "temperature": .bodyTemperature, "rate": .heartRate, "pulse": .heartRate, "saturation": .oxygenSaturation,
        "pressure": .bloodPressure, "anc": .neutrophils,
    ]

    /// All names.
    public static let all = RecordEntry.Kind.allCases.map(\.rawValue) + others.keys.sorted()

    /// The name that help and completions give each kind.
    public static let usual = RecordEntry.Kind.allCases.map { kind in
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
