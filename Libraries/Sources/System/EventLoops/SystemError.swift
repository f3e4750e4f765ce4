import Glibc

/// An error number of the system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// As in `errno`.
    public let number: Int32

    /// Creates a failure of an error number.
    public init(number: Int32) {
        self.number = number
    }

    /// The system's message.
    public var description: String { String(cString: strerror(number)) }
}
