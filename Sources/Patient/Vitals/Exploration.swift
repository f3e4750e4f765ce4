/// What a user may try on one characteristic of a device.
public enum Exploration: Codable, Hashable, Sendable {
    /// Read its value once.
    case read
    /// Be told its values, until the link ends.
    case subscribe
    /// Write octets, with or without an answer; never offered where it could change a therapy, a session or records.
    case write([UInt8], withResponse: Bool)

    /// What a characteristic allows of it.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case read, subscribe, write
        case writeWithoutResponse = "write_without_response"
    }

    /// Which kind it is.
    public var kind: Kind {
        switch self {
        case .read: .read
        case .subscribe: .subscribe
        case .write(_, let withResponse): withResponse ? .write : .writeWithoutResponse
        }
    }
}
