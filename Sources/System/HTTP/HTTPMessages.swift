/// A request to a server.
public struct HTTPRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The address, `https://…` or `http://…`; it may contain a secret, and is not to be shown.
    public var url: String
    /// The fields of the header; the values of some are secrets.
    public var fields: [Field]
    public var body: [UInt8]

    /// A field of the header.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    public init(_ method: String, _ url: String, fields: [Field] = [], body: [UInt8] = []) {
        (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
    }
}

/// A server's answer.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, such as 200.
    public var status: Int
    public var body: [UInt8]
    /// The seconds after which the server wants to be asked again; `nil` where it does not say so.
    public var retryAfter: Int64?

    public init(status: Int, body: [UInt8] = [], retryAfter: Int64? = nil) {
        (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    }
}

/// Why there is no answer: a phrase for the user.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// libcurl is not installed.
        case noLibrary
        /// The server cannot be reached, or the connection was lost.
        case unreachable
        /// It took too long.
        case timeout
        /// The server's certificate is not trusted, or there is no encrypted connection.
        case certificate
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}

/// The address of a server: `https://fhir.example/r4`.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address without a slash at its end.
    public let description: String
    /// Whether the connection is encrypted.
    public let isEncrypted: Bool

    /// Reads an address; `nil` when it is none that may be used.
    ///
    /// A user or password in it is refused, because an address is shown and logged. A connection that is not encrypted
    /// is accepted to this computer only.
    public init?(_ text: String) {
        let isEncrypted = text.hasPrefix("https://")
        guard isEncrypted || text.hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(isEncrypted ? 8 : 7)
        let host = rest.prefix { $0 != "/" }
        guard !host.isEmpty, rest.utf8.count <= 1000,
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"@?#\"<>\\^`{|}".utf8.contains($0) })
        else { return nil }
        let isNumeric = host.hasPrefix("[")
        let name = isNumeric ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        guard !name.isEmpty, isEncrypted || Self.localNames.contains(String(name)) else { return nil }
        let end = isNumeric ? host.dropFirst(name.count + 2) : host.dropFirst(name.count)
        if !end.isEmpty {
            guard end.first == ":", let port = UInt16(end.dropFirst()), port > 0 else { return nil }
        }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        (description, self.isEncrypted) = (address, isEncrypted)
    }

    private static let localNames = ["localhost", "127.0.0.1", "::1"]
}
