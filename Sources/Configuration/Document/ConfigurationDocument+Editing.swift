extension ConfigurationDocument {
    /// Sets the value of a key, or adds the key and its section if they are missing.
    ///
    /// Nothing else changes: comments, blanks, order and line ends stay as they are. An existing key keeps its line. A
    /// new one is inserted in order, below an explaining comment.
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
        if let index = line(of: key, in: section) {
            lines[index].setValue(value)
            return
        }
        let ending = lineEnding
        var new = comment.map { ConfigurationLine(comment: $0, ending: ending) }
        new.append(ConfigurationLine(key: key, value: value, ending: ending))
        if let header = header(of: section) {
            insert(new, at: place(for: key, below: header, keys: order.first { $0.section == section }?.keys ?? []))
        } else {
            insertSection(section, new, order: order.map(\.section))
        }
    }

    /// Removes a key, so that its default applies again; comments stay.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public mutating func remove(_ key: String, in section: String) -> Bool {
        guard let index = line(of: key, in: section) else { return false }
        let scalars = Array(lines[index].text.unicodeScalars)
        guard case .entry(let entry) = lines[index].content else { return false }
        let rest = scalars[entry.valueOffsets.upperBound...].drop { $0 == " " || $0 == "\t" }
        if rest.isEmpty {
            lines.remove(at: index)
        } else {
            lines[index].text = LineScanner.string(rest)
            lines[index].content = .comment
        }
        return true
    }

    private var lineEnding: String {
        lines.first { !$0.ending.isEmpty }?.ending ?? "\n"
    }

    private func line(of key: String, in section: String) -> Int? {
        var current = ""
        for (index, line) in lines.enumerated() {
            switch line.content {
            case .section(let name, _): current = name
            case .entry(let entry) where current == section && entry.key == key: return index
            default: break
            }
        }
        return nil
    }

    /// The line of a section's name; above the first line for keys without a section.
    private func header(of section: String) -> Int? {
        if section.isEmpty { return -1 }
        return lines.firstIndex {
            guard case .section(section, _) = $0.content else { return false }
            return true
        }
    }

    /// Where a new key goes: after the known key before it, before the one after it, or after all of its section.
    private func place(for key: String, below header: Int, keys: [String]) -> Int {
        let end = lines[(header + 1)...].firstIndex { if case .section = $0.content { true } else { false } }
        var present: [String: Int] = [:]
        var last = header
        for index in (header + 1)..<(end ?? lines.count) {
            guard case .entry(let entry) = lines[index].content else { continue }
            present[entry.key] = index
            last = index
        }
        guard let own = keys.firstIndex(of: key) else { return last + 1 }
        if let before = keys[..<own].last(where: { present[$0] != nil }), let line = present[before] { return line + 1 }
        if let after = keys[own...].first(where: { present[$0] != nil }), let line = present[after] {
            return startOfComment(above: line, notBefore: header + 1)
        }
        return last + 1
    }

    private mutating func insertSection(_ section: String, _ entry: [ConfigurationLine], order: [String]) {
        let ending = lineEnding
        let blank = ConfigurationLine(comment: "", ending: ending)
        let new = [ConfigurationLine(section: section, ending: ending)] + entry
        let later = order.firstIndex(of: section).map { Set(order[$0...]) } ?? []
        let next = lines.firstIndex {
            guard case .section(let name, _) = $0.content else { return false }
            return later.contains(name)
        }
        if let next {
            insert(new + [blank], at: startOfComment(above: next, notBefore: 0))
        } else {
            let isSeparate = lines.last.map { $0.content == .blank } ?? true
            insert((isSeparate ? [] : [blank]) + new, at: lines.count)
        }
    }

    /// The first line of the comment that stands directly above a line.
    private func startOfComment(above line: Int, notBefore first: Int) -> Int {
        var start = line
        while start > first, lines[start - 1].content == .comment { start -= 1 }
        // A comment at the start of the file belongs to the file.
        return start == 0 && line > 0 ? line : start
    }

    private mutating func insert(_ new: [ConfigurationLine], at index: Int) {
        if index > 0, lines[index - 1].ending.isEmpty { lines[index - 1].ending = lineEnding }
        lines.insert(contentsOf: new, at: index)
    }
}
