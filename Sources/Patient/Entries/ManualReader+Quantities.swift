import Base
import Monitoring
import Vitals

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
