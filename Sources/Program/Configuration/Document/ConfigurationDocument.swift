import Base

/// A configuration file in TOML 1.0 that keeps every comment, blank and line in place when a value is changed.
public struct ConfigurationDocument: Sendable {
    var scalars: [Unicode.Scalar]
    var statements: [TOMLParser.Statement]
    /// All keys with their values.
    public private(set) var root: ConfigurationTable

    /// A key with its value and their positions.
    public struct Entry: Hashable, Sendable {
        /// The section, such as `limits.spo2`; empty for keys outside sections.
        public var section: String
        public var key: String
        public var value: ConfigurationValue
        public var keyPosition: TextPosition
        public var valuePosition: TextPosition
    }

    /// A section, in any notation.
    public struct Section: Hashable, Sendable {
        /// Its name, such as `limits.spo2`.
        public var name: String
        /// The position of its name.
        public var position: TextPosition
    }

    public init() {
        (scalars, statements) = ([], [])
        root = ConfigurationTable([], form: .section)
    }

    /// Reads the text of a file.
    ///
    /// - Parameter text: The text; a byte order mark before it is dropped.
    /// - Throws: Everything that is wrong in it, with line and column.
    public init(_ text: String) throws(ConfigurationErrors) {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        try self.init(scalars: scalars)
    }

    init(scalars: [Unicode.Scalar]) throws(ConfigurationErrors) {
        (root, statements) = try TOMLParser.parse(scalars)
        self.scalars = scalars
    }

    /// The text of the file.
    public var text: String { TOMLScanner.string(scalars) }

    /// All keys with their values, by section in the order of the file.
    public var entries: [Entry] {
        var entries: [Entry] = []
        walk(root, []) { path, member in
            if case .table = member.value { return }
            entries.append(
                Entry(
                    section: ConfigurationValue.path(path), key: member.key, value: member.value,
                    keyPosition: member.keyPosition, valuePosition: member.valuePosition))
        }
        return entries
    }

    /// The sections, each before its subsections.
    public var sections: [Section] {
        var sections: [Section] = []
        walk(root, []) { path, member in
            guard case .table = member.value else { return }
            sections.append(
                Section(name: ConfigurationValue.path(path + [member.key]), position: member.keyPosition))
        }
        return sections
    }

    /// The value of a key; `nil` when it is missing.
    public func value(of key: String, in section: String) -> ConfigurationValue? {
        entries.first { $0.section == section && $0.key == key }?.value
    }

    private func walk(
        _ table: ConfigurationTable, _ path: [String], _ visit: ([String], ConfigurationTable.Member) -> Void
    ) {
        for member in table.members {
            visit(path, member)
            if case .table(let inner) = member.value { walk(inner, path + [member.key], visit) }
        }
    }
}

extension ConfigurationDocument: Hashable {
    /// Whether two files have the same text.
    public static func == (lhs: ConfigurationDocument, rhs: ConfigurationDocument) -> Bool {
        lhs.scalars == rhs.scalars
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(scalars) }
}

extension ConfigurationDocument {
    /// The greatest length of a configuration file, in bytes.
    public static let sizeLimit = 256 * 1024

    /// Reads the bytes of a file.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: Everything that is wrong in it; bytes that are not UTF-8 are refused with their offset.
    public init(bytes: [UInt8]) throws(ConfigurationErrors) {
        if bytes.count > Self.sizeLimit {
            throw ConfigurationErrors(
                TextPosition(line: 1, column: 1),
                "the file is longer than \(Self.sizeLimit / 1024) KiB; it cannot be a configuration of Bedside")
        }
        var scalars = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var position = TextPosition(line: 1, column: 1)
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput:
                self = try Self(String(scalars))
                return
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                scalars.append(scalar)
                offset += encoded.count
                if scalar == "\n" {
                    position = TextPosition(line: position.line + 1, column: 1)
                } else {
                    position.column += 1
                }
            case .error:
                let byte = String(bytes[offset], radix: 16, uppercase: true)
                throw ConfigurationErrors(
                    position, "the byte \(byte) at offset \(offset) is not UTF-8; save the file as UTF-8")
            }
        }
    }
}

extension ConfigurationErrors {
    init(_ position: TextPosition, _ reason: String) {
        list = [ConfigurationError(position, reason)]
    }
}

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

/// Keys with their values, in the order of the file.
public struct ConfigurationTable: Hashable, Sendable {
    /// The keys with their values.
    public let members: [Member]
    /// The notation of the table.
    let form: Form
    private let indices: [String: Int]

    /// The notation of a table.
    enum Form: Hashable, Sendable {
        /// The whole file, or a section with a heading `[name]` or `[[name]]`.
        case section
        /// Only implied by its sections, such as `limits` by `[limits.spo2]`.
        case implied
        /// By dotted keys, such as `spo2` by `spo2.low = 90`.
        case dotted
        /// In braces.
        case inline
    }

    /// A key with its value.
    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: ConfigurationValue
        public let keyPosition: TextPosition
        /// The position of the value; for a section that of its first key.
        public let valuePosition: TextPosition
        /// The offsets of the value in the file; `nil` for one or more sections.
        let valueOffsets: Range<Int>?

        /// Whether two members have the same key and the same value, whatever their positions.
        public static func == (lhs: Member, rhs: Member) -> Bool {
            lhs.key == rhs.key && lhs.value == rhs.value
        }

        /// Hashes key and value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            hasher.combine(value)
        }
    }

    init(_ members: [Member], form: Form) {
        self.members = members
        self.form = form
        indices = Dictionary(members.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }

    /// Creates a table that is not from a file.
    public init(_ values: [(key: String, value: ConfigurationValue)]) {
        let start = TextPosition(line: 1, column: 1)
        self.init(
            values.map {
                Member(key: $0.key, value: $0.value, keyPosition: start, valuePosition: start, valueOffsets: nil)
            }, form: .inline)
    }

    /// The member with a key; `nil` if there is none.
    public subscript(key: String) -> Member? { indices[key].map { members[$0] } }

    /// Whether two tables have the same members in the same order, in any notation.
    public static func == (lhs: ConfigurationTable, rhs: ConfigurationTable) -> Bool { lhs.members == rhs.members }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
