import CDBus
import Glibc

/// Which signals are wanted; a field that is `nil` matches any (D-Bus specification, "Match rules").
public struct SignalMatch: Hashable, Sendable {
    /// The well-known or unique name of the sender.
    ///
    /// Only the bus checks a well-known name, and only for broadcast signals. To be sure of the sender of a signal that
    /// was addressed to this connection, compare ``DBusMessageView/isFrom(_:)`` with the name's owner.
    public var sender: String?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// The object that emitted it.
    public var path: ObjectPath?
    /// The object that emitted it, or any below it.
    public var pathNamespace: ObjectPath?
    public var firstArgument: String?

    public init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.interface = interface
        self.member = member
        self.path = path
        self.pathNamespace = pathNamespace
        self.firstArgument = firstArgument
    }

    /// The match rule in the syntax of the bus.
    public var rule: String {
        var rule = "type='signal'"
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // An apostrophe would end the quotes, so it is put outside of them.
            let quoted = value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            rule += ",\(key)='\(quoted)'"
        }
        add("sender", sender)
        add("interface", interface)
        add("member", member)
        add("path", path?.description)
        add("path_namespace", pathNamespace?.description)
        add("arg0", firstArgument)
        return rule
    }
}

/// A ``SignalMatch`` prepared for fast comparison with every received signal.
struct SignalFilter {
    private let sender: MatchedText?
    private let interface: MatchedText?
    private let member: MatchedText?
    private let path: MatchedText?
    private let pathNamespace: MatchedText?
    private let firstArgument: MatchedText?

    init(_ match: SignalMatch) {
        // Only the bus knows the owner of a well-known name, and has checked that sender already.
        let isSenderKnown = match.sender?.hasPrefix(":") == true || match.sender == "org.freedesktop.DBus"
        sender = isSenderKnown ? match.sender.map { MatchedText($0) } : nil
        interface = match.interface.map { MatchedText($0) }
        member = match.member.map { MatchedText($0) }
        path = match.path.map { MatchedText($0.description) }
        pathNamespace = match.pathNamespace.flatMap { $0 == .root ? nil : MatchedText($0.description) }
        firstArgument = match.firstArgument.map { MatchedText($0) }
    }

    /// Whether a received signal matches.
    func matches(_ message: OpaquePointer) -> Bool {
        member?.equals(dbus_message_get_member(message)) ?? true
            && interface?.equals(dbus_message_get_interface(message)) ?? true
            && path?.equals(dbus_message_get_path(message)) ?? true
            && pathNamespace?.isSameOrAncestor(of: dbus_message_get_path(message)) ?? true
            && sender?.equals(dbus_message_get_sender(message)) ?? true
            && isFirstArgumentWanted(message)
    }

    private func isFirstArgumentWanted(_ message: OpaquePointer) -> Bool {
        guard let firstArgument else { return true }
        var reader = ArgumentReader(message: message)
        return reader.isNext(firstArgument)
    }
}

/// A text to compare messages with, stored as a C string, so that comparing allocates nothing.
struct MatchedText {
    private let characters: ContiguousArray<CChar>

    init(_ text: String) {
        characters = text.utf8CString
    }

    /// Whether a C string is this text.
    func equals(_ found: UnsafePointer<CChar>?) -> Bool {
        guard let found else { return false }
        return characters.withUnsafeBufferPointer { own in
            own.baseAddress.map { strcmp($0, found) == 0 } ?? false
        }
    }

    /// Whether a C string is this path, or one below it.
    func isSameOrAncestor(of found: UnsafePointer<CChar>?) -> Bool {
        guard let found else { return false }
        let length = characters.count - 1
        return characters.withUnsafeBufferPointer { own in
            guard let start = own.baseAddress, strncmp(start, found, length) == 0 else { return false }
            return found[length] == 0 || found[length] == CChar(UInt8(ascii: "/"))
        }
    }
}
