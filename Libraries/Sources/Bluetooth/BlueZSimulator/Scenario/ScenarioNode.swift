import Base
import JSON

/// A value of a scenario's text with its path, for error messages.
struct ScenarioNode {
    let value: JSON5Value
    /// The path, such as `sensors[1].heartRate`; empty for the whole text.
    let field: String
    let file: String

    func mistake(_ reason: String) -> ScenarioError {
        ScenarioError(file: file, line: value.position.line, field: field, reason: reason)
    }

    func expected(_ what: String) -> ScenarioError {
        mistake("expected \(what), found \(value.kind)")
    }

    // MARK: Single values

    func string() throws(ScenarioError) -> String {
        guard let text = value.text else { throw expected("a string") }
        return text
    }

    /// A text that D-Bus can transmit.
    func text() throws(ScenarioError) -> String {
        let text = try string()
        if text.utf8.contains(0) { throw mistake("a text cannot hold a NUL, because D-Bus does not carry it") }
        return text
    }

    func boolean() throws(ScenarioError) -> Bool {
        guard let isTrue = value.boolean else { throw expected("true or false") }
        return isTrue
    }

    func number(_ range: ClosedRange<Double>? = nil, _ what: String = "a number") throws(ScenarioError) -> Double {
        guard let number = value.number else { throw expected(what) }
        guard number.isFinite else { throw expected("a finite number") }
        if let range, !range.contains(number) {
            throw mistake(
                "expected \(what) from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), "
                    + "found \(Self.text(number))")
        }
        return number
    }

    func integer(_ range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        let number = try number(Double(range.lowerBound)...Double(range.upperBound), "a whole number")
        guard let integer = Int(exactly: number) else {
            throw mistake("expected a whole number, found \(Self.text(number))")
        }
        return integer
    }

    /// One of the words of an enumeration.
    func word<Word: CaseIterable & RawRepresentable>(
        _ type: Word.Type
    ) throws(ScenarioError) -> Word where Word.RawValue == String {
        let text = try string()
        if let word = Word(rawValue: text) { return word }
        throw unknown(text, among: Word.allCases.map(\.rawValue))
    }

    func unknown(_ word: String, among words: [String]) -> ScenarioError {
        if let nearest = nearestWord(to: word, among: words) {
            return mistake("unknown word '\(word)'; did you mean '\(nearest)'?")
        }
        return mistake("unknown word '\(word)'; expected one of \(words.joined(separator: ", "))")
    }

    /// Octets as pairs of hexadecimal digits; spaces and colons between them are ignored.
    func octets(_ counts: ClosedRange<Int> = 0...512) throws(ScenarioError) -> [UInt8] {
        let text = try string()
        guard let octets = try? Hexadecimal.octets(text.utf8) else {
            throw mistake("expected octets as pairs of hexadecimal digits")
        }
        guard counts.contains(octets.count) else {
            throw mistake("expected \(counts.lowerBound) to \(counts.upperBound) octets, found \(octets.count)")
        }
        return octets
    }

    // MARK: Lists and objects

    func list() throws(ScenarioError) -> [ScenarioNode] {
        guard let elements = value.elements else { throw expected("a list") }
        return elements.enumerated().map { index, element in
            ScenarioNode(value: element, field: "\(field)[\(index)]", file: file)
        }
    }

    /// The members of an object whose field names are chosen by the scenario.
    func namedMembers() throws(ScenarioError) -> [(name: String, value: ScenarioNode)] {
        guard let members = value.members else { throw expected("an object") }
        return members.map { member in
            (member.name, ScenarioNode(value: member.value, field: "\(field).\(member.name)", file: file))
        }
    }

    /// The members of an object; other fields than these are an error.
    func object(_ names: [String], _ what: String = "an object") throws(ScenarioError) -> ScenarioObject {
        guard let members = value.members else { throw expected(what) }
        for member in members where !names.contains(member.name) {
            let hint = nearestWord(to: member.name, among: names).map { "; did you mean '\($0)'?" }
            throw ScenarioError(
                file: file, line: member.namePosition.line,
                field: field.isEmpty ? member.name : field + "." + member.name,
                reason: "unknown field\(hint ?? "; expected one of \(names.joined(separator: ", "))")")
        }
        return ScenarioObject(node: self)
    }

    static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

/// An object of a scenario whose fields have been checked.
struct ScenarioObject {
    let node: ScenarioNode

    fileprivate init(node: ScenarioNode) { self.node = node }

    /// A field, or `nil` when it is missing.
    subscript(name: String) -> ScenarioNode? {
        node.value[name].map {
            ScenarioNode(value: $0, field: node.field.isEmpty ? name : "\(node.field).\(name)", file: node.file)
        }
    }

    /// A required field.
    func required(_ name: String) throws(ScenarioError) -> ScenarioNode {
        guard let field = self[name] else { throw node.mistake("the field '\(name)' is missing") }
        return field
    }
}
