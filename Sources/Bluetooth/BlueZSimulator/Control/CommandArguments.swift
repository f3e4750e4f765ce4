/// The words of a command line, in order.
struct CommandArguments {
    private var text: Substring

    init(_ line: String) {
        text = line[...].drop { $0 == " " }
        while text.last == " " || text.last == "\n" { text.removeLast() }
    }

    var isAtEnd: Bool { text.isEmpty }

    mutating func next() -> String? {
        guard !text.isEmpty else { return nil }
        let word = text.prefix { $0 != " " }
        text = text.dropFirst(word.count).drop { $0 == " " }
        return String(word)
    }

    /// The rest of the line, including spaces.
    mutating func rest() -> String {
        defer { text = "" }
        return String(text)
    }

    mutating func number(_ range: ClosedRange<Double>) throws(ControlCommandError) -> Double {
        let word = try expected("a number")
        guard let number = Double(word), range.contains(number) else {
            throw ControlCommandError(
                reason: "expected a number from \(range.lowerBound) to \(range.upperBound), found '\(word)'")
        }
        return number
    }

    mutating func numberOrNaN() throws(ControlCommandError) -> Double? {
        let word = try expected("a number or nan")
        if word.lowercased() == "nan" { return nil }
        guard let number = Double(word), (-100_000...100_000).contains(number) else {
            throw ControlCommandError(reason: "expected a number or nan, found '\(word)'")
        }
        return number
    }

    mutating func integer(_ range: ClosedRange<Int>) throws(ControlCommandError) -> Int {
        let word = try expected("a whole number")
        guard let integer = Int(word), range.contains(integer) else {
            throw ControlCommandError(
                reason: "expected a whole number from \(range.lowerBound) to \(range.upperBound), found '\(word)'")
        }
        return integer
    }

    mutating func integerOrOff(_ range: ClosedRange<Int>) throws(ControlCommandError) -> Int? {
        if text == "off" {
            text = ""
            return nil
        }
        return try integer(range)
    }

    mutating func isOn() throws(ControlCommandError) -> Bool {
        try choice(["on": true, "off": false])
    }

    mutating func choice<Value>(_ choices: [String: Value]) throws(ControlCommandError) -> Value {
        let names = choices.keys.sorted().joined(separator: " or ")
        let word = try expected(names)
        guard let value = choices[word.lowercased()] else {
            throw ControlCommandError(reason: "expected \(names), found '\(word)'")
        }
        return value
    }

    private mutating func expected(_ what: String) throws(ControlCommandError) -> String {
        guard let word = next() else { throw ControlCommandError(reason: "expected \(what)") }
        return word
    }
}
