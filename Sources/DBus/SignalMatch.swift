import CDBus
import Glibc

/// Which signals are wanted; a field that is `nil` matches any (D-Bus specification, "Match rules").
public struct SignalMatch: Hashable, Sendable {
    /// The well-known or unique name of who sends it. The bus checks it; a program that must be sure of the sender of a
    /// signal that was addressed to it alone compares ``DBusMessageView/sender``.
    public var sender: String?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// The object that it comes from.
    public var path: ObjectPath?
    /// The object that it comes from, or any below it.
    public var pathNamespace: ObjectPath?
    /// The first argument, a string.
    public var firstArgument: String?

    /// Makes a match.
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

    /// The match rule as the bus takes it.
    public var rule: String {
        var rule = "type='signal'"
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // Within quotes an apostrophe ends the quotes, so it is put outside of them.
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

    /// Whether a signal that has arrived is meant; the sender is left to the bus.
    func matches(_ message: OpaquePointer) -> Bool {
        Self.equal(member, dbus_message_get_member(message))
            && Self.equal(interface, dbus_message_get_interface(message))
            && Self.equal(path?.description, dbus_message_get_path(message))
            && isInNamespace(dbus_message_get_path(message))
            && isFirstArgumentWanted(message)
    }

    private static func equal(_ wanted: String?, _ found: UnsafePointer<CChar>?) -> Bool {
        guard let wanted else { return true }
        guard let found else { return false }
        return wanted.withCString { strcmp($0, found) == 0 }
    }

    private func isInNamespace(_ found: UnsafePointer<CChar>?) -> Bool {
        guard let pathNamespace, pathNamespace != .root else { return true }
        guard let found else { return false }
        let length = pathNamespace.description.utf8.count
        guard pathNamespace.description.withCString({ strncmp($0, found, length) == 0 }) else { return false }
        return found[length] == 0 || found[length] == CChar(UInt8(ascii: "/"))
    }

    private func isFirstArgumentWanted(_ message: OpaquePointer) -> Bool {
        guard let firstArgument else { return true }
        var reader = ArgumentReader(message: message)
        return reader.readText() == firstArgument
    }
}
