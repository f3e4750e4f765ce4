import Base
import Formats

/// A message of HL7 Version 2.6, which is written segment by segment.
///
/// Source: HL7 Version 2.6, chapter 2: segments end with a carriage return, and the five delimiters are escaped in texts.
struct HL7Message {
    private(set) var bytes: [UInt8] = []

    /// Appends a segment; fields at its end that are empty are left out.
    ///
    /// - Parameter fields: Its fields from the first one; for `MSH` from the third one, because the first two are the
    ///   delimiters.
    mutating func append(_ name: String, _ fields: [String]) {
        var fields = fields
        while fields.last?.isEmpty == true { fields.removeLast() }
        let beginning = name == "MSH" ? #"MSH|^~\&"# : name
        bytes += ([beginning] + fields).joined(separator: "|").utf8
        bytes.append(0x0D)
    }

    /// A text with its delimiters escaped, and without control characters.
    static func text(_ text: String) -> String {
        var escaped = ""
        for scalar in sanitized(text, limit: 200).unicodeScalars {
            switch scalar {
            case "|": escaped += #"\F\"#
            case "^": escaped += #"\S\"#
            case "&": escaped += #"\T\"#
            case "~": escaped += #"\R\"#
            case "\\": escaped += #"\E\"#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A time with milliseconds, such as `20260102030405.678+0000`.
    static func time(_ wallMilliseconds: Int64) -> String {
        timestamp(ofWallMilliseconds: wallMilliseconds).filter { $0.isNumber || $0 == "." } + "+0000"
    }

    /// A code of ISO/IEEE 11073-10101 with its reference identifier.
    static func code(_ code: HL7Code) -> String { "\(code.number)^\(code.name)^MDC" }
}

/// What an acknowledgement says.
struct HL7Acknowledgement: Hashable {
    /// Whether the message was accepted, at once (`CA`) or after it was processed (`AA`).
    var isAccepted: Bool
    /// The control identifier of the message.
    var identifier: String
    /// The code, such as `AE`, with the words of the server, if there are any.
    var text: String

    /// Reads a message; `nil` for one that is none of acknowledgement.
    init?(_ bytes: [UInt8]) {
        let segments = String(decoding: bytes, as: UTF8.self).split { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        guard let header = segments.first, header.hasPrefix("MSH"), let separator = header.dropFirst(3).first,
            let segment = segments.first(where: { $0.hasPrefix("MSA\(separator)") })
        else { return nil }
        let fields = segment.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 3, ["AA", "CA", "AE", "CE", "AR", "CR"].contains(fields[1]) else { return nil }
        isAccepted = fields[1].hasSuffix("A")
        identifier = fields[2]
        let words = fields.count > 3 ? sanitized(fields[3], limit: 200) : ""
        text = words.isEmpty ? fields[1] : "\(fields[1]): \(words)"
    }
}
