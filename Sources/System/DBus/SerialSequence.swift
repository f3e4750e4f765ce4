import CDBus
import Glibc

/// Detects messages that a peer sent to others, by gaps in the serials of those received.
///
/// A sender numbers its messages consecutively, whatever their destination (D-Bus specification, "Message Format"). So
/// a missing number is a message to another program: an answer to its call, or a signal that this program did not
/// subscribe to.
struct SerialSequence {
    /// The unique name of the sender.
    let sender: String
    private var last: UInt32?
    /// The number of gaps.
    private(set) var gaps = 0

    init(sender: String) {
        self.sender = sender
    }

    /// Records a message, in the order of the bus; messages of other senders are ignored.
    mutating func record(_ message: OpaquePointer) {
        // The sender is compared in place: a String of it would be a copy.
        guard let name = dbus_message_get_sender(message), sender.withCString({ strcmp(name, $0) }) == 0 else { return }
        record(serial: dbus_message_get_serial(message))
    }

    /// Records the serial of the sender's next message.
    mutating func record(serial: UInt32) {
        defer { last = serial }
        // Serials skip 0, even after the greatest number.
        guard let last, serial != (last == .max ? 1 : last + 1) else { return }
        gaps += 1
    }
}
