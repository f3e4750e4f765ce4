/// The path of an object on the bus (D-Bus specification, "Valid object paths").
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
    /// The path as text.
    public let description: String

    /// Creates a path, or `nil` when the text is not a valid path.
    public init?(_ text: String) {
        guard Self.isValid(text.utf8) else { return nil }
        description = text
    }

    /// Creates a path from a text that is known to be valid, for instance checked by libdbus.
    init(checked text: String) {
        description = text
    }

    public static let root = ObjectPath(checked: "/")

    /// Whether this path lies below another one, at any depth.
    public func isBelow(_ ancestor: ObjectPath) -> Bool {
        if ancestor == .root { return self != .root }
        return description.utf8.count > ancestor.description.utf8.count
            && description.utf8.starts(with: ancestor.description.utf8)
            && description.utf8.dropFirst(ancestor.description.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path without its last element; the root's is the root.
    public var parent: ObjectPath {
        guard let slash = description.lastIndex(of: "/"), slash != description.startIndex else { return .root }
        return ObjectPath(checked: String(description[..<slash]))
    }

    /// The path of a child; this one when the name is not a valid element, which has letters, digits and underscores.
    public func child(_ name: String) -> ObjectPath {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return self }
        return ObjectPath(self == .root ? "/\(name)" : "\(description)/\(name)") ?? self
    }

    private static func isValid(_ text: String.UTF8View) -> Bool {
        guard text.first == UInt8(ascii: "/") else { return false }
        if text.count == 1 { return true }
        var isElementEmpty = true
        for byte in text.dropFirst() {
            switch byte {
            case UInt8(ascii: "/"):
                if isElementEmpty { return false }
                isElementEmpty = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                isElementEmpty = false
            default:
                return false
            }
        }
        return !isElementEmpty
    }
}
