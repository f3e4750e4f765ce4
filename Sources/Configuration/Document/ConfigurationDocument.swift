/// A configuration file that keeps every comment, every blank and the order of its lines when a value is changed.
///
/// The format is a part of TOML: `[section]`, `key = value`, `# comment`; texts, decimal numbers, `true`, `false` and
/// lists of texts, each on one line. A single word needs no quotes.
public struct ConfigurationDocument: Hashable, Sendable {
    var lines: [ConfigurationLine]
    private var hasByteOrderMark: Bool

    /// A key with its value and their positions.
    public struct Entry: Hashable, Sendable {
        /// The section, such as `limits.spo2`; empty above the first one.
        public var section: String
        /// The key.
        public var key: String
        /// Its value.
        public var value: ConfigurationValue
        /// The position of the key.
        public var keyPosition: TextPosition
        /// The position of the value.
        public var valuePosition: TextPosition
    }

    public init() {
        lines = []
        hasByteOrderMark = false
    }

    /// Reads the text of a file.
    ///
    /// - Throws: Everything that is wrong in it, with line and column.
    public init(_ text: String) throws(ConfigurationErrors) {
        var mistakes: [ConfigurationError] = []
        var scalars = text.unicodeScalars[...]
        hasByteOrderMark = scalars.first == "\u{FEFF}"
        if hasByteOrderMark { scalars.removeFirst() }
        lines = []
        var sections: [String: Int] = [:]
        var keys: [String: Int] = [:]
        var section = ""
        var number = 0
        while !scalars.isEmpty, mistakes.count < ConfigurationErrors.limit {
            number += 1
            let (content, ending) = Self.takeLine(&scalars)
            do throws(ConfigurationError) {
                let line = try ConfigurationLine(content, ending: ending, number: number)
                lines.append(line)
                switch line.content {
                case .section(let name, let column):
                    section = name
                    try Self.record(
                        name, "the section [\(name)]", in: &sections, TextPosition(line: number, column: column))
                case .entry(let entry):
                    try Self.record(
                        "\(section).\(entry.key)", "the key '\(entry.key)'", in: &keys,
                        TextPosition(line: number, column: entry.keyColumn))
                default: break
                }
            } catch {
                mistakes.append(error)
            }
        }
        if let mistakes = ConfigurationErrors(mistakes) { throw mistakes }
    }

    /// The text of the file.
    public var text: String {
        (hasByteOrderMark ? "\u{FEFF}" : "") + lines.map { $0.text + $0.ending }.joined()
    }

    /// All keys with their values, in the order of the file.
    public var entries: [Entry] {
        var section = ""
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() {
            switch line.content {
            case .section(let name, _): section = name
            case .entry(let entry):
                entries.append(
                    Entry(
                        section: section, key: entry.key, value: entry.value,
                        keyPosition: TextPosition(line: index + 1, column: entry.keyColumn),
                        valuePosition: TextPosition(line: index + 1, column: entry.valueOffsets.lowerBound + 1)))
            default: break
            }
        }
        return entries
    }

    /// The names of the sections and their positions, in the order of the file.
    public var sections: [(name: String, position: TextPosition)] {
        lines.enumerated().compactMap { index, line in
            guard case .section(let name, let column) = line.content else { return nil }
            return (name, TextPosition(line: index + 1, column: column))
        }
    }

    /// The value of a key, or `nil` when the file does not give one.
    public func value(of key: String, in section: String) -> ConfigurationValue? {
        entries.first { $0.section == section && $0.key == key }?.value
    }

    private static func takeLine(_ rest: inout Substring.UnicodeScalarView) -> (content: String, ending: String) {
        let end = rest.firstIndex(of: "\n") ?? rest.endIndex
        var content = rest[..<end]
        var ending = ""
        if end < rest.endIndex {
            ending = "\n"
            if content.last == "\r" {
                content.removeLast()
                ending = "\r\n"
            }
            rest = rest[rest.index(after: end)...]
        } else {
            rest = rest[end...]
        }
        return (String(content), ending)
    }

    private static func record(
        _ name: String, _ what: String, in seen: inout [String: Int], _ position: TextPosition
    ) throws(ConfigurationError) {
        if let line = seen[name] {
            throw ConfigurationError(position, "\(what) is already there in line \(line); remove one of the two")
        }
        seen[name] = position.line
    }
}
