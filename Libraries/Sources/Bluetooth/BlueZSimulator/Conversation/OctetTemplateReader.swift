import VitalDecoders

/// Reads templates.
enum OctetTemplateReader {
    /// Reads a template for octets to send.
    static func template(_ node: ScenarioNode) throws(ScenarioError) -> OctetTemplate {
        let template = try pattern(node)
        if template.isPattern {
            throw node.mistake("'..' and '*' are for what is written to a sensor, not for answers")
        }
        return template
    }

    /// Reads a pattern for octets to compare.
    static func pattern(_ node: ScenarioNode) throws(ScenarioError) -> OctetTemplate {
        var parts: [OctetTemplate.Part] = []
        var rest = Substring(try node.string())
        while let first = rest.first {
            if first == " " || first == ":" {
                rest.removeFirst()
            } else if first == "{" {
                guard let inner = braced(&rest) else { throw node.mistake("a '{' is not closed") }
                parts.append(try place(inner, node))
            } else if first == "*" {
                rest.removeFirst()
                parts.append(.rest)
            } else if rest.hasPrefix("..") {
                rest.removeFirst(2)
                parts.append(.anyOctet)
            } else {
                guard rest.count >= 2, let octet = UInt8(rest.prefix(2), radix: 16), first != "+" else {
                    throw node.mistake("expected octets as pairs of hexadecimal digits, '..', '*' or '{'")
                }
                rest.removeFirst(2)
                parts.append(.octet(octet))
            }
        }
        guard parts.count <= 512 else { throw node.mistake("expected at most 512 octets, found \(parts.count)") }
        if let rest = parts.firstIndex(of: .rest), rest != parts.count - 1 {
            throw node.mistake("'*' stands for the rest; nothing can follow it")
        }
        return OctetTemplate(parts)
    }

    /// Removes the text between a brace and its closing brace.
    private static func braced(_ text: inout Substring) -> Substring? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            guard depth == 0 else { continue }
            let inner = text[text.index(after: text.startIndex)..<index]
            text = text[text.index(after: index)...]
            return inner
        }
        return nil
    }

    private static func place(_ text: Substring, _ node: ScenarioNode) throws(ScenarioError) -> OctetTemplate.Part {
        let words = text.split(separator: " ", maxSplits: 1)
        guard let word = words.first else { throw node.mistake("'{}' says nothing") }
        let argument = words.count > 1 ? words[1] : ""
        func mistake(_ expected: String) -> ScenarioError { node.mistake("'{\(text)}': expected \(expected)") }
        if let format = NumberFormat(word) {
            return try number(format, argument, mistake("a quantity, such as 'u8 pulseRate'"))
        }
        if let checksum = OctetChecksum(rawValue: String(word)) {
            guard let first = argument.isEmpty ? 0 : Int(argument), first >= 0 else {
                throw mistake("the place of the first octet that is counted")
            }
            return .checksum(checksum, from: first)
        }
        switch word {
        case "request":
            let ends = argument.split(separator: ".", omittingEmptySubsequences: true).map { Int($0) ?? -1 }
            guard ends.count <= 2, ends.allSatisfy({ $0 >= 0 }), ends.count < 2 || ends[0] <= ends[1] else {
                throw mistake("the places of octets, such as 'request 1..9'")
            }
            return .request(ends.first ?? 0, ends.count == 2 ? ends[1] : nil)
        case "saved":
            guard !argument.isEmpty else { throw mistake("a name") }
            return .saved(String(argument))
        case "random":
            guard let count = Int(argument), (1...64).contains(count) else { throw mistake("a number from 1 to 64") }
            return .random(count)
        case "time" where argument.isEmpty: return .time
        case "samples" where argument.isEmpty: return .samples
        case "text": return .text(Array(argument.utf8))
        case "dexcom-hash":
            var rest = argument
            guard rest.first == "{", let inner = braced(&rest), rest.isEmpty else { throw mistake("a place in braces") }
            return .dexcomHash(try place(inner, node))
        case "libre-memory":
            guard let expression = QuantityExpression(argument), expression.steps.isEmpty else {
                throw mistake("a quantity")
            }
            return .libreMemory(expression.name)
        default:
            let known = [
                "u8", "u16", "u32", "sfloat", "request", "saved", "random", "time", "text", "dexcom-hash",
                "libre-memory", "samples",
            ]
            throw node.unknown(String(word), among: known + OctetChecksum.allCases.map(\.rawValue))
        }
    }

    private static func number(
        _ format: NumberFormat, _ argument: Substring, _ mistake: ScenarioError
    ) throws(ScenarioError) -> OctetTemplate.Part {
        let words = argument.split(separator: " ")
        guard let first = words.first, let expression = QuantityExpression(first) else { throw mistake }
        guard words.count > 1 else { return .number(format, expression) }
        guard words.count == 2, case .shortFloat = format, words[1].first == "e",
            let exponent = Int(words[1].dropFirst()),
            (-8...7).contains(exponent)
        else { throw mistake }
        return .number(.shortFloat(exponent: exponent), expression)
    }
}
