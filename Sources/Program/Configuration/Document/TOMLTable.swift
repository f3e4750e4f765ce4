import Base

/// A table during reading, with TOML's rules for extending it.
final class TOMLTable {
    private(set) var form: ConfigurationTable.Form
    /// The position of its first mention.
    private(set) var position: TextPosition
    /// Whether neither a section nor dotted keys may define it again.
    private var isDefined: Bool
    private var members: [Member] = []
    private var indices: [String: Int] = [:]

    private struct Member {
        let key: String
        let position: TextPosition
        var content: Content
    }

    private enum Content {
        case value(ConfigurationValue, TextPosition, Range<Int>)
        case table(TOMLTable)
        case tables(Elements)
    }

    /// The elements of a list of sections, shared so that adding one costs the same for each.
    private final class Elements {
        var tables: [TOMLTable]
        init(_ first: TOMLTable) { tables = [first] }
    }

    init(_ form: ConfigurationTable.Form, _ position: TextPosition) {
        (self.form, self.position) = (form, position)
        isDefined = form == .section || form == .inline
    }

    /// The result.
    var value: ConfigurationTable {
        ConfigurationTable(
            members.map { member in
                switch member.content {
                case .value(let value, let position, let offsets):
                    ConfigurationTable.Member(
                        key: member.key, value: value, keyPosition: member.position, valuePosition: position,
                        valueOffsets: offsets)
                case .table(let table):
                    ConfigurationTable.Member(
                        key: member.key, value: .table(table.value), keyPosition: table.position,
                        valuePosition: table.position, valueOffsets: nil)
                case .tables(let elements):
                    ConfigurationTable.Member(
                        key: member.key, value: .list(elements.tables.map { .table($0.value) }),
                        keyPosition: member.position,
                        valuePosition: member.position, valueOffsets: nil)
                }
            }, form: form)
    }

    /// Closes the section that contains its dotted keys; it cannot be extended afterwards.
    func endsSection() { isDefined = true }

    /// Adds a value at a key, which may be dotted.
    ///
    /// - Returns: The tables that the dotted key has created or extended.
    @discardableResult
    func insert(
        _ value: ConfigurationValue, at path: [String], _ position: TextPosition, valuePosition: TextPosition,
        offsets: Range<Int>
    ) throws(ConfigurationError) -> [TOMLTable] {
        var table = self
        var extended: [TOMLTable] = []
        for (index, key) in path.dropLast().enumerated() {
            let name = ConfigurationValue.path(path[...index])
            switch table.member(key)?.content {
            case nil:
                let new = TOMLTable(.dotted, position)
                table.append(key, position, .table(new))
                table = new
            case .table(let present)?:
                if present.isDefined {
                    throw ConfigurationError(
                        position,
                        "'\(name)' is already a section in line \(present.position.line); put the key below that")
                }
                table = present
            case .value(_, let other, _)?:
                throw ConfigurationError(position, "'\(name)' already has a value in line \(other.line)")
            case .tables?: throw ConfigurationError(position, "'\(name)' is already a list of sections")
            }
            extended.append(table)
        }
        guard let last = path.last else { return extended }
        if let other = table.member(last) {
            throw ConfigurationError(
                position,
                "the key '\(ConfigurationValue.path(path))' is already there in line \(other.position.line); remove one of the two"
            )
        }
        table.append(last, position, .value(value, valuePosition, offsets))
        return extended
    }

    /// The table of a section, created if it is missing.
    func section(_ path: [String], _ position: TextPosition) throws(ConfigurationError) -> TOMLTable {
        let (parent, last) = try parent(path, position)
        let name = ConfigurationValue.path(path)
        switch parent.member(last)?.content {
        case nil:
            let new = TOMLTable(.section, position)
            parent.append(last, position, .table(new))
            return new
        case .table(let present)?:
            if present.isDefined {
                throw ConfigurationError(
                    position,
                    present.form == .dotted
                        ? "keys with dots have already made '\(name)' in line \(present.position.line)"
                        : "the section [\(name)] is already there in line \(present.position.line); remove one of the two"
                )
            }
            present.form = .section
            present.isDefined = true
            present.position = position
            return present
        case .value(_, let other, _)?:
            throw ConfigurationError(position, "'\(name)' already has a value in line \(other.line)")
        case .tables?:
            throw ConfigurationError(position, "'\(name)' is already a list of sections: write [[\(name)]]")
        }
    }

    /// Adds a section to a list of sections.
    func element(_ path: [String], _ position: TextPosition) throws(ConfigurationError) -> TOMLTable {
        let (parent, last) = try parent(path, position)
        let name = ConfigurationValue.path(path)
        let new = TOMLTable(.section, position)
        guard let index = parent.indices[last] else {
            parent.append(last, position, .tables(Elements(new)))
            return new
        }
        switch parent.members[index].content {
        case .tables(let elements): elements.tables.append(new)
        case .table(let present):
            throw ConfigurationError(
                position, "'\(name)' is already a section in line \(present.position.line), and so no list of them")
        case .value(_, let other, _):
            throw ConfigurationError(position, "'\(name)' already has a value in line \(other.line)")
        }
        return new
    }

    private func parent(
        _ path: [String], _ position: TextPosition
    ) throws(ConfigurationError) -> (table: TOMLTable, last: String) {
        var table = self
        for (index, key) in path.dropLast().enumerated() {
            switch table.member(key)?.content {
            case nil:
                let new = TOMLTable(.implied, position)
                table.append(key, position, .table(new))
                table = new
            case .table(let present)?: table = present
            case .tables(let elements)?: table = elements.tables.last ?? table
            case .value(_, let other, _)?:
                throw ConfigurationError(
                    position, "'\(ConfigurationValue.path(path[...index]))' already has a value in line \(other.line)")
            }
        }
        return (table, path.last ?? "")
    }

    private func member(_ key: String) -> Member? { indices[key].map { members[$0] } }

    private func append(_ key: String, _ position: TextPosition, _ content: Content) {
        indices[key] = members.count
        members.append(Member(key: key, position: position, content: content))
    }
}
