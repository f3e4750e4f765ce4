import CDBus
import Glibc

/// Notices when a peer has sent something that did not come to us, from the serials of what did.
///
/// A sender numbers its messages one after another, whoever they are for (D-Bus specification, "Message Format"). So a
/// number left out is a message to somebody else: an answer to another program's call, or a signal that we do not ask for.
struct SerialSequence {
    /// The unique name of the sender.
    let sender: String
    private var last: UInt32?
    /// How many times numbers were left out.
    private(set) var gaps = 0

    init(sender: String) {
        self.sender = sender
    }

    /// Takes a message in, in the order of the bus; one from somebody else is passed over.
    mutating func record(_ message: OpaquePointer) {
        guard let name = dbus_message_get_sender(message), strcmp(name, sender) == 0 else { return }
        record(serial: dbus_message_get_serial(message))
    }

    /// Takes the number of the sender's next message in.
    mutating func record(serial: UInt32) {
        defer { last = serial }
        // There is no message of number 0, not even after the greatest number.
        guard let last, serial != (last == .max ? 1 : last + 1) else { return }
        gaps += 1
    }
}
