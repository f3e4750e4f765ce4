import CDBus
import EventLoops
import Glibc

/// A received message, valid during one handler's call.
///
/// It reads libdbus's own copy, so that a handler pays only for what it reads.
public struct DBusMessageView: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: it cannot be copied, and is only borrowed for a synchronous call on the connection's
    // thread.

    let message: OpaquePointer

    /// When the message was taken from the bus.
    public let timestamp: Timestamp

    /// How many gaps the serials of the followed peer have had until now (``DBusConnection/followSerials(of:)``).
    public let serialGaps: Int

    init(message: OpaquePointer, timestamp: Timestamp, serialGaps: Int) {
        self.message = message
        self.timestamp = timestamp
        self.serialGaps = serialGaps
    }

    /// Its serial; a sender numbers its messages consecutively, whatever their destination.
    public var serial: UInt32 { dbus_message_get_serial(message) }

    /// The unique name of its sender.
    public var sender: String? { text(dbus_message_get_sender(message)) }

    /// The object that sent it.
    public var path: String? { text(dbus_message_get_path(message)) }

    /// The interface that it belongs to.
    public var interface: String? { text(dbus_message_get_interface(message)) }

    /// The signal's or method's name.
    public var member: String? { text(dbus_message_get_member(message)) }

    /// The signature of its arguments.
    public var signature: String { text(dbus_message_get_signature(message)) ?? "" }

    /// Whether it was sent by the owner of this unique name.
    public func isFrom(_ uniqueName: String) -> Bool {
        guard let sender = dbus_message_get_sender(message) else { return false }
        // Not as an argument, for which the text would be copied.
        return uniqueName.withCString { strcmp(sender, $0) } == 0
    }

    public func isSignal(_ interface: StaticString, _ member: StaticString) -> Bool {
        guard let ownInterface = dbus_message_get_interface(message), let ownMember = dbus_message_get_member(message)
        else { return false }
        return strcmp(ownMember, member.utf8Start) == 0 && strcmp(ownInterface, interface.utf8Start) == 0
    }

    /// A reader at the first argument.
    public func arguments() -> ArgumentReader {
        ArgumentReader(message: message)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}
