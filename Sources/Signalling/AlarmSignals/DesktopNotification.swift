import DBus

/// The content of a desktop notification (Desktop Notifications Specification 1.2).
public struct DesktopNotification: Hashable, Sendable {
    /// The title in one line.
    public var summary: String
    /// The body, plain text.
    public var body: String
    public var urgency: Urgency

    public init(summary: String, body: String, urgency: Urgency) {
        self.summary = summary
        self.body = body
        self.urgency = urgency
    }

    /// The three urgencies of the specification; a desktop does not close critical ones by itself.
    public enum Urgency: UInt8, Hashable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// The arguments of `Notify`.
    ///
    /// - Parameters:
    ///   - replaced: The number of the notification to replace; 0 for none.
    ///   - understandsMarkup: Whether the desktop reads the body as markup, so that `<` and `&` must be escaped.
    func arguments(replacing replaced: UInt32, understandsMarkup: Bool) -> [DBusValue] {
        return [
            .string("Bedside"), .uint32(replaced), .string(""), .string(summary),
            .string(understandsMarkup ? Self.escaped(body) : body), .strings([]),
            .properties([("urgency", .byte(urgency.rawValue)), ("category", .string("device"))]),
            // -1: the desktop's default for the urgency; an alarm that persists must not disappear by itself.
            .int32(urgency == .low ? -1 : 0),
        ]
    }

    /// A text escaped for markup.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
