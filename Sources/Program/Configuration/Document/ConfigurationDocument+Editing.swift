extension ConfigurationDocument {
    /// Sets the value of a key, or adds the key and its section if they are missing.
    ///
    /// Nothing else changes: comments, blanks, order and line ends stay. An existing key keeps its line. A new key is
    /// inserted in order, below an explaining comment. Nothing changes if the section is a value or a list of sections.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - section: Its section.
    ///   - value: The new value.
    ///   - comment: The lines of the explaining comment for a new key.
    ///   - order: All known sections with their keys, in their preferred order.
    public mutating func set(
        _ key: String, in section: String, to value: ConfigurationValue, comment: [String] = [],
        order: [(section: String, keys: [String])] = []
    ) {
        guard let path = Self.path(section) else { return }
        if let member = member(path + [key]) {
            guard let offsets = member.valueOffsets else { return }
            return replaceValue(at: offsets, with: value)
        }
        let entry = "\(ConfigurationValue.key(key)) = \(value.literal)"
        let lines = comment.map { $0.isEmpty ? "" : "# \($0)" }
        switch path.isEmpty ? .section : form(of: path) {
        case nil, .implied:
            if isBlocked(path) { return }
            insertSection(path, lines + [entry], order: order.map(\.section))
        case .section:
            let keys = order.first { $0.section == section }?.keys ?? []
            insert(lines: lines + [entry], at: place(for: key, in: path, keys: keys))
        case .dotted:
            // Below the last key of the section, in the same dotted form.
            guard
                let last = statements.last(where: {
                    $0.kind == .entry && $0.path.starts(with: path) && $0.path.count > path.count
                })
            else { return }
            let prefix = ConfigurationValue.path(path[last.sectionCount...])
            insert(lines: lines + ["\(prefix).\(entry)"], at: last.offsets.upperBound)
        case .inline: insert(intoBraces: entry, path)
        }
    }

    /// The parts of a section's name.
    private static func path(_ section: String) -> [String]? {
        if section.isEmpty { return [] }
        var scanner = TOMLScanner(Array(section.unicodeScalars))
        guard let path = try? scanner.key("a name").path, scanner.next == nil else { return nil }
        return path
    }

    private func member(_ path: [String]) -> ConfigurationTable.Member? {
        var table = root
        for name in path.dropLast() {
            guard case .table(let inner) = table[name]?.value else { return nil }
            table = inner
        }
        return path.last.flatMap { table[$0] }
    }

    private func form(of path: [String]) -> ConfigurationTable.Form? {
        guard case .table(let table) = member(path)?.value else { return nil }
        // A dotted key within braces has a value.
        for count in 1...path.count {
            if case .table(let outer) = member(Array(path.prefix(count)))?.value, outer.form == .inline {
                return .inline
            }
        }
        return table.form
    }

    /// Whether something other than a section has one of the names, so that the section cannot be added.
    private func isBlocked(_ path: [String]) -> Bool {
        (1...path.count).contains { count in
            guard let member = member(Array(path.prefix(count))) else { return false }
            if case .table(let table) = member.value { return table.form == .inline || table.form == .dotted }
            return true
        }
    }

    /// Replaces a value; comments within a list move above it.
    private mutating func replaceValue(at offsets: Range<Int>, with value: ConfigurationValue) {
        let comments = Self.comments(in: Array(scalars[offsets]))
        let start = statements.first { $0.offsets.contains(offsets.lowerBound) }?.offsets.lowerBound
        replace(offsets, with: value.literal)
        if let start, !comments.isEmpty { insert(lines: comments, at: start) }
    }

    /// The comments between the values of a list.
    private static func comments(in value: [Unicode.Scalar]) -> [String] {
        guard value.first == "[" else { return [] }
        var scanner = TOMLScanner(value)
        var comments: [String] = []
        while let scalar = scanner.next {
            switch scalar {
            case "#": comments.append(scanner.consume { $0 != "\n" && $0 != "\r" })
            case "\"", "'": if (try? scanner.value()) == nil { return comments }
            default: scanner.consume()
            }
        }
        return comments
    }

    private var lineEnding: String {
        guard let end = scalars.firstIndex(of: "\n") else { return "\n" }
        return end > 0 && scalars[end - 1] == "\r" ? "\r\n" : "\n"
    }

    /// The place for a new key: after the preceding known key, before the following one, or at the end of its section.
    private func place(for key: String, in path: [String], keys: [String]) -> Int {
        let header = statements.firstIndex { $0.kind == .section && $0.path == path }
        let first = header.map { $0 + 1 } ?? 0
        let own = statements[first...].prefix { $0.kind == .entry }
        let last = own.last?.offsets.upperBound ?? header.map { statements[$0].offsets.upperBound } ?? 0
        guard let index = keys.firstIndex(of: key) else { return last }
        func present(_ key: String) -> TOMLParser.Statement? { own.first { $0.path == path + [key] } }
        for key in keys[..<index].reversed() {
            if let before = present(key) { return before.offsets.upperBound }
        }
        for key in keys[index...] {
            if let after = present(key) { return startOfComment(above: after) }
        }
        return last
    }

    private mutating func insertSection(_ path: [String], _ lines: [String], order: [String]) {
        let name = ConfigurationValue.path(path)
        let new = ["[\(name)]"] + lines
        let later = order.firstIndex(of: name).map { Set(order[$0...]) } ?? []
        let next = statements.first { $0.kind == .section && later.contains(ConfigurationValue.path($0.path)) }
        if let next { return insert(lines: new + [""], at: startOfComment(above: next)) }
        // A file that is empty or ends with an empty line needs no empty line before the section.
        let lastLine = scalars.dropLast(scalars.last == "\n" ? 1 : 0).lastIndex(of: "\n").map { $0 + 1 } ?? 0
        let isSeparate = scalars[lastLine...].allSatisfy { [" ", "\t", "\r", "\n"].contains($0) }
        insert(lines: (isSeparate ? [] : [""]) + new, at: scalars.count)
    }

    /// The first line of the comment directly above a statement.
    private func startOfComment(above statement: TOMLParser.Statement) -> Int {
        let end = statements.last { $0.offsets.upperBound <= statement.offsets.lowerBound }?.offsets.upperBound ?? 0
        var start = statement.offsets.lowerBound
        while start > end {
            let above = scalars[..<(start - 1)].lastIndex(of: "\n").map { $0 + 1 } ?? 0
            let text = scalars[above..<start].drop { $0 == " " || $0 == "\t" }
            guard above >= end, text.first == "#" else { break }
            start = above
        }
        // A comment at the start of the file belongs to the file.
        return start == 0 ? statement.offsets.lowerBound : start
    }

    private mutating func insert(intoBraces entry: String, _ path: [String]) {
        var path = path
        var entry = entry
        // Within braces, the dots belong to the key.
        while let last = path.last, let member = member(path), member.valueOffsets == nil {
            entry = "\(ConfigurationValue.key(last)).\(entry)"
            path.removeLast()
        }
        guard let member = member(path), let offsets = member.valueOffsets, case .table(let table) = member.value
        else { return }
        if table.members.isEmpty { return replace(offsets, with: "{ \(entry) }") }
        var end = offsets.upperBound - 1
        while scalars[end - 1] == " " || scalars[end - 1] == "\t" { end -= 1 }
        replace(end..<end, with: ", \(entry)")
    }

    private mutating func insert(lines: [String], at offset: Int) {
        let ending = lineEnding
        let needsEnd = offset > 0 && scalars[offset - 1] != "\n"
        replace(offset..<offset, with: (needsEnd ? ending : "") + lines.map { $0 + ending }.joined())
    }

    private mutating func replace(_ offsets: Range<Int>, with text: String) {
        var changed = scalars
        changed.replaceSubrange(offsets, with: text.unicodeScalars)
        guard let read = try? ConfigurationDocument(scalars: changed) else { return }
        self = read
    }
}
