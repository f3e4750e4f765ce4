import TestSupport

extension Screen {
    /// The number of a vital as its panel's title shows it in plain text, such as "36.8", or the word in its place: "OFF".
    ///
    /// - Parameter title: What stands before the number, such as "HEART RATE".
    /// - Returns: The number, empty when the vital is not there.
    func number(of title: String) -> String {
        for line in lines {
            // The bands of NEWS2 stand beside the same names, and are no values.
            let line = line.firstRange(of: "NEWS2 ").map { line[..<$0.lowerBound] } ?? line[...]
            guard let range = line.firstRange(of: "\(title) ") else { continue }
            let number = line[range.upperBound...].prefix { $0 != " " }
            if number.allSatisfy({ $0.isNumber || $0 == "." }), !number.isEmpty { return String(number) }
            if ["OFF", "LOST", "SILENT", "NONE"].contains(number) { return String(number) }
        }
        return ""
    }
}
