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
