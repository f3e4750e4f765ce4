import Monitoring
import Vitals

/// Reads a typed blood pressure: "120/80", "120/80/93", "120/80 (93) 72", "120 / 80 mmHg pulse 72".
package enum ManualPressure {
    private static let example = ManualReader.example(of: .bloodPressure, unit: .celsius)

    /// Reads a pressure.
    package static func read(_ words: [String]) throws(ManualReader.EntryError) -> ManualReader.Finding {
        // The numbers belong together even if spaces surround the slashes.
        let text = words.joined(separator: " ").lowercased()
        let joined = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }.joined(separator: "/")
        var rest = joined.split(separator: " ").map(String.init)[...]
        var numbers: [Int] = []
        while let word = rest.first, let found = Self.numbers(word), numbers.isEmpty || numbers.count == 1 {
            // "120 /80": a slash at the beginning.
            if !numbers.isEmpty, !word.hasPrefix("/") { break }
            numbers += found
            rest.removeFirst()
        }
        guard (2...3).contains(numbers.count) else {
            throw ManualReader.EntryError(
                description: "A blood pressure is two numbers with a stroke between. Type for example \(example).")
        }
        var pressure = BloodPressure(systolic: numbers[0], diastolic: numbers[1])
        if numbers.count == 3 { pressure.mean = numbers[2] }
        try details(rest, &pressure)
        return try evaluate(pressure)
    }

    private static func numbers(_ word: String) -> [Int]? {
        guard word.contains("/") || ManualReader.digits(word) != nil else { return nil }
        let parts = word.split(separator: "/", omittingEmptySubsequences: true)
        let numbers = parts.compactMap { ManualReader.digits($0) }
        return numbers.count == parts.count && !numbers.isEmpty ? numbers : nil
    }

    /// The mean and the pulse, in any order.
    private static func details(
        _ words: ArraySlice<String>, _ pressure: inout BloodPressure
    ) throws(ManualReader.EntryError) {
        var isMean = false
        for word in words {
            let bare = word.filter { $0 != "(" && $0 != ")" }
            if ["mmhg", "/min", "bpm"].contains(bare) { continue }
            if bare == "kpa" {
                throw ManualReader.EntryError(
                    description: "Blood pressures are entered in mmHg; 1 kPa is 7.5 mmHg. Type for example \(example).")
            }
            if ["map", "mean", "m"].contains(bare) {
                isMean = true
            } else if ["pulse", "p", "pr", "hr"].contains(bare) {
                isMean = false
            } else if let number = ManualReader.digits(bare) {
                if isMean || word != bare {
                    guard pressure.mean == nil else { throw ManualReader.stranger(word, example) }
                    pressure.mean = number
                } else {
                    guard pressure.pulse == nil else { throw ManualReader.stranger(word, example) }
                    pressure.pulse = number
                }
                isMean = false
            } else {
                throw ManualReader.stranger(word, example)
            }
        }
    }

    private static func evaluate(_ pressure: BloodPressure) throws(ManualReader.EntryError) -> ManualReader.Finding {
        let (systolic, diastolic) = (pressure.systolic, pressure.diastolic)
        func refusal(_ sentence: String) -> ManualReader.EntryError { ManualReader.EntryError(description: sentence) }
        guard diastolic < systolic else {
            throw refusal(
                "The second number, the diastolic pressure, must be lower than the first: \(systolic)/\(diastolic) cannot "
                    + "be.")
        }
        guard BloodPressure.isPossible(systolic, diastolic) else {
            throw refusal(
                "\(systolic)/\(diastolic) is not a possible blood pressure: 30 to 300 over 10 to 250 mmHg can be entered."
            )
        }
        if let mean = pressure.mean, !(diastolic...systolic).contains(mean) {
            throw refusal(
                "The mean pressure lies between the two others: \(mean) does not lie between \(diastolic) and \(systolic)."
            )
        }
        let pulseQuestion = try pressure.pulse.map { (pulse) throws(ManualReader.EntryError) in
            try ManualReader.pulse(pulse)
        }
        let isUsual =
            (70...220).contains(systolic) && (30...130).contains(diastolic) && systolic - diastolic >= 15
        return ManualReader.Finding(
            content: .bloodPressure(pressure),
            question: isUsual ? pulseQuestion ?? nil : "\(pressure.digits) mmHg is unusual. Is it right?")
    }
}
