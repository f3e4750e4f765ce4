import Base
import JSON

/// A list that a program keeps from one run to the next, as JSON with a name and a version of its form.
///
/// Reading checks everything that the list itself promises, so a list that was read is as good as one that was made here.
/// Reading and writing alone are pure; `StoredListFile` of `HealthDevices` keeps a list in a file.
public protocol StoredList: Codable, Hashable, Sendable {
    /// What the list is, as its JSON says it, such as `remembered devices`.
    static var formatName: String { get }
    /// The version of the form, from 1; raised when an older program could not keep all that a list holds.
    static var formatVersion: Int { get }

    /// Creates an empty list.
    init()
}

extension StoredList {
    /// The list as JSON in UTF-8: one line with an object of `format`, `version` and `content`, and a line feed.
    ///
    /// - Throws: `EncodingError`, which a list of this module never does.
    public func json() throws -> [UInt8] {
        try JSONCoder.encode(StoredListEnvelope(content: self)) + [UInt8(ascii: "\n")]
    }

    /// Reads a list from its JSON, which need not be trusted.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Throws: ``StoredListFormatError``.
    public init(json bytes: [UInt8]) throws(StoredListFormatError) {
        do {
            self = try JSONCoder.decode(StoredListEnvelope<Self>.self, from: bytes).content
        } catch let error as StoredListFormatError {
            throw error
        } catch let error as JSON5Error {
            throw .damaged("\(error)")
        } catch let error as DecodingError {
            throw .damaged(error.place)
        } catch {
            throw .damaged("\(error)")
        }
    }
}

/// Why JSON is not read as a list; the description is a sentence.
public enum StoredListFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is something else; with the name of what was expected.
    case foreign(expected: String)
    /// A later version of the form, which may hold more than this program would keep.
    case newer(version: Int)
    /// It is no JSON, or something in it cannot be; with what and where.
    case damaged(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .foreign(let expected): "It is no list of \(expected)."
        case .newer(let version): "It has version \(version) of its form: a newer program wrote it, so use that one."
        case .damaged(let reason): "It is damaged: \(reason)."
        }
    }
}

/// The JSON around a list.
private struct StoredListEnvelope<List: StoredList>: Codable {
    var content: List

    enum CodingKeys: String, CodingKey { case format, version, content }

    init(content: List) { self.content = content }

    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: CodingKeys.self),
            let format = try? members.decode(String.self, forKey: .format), format == List.formatName
        else { throw StoredListFormatError.foreign(expected: List.formatName) }
        let version = try members.decode(Int.self, forKey: .version)
        if version > List.formatVersion { throw StoredListFormatError.newer(version: version) }
        // Every version so far can be read.
        if version < 1 { throw StoredListFormatError.damaged("there is no version \(version)") }
        content = try members.decode(List.self, forKey: .content)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(List.formatName, forKey: .format)
        try members.encode(List.formatVersion, forKey: .version)
        try members.encode(content, forKey: .content)
    }
}

extension DecodingError {
    /// What is wrong and where, such as `content.devices.0.name: it is missing`.
    fileprivate var place: String {
        let context: Context
        var last: [any CodingKey] = []
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
        case .keyNotFound(let key, let found): (context, last) = (found, [key])
        @unknown default: return "\(self)"
        }
        let names = (context.codingPath + last).map { $0.intValue.map(String.init) ?? $0.stringValue }
        // A key comes from the text that is read.
        return sanitized("\(names.joined(separator: ".")): \(context.debugDescription)", limit: 200)
    }
}

extension String {
    /// The text as a list keeps it: on one line, without control and invisible characters and outer spaces, and bounded.
    ///
    /// - Parameter limit: The greatest number of Unicode scalars; the last one of a longer text is an ellipsis.
    func kept(limit: Int) -> String {
        let whole = withoutOuterSpaces(sanitized(self, limit: limit))
        if whole.unicodeScalars.count <= limit { return whole }
        return withoutOuterSpaces(sanitized(self, limit: limit - 1))
    }
}
