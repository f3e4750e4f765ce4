/// Reads the values of TOML.
extension TOMLScanner {
    /// Reads one value.
    ///
    /// - Parameter depth: The number of lists and tables around it.
    mutating func value(depth: Int = 0) throws(ConfigurationError) -> ConfigurationValue {
        if depth > Self.depthLimit { throw mistake("values are nested more than \(Self.depthLimit) deep") }
        switch next {
        case "\"": return .text(try isLong("\"") ? longText("\"") : basicText())
        case "'": return .text(try isLong("'") ? longText("'") : literalText())
        case "[": return .list(try list(depth: depth + 1))
        case "{": return .table(try inlineTable(depth: depth + 1))
        case nil, "#", "\n", "\r": throw mistake("the value is missing; write one after the equals sign")
        default: return try bareValue(depth: depth)
        }
    }

    private func isLong(_ quote: Unicode.Scalar) -> Bool { next(1) == quote && next(2) == quote }

    /// Reads a number, a date, a time, true or false.
    private mutating func bareValue(depth: Int) throws(ConfigurationError) -> ConfigurationValue {
        let start = position
        var word = consume(while: Self.isBare)
        // A blank may separate the time from the date.
        if word.utf8.count == 10, next == " ", ConfigurationDateTime(word) != nil, isDigit(next(1)), isDigit(next(2)),
            next(3) == ":"
        {
            consume()
            word += " " + consume(while: Self.isBare)
        }
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "": throw ConfigurationError(start, "expected a value, found \(found)")
        default: break
        }
        if depth == 0, next == ",", word.last?.isNumber == true {
            throw ConfigurationError(start, "a number has a decimal point, not a comma: write 38.3, not 38,3")
        }
        if let time = ConfigurationDateTime(word) { return .dateTime(time) }
        do throws(TOMLNumberError) {
            return try TOMLNumber.value(word)
        } catch {
            throw ConfigurationError(start, error.reason)
        }
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\n", "\r", "#", ",", "]", "}", "=": false
        default: true
        }
    }

    private func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }

    private mutating func list(depth: Int) throws(ConfigurationError) -> [ConfigurationValue] {
        let start = position
        consume()
        var values: [ConfigurationValue] = []
        while true {
            skipSpace()
            if consume("]") { return values }
            if next == nil { throw ConfigurationError(start, "the list is not closed; end it with ]") }
            values.append(try value(depth: depth))
            skipSpace()
            if !consume(","), next != "]", next != nil {
                let place = line == start.line ? "" : " in the list that begins in line \(start.line)"
                throw mistake("expected a comma or ]\(place), found \(found)")
            }
        }
    }

    private mutating func inlineTable(depth: Int) throws(ConfigurationError) -> ConfigurationTable {
        let start = position
        consume()
        let table = TOMLTable(.inline, start)
        skipBlanks()
        if consume("}") { return table.value }
        while true {
            let (path, keyPosition) = try key("a key or }")
            guard consume("=") else {
                throw mistake("expected = after the key '\(ConfigurationValue.path(path))', found \(found)")
            }
            skipBlanks()
            let valueStart = (offset, position)
            if depth + path.count > Self.depthLimit {
                throw mistake("values are nested more than \(Self.depthLimit) deep")
            }
            let value = try value(depth: depth + path.count - 1)
            try table.insert(
                value, at: path, keyPosition, valuePosition: valueStart.1, offsets: valueStart.0..<offset)
            skipBlanks()
            if consume("}") { return table.value }
            guard consume(",") else {
                if isAtLineEnd {
                    throw ConfigurationError(start, "what stands in braces has one line; end it with } there")
                }
                throw mistake("expected a comma or }, found \(found)")
            }
            skipBlanks()
        }
    }
}
