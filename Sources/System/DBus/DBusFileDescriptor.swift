import Glibc

/// A file descriptor that was received or will be sent; it is closed with its last reference.
public final class DBusFileDescriptor: Sendable, Hashable {
    /// The descriptor's number, valid as long as this object lives.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Whether both are the same object.
    public static func == (lhs: DBusFileDescriptor, rhs: DBusFileDescriptor) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
