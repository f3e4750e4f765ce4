/// An operation that a user may try on one characteristic of a device.
public enum Exploration: Codable, Hashable, Sendable {
    /// Read its value once.
    case read
    /// Receive its values, until the link ends.
    case subscribe
    /// Write octets, with or without a response; never offered if it could change a therapy, a session or records.
    case write([UInt8], withResponse: Bool)

    /// The kinds of operations, to list what a characteristic allows.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case read, subscribe, write
        case writeWithoutResponse = "write_without_response"
    }

    public var kind: Kind {
        switch self {
        case .read: .read
        case .subscribe: .subscribe
        case .write(_, let withResponse): withResponse ? .write : .writeWithoutResponse
        }
    }
}
